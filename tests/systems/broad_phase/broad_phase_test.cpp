// Broad phase: against all pairs, one by one; and what the caller may rely on when the list of candidates changes.
#include <tactus/systems/broad_phase/broad_phase.hpp>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/random.hpp"

#include <doctest/doctest.h>
#include <taskflow/taskflow.hpp>

#include <set>

using namespace tactus;
using namespace tactus::systems;
using tactus::test::Random;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

bool is_finite(const Aabb& box) { return box.min.allFinite() && box.max.allFinite(); }

Aabb box_at(const Vec3& centre, const Vec3& half) { return {centre - half, centre + half}; }
Aabb cube_at(const Vec3& centre, double edge) { return box_at(centre, Vec3::Constant(edge / 2)); }

// Boxes that drift in a cube and are reflected at its walls.
struct Boxes {
    double half_side = 1.0;  // [m]
    std::vector<Vec3> centre, half, velocity;
    std::vector<std::uint32_t> group;
    std::vector<GroupPair> excluded;
    std::vector<Aabb> boxes;

    // Edges from `smallest` to `largest` [m], log-uniform; displacement per step up to `speed` [m].
    Boxes(Random& random, int count, double smallest, double largest, double side, double speed) : half_side{side / 2} {
        for (int i = 0; i < count; ++i) {
            const double edge = smallest * std::pow(largest / smallest, random.uniform(0, 1));
            half.push_back(edge / 2 * Vec3{random.uniform(0.5, 1), random.uniform(0.5, 1), random.uniform(0.5, 1)});
            centre.push_back(random.vector(half_side));
            velocity.push_back(random.uniform(0, speed) * random.direction());
            group.push_back(static_cast<std::uint32_t>(i + 1));
        }
        place();
    }

    void step() {
        for (std::size_t i = 0; i < centre.size(); ++i) {
            if (group[i] == 0) continue;
            centre[i] += velocity[i];
            for (int k = 0; k < 3; ++k)
                if (std::abs(centre[i][k]) > half_side) velocity[i][k] = -std::copysign(velocity[i][k], centre[i][k]);
        }
        place();
    }
    void place() {
        boxes.resize(centre.size());
        for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i] = box_at(centre[i], half[i]);
    }

    bool may_pair(std::size_t a, std::size_t b) const {
        if (group[a] == group[b]) return false;
        for (const auto& [g, h] : excluded)
            if ((g == group[a] && h == group[b]) || (h == group[a] && g == group[b])) return false;
        return true;
    }
    // All pairs that may touch and overlap, or are closer than `reach` along each axis.
    std::vector<IndexPair> all_pairs(double reach = 0) const {
        std::vector<IndexPair> pairs;
        for (std::uint32_t a = 0; a < boxes.size(); ++a)
            for (std::uint32_t b = a + 1; b < boxes.size(); ++b)
                if (near(boxes[a], boxes[b], reach) && may_pair(a, b)) pairs.push_back({a, b});
        return pairs;
    }

    static bool near(const Aabb& a, const Aabb& b, double reach) {
        for (int k = 0; k < 3; ++k)
            if (a.min[k] - b.max[k] > reach || b.min[k] - a.max[k] > reach) return false;
        return is_finite(a) && is_finite(b);
    }
};

std::vector<IndexPair> overlapping(BroadPhase& broad, std::span<const Aabb> boxes, Workers& workers) {
    std::vector<IndexPair> pairs;
    for (const std::uint32_t i : broad.overlapping(boxes, workers)) pairs.push_back(broad.candidates()[i]);
    return pairs;
}

// A broad phase whose promises are checked in every update.
class Checked {
public:
    explicit Checked(const Boxes& scene, double reach = 0.0) : scene_{scene}, reach_{reach} {
        broad_.reset(scene.group, scene.excluded, reach);
    }

    bool update() {
        const std::vector<IndexPair> before{broad_.candidates().begin(), broad_.candidates().end()};
        const std::uint64_t generation = broad_.generation();
        const bool changed = broad_.update(scene_.boxes, none_);
        const std::span<const IndexPair> now = broad_.candidates();
        REQUIRE(std::adjacent_find(now.begin(), now.end(), std::greater_equal<>{}) ==
                now.end());  // ascending, once each
        CHECK((broad_.generation() != generation) == changed);
        CHECK(changed != std::equal(now.begin(), now.end(), before.begin(), before.end()));
        if (changed) check_former(before);

        const std::vector<IndexPair> overlaps = scene_.all_pairs();
        CHECK(overlapping(broad_, scene_.boxes, none_) == overlaps);
        const std::vector<IndexPair> near = reach_ > 0 ? scene_.all_pairs(reach_) : overlaps;
        CHECK(std::includes(now.begin(), now.end(), near.begin(), near.end()));
        CHECK(std::all_of(now.begin(), now.end(),
                          [&](const IndexPair& p) { return p.a < p.b && scene_.may_pair(p.a, p.b); }));
        return changed;
    }
    BroadPhase& broad() { return broad_; }

private:
    void check_former(const std::vector<IndexPair>& before) {
        const std::span<const IndexPair> now = broad_.candidates();
        REQUIRE(broad_.former().size() == now.size());
        for (std::size_t i = 0; i < now.size(); ++i) {
            const std::int32_t former = broad_.former()[i];
            const bool right = former < 0 ? !std::binary_search(before.begin(), before.end(), now[i])
                                          : before.at(static_cast<std::size_t>(former)) == now[i];
            if (!right) FAIL("candidate " << i << " was not at " << former);
        }
    }

    const Boxes& scene_;
    double reach_;
    BroadPhase broad_;
    Workers none_;
};

}  // namespace

TEST_CASE("the overlapping pairs are those of all pairs, whatever the sizes and speeds") {
    for (const std::uint64_t seed : {1U, 2U, 3U})
        for (const double spread : {1.3, 100.0, 1e4})
            for (const double speed : {0.002, 0.02, 0.5}) {  // of the largest edge
                CAPTURE(seed);
                CAPTURE(spread);
                CAPTURE(speed);
                Random random{seed};
                Boxes scene{random, 400, 1 / spread, 1.0, spread < 2 ? 12.0 : 6.0, speed};
                Checked broad{scene};
                Workers none;
                int changes = 0;
                for (int i = 0; i < 60; ++i, scene.step()) changes += broad.update();
                CHECK(changes > 1);
                CHECK(broad.broad().overlapping(scene.boxes, none).size() > 5);
            }
}

TEST_CASE("objects that accelerate, jump and turn are followed") {
    Random random{4};
    Boxes scene{random, 300, 0.1, 1.0, 8.0, 0.01};
    Checked broad{scene};
    for (int i = 0; i < 120; ++i) {
        for (std::size_t k = 0; k < scene.centre.size(); ++k) {
            if (random.number(40) == 0) scene.velocity[k] = random.uniform(0, 0.1) * random.direction();
            if (random.number(400) == 0) scene.centre[k] = random.vector(scene.half_side);
            if (random.number(10) == 0) scene.half[k] = Vec3{scene.half[k].y(), scene.half[k].z(), scene.half[k].x()};
        }
        scene.step();
        broad.update();
    }
}

TEST_CASE("no pairs within a group, nor of groups that exclude each other, nor of the world with itself") {
    Random random{5};
    Boxes scene{random, 500, 0.1, 1.0, 5.0, 0.03};
    for (std::uint32_t& g : scene.group) g = static_cast<std::uint32_t>(random.number(12));
    scene.excluded = {{7, 3}, {0, 5}, {1, 2}, {11, 0}, {2, 9}};  // in any order
    Checked broad{scene};
    for (int i = 0; i < 60; ++i, scene.step()) broad.update();

    bool with_world = false, other = false;
    for (const IndexPair& pair : broad.broad().candidates()) {
        with_world |= scene.group[pair.a] == 0 || scene.group[pair.b] == 0;
        other |= scene.group[pair.a] != 0 && scene.group[pair.b] != 0;
    }
    CHECK(with_world);
    CHECK(other);
}

TEST_CASE("objects of the world are looked at once") {
    Random random{6};
    Boxes scene{random, 2000, 0.2, 1.0, 12.0, 0.05};
    for (std::size_t i = 0; i < scene.group.size(); ++i)
        if (i % 20 != 7) scene.group[i] = 0;
    Checked broad{scene};
    for (int i = 0; i < 20; ++i, scene.step()) broad.update();

    Workers none;
    const auto before = overlapping(broad.broad(), scene.boxes, none);
    std::vector<Aabb> elsewhere = scene.boxes;
    for (std::size_t i = 0; i < elsewhere.size(); ++i)
        if (scene.group[i] == 0) elsewhere[i] = cube_at({not_a_number, 0, 0}, 1);
    CHECK(!broad.broad().update(elsewhere, none));
    CHECK(overlapping(broad.broad(), scene.boxes, none) == before);

    // Nothing but the world, and nothing at all.
    std::fill(scene.group.begin(), scene.group.end(), 0);
    Checked world{scene};
    CHECK(!world.update());
    CHECK(world.broad().candidates().empty());
    BroadPhase empty;
    CHECK(!empty.update({}, none));
    empty.reset({}, {});
    CHECK(!empty.update({}, none));
    CHECK(empty.overlapping({}, none).empty());
}

TEST_CASE("a floor under many objects has the objects on it as candidates, not all") {
    for (const bool fixed : {true, false}) {
        CAPTURE(fixed);
        Random random{7};
        Boxes scene{random, 10000, 0.5, 1.0, 100.0, 0.01};
        for (Vec3& p : scene.centre) p.z() *= 0.1;  // a layer of 10 m
        scene.centre[4321] = {0, 0, -5};
        scene.half[4321] = {100, 100, 0.5};
        scene.velocity[4321].setZero();
        if (fixed) scene.group[4321] = 0;
        scene.place();
        Checked broad{scene};
        broad.update();
        const auto floor = std::count_if(broad.broad().candidates().begin(), broad.broad().candidates().end(),
                                         [](const IndexPair& p) { return p.a == 4321 || p.b == 4321; });
        CHECK(floor > 500);
        CHECK(floor < 1500);
    }
}

TEST_CASE("pairs within reach are candidates") {
    for (const double reach : {0.01, 0.3, 2.0}) {
        CAPTURE(reach);
        Random random{8};
        Boxes scene{random, 300, 0.05, 0.5, 4.0, 0.02};
        for (std::size_t i = 0; i < 60; ++i) scene.group[i] = 0;
        Checked broad{scene, reach};
        for (int i = 0; i < 40; ++i, scene.step()) broad.update();
        CHECK(scene.all_pairs(reach).size() > scene.all_pairs().size());
    }
}

TEST_CASE("touching boxes overlap, also those without a size") {
    Workers none;
    const std::vector<std::uint32_t> groups{1, 2, 3, 4, 0};
    std::vector<Aabb> boxes{cube_at({0, 0, 0}, 2), cube_at({2, 2, 2}, 2), cube_at({1, 1, 1}, 0), cube_at({9, 9, 9}, 0),
                            cube_at({9, 9, 9}, 0)};
    BroadPhase broad;
    broad.reset(groups, {});
    CHECK(broad.update(boxes, none));
    const std::vector<IndexPair> expected{{0, 1}, {0, 2}, {1, 2}, {3, 4}};
    CHECK(overlapping(broad, boxes, none) == expected);
    for (int k = 0; k < 3; ++k) boxes[1].min[k] = std::nextafter(1.0, 2.0);
    broad.update(boxes, none);
    CHECK(overlapping(broad, boxes, none) == std::vector<IndexPair>{{0, 2}, {3, 4}});
}

TEST_CASE("sizes from micrometres to a thousand kilometres, a thousand kilometres away") {
    for (const double away : {0.0, 1e6}) {
        CAPTURE(away);
        Random random{9};
        Boxes scene{random, 300, 1e-6, 1e6, 1.0, 1e-4};
        for (std::size_t i = 0; i < scene.centre.size(); ++i) {
            const double scale = 3 * scene.half[i].maxCoeff();  // the small ones near the middle, where they meet
            scene.centre[i] = Vec3::Constant(away) + random.vector(scale);
            scene.velocity[i] = 0.01 * scale * random.direction();
        }
        scene.half_side = 1e300;
        scene.place();
        Checked broad{scene};
        for (int i = 0; i < 40; ++i, scene.step()) broad.update();
        CHECK(scene.all_pairs().size() > 50);
    }
    // A cloud far away is resolved as finely as at home.
    Random random{10};
    Boxes scene{random, 2000, 1e-3, 2e-3, 0.05, 1e-5};
    for (Vec3& p : scene.centre) p += Vec3::Constant(1e6);
    scene.half_side = 1e300;
    scene.place();
    Checked broad{scene};
    for (int i = 0; i < 3; ++i, scene.step()) broad.update();
    CHECK(broad.broad().candidates().size() < 3 * scene.all_pairs().size());
}

TEST_CASE("a box that is not finite overlaps nothing, and may come back") {
    Random random{11};
    Boxes scene{random, 200, 0.3, 1.0, 4.0, 0.02};
    for (std::size_t i = 0; i < 50; ++i) scene.group[i] = 0;
    scene.boxes[10].min.x() = not_a_number;  // in the world: for ever
    scene.boxes[11] = {Vec3::Constant(-inf), Vec3::Constant(inf)};
    Checked broad{scene};
    std::vector<Aabb> world{scene.boxes.begin(), scene.boxes.begin() + 50};
    for (int i = 0; i < 60; ++i) {
        std::copy(world.begin(), world.end(), scene.boxes.begin());
        for (std::size_t k = 50; k < scene.boxes.size(); ++k) {
            if ((i + static_cast<int>(k)) % 23 > 3) continue;
            const double bad = k % 3 == 0 ? not_a_number : k % 3 == 1 ? inf : -inf;
            (k % 2 == 0 ? scene.boxes[k].min : scene.boxes[k].max)[static_cast<int>(k / 6 % 3)] = bad;
        }
        broad.update();
        scene.step();
    }
    // All at once, from the start.
    std::fill(scene.group.begin(), scene.group.begin() + 50, 1);
    scene.boxes.assign(scene.boxes.size(), {{-inf, -inf, -inf}, {inf, inf, inf}});
    Checked nowhere{scene};
    CHECK(!nowhere.update());
    CHECK(!nowhere.update());
    scene.place();
    CHECK(nowhere.update());
}

TEST_CASE("motions far smaller than the boxes change nothing") {
    Random random{12};
    Boxes scene{random, 1000, 0.5, 1.0, 10.0, 0.0};
    Workers none;
    BroadPhase broad;
    broad.reset(scene.group, {}, 1e-3);
    REQUIRE(broad.update(scene.boxes, none));
    std::vector<Aabb> boxes = scene.boxes;
    for (int i = 0; i < 300; ++i) {
        for (std::size_t k = 0; k < boxes.size(); ++k) {
            const Vec3 d = random.vector(1e-3);
            boxes[k] = {scene.boxes[k].min + d, scene.boxes[k].max + d};
        }
        REQUIRE(!broad.update(boxes, none));
    }
}

TEST_CASE("a few movers among many at rest change only their own pairs") {
    Random random{13};
    Boxes scene{random, 1500, 0.5, 1.0, 15.0, 0.0};
    for (std::size_t i = 0; i < 15; ++i) scene.velocity[100 * i] = 0.2 * random.direction();
    Checked broad{scene};
    for (int i = 0; i < 60; ++i, scene.step()) {
        const std::set<IndexPair> before{broad.broad().candidates().begin(), broad.broad().candidates().end()};
        broad.update();
        if (i == 0) continue;
        std::vector<IndexPair> differ;
        const auto now = broad.broad().candidates();
        std::set_symmetric_difference(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(differ));
        CHECK(std::all_of(differ.begin(), differ.end(),
                          [](const IndexPair& p) { return p.a % 100 == 0 || p.b % 100 == 0; }));
    }
}

TEST_CASE("a crowd that jumps about, a few at a time, among many at rest") {
    Random random{17};
    Boxes scene{random, 2000, 0.5, 1.0, 18.0, 0.0};
    for (std::size_t i = 0; i < 50; ++i) scene.centre[40 * i] = random.vector(2.0);
    scene.place();
    Checked broad{scene};
    for (int i = 0; i < 40; ++i) {
        broad.update();
        for (int k = 0; k < 8; ++k) scene.centre[40 * static_cast<std::size_t>(random.number(50))] = random.vector(2.0);
        scene.place();
    }
}

TEST_CASE("a pair that parts is a candidate no longer") {
    Workers none;
    const std::vector<std::uint32_t> groups{1, 2, 3};
    std::vector<Aabb> boxes{cube_at({0, 0, 0}, 1), cube_at({0.5, 0, 0}, 1), cube_at({0.9, 0, 0}, 1)};
    BroadPhase broad;
    broad.reset(groups, {});
    CHECK(broad.update(boxes, none));
    CHECK(broad.candidates().size() == 3);
    boxes[1] = cube_at({0, 3, 0}, 1);
    CHECK(broad.update(boxes, none));
    REQUIRE(broad.candidates().size() == 1);
    CHECK(broad.candidates()[0] == IndexPair{0, 2});
    CHECK(broad.former()[0] == 1);
}

TEST_CASE("candidates do not depend on the number of workers") {
    constexpr int objects = 12000, steps = 25;  // enough for every loop to be spread
    const auto run = [&](Workers& workers) {
        Random random{14};
        Boxes scene{random, objects, 0.2, 2.0, 24.0, 0.05};
        for (std::size_t i = 0; i < scene.group.size(); i += 5) scene.group[i] = 0;
        for (std::size_t i = 0; i < scene.group.size(); ++i)  // at last few move
            if (i % 150 != 1) scene.velocity[i] *= i % 2 == 0 ? 0.01 : 1.0;
        BroadPhase broad;
        broad.reset(scene.group, {}, 0.01);
        std::vector<std::vector<IndexPair>> lists;
        std::vector<std::vector<std::int32_t>> former;
        for (int i = 0; i < steps; ++i) {
            if (i == 18)
                for (std::size_t k = 0; k < scene.velocity.size(); ++k)
                    if (k % 150 != 1) scene.velocity[k].setZero();
            if (broad.update(scene.boxes, workers)) {
                lists.emplace_back(broad.candidates().begin(), broad.candidates().end());
                former.emplace_back(broad.former().begin(), broad.former().end());
            }
            lists.push_back(overlapping(broad, scene.boxes, workers));
            scene.step();
        }
        return std::pair{lists, former};
    };
    Workers none;
    const auto expected = run(none);
    CHECK(expected.second.size() > 10);
    CHECK(expected.first.back().size() > 4 * 2048);
    for (const std::size_t count : {1U, 2U, 3U, 4U}) {
        CAPTURE(count);
        tf::Executor executor{count};
        Workers workers{executor};
        CHECK(run(workers) == expected);
        workers.enter([&] { CHECK(run(workers) == expected); });
    }
}

TEST_CASE("a settled broad phase allocates nothing") {
    if (!test::counts_allocations) return;
    tf::Executor executor{2};
    Workers none, two{executor};
    for (Workers* workers : {&none, &two})
        workers->enter([&] {
            Random random{15};
            Boxes scene{random, 6000, 0.3, 1.0, 18.0, 0.05};
            const std::vector<Vec3> home = scene.centre;
            BroadPhase broad;
            broad.reset(scene.group, {}, 0.01);
            long allocated = 0;
            int changes = 0;
            for (int i = 0; i < 240; ++i) {  // six times to and fro; everything has been there after the first three
                for (std::size_t k = 0; k < home.size(); ++k)
                    scene.centre[k] = home[k] + scene.velocity[k] * std::abs(i % 40 - 20);
                scene.place();
                const long before = test::allocations();
                changes += broad.update(scene.boxes, *workers);
                broad.overlapping(scene.boxes, *workers);
                if (i >= 120) allocated += test::allocations() - before;
            }
            CHECK(changes > 20);
            CHECK(allocated == 0);
        });
}

TEST_CASE("a reset forgets everything") {
    Random random{16};
    Boxes scene{random, 300, 0.3, 1.0, 4.0, 0.05}, other{random, 200, 0.1, 0.4, 2.0, 0.02};
    Workers none;
    BroadPhase broad;
    broad.reset(scene.group, {}, 0.5);
    for (int i = 0; i < 10; ++i, scene.step()) broad.update(scene.boxes, none);
    const std::uint64_t generation = broad.generation();
    broad.reset(other.group, {});
    CHECK(broad.generation() != generation);
    CHECK(broad.candidates().empty());
    CHECK(broad.update(other.boxes, none));
    CHECK(overlapping(broad, other.boxes, none) == other.all_pairs());
    CHECK(std::all_of(broad.former().begin(), broad.former().end(), [](std::int32_t f) { return f == -1; }));
}
