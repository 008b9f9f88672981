# tests/**/*.cpp make one program; every tests/<path>_test.cpp is the ctest entry <path> and runs what that file holds.
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" tests/*.cpp)
if(NOT test_sources)
    message(STATUS "Tests: none (no sources in tests/)")
    return()
endif()

add_executable(tactus_tests ${test_sources})
target_include_directories(tactus_tests PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(tactus_tests
    PRIVATE tactus::tactus doctest::doctest nlohmann_json::nlohmann_json tactus_warnings)
target_compile_definitions(tactus_tests PRIVATE
    TACTUS_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TACTUS_BINARY_DIR="${PROJECT_BINARY_DIR}")
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(tactus_tests PRIVATE -O1) # what is tested is optimised fully; the tests need not be
endif()
if(TARGET tactus_cli)
    target_compile_definitions(tactus_tests PRIVATE TACTUS_CLI="$<TARGET_FILE:tactus_cli>")
    add_dependencies(tactus_tests tactus_cli)
endif()

foreach(source IN LISTS test_sources)
    if(source MATCHES "^tests/(.*)_test\\.cpp$")
        set(name "${CMAKE_MATCH_1}")
        add_test(NAME "${name}" COMMAND tactus_tests "--source-file=*/${source}" --no-skip
            WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
        # doctest calls a run of zero test cases a success
        set_tests_properties("${name}" PROPERTIES FAIL_REGULAR_EXPRESSION "test cases: +0 ")
    endif()
endforeach()

# The program in the README: compiled and run as it stands there.
file(READ README.md readme)
string(REGEX MATCH "```cpp\n(.*#include <tactus/tactus.hpp>.*)\n```\n\nA call" found "${readme}")
if(NOT found)
    message(FATAL_ERROR "README.md: the program that the tests compile is not where it was")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS README.md)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/readme_program.cpp" CONTENT "${CMAKE_MATCH_1}" @ONLY)
add_executable(readme_program "${PROJECT_BINARY_DIR}/readme_program.cpp")
target_link_libraries(readme_program PRIVATE tactus::tactus tactus_warnings)
add_test(NAME readme COMMAND readme_program)
set_tests_properties(readme PROPERTIES PASS_REGULAR_EXPRESSION "rod.end +2 objects +1.257 kg")
