# tests/**/*.cpp make one program; every tests/<path>_test.cpp is the ctest entry <path> and runs what that file holds.
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" tests/*.cpp)
list(FILTER test_sources EXCLUDE REGEX "^tests/demos/window/") # a program of its own, see below
list(FILTER test_sources EXCLUDE REGEX "^tests/engine/entt/refused/") # must not compile, see below
if(NOT TARGET tactus_app OR NOT TARGET SDL2::SDL2)
    list(REMOVE_ITEM test_sources tests/demos/window_test.cpp)
endif()
if(NOT test_sources)
    message(STATUS "Tests: none (no sources in tests/)")
    return()
endif()

# Some of them only: those whose ctest entries match. What the others need is not built then.
set(TACTUS_TESTS_ONLY "" CACHE STRING "Regular expression of the tests that are built; empty: all")
if(TACTUS_TESTS_ONLY)
    list(FILTER test_sources INCLUDE REGEX "^tests/((${TACTUS_TESTS_ONLY})_test|main|support/.*)\\.cpp$")
endif()

add_executable(tactus_tests ${test_sources})
set_target_properties(tactus_tests PROPERTIES UNITY_BUILD OFF) # each has scenes and numbers of its own
if(CMAKE_UNITY_BUILD) # they share what they include instead
    target_precompile_headers(tactus_tests PRIVATE <tactus/tactus.hpp> <doctest/doctest.h>)
    set_source_files_properties(tests/main.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON) # makes doctest itself
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(tactus_tests PRIVATE -fpch-preprocess) # as ccache wants it
    endif()
endif()
target_include_directories(tactus_tests PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(tactus_tests
    PRIVATE tactus_inside tactus_scenes doctest::doctest nlohmann_json::nlohmann_json tactus_warnings)
if(test_sources MATCHES "tests/demos/")
    target_link_libraries(tactus_tests PRIVATE tactus_demos)
endif()
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
        set(label unit)
        if(name MATCHES "^reference/")
            set(label reference)
        elseif(name MATCHES "^demos/")
            set(label demos)
        endif()
        # doctest calls a run of zero test cases a success
        set_tests_properties("${name}" PROPERTIES LABELS ${label} FAIL_REGULAR_EXPRESSION "test cases: +0 ")
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
if(TARGET tactus_app AND TARGET SDL2::SDL2 AND NOT TACTUS_TESTS_ONLY)
    file(GLOB window_sources CONFIGURE_DEPENDS tests/demos/window/*.cpp)
    add_executable(tactus_window ${window_sources})
    set_target_properties(tactus_window PROPERTIES UNITY_BUILD OFF) # raylib and the library both have a Color
    target_include_directories(tactus_window PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(tactus_window PRIVATE tactus_app tactus_demos raylib SDL2::SDL2 tactus_warnings)
    target_compile_definitions(tactus_tests PRIVATE TACTUS_WINDOW="$<TARGET_FILE:tactus_window>")
    add_dependencies(tactus_tests tactus_window)
    set_tests_properties(demos/window PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED: no OpenGL")
endif()

# Whoever opens a window tells LeakSanitizer which leaks are not ours; other builds do not read this.
if(TARGET tactus_app AND NOT TACTUS_TESTS_ONLY)
    get_property(all_tests DIRECTORY PROPERTY TESTS)
    list(FILTER all_tests INCLUDE REGEX "^demos?/")
    set_property(TEST ${all_tests} APPEND PROPERTY ENVIRONMENT
        "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/third_party_leaks.txt:print_suppressions=0")
endif()

if(TACTUS_TESTS_ONLY)
    return()
endif()

# -- What must not compile: the stand-in of EnTT refuses what EnTT refuses ----------------------------------------------
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    set(all_errors "-fmax-errors=0|-ftemplate-backtrace-limit=0")
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        set(all_errors "-ferror-limit=0|-ftemplate-backtrace-limit=0")
    endif()
    set(refused_includes "$<TARGET_PROPERTY:EnTT::EnTT,INTERFACE_INCLUDE_DIRECTORIES>"
        "$<TARGET_PROPERTY:doctest::doctest,INTERFACE_INCLUDE_DIRECTORIES>")
    set(refused_includes "$<FILTER:${refused_includes},EXCLUDE,^/usr/include/?$>") # the compiler knows where it comes
    add_test(NAME engine/entt/refused COMMAND "${CMAKE_COMMAND}" "-DCOMPILER=${CMAKE_CXX_COMPILER}"
        "-DFLAGS=-std=c++20|-Wall|-Wextra|-Werror|${all_errors}|-I${PROJECT_SOURCE_DIR}|-isystem|$<JOIN:${refused_includes},|-isystem|>"
        "-DSOURCE=${PROJECT_SOURCE_DIR}/tests/engine/entt/refused/refused.cpp"
        -P "${PROJECT_SOURCE_DIR}/tests/engine/entt/refused/refused.cmake")
    set_tests_properties(engine/entt/refused PROPERTIES LABELS unit)
endif()

# -- Documentation -----------------------------------------------------------------------------------------------------
# tactus_documented(<file> <pattern>...): every ```cpp block of a page is a whole program and is compiled and run as it
# stands there; what it prints must match its pattern. Every ```json block that is a whole scene must run, too.
function(tactus_documented file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    cmake_path(GET file STEM LAST_ONLY page)
    string(TOLOWER "${page}" page)
    set(number 0)
    set(patterns ${ARGN})
    foreach(language IN ITEMS cpp json)
        file(READ "${file}" rest)
        while(TRUE)
            string(FIND "${rest}" "```${language}\n" begin)
            if(begin EQUAL -1)
                break()
            endif()
            string(LENGTH "```${language}\n" fence)
            math(EXPR begin "${begin} + ${fence}")
            string(SUBSTRING "${rest}" ${begin} -1 rest)
            string(FIND "${rest}" "\n```" end)
            string(SUBSTRING "${rest}" 0 ${end} block)
            math(EXPR number "${number} + 1")
            set(name "docs_${page}_${number}")
            if(language STREQUAL "cpp")
                list(POP_FRONT patterns pattern)
                if(NOT pattern)
                    message(FATAL_ERROR "${file}: program ${number} has no pattern in cmake/tests.cmake")
                endif()
                file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/docs/${name}.cpp" CONTENT "${block}\n" @ONLY)
                add_executable(${name} "${PROJECT_BINARY_DIR}/docs/${name}.cpp")
                target_link_libraries(${name} PRIVATE tactus::tactus tactus_warnings)
                add_test(NAME docs/${page}/${number} COMMAND ${name})
                set_tests_properties(docs/${page}/${number} PROPERTIES PASS_REGULAR_EXPRESSION "${pattern}" LABELS unit)
            elseif(block MATCHES "^{" AND TARGET tactus_cli)
                file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/docs/${name}.json" CONTENT "${block}\n" @ONLY)
                add_test(NAME docs/${page}/${number} COMMAND tactus_cli run "${PROJECT_BINARY_DIR}/docs/${name}.json" --final)
                set_tests_properties(docs/${page}/${number} PROPERTIES LABELS unit)
            endif()
        endwhile()
    endforeach()
    if(patterns)
        message(FATAL_ERROR "${file}: programs are missing that the tests compile")
    endif()
endfunction()

tactus_documented(README.md "lowest at t = 0.2941850[0-9]+ s.*lowest at t = 0.882555[0-9]+ s.*energy changed by")
tactus_documented(docs/components_and_systems.md "ball is not collidable, 10 points.*ball: 0.5 kg.*world is the world.*ball moves freely.*box moves, too")
tactus_documented(docs/contact.md "touch at t = 0.451523641 s with 4.429447 m/s.*apart after")
tactus_documented(docs/determinism.md "1 workers: the same bits.*2 workers: the same bits.*4 workers: the same bits")
tactus_documented(docs/drives.md
    "at t = 0.500 s.*at t = 1.500 s.*shoulder 0.93750 rad, elbow -0.4[67].*at t = 2.500 s.*back at t = 3.500 s")
tactus_documented(docs/embedding.md "crate hit at t = 0.2[0-9]+ s.*crate hit at t = .*[0-9]+ points left, 2 solids")
tactus_documented(docs/getting_started.md "bounce at t = 0.451523641 s.*t = 1.000 s  z = 0\\.[0-9]+ m")
tactus_documented(docs/integrators.md "cvode-bdf +1e-04: error.*arkode-erk +1e-08: error [0-9.]+e-0[89]")
tactus_documented(docs/motion.md "motor  t = 1.000000 s.*axle .*energy balance")
tactus_documented(docs/narrow_phase.md "distance 0.0123")
tactus_documented(docs/scene_files.md)
tactus_documented(docs/variable_structure.md
    "caught at t = 0.425000000 s, 1.500 J lost.*let go.*momentum changed by (0e.00|[0-9]e-1[4-9]).*26 states from t = 0.000.*13 states from t = 0.425.*26 states from t = 0.925")
file(GLOB pages CONFIGURE_DEPENDS docs/*.md)
get_property(known DIRECTORY PROPERTY CMAKE_CONFIGURE_DEPENDS)
foreach(page IN LISTS pages)
    file(STRINGS "${page}" code REGEX "^```cpp")
    cmake_path(RELATIVE_PATH page BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    if(code AND NOT page IN_LIST known)
        message(FATAL_ERROR "${page} has programs that cmake/tests.cmake does not know")
    endif()
endforeach()

# -- The package, as others use it -------------------------------------------------------------------------------------
get_property(fetched_builds GLOBAL PROPERTY TACTUS_FETCHED_BUILDS)
if(TACTUS_INSTALL AND NOT fetched_builds AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT BUILD_SHARED_LIBS)
    foreach(kind IN ITEMS static shared)
        add_test(NAME package/${kind} COMMAND "${CMAKE_COMMAND}" -DKIND=${kind} "-DSOURCE=${PROJECT_SOURCE_DIR}"
            "-DBUILD=${PROJECT_BINARY_DIR}" "-DPREFIXES=${CMAKE_PREFIX_PATH}" "-DWORK=${PROJECT_BINARY_DIR}/package/${kind}"
            "-DENTT=${TACTUS_ENTT}" "-DENTT_SOURCE=${FETCHCONTENT_SOURCE_DIR_ENTT}"
            -P "${PROJECT_SOURCE_DIR}/tests/package/package.cmake")
        set_tests_properties(package/${kind} PROPERTIES LABELS package TIMEOUT 1800)
    endforeach()
endif()
