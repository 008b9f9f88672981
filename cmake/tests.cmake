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
