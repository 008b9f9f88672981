#include <tactus/engine/mpr/closed_forms.hpp>

#include <tactus/engine/mpr/foot.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::mpr {

namespace {

using V = V3<double>;

// Two segments: places s and t on them, from the middle, and whether they are at an end.
struct OnSegments {
    double s = 0, t = 0;
    bool end_a = false, end_b = false;
};

// Where they are closest. A lies along x, B along v; `rest` is 1 - v.x^2, without loss.
OnSegments closest_places(const Pair<double>& pair, const V& v, double rest) {
    const double la = pair.A.half[0], lb = pair.B.half[0], k = v.x;
    OnSegments on;
    on.t = rest > 0 ? -(pair.p.y * v.y + pair.p.z * v.z) / rest : 0;  // of the lines
    on.end_b = !(std::abs(on.t) < lb);
    on.t = std::clamp(on.t, -lb, lb);
    on.s = pair.p.x + k * on.t;
    on.end_a = !(std::abs(on.s) < la);
    if (!on.end_a) return on;
    on.s = std::clamp(on.s, -la, la);
    on.t = k * on.s - dot(pair.p, v);
    on.end_b = !(std::abs(on.t) < lb);
    on.t = std::clamp(on.t, -lb, lb);
    return on;
}

// The middle of where they lie side by side, if they do and it is as close as any other place.
bool middle_places(const Pair<double>& pair, const V& v, OnSegments& on) {
    const double la = pair.A.half[0], lb = pair.B.half[0];
    const double low = std::max(pair.p.x - lb, -la), high = std::min(pair.p.x + lb, la);
    if (!(low < high)) return false;
    on = {.s = 0.5 * (low + high)};
    on.t = std::clamp(v.x * (on.s - pair.p.x), -lb, lb);
    const double y = pair.p.y + on.t * v.y, z = pair.p.z + on.t * v.z;
    return std::abs(y * v.y + z * v.z) * lb <= 1e-14 * pair.scale * std::sqrt(y * y + z * z);
}

void segments(const Pair<double>& pair, Contact<double>& contact) {
    const V v{pair.R.row[0].x, pair.R.row[1].x, pair.R.row[2].x};  // direction of B; that of A is x
    const double rest = v.y * v.y + v.z * v.z;
    OnSegments on;
    const bool parallel = rest <= 1e-14 && middle_places(pair, v, on);
    if (!parallel) on = closest_places(pair, v, rest);
    contact.a = {on.s, 0, 0};
    contact.b = pair.p + on.t * v;
    // What lies between is across a segment, unless it begins at an end of it, and then does not point back along it.
    // Rounding must not tilt it, however small it is.
    V d = contact.b - contact.a;
    bool crossing = !on.end_a && !on.end_b;
    if (!on.end_a) {
        d.x = 0;
        if (on.end_b) crossing = dot(d, v) * on.t >= 0;
    } else if (!on.end_b) {
        d = d - dot(d, v) * v;
        crossing = d.x * on.s <= 0;
    } else if (d.x * on.s < 0) {
        d.x = 0;
    } else if (dot(d, v) * on.t > 0) {
        d = d - dot(d, v) * v;
    }
    contact.distance = norm(d);
    // Where they cross, the cross product is uncertain by 1 / sin of their angle, and d by 1 / length: the better one.
    const V across{0, -v.z, v.y};
    if (crossing && !parallel && rest > 0 && norm2(d) <= rest * pair.scale * pair.scale) {
        contact.n = ((dot(d, across) < 0 ? -1 : 1) / std::sqrt(rest)) * across;
        contact.distance = dot(d, contact.n);
    } else {
        contact.n = over(d, contact.distance, rest > 0 ? (1 / std::sqrt(rest)) * across : V{0, 1, 0});
    }
}

double component(const V& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }
void set(V& v, int i, double value) { (i == 0 ? v.x : i == 1 ? v.y : v.z) = value; }

}  // namespace

bool point_form(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                SignedDistance& result) {
    const bool point_a = A.kind == CoreKind::point, point_b = B.kind == CoreKind::point;
    if (!point_a && !point_b) return false;
    const Vec3 d = X_WB.p - X_WA.p;
    result.iterations = 0;
    result.guarantee = Guarantee::exact;
    if (point_a && point_b) {
        const double length = d.norm();
        result.distance = length - A.radius - B.radius;
        result.normal = length > 0 ? Vec3{d / length} : Vec3::UnitX();
        result.point1 = X_WA.p + A.radius * result.normal;
        result.point2 = X_WB.p - B.radius * result.normal;
        return true;
    }
    // The other shape, in its core axes.
    const CollisionShape& s = point_a ? B : A;
    if (!has_foot(s)) return false;
    const Frame& X = point_a ? X_WB : X_WA;
    const double sign = point_a ? -1 : 1;
    const int x = s.axis, y = x == 2 ? 0 : x + 1, z = y == 2 ? 0 : y + 1;
    Foot foot;
    foot_of(s, {sign * X.R.col(x).dot(d), sign * X.R.col(y).dot(d), sign * X.R.col(z).dot(d)}, foot);
    const auto turned = [&](const V& v) { return Vec3{v.x * X.R.col(x) + v.y * X.R.col(y) + v.z * X.R.col(z)}; };
    const Vec3 out = turned(foot.n);
    const Vec3 on_shape = X.p + turned(foot.point) + s.radius * out;
    const Vec3 on_ball = (point_a ? X_WA.p : X_WB.p) - (point_a ? A.radius : B.radius) * out;
    result.distance = foot.distance - A.radius - B.radius;
    result.normal = sign * out;
    result.point1 = point_a ? on_ball : on_shape;
    result.point2 = point_a ? on_shape : on_ball;
    return true;
}

void segment_segment(const Pair<double>& pair, Contact<double>& contact) {
    contact.guarantee = Guarantee::exact;
    segments(pair, contact);
}

namespace {

// A polygon of up to eight corners, cut by half spaces.
struct Polygon {
    V corner[12];
    int count = 0;

    // Keeps what lies at x_i * sign <= limit.
    void cut(int i, double sign, double limit) {
        V kept[12];
        int n = 0;
        for (int k = 0; k < count; ++k) {
            const V &p = corner[k], &q = corner[(k + 1) % count];
            if (count == 2 && k == 1) {  // the way back along an edge
                if (sign * component(p, i) <= limit) kept[n++] = p;
                break;
            }
            const double dp = sign * component(p, i) - limit, dq = sign * component(q, i) - limit;
            if (dp <= 0) kept[n++] = p;
            if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) kept[n++] = p + (dp / (dp - dq)) * (q - p);
        }
        std::copy(kept, kept + n, corner);
        count = n;
    }

    V middle() const {
        V sum, center;
        double area = 0;
        for (int k = 0; k < count; ++k) sum = sum + corner[k];
        const V mean = (1.0 / count) * sum;
        V normal;
        for (int k = 0; k < count; ++k) normal = normal + cross(corner[k] - mean, corner[(k + 1) % count] - mean);
        for (int k = 0; k < count; ++k) {
            const V &p = corner[k], &q = corner[(k + 1) % count];
            const double a = dot(normal, cross(p - mean, q - mean));
            area += a;
            center = center + (a / 3) * (p + q - 2.0 * mean);
        }
        return area > 0 ? mean + (1 / area) * center : mean;
    }
};

struct BoxBox {
    const Pair<double>& pair;
    double R[3][3], p[3], q[3];  // q: A's origin seen from B, negative, in B's axes

    explicit BoxBox(const Pair<double>& given) : pair{given} {
        const V back = pair.R.transposed_times(pair.p);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) R[i][j] = component(pair.R.row[i], j);
            p[i] = component(pair.p, i);
            q[i] = component(back, i);
        }
    }

    // The point of `other` that lies deepest below the face of `face` (index i, side `sign`), in the axes of `face`; in
    // the middle of where they overlap if an edge or a face of it is parallel.
    // turn(i, j): component i (of the axes of `face`) of axis j of `other`; origin: of `other`.
    template<class Turn>
    static V deepest(const Vec3& face, const Vec3& other, int i, double sign, const V& origin, Turn turn) {
        V vertex = origin;
        int level[3], levels = 0;
        for (int j = 0; j < 3; ++j) {
            const double slope = sign * turn(i, j);
            if (std::abs(slope) < 1e-12) {
                level[levels++] = j;
                continue;
            }
            const double side = slope > 0 ? -other[j] : other[j];
            vertex = vertex + side * V{turn(0, j), turn(1, j), turn(2, j)};
        }
        if (levels == 0) return vertex;
        Polygon polygon;
        const auto corner = [&](double s, double t) {
            V c = vertex;
            const int j = level[0], k = level[levels - 1];
            c = c + s * other[j] * V{turn(0, j), turn(1, j), turn(2, j)};
            if (levels > 1) c = c + t * other[k] * V{turn(0, k), turn(1, k), turn(2, k)};
            return c;
        };
        if (levels == 1)
            polygon.corner[0] = corner(-1, 0), polygon.corner[1] = corner(1, 0), polygon.count = 2;
        else
            polygon.corner[0] = corner(-1, -1), polygon.corner[1] = corner(1, -1), polygon.corner[2] = corner(1, 1),
            polygon.corner[3] = corner(-1, 1), polygon.count = 4;
        const V whole = polygon.middle();
        for (int k = 0; k < 3; ++k)
            if (k != i) {
                polygon.cut(k, 1, face[k]);
                if (polygon.count > 0) polygon.cut(k, -1, face[k]);
                if (polygon.count == 0) return whole;
            }
        return polygon.middle();
    }

    bool solve(Contact<double>& contact, int& axis) const {
        const Vec3 &a = pair.A.half, &b = pair.B.half;
        double Q[3][3];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) Q[i][j] = std::abs(R[i][j]);
        double best = -1e300, sign = 1;
        axis = 0;
        for (int i = 0; i < 3; ++i) {
            const double s = std::abs(p[i]) - (a[i] + b[0] * Q[i][0] + b[1] * Q[i][1] + b[2] * Q[i][2]);
            if (s > best) best = s, axis = i, sign = p[i] < 0 ? -1 : 1;
        }
        for (int j = 0; j < 3; ++j) {
            const double s = std::abs(q[j]) - (b[j] + a[0] * Q[0][j] + a[1] * Q[1][j] + a[2] * Q[2][j]);
            if (s > best) best = s, axis = 3 + j, sign = q[j] < 0 ? -1 : 1;
        }
        const double prefer = 1e-14 * pair.scale;  // a face rather than edges that say the same
        for (int i = 0; i < 3; ++i) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            for (int j = 0; j < 3; ++j) {
                const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
                const double length2 = R[i1][j] * R[i1][j] + R[i2][j] * R[i2][j];
                if (length2 < 1e-16) continue;  // parallel edges: their faces decide
                const double t = p[i2] * R[i1][j] - p[i1] * R[i2][j];
                const double reach = a[i1] * Q[i2][j] + a[i2] * Q[i1][j] + b[j1] * Q[i][j2] + b[j2] * Q[i][j1];
                const double gap = std::abs(t) - reach;
                // gap / length > best, without the root where it cannot be
                if (best >= 0 ? gap <= 0 || gap * gap <= best * best * length2
                              : gap < 0 && gap * gap >= best * best * length2)
                    continue;
                const double s = gap / std::sqrt(length2);
                if (s > best + prefer) best = s, axis = 6 + 3 * i + j, sign = t < 0 ? -1 : 1;
            }
        }
        contact.distance = best;
        contact.guarantee = Guarantee::exact;
        if (axis < 3) {
            contact.n = {};
            set(contact.n, axis, sign);
            contact.b = deepest(a, b, axis, sign, pair.p, [this](int i, int j) { return R[i][j]; });
            contact.a = contact.b;
            set(contact.a, axis, sign * a[axis]);
            return contains(pair.A, contact.a, 1e-13 * pair.scale);
        } else if (axis < 6) {
            const int j = axis - 3;
            const V n{R[0][j], R[1][j], R[2][j]};
            contact.n = sign * n;
            // Seen from B, whose face looks towards A: against the normal.
            const V back{-q[0], -q[1], -q[2]};
            const V deep = deepest(b, a, j, -sign, back, [this](int i, int k) { return R[k][i]; });
            V on_face = deep;
            set(on_face, j, -sign * b[j]);
            contact.a = pair.R * deep + pair.p;
            contact.b = pair.R * on_face + pair.p;
            return contains(pair.B, on_face, 1e-13 * pair.scale);
        } else {
            const int i = (axis - 6) / 3, j = (axis - 6) % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            V n;
            set(n, i1, -R[i2][j]);
            set(n, i2, R[i1][j]);
            n = (sign / norm(n)) * n;
            contact.n = n;
            V ca, cb = pair.p;  // middles of the edges
            set(ca, i1, component(n, i1) < 0 ? -a[i1] : a[i1]);
            set(ca, i2, component(n, i2) < 0 ? -a[i2] : a[i2]);
            for (int k = 0; k < 3; ++k) {
                if (k == j) continue;
                const V axis_k{R[0][k], R[1][k], R[2][k]};
                cb = cb + (dot(n, axis_k) > 0 ? -b[k] : b[k]) * axis_k;
            }
            V u, v{R[0][j], R[1][j], R[2][j]};
            set(u, i, 1);
            // By cross products, and the second place from the first: edges that are all but parallel lose nothing.
            const V d = cb - ca, across = cross(u, v);
            const double s = dot(cross(d, v), across) / norm2(across), t = dot(s * u - d, v);
            contact.distance = dot(d, n);
            contact.a = ca + s * u;
            contact.b = cb + t * v;
            const double slack = 1e-12 * pair.scale;
            return std::abs(s) <= a[i] + slack && std::abs(t) <= b[j] + slack;
        }
    }
};

}  // namespace

bool box_box(const Pair<double>& pair, Contact<double>& contact, int& axis) {
    return BoxBox{pair}.solve(contact, axis);
}

}  // namespace tactus::mpr
