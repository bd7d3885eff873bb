# TFPROF_LATE: a library that few runs need is loaded with dlopen() on first use,
# because every linked library makes each start slower. After
# pkg_check_modules(PREFIX ... IMPORTED_TARGET name),
#
#     tfp_late(PREFIX)
#
# keeps the compile settings of the imported target and removes the link to the
# library. It defines TFPROF_PREFIX_FILE, the file name for dlopen(), and
# TFPROF_PREFIX_PACKAGE, the system package to name in the message if the file is
# missing. The global property TFPROF_LATE_PACKAGES lists these packages: packages
# of tfprof must name them as dependencies, since the binary does not. With
# TFPROF_ARCHIVES nothing is loaded late: the libraries are part of the program.
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
