// Budgets of wall clock.
#include <tactus/systems/integration/deadline.hpp>

#include <doctest/doctest.h>

#include <thread>

using tactus::systems::Deadline;
using tactus::systems::Pace;

namespace {

constexpr double budget = 1.0;  // [s] long enough for a machine that does other things, too

Pace steps_of(double seconds) {
    Pace pace;
    for (int i = 0; i < 200; ++i) pace.note(seconds);
    return pace;
}

}  // namespace

TEST_CASE("steps that always take the same time are expected to take it again") {
    CHECK(steps_of(0.003).most() == doctest::Approx(0.003).epsilon(1e-3));
}

TEST_CASE("after a long step others are expected, less and less") {
    Pace pace = steps_of(0.001);
    pace.note(0.02);
    double before = pace.most();
    CHECK(before == 0.02);
    for (int i = 0; i < 500; ++i) {
        pace.note(0.001);
        CHECK(pace.most() < before);
        before = pace.most();
    }
    CHECK(before < 0.002);
}

TEST_CASE("a step that would end late is not begun, one that just fits is") {
    Pace quick = steps_of(0.01 * budget), long_ones = steps_of(3.0 * budget);
    CHECK_FALSE(Deadline{budget, quick}.is_due());
    CHECK(Deadline{budget, long_ones}.is_due());
}

TEST_CASE("a single step that took for ever does not keep the next calls short") {
    constexpr double short_budget = 0.02;
    Pace pace;
    Deadline first{short_budget, pace};
    std::this_thread::sleep_for(std::chrono::duration<double>{5 * short_budget});
    CHECK(first.is_due());
    CHECK(pace.most() <= 0.5 * short_budget);
    CHECK_FALSE(Deadline{budget, pace}.is_due());
    CHECK_FALSE(Deadline{10 * short_budget, pace}.is_due());
}

TEST_CASE("a budget that is used up is due however quick steps are; no budget never is") {
    Pace quick = steps_of(1e-9);
    CHECK(Deadline{0.0, quick}.is_due());
    Deadline short_one{0.002, quick};
    std::this_thread::sleep_for(std::chrono::milliseconds{3});
    CHECK(short_one.is_due());
    Deadline none;
    CHECK_FALSE(none.is_due());
}
