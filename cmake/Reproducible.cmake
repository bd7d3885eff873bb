# A release has the same bytes wherever and whenever it is built;
# tools/check-reproducible looks. Here: no path of the build in what the
# compiler writes, and names that it makes up come from the name of the file
# instead of from chance. The date: cmake/SourceDate.cmake.
include(CheckCCompilerFlag)
check_c_compiler_flag(-ffile-prefix-map=a=b TFPROF_HAS_FILE_PREFIX_MAP)
check_c_compiler_flag(-frandom-seed=a TFPROF_HAS_RANDOM_SEED)

if(TFPROF_HAS_FILE_PREFIX_MAP AND CMAKE_BUILD_TYPE STREQUAL "Release")
    add_compile_options(
        "-ffile-prefix-map=${PROJECT_BINARY_DIR}=."
        "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
endif()

# tfp_seed(TARGET): to be called where the target is made. Seeds are set when
# all that is set for its files is set.
function(tfp_seed target)
    if(TFPROF_HAS_RANDOM_SEED)
        cmake_language(EVAL CODE
            "cmake_language(DEFER CALL tfp_seed_files ${target})")
    endif()
endfunction()

function(tfp_seed_files target)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.c$")
    foreach(source ${sources})
        get_filename_component(seed "${source}" ABSOLUTE)
        string(REPLACE "${PROJECT_BINARY_DIR}/" "" seed "${seed}")
        string(REPLACE "${PROJECT_SOURCE_DIR}/" "" seed "${seed}")
        set_property(SOURCE "${source}" APPEND PROPERTY
            COMPILE_OPTIONS "-frandom-seed=${seed}")
    endforeach()
endfunction()
