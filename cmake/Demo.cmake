# The sample models of `tfprof demo` and tfprof.demo(): BUILD_DIR/share/tfprof/demo,
# which is installed as share/tfprof/demo and goes into the wheel, and a table of
# them for the program. They come from what the tests read; examples/models makes
# the same files of the same names, and more of them (tests/cli/program/test_demo.py
# compares). All of them have at most 1 MB.
#
# A program that needs no other file has two of them inside.
set(demo_dir "${PROJECT_BINARY_DIR}/share/tfprof/demo")
set(demo_runs "${PROJECT_SOURCE_DIR}/tests/golden/upstream/inputs")
set(demo_saved "${PROJECT_SOURCE_DIR}/tests/flops/models.tar.xz")
set(demo_trace "${PROJECT_SOURCE_DIR}/tests/data/traces")
set(demo_embedded jax tf1_cnn)
set(demo_files "")

# tfp_demo_add(FILE NAME): FILE is a sample's file of that name.
function(tfp_demo_add file name)
    get_filename_component(folder "${demo_dir}/${name}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    file(COPY_FILE "${file}" "${demo_dir}/${name}" ONLY_IF_DIFFERENT)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    set(demo_files "${demo_files};${name}" PARENT_SCOPE)
endfunction()

# tfp_demo_unpack(ARCHIVE MEMBER NAME...): the same of members of an archive, which
# are unpacked once.
function(tfp_demo_unpack archive)
    set(names ${ARGN})
    set(kept "${PROJECT_BINARY_DIR}/demo")
    while(names)
        list(POP_FRONT names member name)
        if(NOT EXISTS "${kept}/${member}" OR
           "${archive}" IS_NEWER_THAN "${kept}/${member}")
            file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${kept}"
                PATTERNS "${member}" TOUCH)
        endif()
        tfp_demo_add("${kept}/${member}" "${name}")
    endwhile()
    set(demo_files "${demo_files}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${demo_dir}") # a sample may have gone
tfp_demo_add("${demo_trace}/jax0102_cpu_train_py0.xplane.pb"
    jax/plugins/profile/2026_11_02_10_15_30/vm.xplane.pb)
tfp_demo_unpack("${demo_runs}/multi.tar.xz"
    multi.pb multi/graph.pb
    multi_oplog multi/op_log
    multi_run_meta_0 multi/run_meta_0
    multi_run_meta_1 multi/run_meta_1)
tfp_demo_unpack("${demo_saved}"
    models/tf1_cnn/saved_model.pb tf1_cnn/saved_model.pb
    models/tf1_cnn/variables/variables.index tf1_cnn/variables/variables.index)
tfp_demo_unpack("${demo_runs}/while.tar.xz"
    while.pbtxt while/graph.pbtxt
    while_oplog while/op_log
    while_run_meta_0 while/run_meta_0
    while_run_meta_1 while/run_meta_1)

# ---- The table of the program ------------------------------------------------

set(demo_bytes "")
set(demo_rows "")
foreach(name ${demo_files})
    file(SIZE "${demo_dir}/${name}" size)
    set(bytes NULL)
    if(TFPROF_STATIC)
        string(REGEX MATCH "^[^/]+" sample "${name}")
        if(NOT sample IN_LIST demo_embedded)
            continue()
        endif()
        string(MAKE_C_IDENTIFIER "bytes_of_${name}" bytes)
        file(READ "${demo_dir}/${name}" hex HEX)
        string(REGEX REPLACE "(..)" "0x\\1," hex "${hex}")
        string(APPEND demo_bytes
            "static const unsigned char ${bytes}[] = {${hex}};\n")
    endif()
    string(APPEND demo_rows "    { \"${name}\", ${bytes}, ${size} },\n")
endforeach()
set(demo_table "${PROJECT_BINARY_DIR}/demo/demo_files.c")
file(CONFIGURE OUTPUT "${demo_table}" @ONLY CONTENT
"/* The sample models, made by cmake/Demo.cmake. */
#include <stddef.h>

#include \"cli/demo.h\"

@demo_bytes@
const cli_demo_file cli_demo_files[] = {
@demo_rows@    { NULL, NULL, 0 },
};
")

# From the folder of the program to that of the samples.
file(RELATIVE_PATH demo_place "${CMAKE_INSTALL_FULL_BINDIR}"
    "${CMAKE_INSTALL_FULL_DATADIR}/tfprof/demo")
