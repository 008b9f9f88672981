// Narrow phase: time of a pair, and error against the 33-digit reference, beside its peers on the same pairs.
#include "benchmarks/bench.hpp"
#include "benchmarks/narrow/peer.hpp"
#include "tests/support/reference_distance.hpp"

#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <random>

namespace bench {

namespace {

using narrow::Pair;

constexpr int timed_pairs = 2000, turns = 4, times = 4;
constexpr int compared_pairs = 40;  // for each pair of kinds

double distance(const Pair& pair) {
    return tactus::signed_distance(pair.A->collision, pair.X_WA, pair.B->collision, pair.X_WB).distance;
}

double reference(const Pair& pair) {
    const tactus::test::ReferenceShape A{pair.A->shape, 0, pair.X_WA.R, pair.X_WA.p};
    const tactus::test::ReferenceShape B{pair.B->shape, 0, pair.X_WB.R, pair.X_WB.p};
    return tactus::test::reference_distance(A, B).distance;
}

// Who is timed: it takes pairs over, which is not timed, and answers them.
struct Contender {
    std::string name;
    std::function<void(const std::vector<Pair>&, const std::vector<std::size_t>& order)> prepare;
    std::function<void()> run;
    double best = 1e300;  // [s]
};

// Tactus, a batch of pairs: from nothing, or from caches that know a query at a pose of a step before.
Contender tactus_batch(const std::string& name, const tactus::DistanceOptions& options,
                       const std::vector<tactus::PairCache>* caches) {
    struct State {
        std::vector<tactus::PairCache> used;  // each query changes its cache
        std::vector<tactus::DistancePair> pairs;
        std::vector<tactus::SignedDistance> results;
    };
    const auto state = std::make_shared<State>();
    const auto prepare = [=](const std::vector<Pair>& pairs, const std::vector<std::size_t>& order) {
        state->results.resize(pairs.size());
        state->pairs.clear();
        for (const Pair& p : pairs)
            state->pairs.push_back({&p.A->collision, &p.B->collision, &p.X_WA, &p.X_WB, nullptr});
        if (!caches) return;
        state->used.clear();
        for (const std::size_t i : order) state->used.push_back((*caches)[i]);
        for (std::size_t i = 0; i < pairs.size(); ++i) state->pairs[i].cache = &state->used[i];
    };
    return {name, prepare, [=] { tactus::signed_distances(state->pairs, state->results, options); }};
}

Contender peer_batch(narrow::Peer& peer, bool penetrating) {
    const auto results = std::make_shared<std::vector<double>>();
    const auto prepare = [=, &peer](const std::vector<Pair>& pairs, const std::vector<std::size_t>&) {
        results->resize(pairs.size());
        peer.prepare(pairs);
    };
    return {peer.name(), prepare, [=, &peer] { peer.run(*results, penetrating); }};
}

// All in turns, so that what disturbs the machine for a while disturbs them alike; some times each, so that it runs its own
// code and not yet that of the one before. The order of the pairs is another one each time: a processor learns the branches
// of a few thousand queries by heart, and no scene comes twice.
void run_in_turns(std::vector<Contender>& contenders, const std::vector<Pair>& given) {
    std::vector<std::size_t> order(given.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random{3};
    std::vector<Pair> pairs;
    for (int t = 0; t < turns; ++t)
        for (Contender& c : contenders)
            for (int k = 0; k < times; ++k) {
                for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
                pairs.clear();
                for (const std::size_t i : order) pairs.push_back(given[i]);
                c.prepare(pairs, order);
                c.best = std::min(c.best, fastest(1, c.run));
            }
}

bool knows(const narrow::Peer& peer, const std::vector<Pair>& pairs) {
    return std::all_of(pairs.begin(), pairs.end(),
                       [&](const Pair& p) { return peer.knows(p.A->kind) && peer.knows(p.B->kind); });
}

void time_pairs(std::vector<Row>& rows, std::vector<std::unique_ptr<narrow::Peer>>& peers) {
    for (const narrow::Regime regime : narrow::regimes)
        for (const std::string& mix : narrow::mixes()) {
            narrow::Generator generate{1, distance};
            const std::vector<Pair> pairs = generate.pairs(regime, mix, timed_pairs);
            std::vector<tactus::PairCache> caches(pairs.size());
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                const Pair before = generate.earlier(pairs[i]);
                tactus::signed_distance(before.A->collision, before.X_WA, before.B->collision, before.X_WB, {},
                                        &caches[i]);
            }
            const tactus::DistanceOptions as_peers{.tolerance = narrow::peer_tolerance / 0.2};
            std::vector<Contender> contenders{tactus_batch("tactus", {}, nullptr),
                                              tactus_batch("tactus-warm", {}, &caches),
                                              tactus_batch("tactus-1um", as_peers, nullptr)};
            const bool penetrating = regime != narrow::Regime::separated;
            for (auto& peer : peers)
                if ((penetrating || peer->separates()) && knows(*peer, pairs))
                    contenders.push_back(peer_batch(*peer, penetrating));
            run_in_turns(contenders, pairs);
            for (const Contender& c : contenders)
                rows.push_back({narrow::name(regime) + "/" + mix, "ns_per_pair", "ns", c.name, 1,
                                1e9 * c.best / static_cast<double>(pairs.size())});
        }
}

// Largest and median error, and how many pairs got no number (or the wrong sign) if there are such.
void add_errors(std::vector<Row>& rows, const std::string& name, const std::string& who, std::vector<double> errors) {
    const auto answered = std::partition(errors.begin(), errors.end(), [](double e) { return std::isfinite(e); });
    const auto missing = errors.end() - answered;
    errors.erase(answered, errors.end());
    if (missing > 0) rows.push_back({name, "unanswered", "pairs", who, 1, static_cast<double>(missing)});
    if (errors.empty()) return;
    std::sort(errors.begin(), errors.end());
    rows.push_back({name, "worst_error_m", "m", who, 1, errors.back()});
    rows.push_back({name, "median_error_m", "m", who, 1, errors[errors.size() / 2]});
}

void compare_pairs(std::vector<Row>& rows, std::vector<std::unique_ptr<narrow::Peer>>& peers, const std::string& kind1,
                   const std::string& kind2) {
    const auto solid = [](const std::string& kind) -> const narrow::Solid& {
        return *std::find_if(narrow::solids().begin(), narrow::solids().end(),
                             [&](const narrow::Solid& s) { return s.kind == kind; });
    };
    narrow::Generator generate{2, distance};
    std::vector<Pair> pairs[2];  // apart, penetrating
    std::vector<double> exact[2], own;
    for (int i = 0; i < compared_pairs; ++i) {
        const Pair pair = generate.place(solid(kind1), solid(kind2), -0.003, 0.02);
        const double d = reference(pair);
        pairs[d < 0].push_back(pair);
        exact[d < 0].push_back(d);
        own.push_back(std::abs(distance(pair) - d));
    }
    const std::string name = kind1 + "-" + kind2;
    add_errors(rows, name, "tactus", own);
    for (auto& peer : peers) {
        std::vector<double> errors;
        for (const bool penetrating : {false, true}) {
            const std::vector<Pair>& set = pairs[penetrating];
            if ((!penetrating && !peer->separates()) || !knows(*peer, set)) continue;
            std::vector<double> results(set.size());
            peer->prepare(set);
            peer->run(results, penetrating);
            for (std::size_t i = 0; i < set.size(); ++i) errors.push_back(std::abs(results[i] - exact[penetrating][i]));
        }
        add_errors(rows, name, peer->name(), errors);
    }
}

}  // namespace

std::vector<Row> narrow_phase(int) {
    std::vector<Row> rows;
    auto peers = narrow::peers();
    time_pairs(rows, peers);
    const std::vector<std::string>& kinds = narrow::kinds();
    for (std::size_t i = 0; i < kinds.size(); ++i)
        for (std::size_t j = i; j < kinds.size(); ++j) compare_pairs(rows, peers, kinds[i], kinds[j]);
    return rows;
}

}  // namespace bench
