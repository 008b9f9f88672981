// Island: contacts, their zero crossings, and Newton's systems that know them.
#include <tactus/components/object3d.hpp>
#include <tactus/components/scene.hpp>
#include <tactus/systems/forces/force_slopes.hpp>
#include <tactus/systems/integration/island.hpp>
#include <tactus/systems/integration/tolerances.hpp>
#include <tactus/systems/structure/structure.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace tactus::systems {

namespace {

constexpr double longest_first_step =
    1e-4;                            // [s] that is proposed: a solver knows better what it can do in longer ones
constexpr double no_contact = -1.0;  // [m] z_p while there are none: any negative number

bool before(const Contact& p, const Contact& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; }

}  // namespace

void Island::find_excluded(Entity world) {
    excluded_.clear();
    for (const auto& [first, second] : excluded_pairs(registry_, super_object_order(registry_, world))) {
        const int a = first == world ? 0 : tree_.index_of(first), b = second == world ? 0 : tree_.index_of(second);
        if (a >= 0 && b >= 0) excluded_.emplace_back(std::min(a, b), std::max(a, b));
    }
    std::sort(excluded_.begin(), excluded_.end());
}

void Island::reset_watch() {
    const auto possible = [this](IndexPair pair) {
        return contact_pairs_.rules(pair.a, pair.b).response != ContactResponse::None;
    };
    watch_.reset(collidables_, excluded_, possible, distance_options_);
    placed_.resize(collidables_.size());
    place(collidables_, motion_, true, contact_.workers, placed_);  // what does not move stays there
}

void Island::build_contacts(Entity world) {
    contact_crossings_ = 0;
    collidables_.clear();
    const auto& scene = registry_.get<Scene>(world);
    if (!contact_.detection) return;
    collidables_ = build_collidables(registry_, world, tree_);
    const bool any_moves =
        std::any_of(collidables_.begin(), collidables_.end(), [](const Collidable& c) { return c.link != 0; });
    if (!any_moves || collidables_.size() < 2) {
        collidables_.clear();
        return;
    }
    contact_pairs_ = ContactPairs{registry_,
                                  collidables_,
                                  contact_.palettes,
                                  contact_.laws,
                                  scene.elastic_contact_reduction_factor,
                                  scene.maximum_contact_damping};
    distance_options_.max_iterations = scene.mpr_iter_max;
    find_excluded(world);
    reset_watch();
    between_.resize(tree_);
    contact_crossings_ = 2;
}

// The collidables, and if possible what is known about their distances, go over to a new tree. False if others have come or
// gone.
bool Island::regroup_contacts(Entity world, std::span<const Entity> former) {
    if (contact_crossings_ == 0) return false;
    std::vector<int> link_now(former.size());
    for (std::size_t i = 0; i < former.size(); ++i) link_now[i] = tree_.index_of(former[i]);
    std::vector<std::uint8_t> concerned(tree_.size(), 0);  // links that have won or lost collidables
    std::vector<std::uint8_t> changed_root(collidables_.size(), 0);
    for (std::size_t i = 0; i < collidables_.size(); ++i) {
        Collidable& c = collidables_[i];
        const auto& member = registry_.get<MemberOf>(c.object);
        if (member.root == entt::null) return false;
        const int before = link_now[c.link];
        int now = before;
        if (member.root != former[c.link]) {
            now = tree_.index_of(member.root);
            if (now < 0) return false;
            changed_root[i] = concerned[static_cast<std::size_t>(now)] = 1;
            if (before >= 0) concerned[static_cast<std::size_t>(before)] = 1;
            c.X_BM = Frame{member.X_RB};
            c.orbit = (c.X_BM.p + c.X_BM.R * c.shape.centroid).norm();
        }
        c.link = static_cast<std::uint32_t>(now);
        const Link& link = tree_.links[c.link];
        c.jointed = now > 0 && (link.kind != JointKind::free || link.parent != 0);
    }
    // Joints exclude pairs of links: if one of the two is concerned, pairs of both may have begun or ceased to be possible.
    std::vector<std::uint8_t> search = concerned;
    const auto exclude = [&](int a, int b) {
        if (a < 0 || b < 0) return;
        const auto i = static_cast<std::size_t>(a), k = static_cast<std::size_t>(b);
        if (concerned[i] || concerned[k]) search[i] = search[k] = 2;
    };
    for (const auto& [a, b] : excluded_) exclude(link_now[a], link_now[b]);
    find_excluded(world);
    for (const auto& [a, b] : excluded_) exclude(static_cast<int>(a), static_cast<int>(b));
    std::vector<std::uint32_t> changed;
    for (std::uint32_t i = 0; i < collidables_.size(); ++i)
        if (changed_root[i] || search[collidables_[i].link] == 2) changed.push_back(i);
    between_.resize(tree_);
    contacts_go_on_ = watch_.regroup(collidables_, excluded_, changed);
    if (!contacts_go_on_) reset_watch();
    return true;
}

// ---- zero crossings ----

void Island::begin_step(bool jumped) {
    if (contact_crossings_ == 0) return;
    const bool seen = placed_time_ == reached_;
    if (jumped || !seen) {
        // At a start the motion is known, and x is good: see start().
        const bool at_start = jumped || std::isnan(placed_time_);
        if (!(at_start && time_ == reached_ && known_ >= Known::motion)) {
            known_ = Known::nothing;
            const auto [q, v] = joint_values(reached_, jumped ? x_ : good_, all_);
            compute_motion(tree_, q, v, motion_);
        }
        place(collidables_, motion_, false, contact_.workers, placed_);
        placed_time_ = reached_;
    }
    if (!jumped && seen) drop_points_that_left(contacts_);
    between_time_ = std::nan("");
    for (StateBetween& state : states_between_) state.time = between_time_;
    watch_.begin(reached_, collidables_, placed_, jumped, contact_.workers);
}

// The state at an instant within the present step. Pairs ask for the same ones, halving the step again and again.
std::span<const double> Island::state_between(double instant) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(instant) * 0x9E3779B97F4A7C15u;  // mixes what differs
    StateBetween& state = states_between_[(bits >> 32) % states_between_.size()];
    if (state.time != instant) integrator_->state_within_step(instant, state.x);
    state.time = instant;
    return state.x;
}

// At the motion that was computed last: z_p, z_d (seed 000, eq. 6.4), with hysteresis.
void Island::contact_gaps(double t, std::span<double> g) {
    clock_.measure(Stage::kinematics, [&] { place(collidables_, motion_, false, contact_.workers, placed_); });
    placed_time_ = t;
    clock_.measure(Stage::narrow_phase,
                   [&] { touch_contacts(contacts_, collidables_, motion_, distance_options_, contact_.workers); });
    clock_.measure(Stage::response, [&] { respond(contacts_, contact_.workers); });
    double largest = contacts_.empty() ? no_contact : -std::numeric_limits<double>::infinity();
    for (const Contact& c : contacts_) largest = std::max(largest, c.touch.distance - watch_.hysteresis());
    const auto between = [this](double instant, IndexPair pair, Placed& a, Placed& b) {
        const std::span<const double> x = state_between(instant);
        const bool other = between_time_ != instant;
        between_time_ = instant;
        if (other || tree_.flat) {
            const auto [q, v] = joint_values(instant, x, all_between_);
            if (tree_.flat) {  // only the two that are asked for
                for (const std::uint32_t link : {collidables_[pair.a].link, collidables_[pair.b].link})
                    if (link != 0) compute_link(tree_, q, v, link, between_);
            } else {
                compute_motion(tree_, q, v, between_);
            }
        }
        a = place(collidables_[pair.a], between_.links[collidables_[pair.a].link]);
        b = place(collidables_[pair.b], between_.links[collidables_[pair.b].link]);
    };
    g[0] = largest;
    g[1] = std::min(watch_.least_gap(t, collidables_, placed_, between, contact_.workers, clock_),
                    least_point_gap(contacts_));
}

void Island::note_forces() {
    if (contacts_.empty()) return;
    for (Contact& c : contacts_) c.largest_force = std::max(c.largest_force, c.force.normal_force);
}

// ---- the set of contacts ----

std::span<const Contact> Island::contacts() {
    if (!contacts_.empty()) know(Known::touch);
    return contacts_;
}

void Island::export_contacts(std::vector<GoingContact>& going) const {
    for (const Contact& c : contacts_) going.push_back({collidables_[c.a].object, collidables_[c.b].object, c});
}

Contact Island::new_contact(IndexPair pair) const {
    const std::string a = name(collidables_[pair.a].object), b = name(collidables_[pair.b].object);
    if (const std::string& defect = contact_pairs_.rules(pair.a, pair.b).defect; !defect.empty())
        throw SimulationError{time_, "'" + a + "' and '" + b + "' touch, but " + defect, {a, b}};
    return begin_contact(collidables_, contact_pairs_, pair.a, pair.b, motion_, distance_options_, time_);
}

// Contacts of before that go on keep what was decided when they started; the others have ended.
void Island::keep_contacts(std::vector<Event>& events, std::span<const GoingContact> going) {
    const auto index = [&](Entity object, std::uint32_t before) {
        if (before < collidables_.size() && collidables_[before].object == object)
            return static_cast<std::ptrdiff_t>(before);
        const auto is_it = [&](const Collidable& c) { return c.object == object; };
        return std::find_if(collidables_.begin(), collidables_.end(), is_it) - collidables_.begin();
    };
    const auto count = static_cast<std::ptrdiff_t>(collidables_.size());
    for (const GoingContact& old : going) {
        if (!registry_.valid(old.object1) || !registry_.valid(old.object2)) continue;
        const std::ptrdiff_t a = index(old.object1, old.contact.a), b = index(old.object2, old.contact.b);
        bool goes_on = a < count && b < count;
        if (goes_on) {
            const IndexPair pair{static_cast<std::uint32_t>(std::min(a, b)),
                                 static_cast<std::uint32_t>(std::max(a, b))};
            const ContactRules& rules = contact_pairs_.rules(pair.a, pair.b);
            const auto links = std::minmax(collidables_[pair.a].link, collidables_[pair.b].link);
            goes_on = rules.response != ContactResponse::None && rules.defect.empty() && links.first != links.second &&
                      !std::binary_search(excluded_.begin(), excluded_.end(), std::pair{links.first, links.second});
            if (goes_on) {
                Contact contact = new_contact(pair);
                goes_on = contact.touch.distance < watch_.hysteresis();
                contact.start = old.contact.start;
                contact.damping = old.contact.damping;
                contact.start_time = old.contact.start_time;
                contact.start_point = old.contact.start_point;
                contact.start_normal = old.contact.start_normal;
                contact.largest_force = old.contact.largest_force;
                if (a < b) contact.acting = old.contact.acting;  // else their features have other names
                if (goes_on) {
                    watch_.set_contact(pair, true);
                    contacts_.insert(std::lower_bound(contacts_.begin(), contacts_.end(), contact, before), contact);
                    continue;
                }
            }
        }
        Event event{.time = time_, .kind = EventKind::contact, .element = old.object1, .direction = -1};
        event.name = name(old.object1) + ", " + name(old.object2);
        event.contact = {.start = false,
                         .time = time_,
                         .object1 = old.object1,
                         .object2 = old.object2,
                         .point = old.contact.start_point,
                         .normal = old.contact.start_normal,
                         .impact_speed = old.contact.start.impact_speed,
                         .largest_force = old.contact.largest_force,
                         .duration = time_ - old.contact.start_time};
        events.push_back(event);
    }
}

void Island::tell(std::vector<Event>& events) {
    events.insert(events.end(), untold_.begin(), untold_.end());
    untold_.clear();
}

Event Island::contact_event(const Contact& c, bool start) const {
    Event event{.time = time_, .kind = EventKind::contact, .direction = start ? 1 : -1};
    event.contact = {.start = start,
                     .time = time_,
                     .object1 = collidables_[c.a].object,
                     .object2 = collidables_[c.b].object,
                     .point = start ? c.start_point : c.point,
                     .normal = start ? c.start_normal : c.touch.normal,
                     .impact_speed = c.start.impact_speed,
                     .largest_force = c.largest_force,
                     .duration = time_ - c.start_time,
                     .alarm = contact_pairs_.rules(c.a, c.b).alarm};
    event.name = name(event.contact.object1) + ", " + name(event.contact.object2);
    event.element = event.contact.object1;
    return event;
}

// At the current instant: contacts that end, and those that start, as a whole or with another point. True if there are
// any.
bool Island::change_contacts(std::vector<Event>& events, std::span<const GoingContact> going) {
    if (contact_crossings_ == 0) return false;
    know(Known::motion);
    keep_contacts(events, going);
    std::array<double, 2> gaps{};
    contact_gaps(time_, gaps);
    bool changed = false;
    std::vector<Contact> ended;
    for (std::size_t i = 0; i < contacts_.size();) {
        if (contacts_[i].touch.distance < watch_.hysteresis()) {
            ++i;
            continue;
        }
        ended.push_back(contacts_[i]);
        events.push_back(contact_event(contacts_[i], false));
        watch_.set_contact({contacts_[i].a, contacts_[i].b}, false);
        contacts_.erase(contacts_.begin() + static_cast<std::ptrdiff_t>(i));
        changed = true;
    }
    double duration = std::numeric_limits<double>::infinity();
    for (Contact& c : contacts_) duration = std::min(duration, start_points(c, collidables_, tree_));
    changed |= std::isfinite(duration);
    const std::vector<IndexPair> touching{watch_.touching().begin(), watch_.touching().end()};
    for (const IndexPair pair : touching) {
        Contact contact = new_contact(pair);
        duration = std::min(duration, contact_duration(contact, contact.start.impact_speed, collidables_, tree_));
        start_points(contact, collidables_, tree_);
        events.push_back(contact_event(contact, true));
        watch_.set_contact(pair, true);
        contacts_.insert(std::lower_bound(contacts_.begin(), contacts_.end(), contact, before), contact);
        changed = true;
    }
    if (changed) pattern_known_ = false;
    known_ = std::min(known_, Known::motion);
    // The solver would choose its first step by what it sees at the start, where there is no force yet: far too long. The
    // force grows as time^1.5, and a step of this size makes an error of the tolerance.
    double step = 0.5 * duration * std::pow(step_tolerance_, 0.4);
    for (const Contact& c : ended)
        if (const double after = step_after(c); after < longest_first_step) step = std::min(step, after);
    if (std::isfinite(step)) proposed_step_ = step;
    return changed;
}

// [s] A first step that takes two solids apart which have just left each other. In a solver's first step places change with
// the speed at its end: if they are pulled together again by then, they seem to touch at once, and so on without end.
double Island::step_after(const Contact& c) {
    constexpr double part = 0.1;
    const std::uint32_t a = collidables_[c.a].link, b = collidables_[c.b].link;
    const auto rates = accelerations();
    const auto at = [&](std::uint32_t link, const Vec3& arm) {  // [m/s^2] of the contact point as part of a link
        const Vec3& w = motion_.links[link].velocity.w;
        return Vec3{rates[link].v + rates[link].w.cross(arm) + w.cross(w.cross(arm))};
    };
    const double parting = c.motion.velocity.dot(c.motion.normal);
    const double closing = -c.motion.normal.dot(at(b, c.arm_b) - at(a, c.arm_a));
    if (!(closing > 0.0)) return std::numeric_limits<double>::infinity();
    return std::max(part * parting / closing, std::sqrt(watch_.hysteresis() / closing));
}

// How far each link gives way where it touches, under its own weight or in an impact that is as slow as matters.
std::vector<LinkTouch> Island::touches() const {
    std::vector<LinkTouch> touches(contact_crossings_ > 0 ? tree_.size() : 0);
    constexpr double slow = 0.01;  // [m/s]
    const auto* uniform = std::get_if<UniformGravity>(&forces_.gravity);
    const double g = uniform && uniform->acceleration.norm() > 0.0 ? uniform->acceleration.norm() : 9.81;
    for (std::size_t i = 0; i < collidables_.size(); ++i) {
        const Collidable& c = collidables_[i];
        LinkTouch& touch = touches[c.link];
        touch.arm = std::max(touch.arm, c.leverage + (c.X_BM.p + c.X_BM.R * c.shape.centroid).norm());
        const double stiffness = contact_pairs_.greatest_stiffness(i);
        const double mass = tree_.links[c.link].mass;
        if (!(mass > 0.0) || !(stiffness > 0.0)) continue;
        const double at_rest = std::cbrt(std::pow(mass * g / stiffness, 2));
        const double slowly = std::pow(1.25 * mass * slow * slow / stiffness, 0.4);
        touch.depth = std::min(touch.depth, std::max(at_rest, slowly));
    }
    return touches;
}

// ---- Newton's systems ----

void Island::find_couplings(const ForceInstant& at) {
    couplings_.clear();
    speed_couplings_.clear();
    contact_slopes(contacts_, collidables_, couplings_);
    force_slopes(forces_, at, couplings_, speed_couplings_);
}

bool Island::prepare_newton(double t, std::span<const double> x, double gamma, bool refresh) {
    if (refresh || !pattern_known_) {
        const ForceInstant at = evaluate(t, x, true);
        clock_.measure(Stage::jacobian, [&] {
            find_couplings(at);
            if (!pattern_known_) newton_.set_pattern(tree_, couplings_, speed_couplings_);
            pattern_known_ = true;
            newton_.linearise(tree_, motion_, at.q, couplings_, speed_couplings_, drive_couplings_);
        });
    }
    bool regular = true;
    clock_.measure(Stage::factorisation, [&] { regular = newton_.factor(gamma); });
    return regular;
}

void Island::solve_newton(std::span<double> r) {
    const std::size_t e = nq() + nv() + forces_.servos.size();
    newton_.solve(tree_, couplings_, r.first(nq()), r.subspan(nq(), nv()), r.size() > e ? &r[e] : nullptr,
                  drives_of(r));
}

}  // namespace tactus::systems
