#include "demos/app/embedded_fonts.hpp"

extern const unsigned char tactus_font_regular[], tactus_font_bold[];
extern const unsigned long tactus_font_regular_size, tactus_font_bold_size;

namespace demos::app::fonts {

std::span<const unsigned char> regular() { return {tactus_font_regular, tactus_font_regular_size}; }
std::span<const unsigned char> bold() { return {tactus_font_bold, tactus_font_bold_size}; }

}  // namespace demos::app::fonts
