# tactus_embed_binary(<target> <symbol> <file>) compiles a file into <target> as
#   extern const unsigned char <symbol>[]; extern const unsigned long <symbol>_size;
# Run as a script (cmake -P) this same file writes the source, so no other tool is needed.
if(NOT CMAKE_SCRIPT_MODE_FILE)
    include_guard(GLOBAL)
    set(_tactus_embed_binary_script "${CMAKE_CURRENT_LIST_FILE}")

    function(tactus_embed_binary target symbol file)
        set(source "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp")
        add_custom_command(OUTPUT "${source}"
            COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${source}" "-DSYMBOL=${symbol}" "-DFILE=${file}"
                    -P "${_tactus_embed_binary_script}"
            DEPENDS "${file}" "${_tactus_embed_binary_script}"
            COMMENT "Embedding ${symbol}" VERBATIM)
        target_sources(${target} PRIVATE "${source}")
    endfunction()
    return()
endif()

cmake_minimum_required(VERSION 3.25)
file(READ "${FILE}" bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(....................................................................................................)"
    "\\1\n" bytes "${bytes}")
file(WRITE "${OUTPUT}.new" "// Written by cmake/embed_binary.cmake.
extern const unsigned char ${SYMBOL}[];
extern const unsigned long ${SYMBOL}_size;
const unsigned char ${SYMBOL}[] = {
${bytes}};
const unsigned long ${SYMBOL}_size = sizeof(${SYMBOL});
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
