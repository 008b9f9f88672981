// Orientations and directions as their author wrote them, so that a saved scene says what the loaded one said.
#pragma once

#include <tactus/engine/math.hpp>

#include <optional>

namespace tactus {

// An orientation, written as Cardan angles (x, then new y, then new z, [rad]) or as a unit quaternion.
class Rotation {
public:
    Rotation() = default;
    Rotation(double ax, double ay, double az) : angles_{ax, ay, az} {}
    Rotation(const Vec3& angles_xyz) : angles_{angles_xyz} {}
    Rotation(const Quat& q) : quaternion_{q} {}

    const std::optional<Quat>& given_quaternion() const { return quaternion_; }  // set if written as a quaternion
    const Vec3& given_angles() const { return angles_; }                         // [rad] else
    Quat q() const { return quaternion_ ? Quat{quaternion_->normalized()} : from_cardan_xyz(angles_); }

    friend bool operator==(const Rotation& a, const Rotation& b) {
        if (a.quaternion_.has_value() != b.quaternion_.has_value()) return false;
        return a.quaternion_ ? a.quaternion_->coeffs() == b.quaternion_->coeffs() : a.angles_ == b.angles_;
    }

private:
    Vec3 angles_ = Vec3::Zero();
    std::optional<Quat> quaternion_;
};

// A direction, written as a coordinate axis (1, 2, 3 or -1, -2, -3) or as any vector that is not zero.
class Axis {
public:
    Axis(int coordinate = 3) : coordinate_{coordinate} {}
    Axis(const Vec3& direction) : coordinate_{0}, direction_{direction} {}
    Axis(double x, double y, double z) : Axis{Vec3{x, y, z}} {}

    int given_coordinate() const { return coordinate_; }  // 0 if written as a vector
    const Vec3& given_direction() const { return direction_; }
    Vec3 unit() const {
        if (coordinate_ == 0) return direction_.normalized();
        Vec3 e = Vec3::Zero();
        e[std::abs(coordinate_) - 1] = coordinate_ > 0 ? 1.0 : -1.0;
        return e;
    }

    friend bool operator==(const Axis& a, const Axis& b) {
        return a.coordinate_ == b.coordinate_ && (a.coordinate_ != 0 || a.direction_ == b.direction_);
    }

private:
    int coordinate_ = 3;
    Vec3 direction_ = Vec3::UnitZ();
};

}  // namespace tactus
