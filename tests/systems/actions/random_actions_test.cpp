// Thousands of random actions on random assemblies: what must continue does, what must be kept is kept, the structure is
// that of a build from scratch, and what is not allowed changes nothing.
#include "tests/support/moving.hpp"
#include "tests/support/random.hpp"
#include "tests/support/structure_text.hpp"

#include <tactus/systems/structure/structure.hpp>
#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace tactus;
using namespace tactus::test;

namespace {

// Assemblies of one to three parts, some of them with an arm of joints whose hand is an assembly as well; posts in the
// world. The model below knows by itself what is allowed.
struct Playground {
    World world;
    Random random;
    struct Assembly {
        std::string name;
        std::vector<std::string> locks;
        int arm = -1;   // of the hand: the assembly that carries it; of a base: none
        int hand = -1;  // of a base that has an arm
        // as it is now
        bool free = true, deleted = false, broken = false;
        int on = -1;  // assembly that it is attached to; -2: a post
    };
    std::vector<Assembly> all;
    std::vector<std::string> posts;
    std::vector<Entity> objects;

    explicit Playground(std::uint64_t seed) : random{seed} {
        world.scene({.gravity = NoGravity{}, .contact_detection = false});
        for (int i = 0; i < 3; ++i) {
            posts.push_back("post" + std::to_string(i));
            world.add({.name = posts.back(),
                       .translation = random.vector(3),
                       .rotation = random.orientation(),
                       .lockable = true});
        }
        for (int i = 0; i < 8; ++i) {
            add_assembly("body" + std::to_string(i), true);
            if (i % 3 == 0) add_arm();
        }
        for (const Entity e : world.elements())
            if (world.registry().all_of<Object3D>(e) && e != world.root()) objects.push_back(e);
    }

    MassProperties mass() {
        const Mat3 R = random.rotation();
        const Vec3 moments{random.uniform(0.2, 0.3), random.uniform(0.2, 0.3), random.uniform(0.2, 0.3)};
        const Mat3 I = R * moments.asDiagonal() * R.transpose();
        return {random.uniform(0.5, 2), random.vector(0.2), 0.5 * (I + I.transpose())};
    }
    void add_assembly(const std::string& name, bool free) {
        Assembly assembly{name, {name + ".lock"}};
        world.add({.name = name,
                   .parent = free ? ParentRef{"world"} : ParentRef::none(),
                   .free = free,
                   .translation = free ? random.vector(3) : Vec3::Zero(),
                   .rotation = free ? Rotation{random.orientation()} : Rotation{},
                   .velocity = free ? random.vector(1) : Vec3::Zero(),
                   .angular_velocity = free ? random.vector(1) : Vec3::Zero(),
                   .assembly_root = true,
                   .mass_properties = mass()});
        world.add({.name = name + ".lock",
                   .parent = name,
                   .translation = random.vector(0.3),
                   .rotation = random.orientation(),
                   .lockable = true});
        for (int k = random.number(3); k > 0; --k) {
            assembly.locks.push_back(name + ".part" + std::to_string(k));
            world.add({.name = assembly.locks.back(),
                       .parent = k % 2 == 0 ? name : name + ".lock",
                       .translation = random.vector(0.5),
                       .rotation = random.orientation(),
                       .lockable = true,
                       .mass_properties = mass()});
        }
        assembly.free = free;
        all.push_back(assembly);
    }
    void add_arm() {
        const int base = static_cast<int>(all.size()) - 1;
        const std::string name = all.back().name;
        const int joints = 1 + random.number(4);
        std::string on = name;
        for (int i = 1; i <= joints; ++i) {
            const bool last = i == joints;
            const std::string link = last ? name + "_hand" : name + "_link" + std::to_string(i);
            world.add({.name = on + ".end",
                       .parent = on,
                       .translation = random.vector(0.5),
                       .rotation = random.orientation()});
            if (last)
                add_assembly(link, false);
            else
                world.add({.name = link, .parent = ParentRef::none(), .mass_properties = mass()});
            const bool backwards = random.number(2) == 1;
            const std::string other = on + ".end";
            world.add_joint({.name = link + ".joint",
                             .object1 = backwards ? link : other,
                             .object2 = backwards ? other : link,
                             .type = Revolute{.axis = Axis{random.direction()},
                                              .phi = random.uniform(-1, 1),
                                              .w = random.uniform(-1, 1)}});
            on = link;
        }
        all.back().arm = base;
        all.back().free = false;
        all[static_cast<std::size_t>(base)].hand = static_cast<int>(all.size()) - 1;
    }

    // ---- the model ----
    Assembly& at(int i) { return all[static_cast<std::size_t>(i)]; }
    // What an assembly hangs on: another one, or -1 for the world.
    int carrier(int i) {
        const Assembly& a = at(i);
        if (a.on >= 0) return a.on;
        if (a.free || a.on == -2) return -1;
        return a.arm >= 0 ? a.arm : a.hand;  // by joints
    }
    bool jointed(int i) { return !at(i).free && at(i).on == -1; }
    bool hangs_on(int i, int j) {  // i on j, directly or not
        for (; i >= 0; i = carrier(i))
            if (i == j) return true;
        return false;
    }
    std::vector<int> attached_to(int i) {  // also through joints below it
        std::vector<int> found;
        for (int k = 0; k < static_cast<int>(all.size()); ++k)
            if (k != i && !at(k).deleted && hangs_on(k, i)) found.push_back(k);
        return found;
    }
    bool anchored(int i) {  // to the world
        for (int k = i; k >= 0; k = carrier(k))
            if (at(k).on == -2) return true;
        return false;
    }

    std::string lock_of(int i) {
        return at(i).locks[static_cast<std::size_t>(random.number(static_cast<int>(at(i).locks.size())))];
    }
    // A lock to attach to: of an assembly (its number), or of a post (-2).
    std::pair<int, std::string> target() {
        if (random.number(5) == 0)
            return {-2, posts[static_cast<std::size_t>(random.number(static_cast<int>(posts.size())))]};
        const int i = random.number(static_cast<int>(all.size()));
        return {i, lock_of(i)};
    }
    bool may_take(int to, int moved) { return to == -2 || (to != moved && !at(to).deleted && !hangs_on(to, moved)); }

    // ---- looking at the World ----
    struct Look {
        std::map<Entity, std::pair<Pose, Twist>> motion;
        double mass = 0.0;
        Momentum momentum;
        std::string structure, states;
    };
    Look look() {
        Look now;
        for (const Entity e : objects)
            if (!world.registry().all_of<Absent>(e)) now.motion[e] = {world.pose(e), world.velocity(e)};
        now.momentum = world.momentum();
        now.structure = structure_text(world);
        for (const StateValue& state : world.states()) {
            now.states += state.name;
            for (const double x : state.values) now.states += " " + std::to_string(x);
        }
        return now;
    }
    // Makes an assembly that is free (or a whole that hangs on one) move as if it were part of what a lock belongs to.
    void follow(int i, const std::string& lock) { move_with(world, world.at(at(i).name), world.at(lock)); }
};

double difference(const Pose& a, const Pose& b) {
    return std::max((a.p - b.p).norm() / (1.0 + a.p.norm()), (a.R() - b.R()).norm());
}
double difference(const Twist& a, const Twist& b) {
    return std::max((a.v - b.v).norm(), (a.w - b.w).norm()) / (1.0 + a.v.norm() + a.w.norm());
}

struct Counts {
    int legal = 0, illegal = 0, attached = 0, moved = 0, released = 0, broken = 0, flipped = 0, deleted = 0, gentle = 0;
};

// One random action, and what must hold after it. `still`: no velocity may have changed.
void play(Playground& p, Counts& counts) {
    World& world = p.world;
    Random& random = p.random;
    const int i = random.number(static_cast<int>(p.all.size()));
    auto& a = p.at(i);
    const std::string lock = p.lock_of(i);
    const auto [to, to_lock] = p.target();
    const bool gentle = random.number(2) == 0;
    AttachConditions conditions{.gap = 1e3, .merge = gentle ? Merge::Still : Merge::Plastic};

    enum Kind {
        attach,
        move,
        release,
        flip,
        remove
    } kind = static_cast<Kind>(random.number(20) == 0 ? remove : random.number(4));
    bool legal = !a.deleted, still = true, keeps_mass = true, keeps_momentum = true;
    std::function<void()> act, note;
    double kinetic = 0.0;  // [J] before
    if (kind == attach || kind == move) {
        legal = legal && !p.jointed(i) && p.may_take(to, i) && (kind == attach || !a.free);
        if (legal && gentle && a.free) {
            p.follow(i, to_lock);
            ++counts.gentle;
            conditions.velocity = conditions.angular_velocity = 1e-9;
        } else {
            conditions.merge = Merge::Plastic;
            still = false;
        }
        // Momentum goes to the world if what takes it is fixed there, or comes from it if it was.
        keeps_momentum = !(to == -2 || (to >= 0 && p.anchored(to)) || p.anchored(i));
        act = [&, kind] {
            const ActionReport report = kind == attach ? world.attach(lock, to_lock, conditions)
                                                       : world.release_and_attach(lock, to_lock, conditions);
            CHECK(report.energy_lost > -1e-12 * (1.0 + kinetic));
        };
        note = [&] {
            a.free = false;
            a.on = to;
            (kind == attach ? counts.attached : counts.moved)++;
        };
    } else if (kind == release) {
        // A base that hangs on its own arm, held at the hand, breaks the joint that holds it, too.
        legal = legal && !a.free;
        const bool breaks = legal && p.jointed(i);
        act = [&] { world.release(lock); };
        note = [&, breaks] {
            if (breaks) {  // the arm's links stay with the other end, or with this one: no flips any more
                const int other = a.arm >= 0 ? a.arm : a.hand;
                p.at(other).hand = p.at(other).arm = a.hand = a.arm = -1;
                p.at(other).broken = a.broken = true;
                ++counts.broken;
            }
            a.free = true;
            a.on = -1;
            ++counts.released;
        };
    } else if (kind == flip) {
        const int other = a.hand >= 0 ? a.hand : a.arm;  // end of the chain that is held
        const std::string other_lock = other >= 0 ? p.lock_of(other) : p.posts.front();
        // i is the end that takes hold, `other` the one that is let go
        legal = legal && other >= 0 && p.jointed(i) && p.carrier(i) == other && p.may_take(to, other);
        if (other < 0) legal = false;
        still = false;
        conditions.merge = Merge::Plastic;
        keeps_momentum = legal && !(to == -2 || (to >= 0 && p.anchored(to)) || p.anchored(other));
        act = [&, other_lock] { world.flip_chain(lock, to_lock, other_lock, conditions); };
        note = [&, other] {
            a.on = to;
            p.at(other).on = -1;
            p.at(other).free = false;
            ++counts.flipped;
        };
    } else {
        const bool jointed = p.jointed(i);
        std::vector<int> goes = legal ? p.attached_to(i) : std::vector<int>{};
        for (const int k : goes) legal = legal && (p.at(k).arm >= 0 || p.at(k).hand >= 0) && p.jointed(k);
        keeps_mass = keeps_momentum = false;
        act = [&] { world.delete_assembly(lock); };
        note = [&, goes, jointed] {
            a.deleted = true;
            for (const int k : goes) p.at(k).deleted = true;
            if (jointed) {
                const int other = a.arm >= 0 ? a.arm : a.hand;
                p.at(other).hand = p.at(other).arm = -1;
            }
            ++counts.deleted;
        };
    }

    CAPTURE(lock);
    CAPTURE(to_lock);
    CAPTURE(static_cast<int>(kind));
    const Playground::Look before = p.look();
    kinetic = world.energies().kinetic;
    if (!legal) {
        ++counts.illegal;
        CHECK_THROWS_AS(act(), InputError);
        const Playground::Look after = p.look();
        CHECK(after.structure == before.structure);
        CHECK(after.states == before.states);
        return;
    }
    ++counts.legal;
    REQUIRE_NOTHROW(act());
    note();
    const Playground::Look after = p.look();
    double moved = 0.0, pushed = 0.0;
    for (const auto& [e, now] : after.motion) {
        moved = std::max(moved, difference(now.first, before.motion.at(e).first));
        pushed = std::max(pushed, difference(now.second, before.motion.at(e).second));
    }
    CHECK(moved < 1e-12);
    if (still) CHECK(pushed < 1e-11);
    if (keeps_mass && keeps_momentum) {
        const double scale = 1.0 + before.momentum.linear_W.norm() + before.momentum.angular_W.norm();
        CHECK((after.momentum.linear_W - before.momentum.linear_W).norm() < 1e-12 * scale);
        CHECK((after.momentum.angular_W - before.momentum.angular_W).norm() < 1e-12 * scale);
    }
    systems::build_structure(world.registry(), world.root());
    CHECK(structure_text(world) == after.structure);
}

}  // namespace

TEST_CASE(
    "ten thousand random actions: motion continues, momentum is kept, the structure is right, the illegal is refused") {
    Counts counts;
    for (std::uint64_t seed = 1; counts.legal < 10000; ++seed) {
        INFO("seed " << seed);
        Playground p{seed};
        const std::string defined = write_document(to_document(p.world, "."));
        const Playground::Look initial = p.look();
        for (int k = 0; k < 400; ++k) {
            CAPTURE(k);
            play(p, counts);
            if (p.random.number(10) == 0) p.world.advance(0.01);
        }
        CHECK(write_document(to_document(p.world, ".")) == defined);
        p.world.reset();
        const Playground::Look again = p.look();
        CHECK(again.structure == initial.structure);
        CHECK(again.states == initial.states);
    }
    MESSAGE("legal " << counts.legal << ", illegal " << counts.illegal << ", attached " << counts.attached << " ("
                     << counts.gentle << " of them while moving along), moved on " << counts.moved << ", released "
                     << counts.released << " (" << counts.broken << " joints broken), flipped " << counts.flipped
                     << ", deleted " << counts.deleted);
    for (const int count : {counts.illegal, counts.attached, counts.moved, counts.released, counts.broken,
                            counts.flipped, counts.deleted, counts.gentle})
        CHECK(count > 50);
}
