# tests/**/*.cpp make one program; every tests/<path>_test.cpp is the ctest entry <path> and runs what that file holds.
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" tests/*.cpp)
list(FILTER test_sources EXCLUDE REGEX "^tests/demos/window/") # a program of its own, see below
if(NOT TARGET tactus_app OR NOT TARGET SDL2::SDL2)
    list(REMOVE_ITEM test_sources tests/demos/window_test.cpp)
endif()
if(NOT test_sources)
    message(STATUS "Tests: none (no sources in tests/)")
    return()
endif()

add_executable(tactus_tests ${test_sources})
target_include_directories(tactus_tests PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(tactus_tests
    PRIVATE tactus::tactus tactus_demos tactus_scenes doctest::doctest nlohmann_json::nlohmann_json tactus_warnings)
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

# Every demo is drawn for two seconds without a display, as a test of its own, so that they run side by side.
if(TARGET tactus_app AND TARGET tactus_cli)
    target_compile_definitions(tactus_tests PRIVATE TACTUS_APP)
    file(GLOB demo_files CONFIGURE_DEPENDS demos/*.cpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${demo_files})
    foreach(file IN LISTS demo_files)
        file(STRINGS "${file}" lines REGEX "^ +\\.name = \"[a-z0-9_]+\",$")
        foreach(line IN LISTS lines)
            string(REGEX MATCH "\"(.*)\"" _ "${line}")
            set(demo "${CMAKE_MATCH_1}")
            add_test(NAME "demo/${demo}" COMMAND tactus_tests "--source-file=*/tests/demos/picture_test.cpp" --no-skip
                "--test-case=a picture*" WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
            set_tests_properties("demo/${demo}" PROPERTIES ENVIRONMENT "TACTUS_DEMO=${demo}" LABELS demos
                FAIL_REGULAR_EXPRESSION "test cases: +0 " SKIP_REGULAR_EXPRESSION "SKIPPED: no OpenGL")
        endforeach()
    endforeach()
endif()

# The window is driven by a program that has demos of its own and pushes events of SDL.
if(TARGET tactus_app AND TARGET SDL2::SDL2)
    file(GLOB window_sources CONFIGURE_DEPENDS tests/demos/window/*.cpp)
    add_executable(tactus_window ${window_sources})
    target_include_directories(tactus_window PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(tactus_window PRIVATE tactus_app tactus_demos raylib SDL2::SDL2 tactus_warnings)
    target_compile_definitions(tactus_tests PRIVATE TACTUS_WINDOW="$<TARGET_FILE:tactus_window>")
    add_dependencies(tactus_tests tactus_window)
    set_tests_properties(demos/window PROPERTIES LABELS demos SKIP_REGULAR_EXPRESSION "SKIPPED: no OpenGL")
endif()

# Whoever opens a window tells LeakSanitizer which leaks are not ours; other builds do not read this.
if(TARGET tactus_app)
    get_property(all_tests DIRECTORY PROPERTY TESTS)
    list(FILTER all_tests INCLUDE REGEX "^demos?/")
    set_property(TEST ${all_tests} APPEND PROPERTY ENVIRONMENT
        "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/third_party_leaks.txt:print_suppressions=0")
endif()

# Programs in the documentation: compiled and run as they stand there. The first ```cpp block of a file that includes
# <tactus/tactus.hpp>; its output must match.
function(tactus_documented_program name file pattern)
    file(READ "${file}" text)
    string(FIND "${text}" "```cpp\n#include <tactus/tactus.hpp>" begin)
    if(begin EQUAL -1)
        message(FATAL_ERROR "${file}: the program that the tests compile is not where it was")
    endif()
    math(EXPR begin "${begin} + 7")
    string(SUBSTRING "${text}" ${begin} -1 text)
    string(FIND "${text}" "\n```" end)
    string(SUBSTRING "${text}" 0 ${end} program)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/${name}_program.cpp" CONTENT "${program}\n" @ONLY)
    add_executable(${name}_program "${PROJECT_BINARY_DIR}/${name}_program.cpp")
    target_link_libraries(${name}_program PRIVATE tactus::tactus tactus_warnings)
    add_test(NAME ${name} COMMAND ${name}_program)
    set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "${pattern}")
endfunction()
tactus_documented_program(readme README.md "lowest at t = 0.2941850[0-9]+ s.*lowest at t = 0.882555[0-9]+ s.*energy changed by")
tactus_documented_program(docs_motion docs/motion.md "motor  t = 1.000000 s.*axle .*energy balance")
tactus_documented_program(docs_drives docs/drives.md
    "at t = 0.500 s.*at t = 1.500 s.*shoulder 0.93750 rad, elbow -0.4[67].*at t = 2.500 s.*back at t = 3.500 s")
tactus_documented_program(docs_contact docs/contact.md "touch at t = 0.451523641 s with 4.429447 m/s.*apart after")
tactus_documented_program(docs_variable_structure docs/variable_structure.md
    "caught at t = 0.425000000 s, 1.500 J lost.*let go.*momentum changed by (0e.00|[0-9]e-1[4-9]).*26 states from t = 0.000.*13 states from t = 0.425.*26 states from t = 0.925")
tactus_documented_program(docs_narrow_phase docs/narrow_phase.md "distance 0.0123")
