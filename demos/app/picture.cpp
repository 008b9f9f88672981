#include "demos/app/picture.hpp"

#include <cmath>
#include <cstdio>

namespace demos::app {

using tactus::Vec3;

Renderer::Frame frame_of(const Session& session, const Stage& stage, const Orbit& orbit, int width, int height) {
    Renderer::Frame frame;
    frame.items = stage.items();
    frame.camera = orbit.camera(width, height);
    frame.backdrop = session.demo.backdrop;
    frame.ground = session.demo.ground;
    frame.center = orbit.target;
    frame.radius = 2.1 * orbit.distance * std::tan(orbit.angle * 3.14159265358979 / 360.0);
    frame.width = width;
    frame.height = height;
    return frame;
}

void draw_caption(Type& type, const Demo& demo, double time, int width, int height) {
    if (height < 200) return;
    const float u = static_cast<float>(height) / 720.0f, left = 34 * u, room = static_cast<float>(width) - 2 * left;
    const bool dark = demo.backdrop == Backdrop::night;
    const Color ink = dark ? Color{238, 240, 246, 255} : Color{28, 30, 34, 255};
    const Color soft = dark ? Color{190, 196, 210, 255} : Color{78, 82, 90, 255};
    const float small = std::max(11.0f, 19 * u), large = std::max(15.0f, 34 * u);
    const std::vector<std::string> lines = type.wrap(demo.lesson, small, std::min(0.8f * room, 720 * u));
    float y = 24 * u;
    type.draw(demo.title, left, y, large, ink, Weight::bold);
    y += 1.3f * large;
    for (const std::string& line : lines) {
        type.draw(line, left, y, small, soft);
        y += 1.35f * small;
    }
    char clock[32];
    std::snprintf(clock, sizeof clock, "%.3f s", time);
    type.draw(clock, static_cast<float>(width) - left - type.width(clock, small), 34 * u, small, soft);
}

std::vector<Seen> followed(Session& session, const Stage& stage, Renderer& renderer, const Renderer::Frame& frame) {
    std::vector<Seen> all;
    if (!session.world()) return all;
    tactus::World& world = *session.world();
    const std::vector<int> pixels = renderer.visible_pixels(frame);
    for (const std::string& name : session.demo.follow) {
        Seen seen{name};
        const tactus::Entity object = world.find(name);
        const bool itself = object != entt::null && stage.ball_around(object).radius > 0.0;
        bool first = true;
        Vec3 low, high;
        for (std::size_t i = 0; i < stage.entities().size(); ++i) {
            const tactus::Entity e = stage.entities()[i];
            if (e == entt::null || !(itself ? e == object : world.name(e).starts_with(name + "."))) continue;
            seen.pixels += pixels[i];
            const Stage::Ball ball = stage.ball_around(e);
            const Vec3 r = Vec3::Constant(ball.radius / std::sqrt(3.0));
            low = first ? Vec3{ball.center - r} : Vec3{low.cwiseMin(ball.center - r)};
            high = first ? Vec3{ball.center + r} : Vec3{high.cwiseMax(ball.center + r)};
            first = false;
        }
        if (!first) {
            const Vec3 center = 0.5 * (low + high), eye = from_raylib(frame.camera.position);
            const Vector2 at = GetWorldToScreenEx(to_raylib(center), frame.camera, frame.width, frame.height);
            seen.x = at.x;
            seen.y = at.y;
            const double focal = 0.5 * frame.height / std::tan(frame.camera.fovy * 3.14159265358979 / 360.0);
            seen.radius = focal * 0.5 * (high - low).norm() / (center - eye).norm();
        }
        all.push_back(seen);
    }
    return all;
}

}  // namespace demos::app
