// World: a whole document in, a whole document out.
#include <tactus/engine/scene/scene_file.hpp>
#include <tactus/engine/shapes/triangle_mesh.hpp>
#include <tactus/engine/world_impl.hpp>

#include <algorithm>
#include <set>

namespace tactus {

namespace {

// Gathers what is wrong, with the place in the file. What only follows from an element that was refused before is left out.
class Gatherer {
public:
    explicit Gatherer(bool& advise) : advise_{advise} {}
    ~Gatherer() { advise_ = true; }
    Gatherer(const Gatherer&) = delete;
    Gatherer& operator=(const Gatherer&) = delete;

    template<class Set> bool run(const std::string& where, Set set) {
        try {
            set();
            return true;
        } catch (const InputError& error) {
            for (Issue issue : error.issues()) {
                if (refused_.contains(issue.value)) continue;
                if (const auto kind = kinds_.find(issue.value);
                    kind != kinds_.end() && issue.allowed.starts_with("there is no "))
                    issue.allowed = "is " + kind->second + " and cannot stand here";
                issue.where = where + pointer_of(issue.field);
                issues.push_back(std::move(issue));
            }
            advise_ = issues.size() < most_issues;
            return false;
        }
    }

    template<class Def, class Add> void run_all(const std::vector<Def>& list, const std::string& key, Add add) {
        for (std::size_t i = 0; i < list.size(); ++i)
            if (!run("/" + key + "/" + std::to_string(i), [&] { add(list[i]); }))
                if constexpr (requires { list[i].name; }) refuse(list[i].name);
    }

    void refuse(const std::string& name) { refused_.insert(schema::in_quotes(name)); }

    // Elements of the file are known by their kind even before they are added.
    template<class Def> void know(const std::vector<Def>& list, const std::string& kind) {
        for (const Def& def : list) kinds_.emplace(schema::in_quotes(def.name), kind);
    }

    std::vector<Issue> issues;

private:
    bool& advise_;                                           // whether the World looks for names that were meant
    std::set<std::string, std::less<>> refused_;             // in quotes, as messages show them
    std::map<std::string, std::string, std::less<>> kinds_;  // of the elements that are not Object3Ds
};

// Places in the file of the elements that errors of the whole (of its structure) name.
std::unordered_map<std::string_view, std::string> places_of(const SceneDocument& document) {
    std::unordered_map<std::string_view, std::string> places;
    const auto note = [&places](const auto& list, const std::string& key) {
        for (std::size_t i = 0; i < list.size(); ++i) places.emplace(list[i].name, "/" + key + "/" + std::to_string(i));
    };
    note(document.objects, "objects");
    note(document.joints, "joints");
    return places;
}

// Elements may have to be added in another order than their author's; the order of definition is his nevertheless.
void keep_order(entt::registry& registry, const std::vector<Entity>& elements) {
    std::vector<std::uint64_t> serials;
    for (const Entity e : elements) serials.push_back(registry.get<Name>(e).serial);
    std::sort(serials.begin(), serials.end());
    for (std::size_t i = 0; i < elements.size(); ++i) registry.get<Name>(elements[i]).serial = serials[i];
}

}  // namespace

World::Impl::Before World::Impl::before() const {
    return {next_serial, *palettes, actions, uncertainties, simulation, title, description, options.folder};
}

// Takes out every element that has been added since, the Scene among them. In bulk: one by one would be quadratic.
void World::Impl::restore(Before before) {
    const auto is_new = [&](Entity e) { return registry.get<Name>(e).serial >= before.next_serial; };
    for (auto& [name, children] : waiting) std::erase_if(children, is_new);
    std::erase_if(waiting, [](const auto& entry) { return entry.second.empty(); });
    std::erase_if(without_world, is_new);

    std::vector<Entity> childless;
    for (auto [parent, children] : registry.view<Children>().each()) {
        if (is_new(parent)) {  // who was there before it waits again
            for (const Entity child : children.objects) {
                if (is_new(child)) continue;
                Object3D& object = registry.get<Object3D>(child);
                object.parent = entt::null;
                if (object.rule == ParentRule::automatic) {
                    without_world.push_back(child);
                } else {
                    const std::string& name = registry.get<Name>(parent).path;
                    registry.emplace<PendingParent>(child, name);
                    waiting[name].push_back(child);
                }
            }
        } else {
            std::erase_if(children.objects, is_new);
            if (children.objects.empty()) childless.push_back(parent);
        }
    }
    for (const Entity e : childless) registry.erase<Children>(e);
    for (auto [e, used] : registry.view<UsedBy>().each()) std::erase_if(used.elements, is_new);

    std::vector<Entity> added;
    for (const auto [e, name] : registry.view<const Name>().each())
        if (is_new(e)) added.push_back(e);
    for (const Entity e : added) {
        names.erase(registry.get<Name>(e).path);
        registry.destroy(e);
    }

    // Without a Scene there was no structure: whatever has been derived came from the document.
    root = entt::null;
    registry.clear<SuperObject>();
    registry.clear<RootMass>();
    registry.clear<CutJoint>();
    registry.clear<CarriedByJoints>();
    for (auto [e, member] : registry.view<MemberOf>().each()) member = {};
    changes = {};

    for (const auto [e, solid] : registry.view<const Solid>().each()) {
        if (!mass_follows(solid)) continue;
        const double density = *before.palettes.solid(solid.material)->density;
        if (density != palettes->solid(solid.material)->density) write_mass(e, from_density(*solid.shape, density));
    }

    next_serial = before.next_serial;
    *palettes = std::move(before.palettes);
    actions = std::move(before.actions);
    set_action_program();
    uncertainties = std::move(before.uncertainties);
    simulation = before.simulation;
    title = std::move(before.title);
    description = std::move(before.description);
    options.folder = std::move(before.folder);
}

void add_document(World& world, const SceneDocument& document, const std::filesystem::path& folder) {
    if (world.root() != entt::null)
        throw InputError({"", "", "scene", "", "this World has a Scene already: load into an empty one"});
    World::Impl::Before before = world.impl_->before();
    Gatherer gather{world.impl_->advise};
    gather.know(document.joints, "a joint");
    gather.know(document.forces, "a force element");
    gather.know(document.drives, "a drive");
    gather.know(document.paths, "a path");
    gather.know(document.records, "a record");
    gather.run("/scene", [&] { world.scene(document.scene); });
    gather.run("", [&] { world.set_simulation(document.simulation); });
    for (const auto& [name, material] : document.materials.solid)
        if (!gather.run("/materials/solid/" + schema::pointer_step(name), [&] { world.set_material(name, material); }))
            gather.refuse(name);
    for (const auto& [name, material] : document.materials.visual)
        if (!gather.run("/materials/visual/" + schema::pointer_step(name), [&] { world.set_material(name, material); }))
            gather.refuse(name);
    std::set<std::pair<std::string, std::string>> pairs;
    gather.run_all(document.materials.contact_pairs, "materials/contactPairs", [&](const ContactPair& pair) {
        if (!pairs.insert(std::minmax(pair.material1, pair.material2)).second)
            throw InputError({"", pair.material1 + ", " + pair.material2, "", "",
                              "stands twice in the file: the order of the two materials does not matter"});
        world.set_contact_pair(pair);
    });
    world.set_folder(folder);
    gather.run_all(document.objects, "objects", [&](const Object3DDef& object) { world.add(object); });
    gather.run_all(document.joints, "joints", [&](const JointDef& joint) { world.add_joint(joint); });
    gather.run_all(document.forces, "forces", [&](const ForceDef& force) { world.add_force(force); });
    gather.run_all(document.paths, "paths", [&](const PathDef& path) { world.add_path(path); });
    std::vector<Entity> drives(document.drives.size(), Entity{entt::null});
    for (const bool flanges : {true, false})  // drives that are flanges first: others may refer to them in any order
        gather.run_all(document.drives, "drives", [&](const DriveDef& drive) {
            const bool is_flange =
                std::holds_alternative<RotorInertia>(drive.type) || std::holds_alternative<SlidingMass>(drive.type);
            if (is_flange == flanges)
                drives[static_cast<std::size_t>(&drive - document.drives.data())] = world.add_drive(drive);
        });
    if (gather.issues.empty()) keep_order(world.registry(), drives);
    gather.run_all(document.records, "records", [&](const RecordDef& record) { world.add_record(record); });
    gather.run("", [&] { world.set_actions(document.actions); });
    gather.run("", [&] { world.set_uncertainties(document.uncertainties); });
    gather.run("", [&] { world.set_titles(document.title, document.description); });
    if (gather.issues.empty()) {
        try {
            world.update_structure();
        } catch (const InputError& error) {
            const auto places = places_of(document);
            for (Issue issue : error.issues()) {
                const auto place = places.find(issue.object);
                issue.where = (place == places.end() ? "" : place->second) + pointer_of(issue.field);
                gather.issues.push_back(std::move(issue));
            }
        }
    }
    if (gather.issues.empty()) return;
    world.impl_->restore(std::move(before));
    shorten(gather.issues);
    throw InputError(std::move(gather.issues));
}

SceneDocument to_document(const World& world, const std::filesystem::path& folder) {
    SceneDocument document;
    document.schema = "tactus.scene.schema.json";
    document.title = world.title();
    document.description = world.description();
    document.scene = world.scene_of();
    document.materials = {world.materials().own_solids(), world.materials().own_pairs(),
                          world.materials().own_visuals()};
    const entt::registry& registry = world.registry();
    for (const Entity e : world.elements()) {
        if (e == world.root()) continue;
        if (registry.all_of<Object3D>(e)) {
            Object3DDef object = world.object(e);
            object.parent.entity = entt::null;
            if (object.parent.rule == ParentRule::automatic) {  // a file says it, or leaves it to the joints
                if (registry.all_of<CarriedByJoints>(e))
                    object.parent = ParentRef::none();
                else
                    object.parent = ParentRef{document.scene.name};
            }
            if (auto* mesh = object.shape ? std::get_if<Mesh>(&*object.shape) : nullptr; mesh && !mesh->file.empty()) {
                std::error_code error;
                const auto here = std::filesystem::absolute(folder.empty() ? "." : folder, error);
                const auto& file = mesh->data->file;
                if ((here / mesh->file).lexically_normal() != file.lexically_normal())
                    mesh->file = file.lexically_proximate(here.lexically_normal()).generic_string();
            }
            document.objects.push_back(std::move(object));
        } else if (registry.all_of<Joint>(e)) {
            document.joints.push_back(world.joint(e));
        } else if (registry.all_of<ForceElement>(e)) {
            document.forces.push_back(world.force(e));
        } else if (registry.all_of<Drive>(e)) {
            document.drives.push_back(world.drive(e));
        } else if (registry.all_of<ReferencePath>(e)) {
            document.paths.push_back(world.path(e));
        } else if (registry.all_of<Record>(e)) {
            document.records.push_back(world.record(e));
        }
    }
    document.actions = world.actions();
    document.uncertainties = world.uncertainties();
    document.simulation = world.simulation();
    return document;
}

}  // namespace tactus
