# Runs as a test: compiles refused.cpp, then once more with all that must not compile. A line with the mark that the
# compiler says nothing about is a failure.
#   cmake -DCOMPILER=<g++ or clang++> -DFLAGS=<flag|flag...> -DSOURCE=<refused.cpp> -P refused.cmake
string(REPLACE "|" ";" flags "${FLAGS}")
set(compile "${COMPILER}" ${flags} -fsyntax-only "${SOURCE}")

execute_process(COMMAND ${compile} RESULT_VARIABLE result ERROR_VARIABLE said)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${SOURCE} must compile as it stands, but:\n${said}")
endif()

execute_process(COMMAND ${compile} -DTACTUS_REFUSED RESULT_VARIABLE result ERROR_VARIABLE said)
file(READ "${SOURCE}" text)
string(REGEX REPLACE "[][;\\]" "_" text "${text}") # characters that mean something to lists
string(REPLACE "\n" ";" lines "${text}")
cmake_path(GET SOURCE FILENAME file)
set(number 0)
set(marked 0)
set(accepted "")
foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    if(line MATCHES "// refused$")
        math(EXPR marked "${marked} + 1")
        if(NOT said MATCHES "${file}:${number}[:,]")
            string(APPEND accepted "  ${file}:${number}: ${line}\n")
        endif()
    endif()
endforeach()
if(marked EQUAL 0 OR result EQUAL 0 OR accepted)
    message(FATAL_ERROR "Of ${marked} lines that must not compile, these do:\n${accepted}")
endif()
message(STATUS "${marked} lines are refused")
