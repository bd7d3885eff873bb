# The table of `tfprof help MESSAGE`: packs docs/messages.tsv into a byte array,
# messages_packed.c. Needs CMake alone, so that Python is not required to build.
#
# Included, it defines
#
#     tfp_pack_messages(RESULT)
#
# which sets RESULT to the name of the C file, made when it is built. Run as a
# script (-P) it makes the file. The bytes are raw deflate data: the header of
# gzip has the time, which would make builds differ.

if(NOT CMAKE_SCRIPT_MODE_FILE)
    function(tfp_pack_messages result)
        set(table "${PROJECT_SOURCE_DIR}/docs/messages.tsv")
        set(made "${PROJECT_BINARY_DIR}/messages")
        add_custom_command(
            OUTPUT "${made}/messages_packed.c"
            COMMAND "${CMAKE_COMMAND}" "-DTABLE=${table}" "-DMADE=${made}"
                -P "${PROJECT_SOURCE_DIR}/cmake/PackMessages.cmake"
            DEPENDS "${table}" "${PROJECT_SOURCE_DIR}/cmake/PackMessages.cmake"
            COMMENT "Packing the table of messages"
            VERBATIM)
        set(${result} "${made}/messages_packed.c" PARENT_SCOPE)
    endfunction()
    return()
endif()

cmake_minimum_required(VERSION 3.25)

file(SIZE "${TABLE}" size)
file(ARCHIVE_CREATE OUTPUT "${MADE}/messages.gz" PATHS "${TABLE}" FORMAT raw
    COMPRESSION GZip COMPRESSION_LEVEL 9)
file(READ "${MADE}/messages.gz" hex HEX)
file(REMOVE "${MADE}/messages.gz")

# Ten bytes, of which the fourth has no flags: no more parts follow. The last
# eight are a checksum and the size.
if(NOT hex MATCHES "^1f8b0800")
    message(FATAL_ERROR "messages: gzip data has an unexpected header")
endif()
string(LENGTH "${hex}" packed)
math(EXPR packed "${packed} - 36")
string(SUBSTRING "${hex}" 20 ${packed} hex)
math(EXPR packed "${packed} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REPEAT "0x..," 16 line)
string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
file(WRITE "${MADE}/messages_packed.c"
"/* messages_packed.c - made by cmake/PackMessages.cmake from docs/messages.tsv. */
#include \"cli/messages.h\"

const unsigned char cli_messages_packed[] = {
${bytes}
};

const size_t cli_messages_packed_size = ${packed};
const size_t cli_messages_size = ${size};
")
