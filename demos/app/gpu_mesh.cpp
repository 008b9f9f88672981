#include "demos/app/gpu_mesh.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace demos::app {

using tactus::Vec3;

namespace {

template<class T> T* allocate(std::size_t count) {  // raylib frees it
    return static_cast<T*>(MemAlloc(static_cast<unsigned int>(count * sizeof(T))));
}

}  // namespace

// raylib's indices have 16 bits: larger surfaces go without.
GpuMesh::GpuMesh(const Surface& surface) {
    if (surface.triangles.empty()) return;
    constexpr double far = std::numeric_limits<double>::max();
    Vec3 low = Vec3::Constant(far), high = Vec3::Constant(-far);
    for (std::size_t i = 0; i < surface.vertices(); ++i)
        for (int k = 0; k < 3; ++k) {
            const double x = surface.positions[3 * i + static_cast<std::size_t>(k)];
            low[k] = std::min(low[k], x);
            high[k] = std::max(high[k], x);
        }
    center_ = 0.5 * (low + high);
    extent_ = (0.5 * (high - low)).cwiseMax(1e-6);

    const bool indexed = surface.vertices() <= 65535;
    const std::size_t count = indexed ? surface.vertices() : surface.triangles.size();
    mesh_.vertexCount = static_cast<int>(count);
    mesh_.triangleCount = static_cast<int>(surface.triangles.size() / 3);
    mesh_.vertices = allocate<float>(3 * count);
    mesh_.normals = allocate<float>(3 * count);
    if (indexed) {
        std::ranges::copy(surface.positions, mesh_.vertices);
        std::ranges::copy(surface.normals, mesh_.normals);
        mesh_.indices = allocate<unsigned short>(surface.triangles.size());
        std::ranges::transform(surface.triangles, mesh_.indices,
                               [](std::uint32_t i) { return static_cast<unsigned short>(i); });
    } else {
        for (std::size_t t = 0; t < count; ++t) {
            const std::size_t v = surface.triangles[t];
            std::copy_n(surface.positions.data() + 3 * v, 3, mesh_.vertices + 3 * t);
            std::copy_n(surface.normals.data() + 3 * v, 3, mesh_.normals + 3 * t);
        }
    }
    UploadMesh(&mesh_, false);
}

GpuMesh::~GpuMesh() {
    if (mesh_.vboId) UnloadMesh(mesh_);
}

GpuMesh::GpuMesh(GpuMesh&& other) noexcept
    : mesh_{std::exchange(other.mesh_, {})}, center_{other.center_}, extent_{other.extent_} {}

GpuMesh& GpuMesh::operator=(GpuMesh&& other) noexcept {
    std::swap(mesh_, other.mesh_);
    center_ = other.center_;
    extent_ = other.extent_;
    return *this;
}

Matrix to_matrix(const tactus::Pose& X, const Vec3& scale) {
    const tactus::Mat3 R = X.R() * scale.asDiagonal();
    const auto f = [](double x) { return static_cast<float>(x); };
    return {f(R(0, 0)), f(R(0, 1)), f(R(0, 2)), f(X.p.x()), f(R(1, 0)), f(R(1, 1)), f(R(1, 2)), f(X.p.y()),
            f(R(2, 0)), f(R(2, 1)), f(R(2, 2)), f(X.p.z()), 0,          0,          0,          1};
}

}  // namespace demos::app
