# TFPROF_LATE: libraries that most runs do without are loaded when the first
# one needs them, for starting takes as long as all that has to be loaded. After
# pkg_check_modules(PREFIX ... IMPORTED_TARGET name),
#
#     tfp_late(PREFIX)
#
# leaves of the imported target what it takes to compile, with the library's
# file name (TFPROF_PREFIX_FILE) for dlopen() and the package of the system that
# has it (TFPROF_PREFIX_PACKAGE) for whoever lacks it. The packages are listed in
# the global property TFPROF_LATE_PACKAGES: whoever packs the program has to name
# them, since they cannot be seen in it. A program of archives has them in it.
option(TFPROF_LATE "Load Snappy when it is first needed" ON)

function(tfp_late prefix)
    if(NOT TFPROF_LATE OR TFPROF_ARCHIVES OR NOT ${prefix}_FOUND)
        return()
    endif()
    list(GET ${prefix}_LINK_LIBRARIES 0 library)
    execute_process(COMMAND "${CMAKE_READELF}" -d "${library}"
        OUTPUT_VARIABLE told ERROR_QUIET)
    if(NOT told MATCHES "SONAME[^[]*\\[([^]]+)\\]")
        message(STATUS "${library} cannot be loaded late")
        return()
    endif()
    set(file "${CMAKE_MATCH_1}")
    set(package "${${prefix}_MODULE_NAME}")
    get_filename_component(real "${library}" REALPATH)
    execute_process(COMMAND dpkg-query -S "${real}"
        OUTPUT_VARIABLE told ERROR_QUIET)
    if(told MATCHES "^([^:,]+)")
        set(package "${CMAKE_MATCH_1}")
    endif()
    set_property(GLOBAL APPEND PROPERTY TFPROF_LATE_PACKAGES "${package}")
    set(TFPROF_${prefix}_IS_LATE ON PARENT_SCOPE)
    set_target_properties(PkgConfig::${prefix} PROPERTIES
        INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}"
        INTERFACE_COMPILE_DEFINITIONS
        "TFPROF_${prefix}_FILE=\"${file}\";TFPROF_${prefix}_PACKAGE=\"${package}\"")
endfunction()
