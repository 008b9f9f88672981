# Demos. What they show knows no graphics library and is always built; the window and the pictures need raylib.
#   -DTACTUS_DEMOS=AUTO (if raylib is found), ON (an error if not), OFF
set(TACTUS_DEMOS AUTO CACHE STRING "Show demos with raylib: AUTO, ON or OFF")
set_property(CACHE TACTUS_DEMOS PROPERTY STRINGS AUTO ON OFF)

# Objects, not an archive: nothing refers to a demo, so the linker would leave it out.
file(GLOB demo_sources CONFIGURE_DEPENDS demos/*.cpp demos/session/*.cpp)
add_library(tactus_demos OBJECT EXCLUDE_FROM_ALL ${demo_sources})
target_link_libraries(tactus_demos PUBLIC tactus_inside tactus_scenes PRIVATE tactus_warnings)

if(TACTUS_DEMOS STREQUAL "OFF")
    message(STATUS "Demos: without pictures (TACTUS_DEMOS is OFF)")
    return()
endif()
find_package(raylib 5.5 CONFIG QUIET GLOBAL)
if(NOT TARGET raylib)
    if(TACTUS_DEMOS STREQUAL "AUTO")
        message(STATUS "Demos: without pictures, as raylib was not found (tools/setup demos)")
        return()
    endif()
    message(FATAL_ERROR "TACTUS_DEMOS is ON, but raylib 5.5 or later was not found. Do one of these, then configure again:\n"
        "  - run tools/setup demos (Debian), or install raylib yourself\n"
        "  - say where it is installed: -DCMAKE_PREFIX_PATH=<prefix>\n")
endif()
message(STATUS "Demos: raylib ${raylib_VERSION} ${raylib_DIR}")

include(cmake/embed_binary.cmake)
file(GLOB app_sources CONFIGURE_DEPENDS demos/app/*.cpp)
add_library(tactus_app STATIC EXCLUDE_FROM_ALL ${app_sources})
tactus_embed_binary(tactus_app tactus_font_regular "${PROJECT_SOURCE_DIR}/demos/app/fonts/Inter-Regular.otf")
tactus_embed_binary(tactus_app tactus_font_bold "${PROJECT_SOURCE_DIR}/demos/app/fonts/Inter-SemiBold.otf")
target_link_libraries(tactus_app PUBLIC tactus_inside tactus_scenes
    PRIVATE raylib nlohmann_json::nlohmann_json tactus_warnings)
