# Before anything is packed, once for each kind of package: everything is dated
# by the sources, in the archives, too.
include("${CPACK_TFPROF_SOURCE_DIR}/cmake/SourceDate.cmake")
tfp_source_date(date "${CPACK_TFPROF_SOURCE_DIR}")
set(ENV{SOURCE_DATE_EPOCH} "${date}")
set(ENV{TZ} UTC)

if(CPACK_GENERATOR STREQUAL "DEB")
    set(CPACK_COMPONENTS_ALL runtime deb_library deb_development)
    # Each package has its own; this one would stand before it.
    unset(CPACK_PACKAGE_DESCRIPTION_SUMMARY)
endif()
