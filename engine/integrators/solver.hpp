// The integrators that a scene can ask for.
#pragma once

#include <string_view>

namespace tactus {

enum class Solver { CvodeBdf, CvodeAdams, Ida, ArkodeErk };

std::string_view solver_name(Solver solver);  // "cvode-bdf", ...

}  // namespace tactus
