// World: what can be asked about the motion at the present instant.
#include <tactus/engine/motion.hpp>
#include <tactus/engine/schema/context.hpp>

#include <cmath>

namespace tactus {

Instant World::Impl::instant(World& world, Entity object) {
    systems::Simulator& now = simulator(world);
    element<MemberOf>(registry, object, "Object3D");
    return Instant{now.island_of(object)};
}

Instant World::Impl::joint_instant(World& world, Entity joint) {
    return Instant{simulator(world).island_of_joint(joint)};
}

Pose World::pose(Entity object) { return impl_->instant(*this, object).pose(object); }
Twist World::velocity(Entity object) { return impl_->instant(*this, object).velocity(object); }
Twist World::acceleration(Entity object) { return impl_->instant(*this, object).acceleration(object); }
JointState World::state(Entity joint) { return impl_->joint_instant(*this, joint).state(joint); }
Wrench World::joint_wrench(Entity joint) { return impl_->joint_instant(*this, joint).joint_wrench(joint); }

void World::set_state(Entity joint, const JointState& state) {
    Impl& w = *impl_;
    systems::Simulator& now = w.simulator(*this);
    const systems::Tree& tree = now.island_of_joint(joint).tree();
    const int index = tree.index_of_joint(joint);
    if (index < 0) throw InputError({"", "", "entity", "", "is no joint, no free object and no rotor that moves"});
    if (tree.links[static_cast<std::size_t>(index)].prescribed)
        throw InputError(
            {"", name(joint), "state", "", "a drive prescribes the motion of this joint: it has no state"});
    const systems::JointKind kind = tree.links[static_cast<std::size_t>(index)].kind;
    const auto finite = [&](std::span<const double> values, const char* field) {
        for (const double x : values)
            if (!std::isfinite(x))
                throw InputError({"", name(joint), field, schema::text_of(x), "must be a finite number"});
    };
    finite(std::span{state.q}.first(static_cast<std::size_t>(systems::coordinates(kind))), "q");
    finite(std::span{state.v}.first(static_cast<std::size_t>(systems::speeds(kind))), "v");
    JointState good = state;
    if (const auto turning = systems::turning(kind)) {
        Eigen::Map<Eigen::Vector4d> q{good.q.data() + turning->q};
        if (!(q.norm() > 1e-100)) throw InputError({"", name(joint), "q", "", "its quaternion must not be zero"});
        q.normalize();
    }
    w.registry.emplace_or_replace<JointState>(joint, good);
    if (!w.outdated) now.island_of_joint(joint).set_state(joint, good);
}

std::vector<StateValue> World::states() {
    systems::Simulator& now = impl_->simulator(*this);
    return impl_->motion->recorder.states(now);
}

Energies World::energies() { return impl_->simulator(*this).energies(); }

Momentum World::momentum() { return impl_->simulator(*this).momentum(); }

std::vector<Touch> World::touches() {
    std::vector<Touch> all;
    for (const auto& island : impl_->simulator(*this).islands())
        for (const systems::Contact& c : island->contacts())
            all.push_back({.object1 = island->collidable(c.a).object,
                           .object2 = island->collidable(c.b).object,
                           .point = c.point,
                           .normal = c.motion.normal,
                           .penetration = c.motion.penetration,
                           .force = c.force.force,
                           .torque = c.force.torque,
                           .start_time = c.start_time,
                           .impact_speed = c.start.impact_speed});
    return all;
}

CollisionCounts World::collision_counts() {
    CollisionCounts sum;
    for (const auto& island : impl_->simulator(*this).islands()) {
        sum.solids += island->collidables();
        sum.pairs += island->watch().candidates();
        sum.contacts += island->contacts().size();
    }
    return sum;
}

const Results& World::results() const { return impl_->motion->results; }

Statistics World::statistics() const {
    const auto& motion = impl_->motion;
    Statistics sum = motion->before;
    if (motion->simulator) {
        sum.integrator += motion->simulator->statistics();
        sum.pairs_tested += motion->simulator->pairs_tested();
        sum.states = motion->simulator->state_count();
    }
    sum.simulated_time = time() - motion->start;
    return sum;
}

const std::vector<Segment>& World::segments() const { return impl_->motion->segments; }

void World::profile(bool on) {
    impl_->clock = {};
    impl_->clock.on = on;
}

const StageClock& World::stage_times() const { return impl_->clock; }

// ---- equations of motion ----

std::vector<std::string> World::speed_names() {
    std::vector<std::string> names;
    for (const auto& island : impl_->simulator(*this).islands()) {
        const std::size_t first = names.size();
        names.resize(first + static_cast<std::size_t>(island->tree().nv));
        for (const systems::Link& link : island->tree().links) {
            if (link.parent < 0) continue;
            for (const systems::StateName& part : systems::state_names(link.kind))
                for (int i = 0; part.is_speed && i < part.count; ++i)
                    names[first + static_cast<std::size_t>(link.v0 + part.first + i)] =
                        systems::state_name(name(link.joint), part, i);
        }
    }
    return names;
}

namespace {

// What `part` gives of each island, one after the other.
template<class Part> Eigen::VectorXd gathered(systems::Simulator& simulator, Part&& part) {
    std::vector<double> all;
    for (const auto& island : simulator.islands()) {
        const std::span<const double> values = part(*island);
        all.insert(all.end(), values.begin(), values.end());
    }
    return Eigen::Map<const Eigen::VectorXd>{all.data(), static_cast<Eigen::Index>(all.size())};
}

std::size_t speed_count(const systems::Simulator& simulator) {
    std::size_t count = 0;
    for (const auto& island : simulator.islands()) count += island->v().size();
    return count;
}

}  // namespace

Eigen::VectorXd World::speeds() {
    return gathered(impl_->simulator(*this), [](systems::Island& island) { return island.v(); });
}

Eigen::VectorXd World::speed_rates() {
    return gathered(impl_->simulator(*this), [](systems::Island& island) { return island.speed_rates(); });
}

Eigen::VectorXd World::inverse_dynamics(const Eigen::VectorXd& rates) {
    systems::Simulator& now = impl_->simulator(*this);
    const std::size_t count = speed_count(now);
    if (static_cast<std::size_t>(rates.size()) != count)
        throw InputError({"", "", "rates", std::to_string(rates.size()) + " numbers",
                          "must be one for each of the " + std::to_string(count) + " speeds"});
    Eigen::VectorXd tau(rates.size());
    std::size_t first = 0;
    for (const auto& island : now.islands()) {
        const std::size_t n = island->v().size();
        island->inverse_dynamics({rates.data() + first, n}, {tau.data() + first, n});
        first += n;
    }
    return tau;
}

Eigen::MatrixXd World::mass_matrix() {
    systems::Simulator& now = impl_->simulator(*this);
    const auto count = static_cast<Eigen::Index>(speed_count(now));
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(count, count);
    Eigen::Index first = 0;
    for (const auto& island : now.islands()) {
        const auto n = static_cast<Eigen::Index>(island->v().size());
        island->mass_matrix(M.block(first, first, n, n));
        first += n;
    }
    return M;
}

}  // namespace tactus
