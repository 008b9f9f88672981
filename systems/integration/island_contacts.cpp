// Island: contacts and their zero crossings.
#include <tactus/components/object3d.hpp>
#include <tactus/components/scene.hpp>
#include <tactus/systems/integration/island.hpp>
#include <tactus/systems/integration/tolerances.hpp>
#include <tactus/systems/structure/structure.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tactus::systems {

namespace {

constexpr double longest_first_step =
    1e-4;                            // [s] that is proposed: a solver knows better what it can do in longer ones
constexpr double no_contact = -1.0;  // [m] z_p while there are none: any negative number

std::string text(double x) {
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.3g", x);
    return buffer.data();
}

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
    contact_crossings_ = 3;
    forget_gaps();
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
        }
        c.link = static_cast<std::uint32_t>(now);
        c.belong_to(tree_.links[c.link]);
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
    if (gaps_.time != reached_) forget_gaps();  // they say what has been since the last call, too
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

bool Island::gaps_are_known(double t, std::span<const double> x) const {
    return gaps_.time == t && std::equal(x.begin(), x.end(), gaps_.x.begin(), gaps_.x.end());
}

// z_p and z_d (eq. 6.4 of the thesis, with hysteresis) at the motion that was computed last, which is that of (t, x). Where a
// solver starts, it gets the very numbers that the set of contacts was checked with.
void Island::contact_gaps(double t, std::span<const double> x, std::span<double> g) {
    if (!gaps_are_known(t, x)) {
        forget_gaps();  // unless all goes well
        evaluate_gaps(t, x, gaps_.values);
        gaps_.x.assign(x.begin(), x.end());
        gaps_.time = t;
    }
    std::copy(gaps_.values.begin(), gaps_.values.end(), g.begin());
    g[2] = watch_.left_to_prove(t);
}

void Island::evaluate_gaps(double t, std::span<const double> x, std::span<double> g) {
    clock_.measure(Stage::kinematics, [&] { place(collidables_, motion_, false, contact_.workers, placed_); });
    placed_time_ = t;
    clock_.measure(Stage::narrow_phase,
                   [&] { find_gaps(contacts_, collidables_, motion_, distance_options_, contact_.workers); });
    double largest = contacts_.empty() ? no_contact : -std::numeric_limits<double>::infinity();
    for (const Contact& c : contacts_) largest = std::max(largest, c.gap - watch_.hysteresis());
    const auto between = [this](double instant, IndexPair pair, Placed& a, Placed& b) {
        const std::span<const double> there = state_between(instant);
        const bool other = between_time_ != instant;
        between_time_ = instant;
        if (other || tree_.flat) {
            const auto [q, v] = joint_values(instant, there, all_between_);
            if (tree_.flat) {  // only the two that are asked for
                for (const std::uint32_t link : {collidables_[pair.a].link, collidables_[pair.b].link})
                    if (link != 0) compute_link(tree_, q, v, link, between_);
            } else {
                compute_motion(tree_, q, v, between_);
            }
        }
        place(collidables_[pair.a], between_.links[collidables_[pair.a].link], a);
        place(collidables_[pair.b], between_.links[collidables_[pair.b].link], b);
    };
    g[0] = largest;
    const std::int64_t derivatives = derivatives_;
    g[1] = watch_.least_gap(t, collidables_, placed_, between, contact_.workers, clock_);
    for (const Contact& c : contacts_)
        if (c.observed_only)
            g[0] = std::max(g[0],
                            watch_.greatest_gap({c.a, c.b}, t, collidables_, placed_, between) - watch_.hysteresis());
    if (derivatives_ == derivatives) return;
    // Interpolation has evaluated derivatives elsewhere: back to this instant.
    evaluate(t, x, false);
    find_gaps(contacts_, collidables_, motion_, distance_options_, contact_.workers);
}

// At the end of a step. Solvers have mostly evaluated forces there, but not at a crossing.
void Island::note_forces() {
    if (contacts_.empty()) return;
    if (forces_time_ != reached_ || crossing_) {
        evaluate(reached_, good_, false);
        touch_contacts(contacts_, collidables_, motion_, distance_options_, contact_.workers);
        respond(contacts_, contact_.workers);
    }
    for (Contact& c : contacts_) c.largest_force = std::max(c.largest_force, c.force.normal_force);
}

// ---- the set of contacts ----

std::span<const Contact> Island::contacts() {
    if (!contacts_.empty()) know(Known::touch);
    return contacts_;
}

void Island::export_contacts(std::vector<GoingContact>& going) {
    read_grips(x_);
    for (const Contact& c : contacts_) going.push_back({collidables_[c.a].object, collidables_[c.b].object, c});
}

Contact Island::new_contact(IndexPair pair) {
    const std::string a = name(collidables_[pair.a].object), b = name(collidables_[pair.b].object);
    if (const std::string& defect = contact_pairs_.rules(pair.a, pair.b).defect; !defect.empty())
        throw SimulationError{time_, "'" + a + "' and '" + b + "' touch, but " + defect, {a, b}};
    Contact contact = begin_contact(collidables_, contact_pairs_, pair.a, pair.b, motion_, distance_options_, time_);
    if (!contact.observed_only) decide_damping(contact, inverse_mass(contact));
    return contact;
}

// By how much the two part at the contact point, along the normal, when they push each other by 1 N s [1/kg]; pushed_ is
// then the change of all speeds. The mechanism as a whole answers, but not through other contacts.
double Island::respond_to_push(const Contact& c) {
    know(Known::dynamics);
    const std::uint32_t a = collidables_[c.a].link, b = collidables_[c.b].link;
    const Twist before_a = memory_.accelerations[a], before_b = memory_.accelerations[b];
    const Vec3& n = c.motion.normal;
    applied_.wrenches[b] += {c.arm_b.cross(n), n};
    applied_.wrenches[a] += {-c.arm_a.cross(n), -n};
    std::copy(dv_.begin(), dv_.end(), pushed_.begin());
    systems::forward_dynamics(tree_, motion_, applied_.wrenches, applied_.tau, memory_, pushed_);
    for (std::size_t i = 0; i < pushed_.size(); ++i) pushed_[i] -= dv_[i];
    const Twist &after_a = memory_.accelerations[a], &after_b = memory_.accelerations[b];
    const Vec3 part = after_b.v - before_b.v + (after_b.w - before_b.w).cross(c.arm_b) - (after_a.v - before_a.v) -
                      (after_a.w - before_a.w).cross(c.arm_a);
    known_ = Known::motion;  // of accelerations nothing is left
    return std::max(0.0, part.dot(n));
}

double Island::inverse_mass(const Contact& c) {
    double sum = 0.0;
    for (const auto& [collidable, arm] : {std::pair{c.a, c.arm_a}, std::pair{c.b, c.arm_b}}) {
        const std::uint32_t i = collidables_[collidable].link;
        const Link& link = tree_.links[i];
        if (i == 0 || (link.prescribed && link.parent == 0)) continue;
        if (!tree_.flat || link.kind != JointKind::free || !(link.mass > 0.0)) return respond_to_push(c);
        const LinkMotion& B = motion_.links[i];
        const Vec3 lever = (arm - B.com_W).cross(c.motion.normal);
        sum += 1.0 / link.mass;
        if (const double det = B.inertia_W.determinant(); det > 0.0) sum += lever.dot(B.inertia_W.inverse() * lever);
    }
    return sum;
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
                goes_on = contact.gap < 0.5 * watch_.hysteresis();
                contact.start = old.contact.start;
                contact.damping = old.contact.damping;
                contact.start_time = old.contact.start_time;
                contact.start_point = old.contact.start_point;
                contact.start_normal = old.contact.start_normal;
                contact.largest_force = old.contact.largest_force;
                contact.held = old.contact.held;
                if (a > b) contact.held.head<3>() *= -1.0;  // it is now seen from the other one
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

// The set of contacts at the current instant, as a solver that starts here needs it: z_p < 0 < z_d, both by a good part of
// the hysteresis. True if it has changed. See docs/contact.md for what follows from that.
bool Island::change_contacts(std::vector<Event>& events, bool jumped, std::span<const GoingContact> going) {
    if (contact_crossings_ == 0) return false;
    constexpr int most_rounds = 8;  // the second one confirms the first, unless rounding is coarser than it should be
    forget_gaps();
    know(Known::motion);
    if (jumped) kept_energy_ = std::nan("");
    begin_step(jumped);  // only this instant counts: nothing is asked for in between
    watch_.choose_hysteresis(placed_);
    keep_contacts(events, going);
    double step = std::numeric_limits<double>::infinity();
    bool changed = false;
    for (int round = 0; round < most_rounds && end_and_start_contacts(events, step); ++round) changed = true;
    check_gaps();
    if (changed) {
        pattern_known_ = false;
        linearised_.clear();
    }
    known_ = std::min(known_, Known::motion);
    if (std::isfinite(step)) proposed_step_ = step;
    return changed;
}

// Contacts that end, and those that start. True if there are any: then gaps are others than those that decided it.
bool Island::end_and_start_contacts(std::vector<Event>& events, double& step) {
    std::array<double, 3> gaps{};
    know(Known::motion);
    contact_gaps(time_, x_, gaps);
    bool changed = false;
    std::vector<Contact> ended;
    for (std::size_t i = 0; i < contacts_.size();) {
        if (contacts_[i].gap < 0.5 * watch_.hysteresis()) {
            ++i;
            continue;
        }
        ended.push_back(contacts_[i]);
        events.push_back(contact_event(contacts_[i], false));
        watch_.set_contact({contacts_[i].a, contacts_[i].b}, false);
        contacts_.erase(contacts_.begin() + static_cast<std::ptrdiff_t>(i));
        changed = true;
    }
    if (!ended.empty()) note_parting(ended);
    if (contacts_.empty() && !ended.empty()) keep_energy();
    double duration = std::numeric_limits<double>::infinity();
    const std::vector<IndexPair> touching{watch_.touching().begin(), watch_.touching().end()};
    if (contacts_.empty() && std::isnan(kept_energy_)) kept_energy_ = energies().balance();
    for (const IndexPair pair : touching) {
        Contact contact = new_contact(pair);
        if (contact.law) kept_energy_ = std::nan("");  // it may take energy that nobody counts
        duration = std::min(duration, contact_duration(contact, contact.start.impact_speed));
        events.push_back(contact_event(contact, true));
        watch_.set_contact(pair, true);
        contacts_.insert(std::lower_bound(contacts_.begin(), contacts_.end(), contact, before), contact);
        changed = true;
    }
    if (changed) forget_gaps();
    known_ = std::min(known_, Known::motion);
    // The solver would choose its first step by what it sees at the start, where there is no force yet: far too long. The
    // force grows as time^1.5, and a step of this size makes an error of the tolerance.
    step = std::min(step, 0.5 * duration * std::pow(step_tolerance_, 0.4));
    for (const Contact& c : ended)
        if (const double after = step_after(c); after < longest_first_step) step = std::min(step, after);
    return changed;
}

// Equal impacts end in the same instant, but for rounding.
void Island::note_parting(std::span<const Contact> ended) {
    constexpr double share = 1e-6;  // of how long they touched
    std::erase_if(parted_, [&](const Parted& p) { return time_ - p.time > share * (p.time - p.contact.start_time); });
    for (const Contact& c : ended) parted_.push_back({c, time_});
}

// After impacts, when nothing touches any more: what a solver's errors have added to the energy or taken from it since the
// impacts before is taken or given back, by a push between those that part last, along their normals. So momentum stays, and
// a ball that loses nothing bounces for ever; errors of its bounces have the same sign, and would add up. This is a
// projection to an invariant (Hairer, Lubich and Wanner, Geometric Numerical Integration, IV.4). What is more than a hundred
// tolerances of the energy of parting stays.
void Island::keep_energy() {
    const double greatest_share = 100.0 * settings_.tolerance;
    const auto speed = [](const Contact& c) { return c.motion.velocity.dot(c.motion.normal); };
    double parting = 0.0;  // [J]
    for (const auto& [c, time] : parted_)
        if (c.damping.inverse_mass > 0.0) parting += 0.5 * speed(c) * speed(c) / c.damping.inverse_mass;
    const double now = energies().balance(), excess = now - kept_energy_;
    if (!(parting > 0.0 && std::abs(excess) <= greatest_share * parting)) {  // also if nothing is known
        kept_energy_ = now;
        parted_.clear();
        return;
    }
    for (const auto& [c, time] : parted_) {
        if (!(speed(c) > 0.0)) continue;
        const double inverse_mass = respond_to_push(c);
        if (!(inverse_mass > 0.0)) continue;
        // speed push + inverse_mass push^2 / 2 = -excess, in proportion to what this one has of the energy of parting.
        const double change = -excess / parting * speed(c) * speed(c) / inverse_mass;
        const double push = change / (speed(c) + std::sqrt(std::max(0.0, speed(c) * speed(c) + inverse_mass * change)));
        for (std::size_t i = 0; i < nv(); ++i) speeds_x()[i] += push * pushed_[i];
        known_ = Known::nothing;
    }
    parted_.clear();
    know(Known::motion);
}

// ---- memories of friction ----

void Island::read_grips(std::span<const double> x) {
    if (grip_states_ == 0) return;
    const std::span<const double> grips = grips_of(x);
    for (Contact& c : contacts_)
        if (c.slot >= 0) c.held = Eigen::Map<const Grip>{&grips[static_cast<std::size_t>(c.slot)]};
}

// Where a solver starts: each contact that holds gets a place for its memory, in the order of the contacts. If there is not
// enough room, the states get more of it, and another solver.
void Island::place_grips() {
    const auto holding = static_cast<std::size_t>(std::ranges::count_if(contacts_, &Contact::holds));
    if (holding == 0 && grip_states_ == 0) return;
    read_grips(x_);
    const bool gaps_were_known = gaps_are_known(time_, x_);
    if (const std::size_t needed = 4 * std::bit_ceil(holding); needed > grip_states_) {
        const auto end = x_.begin() + static_cast<std::ptrdiff_t>(nq() + nv() + forces_.servos.size() + grip_states_);
        x_.insert(end, needed - grip_states_, 0.0);
        grip_states_ = needed;
        resize_states();
        if (integrator_) former_statistics_ += integrator_->statistics();
        integrator_.reset();
    }
    const std::span<double> grips = grips_of(x_);
    std::fill(grips.begin(), grips.end(), 0.0);
    std::ptrdiff_t slot = 0;
    for (Contact& c : contacts_) {
        if (!c.holds) continue;
        c.slot = slot;
        Eigen::Map<Grip>{&grips[static_cast<std::size_t>(slot)]} = c.held;
        slot += 4;
    }
    good_ = x_;
    if (gaps_were_known) gaps_.x = x_;
}

// A function that has the wrong sign when a solver starts never crosses zero, and hides all pairs behind the one that it
// belongs to. That would be silent, so it is looked for.
void Island::check_gaps() const {
    const double margin = 0.25 * watch_.hysteresis();
    if (!std::isnan(gaps_.time) && gaps_.values[0] <= -margin && gaps_.values[1] >= margin) return;
    std::string words = "internal error: the contacts do not match the distances (z_p = " + text(gaps_.values[0]) +
                        " m, z_d = " + text(gaps_.values[1]) + " m, hysteresis " + text(watch_.hysteresis()) + " m):";
    std::vector<std::string> names;
    const auto add = [&](std::uint32_t a, std::uint32_t b, const std::string& what) {
        names.push_back(name(collidables_[a].object));
        names.push_back(name(collidables_[b].object));
        words += " '" + names[names.size() - 2] + "' and '" + names.back() + "' " + what + ";";
    };
    for (const Contact& c : contacts_)
        if (!(c.gap - watch_.hysteresis() <= -margin))
            add(c.a, c.b, "count as touching at a distance of " + text(c.gap) + " m");
    for (const IndexPair pair : watch_.touching())
        if (!watch_.is_contact(pair)) add(pair.a, pair.b, "touch, but do not count as touching");
    if (names.empty()) words += " the set of contacts does not come to rest";
    throw SimulationError{time_, words, names};
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
    double farthest = 0.0;  // [m]
    for (const Placed& p : placed_) farthest = std::max(farthest, p.center.cwiseAbs().maxCoeff());
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
        touch.rounding = 4.0 * std::numeric_limits<double>::epsilon() * farthest;
        touch.speed_rounding = std::max(touch.speed_rounding, touch.rounding * std::sqrt(1.5 * g / at_rest));
    }
    return touches;
}

}  // namespace tactus::systems
