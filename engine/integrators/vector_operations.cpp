#include <tactus/engine/integrators/vector_operations.hpp>

#include <cmath>
#include <cstddef>

namespace tactus::sundials {

namespace {

struct View {
    double* values;
    std::size_t size;

    explicit View(N_Vector v) : values{N_VGetArrayPointer(v)}, size{static_cast<std::size_t>(N_VGetLength(v))} {}
    double& operator[](std::size_t i) const { return values[i]; }
};

void linear_sum(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
    const View X{x}, Y{y}, Z{z};
    if (a == 1.0)
        for (std::size_t i = 0; i < Z.size; ++i) Z[i] = X[i] + b * Y[i];
    else if (b == 1.0)
        for (std::size_t i = 0; i < Z.size; ++i) Z[i] = a * X[i] + Y[i];
    else
        for (std::size_t i = 0; i < Z.size; ++i) Z[i] = a * X[i] + b * Y[i];
}

void scale(double a, N_Vector x, N_Vector z) {
    const View X{x}, Z{z};
    if (a == 1.0) {
        if (X.values != Z.values)
            for (std::size_t i = 0; i < Z.size; ++i) Z[i] = X[i];
        return;
    }
    for (std::size_t i = 0; i < Z.size; ++i) Z[i] = a * X[i];
}

void constant(double a, N_Vector z) {
    const View Z{z};
    for (std::size_t i = 0; i < Z.size; ++i) Z[i] = a;
}

double weighted_norm(N_Vector x, N_Vector w) {
    const View X{x}, W{w};
    double sums[4] = {};  // four at once: one waits for the other else
    std::size_t i = 0;
    for (; i + 4 <= X.size; i += 4)
        for (std::size_t k = 0; k < 4; ++k) {
            const double value = X[i + k] * W[i + k];
            sums[k] += value * value;
        }
    for (; i < X.size; ++i) sums[0] += X[i] * W[i] * X[i] * W[i];
    return std::sqrt((sums[0] + sums[1] + sums[2] + sums[3]) / static_cast<double>(X.size));
}

// z = sum of c_k x_k; z may be the first of the x.
int linear_combination(int count, double* c, N_Vector* x, N_Vector z) {
    const View Z{z};
    if (count == 1) {
        scale(c[0], x[0], z);
        return 0;
    }
    linear_sum(c[0], x[0], c[1], x[1], z);
    for (int k = 2; k < count; ++k) {
        const View X{x[k]};
        const double a = c[k];
        for (std::size_t i = 0; i < Z.size; ++i) Z[i] += a * X[i];
    }
    return 0;
}

// z_k = a_k x + y_k
int scale_add_multi(int count, double* a, N_Vector x, N_Vector* y, N_Vector* z) {
    for (int k = 0; k < count; ++k) linear_sum(a[k], x, 1.0, y[k], z[k]);
    return 0;
}

}  // namespace

void use_own_operations(N_Vector v) {
    v->ops->nvlinearsum = linear_sum;
    v->ops->nvscale = scale;
    v->ops->nvconst = constant;
    v->ops->nvwrmsnorm = weighted_norm;
    v->ops->nvlinearcombination = linear_combination;
    v->ops->nvscaleaddmulti = scale_add_multi;
}

}  // namespace tactus::sundials
