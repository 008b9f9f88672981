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

// Two pairs of smooth solids at a time are one computation: whoever the other one is, nothing of it shows.
TEST_CASE("smooth solids with caches have the bits of single queries, whichever pairs come together") {
    Random random{11};
    std::vector<PlacedSolid> solids;
    for (int i = 0; i < 24; ++i) {
        const Shape shape = i % 5 == 4 ? Shape{Sphere{random.uniform(0.05, 0.2)}}
                                       : Shape{Ellipsoid{random.uniform(0.05, 0.2), random.uniform(0.05, 0.2),
                                                         random.uniform(i % 5 == 0 ? 1e-3 : 0.05, 0.2)}};
        solids.push_back({shape, 0, {random.rotation(), random.vector(0.2)}});
    }
    std::vector<DistancePair> together, single;
    for (std::size_t i = 0; i < solids.size(); ++i)
        for (std::size_t j = i + 1; j < solids.size(); ++j)
            together.push_back({&solids[i].collision, &solids[j].collision, &solids[i].X, &solids[j].X, nullptr});
    together.resize(together.size() / 2 * 2 - 1);  // the last one is left alone
    single = together;
    std::vector<PairCache> caches_together(together.size()), caches_single(together.size());
    for (std::size_t i = 0; i < together.size(); ++i)
        together[i].cache = &caches_together[i], single[i].cache = &caches_single[i];
    std::vector<SignedDistance> results(together.size()), expected(together.size());
    int smooth = 0;
    for (int round = 0; round < 12; ++round) {
        CAPTURE(round);
        for (PlacedSolid& s : solids) {  // now and then so far that the last normal leads nowhere
            const bool jump = random.uniform(0, 1) < 0.1;
            s.X.p += random.vector(jump ? 0.3 : 0.001);
            s.X.R = rotation_about(random.direction(), jump ? 1.5 : 0.01).toRotationMatrix() * s.X.R;
        }
        for (const PairCache& c : caches_together) smooth += c.state == PairCache::State::smooth;
        signed_distances(together, results);
        for (std::size_t i = 0; i < single.size(); ++i)
            expected[i] =
                signed_distance(*single[i].A, *single[i].X_WA, *single[i].B, *single[i].X_WB, {}, single[i].cache);
        CHECK(differences(results, expected) == 0);
        int wrong = 0;
        for (std::size_t i = 0; i < single.size(); ++i) {
            const SignedDistance cold = signed_distance(*single[i].A, *single[i].X_WA, *single[i].B, *single[i].X_WB);
            const bool proven = cold.guarantee == Guarantee::exact && expected[i].guarantee == Guarantee::exact;
            wrong += proven && std::abs(cold.distance - expected[i].distance) > 1e-13;
        }
        CHECK(wrong == 0);
    }
    CHECK(smooth > 2000);  // of 3025 that have been asked before
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
