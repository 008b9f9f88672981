// Values for hosts and renderers that use glm. The engine itself computes in double precision with Eigen.
#pragma once

#include <tactus/engine/math.hpp>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

namespace tactus {

inline glm::dvec3 to_glm(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

inline glm::dquat to_glm(const Quat& q) { return {q.w(), q.x(), q.y(), q.z()}; }

// Homogeneous matrix of a pose, column by column as glm and OpenGL have it.
inline glm::dmat4 to_glm(const Pose& X) {
    glm::dmat4 m = glm::mat4_cast(to_glm(X.q));
    m[3] = {to_glm(X.p), 1.0};
    return m;
}

}  // namespace tactus
