# cmake --install: the library, its headers as <tactus/...>, and a package for find_package(tactus).
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

foreach(folder IN ITEMS components systems engine)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tactus" OPTIONAL
        FILES_MATCHING PATTERN "*.hpp" PATTERN entt_stand_in EXCLUDE PATTERN integrators/sundials.hpp EXCLUDE)
endforeach()
install(FILES "${include_tree}/tactus/tactus.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tactus")

# Header-only libraries that no package of this machine gives travel along, in a folder of their own.
set(public_packages Eigen3 EnTT Taskflow glm)
set(public_headers_Eigen3 Eigen unsupported)
set(public_headers_EnTT entt)
set(public_headers_Taskflow taskflow)
set(public_headers_glm glm)
get_property(fetched_headers GLOBAL PROPERTY TACTUS_FETCHED_HEADERS)
set(TACTUS_BUNDLED "")
foreach(entry IN LISTS fetched_headers)
    string(REGEX MATCH "^(([^:]+)::[^|]+)[|](.+)$" _ "${entry}")
    set(target "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_2}")
    set(folder "${CMAKE_MATCH_3}")
    if(name IN_LIST public_packages)
        set(bundle "${CMAKE_INSTALL_INCLUDEDIR}/tactus/bundled/${name}")
        string(APPEND TACTUS_BUNDLED "_tactus_bundled(${target} \"${bundle}\")\n")
        foreach(headers IN LISTS public_headers_${name})
            install(DIRECTORY "${folder}/${headers}" DESTINATION "${bundle}")
        endforeach()
    endif()
endforeach()

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
