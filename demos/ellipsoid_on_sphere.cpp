#include "demos/scenes/ellipsoid_on_sphere.hpp"
#include "demos/demo.hpp"

static const demos::Register ellipsoid_on_sphere{{
    .name = "ellipsoid_on_sphere",
    .title = "Ellipsoid on a sphere",
    .lesson = "Two curved surfaces meet in one point; where it lies is found to the last digits of a double.",
    .look_for = "Each bounce turns spin into jumps and back: no two of them are alike.",
    .order = 40,
    .view = {.eye = {2.2, -5.95, 3.1}, .target = {0, 0, 0.62}},
    .ground = -0.1,
    .picture_at = 0.9,
    .follow = {"ellipsoid", "globe"},
    .parameters = {{"spin", 1.0, -3.0, 3.0, 0.25}, {"offset [m]", 0.0, -0.4, 0.4, 0.02}},
    .build =
        [](demos::Set& set) {
            scenes::ellipsoid_on_sphere(set.world, {.spin = set.value("spin"), .offset = set.value("offset [m]")});
            set.looks = {{"ellipsoid", {.color = {236, 186, 82}, .roughness = 0.2, .pattern = demos::Pattern::bands}},
                         {"globe", {.color = {52, 92, 125}, .roughness = 0.25, .pattern = demos::Pattern::checker}},
                         {"fence", demos::looks::glass()},
                         {"dish", {.color = {188, 190, 186}, .roughness = 0.6}}};
        },
}};
