# cmake --install: the library, its public headers as <tactus/...>, packages for find_package(tactus) and pkg-config,
# and the licences of all that it contains.
include(CMakePackageConfigHelpers)

get_property(fetched_builds GLOBAL PROPERTY TACTUS_FETCHED_BUILDS)
if(fetched_builds)
    message(STATUS "Install: off, because these libraries are not installed on this machine: ${fetched_builds}")
    return()
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tactus")
install(TARGETS tactus EXPORT tactusTargets)
install(EXPORT tactusTargets NAMESPACE tactus:: DESTINATION "${package_dir}")
if(TARGET tactus_cli)
    install(TARGETS tactus_cli)
endif()

# -- Headers -----------------------------------------------------------------------------------------------------------
# Public is what these include, and nothing else.
set(public_headers "")
set(headers engine/tactus.hpp engine/glm.hpp engine/shapes/triangle_mesh.hpp)
while(headers)
    list(POP_FRONT headers header)
    if(NOT header IN_LIST public_headers)
        list(APPEND public_headers "${header}")
        file(STRINGS "${PROJECT_SOURCE_DIR}/${header}" includes REGEX "^#include <tactus/")
        list(TRANSFORM includes REPLACE "^#include <tactus/([^>]+)>.*$" "\\1")
        list(APPEND headers ${includes})
    endif()
endwhile()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${public_headers})
foreach(header IN LISTS public_headers)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES "${PROJECT_SOURCE_DIR}/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tactus/${folder}")
endforeach()
install(FILES "${include_tree}/tactus/tactus.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tactus")

# Header-only libraries that no package of this machine gives travel along, in a folder of their own.
set(public_packages Eigen3 EnTT Taskflow glm)
set(public_headers_Eigen3 Eigen unsupported)
set(public_headers_EnTT entt)
set(public_headers_Taskflow taskflow)
set(public_headers_glm glm)
set(pkgconfig_Eigen3 eigen3)
get_property(bundled_headers GLOBAL PROPERTY TACTUS_BUNDLED_HEADERS)
set(TACTUS_BUNDLED "")
set(pkgconfig_includes "")
set(bundled_packages "")
foreach(entry IN LISTS bundled_headers)
    string(REGEX MATCH "^(([^:]+)::[^|]+)[|](.+)$" _ "${entry}")
    set(target "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_2}")
    set(folder "${CMAKE_MATCH_3}")
    if(name IN_LIST public_packages)
        set(bundle "${CMAKE_INSTALL_INCLUDEDIR}/tactus/bundled/${name}")
        string(APPEND TACTUS_BUNDLED "_tactus_bundled(${target} \"${bundle}\")\n")
        string(APPEND pkgconfig_includes " -I\${prefix}/${bundle}")
        list(APPEND bundled_packages ${name})
        foreach(headers IN LISTS public_headers_${name})
            install(DIRECTORY "${folder}/${headers}" DESTINATION "${bundle}")
        endforeach()
    endif()
endforeach()

# -- CMake -------------------------------------------------------------------------------------------------------------
# A static library leaves the libraries that it uses inside to the program.
set(TACTUS_PRIVATE_PACKAGES "")
get_target_property(linked tactus LINK_LIBRARIES)
foreach(package IN ITEMS Qhull SUNDIALS)
    if(NOT BUILD_SHARED_LIBS AND linked MATCHES "${package}::")
        list(APPEND TACTUS_PRIVATE_PACKAGES ${package})
    endif()
endforeach()

configure_package_config_file(cmake/tactusConfig.cmake.in "${PROJECT_BINARY_DIR}/tactusConfig.cmake"
    INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tactusConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tactusConfig.cmake" "${PROJECT_BINARY_DIR}/tactusConfigVersion.cmake"
    DESTINATION "${package_dir}")

# -- pkg-config --------------------------------------------------------------------------------------------------------
# What is found in the compiler's own folders needs no word; Eigen is in a folder of its own.
set(pkgconfig_requires "")
if(NOT Eigen3 IN_LIST bundled_packages)
    set(pkgconfig_requires eigen3)
endif()
set(pkgconfig_defines "")
if(BUILD_SHARED_LIBS)
    set(pkgconfig_defines " -DTACTUS_SHARED")
endif()
set(pkgconfig_private "")
foreach(library IN LISTS private_libraries) # SUNDIALS::cvode is libsundials_cvode, Qhull::qhull_r is libqhull_r
    string(REGEX REPLACE "^SUNDIALS::" "sundials_" library "${library}")
    string(REGEX REPLACE "^.*::" "" library "${library}")
    string(APPEND pkgconfig_private " -l${library}")
endforeach()
set(pkgconfig_dir "/${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH pkgconfig_prefix "${pkgconfig_dir}" /)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/tactus.pc" @ONLY CONTENT [[
prefix=${pcfiledir}/@pkgconfig_prefix@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@

Name: tactus
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Requires: @pkgconfig_requires@
Cflags: -I${includedir}@pkgconfig_includes@@pkgconfig_defines@
Libs: -L${libdir} -ltactus
Libs.private:@pkgconfig_private@ -pthread
]])
install(FILES "${PROJECT_BINARY_DIR}/tactus.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# -- Licences ----------------------------------------------------------------------------------------------------------
set(licence_dir "${CMAKE_INSTALL_DATADIR}/licenses/tactus")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${licence_dir}")
get_property(licences GLOBAL PROPERTY TACTUS_LICENCES)
foreach(entry IN LISTS licences)
    string(REGEX MATCH "^([^|]+)[|](.+)$" _ "${entry}")
    set(library "${CMAKE_MATCH_1}")
    set(file "${CMAKE_MATCH_2}")
    cmake_path(GET file FILENAME name) # a library may have several
    install(FILES "${file}" DESTINATION "${licence_dir}" RENAME "${library}-${name}")
endforeach()
if(TARGET tactus_app)
    install(FILES "${PROJECT_SOURCE_DIR}/demos/app/fonts/OFL.txt" DESTINATION "${licence_dir}" RENAME "inter-font.txt")
endif()
