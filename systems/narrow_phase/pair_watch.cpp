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
constexpr std::size_t pair_grain = 32, body_grain = 512, due_grain = 4096;

bool before(const IndexPair& p, const IndexPair& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; }

// [m/s] bounds from the two ends of an interval: the speed in between may exceed both by what it changes.
double speed_bound(const Vec3& v0, const Vec3& v1) { return std::max(v0.norm(), v1.norm()) + (v1 - v0).norm(); }

double approach_bound(const Collidable& A, const Placed& a0, const Placed& a1, const Collidable& B, const Placed& b0,
                      const Placed& b1) {
    return speed_bound(b0.velocity - a0.velocity, b1.velocity - a1.velocity) +
           A.leverage * speed_bound(a0.spin, a1.spin) + B.leverage * speed_bound(b0.spin, b1.spin);
}

// [m] distance of the planes with normal n that touch A and B from either side.
double separation(const Collidable& A, const Placed& a, const Collidable& B, const Placed& b, const Vec3& n) {
    const Vec3 on_a = a.X_WM.R * support_point(A.shape, a.X_WM.R.transpose() * n);
    const Vec3 on_b = b.X_WM.R * support_point(B.shape, -(b.X_WM.R.transpose() * n));
    return n.dot((b.X_WM.p - a.X_WM.p) + (on_b - on_a));
}

// One end of an interval.
struct End {
    double t = 0.0;
    Placed a, b;
    SignedDistance gap;
};

double core_size(const Collidable& c) {
    return c.shape.size - c.shape.radius;
}  // turning does nothing to the ball around it

// [m] by how much the way of a solid's centroid may be bent by what turns it, between the ends. A joint may carry it around
// in whole turns, after which its velocity is what it was.
double carried_around(const Collidable& c, const Placed& p0, const Placed& p1, double dt) {
    const double turns = std::max(p0.turning, p1.turning) * dt;
    if (turns > 0.5 && (c.jointed || c.orbit > 0.0)) return infinity;
    const double way = std::max(p0.velocity.norm(), p1.velocity.norm()) * dt;
    return c.jointed ? way * turns : c.orbit * turns * turns;
}

// [m] by how much the way of a solid's points may be bent between the ends, in the fixed direction n: with the change of the
// centroid's velocity, and by turning about the centroid.
double bend(const Collidable& c, const Placed& p0, const Placed& p1, const Vec3& n, double dt) {
    const double angle = std::max(p0.spin.norm(), p1.spin.norm()) * dt;
    return std::abs((p1.velocity - p0.velocity).dot(n)) * dt + carried_around(c, p0, p1, dt) +
           core_size(c) * (angle * angle + (p1.spin - p0.spin).norm() * dt);
}

// [m] the same of solid C, seen from solid K in a direction n that turns with K: with n c, c from centroid to centroid, and
// with what C turns against K.
double bend_seen_from(const Collidable& K, const Placed& k0, const Placed& k1, const Collidable& C, const Placed& c0,
                      const Placed& c1, const Vec3& n, double dt) {
    const Vec3 v0 = c0.velocity - k0.velocity, v1 = c1.velocity - k1.velocity;
    const Vec3 w0 = c0.spin - k0.spin, w1 = c1.spin - k1.spin;
    const double angle = std::max(k0.spin.norm(), k1.spin.norm()) * dt;
    const double other_angle = std::max(c0.spin.norm(), c1.spin.norm()) * dt;
    const double relative_angle = std::max(w0.norm(), w1.norm()) * dt;
    const double way = std::max(v0.norm(), v1.norm()) * dt, change = (v1 - v0).norm() * dt;
    const double distance = std::max((c0.center - k0.center).norm(), (c1.center - k1.center).norm()) + way;
    return std::abs((v1 - v0).dot(n)) * dt + angle * (2.0 * way + change) +
           distance * (angle * angle + (k1.spin - k0.spin).norm() * dt) + carried_around(K, k0, k1, dt) +
           carried_around(C, c0, c1, dt) +
           core_size(C) * (relative_angle * relative_angle + (w1 - w0).norm() * dt + angle * other_angle);
}

// Whether a distance that is s0 and s1 at the ends, and no more than `bent` below the straight line between them in the
// middle, stays above zero: s0 + (s1 - s0) u - 4 bent u (1 - u) > 0 for all u from 0 to 1. If it grows fast enough, it may
// begin with next to nothing.
bool stays_positive(double s0, double s1, double bent) {
    if (!(std::min(s0, s1) > 0.0)) return false;
    const double rise = std::abs(s1 - s0);
    return rise >= 4.0 * bent || 0.5 * (s0 + s1) - bent > rise * rise / (16.0 * bent);
}

// Whether one of the directions that separate the two at the ends does so all the time. Along it the planes that touch the
// two move as their points do, whose ways are bent between the ends. A fixed direction is good for what does not turn, and
// for what is round; one that turns with a solid is good for its faces.
bool separated(const End& e0, const End& e1, const Collidable& A, const Collidable& B) {
    const double dt = e1.t - e0.t;
    const Vec3 &n0 = e0.gap.normal, &n1 = e1.gap.normal;
    const auto fixed = [&](const Vec3& n) { return 0.25 * (bend(A, e0.a, e1.a, n, dt) + bend(B, e0.b, e1.b, n, dt)); };
    if (stays_positive(e0.gap.distance, separation(A, e1.a, B, e1.b, n0), fixed(n0)) ||
        stays_positive(separation(A, e0.a, B, e0.b, n1), e1.gap.distance, fixed(n1)))
        return true;
    if (core_size(A) == 0.0 && core_size(B) == 0.0) return false;  // two spheres: nothing that could turn
    const auto turned = [&](const Mat3& from, const Mat3& to, const Vec3& n) {
        return Vec3{to * (from.transpose() * n)};
    };
    const Vec3 with_a = turned(e0.a.X_WM.R, e1.a.X_WM.R, n0), with_b = turned(e0.b.X_WM.R, e1.b.X_WM.R, n0);
    return stays_positive(e0.gap.distance, separation(A, e1.a, B, e1.b, with_a),
                          0.25 * bend_seen_from(A, e0.a, e1.a, B, e0.b, e1.b, n0, dt)) ||
           stays_positive(e0.gap.distance, separation(A, e1.a, B, e1.b, with_b),
                          0.25 * bend_seen_from(B, e0.b, e1.b, A, e0.a, e1.a, n0, dt));
}

// [m] that the two may approach each other between the ends.
double way_between(const End& e0, const End& e1, const Collidable& A, const Collidable& B) {
    return approach_bound(A, e0.a, e1.a, B, e0.b, e1.b) * (e1.t - e0.t);
}

bool apart_between(const End& e0, const End& e1, const Collidable& A, const Collidable& B) {
    return e0.gap.distance + e1.gap.distance > way_between(e0, e1, A, B) || separated(e0, e1, A, B);
}

struct Sweep {
    const Collidable &A, &B;
    IndexPair pair;
    const DistanceOptions& options;
    const PairWatch::Between& between;
    double least_touch;  // [m] penetrations below this are none

    // [m] least gap that is found; positive if they do not touch in between.
    double least(const End& e0, const End& e1, int depth = 0) const {
        const double d = std::min(e0.gap.distance, e1.gap.distance);
        if (d < -least_touch) return d;
        const bool fine = way_between(e0, e1, A, B) < finest * (A.shape.size + B.shape.size) || depth > 50;
        if (fine || apart_between(e0, e1, A, B)) return std::max(d, 0.0);
        End mid;
        mid.t = 0.5 * (e0.t + e1.t);
        between(mid.t, pair, mid.a, mid.b);
        mid.gap = signed_distance(A.shape, mid.a.X_WM, B.shape, mid.b.X_WM, options);
        const double first = least(e0, mid, depth + 1);
        return first < 0.0 ? first : std::min(first, least(mid, e1, depth + 1));
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
    const std::size_t n = collidables.size();
    margin_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        links.push_back(collidables[i].link);
        smallest = std::min(smallest, collidables[i].shape.size);
        margin_[i] = margin_of_size * collidables[i].shape.size;
    }
    smallest_ = smallest;
    broad_.reset(links, excluded, 0.0);
    boxes_.assign(n, {});
    travel_.assign(n, 0.0);
    way_ = travel_;
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
    workers.for_chunks(placed.size(), body_grain, [&](std::size_t begin, std::size_t end) {
        std::copy(placed.data() + begin, placed.data() + end, from_.data() + begin);
    });
    from_time_ = last_time_ = t;
    if (!jumped) return;
    double farthest = 0.0;  // far away rounding is coarser
    for (const Placed& p : placed) farthest = std::max(farthest, p.center.cwiseAbs().maxCoeff());
    hysteresis_ = std::max(1e-12 * smallest_, 4.0 * std::numeric_limits<double>::epsilon() * farthest);
    std::fill(boxed_at_.begin(), boxed_at_.end(), -infinity);
    std::fill(way_.begin(), way_.end(), 0.0);
    forget_distances();
    move_boxes(collidables, placed, workers);
    if (broad_.update(boxes_, workers)) follow_candidates();
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
    return std::binary_search(contacts_.begin(), contacts_.end(), pair, before);
}

void PairWatch::set_contact(IndexPair pair, bool contact) {
    const auto place = std::lower_bound(contacts_.begin(), contacts_.end(), pair, before);
    const bool there = place != contacts_.end() && !before(pair, *place);
    if (contact && !there) contacts_.insert(place, pair);
    if (!contact && there) contacts_.erase(place);
    const auto pairs = broad_.candidates();
    const auto found = std::lower_bound(pairs.begin(), pairs.end(), pair, before);
    if (found == pairs.end() || before(pair, *found)) return;
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
                                 collidables[i].leverage * speed_bound(from_[i].spin, placed[i].spin);
            travel_[i] += speed * since;
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
            worth_a_look_[i] = gap <= -hysteresis_ ||
                               (t > from_time_ && !apart_since_begin(pairs[due_[i]], collidables, t, placed, now_[i]));
        }
        chunk_least_[begin / pair_grain] = least;
    });

    touching_.clear();
    double least = far;
    for (const double l : chunk_least_) least = std::min(least, l);
    for (std::size_t i = 0; i < due_.size(); ++i) {  // few
        if (!worth_a_look_[i]) continue;
        const IndexPair pair = pairs[due_[i]];
        const double now = now_[i].distance;
        if (now <= -hysteresis_) {
            touching_.push_back(pair);
            continue;
        }
        const double gap = sweep(pair, collidables, t, placed, now_[i], between);
        if (gap < now) apart_[due_[i]] = -infinity;  // they touched before: look again, wherever t goes
        least = std::min(least, gap + hysteresis_);
    }
    return least;
}

// Whether two that are apart now have been so since begin(), as far as that can be told without looking in between.
bool PairWatch::apart_since_begin(IndexPair pair, std::span<const Collidable> collidables, double t,
                                  std::span<const Placed> placed, const SignedDistance& now) const {
    const Collidable &A = collidables[pair.a], &B = collidables[pair.b];
    const Placed &a0 = from_[pair.a], &b0 = from_[pair.b], &a1 = placed[pair.a], &b1 = placed[pair.b];
    if (now.distance > approach_bound(A, a0, a1, B, b0, b1) * (t - from_time_)) return true;
    const SignedDistance then = signed_distance(A.shape, a0.X_WM, B.shape, b0.X_WM, options_);
    if (then.distance <= 0.0) return true;  // touching already, within the hysteresis
    return apart_between({from_time_, a0, b0, then}, {t, a1, b1, now}, A, B);
}

double PairWatch::sweep(IndexPair pair, std::span<const Collidable> collidables, double t,
                        std::span<const Placed> placed, const SignedDistance& now, const Between& between) const {
    const Collidable &A = collidables[pair.a], &B = collidables[pair.b];
    const Placed &a0 = from_[pair.a], &b0 = from_[pair.b], &a1 = placed[pair.a], &b1 = placed[pair.b];
    const SignedDistance then = signed_distance(A.shape, a0.X_WM, B.shape, b0.X_WM, options_);
    const Sweep sweep{A, B, pair, options_, between, hysteresis_};
    const double least = sweep.least({from_time_, a0, b0, then}, {t, a1, b1, now});
    return least < 0.0 ? least : now.distance;
}

}  // namespace tactus::systems
