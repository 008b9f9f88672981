# How each dependency is had: an installed package first (find_package: the prefix that tools/setup fills, then the
# system), else the pinned upstream release (version and SHA-256 in the table below), else one clear message.
#
#   -DTACTUS_FETCH=OFF                            never download anything
#   -DFETCHCONTENT_SOURCE_DIR_<NAME>=<checkout>   use this checkout (<NAME>: first word of the table, upper case)
#   -DTACTUS_ENTT_STAND_IN=ON                     use engine/entt_stand_in even where EnTT can be had
include_guard(GLOBAL)
include(FetchContent)

option(TACTUS_FETCH "Download the pinned release of a dependency that is not installed" ON)
option(TACTUS_ENTT_STAND_IN "Use the stand-in of engine/entt_stand_in even where EnTT can be had" OFF)

# For cmake/install.cmake: header-only libraries that no package of this machine gives, as "<target>|<include folder>";
# libraries that were built here; and licences, as "<name>|<file>".
define_property(GLOBAL PROPERTY TACTUS_BUNDLED_HEADERS)
define_property(GLOBAL PROPERTY TACTUS_FETCHED_BUILDS)
define_property(GLOBAL PROPERTY TACTUS_LICENCES)

# What tools/setup has put into build/prefix is not there for others: header-only libraries of it are bundled.
function(_tactus_note_package name target debian folder)
    cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${folder}" NORMALIZE ours)
    get_target_property(includes ${target} INTERFACE_INCLUDE_DIRECTORIES)
    if(ours AND includes)
        list(GET includes 0 include)
        set_property(GLOBAL APPEND PROPERTY TACTUS_BUNDLED_HEADERS "${target}|${include}")
    endif()
    foreach(prefix IN LISTS CMAKE_PREFIX_PATH ITEMS /usr)
        if(EXISTS "${prefix}/share/doc/${debian}/copyright")
            set_property(GLOBAL APPEND PROPERTY TACTUS_LICENCES "${name}|${prefix}/share/doc/${debian}/copyright")
            return()
        endif()
    endforeach()
endfunction()

set(TACTUS_FETCH_OFF_REASON "TACTUS_FETCH is OFF")

# Downloads a release into the build folder. <out> becomes the file, or empty with the reason in <out>_REASON.
# An offline machine fails within 5 seconds: what has begun to arrive by then gets the time that it needs.
function(_tactus_download out name url sha256)
    string(REGEX MATCH "\\.tar\\.[a-z0-9]+$" suffix "${url}")
    set(file "${PROJECT_BINARY_DIR}/downloads/${name}-${sha256}${suffix}")
    set(reason "")
    if(NOT EXISTS "${file}" AND NOT TACTUS_FETCH)
        set(reason "${TACTUS_FETCH_OFF_REASON}")
    elseif(NOT EXISTS "${file}")
        message(STATUS "${name}: downloading ${url}")
        file(DOWNLOAD "${url}" "${file}.part" TIMEOUT 5 STATUS status)
        file(SIZE "${file}.part" size)
        list(GET status 0 code)
        if(code EQUAL 28 AND size GREATER 0) # out of time, but on its way
            file(DOWNLOAD "${url}" "${file}.part" INACTIVITY_TIMEOUT 20 TIMEOUT 1800 STATUS status)
            list(GET status 0 code)
        endif()
        list(GET status 1 text)
        if(code EQUAL 0)
            file(SHA256 "${file}.part" found)
        endif()
        if(NOT code EQUAL 0)
            set(reason "download failed: ${text}")
        elseif(NOT found STREQUAL sha256)
            set(reason "the download has SHA-256 ${found}, expected ${sha256}")
        else()
            file(RENAME "${file}.part" "${file}")
        endif()
        file(REMOVE "${file}.part")
    endif()
    if(reason)
        set(file "")
    endif()
    set(${out} "${file}" PARENT_SCOPE)
    set(${out}_REASON "${reason}" PARENT_SCOPE)
endfunction()

# tactus_dependency(<name> [OPTIONAL] PACKAGE <find_package name> [VERSION <at least>] TARGET <target>
#                   DEBIAN <package> URL <release> SHA256 <hash>
#                   HEADERS <folder> [SOURCES <pattern>] | BUILD_TARGET <target> [OPTIONS <variable=value>...])
# Afterwards <TARGET> exists. A fetched library is its include folder (HEADERS), made static with SOURCES if there are
# any; or it is built its own way with the given OPTIONS, and <TARGET> is an alias of its BUILD_TARGET. With OPTIONAL it
# is no error that a library cannot be had: look whether <TARGET> exists.
function(tactus_dependency name)
    cmake_parse_arguments(PARSE_ARGV 1 D "OPTIONAL"
        "PACKAGE;VERSION;TARGET;DEBIAN;URL;SHA256;HEADERS;SOURCES;BUILD_TARGET" "OPTIONS")
    string(TOUPPER "${name}" NAME)

    if(NOT TARGET ${D_TARGET} AND NOT FETCHCONTENT_SOURCE_DIR_${NAME})
        find_package(${D_PACKAGE} CONFIG QUIET GLOBAL)
    endif()
    if(TARGET ${D_TARGET} AND D_VERSION AND ${D_PACKAGE}_VERSION AND ${D_PACKAGE}_VERSION VERSION_LESS D_VERSION)
        message(FATAL_ERROR "${name}: ${${D_PACKAGE}_DIR} has version ${${D_PACKAGE}_VERSION}, but tactus needs "
            "${D_VERSION} or later. Pass it over with -DCMAKE_DISABLE_FIND_PACKAGE_${D_PACKAGE}=ON.")
    elseif(TARGET ${D_TARGET})
        message(STATUS "${name}: ${D_PACKAGE} ${${D_PACKAGE}_VERSION} ${${D_PACKAGE}_DIR}")
        _tactus_note_package(${name} ${D_TARGET} "${D_DEBIAN}" "${${D_PACKAGE}_DIR}")
        return()
    endif()

    set(archive "checkout")
    if(NOT FETCHCONTENT_SOURCE_DIR_${NAME})
        _tactus_download(archive ${name} "${D_URL}" ${D_SHA256})
    endif()
    if(NOT archive AND D_OPTIONAL)
        message(STATUS "${name}: not to be had (not installed; ${archive_REASON})")
        return()
    elseif(NOT archive)
        message(FATAL_ERROR "${name} is not installed, and its release could not be fetched (${archive_REASON}).\n"
            "Do one of these, then configure again:\n"
            "  - run tools/setup (Debian, Ubuntu), or install the library yourself (Debian's package: ${D_DEBIAN})\n"
            "  - say where it is installed: -DCMAKE_PREFIX_PATH=<prefix>\n"
            "  - say where its sources are: -DFETCHCONTENT_SOURCE_DIR_${NAME}=<folder>\n")
    endif()

    # SOURCE_SUBDIR does not exist, so that MakeAvailable only unpacks; what is built is added below.
    FetchContent_Declare(${name} URL "${archive}" URL_HASH SHA256=${D_SHA256} SOURCE_SUBDIR tactus-does-not-exist)
    FetchContent_MakeAvailable(${name})
    set(folder "${${name}_SOURCE_DIR}")
    file(GLOB licences "${folder}/LICENSE*" "${folder}/COPYING*")
    foreach(licence IN LISTS licences)
        set_property(GLOBAL APPEND PROPERTY TACTUS_LICENCES "${name}|${licence}")
    endforeach()
    cmake_path(SET include NORMALIZE "${folder}/${D_HEADERS}")
    if(D_SOURCES)
        file(GLOB sources "${folder}/${D_SOURCES}")
        add_library(tactus_${name} STATIC EXCLUDE_FROM_ALL ${sources})
        add_library(${D_TARGET} ALIAS tactus_${name})
        target_include_directories(tactus_${name} SYSTEM PUBLIC "${include}")
        set_target_properties(tactus_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        set_property(GLOBAL APPEND PROPERTY TACTUS_FETCHED_BUILDS ${D_TARGET})
    elseif(D_HEADERS)
        add_library(${D_TARGET} INTERFACE IMPORTED GLOBAL)
        target_include_directories(${D_TARGET} INTERFACE "${include}")
        set_property(GLOBAL APPEND PROPERTY TACTUS_BUNDLED_HEADERS "${D_TARGET}|${include}")
    else()
        foreach(option IN LISTS D_OPTIONS)
            string(REGEX MATCH "^([^=]+)=(.*)$" _ "${option}")
            set(${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" CACHE INTERNAL "set by tactus for ${name}")
        endforeach()
        set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
        set(BUILD_SHARED_LIBS OFF)
        set(CMAKE_POSITION_INDEPENDENT_CODE ON)
        add_subdirectory("${folder}" "${${name}_BINARY_DIR}" EXCLUDE_FROM_ALL SYSTEM)
        if(NOT TARGET ${D_TARGET})
            add_library(${D_TARGET} ALIAS ${D_BUILD_TARGET})
        endif()
        set_property(GLOBAL APPEND PROPERTY TACTUS_FETCHED_BUILDS ${D_TARGET})
    endif()
    message(STATUS "${name}: ${folder}")
endfunction()

find_package(Threads REQUIRED)

# -- The table ---------------------------------------------------------------------------------------------------------
tactus_dependency(eigen    PACKAGE Eigen3 VERSION 3.4 TARGET Eigen3::Eigen DEBIAN libeigen3-dev HEADERS .
    URL    https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.bz2
    SHA256 b4c198460eba6f28d34894e3a5710998818515104d6e74e5cc331ce31e46e626)

tactus_dependency(taskflow PACKAGE Taskflow VERSION 3.6 TARGET Taskflow::Taskflow DEBIAN libtaskflow-cpp-dev HEADERS .
    URL    https://github.com/taskflow/taskflow/archive/v3.9.0.tar.gz
    SHA256 d872a19843d12d437eba9b8664835b7537b92fe01fdb33ed92ca052d2483be2d)

tactus_dependency(glm      PACKAGE glm TARGET glm::glm DEBIAN libglm-dev HEADERS .
    URL    https://github.com/g-truc/glm/archive/refs/tags/1.0.1.tar.gz
    SHA256 9f3174561fd26904b23f0db5e560971cbf9b3cbda0b280f04d5c379d03bf234c)

tactus_dependency(json     PACKAGE nlohmann_json VERSION 3.11 TARGET nlohmann_json::nlohmann_json
    DEBIAN nlohmann-json3-dev HEADERS include
    URL    https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz
    SHA256 0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406)

tactus_dependency(qhull PACKAGE Qhull TARGET Qhull::qhull_r DEBIAN libqhull-dev
    HEADERS src SOURCES src/libqhull_r/*.c
    URL    https://github.com/qhull/qhull/archive/v8.0.1.tar.gz
    SHA256 33c442518b033862978089776a3ec29cd771ebb535c2b4a6d604fcef043c4264)

if(TACTUS_CLI)
    tactus_dependency(cli11   PACKAGE CLI11 VERSION 2.1 TARGET CLI11::CLI11 DEBIAN libcli11-dev HEADERS include
        URL    https://github.com/CLIUtils/CLI11/archive/v2.4.2.tar.gz
        SHA256 f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
endif()

if(TACTUS_TESTS)
    tactus_dependency(doctest PACKAGE doctest VERSION 2.4.9 TARGET doctest::doctest DEBIAN doctest-dev HEADERS .
        URL    https://github.com/doctest/doctest/archive/v2.4.9.tar.gz
        SHA256 19b2df757f2f3703a5e63cee553d85596875f06d91a3333acd80a969ef210856)
endif()

# -- EnTT, or the stand-in ---------------------------------------------------------------------------------------------
# TACTUS_ENTT says which one was taken: "EnTT <version>" or "stand-in". A download that failed is not tried again in
# this build folder (TACTUS_ENTT_UNREACHABLE), so that configuring stays quick on an offline machine.
function(_tactus_entt)
    if(NOT TACTUS_ENTT_STAND_IN)
        if(TACTUS_ENTT_UNREACHABLE)
            set(TACTUS_FETCH OFF)
            set(TACTUS_FETCH_OFF_REASON "an earlier download failed in this build folder")
        endif()
        tactus_dependency(entt OPTIONAL PACKAGE EnTT VERSION 3.12 TARGET EnTT::EnTT HEADERS src
            URL    https://github.com/skypjack/entt/archive/refs/tags/v3.15.0.tar.gz
            SHA256 01466fcbf77618a79b62891510c0bbf25ac2804af5751c84982b413852234d66)
    endif()
    if(TARGET EnTT::EnTT)
        set(version "of unknown version")
        get_target_property(includes EnTT::EnTT INTERFACE_INCLUDE_DIRECTORIES)
        foreach(include IN LISTS includes)
            if(EXISTS "${include}/entt/config/version.h")
                file(READ "${include}/entt/config/version.h" text)
                string(REGEX MATCH "VERSION_MAJOR ([0-9]+).*VERSION_MINOR ([0-9]+).*VERSION_PATCH ([0-9]+)" _ "${text}")
                set(version "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3}")
            endif()
        endforeach()
        set(taken "EnTT ${version}")
    else()
        set(taken "stand-in")
        set(include "${PROJECT_SOURCE_DIR}/engine/entt_stand_in")
        add_library(EnTT::EnTT INTERFACE IMPORTED GLOBAL)
        target_include_directories(EnTT::EnTT INTERFACE "${include}")
        set_target_properties(EnTT::EnTT PROPERTIES SYSTEM OFF) # our own code: warnings count
        set_property(GLOBAL APPEND PROPERTY TACTUS_BUNDLED_HEADERS "EnTT::EnTT|${include}")
        if(NOT TACTUS_ENTT_STAND_IN AND TACTUS_FETCH)
            set(TACTUS_ENTT_UNREACHABLE ON CACHE INTERNAL "The download of EnTT failed in this build folder")
        endif()
    endif()
    set(TACTUS_ENTT "${taken}" CACHE INTERNAL "The entity-component library that was taken")
    message(STATUS "Entities: ${taken}")
endfunction()
_tactus_entt()

# -- SUNDIALS ----------------------------------------------------------------------------------------------------------
# Versions 6.4 and 7. TACTUS_SUNDIALS: what the library links; from version 7 on SUNDIALS::core belongs to it.
tactus_dependency(sundials PACKAGE SUNDIALS VERSION 6.4 TARGET SUNDIALS::cvode DEBIAN libsundials-dev
    URL    https://github.com/LLNL/sundials/releases/download/v6.4.1/sundials-6.4.1.tar.gz
    SHA256 7bf10a8d2920591af3fba2db92548e91ad60eb7241ab23350a9b1bc51e05e8d0
    BUILD_TARGET sundials_cvode_static
    OPTIONS BUILD_ARKODE=ON BUILD_CVODE=ON BUILD_IDA=ON BUILD_CVODES=OFF BUILD_IDAS=OFF BUILD_KINSOL=OFF
            BUILD_STATIC_LIBS=ON EXAMPLES_ENABLE_C=OFF EXAMPLES_ENABLE_CXX=OFF EXAMPLES_INSTALL=OFF)
set(TACTUS_SUNDIALS "")
foreach(component IN ITEMS core cvode ida arkode nvecserial sunmatrixdense sunlinsoldense sunlinsolspgmr
        sunnonlinsolfixedpoint)
    if(TARGET SUNDIALS::${component})
        list(APPEND TACTUS_SUNDIALS SUNDIALS::${component})
    elseif(NOT component STREQUAL "core")
        message(FATAL_ERROR "sundials: ${SUNDIALS_DIR} was built without ${component}")
    endif()
endforeach()

# raylib (demos only): cmake/demos.cmake. `tools/setup demos` builds it into build/prefix; its release is
# https://github.com/raysan5/raylib/archive/refs/tags/6.0.tar.gz
# SHA-256 2b3ee1e2120c7a0796b33062c7e9a694dd8a8caa56a96319ac8c8ecf54a90d0b
