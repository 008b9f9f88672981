// Narrow phase: the signed distance of two convex shapes, exact in metres.
//
// Positive apart, zero touching, negative penetrating: then it is minus the length of the shortest translation that
// separates the shapes (the thesis, definitions 4.8 to 4.10 and 6.1).
#pragma once

#include <tactus/engine/export.hpp>
#include <tactus/engine/math.hpp>
#include <tactus/engine/shapes/collision_shape.hpp>

#include <cstdint>
#include <span>

namespace tactus {

// Pose of a shape's local axes B in the world.
struct Frame {
    Mat3 R = Mat3::Identity();  // R_WB
    Vec3 p = Vec3::Zero();      // [m] p_WB

    Frame() = default;
    Frame(const Mat3& R_WB, const Vec3& p_WB) : R{R_WB}, p{p_WB} {}
    explicit Frame(const Pose& X_WB) : R{X_WB.R()}, p{X_WB.p} {}
};

// What is known about a result.
enum class Guarantee : std::uint8_t {
    exact,        // true distance, or true penetration depth, within the tolerance
    local,        // penetrating; no shorter translation nearby separates the shapes, but one in another direction might
    upper_bound,  // the distance (or depth) is at most this one; the sign is right
    sign_only,    // rounding or the iteration limit stopped the search; the value is the best found
};

struct SignedDistance {
    double distance = 0.0;         // [m]
    Vec3 normal = Vec3::UnitX();   // unit vector from the first to the second shape, world axes
    Vec3 point1 = Vec3::Zero();    // [m] on the first shape's surface, world axes: point2 - point1 = distance * normal
    Vec3 point2 = Vec3::Zero();    // [m] on the second shape's surface
    std::uint16_t iterations = 0;  // support points of the Minkowski difference that were computed
    Guarantee guarantee = Guarantee::exact;
};

struct DistanceOptions {
    double tolerance = 1e-14;  // relative to the size of the pair (mprTol of the seeds)
    int max_iterations = 120;  // of each phase (mprIterMax)
    // Penetration relative to the size of the smaller shape up to which the shortest translation of all is sought. Where
    // curved shapes are deeper in each other, the first locally shortest one is taken.
    double exact_depth = 0.1;
};

// What a pair may keep from one query to the next, so that a query on slightly moved shapes is several times cheaper.
// Start with an empty one for each ordered pair of shapes; what it holds never changes a result beyond the tolerance.
struct alignas(64) PairCache {
    // What it knows: nothing; closest features of shapes that are apart or touch by less than their smallest radius of
    // curvature; a polytope; the normal of two smooth cores; which faces or edges of two boxes are closest.
    enum class State : std::uint8_t { empty, apart, penetrating, smooth, boxes };
    static constexpr int max_vertices = 20, max_faces = 36;

    // First what most queries need: one line of the processor's cache.
    State state = State::empty;
    bool inner = false;         // the first vertex is the inner point r0
    std::uint8_t vertices = 0;  // closest features of shapes that are apart; or of the polytope
    union {
        std::uint8_t faces = 0;  // of the polytope
        std::uint8_t axis;       // boxes: where they are closest; 0-2 a face of A, 3-5 of B, 6-14 edges
    };
    float normal[3] = {}, point[3] = {};       // last normal, and [m] contact point of the first core; in its core axes
    float normal_B[3] = {};                    // the normal against that, in the core axes of the second
    std::uint32_t closest_A[3], closest_B[3];  // features where the shapes are closest, or touched by the least depth

    // Where curved shapes penetrate: directions that are not near the normal had at least the depth `clearance` ...
    float clearance = 0;  // [m]
    // ... when this turned and placed the second core's axes in those of the first.
    float R[9], p[3];

    // A polytope in A - B around the origin, for shapes that penetrate: features of its vertices, their points where the
    // shape is curved, and its faces.
    std::uint32_t feature_A[max_vertices], feature_B[max_vertices];
    float point_A[max_vertices][3], point_B[max_vertices][3];  // [m] in the core axes of A and of B
    std::uint8_t face[max_faces][3];
};

TACTUS_API SignedDistance signed_distance(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B,
                                          const Frame& X_WB, const DistanceOptions& options = {},
                                          PairCache* cache = nullptr);

// Many pairs: results[i] belongs to pairs[i], whatever thread computes it. Allocates nothing.
struct DistancePair {
    const CollisionShape *A, *B;
    const Frame *X_WA, *X_WB;
    PairCache* cache = nullptr;
};
TACTUS_API void signed_distances(std::span<const DistancePair> pairs, std::span<SignedDistance> results,
                                 const DistanceOptions& options = {});

}  // namespace tactus
