# TFPROF_ARCHIVES: the program is linked with the static archives of other
# libraries, if they are installed, and then runs on other machines too. After
# pkg_check_modules(PREFIX ... IMPORTED_TARGET name),
#
#     tfp_archives(PREFIX [ALSO archive...] [SHARED library...])
#
# makes the imported target link archives into targets that have the property
# TFPROF_ARCHIVES, and shared libraries into all others. ALSO names archives that
# the .pc file omits. SHARED names shared libraries that the archives need and
# that every Linux has.
#
# TFPROF_STATIC: the C library is linked statically as well, so that the program
# needs no other file at run time.
option(TFPROF_ARCHIVES "Link archives of other libraries into the program" OFF)
option(TFPROF_STATIC "Link a program that needs no other file" OFF)
if(TFPROF_STATIC)
    set(TFPROF_ARCHIVES ON)
    set(ZLIB_USE_STATIC_LIBS ON)
    set(CMAKE_C_LINK_OPTIONS_PIE -fPIE -static-pie) # in place of -pie
endif()

function(tfp_archives prefix)
    cmake_parse_arguments(PARSE_ARGV 1 with "" "" "ALSO;SHARED")
    if(NOT TFPROF_ARCHIVES OR NOT ${prefix}_FOUND)
        return()
    endif()
    set(archives "")
    foreach(name ${${prefix}_STATIC_LIBRARIES} ${with_ALSO})
        find_library(TFPROF_ARCHIVE_${name} "lib${name}.a"
            HINTS ${${prefix}_STATIC_LIBRARY_DIRS})
        mark_as_advanced(TFPROF_ARCHIVE_${name})
        if(NOT TFPROF_ARCHIVE_${name})
            message(STATUS "No lib${name}.a: the program needs ${name} to run")
            return()
        endif()
        list(APPEND archives "${TFPROF_ARCHIVE_${name}}")
    endforeach()
    set_property(GLOBAL APPEND PROPERTY TFPROF_ARCHIVES_USED ${archives})
    list(APPEND archives ${with_SHARED})
    get_target_property(shared PkgConfig::${prefix} INTERFACE_LINK_LIBRARIES)
    set(wants_archives "$<BOOL:$<TARGET_PROPERTY:TFPROF_ARCHIVES>>")
    set_target_properties(PkgConfig::${prefix} PROPERTIES
        INTERFACE_LINK_LIBRARIES
        "$<IF:${wants_archives},${archives},${shared}>")
endfunction()

# tfp_archive_notices(VAR): who owns the archives, as packages of the system,
# and may ask that its notice goes where they go: /usr/share/doc/NAME/copyright.
function(tfp_archive_notices variable)
    set(packages "")
    get_property(archives GLOBAL PROPERTY TFPROF_ARCHIVES_USED)
    foreach(archive ${archives})
        execute_process(COMMAND dpkg-query -S "${archive}"
            OUTPUT_VARIABLE told ERROR_QUIET)
        string(REGEX MATCH "^[^:,]+" package "${told}")
        if(package AND EXISTS "/usr/share/doc/${package}/copyright")
            list(APPEND packages "${package}")
        else()
            message(STATUS "No notice of its owners found for ${archive}")
        endif()
    endforeach()
    list(REMOVE_DUPLICATES packages)
    set(${variable} "${packages}" PARENT_SCOPE)
endfunction()
