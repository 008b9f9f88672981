// The integrators that a scene can ask for.
#pragma once

#include <array>
#include <string_view>

namespace tactus {

enum class Solver { CvodeBdf, CvodeAdams, Ida, ArkodeErk };

// In the order of the enumeration: in scene files, on the command line, in messages.
inline constexpr std::array solver_names{"cvode-bdf", "cvode-adams", "ida", "arkode-erk"};

constexpr std::string_view solver_name(Solver solver) { return solver_names[static_cast<std::size_t>(solver)]; }

}  // namespace tactus
