// UTF-8: what every text must be before it can go into a scene file.
#pragma once

#include <cstddef>
#include <string_view>

namespace tactus {

// Bytes of the UTF-8 character that starts at i; 0 if none does (RFC 3629: no surrogates, shortest form only).
std::size_t utf8_length(std::string_view text, std::size_t i);

bool is_utf8(std::string_view text);

// Whether a UTF-8 text holds what nobody sees in a name: control characters, no-break and other spaces that look like
// the plain one, marks of no width. The plain space is not meant.
bool has_unseen_characters(std::string_view text);

}  // namespace tactus
