# tactus_embed(<target> <file>...) compiles data files into <target>; <tactus/engine/embedded.hpp> gives them back by
# their file name. Run as a script (cmake -P) this same file writes the source, so no other tool is needed.
if(NOT CMAKE_SCRIPT_MODE_FILE)
    include_guard(GLOBAL)
    set(_tactus_embed_script "${CMAKE_CURRENT_LIST_FILE}")

    function(tactus_embed target)
        set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cpp")
        set(names "")
        foreach(file IN LISTS ARGN)
            cmake_path(GET file FILENAME name)
            if(name IN_LIST names)
                message(FATAL_ERROR "tactus_embed: two files are called ${name}; embedded files are found by this name")
            endif()
            list(APPEND names "${name}")
        endforeach()
        add_custom_command(OUTPUT "${source}"
            COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${source}" "-DFILES=${ARGN}" -P "${_tactus_embed_script}"
            DEPENDS ${ARGN} "${_tactus_embed_script}"
            COMMENT "Embedding data files" VERBATIM)
        target_sources(${target} PRIVATE "${source}")
        set_source_files_properties("${source}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endfunction()
    return()
endif()

cmake_minimum_required(VERSION 3.25)
set(piece_size 8000) # bytes per string literal; compilers must take 16 kB

set(data "")
set(table "")
set(count 0)
foreach(file IN LISTS FILES)
    file(READ "${file}" text)
    string(FIND "${text}" ")TACTUS\"" clash)
    if(NOT clash EQUAL -1)
        message(FATAL_ERROR "${file} contains )TACTUS\" and cannot be embedded")
    endif()
    set(literal "")
    string(LENGTH "${text}" left)
    while(left GREATER 0)
        string(SUBSTRING "${text}" 0 ${piece_size} piece)
        if(left GREATER piece_size) # cut behind a line, else behind a comma, so that no character is torn
            string(FIND "${piece}" "\n" cut REVERSE)
            if(cut EQUAL -1)
                string(FIND "${piece}" "," cut REVERSE)
            endif()
            if(cut EQUAL -1)
                message(FATAL_ERROR "${file} has ${piece_size} bytes without a line end or a comma: cannot be embedded")
            endif()
            math(EXPR cut "${cut} + 1")
            string(SUBSTRING "${piece}" 0 ${cut} piece)
        endif()
        string(APPEND literal "\n    R\"TACTUS(${piece})TACTUS\"")
        string(LENGTH "${piece}" size)
        string(SUBSTRING "${text}" ${size} -1 text)
        string(LENGTH "${text}" left)
    endwhile()
    cmake_path(GET file FILENAME name)
    string(APPEND data "constexpr std::string_view data_${count}{${literal}};\n")
    string(APPEND table "    {\"${name}\", data_${count}},\n")
    math(EXPR count "${count} + 1")
endforeach()

file(WRITE "${OUTPUT}.new" "// Written by cmake/embed.cmake from the project's data files.
#include <tactus/engine/embedded.hpp>

#include <array>
#include <utility>

namespace {
${data}
constexpr std::array<std::pair<std::string_view, std::string_view>, ${count}> files{{
${table}}};
} // namespace

std::string_view tactus::embedded::file(std::string_view name) {
    for (const auto& [known, text] : files)
        if (known == name) return text;
    return {};
}

std::vector<std::string_view> tactus::embedded::names() {
    std::vector<std::string_view> all;
    for (const auto& entry : files) all.push_back(entry.first);
    return all;
}
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
