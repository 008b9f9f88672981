// Random numbers for tests.
#pragma once

#include <tactus/engine/math.hpp>

#include <cstdint>
#include <cstdlib>
#include <random>

namespace tactus::test {

// The same numbers with every compiler and library.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_{seed} { engine_.discard(8); }

    double uniform(double from, double to) {
        return from + (to - from) * static_cast<double>(engine_() >> 11) * 0x1p-53;
    }
    int number(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }
    Vec3 vector(double half) { return {uniform(-half, half), uniform(-half, half), uniform(-half, half)}; }
    Vec3 direction() {
        for (;;) {
            const Vec3 v = vector(1);
            if (const double n = v.norm(); n < 1 && n > 1e-3) return v / n;
        }
    }
    Quat orientation() { return rotation_about(direction(), uniform(0, 6.283)).normalized(); }
    Mat3 rotation() { return orientation().toRotationMatrix(); }

private:
    std::mt19937_64 engine_;
};

// How many random cases a test looks at: TACTUS_RUNS=20 asks for twenty times as many.
inline int runs(int usual) {
    const char* more = std::getenv("TACTUS_RUNS");
    return more ? static_cast<int>(usual * std::strtod(more, nullptr)) : usual;
}

}  // namespace tactus::test
