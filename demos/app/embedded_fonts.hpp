// The font files of demos/app/fonts, compiled in by cmake/embed_binary.cmake.
#pragma once

#include <span>

namespace demos::app::fonts {

std::span<const unsigned char> regular();
std::span<const unsigned char> bold();

}  // namespace demos::app::fonts
