# Counts of the lines and branches that the tests reach (clang only). Each program
# adds its counts to the files in build/PRESET/profiles; tools/report-coverage
# reads them.
if(TFPROF_COVERAGE)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "TFPROF_COVERAGE needs clang")
    endif()
    # %4m: programs that run at the same time share four files for each binary.
    add_compile_options(-fcoverage-mapping
        "-fprofile-instr-generate=${PROJECT_BINARY_DIR}/profiles/%4m.profraw")
    add_link_options(-fprofile-instr-generate)
endif()
