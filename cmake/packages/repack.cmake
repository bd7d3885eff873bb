# After packing: each package is packed once more by its own tool, in the order
# of names and owned by nobody in particular. CPack keeps the order of the folder
# on disk, in a .tar.gz also the numbers of who builds, and gives a library
# scripts where Debian wants a trigger.

# Packed relocations need a newer C library than any symbol does, and
# dpkg-shlibdeps looks at symbols.
function(repack_depends root)
    execute_process(COMMAND grep -rqs GLIBC_ABI_DT_RELR
            "${root}/usr/bin" "${root}/usr/lib"
        RESULT_VARIABLE differs)
    file(READ "${root}/DEBIAN/control" fields)
    if(NOT differs AND fields MATCHES "libc6 \\(>= ([0-9.]+)\\)"
            AND CMAKE_MATCH_1 VERSION_LESS 2.36)
        string(REPLACE "${CMAKE_MATCH_0}" "libc6 (>= 2.36)" fields "${fields}")
        file(WRITE "${root}/DEBIAN/control" "${fields}")
    endif()
endfunction()

function(repack_deb package)
    set(root "${CPACK_TEMPORARY_DIRECTORY}/repack")
    file(REMOVE_RECURSE "${root}")
    execute_process(COMMAND dpkg-deb -R "${package}" "${root}"
        COMMAND_ERROR_IS_FATAL ANY)
    set(control "${root}/DEBIAN")
    if(EXISTS "${control}/shlibs")
        file(REMOVE "${control}/postinst" "${control}/postrm")
        file(WRITE "${control}/triggers" "activate-noawait ldconfig\n")
    endif()
    get_filename_component(name "${package}" NAME)
    if(NOT name MATCHES "^tfprof_") # in the folder of their machine
        file(READ "${control}/control" fields)
        file(WRITE "${control}/control" "Multi-Arch: same\n${fields}")
    endif()
    repack_depends("${root}")
    execute_process(COMMAND chmod -R u=rwX,go=rX "${root}"
        COMMAND_ERROR_IS_FATAL ANY)
    # With more threads the bytes would depend on the machine's memory.
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -E env DPKG_DEB_THREADS_MAX=1
            dpkg-deb --root-owner-group -Zxz -b "${root}" "${package}"
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    file(REMOVE_RECURSE "${root}")
endfunction()

function(repack_tar package)
    get_filename_component(above "${CPACK_TEMPORARY_DIRECTORY}" DIRECTORY)
    get_filename_component(tree "${CPACK_TEMPORARY_DIRECTORY}" NAME)
    execute_process(COMMAND chmod -R u=rwX,go=rX "${tree}"
        WORKING_DIRECTORY "${above}" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(
        COMMAND tar --format=ustar --sort=name
            "--mtime=@$ENV{SOURCE_DATE_EPOCH}"
            --owner=root:0 --group=root:0 -cf - "${tree}"
        COMMAND gzip -9n
        WORKING_DIRECTORY "${above}" OUTPUT_FILE "${package}"
        COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(package ${CPACK_PACKAGE_FILES})
    if(package MATCHES "\\.deb$")
        repack_deb("${package}")
    else()
        repack_tar("${package}")
    endif()
endforeach()
