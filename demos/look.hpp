// What things look like in a demo, beyond what their scene says.
#pragma once

#include <array>
#include <string>

namespace demos {

enum class Pattern {
    plain,
    wood,
    cloth,
    checker,
    ball,
    bands
};  // ball: a billiard ball with Look::number; bands: of a top

struct Look {
    std::array<int, 3> color{200, 200, 200};  // red, green, blue 0..255
    double metal = 0.0;                       // 0 plastic, wood .. 1 metal
    double roughness = 0.35;                  // 0 mirror .. 1 matte
    Pattern pattern = Pattern::plain;
    int number = 0;      // of a ball; 0: the cue ball
    double alpha = 1.0;  // 1 opaque
};

// The look of all objects whose name begins with this; the first one that fits counts.
struct Dress {
    std::string prefix;
    Look look;
};

namespace looks {

inline constexpr std::array<std::array<int, 3>, 8> palette{{{231, 111, 81},
                                                            {42, 157, 143},
                                                            {233, 196, 106},
                                                            {69, 123, 157},
                                                            {168, 92, 147},
                                                            {129, 178, 154},
                                                            {244, 162, 97},
                                                            {230, 230, 222}}};

inline Look paint(std::size_t i, double roughness = 0.35) {
    return {.color = palette[i % palette.size()], .roughness = roughness};
}
inline Look wood(std::array<int, 3> color = {176, 124, 78}) {
    return {.color = color, .roughness = 0.5, .pattern = Pattern::wood};
}
inline Look steel() { return {.color = {200, 204, 210}, .metal = 1.0, .roughness = 0.22}; }
inline Look brass() { return {.color = {226, 178, 92}, .metal = 1.0, .roughness = 0.25}; }
inline Look dark_metal() { return {.color = {70, 74, 82}, .metal = 0.8, .roughness = 0.4}; }
inline Look glass() { return {.color = {170, 205, 220}, .roughness = 0.05, .alpha = 0.16}; }

}  // namespace looks

}  // namespace demos
