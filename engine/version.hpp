#pragma once

namespace tactus {

inline constexpr const char* version = "0.1.0";

}  // namespace tactus
