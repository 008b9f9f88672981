// Picture: a session as it is seen from a camera.
#pragma once

#include "demos/app/orbit.hpp"
#include "demos/app/stage.hpp"
#include "demos/app/type.hpp"

namespace demos::app {

// What the renderer needs to know of a session; shadows reach as far as the camera sees.
Renderer::Frame frame_of(const Session& session, const Stage& stage, const Orbit& orbit, int width, int height);

// Title and lesson in the upper left corner.
void draw_caption(Type& type, const Demo& demo, double time, int width, int height);

// A followed object in the picture.
struct Seen {
    std::string name;
    double x = 0.0, y = 0.0, radius = 0.0;  // [pixels] a circle around it
    int pixels = 0;                         // in which it is seen
};
std::vector<Seen> followed(Session& session, const Stage& stage, Renderer& renderer, const Renderer::Frame& frame);

}  // namespace demos::app
