// Pairs for the narrow phase: 20 cm solids of every kind at random poses with a wanted signed distance.
#pragma once

#include <tactus/engine/mpr/signed_distance.hpp>
#include <tactus/engine/shapes/shape.hpp>

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace bench::narrow {

struct Solid {
    std::string kind;  // "sphere", "box", …
    tactus::Shape shape;
    tactus::CollisionShape collision;  // not smoothed
    tactus::Vec3 centre;               // [m] an inner point
    double width = 0.0;                // [m] smallest length
};

// One of each kind, at the end some hulls of 64 points ("hull64"); the same ones in every run.
const std::vector<Solid>& solids();
const std::vector<std::string>& kinds();

struct Pair {
    const Solid *A = nullptr, *B = nullptr;
    tactus::Frame X_WA, X_WB;
};

// Signed distance that places the solids; it need not be exact.
using Distance = std::function<double(const Pair&)>;

enum class Regime { separated, shallow, deep };
inline constexpr Regime regimes[] = {Regime::separated, Regime::shallow, Regime::deep};
std::string name(Regime regime);

// What is paired: a kind with a kind; "mixed" takes any of the kinds that every peer has.
const std::vector<std::string>& mixes();

class Generator {
public:
    Generator(std::uint64_t seed, Distance distance) : random_{seed}, distance_{std::move(distance)} {}

    // Separated: 0 to 20 mm; shallow: 0 to 10 mm deep; deep: 15 to 40 % of the smaller width.
    std::vector<Pair> pairs(Regime regime, const std::string& mix, int count);

    // Random poses with a uniformly random distance [m]; a penetration deeper than concentric solids have is cut.
    Pair place(const Solid& A, const Solid& B, double from, double to);

    // The pair as it may have been a step before: B displaced by 1 mm and turned by 0.5 degrees.
    Pair earlier(const Pair& pair);

private:
    double uniform(double from, double to);
    const Solid& pick(const std::string& kind);
    tactus::Vec3 direction();
    tactus::Mat3 rotation();

    std::mt19937_64 random_;
    Distance distance_;
};

}  // namespace bench::narrow
