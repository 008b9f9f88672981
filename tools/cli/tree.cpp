#include "tools/cli/commands.hpp"
#include "tools/cli/load.hpp"

#include <tactus/components/joint.hpp>
#include <tactus/components/object3d.hpp>
#include <tactus/components/solid.hpp>
#include <tactus/engine/schema/definitions.hpp>

#include <cstdio>
#include <map>
#include <unordered_set>

namespace cli {

namespace {

using tactus::Entity;

constexpr std::size_t deepest_drawn = 30;  // below, the depth is a number: lines would get longer and longer

int degrees_of_freedom(const tactus::JointType& type) {
    constexpr int dof[] = {0, 1, 1, 3, 2, 2, 3, 6};  // in the order of JointType
    return dof[type.index()];
}

class Printer {
public:
    explicit Printer(tactus::World& world) : world_{world}, registry_{world.registry()}, order_{world.super_objects()} {
        for (std::size_t i = 0; i < order_.size(); ++i) number_[order_[i]] = i + 1;
    }

    void print() {
        int dof = 0;
        std::size_t objects = 0;
        for (const Entity root : order_) {
            dof += dof_of(root);
            objects += world_.super_object(root).members.size();
        }
        if (!world_.title().empty()) std::printf("%s\n", world_.title().c_str());
        std::printf("%zu objects in %zu super-objects with %d degrees of freedom\n\n", objects, order_.size(), dof);
        print_branches();
        for (const auto& [a, b] : world_.excluded_pairs())
            std::printf("\nsuper-objects %zu and %zu cannot touch each other: their joint says so", number_[a],
                        number_[b]);
        std::printf("\n");
    }

private:
    int dof_of(Entity root) {
        if (root == order_.front()) return 0;
        const Entity joint = world_.super_object(root).joint;
        return joint == entt::null ? 6 : degrees_of_freedom(registry_.get<tactus::Joint>(joint).type);
    }

    std::string carried_by(Entity root) {
        const tactus::SuperObject& so = world_.super_object(root);
        if (so.parent == entt::null) return "the world";
        if (so.joint == entt::null) return "free";
        return std::string{tactus::schema::type_name(registry_.get<tactus::Joint>(so.joint).type)} + " '" +
               world_.name(so.joint) + "' on '" + world_.name(so.anchor) + "'";
    }

    // Depth first. Not by recursion: a chain may be deeper than the call stack allows.
    void print_branches() {
        struct Branch {
            Entity root;
            std::size_t depth;
            bool last;  // among its siblings
        };
        std::vector<std::string> lines{""};  // for each depth what stands before all that hangs there
        std::vector<Branch> stack{{order_.front(), 0, true}};
        while (!stack.empty()) {
            const auto [root, depth, last] = stack.back();
            stack.pop_back();
            std::string first;
            if (depth > deepest_drawn) {
                first = lines.back() + "[depth " + std::to_string(depth) + "] ";
            } else if (depth > 0) {
                lines.resize(depth);
                first = lines.back() + (last ? "└─ " : "├─ ");
                lines.push_back(lines.back() + (last ? "   " : "│  "));
            }
            const std::vector<Entity>& children = world_.super_object(root).children;
            print_super_object(root, first, lines.back() + (children.empty() ? "   " : "│  "));
            for (std::size_t i = children.size(); i-- > 0;)
                stack.push_back({children[i], depth + 1, i + 1 == children.size()});
        }
    }

    void print_super_object(Entity root, const std::string& first, const std::string& inner) {
        const tactus::SuperObject& so = world_.super_object(root);
        std::printf("%s%zu  %s", first.c_str(), number_[root], carried_by(root).c_str());
        if (const auto* mass = world_.mass_of(root)) std::printf("  %.6g kg", mass->mass);
        std::printf("\n");
        const Roles roles{so};
        for (const Entity member : so.members)
            std::printf("%s%s%s\n", inner.c_str(), world_.name(member).c_str(), roles_of(member, roles).c_str());
        for (const Entity joint : so.cut_joints)
            std::printf("%sloop closed by '%s'\n", inner.c_str(), world_.name(joint).c_str());
    }

    struct Roles {  // the lists of a super-object, to be looked up
        std::unordered_set<Entity> mass, collision, visual;
        explicit Roles(const tactus::SuperObject& so)
            : mass(so.mass.begin(), so.mass.end()), collision(so.collision.begin(), so.collision.end()),
              visual(so.visual.begin(), so.visual.end()) {}
    };

    std::string roles_of(Entity member, const Roles& roles) const {
        std::string text;
        const auto add = [&text](bool on, const char* word) {
            if (on) text += (text.empty() ? "  (" : ", ") + std::string{word};
        };
        add(roles.mass.contains(member), "mass");
        add(roles.collision.contains(member), "collidable");
        add(roles.visual.contains(member), "visual");
        add(registry_.all_of<tactus::Lockable>(member), "lockable");
        add(registry_.all_of<tactus::AssemblyRoot>(member), "assembly root");
        return text.empty() ? text : text + ")";
    }

    tactus::World& world_;
    entt::registry& registry_;
    std::vector<Entity> order_;
    std::map<Entity, std::size_t> number_;
};

}  // namespace

int tree(const std::filesystem::path& scene) {
    tactus::World world;
    if (!load(scene, world)) return wrong_input;
    Printer{world}.print();
    return success;
}

}  // namespace cli
