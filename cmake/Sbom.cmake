# share/doc/tfprof/tfprof.spdx.json: the SBOM of the installed program, made from
# the linker's map file. notices/ beside it holds the copyright notices of the
# listed parts. Both need Python; without it the build works and installs neither.
include(CheckLinkerFlag)
check_linker_flag(C "LINKER:-Map=${CMAKE_BINARY_DIR}/check.map"
    TFPROF_HAS_MAP)
find_program(TFPROF_SBOM_PYTHON NAMES python3 python)
mark_as_advanced(TFPROF_SBOM_PYTHON)
if(NOT TFPROF_HAS_MAP OR NOT TFPROF_SBOM_PYTHON)
    message(STATUS "No linker map or no Python: no SBOM is installed")
    return()
endif()

find_file(TFPROF_XXHASH_H xxhash.h HINTS ${XXHASH_INCLUDE_DIRS} REQUIRED)
mark_as_advanced(TFPROF_XXHASH_H)
get_property(late GLOBAL PROPERTY TFPROF_LATE_PACKAGES)
set(tfprof_map "${PROJECT_BINARY_DIR}/tfprof.map")
target_link_options(tfprof PRIVATE "LINKER:-Map=${tfprof_map}")
# Of the program as installed: it may have been stripped on its way.
set(write_sbom "
    include(\"${PROJECT_SOURCE_DIR}/cmake/SourceDate.cmake\")
    tfp_source_date(date \"${PROJECT_SOURCE_DIR}\")
    set(sbom \"${PROJECT_BINARY_DIR}/tfprof.spdx.json\")
    execute_process(COMMAND \"${TFPROF_SBOM_PYTHON}\" -B
        \"${PROJECT_SOURCE_DIR}/cmake/sbom.py\"
        --program \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\
/${CMAKE_INSTALL_BINDIR}/tfprof\"
        --map \"${tfprof_map}\" --version ${PROJECT_VERSION}
        --date \${date} --output \"\${sbom}\"
        --inlined \"${TFPROF_XXHASH_H}\" --late ${late}
        --notices \"${PROJECT_BINARY_DIR}/notices\"
        COMMAND_ERROR_IS_FATAL ANY)
    file(INSTALL \"\${sbom}\" \"${PROJECT_BINARY_DIR}/notices\" DESTINATION
        \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\")")
install(CODE "${write_sbom}" COMPONENT runtime)
install(CODE "${write_sbom}" COMPONENT program EXCLUDE_FROM_ALL)
