// Soft depth: the contact depth of two solids with edges and faces, as long as their middles do not cross.
#pragma once

#include <tactus/engine/mpr/contact_depth.hpp>

namespace tactus::mpr {

ContactDepth soft_depth(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                        const SignedDistance& closest, DepthCache::Plane* cache);

// From the plane that was there, which follows the two. False if it has not led to one.
bool soft_depth_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                      DepthCache::Plane& cache, ContactDepth& result);

}  // namespace tactus::mpr
