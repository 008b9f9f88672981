#include "benchmarks/dynamics/models.hpp"

#include <numbers>
#include <random>

namespace bench::dynamics {

namespace {

using tactus::Vec3;

// A bar that hangs down from its joint: a thin box, homogeneous.
Body bar(double length, double mass) {
    const double wide = 0.1 * length, across = length * length + wide * wide;
    Body body{.mass = mass, .com = {0, 0, -length / 2}};
    body.inertia.diagonal() = mass / 12 * Vec3{across, across, 2 * wide * wide};
    return body;
}

class Random {
public:
    double number() { return std::uniform_real_distribution<double>{-1, 1}(engine_); }
    Vec3 vector() {
        const double x = number(), y = number(), z = number();
        return {x, y, z};
    }

private:
    std::mt19937 engine_{1};
};

Body random_bar(Random& random, Joint joint, int axis) {
    Body body = bar(0.1, 0.1);
    body.joint = joint;
    body.axis = Vec3::Unit(axis);
    body.angle = random.number();
    body.spin = random.vector();
    return body;
}

}  // namespace

Model chain(int n, Joint joint) {
    Model model;
    Random random;
    for (int i = 0; i < n; ++i) {
        Body body = random_bar(random, joint, i % 2);
        body.parent = i - 1;
        if (i > 0) body.anchor = {0, 0, -0.1};
        model.bodies.push_back(body);
    }
    return model;
}

Model bushy(int n, Joint joint) {
    Model model;
    Random random;
    for (int i = 0; i < n; ++i) {
        Body body = random_bar(random, joint, i % 3);
        body.parent = i == 0 ? -1 : (i - 1) / 3;
        if (i > 0) body.anchor = {0.02 * (i % 3 - 1), 0, -0.1};
        model.bodies.push_back(body);
    }
    return model;
}

Model free_bodies(int n) {
    Model model;
    Random random;
    for (int i = 0; i < n; ++i) {
        Body body = random_bar(random, Joint::free, i % 3);
        body.anchor = {0.2 * i, 0, 0};
        body.velocity = random.vector();
        model.bodies.push_back(body);
    }
    return model;
}

Model double_pendulum() {
    Model model;
    model.bodies.assign(2, bar(1, 1));
    model.bodies[0].angle = -std::numbers::pi / 2;
    model.bodies[1].parent = 0;
    model.bodies[1].anchor = {0, 0, -1};
    return model;
}

Model hanging_chain() {
    Model model;
    for (int i = 0; i < 50; ++i) {
        Body body = bar(0.1, 0.1);
        body.parent = i - 1;
        body.axis = Vec3::Unit(i % 2 == 0 ? 1 : 0);
        if (i > 0) body.anchor = {0, 0, -0.1};
        if (i % 2 == 1) body.angle = 0.05;
        model.bodies.push_back(body);
    }
    model.bodies[0].angle = -std::numbers::pi / 2;
    return model;
}

}  // namespace bench::dynamics
