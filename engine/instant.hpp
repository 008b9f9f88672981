// Instant: the motion of a World at one point in time, as zero-crossing functions see it.
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/components/motion.hpp>
#include <tactus/engine/export.hpp>
#include <tactus/engine/math.hpp>
#include <tactus/engine/spatial.hpp>

namespace tactus {

namespace systems {
class Island;
}

// Valid during the call that it is given to. Vectors are in world axes.
class TACTUS_API Instant {
public:
    explicit Instant(systems::Island& island) : island_{island} {}

    double time() const;                      // [s]
    Pose pose(Entity object) const;           // of its frame in the world
    Twist velocity(Entity object) const;      // [rad/s], [m/s] of its origin
    Twist acceleration(Entity object) const;  // [rad/s^2], [m/s^2] of its origin
    JointState state(Entity joint) const;     // of a joint, or of a free object relative to its parent
    Wrench joint_wrench(Entity joint) const;  // [N m], [N] that the joint (or the free object's parent) exerts on the
                                              // super-object that it carries, at the origin of that one's root

private:
    systems::Island& island_;
};

}  // namespace tactus
