#include "demos/app/type.hpp"

#include "demos/app/embedded_fonts.hpp"

#include <cmath>
#include <span>
#include <sstream>

namespace demos::app {

namespace {

// What the font has: Latin, Greek, and a few signs (demos/app/fonts/OFL.txt).
std::vector<int> codepoints() {
    std::vector<int> all;
    const auto add = [&](int first, int last) {
        for (int c = first; c <= last; ++c) all.push_back(c);
    };
    add(0x20, 0x7e);
    add(0xa0, 0xff);
    add(0x391, 0x3c9);
    add(0x2190, 0x2193);
    for (const int c : {0x2013, 0x2014, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2026, 0x2032, 0x207b, 0x2212, 0x221a,
                        0x221e, 0x2248, 0x2260, 0x2264, 0x2265, 0x25b6})
        all.push_back(c);
    return all;
}

}  // namespace

Type::~Type() {
    for (const auto& [key, font] : fonts_) UnloadFont(font);
    if (digits_.id) UnloadRenderTexture(digits_);
}

const Font& Type::font(float size, Weight weight) {
    const std::pair key{static_cast<int>(std::lround(size)), weight};
    const auto known = fonts_.find(key);
    if (known != fonts_.end()) return known->second;
    static std::vector<int> codes = codepoints();
    const std::span<const unsigned char> data = weight == Weight::bold ? fonts::bold() : fonts::regular();
    Font font = LoadFontFromMemory(".otf", data.data(), static_cast<int>(data.size()), key.first, codes.data(),
                                   static_cast<int>(codes.size()));
    return fonts_.emplace(key, font).first->second;
}

void Type::draw(const std::string& text, float x, float y, float size, Color color, Weight weight) {
    const Font& f = font(size, weight);
    DrawTextEx(f, text.c_str(), {std::round(x), std::round(y)}, static_cast<float>(f.baseSize), 0, color);
}

float Type::width(const std::string& text, float size, Weight weight) {
    const Font& f = font(size, weight);
    return MeasureTextEx(f, text.c_str(), static_cast<float>(f.baseSize), 0).x;
}

std::vector<std::string> Type::wrap(const std::string& text, float size, float room, Weight weight) {
    const auto fits = [&](const std::string& t) { return width(t, size, weight) <= room; };
    std::vector<std::string> lines;
    std::istringstream paragraphs{text};
    for (std::string paragraph; std::getline(paragraphs, paragraph);) {
        std::string line;
        std::istringstream words{paragraph};
        for (std::string word; words >> word;) {
            const std::string longer = line.empty() ? word : line + " " + word;
            if (fits(longer)) {
                line = longer;
                continue;
            }
            if (!line.empty()) lines.push_back(line);
            for (line = word;
                 !line.empty() && !fits(line);) {  // a word that is wider than the room, such as the path of a file
                const std::string head = fitting_head(line, size, room, weight);
                lines.push_back(head);
                line.erase(0, head.size());
            }
        }
        lines.push_back(line);
    }
    return lines;
}

// As many characters as fit, at least one.
std::string Type::fitting_head(const std::string& text, float size, float room, Weight weight) {
    const auto after = [&text](std::size_t at) {  // the next character begins
        do ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
        return at;
    };
    std::size_t end = after(0);
    for (std::size_t next = end; next < text.size(); end = next) {
        next = after(end);
        if (width(text.substr(0, next), size, weight) > room) break;
    }
    return text.substr(0, end);
}

std::string Type::shorten(const std::string& text, float size, float room) {
    if (width(text, size) <= room) return text;
    std::string cut = text;
    while (!cut.empty() && width(cut + "…", size) > room) {
        do cut.pop_back();
        while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xc0) == 0x80);
    }
    return cut + "…";
}

Texture2D Type::digits() {
    if (digits_.id) return digits_.texture;
    constexpr int cell = 128;
    digits_ = LoadRenderTexture(4 * cell, 4 * cell);
    BeginTextureMode(digits_);
    ClearBackground(BLACK);
    for (int i = 0; i < 16; ++i) {
        const std::string text = std::to_string(i);
        // The texture is upside down: rows from below.
        const float x = static_cast<float>(i % 4 * cell) + 0.5f * (cell - width(text, 84, Weight::bold));
        const float y = static_cast<float>((3 - i / 4) * cell) + 0.5f * (cell - 84);
        draw(text, x, y, 84, WHITE, Weight::bold);
    }
    EndTextureMode();
    GenTextureMipmaps(&digits_.texture);
    SetTextureFilter(digits_.texture, TEXTURE_FILTER_TRILINEAR);
    return digits_.texture;
}

}  // namespace demos::app
