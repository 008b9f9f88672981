# The package as others use it: installed and found, by CMake and by pkg-config, or as a folder of their own sources.
#   cmake -DKIND=static -DSOURCE=<checkout> -DBUILD=<its build folder> -DWORK=<scratch> -P package.cmake
#   cmake -DKIND=shared -DSOURCE=<checkout> -DPREFIXES=<where dependencies are> -DWORK=<scratch> -DENTT=<which was taken>
#         -DENTT_SOURCE=<its checkout, if any> -P package.cmake
# static: what BUILD has built. shared: the library built anew, inside of another project, and installed from there.
cmake_minimum_required(VERSION 3.25)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "failed (${status}): ${command}\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# A project outside of the tree that finds the package, and only there.
function(build_host folder)
    run("${CMAKE_COMMAND}" -G Ninja -S "${SOURCE}/examples/host" -B "${folder}" -DCMAKE_BUILD_TYPE=Release ${ARGN})
    run("${CMAKE_COMMAND}" --build "${folder}")
endfunction()

function(play folder seconds)
    run("${folder}/host" ${seconds})
    if(NOT output MATCHES "t = [0-9]+\\.[0-9]+ s  ball0 hits bottle0 .*frames for ${seconds}\\.")
        message(FATAL_ERROR "the host did not say what it should have:\n${output}")
    endif()
    string(REGEX MATCH "[0-9]+ frames[^\n]*" summary "${output}")
    message(STATUS "host: ${summary}")
endfunction()

file(REMOVE_RECURSE "${WORK}")
set(installed "${WORK}/installed")

if(KIND STREQUAL "static")
    run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${installed}")
    build_host("${WORK}/found" "-DCMAKE_PREFIX_PATH=${installed}")
    play("${WORK}/found" 10)
else()
    # With the same EnTT, or the stand-in, as the tests around this one.
    set(entt "-DTACTUS_ENTT_STAND_IN=OFF")
    if(ENTT STREQUAL "stand-in")
        set(entt "-DTACTUS_ENTT_STAND_IN=ON")
    elseif(ENTT_SOURCE)
        list(APPEND entt "-DFETCHCONTENT_SOURCE_DIR_ENTT=${ENTT_SOURCE}")
    endif()
    build_host("${WORK}/inside" "-DTACTUS_SOURCE=${SOURCE}" "-DCMAKE_PREFIX_PATH=${PREFIXES}" -DBUILD_SHARED_LIBS=ON
        -DTACTUS_INSTALL=ON -DCMAKE_UNITY_BUILD=ON "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" ${entt})
    play("${WORK}/inside" 2)
    run("${CMAKE_COMMAND}" --install "${WORK}/inside" --prefix "${installed}")
    build_host("${WORK}/found" "-DCMAKE_PREFIX_PATH=${installed}")
    play("${WORK}/found" 2)

    # Its own functions and nothing else: none of those inside, none of another library's.
    file(GLOB_RECURSE library "${installed}/*/libtactus.so")
    run(nm -C -D --defined-only "${library}")
    string(REGEX MATCHALL "[^\n]+ [TDBR] [^\n]+" symbols "${output}")
    list(LENGTH symbols count)
    if(count LESS 50)
        message(FATAL_ERROR "${library} shows only ${count} symbols")
    endif()
    set(foreign "${symbols}")
    list(FILTER foreign EXCLUDE REGEX " (typeinfo( name)? for |vtable for )?(non-virtual thunk to )?tactus::")
    set(inner "${symbols}")
    list(FILTER inner INCLUDE REGEX " [TDBR] tactus::(systems|schema|json|linear|mpr)::")
    if(foreign OR inner)
        list(JOIN foreign "\n  " foreign)
        list(JOIN inner "\n  " inner)
        message(FATAL_ERROR "${library} shows what it should not:\n  ${foreign}\n  ${inner}")
    endif()
endif()

# -- pkg-config --------------------------------------------------------------------------------------------------------
find_program(pkg_config NAMES pkg-config pkgconf REQUIRED)
file(GLOB_RECURSE file "${installed}/*/tactus.pc")
cmake_path(GET file PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} "${folder}")
set(static "")
if(KIND STREQUAL "static")
    set(static --static)
endif()
run("${pkg_config}" ${static} --cflags --libs tactus)
separate_arguments(flags UNIX_COMMAND "${output}")
file(WRITE "${WORK}/pkg_config.cpp" [[
#include <tactus/tactus.hpp>
#include <cstdio>
int main() {
    tactus::World world;
    world.scene();
    try {
        world.add({.name = "ball", .shape = tactus::Sphere{-0.04}});
    } catch (const tactus::InputError& error) {  // known by its type on both sides of the library's border
        std::printf("%s: %s\n", tactus::version, error.what());
    }
    const tactus::Entity ball = world.add({.name = "ball", .free = true, .shape = tactus::Sphere{0.1}, .mass = 1.0});
    world.advance(1.0);
    std::printf("%d solid, %.3f m\n", int(world.registry().view<tactus::Solid>().size()), world.pose(ball).p.norm());
}
]])
run(c++ -std=c++20 "${WORK}/pkg_config.cpp" ${flags} -o "${WORK}/pkg_config" "-Wl,-rpath,${folder}/..")
run("${WORK}/pkg_config")
if(NOT output MATCHES "0\\.1\\.0: 'ball': shape\\.diameter = -0\\.04.*1 solid, 4\\.905 m")
    message(FATAL_ERROR "the program built by pkg-config did not say what it should have:\n${output}")
endif()

# -- What is installed -------------------------------------------------------------------------------------------------
file(GLOB licences "${installed}/share/licenses/tactus/*")
list(LENGTH licences count)
if(NOT EXISTS "${installed}/share/licenses/tactus/LICENSE" OR count LESS 2)
    message(FATAL_ERROR "the licences are missing: ${licences}")
endif()
file(GLOB_RECURSE headers RELATIVE "${installed}/include" "${installed}/include/tactus/*.hpp")
list(FILTER headers EXCLUDE REGEX "^tactus/bundled/")
foreach(header IN LISTS headers)
    file(STRINGS "${installed}/include/${header}" heavy REGEX "#include .*(taskflow|sundials|cvode|raylib|nlohmann|qhull)")
    if(heavy)
        message(FATAL_ERROR "${header} brings along what hosts do not need: ${heavy}")
    endif()
endforeach()

# Every header by itself, as the first that a file includes.
if(KIND STREQUAL "static")
    run("${pkg_config}" --cflags tactus)
    separate_arguments(flags UNIX_COMMAND "${output}")
    foreach(header IN LISTS headers)
        file(WRITE "${WORK}/alone.cpp" "#include <${header}>\n")
        run(c++ -std=c++20 -Wall -Wextra -Werror -fsyntax-only ${flags} "${WORK}/alone.cpp")
    endforeach()
    list(LENGTH headers count)
    message(STATUS "${count} headers, each compiles alone")
endif()
