# Gives tfprof::shared and tfprof::static; the static library brings what it is
# made of.
include(CMakeFindDependencyMacro)
find_dependency(ZLIB)
find_dependency(PkgConfig)
if(NOT TARGET PkgConfig::XXHASH)
    pkg_check_modules(XXHASH REQUIRED QUIET IMPORTED_TARGET libxxhash)
endif()
if(NOT TARGET PkgConfig::PCRE2)
    pkg_check_modules(PCRE2 REQUIRED QUIET IMPORTED_TARGET libpcre2-8)
endif()
if(NOT TARGET PkgConfig::SNAPPY) # a build may do without these two
    pkg_check_modules(SNAPPY QUIET IMPORTED_TARGET snappy)
endif()
if(NOT TARGET PkgConfig::JANSSON)
    pkg_check_modules(JANSSON QUIET IMPORTED_TARGET jansson)
endif()
include("${CMAKE_CURRENT_LIST_DIR}/tfprofTargets.cmake")
