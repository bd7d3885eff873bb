# The suites of unit_tests: unit/suites.h says what a file of tests has.
#
# Included, it defines
#
#     tfp_suites(RESULT FILE...)
#
# which sets RESULT to C files made when they are built, one for each FILE, and
# to one that lists them. Run as a script (-P, with FILE and OUT) it makes one
# of them: the file itself, and the table of its tests.

if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(tfp_suite_script "${CMAKE_CURRENT_LIST_FILE}")
    function(tfp_suites result)
        set(made "${CMAKE_CURRENT_BINARY_DIR}/suites")
        set(sources "${made}/suites.c")
        set(all "#include \"suites.h\"\n\n")
        foreach(file ${ARGN})
            get_filename_component(name "${file}" NAME_WLE)
            add_custom_command(OUTPUT "${made}/${name}.c"
                COMMAND "${CMAKE_COMMAND}" "-DFILE=${file}"
                    "-DOUT=${made}/${name}.c" -P "${tfp_suite_script}"
                DEPENDS "${file}" "${tfp_suite_script}" VERBATIM)
            list(APPEND sources "${made}/${name}.c")
            string(APPEND all "extern const suite ${name};\n")
            string(APPEND list "    &${name},\n")
        endforeach()
        list(LENGTH ARGN count)
        file(CONFIGURE OUTPUT "${made}/suites.c" @ONLY CONTENT
            "${all}\nconst suite *const suites[] = {\n${list}};\n\
const size_t suite_count = ${count};\n")
        set(${result} ${sources} PARENT_SCOPE)
    endfunction()
    return()
endif()

cmake_minimum_required(VERSION 3.25)
get_filename_component(file_name "${FILE}" NAME_WLE)
string(REGEX REPLACE "_test$" "" name "${file_name}")
file(READ "${FILE}" text)
string(REPLACE ";" " " text "${text}")
string(REPLACE "[" " " text "${text}") # a list is not split inside brackets
string(REPLACE "]" " " text "${text}")
set(name_regex "[A-Za-z0-9_]+")
string(REGEX MATCHALL "\nTEST\\(${name_regex}\\)\n{" found "${text}")
list(TRANSFORM found REPLACE "\nTEST\\((.*)\\)\n{" "\\1")
list(REMOVE_DUPLICATES found) # of both sides of an #if
if(text MATCHES "\n([A-Z_]*FIXTURE|HOOK\\(test_end|static int test_end)")
    set(fixture ", test_begin, test_end")
    set(with_fixture _setup_teardown)
endif()
foreach(function ${found})
    string(APPEND tests
        "    cmocka_unit_test${with_fixture}(${function}${fixture}),\n")
endforeach()
if(NOT tests)
    message(FATAL_ERROR "${FILE} has no test")
endif()
foreach(hook begin end)
    set(${hook} NULL)
    if(text MATCHES "(HOOK\\(|static int )suite_${hook}[()]")
        set(${hook} suite_${hook})
    endif()
endforeach()
set(stack 0)
if(text MATCHES "SUITE_STACK =")
    set(stack SUITE_STACK)
endif()
file(WRITE "${OUT}" "#include \"${FILE}\"

#include \"suites.h\"

static const struct CMUnitTest tests[] = {
${tests}};
extern const suite ${file_name};
const suite ${file_name} = { \"${name}\", tests,
    sizeof(tests) / sizeof(tests[0]), ${begin}, ${end}, ${stack} };
")
