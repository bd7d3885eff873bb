# Before the .deb packages are packed: what Debian wants of each besides what
# is installed anywhere. Copyright and changelog, manual pages and changelogs
# compressed, documents in a folder by the package's name.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
    return()
endif()

function(deb_compress)
    foreach(file ${ARGV})
        execute_process(COMMAND gzip -9nf "${file}" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
endfunction()

function(deb_write_changelog file)
    execute_process(COMMAND date -u -R -d "@$ENV{SOURCE_DATE_EPOCH}"
        OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE
        COMMAND_ERROR_IS_FATAL ANY)
    file(WRITE "${file}"
"tfprof (${CPACK_PACKAGE_VERSION}-${CPACK_TFPROF_REVISION}) unstable; \
urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}. What is new in it stands in the changelog
    of package tfprof.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}
")
    deb_compress("${file}")
endfunction()

function(deb_dress component package)
    set(root "${CPACK_TEMPORARY_DIRECTORY}/${component}")
    if(NOT EXISTS "${root}")
        message(FATAL_ERROR "There is no ${root}")
    endif()
    set(share "${root}/usr/share")
    set(doc "${share}/doc/${package}")
    if(EXISTS "${share}/doc/tfprof" AND NOT package STREQUAL "tfprof")
        file(RENAME "${share}/doc/tfprof" "${doc}")
    endif()
    file(MAKE_DIRECTORY "${doc}")
    file(REMOVE "${doc}/LICENSE") # it is in /usr/share/common-licenses
    if(EXISTS "${doc}/CHANGELOG.md")
        file(RENAME "${doc}/CHANGELOG.md" "${doc}/changelog")
        deb_compress("${doc}/changelog")
    endif()
    configure_file("${CPACK_TFPROF_SOURCE_DIR}/cmake/packages/copyright"
        "${doc}/copyright" COPYONLY)
    deb_write_changelog("${doc}/changelog.Debian")
    file(GLOB_RECURSE pages "${share}/man/*.[1-9]")
    deb_compress(${pages})
    if(EXISTS "${share}/zsh/site-functions") # is for the administrator
        file(RENAME "${share}/zsh/site-functions"
            "${share}/zsh/vendor-completions")
    endif()
    configure_file("${CPACK_TFPROF_SOURCE_DIR}/cmake/packages/overrides"
        "${share}/lintian/overrides/${package}" COPYONLY)
    execute_process(COMMAND chmod -R u=rwX,go=rX "${root}"
        COMMAND_ERROR_IS_FATAL ANY)
endfunction()

deb_dress(runtime tfprof)
deb_dress(deb_library "${CPACK_TFPROF_LIBRARY_PACKAGE}")
deb_dress(deb_development libtfprof-dev)
