// A surface in the memory of the graphics processor.
#pragma once

#include "demos/session/surface.hpp"

#include <raylib.h>

namespace demos::app {

class GpuMesh {
public:
    GpuMesh() = default;
    explicit GpuMesh(const Surface& surface);
    ~GpuMesh();
    GpuMesh(GpuMesh&& other) noexcept;
    GpuMesh& operator=(GpuMesh&& other) noexcept;

    bool empty() const { return mesh_.vertexCount == 0; }
    const Mesh& mesh() const { return mesh_; }
    tactus::Vec3 center() const { return center_; }  // [m] of its box, in its own axes
    tactus::Vec3 extent() const { return extent_; }  // [m] half lengths of its box

private:
    Mesh mesh_{};
    tactus::Vec3 center_ = tactus::Vec3::Zero(), extent_ = tactus::Vec3::Ones();
};

Matrix to_matrix(const tactus::Pose& X, const tactus::Vec3& scale = tactus::Vec3::Ones());
inline Vector3 to_raylib(const tactus::Vec3& v) {
    return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}
inline tactus::Vec3 from_raylib(const Vector3& v) { return {v.x, v.y, v.z}; }

}  // namespace demos::app
