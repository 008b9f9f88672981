// Many pairs at once: the same bits as one by one, in any number of threads, without heap memory.
#include "tests/support/allocation_counter.hpp"
#include "tests/support/solids.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <memory>
#include <thread>

using namespace tactus;
using namespace tactus::test;

namespace {

struct Batch {
    std::vector<PlacedSolid> solids;
    std::vector<DistancePair> pairs;

    // 40 solids of all kinds in a heap, each with each: apart, touching and deep.
    explicit Batch(std::uint64_t seed) {
        Random random{seed};
        for (int i = 0; i < 40; ++i) {
            PlacedSolid s = i % 10 == 9 ? PlacedSolid{point_cloud(random, 200, {0.1, 0.08, 0.06}), 0}
                                        : random_solid(i % 10, i % 3 ? 0.0 : 0.002, random);
            s.X = {random.rotation(), random.vector(0.12)};
            solids.push_back(s);
        }
        for (std::size_t i = 0; i < solids.size(); ++i)
            for (std::size_t j = i + 1; j < solids.size(); ++j)
                pairs.push_back({&solids[i].collision, &solids[j].collision, &solids[i].X, &solids[j].X, nullptr});
    }
};

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same(const Vec3& a, const Vec3& b) { return same(a.x(), b.x()) && same(a.y(), b.y()) && same(a.z(), b.z()); }
bool same(const SignedDistance& a, const SignedDistance& b) {
    return same(a.distance, b.distance) && same(a.normal, b.normal) && same(a.point1, b.point1) &&
           same(a.point2, b.point2) && a.iterations == b.iterations && a.guarantee == b.guarantee;
}

int differences(const std::vector<SignedDistance>& a, const std::vector<SignedDistance>& b) {
    int count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += !same(a[i], b[i]);
    return count;
}

}  // namespace

TEST_CASE("a batch has the bits of single queries") {
    const Batch batch{1};
    std::vector<SignedDistance> together(batch.pairs.size()), single;
    signed_distances(batch.pairs, together);
    int apart = 0;
    for (const DistancePair& p : batch.pairs) {
        single.push_back(signed_distance(*p.A, *p.X_WA, *p.B, *p.X_WB));
        apart += single.back().distance > 0;
    }
    CHECK(apart > 100);  // of 780
    CHECK(apart < 680);
    CHECK(differences(together, single) == 0);
    std::vector<SignedDistance> again(batch.pairs.size());
    signed_distances(batch.pairs, again);
    CHECK(differences(together, again) == 0);
    signed_distances({}, {});
}

TEST_CASE("threads on parts of a batch write the bits of one thread, with and without caches") {
    for (const bool warm : {false, true}) {
        CAPTURE(warm);
        Batch one{2}, many{2};
        std::vector<PairCache> caches_one(one.pairs.size()), caches_many(one.pairs.size());
        if (warm)
            for (std::size_t i = 0; i < one.pairs.size(); ++i) {
                one.pairs[i].cache = &caches_one[i];
                many.pairs[i].cache = &caches_many[i];
            }
        std::vector<SignedDistance> expected(one.pairs.size()), found(one.pairs.size());
        for (int round = 0; round < 5; ++round) {
            CAPTURE(round);
            for (Batch* b : {&one, &many})
                for (PlacedSolid& s : b->solids) s.X.p += Vec3{0.001, 0, 0} * (s.X.p.x() > 0 ? -1 : 1);
            signed_distances(one.pairs, expected);
            std::vector<std::thread> threads;
            const std::size_t part = one.pairs.size() / 4 + 1;
            for (std::size_t k = 0; k < 4; ++k)
                threads.emplace_back([&, k] {
                    const std::size_t from = k * part, count = std::min(part, many.pairs.size() - from);
                    signed_distances(std::span{many.pairs}.subspan(from, count), std::span{found}.subspan(from, count));
                });
            for (std::thread& t : threads) t.join();
            CHECK(differences(expected, found) == 0);
        }
    }
}

TEST_CASE("queries ask for no heap memory") {
    if (!counts_allocations) return;
    Batch batch{3};
    std::vector<PairCache> caches(batch.pairs.size());
    std::vector<SignedDistance> results(batch.pairs.size());
    const long none = allocations();
    signed_distances(batch.pairs, results);
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) batch.pairs[i].cache = &caches[i];
    for (int round = 0; round < 4; ++round) {
        for (PlacedSolid& s : batch.solids) s.X.p *= 0.99;
        signed_distances(batch.pairs, results);
    }
    for (const PlacedSolid& s : batch.solids) static_cast<void>(loose_aabb(s.collision, s.X.R, s.X.p));
    CHECK(allocations() == none);
    const auto one = std::make_unique<int>(1);  // the counter does count
    CHECK(allocations() > none);
}
