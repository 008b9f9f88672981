#include <tactus/engine/mpr/again.hpp>

#include <tactus/engine/mpr/lanes.hpp>
#include <tactus/engine/mpr/world_axes.hpp>

#include <array>
#include <cmath>
#include <utility>

namespace tactus::mpr {

namespace {

using V = V3<double>;

constexpr double level = 1e-12;  // [rad] what is closer to a flat contact has a middle to be found

// Axes of the first and of the second box, in order: 0-2 a face of the first, 3-5 of the second (then that is the first), 6-14
// edges. The one that they touch with comes first.
struct Order {
    std::uint8_t first[3], second[3];
};
constexpr std::array<Order, 15> orders = [] {
    std::array<Order, 15> all{};
    const auto from = [](std::uint8_t* order, int k) {
        for (int n = 0; n < 3; ++n) order[n] = static_cast<std::uint8_t>((k + n) % 3);
    };
    for (int axis = 0; axis < 15; ++axis) {
        Order& order = all[static_cast<std::size_t>(axis)];
        from(order.first, axis < 6 ? axis % 3 : (axis - 6) / 3);
        from(order.second, axis < 6 ? 0 : (axis - 6) % 3);
    }
    return all;
}();

// Two boxes by what they touch each other with: a face of the first, or an edge of each. Which of them is the first is looked
// up, not guessed.
struct Touch {
    const Order& order;
    bool of_b;  // the first one is B
    const CollisionShape* boxes[2];
    const Frame* frames[2];

    explicit Touch(const DistancePair& q)
        : order{orders[q.cache->axis]}, of_b{q.cache->axis >= 3 && q.cache->axis < 6}, boxes{q.A, q.B}, frames{q.X_WA,
                                                                                                               q.X_WB} {
    }
    const CollisionShape& first() const { return *boxes[of_b]; }
    const CollisionShape& second() const { return *boxes[!of_b]; }
    const Frame& X_first() const { return *frames[of_b]; }
    const Frame& X_second() const { return *frames[!of_b]; }
};

// Where they do, in world axes and relative to the centre of the first.
template<class T> struct BoxContact {
    V3<T> n, a;  // from the first to the second; the point of the first
    T distance;  // [m]
};

// T holds the numbers of one pair, or of several in its lanes.
template<class T> struct TwoBoxes {
    V3<T> axis1[3], axis2[3];  // of the first and of the second
    V3<T> p, d;                // [m] centre of the first, and from there to that of the second; all in world axes
    T half1[3], half2[3];      // [m]
    T R[3][3];                 // the axes of the second as those of the first see them

    TACTUS_ALWAYS_INLINE explicit TwoBoxes(const Touch* touch) {
        for (int k = 0; k < 3; ++k) {
            axis1[k] = vector([&](const Touch& t) { return t.X_first().R.data() + 3 * t.order.first[k]; }, touch);
            axis2[k] = vector([&](const Touch& t) { return t.X_second().R.data() + 3 * t.order.second[k]; }, touch);
            half1[k] = each<T>([&](int l) { return touch[l].first().half[touch[l].order.first[k]]; });
            half2[k] = each<T>([&](int l) { return touch[l].second().half[touch[l].order.second[k]]; });
        }
        p = vector([](const Touch& t) { return t.X_first().p.data(); }, touch);
        d = vector([](const Touch& t) { return t.X_second().p.data(); }, touch) - p;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) R[i][j] = dot(axis1[i], axis2[j]);
    }
    template<class F> TACTUS_ALWAYS_INLINE static V3<T> vector(F of, const Touch* touch) {
        return {each<T>([&](int l) { return of(touch[l])[0]; }), each<T>([&](int l) { return of(touch[l])[1]; }),
                each<T>([&](int l) { return of(touch[l])[2]; })};
    }

    // A vertex of the second on the first face of the first. In which lanes it is.
    TACTUS_ALWAYS_INLINE auto vertex_on_face(BoxContact<T>& contact) const {
        const T x = R[0][0], y = R[0][1], z = R[0][2], height = dot(axis1[0], d), sign = copysign(T{1.0}, height);
        contact.n = sign * axis1[0];
        contact.distance = abs(height) - (half1[0] + half2[0] * abs(x) + half2[1] * abs(y) + half2[2] * abs(z));
        const V3<T> vertex = d - copysign(half2[0], sign * x) * axis2[0] - copysign(half2[1], sign * y) * axis2[1] -
                             copysign(half2[2], sign * z) * axis2[2];
        contact.a = vertex - contact.distance * contact.n;
        return (abs(dot(vertex, axis1[1])) <= half1[1]) & (abs(dot(vertex, axis1[2])) <= half1[2]) &
               (T{level} < min(min(abs(x), abs(y)), abs(z)));
    }

    // The first edges of both.
    TACTUS_ALWAYS_INLINE auto edge_on_edge(BoxContact<T>& contact) const {
        const V3<T>&u = axis1[0], &v = axis2[0], across = cross(u, v);
        const T sine2 = norm2(across), uv = R[0][0];
        const V3<T> n = copysign(T{1.0} / sqrt(sine2), dot(across, d)) * across;
        const T slope1 = dot(n, axis1[1]), slope2 = dot(n, axis1[2]), slope3 = dot(n, axis2[1]),
                slope4 = dot(n, axis2[2]);
        // From the centres to the middles of the edges, that of the second backwards.
        const V3<T> to_first = copysign(half1[1], slope1) * axis1[1] + copysign(half1[2], slope2) * axis1[2];
        const V3<T> to_second = copysign(half2[1], slope3) * axis2[1] + copysign(half2[2], slope4) * axis2[2];
        const V3<T> from = d - (to_first + to_second);
        const T du = dot(from, u), dv = dot(from, v), t = (uv * du - dv) / sine2, s = du + t * uv;
        contact.n = n;
        contact.a = to_first + s * u;
        contact.distance = dot(from, n);
        const T flattest = min(min(abs(slope1), abs(slope2)), min(abs(slope3), abs(slope4)));
        return (T{1e-4} <= sine2) & (abs(s) <= half1[0]) & (abs(t) <= half2[0]) & (T{level} < flattest);
    }

    // Whether no other of the fifteen directions (three faces each, nine pairs of edges) separates them by more than `gap`,
    // which is negative.
    TACTUS_ALWAYS_INLINE auto is_largest(T gap) const {
        const T gap2 = gap * gap;
        T Q[3][3], e[3];
        for (int i = 0; i < 3; ++i) {
            e[i] = dot(axis1[i], d);
            for (int j = 0; j < 3; ++j) Q[i][j] = abs(R[i][j]);
        }
        T least{1e300};  // depth of the faces
        for (int i = 0; i < 3; ++i) {
            least = min(least, half1[i] + half2[0] * Q[i][0] + half2[1] * Q[i][1] + half2[2] * Q[i][2] - abs(e[i]));
            least = min(least, half2[i] + half1[0] * Q[0][i] + half1[1] * Q[1][i] + half1[2] * Q[2][i] -
                                   abs(dot(axis2[i], d)));
        }
        T more{1e300};  // square of what edges are deep, more than that of the gap
        for (int i = 0; i < 3; ++i) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            for (int j = 0; j < 3; ++j) {
                const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
                const T sine2 = R[i1][j] * R[i1][j] + R[i2][j] * R[i2][j];
                const T reach =
                    half1[i1] * Q[i2][j] + half1[i2] * Q[i1][j] + half2[j1] * Q[i][j2] + half2[j2] * Q[i][j1];
                const T depth = reach - abs(e[i2] * R[i1][j] - e[i1] * R[i2][j]);  // times the sine
                more = min(more, depth * abs(depth) - gap2 * sine2);
            }
        }
        return (-gap <= least) & (T{} <= more);
    }
};

// In which lanes the boxes still touch, or are closest, where the cache says; all with edges, or all with a face.
template<class T, bool edges>
TACTUS_ALWAYS_INLINE unsigned again(const DistancePair* const* pairs, SignedDistance* const* results) {
    const auto touch = [&]<std::size_t... l>(std::index_sequence<l...>) {
        return std::array<Touch, sizeof...(l)>{Touch{*pairs[l]}...};
    }
    (std::make_index_sequence<lanes<T>>{});
    const auto of = [&](auto value) {
        return each<T>([&](int l) { return value(touch[static_cast<std::size_t>(l)]); });
    };
    const TwoBoxes<T> boxes{touch.data()};
    BoxContact<T> contact;
    const auto there = edges ? boxes.edge_on_edge(contact) : boxes.vertex_on_face(contact);
    const auto apart = T{} <= contact.distance;
    unsigned proven = bits(there & apart);
    if (bits(there & !apart) != 0) {
        const T slack = T{1e-14} * (boxes.half1[0] + boxes.half1[1] + boxes.half1[2] + boxes.half2[0] + boxes.half2[1] +
                                    boxes.half2[2]);
        proven |= bits(there & boxes.is_largest(min(contact.distance + slack, T{})));
    }
    // On the surfaces, which are around the cores.
    const T radius1 = of([](const Touch& t) { return t.first().radius; });
    const T radius2 = of([](const Touch& t) { return t.second().radius; });
    const V3<T> on_first = boxes.p + (contact.a + radius1 * contact.n);
    const V3<T> on_second = boxes.p + (contact.a + (contact.distance - radius2) * contact.n);
    const T distance = contact.distance - radius1 - radius2;
    for (int l = 0; l < lanes<T>; ++l) {
        if (!(proven >> l & 1)) continue;
        SignedDistance& result = *results[l];
        const bool of_b = touch[static_cast<std::size_t>(l)].of_b;
        Vec3* const points[] = {&result.point1, &result.point2};
        const auto put = [](const V& v, Vec3& to) { to[0] = v.x, to[1] = v.y, to[2] = v.z; };
        result.distance = lane(distance, l);
        put((of_b ? -1.0 : 1.0) * lane(contact.n, l), result.normal);
        put(lane(on_first, l), *points[of_b]);
        put(lane(on_second, l), *points[!of_b]);
        result.guarantee = Guarantee::exact;
        result.iterations = 0;
    }
    return proven;
}

}  // namespace

bool boxes_again(const DistancePair& pair, SignedDistance& result) {
    const DistancePair* const pairs[] = {&pair};
    SignedDistance* const results[] = {&result};
    return pair.cache->axis >= 6 ? again<double, true>(pairs, results) : again<double, false>(pairs, results);
}

TACTUS_NEWER_TOO unsigned boxes_again(const DistancePair* const (&pairs)[2], SignedDistance* const (&results)[2]) {
    return pairs[0]->cache->axis >= 6 ? again<Two, true>(pairs, results) : again<Two, false>(pairs, results);
}

bool box_corners_again(const DistancePair& pair, const DistanceOptions& options, SignedDistance& result) {
    const CollisionShape &A = *pair.A, &B = *pair.B;
    const Frame &X_WA = *pair.X_WA, &X_WB = *pair.X_WB;
    const PairCache& cache = *pair.cache;
    const int last = cache.vertices - 1;
    const Feature differ_a = cache.closest_A[0] ^ cache.closest_A[last],
                  differ_b = cache.closest_B[0] ^ cache.closest_B[last];
    if (last > 1 || (differ_a && differ_b)) return false;
    const Feature edge = differ_a | differ_b;
    if (edge & (edge - 1)) return false;
    const double scale = A.size + B.size, tolerance = options.tolerance * scale;
    const auto corner = [](const CollisionShape& s, Feature f) {
        return V{f & 1 ? -s.half[0] : s.half[0], f & 2 ? -s.half[1] : s.half[1], f & 4 ? -s.half[2] : s.half[2]};
    };
    const V origin = between(X_WA.p, X_WB.p);  // relative to that of A, in world axes
    V a = turned(X_WA.R, corner(A, cache.closest_A[0]));
    V d = origin + turned(X_WB.R, corner(B, cache.closest_B[0])) - a;
    if (edge) {  // from that corner to the place on the edge
        const int i = static_cast<int>(edge >> 1);
        const CollisionShape& s = differ_a ? A : B;
        const V u = column(differ_a ? X_WA.R : X_WB.R, i);
        const Feature f = differ_a ? cache.closest_A[0] : cache.closest_B[0];
        const double along = differ_a ? dot(d, u) : -dot(d, u), place = f & edge ? along : -along;
        if (!(place >= 0 && place <= 2 * s.half[i])) return false;
        if (differ_a) a = a + along * u;
        d = differ_a ? d - along * u : d + along * u;
    }
    const double up = norm(d);
    if (!(up > 32 * tolerance)) return false;
    const V n = (1 / up) * d;
    // Nothing of either box lies beyond the planes through the points.
    double reach = 0;
    for (int i = 0; i < 3; ++i)
        reach += A.half[i] * std::abs(dot(n, column(X_WA.R, i))) + B.half[i] * std::abs(dot(n, column(X_WB.R, i)));
    if (!(up - (dot(n, origin) - reach) <= tolerance)) return false;
    set_result(A, B, X_WA.p, a, n, up, result);
    result.iterations = 0;
    return true;
}

}  // namespace tactus::mpr
