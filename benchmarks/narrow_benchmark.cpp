// Narrow phase: time of a pair, and error against the 33-digit reference, beside its peers on the same pairs.
#include "benchmarks/bench.hpp"
#include "benchmarks/narrow/peer.hpp"
#include "tests/support/reference_distance.hpp"

#include <cmath>

namespace bench {

namespace {

using narrow::Pair;

constexpr int timed_pairs = 2000, tries = 5;
constexpr int compared_pairs = 40;  // for each pair of kinds

double distance(const Pair& pair) {
    return tactus::signed_distance(pair.A->collision, pair.X_WA, pair.B->collision, pair.X_WB).distance;
}

double reference(const Pair& pair) {
    const tactus::test::ReferenceShape A{pair.A->shape, 0, pair.X_WA.R, pair.X_WA.p};
    const tactus::test::ReferenceShape B{pair.B->shape, 0, pair.X_WB.R, pair.X_WB.p};
    return tactus::test::reference_distance(A, B).distance;
}

// Time of one pair [ns] with warm or cold start; a warm one knows a query at a pose of a step before.
double tactus_ns(const std::vector<Pair>& pairs, const tactus::DistanceOptions& options,
                 const std::vector<tactus::PairCache>* caches) {
    double sum = 0, best = 1e300;
    std::vector<tactus::PairCache> used;
    for (int t = 0; t < tries; ++t) {
        if (caches) used = *caches;  // each query changes its cache
        best = std::min(best, fastest(1, [&] {
                            for (std::size_t i = 0; i < pairs.size(); ++i) {
                                const Pair& p = pairs[i];
                                sum += tactus::signed_distance(p.A->collision, p.X_WA, p.B->collision, p.X_WB, options,
                                                               caches ? &used[i] : nullptr)
                                           .distance;
                            }
                        }));
    }
    return std::isfinite(sum) ? 1e9 * best / static_cast<double>(pairs.size()) : NAN;
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
            const std::string name = narrow::name(regime) + "/" + mix;
            const auto add = [&](const std::string& who, double ns) {
                rows.push_back({name, "ns_per_pair", "ns", who, 1, ns});
            };
            add("tactus", tactus_ns(pairs, {}, nullptr));
            add("tactus-warm", tactus_ns(pairs, {}, &caches));
            add("tactus-1um", tactus_ns(pairs, {.tolerance = narrow::peer_tolerance / 0.2}, nullptr));  // as the peers
            for (auto& peer : peers) {
                if ((regime == narrow::Regime::separated && !peer->separates()) || !knows(*peer, pairs)) continue;
                peer->prepare(pairs);
                std::vector<double> results(pairs.size());
                const double seconds = fastest(tries, [&] { peer->run(results, regime != narrow::Regime::separated); });
                add(peer->name(), 1e9 * seconds / static_cast<double>(pairs.size()));
            }
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
