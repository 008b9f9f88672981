# How the project's own code is compiled. `tactus_warnings` is linked PRIVATE, so nothing of it reaches a host's code.
include_guard(GLOBAL)

add_library(tactus_warnings INTERFACE)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(tactus_warnings INTERFACE
        -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Werror
        -Wno-missing-field-initializers # designated initializers name only what matters
        -fno-math-errno                 # nobody asks errno after a square root
        -ffp-contract=off)              # same results whether or not the processor has fused multiply-add
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(tactus_warnings INTERFACE -Wno-restrict) # GCC 12 warns of "a" + std::string by mistake
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_FLAGS MATCHES "sanitize")
        target_compile_options(tactus_warnings INTERFACE -Wno-maybe-uninitialized) # by mistake, in instrumented code
    endif()
    if(TACTUS_NATIVE)
        target_compile_options(tactus_warnings INTERFACE -march=native)
    endif()
endif()

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_CXX_EXTENSIONS OFF)
    if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
        find_program(TACTUS_CCACHE ccache DOC "Compiler cache; empty to build without")
        if(TACTUS_CCACHE)
            set(CMAKE_C_COMPILER_LAUNCHER "${TACTUS_CCACHE}")
            # Precompiled headers are cached, too, only if told so.
            set(CMAKE_CXX_COMPILER_LAUNCHER
                "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${TACTUS_CCACHE}")
        endif()
    endif()
endif()
