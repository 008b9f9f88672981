// The programs that run on the graphics processor (OpenGL 3.3).
#pragma once

namespace demos::app::shaders {

extern const char* const surface_vertex;    // solids, and the studio's floor
extern const char* const surface_fragment;  // light, soft shadows, materials
extern const char* const depth_fragment;    // into the shadow map
extern const char* const flat_fragment;     // one colour: what is where
extern const char* const screen_fragment;   // backdrop behind everything
extern const char* const final_fragment;    // from the large picture to the screen

}  // namespace demos::app::shaders
