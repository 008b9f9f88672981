// Type: text in the project's font, sharp at every size.
#pragma once

#include <raylib.h>

#include <map>
#include <string>
#include <vector>

namespace demos::app {

enum class Weight { regular, bold };

class Type {
public:
    ~Type();

    // Sizes are heights of a line's letters in pixels; (x, y) is the upper left corner of the line.
    void draw(const std::string& text, float x, float y, float size, Color color, Weight weight = Weight::regular);
    float width(const std::string& text, float size, Weight weight = Weight::regular);
    std::vector<std::string> wrap(const std::string& text, float size, float width, Weight weight = Weight::regular);
    std::string shorten(const std::string& text, float size, float width);  // with an ellipsis if it is too long

    Texture2D digits();  // numbers 0 to 15 in four rows of four, white on black: for balls

private:
    std::map<std::pair<int, Weight>, Font> fonts_;
    RenderTexture2D digits_{};

    const Font& font(float size, Weight weight);
    std::string fitting_head(const std::string& text, float size, float room, Weight weight);
};

}  // namespace demos::app
