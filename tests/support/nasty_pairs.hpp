// Pairs of solids that are hard for a narrow phase, from a seed; and what every answer has to fulfil.
#pragma once

#include "tests/support/random.hpp"
#include "tests/support/reference_distance.hpp"

#include <tactus/engine/mpr/signed_distance.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tactus::test {

struct NastySolid {
    Shape shape;
    double smoothing = 0.0;  // [m]
    Frame X;
};

struct NastyPair {
    std::uint64_t seed = 0, index = 0;
    std::string what;  // e.g. "face on face"
    NastySolid A, B;
};

namespace nasty_detail {

class Maker : Random {
public:
    Maker(std::uint64_t seed, std::uint64_t index) : Random{seed * 0x9e3779b97f4a7c15u + index} {}

    using Random::direction, Random::number, Random::uniform;
    double log_uniform(double from, double to) { return std::exp(uniform(std::log(from), std::log(to))); }
    bool chance(double p) { return uniform(0, 1) < p; }

    Mat3 rotation() {
        if (chance(0.3)) {  // exactly along the axes
            static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
            const int* o = order[number(6)];
            Mat3 R = Mat3::Zero();
            for (int i = 0; i < 3; ++i) R(i, o[i]) = number(2) ? 1 : -1;
            if (R.determinant() < 0) R.row(2) *= -1;
            return R;
        }
        const double angle = chance(0.15) ? log_uniform(1e-12, 1e-3) : uniform(0, 2 * std::numbers::pi);  // or nearly
        return rotation_about(direction(), angle).normalized().toRotationMatrix();
    }

    // Lengths about `size`, with an aspect ratio of up to 1e4 in one of four solids.
    double length(double size, bool extreme) { return extreme ? size * log_uniform(1e-4, 1) : size * uniform(0.3, 1); }

    Shape shape(double size) {
        const bool extreme = chance(0.25);
        const auto l = [&] { return length(size, extreme); };
        const int axis = 1 + number(3);
        const double a = l(), b = l(), c = l();
        switch (number(9)) {
        case 0: return Sphere{a};
        case 1: return Ellipsoid{a, b, c};
        case 2: return Box{a, chance(0.2) ? a : b, c};
        case 3: return Cylinder{axis, a, b};
        case 4: return Cone{axis, a, b};
        case 5: return Cone{axis, a, b, a * (chance(0.2) ? 1.0 : uniform(0, 1))};
        case 6: return Capsule{axis, a, b};
        case 7: return Beam{axis, a, b, c};
        default: return mesh(size, extreme);
        }
    }

    // A tetrahedron, an octahedron, a cube with points in its faces, a needle or a cloud.
    Shape mesh(double size, bool extreme) {
        const Vec3 half = 0.5 * Vec3{length(size, extreme), length(size, extreme), length(size, extreme)};
        std::vector<Vec3> unit;
        switch (number(4)) {
        case 0: unit = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}; break;
        case 1: unit = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}; break;
        case 2:
            for (int i = 0; i < 27; ++i) unit.emplace_back(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
            break;
        default:
            for (int i = 5 + number(60); i > 0; --i) unit.push_back(direction());
        }
        Mesh m;
        for (const Vec3& v : unit) m.vertices.push_back(v.cwiseProduct(half));
        return m;
    }

    double smoothing(const Shape& s) {
        const bool mesh_shape = std::holds_alternative<Mesh>(s);
        return mesh_shape || chance(0.5) ? 0.0 : chance(0.5) ? 1e9 : log_uniform(1e-9, 1e-1);
    }
};

// Half extents of the box around a shape in its own axes, and that box's centre.
template<class T = Real> std::pair<Vec3, Vec3> local_box(const NastySolid& s) {
    const ShapeOf<T> r{s.shape, s.smoothing, Mat3::Identity(), Vec3::Zero()};
    Vec3 low, high;
    for (int i = 0; i < 3; ++i) {
        const VecOf<T> n{Vec3{Vec3::Unit(i)}};
        high[i] = static_cast<double>(r.extent(n));
        low[i] = -static_cast<double>(r.extent(-n));
    }
    return {0.5 * (high - low), 0.5 * (high + low)};
}

}  // namespace nasty_detail

// [m] the scale that errors are relative to: sum of the half diagonals.
inline double pair_size(const NastySolid& A, const NastySolid& B) {
    return nasty_detail::local_box<double>(A).first.norm() + nasty_detail::local_box<double>(B).first.norm();
}

inline NastyPair nasty_pair(std::uint64_t seed, std::uint64_t index) {
    nasty_detail::Maker make{seed, index};
    NastyPair pair{seed, index, "", {}, {}};
    NastySolid &A = pair.A, &B = pair.B;
    const double size = make.log_uniform(1e-6, 1e6);
    const double size2 = make.chance(0.7) ? size : std::clamp(size * make.log_uniform(1e-4, 1e4), 1e-6, 1e6);
    A.shape = make.shape(size);
    B.shape = make.shape(size2);
    A.smoothing = make.smoothing(A.shape);
    B.smoothing = make.smoothing(B.shape);
    A.X = {make.rotation(), make.chance(0.5) ? Vec3::Zero() : Vec3{size * make.uniform(0, 3) * make.direction()}};
    B.X.R = make.chance(0.4) ? A.X.R : make.rotation();  // exactly parallel faces and edges
    const int situation = make.number(9);
    if (situation == 0) {
        B = A;
        pair.what = "identical";
        return pair;
    }
    const auto [half_A, centre_A] = nasty_detail::local_box(A);
    const auto [half_B, centre_B] = nasty_detail::local_box(B);
    const Vec3 concentric = A.X.p + A.X.R * centre_A - B.X.R * centre_B;
    const double reach = half_A.norm() + half_B.norm();
    const auto touching = [&](const Vec3& n) {  // translation along n until the supporting planes coincide
        B.X.p = concentric;
        const ReferenceShape a{A.shape, A.smoothing, A.X.R, A.X.p}, b{B.shape, B.smoothing, B.X.R, B.X.p};
        B.X.p = concentric - static_cast<double>(separation_along(a, b, RealVec{n})) * n;
    };
    const Vec3 axis = A.X.R.col(make.number(3)) * (make.number(2) ? 1 : -1);
    switch (situation) {
    case 1:
        pair.what = "concentric";
        B.X.p = concentric;
        break;
    case 2:
        pair.what = "face on face";
        touching(axis);
        break;
    case 3:
        pair.what = "almost face on face";
        touching(axis);
        B.X.p += axis * reach * make.log_uniform(1e-16, 1e-6) * (make.number(2) ? 1 : -1);
        break;
    case 4:
        pair.what = "face on face, shifted";
        touching(axis);
        B.X.p += A.X.R.col(make.number(3)) * half_A[make.number(3)];
        break;
    case 5:
        pair.what = "corner on corner";
        B.X.p = concentric + A.X.R * half_A + B.X.R * half_B;
        break;
    case 6:
        pair.what = "contained";
        B.X.p = concentric + 0.3 * A.X.R * half_A.cwiseProduct(make.direction());
        break;
    case 7:
        pair.what = "touching anywhere";
        touching(make.direction());
        break;
    default: pair.what = "anywhere"; B.X.p = concentric + reach * make.uniform(0, 1.2) * make.direction();
    }
    return pair;
}

// ---- reproducers ---------------------------------------------------------------------------------------------------

inline std::string text(const NastySolid& s) {
    std::ostringstream out;
    out.precision(17);
    const auto list = [&out](const char* name, std::initializer_list<double> values) {
        out << name << '{';
        for (const double* v = values.begin(); v != values.end(); ++v) out << (v == values.begin() ? "" : ", ") << *v;
        out << '}';
    };
    if (const auto* a = std::get_if<Sphere>(&s.shape)) list("Sphere", {a->diameter});
    if (const auto* a = std::get_if<Ellipsoid>(&s.shape)) list("Ellipsoid", {a->length_x, a->length_y, a->length_z});
    if (const auto* a = std::get_if<Box>(&s.shape)) list("Box", {a->length_x, a->length_y, a->length_z});
    if (const auto* a = std::get_if<Cylinder>(&s.shape)) list("Cylinder", {1.0 * a->axis, a->diameter, a->length});
    if (const auto* a = std::get_if<Cone>(&s.shape))
        list("Cone", {1.0 * a->axis, a->diameter, a->length, a->top_diameter});
    if (const auto* a = std::get_if<Capsule>(&s.shape)) list("Capsule", {1.0 * a->axis, a->diameter, a->length});
    if (const auto* a = std::get_if<Beam>(&s.shape)) list("Beam", {1.0 * a->axis, a->length, a->width, a->thickness});
    if (const auto* a = std::get_if<Mesh>(&s.shape))
        for (const Vec3& v : a->vertices) list("vertex", {v.x(), v.y(), v.z()});
    out << " smoothing " << s.smoothing;
    const Mat3& R = s.X.R;
    list(" R rows", {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)});
    list(" p", {s.X.p.x(), s.X.p.y(), s.X.p.z()});
    return out.str();
}

inline std::string text(const NastyPair& pair) {
    return "seed " + std::to_string(pair.seed) + " index " + std::to_string(pair.index) + " (" + pair.what + ")\n  A " +
           text(pair.A) + "\n  B " + text(pair.B);
}

// ---- invariants ----------------------------------------------------------------------------------------------------

// A narrow phase under test.
using Query = std::function<SignedDistance(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B,
                                           const Frame& X_WB)>;

inline SignedDistance query(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB) {
    return signed_distance(A, X_WA, B, X_WB);
}

struct InvariantOptions {
    double tolerance = 1e-12;  // relative to the size of the pair, or its distance from the origin
    int directions = 200;      // tried for a better one
    bool reference = true;     // compare with the reference, some milliseconds
};

// What every answer for a pair has to fulfil. Several answers for the same pair can be checked: what does not depend on
// them is computed once.
class Invariants {
public:
    Invariants(const NastyPair& pair, Query ask, const InvariantOptions& options)
        : A{collision_shape(pair.A.shape, pair.A.smoothing)}, B{collision_shape(pair.B.shape, pair.B.smoothing)},
          pair_{pair}, ask_{std::move(ask)}, options_{options}, a_{pair.A.shape, pair.A.smoothing, pair.A.X.R,
                                                                   pair.A.X.p},
          b_{pair.B.shape, pair.B.smoothing, pair.B.X.R, pair.B.X.p}, quick_a_{a_}, quick_b_{b_}, size_{pair_size(
                                                                                                      pair.A, pair.B)},
          far_{std::max({size_, pair.A.X.p.norm(), pair.B.X.p.norm()})}, random_{pair.seed, ~pair.index} {
        for (int i = 0; i < options.directions; ++i) {
            const Vec3 n = i < 6 ? Vec3{Vec3::Unit(i / 2) * (i % 2 ? 1 : -1)} : random_.direction();
            directions_.push_back(n);
            extents_.push_back(extents(quick_a_, quick_b_, VecOf<double>{n}.unit()));
        }
    }

    const CollisionShape A, B;

    double far() const { return far_; }  // [m] what the tolerance is relative to
    SignedDistance answer() const { return ask_(A, pair_.A.X, B, pair_.B.X); }

    // The first invariant that an answer breaks, in words; empty if it is good.
    std::string broken_by(const SignedDistance& r) {
        std::string broken = by_itself(r);
        if (broken.empty()) broken = along_normal(r);
        if (broken.empty()) broken = along_others(r);
        if (broken.empty() && r.guarantee == Guarantee::exact) broken = beside_others(r);
        if (broken.empty() && options_.reference) broken = beside_reference(r);
        return broken;
    }

private:
    // Farthest of the first shape along a unit vector n, of the second along it and against it.
    template<class T> struct Extents {
        VecOf<T> n;
        T a, b, b_back;
        double separation() const { return static_cast<double>(-b_back - a); }
    };
    template<class T> static Extents<T> extents(const ShapeOf<T>& a, const ShapeOf<T>& b, const VecOf<T>& n) {
        return {n, a.extent(n), b.extent(n), b.extent(-n)};
    }

    static bool is_full(const SignedDistance& r) {
        return r.guarantee == Guarantee::exact || r.guarantee == Guarantee::local;
    }
    double tolerance() const { return options_.tolerance * far_; }

    template<class... Numbers> static std::string words(const std::string& what, Numbers... numbers) {
        std::ostringstream out;
        out.precision(17);
        out << what;
        ((out << ' ' << numbers), ...);
        return out.str();
    }

    std::string by_itself(const SignedDistance& r) const {
        if (!std::isfinite(r.distance) || !r.normal.allFinite() || !r.point1.allFinite() || !r.point2.allFinite())
            return "a result is not finite";
        if (std::abs(r.normal.norm() - 1) > 1e-12) return words("the normal has length", r.normal.norm());
        if (const double error = (r.point2 - r.point1 - r.distance * r.normal).norm(); error > tolerance())
            return words("point2 - point1 differs from distance * normal by", error);
        return r.guarantee > Guarantee::sign_only ? "no such guarantee" : "";
    }

    // [m] what double precision may be wrong by in extents and places: some twenty roundings, with room.
    double rounding(const SignedDistance& r) const { return 1e-14 * (far_ + r.point1.norm() + r.point2.norm()); }

    // Both of the following first ask double precision, with so much less tolerance; what breaks that is asked again with
    // 33 digits.

    // The supporting planes of the normal.
    std::string along_normal(const SignedDistance& r) const {
        const double unsure = rounding(r);
        const VecOf<double> n = VecOf<double>{r.normal}.unit();
        const double about = -quick_b_.extent(-n) - quick_a_.extent(n);
        if (separates(r, about, tolerance() - unsure, unsure).empty()) return "";
        return separates(r, static_cast<double>(separation_along(a_, b_, RealVec{r.normal})), tolerance(), 0);
    }
    static std::string separates(const SignedDistance& r, double along, double tol, double zero) {
        if (along > r.distance + tol)
            return words("the separation along the normal exceeds the distance:", along, r.distance);
        if (is_full(r) && along < r.distance - tol)
            return words("the separation along the normal is less than the distance:", along, r.distance);
        if (r.distance > tol && !(along > zero))
            return words("apart, but the normal does not separate:", r.distance, along);
        return "";
    }

    // Other directions: none separates more, and the points lie within the supporting planes of their shapes.
    std::string along_others(const SignedDistance& r) const {
        const double unsure = rounding(r);
        for (std::size_t i = 0; i < directions_.size(); ++i) {
            if (along_other(r, extents_[i], tolerance() - unsure).empty()) continue;
            std::string broken = along_other(r, extents(a_, b_, RealVec{directions_[i]}.unit()), tolerance());
            if (!broken.empty()) return broken;
        }
        return "";
    }
    template<class T> static std::string along_other(const SignedDistance& r, const Extents<T>& along, double tol) {
        const double s = along.separation();
        if (r.distance <= 0 && s > tol) return words("not apart, but a direction separates by", s);
        if (r.guarantee == Guarantee::exact && s > r.distance + tol)
            return words("called exact, but a direction is better:", s, r.distance);
        if (!is_full(r)) return "";
        if (const double out = static_cast<double>(VecOf<T>{r.point1}.dot(along.n) - along.a); out > tol)
            return words("point1 is outside the first shape by", out);
        if (const double out = static_cast<double>(VecOf<T>{r.point2}.dot(along.n) - along.b); out > tol)
            return words("point2 is outside the second shape by", out);
        return "";
    }

    // The same shapes exchanged, or moved as one rigid body.
    std::string beside_others(const SignedDistance& r) {
        if (!asked_) ask_others();
        if (swapped_.guarantee == Guarantee::exact && std::abs(swapped_.distance - r.distance) > tolerance())
            return words("exchanging the shapes changes the distance:", r.distance, swapped_.distance);
        // Rotations are only good to rounding, so errors grow with the lever.
        if (moved_.guarantee == Guarantee::exact && std::abs(moved_.distance - r.distance) > 10 * tolerance())
            return words("a common rigid motion changes the distance:", r.distance, moved_.distance);
        return "";
    }
    void ask_others() {
        asked_ = true;
        swapped_ = ask_(B, pair_.B.X, A, pair_.A.X);
        const Mat3 Q = rotation_about(random_.direction(), random_.uniform(0, 6)).normalized().toRotationMatrix();
        const Vec3 shift = size_ * random_.direction();
        const auto move = [&](const Frame& X) { return Frame{Q * X.R, Q * X.p + shift}; };
        moved_ = ask_(A, move(pair_.A.X), B, move(pair_.B.X));
    }

    std::string beside_reference(const SignedDistance& r) {
        if (!reference_) reference_ = reference_distance(a_, b_);
        const double tol = tolerance(), exact = reference_->distance;
        if (r.guarantee == Guarantee::exact && r.distance < exact - tol)
            return words("called exact, but the reference is larger:", exact, r.distance);
        if (is_full(r) && r.distance > exact + reference_->gap + tol)
            return words("the distance exceeds the reference:", r.distance, exact);
        if (r.guarantee == Guarantee::upper_bound && std::abs(r.distance) < std::abs(exact) - tol)
            return words("called an upper bound, but it is less than the reference:", r.distance, exact);
        if (std::abs(exact) > tol && std::abs(r.distance) > tol && (exact < 0) != (r.distance < 0))
            return words("the sign is wrong:", r.distance, exact);
        return "";
    }

    const NastyPair& pair_;
    const Query ask_;
    const InvariantOptions options_;
    const ReferenceShape a_, b_;
    const ShapeOf<double> quick_a_, quick_b_;
    const double size_, far_;  // [m]
    nasty_detail::Maker random_;
    std::vector<Vec3> directions_;
    std::vector<Extents<double>> extents_;  // along them
    bool asked_ = false;
    SignedDistance swapped_, moved_;
    std::optional<ReferenceDistance> reference_;
};

// The first invariant that the answer for a pair breaks, in words; empty if it is good.
inline std::string check_invariants(const NastyPair& pair, const Query& ask = query,
                                    const InvariantOptions& options = {}) {
    Invariants invariants{pair, ask, options};
    return invariants.broken_by(invariants.answer());
}

// The pair with what it kept from a few queries at poses nearby, from hardly any motion to some degrees.
inline SignedDistance warm_query(const NastyPair& pair, const CollisionShape& A, const CollisionShape& B) {
    nasty_detail::Maker random{pair.seed + 1, ~pair.index};
    const double size = std::min(A.size, B.size);
    PairCache cache;
    for (int steps = 1 + random.number(3); steps > 0; --steps) {
        Frame X = pair.B.X;
        if (random.chance(0.8)) X.p += size * random.log_uniform(1e-12, 0.1) * random.direction();
        if (random.chance(0.8)) {
            const double angle = random.log_uniform(1e-12, 0.2);
            X.R = rotation_about(random.direction(), angle).normalized().toRotationMatrix() * X.R;
        }
        signed_distance(A, pair.A.X, B, X, {}, &cache);
    }
    return signed_distance(A, pair.A.X, B, pair.B.X, {}, &cache);
}

// Whether two answers are the same but for an error (of the normal; of lengths relative to `far`).
inline bool are_same(const SignedDistance& a, const SignedDistance& b, double error, double far) {
    const double little = error * far;
    return a.guarantee == b.guarantee && std::abs(a.distance - b.distance) <= little &&
           (a.normal - b.normal).norm() <= error && (a.point1 - b.point1).norm() <= little &&
           (a.point2 - b.point2).norm() <= little;
}

// The invariants of a cold start, and of a warm one, which has to give what the cold one gives.
inline std::string check_cold_and_warm(const NastyPair& pair, const InvariantOptions& options = {}) {
    Invariants invariants{pair, query, options};
    const SignedDistance cold = invariants.answer();
    if (std::string broken = invariants.broken_by(cold); !broken.empty()) return broken;
    const SignedDistance warm = warm_query(pair, invariants.A, invariants.B);
    if (are_same(cold, warm, 0.01 * options.tolerance, invariants.far()))
        return "";  // what holds for one holds for both
    if (warm.guarantee == Guarantee::exact && cold.guarantee == Guarantee::exact &&
        std::abs(warm.distance - cold.distance) > options.tolerance * invariants.far()) {
        std::ostringstream out;
        out.precision(17);
        out << "a warm start changes the distance: " << cold.distance << ' ' << warm.distance;
        return out.str();
    }
    const std::string broken = invariants.broken_by(warm);
    return broken.empty() ? "" : "after a warm start, " + broken;
}

}  // namespace tactus::test
