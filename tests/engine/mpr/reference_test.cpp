// The reference that the narrow phase is measured with, against closed forms of its own.
#include "tests/support/random.hpp"
#include "tests/support/reference_distance.hpp"

#include <doctest/doctest.h>

using namespace tactus;
using namespace tactus::test;

namespace {

using Long3 = Eigen::Matrix<long double, 3, 1>;

// Signed distance of a point to a box of half lengths h around the origin.
long double point_box(const Long3& p, const Long3& h) {
    const Long3 out = p.cwiseAbs() - h;
    return out.maxCoeff() > 0 ? out.cwiseMax(0.0L).norm() : out.maxCoeff();
}

// The same for a cylinder about z.
long double point_cylinder(const Long3& p, long double r, long double h) {
    const long double a = std::hypot(p.x(), p.y()) - r, b = std::abs(p.z()) - h;
    return a > 0 || b > 0 ? std::hypot(std::max(a, 0.0L), std::max(b, 0.0L)) : std::max(a, b);
}

// Distance of two segments p +- u, q +- v: of the lines if that lies in both, else of an end to the other segment.
long double segment_segment(const Long3& p, const Long3& u, const Long3& q, const Long3& v) {
    const auto to_segment = [](const Long3& x, const Long3& c, const Long3& w) {
        const long double t = std::clamp((x - c).dot(w) / w.squaredNorm(), -1.0L, 1.0L);
        return (x - c - t * w).norm();
    };
    long double best =
        std::min({to_segment(p + u, q, v), to_segment(p - u, q, v), to_segment(q + v, p, u), to_segment(q - v, p, u)});
    const Long3 n = u.cross(v), r = q - p;
    const long double s = r.cross(v).dot(n) / n.squaredNorm(), t = r.cross(u).dot(n) / n.squaredNorm();
    if (std::abs(s) <= 1 && std::abs(t) <= 1) best = std::min(best, std::abs(r.dot(n)) / n.norm());
    return best;
}

// Depth of two boxes by the fifteen axes of separation, 0 if one separates.
long double box_box_depth(const Mat3& RA, const Long3& a, const Mat3& RB, const Long3& b, const Long3& r) {
    std::vector<Long3> axes;
    for (int i = 0; i < 3; ++i) {
        axes.push_back(RA.col(i).cast<long double>());
        axes.push_back(RB.col(i).cast<long double>());
        for (int j = 0; j < 3; ++j)
            axes.push_back(
                Long3{RA.col(i).cast<long double>()}.cross(Long3{RB.col(j).cast<long double>()}).normalized());
    }
    long double depth = 1e9L;
    for (const Long3& n : axes) {
        const long double extent = (RA.transpose().cast<long double>() * n).cwiseAbs().dot(a) +
                                   (RB.transpose().cast<long double>() * n).cwiseAbs().dot(b);
        depth = std::min(depth, extent - std::abs(n.dot(r)));
    }
    return std::max(depth, 0.0L);
}

}  // namespace

TEST_CASE("the reference distance agrees with closed forms, apart and penetrating") {
    Random random{7};
    double worst = 0;
    const auto compare = [&](const ReferenceDistance& found, long double closed) {
        CHECK(found.gap < 1e-18);
        worst = std::max(worst, std::abs(static_cast<double>(static_cast<long double>(found.precise) - closed)));
    };
    for (int i = 0; i < 200; ++i) {
        const Mat3 R = random.rotation(), RB = random.rotation();
        const Vec3 p = random.uniform(0, 0.3) * random.direction();
        const Long3 local = R.transpose().cast<long double>() * p.cast<long double>();
        const ReferenceShape ball{Sphere{0.1}, 0, RB, p};
        const Box box{0.2, 0.16, 0.12};
        const Long3 half = Long3{0.2, 0.16, 0.12} / 2;
        compare(reference_distance(ReferenceShape{Sphere{0.2}, 0, R, Vec3::Zero()}, ball),
                p.cast<long double>().norm() - (0.2L * 0.5L + 0.05L));
        compare(reference_distance(ReferenceShape{box, 0, R, Vec3::Zero()}, ball), point_box(local, half) - 0.05L);
        compare(reference_distance(ReferenceShape{Cylinder{3, 0.2, 0.2}, 0, R, Vec3::Zero()}, ball),
                point_cylinder(local, 0.1L, 0.1L) - 0.05L);
        const ReferenceShape capsule{Capsule{2, 0.1, 0.1}, 0, RB, p};
        compare(reference_distance(ReferenceShape{Capsule{1, 0.1, 0.2}, 0, R, Vec3::Zero()}, capsule),
                segment_segment(Long3::Zero(), 0.1L * R.col(0).cast<long double>(), p.cast<long double>(),
                                0.05L * RB.col(1).cast<long double>()) -
                    0.1L);
        const auto boxes = reference_distance(ReferenceShape{box, 0, R, Vec3::Zero()}, ReferenceShape{box, 0, RB, p});
        const long double depth = box_box_depth(R, half, RB, half, p.cast<long double>());
        CHECK((boxes.distance < 0) == (depth > 0));
        if (depth > 0) compare(boxes, -depth);
    }
    CHECK(worst < 5e-16);  // closed forms rely on rotations; matrices of 16 digits are off by some 5e-16, times 0.4 m
}

TEST_CASE("smoothing keeps the outer size and rounds the edges of the reference") {
    const ReferenceShape ball{Sphere{0.02}, 0, Mat3::Identity(), {0.3, 0, 0}};
    const auto along_x = [&](const Shape& shape, double rho) {
        return reference_distance(ReferenceShape{shape, rho, Mat3::Identity(), Vec3::Zero()}, ball).distance;
    };
    for (const double rho : {0.0, 0.004, 1.0}) {
        CHECK(along_x(Box{0.2, 0.16, 0.12}, rho) == doctest::Approx(0.19).epsilon(1e-15));
        CHECK(along_x(Cylinder{1, 0.2, 0.3}, rho) == doctest::Approx(0.14).epsilon(1e-15));
        CHECK(along_x(Cylinder{3, 0.2, 0.3}, rho) == doctest::Approx(0.19).epsilon(1e-15));
        CHECK(along_x(Beam{1, 0.12, 0.08, 0.05}, rho) == doctest::Approx(0.19).epsilon(1e-15));
        CHECK(along_x(Beam{2, 0.12, 0.08, 0.05}, rho) == doctest::Approx(0.265).epsilon(1e-15));
        CHECK(along_x(Beam{3, 0.12, 0.08, 0.05}, rho) == doctest::Approx(0.25).epsilon(1e-15));
        CHECK(along_x(Cone{1, 0.2, 0.2, 0.1}, rho) == doctest::Approx(0.09).epsilon(1e-15));
    }
    // A ball in the tip of a cone touches the side: its centre is 1 / sin(half angle) radii below the apex.
    const double rho = 0.01, sine = std::sin(std::atan(0.5));
    CHECK(along_x(Cone{1, 0.2, 0.2}, rho) == doctest::Approx(0.09 + rho / sine - rho).epsilon(1e-14));
}
