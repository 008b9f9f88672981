// A direction that turns about an axis, c w + r (C e1 + S e2) with the cosine C and the sine S of an angle, and what it sees
// of two patches that are points or rims: the support function of A - B is then a formula of two numbers, without vectors.
#pragma once

#include <tactus/engine/mpr/patch.hpp>

namespace tactus::mpr {

template<class T> class Turning {
public:
    // w and e1 are unit vectors across each other; c^2 + r^2 = 1.
    Turning(const V3<T>& w, const T& c, const V3<T>& e1, const T& r, const Patch<T>& a, const Patch<T>& b)
        : w_{w}, e1_{e1}, e2_{cross(w, e1)}, c_{c}, r_{r} {
        const V3<T> k = a.center() - b.center();
        k1_ = r * dot(k, e1_), k2_ = r * dot(k, e2_);
        if (a.is_rim()) add(a);
        if (b.is_rim()) add(b);
    }

    V3<T> direction() const { return renormalized(c_ * w_ + (r_ * cosine_) * e1_ + (r_ * sine_) * e2_); }

    // Derivatives of the support function by the angle.
    void derivatives(T& first, T& second, T& third) const {
        using std::sqrt;
        first = cosine_ * k2_ - sine_ * k1_;
        second = -(cosine_ * k1_ + sine_ * k2_);
        third = -first;
        for (int i = 0; i < count_; ++i) {
            const Rim& rim = rims_[i];
            // Direction times axis, its change with the angle, and the square of what is across the axis: no small
            // difference of large numbers.
            const T turned = cosine_ * rim.r1 + sine_ * rim.r2, along = rim.cw + turned;
            const T change = cosine_ * rim.r2 - sine_ * rim.r1;
            const T x = sine_ * rim.rw - rim.c2, y = rim.c1 - cosine_ * rim.rw;
            const T across2 = change * change + x * x + y * y;
            if (!(across2 > T(0))) continue;
            const T f = T(1) / sqrt(across2), q = f * change, u = along * q, bend = along * turned - q * q;
            first = first - rim.radius * u;
            second = second + rim.radius * f * bend;
            third = third + rim.radius * f * (f * (u * bend - T(2) * q * (u * q - turned)) + change * (turned + along));
        }
    }

    // Turns on by an angle, by the tangent of half of it: no root.
    void turn(const T& angle) {
        const T half = T(0.5) * angle, f = T(1) / (T(1) + half * half);
        const T cosine = f * (T(1) - half * half), sine = f * angle, before = cosine_;
        cosine_ = cosine * before - sine * sine_;
        sine_ = cosine * sine_ + sine * before;
    }

private:
    // The axis of a rim, along w, e1 and e2: times c, or times r.
    struct Rim {
        T radius, cw, c1, c2, rw, r1, r2;
    };

    void add(const Patch<T>& patch) {
        const V3<T> v{dot(patch.axis(), w_), dot(patch.axis(), e1_), dot(patch.axis(), e2_)};
        rims_[count_++] = {patch.radius(), c_ * v.x, c_ * v.y, c_ * v.z, r_ * v.x, r_ * v.y, r_ * v.z};
    }

    V3<T> w_, e1_, e2_;
    T c_, r_, cosine_ = T(1), sine_{};
    T k1_, k2_;  // [m] between the centres
    Rim rims_[2];
    int count_ = 0;
};

}  // namespace tactus::mpr
