// PairWatch: the distance to the next touch among all pairs that are not contacts (z_d of the thesis, eq. 6.4a), and the
// guarantee that none is missed between the ends of a step.
//
// Each collidable has a travel [m], the length of the way that any of its points can have gone so far, from bounds of its
// speed. A pair whose distance was d when the travels of the two were s cannot touch before they have gone d further: until
// then it costs one comparison. Boxes of the broad phase stay as they are until a collidable has travelled their margin.
//
// Between the ends of a step a pair that is apart at both may have touched. It cannot, if the two distances together are
// longer than the way that the two may have gone; or if one direction separates them all the time. Else the step is halved,
// with the motion in between from the integrator's own interpolation, down to ways of `finest` of the pair's size. If that
// takes more than a certain number of distances, the step ends where the proof has got to; the rest is looked at when time
// goes on from there.
#pragma once

#include <tactus/engine/pipeline.hpp>
#include <tactus/systems/broad_phase/broad_phase.hpp>
#include <tactus/systems/narrow_phase/collidable.hpp>

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace tactus::systems {

class PairWatch {
public:
    PairWatch() = default;

    // Pairs that `possible` says no to never touch, nor do the links of `excluded`.
    void reset(std::span<const Collidable> collidables,
               std::span<const std::pair<std::uint32_t, std::uint32_t>> excluded,
               std::function<bool(IndexPair)> possible, const DistanceOptions& options);

    // The same collidables on other links; `changed` are those whose partners are others now. They are where they were.
    // All contacts are forgotten. False if it cannot be done: then only reset() helps.
    bool regroup(std::span<const Collidable> collidables,
                 std::span<const std::pair<std::uint32_t, std::uint32_t>> excluded,
                 std::span<const std::uint32_t> changed);

    // [m] epsilon: contacts start at -epsilon and end at +epsilon. It may be chosen anew only where the set of contacts is.
    double hysteresis() const { return hysteresis_; }
    void choose_hysteresis(std::span<const Placed> placed);

    // The next step starts here: nothing before it counts any more. `jumped`: things are not where they were last seen,
    // nor where they were on the way there.
    void begin(double t, std::span<const Collidable> collidables, std::span<const Placed> placed, bool jumped,
               Workers& workers);

    // Places two collidables at an instant between the last begin() and now.
    using Between = std::function<void(double t, IndexPair pair, Placed& a, Placed& b)>;

    // [m] least distance plus epsilon of all pairs that are no contacts, at any time from begin() to t: positive as long as
    // none has touched. Pairs that are certainly apart do not count, so that it may jump, but never across zero. At the
    // instant of begin() nothing is asked for in between.
    double least_gap(double t, std::span<const Collidable> collidables, std::span<const Placed> placed,
                     const Between& between, Workers& workers, StageClock& clock);

    // [m] greatest distance of a pair that is a contact, at any time from begin() to t: whether it has ended, even if it touches
    // again at t. A contact with a force may be left alone in such a step, as nothing acts while it is apart.
    double greatest_gap(IndexPair pair, double t, std::span<const Collidable> collidables,
                        std::span<const Placed> placed, const Between& between);

    // Zero at an instant (or a little before it) up to which the two have looked at all pairs since begin(), if they came
    // no further; before that positive, after it negative. Else a positive number.
    double left_to_prove(double t) const;

    // Pairs that are no contacts and penetrate by half of epsilon or more where least_gap was asked for last.
    std::span<const IndexPair> touching() const { return touching_; }

    void set_contact(IndexPair pair, bool is_contact);  // which least_gap does not look at
    bool is_contact(IndexPair pair) const;

    void forget_distances();  // all candidates are looked at next time, whatever is known about them

    std::size_t candidates() const { return apart_.size(); }
    std::size_t evaluated() const { return evaluated_; }  // pairs by the narrow phase, in the last least_gap
    std::int64_t tested() const { return tested_; }       // likewise, in all of them since reset()
    std::int64_t swept() const { return swept_; }         // distances at instants in between, since reset()

private:
    DistanceOptions options_;
    double smallest_ = 1.0, largest_ = 0.0;  // [m] sizes
    double hysteresis_ = 0.0;                // [m]
    std::function<bool(IndexPair)> possible_;

    // Of each collidable.
    std::vector<Aabb> boxes_;                         // with margin: right until it has travelled that
    std::vector<double> travel_, boxed_at_, margin_;  // [m]
    std::vector<double> way_;                         // [m] that it may have gone in this step
    std::vector<double> speed_;                       // [m/s] bound of it when least_gap was asked for last
    std::vector<Placed> from_;                        // at from_time_
    double from_time_ = 0.0, last_time_ = 0.0;        // [s]
    double proven_ = 0.0;                             // [s] all pairs have been apart from from_time_ up to here
    double limit_ = 0.0;                              // [s] and it would take too much work to prove more

    // Of each candidate of the broad phase.
    BroadPhase broad_;
    std::vector<double> apart_, former_apart_;  // [m] distance plus the travels of both when it was computed
    std::vector<std::uint8_t> passed_over_, former_passed_over_;  // contacts, and pairs that never touch
    std::vector<std::uint32_t> place_, former_place_;             // of its cache
    std::vector<PairCache> caches_;
    std::vector<std::uint32_t> free_places_;
    std::vector<IndexPair> contacts_;  // sorted

    std::vector<std::uint32_t> due_;  // candidates that need the narrow phase now
    std::vector<DistancePair> asked_;
    std::vector<SignedDistance> now_;
    enum class Look : std::uint8_t {
        none,
        touches,
        sweep
    };                                      // sweep: it is not known whether they were apart all the time
    std::vector<Look> worth_a_look_;        // of those
    std::vector<std::size_t> chunk_count_;  // what chunks of a loop have found
    std::vector<double> chunk_least_;       // [m]
    std::vector<IndexPair> touching_;
    std::size_t evaluated_ = 0;
    std::int64_t tested_ = 0, swept_ = 0;

    void search(double t, std::span<const Collidable> collidables, std::span<const Placed> placed, Workers& workers);
    double look_at_pairs(double t, std::span<const Collidable> collidables, std::span<const Placed> placed,
                         const Between& between, Workers& workers);
    void collect_due(Workers& workers);
    bool move_boxes(std::span<const Collidable> collidables, std::span<const Placed> placed, Workers& workers);
    std::size_t move_boxes(std::span<const Collidable> collidables, std::span<const Placed> placed, std::size_t begin,
                           std::size_t end);
    void follow_candidates();
    bool certainly_apart(std::size_t candidate) const;  // without the narrow phase
    bool apart_since_begin(IndexPair pair, std::span<const Collidable> collidables, double t,
                           std::span<const Placed> placed, const SignedDistance& now) const;
    double sweep_pairs(std::span<const Collidable> collidables, double t, std::span<const Placed> placed,
                       const Between& between);
};

}  // namespace tactus::systems
