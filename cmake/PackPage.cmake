# The page of `--output html:`: joins page/page.html, page/page.css and the
# modules of page/src into byte arrays, page_parts.c. Needs CMake alone, so that
# neither Node nor Python is required to build.
#
# Included, it defines
#
#     tfp_pack_page(RESULT)
#
# which sets RESULT to the name of the C file, made when it is built. Run as a
# script (-P) it makes the files:
#
#     page.html    the whole page, with @TITLE@ and @DATA@ left to fill in
#     page_parts.c the same in three arrays, declared in output/page/page_parts.h
#
# The modules are joined in the order of page/src/ORDER. Lines that begin with
# "import " and the word "export " at the start of a line are dropped; so are
# comment lines and indentation, which are half of the bytes. Hence no string in
# the modules may span lines (page/test/sources.test.js checks).

if(NOT CMAKE_SCRIPT_MODE_FILE)
    function(tfp_pack_page result)
        set(page "${PROJECT_SOURCE_DIR}/page")
        set(made "${PROJECT_BINARY_DIR}/page")
        file(STRINGS "${page}/src/ORDER" modules)
        list(TRANSFORM modules PREPEND "${page}/src/")
        # A new module is a new line of ORDER.
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
            "${page}/src/ORDER")
        add_custom_command(
            OUTPUT "${made}/page_parts.c" "${made}/page.html"
            COMMAND "${CMAKE_COMMAND}" "-DPAGE=${page}" "-DMADE=${made}"
                -P "${PROJECT_SOURCE_DIR}/cmake/PackPage.cmake"
            DEPENDS ${modules} "${page}/src/ORDER" "${page}/page.html"
                "${page}/page.css" "${PROJECT_SOURCE_DIR}/cmake/PackPage.cmake"
            COMMENT "Joining the page of HTML reports"
            VERBATIM)
        set(${result} "${made}/page_parts.c" PARENT_SCOPE)
    endfunction()
    return()
endif()

cmake_minimum_required(VERSION 3.25)

# ---- Script and style --------------------------------------------------------

# without_comments(TEXT VARIABLE): drops comment lines, indentation and empty
# lines. TEXT begins with a line end.
function(without_comments text variable)
    string(REGEX REPLACE "\n[ \t]+" "\n" text "${text}")
    string(REGEX REPLACE "\n//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "\n\n+" "\n" text "${text}")
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

file(STRINGS "${PAGE}/src/ORDER" modules)
set(script "")
foreach(module IN LISTS modules)
    file(READ "${PAGE}/src/${module}" text)
    # The newline before each line is what the patterns begin with.
    string(REGEX REPLACE "\nimport [^\n]*" "" text "\n${text}")
    string(REGEX REPLACE "\nexport " "\n" text "${text}")
    string(APPEND script "${text}")
endforeach()
without_comments("${script}" script)
set(script "\n(() => {\n'use strict';${script}})();\n")

file(READ "${PAGE}/page.css" style)
string(REGEX REPLACE "/\\*[^*]*\\*/" "" style "${style}")
without_comments("\n${style}" style)

# The parser of HTML ends a script at "</script" and changes its mind at "<!--".
if(script MATCHES "</[sS][cC][rR][iI]|<!--" OR style MATCHES "</")
    message(FATAL_ERROR "page: script or style would end its element")
endif()

# ---- Content-Security-Policy -------------------------------------------------

# base64_of_hash(TEXT VARIABLE): SHA-256 as the policy wants it. Three hex digits
# are 12 bits, two characters; the last digit of the 64 gets two bits 0.
function(base64_of_hash text variable)
    set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
    string(SHA256 hex "${text}")
    set(result "")
    foreach(at RANGE 0 60 3)
        string(SUBSTRING "${hex}" ${at} 3 digits)
        math(EXPR high "0x${digits} >> 6")
        math(EXPR low "0x${digits} & 63")
        string(SUBSTRING "${alphabet}" ${high} 1 high)
        string(SUBSTRING "${alphabet}" ${low} 1 low)
        string(APPEND result "${high}${low}")
    endforeach()
    string(SUBSTRING "${hex}" 63 1 digits)
    math(EXPR high "0x${digits} << 2")
    string(SUBSTRING "${alphabet}" ${high} 1 high)
    set(${variable} "${result}${high}=" PARENT_SCOPE)
endfunction()

base64_of_hash("${script}" script_hash)
base64_of_hash("${style}" style_hash)

# ---- The page ----------------------------------------------------------------

file(READ "${PAGE}/page.html" page)
string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
if(NOT page MATCHES "@TITLE@.*@DATA@")
    message(FATAL_ERROR "page: page.html has no @TITLE@ before @DATA@")
endif()
file(WRITE "${MADE}/page.html" "${page}")

# put_array(NAME TEXT): appends an array and its span to the C file.
function(put_array name text)
    file(WRITE "${MADE}/part" "${text}")
    file(READ "${MADE}/part" hex HEX)
    file(REMOVE "${MADE}/part")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(REPEAT "0x..," 16 line)
    string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
    string(LENGTH "${hex}" size)
    math(EXPR size "${size} / 2")
    set(c "${c}
static const uint8_t ${name}_bytes[] = {
${bytes}
};

const tfp_span tfp_page_${name} = { ${name}_bytes, ${size} };
" PARENT_SCOPE)
endfunction()

set(c "/* page_parts.c - made by cmake/PackPage.cmake from page/. */
#include \"output/page/page_parts.h\"

#include <stdint.h>
")
string(FIND "${page}" "@TITLE@" title_at)
string(FIND "${page}" "@DATA@" data_at)
string(SUBSTRING "${page}" 0 ${title_at} part)
put_array(before_title "${part}")
math(EXPR from "${title_at} + 7")
math(EXPR size "${data_at} - ${from}")
string(SUBSTRING "${page}" ${from} ${size} part)
put_array(before_data "${part}")
math(EXPR from "${data_at} + 6")
string(SUBSTRING "${page}" ${from} -1 part)
put_array(after_data "${part}")
file(WRITE "${MADE}/page_parts.c" "${c}")
