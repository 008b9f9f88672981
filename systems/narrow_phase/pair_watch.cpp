#include <tactus/systems/narrow_phase/pair_watch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tactus::systems {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double far = 1.0;             // [m] the gap when no pair is near: any positive number
constexpr double margin_of_size = 0.1;  // of boxes
constexpr double finest = 1e-7;         // ways, relative to the pair's size, that are not halved any more
constexpr int most_work = 256;          // distances in between that one least_gap computes, ...
constexpr int least_work = 16;          // ... but so many for each pair
constexpr std::size_t pair_grain = 32, body_grain = 512, due_grain = 4096;

bool pair_before(const IndexPair& p, const IndexPair& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; }

// [m/s] bounds from the two ends of an interval: the speed in between may exceed both by what it changes.
double speed_bound(const Vec3& v0, const Vec3& v1) { return std::max(v0.norm(), v1.norm()) + (v1 - v0).norm(); }

double approach_bound(const Collidable& A, const Placed& a0, const Placed& a1, const Collidable& B, const Placed& b0,
                      const Placed& b1) {
    return speed_bound(b0.velocity - a0.velocity, b1.velocity - a1.velocity) +
           A.leverage * speed_bound(a0.tilting, a1.tilting) + B.leverage * speed_bound(b0.tilting, b1.tilting);
}

// [m] distance of the planes with normal n that touch A and B from either side.
double separation(const Collidable& A, const Placed& a, const Collidable& B, const Placed& b, const Vec3& n) {
    const Vec3 on_a = a.X_WM.R * support_point(A.shape, a.X_WM.R.transpose() * n);
    const Vec3 on_b = b.X_WM.R * support_point(B.shape, -(b.X_WM.R.transpose() * n));
    return n.dot((b.X_WM.p - a.X_WM.p) + (on_b - on_a));
}

// One end of an interval. `room` [m] is how far the two are from starting to touch: their distance plus the hysteresis.
struct End {
    double t = 0.0;
    Placed a, b;
    double room = 0.0;
    Vec3 normal = Vec3::UnitX();
};

double core_size(const Collidable& c) {
    return c.shape.size - c.shape.radius;
}  // turning does nothing to the ball around it

// [m] by how much the way of a solid's centroid may be bent by what turns it, between the ends: as a parabola, or anyhow.
struct Bend {
    double parabola = 0.0, anyhow = 0.0;
    Bend operator+(const Bend& o) const { return {parabola + o.parabola, anyhow + o.anyhow}; }
};

// A joint may carry it around in whole turns, after which its velocity is what it was. But on a revolute joint it does not
// leave its circle, whose axis moves as the links before it say.
Bend carried_around(const Collidable& c, const Placed& p0, const Placed& p1, double dt) {
    constexpr double many = 0.5;  // [rad]
    const double turns = std::max(p0.turning, p1.turning) * dt;
    const double way = std::max(p0.velocity.norm(), p1.velocity.norm()) * dt;
    if (turns <= many) return {c.jointed ? way * turns : c.orbit * turns * turns};
    if (!c.jointed && c.orbit == 0.0) return {};
    const double carried = std::max(p0.carrying, p1.carrying) * dt;
    if (c.from_axis < 0.0 || carried > many) return {infinity};
    return {(way + c.from_axis * turns) * carried, 2.0 * c.from_axis};
}

// [m] by how much the way of a solid's points may be bent between the ends, in the fixed direction n: with the change of the
// centroid's velocity, and by turning about the centroid. Turning about n moves nothing along it; nor does a solid of
// revolution move by turning about its own axis, so that it is what its axis does that counts.
Bend bend(const Collidable& c, const Placed& p0, const Placed& p1, const Vec3& n, double dt) {
    const auto across = [&](const Vec3& w) { return Vec3{w - n.dot(w) * n}; };
    const double angle = std::max(p0.spin.norm(), p1.spin.norm()) * dt;
    double tilt = std::max(across(p0.tilting).norm(), across(p1.tilting).norm()) * dt;
    if (c.round_axis >= 0) tilt += std::max(p0.tilting.norm(), p1.tilting.norm()) * dt;  // spin turns what tilts it
    const double turned = core_size(c) * (tilt * angle + across(p1.tilting - p0.tilting).norm() * dt);
    return Bend{std::abs((p1.velocity - p0.velocity).dot(n)) * dt + turned} + carried_around(c, p0, p1, dt);
}

// [m] the same of solid C, seen from solid K in a direction n that turns with K: with n c, c from centroid to centroid, and
// with what C turns against K.
Bend bend_seen_from(const Collidable& K, const Placed& k0, const Placed& k1, const Collidable& C, const Placed& c0,
                    const Placed& c1, const Vec3& n, double dt) {
    const Vec3 v0 = c0.velocity - k0.velocity, v1 = c1.velocity - k1.velocity;
    const Vec3 w0 = c0.spin - k0.spin, w1 = c1.spin - k1.spin;
    const double angle = std::max(k0.spin.norm(), k1.spin.norm()) * dt;
    const double other_angle = std::max(c0.spin.norm(), c1.spin.norm()) * dt;
    const double relative_angle = std::max(w0.norm(), w1.norm()) * dt;
    const double way = std::max(v0.norm(), v1.norm()) * dt, change = (v1 - v0).norm() * dt;
    const double distance = std::max((c0.center - k0.center).norm(), (c1.center - k1.center).norm()) + way;
    return Bend{std::abs((v1 - v0).dot(n)) * dt + angle * (2.0 * way + change) +
                distance * (angle * angle + (k1.spin - k0.spin).norm() * dt) +
                core_size(C) * (relative_angle * relative_angle + (w1 - w0).norm() * dt + angle * other_angle)} +
           carried_around(K, k0, k1, dt) + carried_around(C, c0, c1, dt);
}

// Whether a distance that is s0 and s1 at the ends, and no more than `bent` below the straight line between them in the
// middle, stays above zero: s0 + (s1 - s0) u - 4 bent u (1 - u) > 0 for all u from 0 to 1. If it grows fast enough, it may
// begin with next to nothing.
bool stays_positive(double s0, double s1, const Bend& way) {
    const double bent = 0.25 * way.parabola;  // an eighth would do for what is constant
    s0 -= way.anyhow, s1 -= way.anyhow;
    if (!(std::min(s0, s1) > 0.0)) return false;
    const double rise = std::abs(s1 - s0);
    return rise >= 4.0 * bent || 0.5 * (s0 + s1) - bent > rise * rise / (16.0 * bent);
}

// Whether one of the directions that separate the two at the ends does so all the time. Along it the planes that touch the
// two move as their points do, whose ways are bent between the ends. A fixed direction is good for what does not turn, and
// for what is round; one that turns with a solid is good for its faces.
bool separated(const End& e0, const End& e1, const Collidable& A, const Collidable& B, double hysteresis) {
    const double dt = e1.t - e0.t;
    const Vec3 &n0 = e0.normal, &n1 = e1.normal;
    const auto room = [&](const End& e, const Vec3& n) { return separation(A, e.a, B, e.b, n) + hysteresis; };
    const auto fixed = [&](const Vec3& n) { return bend(A, e0.a, e1.a, n, dt) + bend(B, e0.b, e1.b, n, dt); };
    if (stays_positive(e0.room, room(e1, n0), fixed(n0)) || stays_positive(room(e0, n1), e1.room, fixed(n1)))
        return true;
    if (core_size(A) == 0.0 && core_size(B) == 0.0) return false;  // two spheres: nothing that could turn
    const auto turned = [&](const Mat3& from, const Mat3& to, const Vec3& n) {
        return Vec3{to * (from.transpose() * n)};
    };
    const Vec3 with_a = turned(e0.a.X_WM.R, e1.a.X_WM.R, n0), with_b = turned(e0.b.X_WM.R, e1.b.X_WM.R, n0);
    return stays_positive(e0.room, room(e1, with_a), bend_seen_from(A, e0.a, e1.a, B, e0.b, e1.b, n0, dt)) ||
           stays_positive(e0.room, room(e1, with_b), bend_seen_from(B, e0.b, e1.b, A, e0.a, e1.a, n0, dt));
}

// [m] that the two may approach each other between the ends.
double way_between(const End& e0, const End& e1, const Collidable& A, const Collidable& B) {
    return approach_bound(A, e0.a, e1.a, B, e0.b, e1.b) * (e1.t - e0.t);
}

bool apart_between(const End& e0, const End& e1, const Collidable& A, const Collidable& B, double hysteresis) {
    return e0.room + e1.room > way_between(e0, e1, A, B) || separated(e0, e1, A, B, hysteresis);
}

struct Sweep {
    const Collidable &A, &B;
    IndexPair pair;
    const DistanceOptions& options;
    const PairWatch::Between& between;
    double hysteresis;  // [m]
    int most;           // distances that it may compute; but it goes on until it has proved anything at all
    double begin;       // [s]
    double proven = begin;
    int work = 0;
    bool gave_up = false;

    End at(double t) {
        ++work;
        End e{.t = t};
        between(t, pair, e.a, e.b);
        return measure(std::move(e));
    }
    End measure(End e) const {
        const SignedDistance gap = signed_distance(A.shape, e.a.X_WM, B.shape, e.b.X_WM, options);
        e.room = gap.distance + hysteresis;
        e.normal = gap.normal;
        return e;
    }

    // [m] least room that is found; positive if they do not touch in between, as far as it came.
    double least(const End& e0, const End& e1, int depth = 0) {
        const double room = std::min(e0.room, e1.room);
        if (room <= 0.0) return room;
        const bool fine = way_between(e0, e1, A, B) < finest * (A.shape.size + B.shape.size) || depth > 50;
        if (fine || apart_between(e0, e1, A, B, hysteresis)) {
            proven = e1.t;
            return room;
        }
        gave_up = work >= most && proven > begin;
        if (gave_up) return room;
        const End mid = at(0.5 * (e0.t + e1.t));
        const double first = least(e0, mid, depth + 1);
        return first <= 0.0 || gave_up ? first : std::min(first, least(mid, e1, depth + 1));
    }
};

}  // namespace

void PairWatch::reset(std::span<const Collidable> collidables,
                      std::span<const std::pair<std::uint32_t, std::uint32_t>> excluded,
                      std::function<bool(IndexPair)> possible, const DistanceOptions& options) {
    options_ = options;
    possible_ = std::move(possible);
    std::vector<std::uint32_t> links;
    double smallest = 1.0;
    largest_ = 0.0;
    const std::size_t n = collidables.size();
    margin_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        links.push_back(collidables[i].link);
        smallest = std::min(smallest, collidables[i].shape.size);
        largest_ = std::max(largest_, collidables[i].shape.size);
        margin_[i] = margin_of_size * collidables[i].shape.size;
    }
    smallest_ = smallest;
    broad_.reset(links, excluded, 0.0);
    boxes_.assign(n, {});
    travel_.assign(n, 0.0);
    way_ = speed_ = travel_;
    boxed_at_.assign(n, -infinity);
    from_.assign(n, {});
    apart_.clear();
    caches_.clear();
    place_.clear();
    free_places_.clear();
    passed_over_.clear();
    contacts_.clear();
    touching_.clear();
}

bool PairWatch::regroup(std::span<const Collidable> collidables,
                        std::span<const std::pair<std::uint32_t, std::uint32_t>> excluded,
                        std::span<const std::uint32_t> changed) {
    std::vector<std::uint32_t> links;
    links.reserve(collidables.size());
    for (const Collidable& c : collidables) links.push_back(c.link);
    if (!broad_.regroup(links, excluded, changed)) return false;
    for (const IndexPair pair : std::vector<IndexPair>{contacts_}) set_contact(pair, false);
    touching_.clear();
    return true;
}

void PairWatch::forget_distances() { std::fill(apart_.begin(), apart_.end(), -infinity); }

void PairWatch::begin(double t, std::span<const Collidable> collidables, std::span<const Placed> placed, bool jumped,
                      Workers& workers) {
    // What is known about distances may be of a later instant, if integration was ahead of this one.
    const double since = std::abs(t - last_time_);
    workers.for_chunks(placed.size(), body_grain, [&](std::size_t begin, std::size_t end) {
        if (!jumped && since > 0.0)
            for (std::size_t i = begin; i < end; ++i) travel_[i] += since * speed_[i];
        std::copy(placed.data() + begin, placed.data() + end, from_.data() + begin);
    });
    from_time_ = last_time_ = proven_ = t;
    limit_ = infinity;
    if (!jumped) return;
    std::fill(boxed_at_.begin(), boxed_at_.end(), -infinity);
    std::fill(way_.begin(), way_.end(), 0.0);
    std::fill(speed_.begin(), speed_.end(), 0.0);
    forget_distances();
    move_boxes(collidables, placed, workers);
    if (broad_.update(boxes_, workers)) follow_candidates();
}

// The distance of a pair is known to a part of its size (DistanceOptions::tolerance), and no better than the places of the
// two: a quarter of the hysteresis is more than either.
void PairWatch::choose_hysteresis(std::span<const Placed> placed) {
    double farthest = 0.0;
    for (const Placed& p : placed) farthest = std::max(farthest, p.center.cwiseAbs().maxCoeff());
    hysteresis_ = std::max({1e-12 * smallest_, 10.0 * options_.tolerance * largest_,
                            16.0 * std::numeric_limits<double>::epsilon() * farthest});
}

// Boxes of what has travelled its margin: around all of its way in this step, so that candidates include what it may have
// met on it. True if there are any.
bool PairWatch::move_boxes(std::span<const Collidable> collidables, std::span<const Placed> placed, Workers& workers) {
    chunk_count_.assign(collidables.size() / body_grain + 1, 0);
    workers.for_chunks(collidables.size(), body_grain, [&](std::size_t begin, std::size_t end) {
        chunk_count_[begin / body_grain] = move_boxes(collidables, placed, begin, end);
    });
    return std::any_of(chunk_count_.begin(), chunk_count_.end(), [](std::size_t n) { return n > 0; });
}

std::size_t PairWatch::move_boxes(std::span<const Collidable> collidables, std::span<const Placed> placed,
                                  std::size_t begin, std::size_t end) {
    std::size_t moved = 0;
    for (std::size_t i = begin; i < end; ++i) {
        if (travel_[i] - boxed_at_[i] <= margin_[i]) continue;
        const CollisionShape& shape = collidables[i].shape;
        const Aabb now = loose_aabb(shape, placed[i].X_WM.R, placed[i].X_WM.p);
        const Aabb then = loose_aabb(shape, from_[i].X_WM.R, from_[i].X_WM.p);
        // A side that moves by d while it may go a way s goes at most (s - d) / 2 beyond both of its ends.
        for (int k = 0; k < 3; ++k) {
            const double low = std::max(0.0, 0.5 * (way_[i] - std::abs(now.min[k] - then.min[k])));
            const double high = std::max(0.0, 0.5 * (way_[i] - std::abs(now.max[k] - then.max[k])));
            boxes_[i].min[k] = std::min(now.min[k], then.min[k]) - low - margin_[i];
            boxes_[i].max[k] = std::max(now.max[k], then.max[k]) + high + margin_[i];
        }
        boxed_at_[i] = travel_[i];
        ++moved;
    }
    return moved;
}

// What is known about candidates goes on with them. Caches are large: they stay where they are.
void PairWatch::follow_candidates() {
    constexpr std::uint32_t gone = std::numeric_limits<std::uint32_t>::max();
    const auto pairs = broad_.candidates();
    const auto former = broad_.former();
    former_apart_.swap(apart_);
    former_passed_over_.swap(passed_over_);
    former_place_.swap(place_);
    apart_.resize(pairs.size());
    passed_over_.resize(pairs.size());
    place_.resize(pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        if (former[k] < 0) continue;
        const auto f = static_cast<std::size_t>(former[k]);
        apart_[k] = former_apart_[f];
        passed_over_[k] = former_passed_over_[f];
        place_[k] = std::exchange(former_place_[f], gone);
    }
    for (const std::uint32_t place : former_place_)
        if (place != gone) free_places_.push_back(place);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        if (former[k] >= 0) continue;
        apart_[k] = -infinity;
        passed_over_[k] = !possible_(pairs[k]) || is_contact(pairs[k]);
        if (free_places_.empty()) {
            place_[k] = static_cast<std::uint32_t>(caches_.size());
            caches_.emplace_back();
        } else {
            place_[k] = free_places_.back();
            free_places_.pop_back();
            caches_[place_[k]].state = PairCache::State::empty;
        }
    }
}

bool PairWatch::is_contact(IndexPair pair) const {
    return std::binary_search(contacts_.begin(), contacts_.end(), pair, pair_before);
}

void PairWatch::set_contact(IndexPair pair, bool contact) {
    const auto place = std::lower_bound(contacts_.begin(), contacts_.end(), pair, pair_before);
    const bool there = place != contacts_.end() && !pair_before(pair, *place);
    if (contact && !there) contacts_.insert(place, pair);
    if (!contact && there) contacts_.erase(place);
    const auto pairs = broad_.candidates();
    const auto found = std::lower_bound(pairs.begin(), pairs.end(), pair, pair_before);
    if (found == pairs.end() || pair_before(pair, *found)) return;
    const auto k = static_cast<std::size_t>(found - pairs.begin());
    passed_over_[k] = contact;
    apart_[k] = -infinity;
}

// Travels, boxes, candidates.
void PairWatch::search(double t, std::span<const Collidable> collidables, std::span<const Placed> placed,
                       Workers& workers) {
    const double since = std::abs(t - last_time_);
    workers.for_chunks(collidables.size(), body_grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (collidables[i].link == 0) continue;
            const double speed = speed_bound(from_[i].velocity, placed[i].velocity) +
                                 collidables[i].leverage * speed_bound(from_[i].tilting, placed[i].tilting);
            travel_[i] += std::max(speed, speed_[i]) * since;  // t may lie before the last instant
            speed_[i] = speed;
            way_[i] = speed * (t - from_time_);
        }
    });
    last_time_ = t;
    const bool moved = move_boxes(collidables, placed, workers);
    if ((moved || broad_.has_to_search()) && broad_.update(boxes_, workers)) follow_candidates();
}

double PairWatch::least_gap(double t, std::span<const Collidable> collidables, std::span<const Placed> placed,
                            const Between& between, Workers& workers, StageClock& clock) {
    clock.measure(Stage::broad_phase, [&] { search(t, collidables, placed, workers); });
    double least = far;
    clock.measure(Stage::narrow_phase, [&] { least = look_at_pairs(t, collidables, placed, between, workers); });
    return least;
}

// Bounds of speed are exact for straight motion, so that rounding decides without some slack.
bool PairWatch::certainly_apart(std::size_t candidate) const {
    const auto [a, b] = broad_.candidates()[candidate];
    const double way = travel_[a] + travel_[b];
    return apart_[candidate] > way + 1e-14 * way + 1e-6 * (margin_[a] + margin_[b]) + hysteresis_;
}

// Candidates that need the narrow phase, in order: chunks collect theirs each in a place of its own, then they close up.
void PairWatch::collect_due(Workers& workers) {
    const std::size_t n = broad_.candidates().size();
    due_.resize(n);
    chunk_count_.assign(n / due_grain + 1, 0);
    workers.for_chunks(n, due_grain, [&](std::size_t begin, std::size_t end) {
        std::uint32_t* to = due_.data() + begin;
        for (std::size_t k = begin; k < end; ++k)
            if (!passed_over_[k] && !certainly_apart(k)) *to++ = static_cast<std::uint32_t>(k);
        chunk_count_[begin / due_grain] = static_cast<std::size_t>(to - (due_.data() + begin));
    });
    std::size_t count = 0;
    for (std::size_t c = 0; c < chunk_count_.size(); ++c) {
        const auto from = due_.begin() + static_cast<std::ptrdiff_t>(c * due_grain);
        std::copy_n(from, chunk_count_[c], due_.begin() + static_cast<std::ptrdiff_t>(count));
        count += chunk_count_[c];
    }
    due_.resize(count);
}

double PairWatch::look_at_pairs(double t, std::span<const Collidable> collidables, std::span<const Placed> placed,
                                const Between& between, Workers& workers) {
    const auto pairs = broad_.candidates();
    collect_due(workers);
    const bool unknown = t > proven_ && t <= limit_;  // whether anything has touched before t
    evaluated_ = due_.size();
    tested_ += static_cast<std::int64_t>(due_.size());
    asked_.resize(due_.size());
    now_.resize(due_.size());
    worth_a_look_.resize(due_.size());
    chunk_least_.assign(due_.size() / pair_grain + 1, far);
    workers.for_chunks(due_.size(), pair_grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto [a, b] = pairs[due_[i]];
            asked_[i] = {&collidables[a].shape, &collidables[b].shape, &placed[a].X_WM, &placed[b].X_WM,
                         &caches_[place_[due_[i]]]};
        }
        signed_distances(std::span{asked_}.subspan(begin, end - begin), std::span{now_}.subspan(begin, end - begin),
                         options_);
        double least = far;
        for (std::size_t i = begin; i < end; ++i) {
            const auto [a, b] = pairs[due_[i]];
            const double gap = now_[i].distance;
            apart_[due_[i]] = gap + travel_[a] + travel_[b];
            least = std::min(least, gap + hysteresis_);
            const bool doubtful =
                unknown && gap > -hysteresis_ && !apart_since_begin(pairs[due_[i]], collidables, t, placed, now_[i]);
            worth_a_look_[i] = doubtful ? Look::sweep : gap <= -0.5 * hysteresis_ ? Look::touches : Look::none;
        }
        chunk_least_[begin / pair_grain] = least;
    });

    touching_.clear();
    double least = far;
    for (const double l : chunk_least_) least = std::min(least, l);
    for (std::size_t i = 0; i < due_.size(); ++i)
        if (worth_a_look_[i] != Look::none && now_[i].distance <= -0.5 * hysteresis_)
            touching_.push_back(pairs[due_[i]]);
    return unknown ? std::min(least, sweep_pairs(collidables, t, placed, between)) : least;
}

// [m] least room of the pairs of which it is not known whether they were apart all the time, in the part of the time that
// can be proved with so much work.
double PairWatch::sweep_pairs(std::span<const Collidable> collidables, double t, std::span<const Placed> placed,
                              const Between& between) {
    const auto pairs = broad_.candidates();
    double least = far, end = t;
    int work = 0;
    for (std::size_t i = 0; i < due_.size(); ++i) {  // few
        if (worth_a_look_[i] != Look::sweep) continue;
        const auto [a, b] = pairs[due_[i]];
        Sweep sweep{collidables[a],
                    collidables[b],
                    pairs[due_[i]],
                    options_,
                    between,
                    hysteresis_,
                    std::max(least_work, most_work - work),
                    from_time_};
        const End from = sweep.measure({.t = from_time_, .a = from_[a], .b = from_[b]});
        const End to =
            end < t ? sweep.at(end) : End{t, placed[a], placed[b], now_[i].distance + hysteresis_, now_[i].normal};
        const double room = sweep.least(from, to);
        if (room <= 0.0) apart_[due_[i]] = -infinity;  // they touched before: look again, wherever t goes
        if (sweep.gave_up) end = sweep.proven;
        least = std::min(least, room);
        work += sweep.work;
    }
    swept_ += work;
    if (least > 0.0) proven_ = end;
    if (end < t) limit_ = end;
    return least;
}

// Two that overlap at both ends of an interval do so in between, if the way that they can have gone is shorter than both
// overlaps together. Else it is halved.
double PairWatch::greatest_gap(IndexPair pair, double t, std::span<const Collidable> collidables,
                               std::span<const Placed> placed, const Between& between) {
    const Collidable &A = collidables[pair.a], &B = collidables[pair.b];
    const double size = A.shape.size + B.shape.size;
    int work = 0;
    const auto at = [&](double instant, const Placed& a, const Placed& b) {
        return End{instant, a, b, signed_distance(A.shape, a.X_WM, B.shape, b.X_WM, options_).distance};
    };
    const auto greatest = [&](const auto& self, const End& e0, const End& e1) -> double {
        const double most = std::max(e0.room, e1.room), way = way_between(e0, e1, A, B);
        if (most >= hysteresis_ || way < -(e0.room + e1.room) || way < finest * size) return most;
        if (++work > most_work) {
            limit_ = std::min(limit_, std::max(e0.t, from_time_ + 1e-3 * (t - from_time_)));
            return most;
        }
        End mid;
        mid.t = 0.5 * (e0.t + e1.t);
        between(mid.t, pair, mid.a, mid.b);
        mid = at(mid.t, mid.a, mid.b);
        const double first = self(self, e0, mid);
        return first >= hysteresis_ || limit_ < e1.t ? first : std::max(first, self(self, mid, e1));
    };
    const End to = at(t, placed[pair.a], placed[pair.b]);
    if (!(t > from_time_)) return to.room;
    const double most = greatest(greatest, at(from_time_, from_[pair.a], from_[pair.b]), to);
    swept_ += work;
    return most;
}

// Solvers find the zero of a straight line at once.
double PairWatch::left_to_prove(double t) const {
    if (limit_ == infinity) return 1.0;
    constexpr double slack = 1e-3;  // of the time that is proved: an instant that is so close to its end will do
    const double length = limit_ - from_time_, aim = from_time_ + (1.0 - 0.5 * slack) * length;
    return std::abs(t - aim) <= 0.5 * slack * length ? 0.0 : (aim - t) / (aim - from_time_);
}

// Whether two that are apart now have been so since begin(), as far as that can be told without looking in between.
bool PairWatch::apart_since_begin(IndexPair pair, std::span<const Collidable> collidables, double t,
                                  std::span<const Placed> placed, const SignedDistance& now) const {
    const Collidable &A = collidables[pair.a], &B = collidables[pair.b];
    const Placed &a0 = from_[pair.a], &b0 = from_[pair.b], &a1 = placed[pair.a], &b1 = placed[pair.b];
    if (now.distance > approach_bound(A, a0, a1, B, b0, b1) * (t - from_time_)) return true;
    const SignedDistance then = signed_distance(A.shape, a0.X_WM, B.shape, b0.X_WM, options_);
    return apart_between({from_time_, a0, b0, then.distance + hysteresis_, then.normal},
                         {t, a1, b1, now.distance + hysteresis_, now.normal}, A, B, hysteresis_);
}

}  // namespace tactus::systems
