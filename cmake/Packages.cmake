# cmake --build --preset release --target package (or cpack --preset release):
# the packages, in BUILD_DIR/packages.
#
#   tfprof_*.deb          the program, its manual and documents
#   libtfprof1_*.deb      the shared library
#   libtfprof-dev_*.deb   headers, static library, tfprof.pc, CMake package
#   tfprof-*.tar.gz       all of it in one tree that may stand anywhere
#
# Debian asks for the library in a package of its own, named by its ABI. The
# program has the library inside and needs neither of the other two. How the
# files are dressed for each kind: packages/*.cmake, run by CPack.
set(TFPROF_MAINTAINER "The tfprof maintainers <maintainers@tfprof.example>"
    CACHE STRING "Whom the .deb packages name as their maintainer")
find_program(TFPROF_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(TFPROF_SHLIBDEPS)

set(abi "${TFPROF_SOVERSION}")
set(revision 1) # of the packaging of one version
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" machine)

set(CPACK_GENERATOR TGZ)
if(TFPROF_SHLIBDEPS)
    list(PREPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_NAME tfprof)
set(CPACK_PACKAGE_VENDOR "The tfprof maintainers")
set(CPACK_PACKAGE_FILE_NAME "tfprof-${PROJECT_VERSION}-${machine}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_RESOURCE_FILE_README "${PROJECT_SOURCE_DIR}/README.md")
set(CPACK_OUTPUT_FILE_PREFIX "${PROJECT_BINARY_DIR}/packages")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    ${CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})

set(CPACK_COMPONENTS_ALL runtime library development) # begin.cmake: for .deb
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)

set(packages_dir "${PROJECT_SOURCE_DIR}/cmake/packages")
set(CPACK_PROJECT_CONFIG_FILE "${packages_dir}/begin.cmake")
set(CPACK_PRE_BUILD_SCRIPTS "${packages_dir}/dress.cmake")
set(CPACK_POST_BUILD_SCRIPTS "${packages_dir}/repack.cmake")

# What the scripts are told.
set(CPACK_TFPROF_SOURCE_DIR "${PROJECT_SOURCE_DIR}")
set(CPACK_TFPROF_REVISION "${revision}")
set(CPACK_TFPROF_LIBRARY_PACKAGE "libtfprof${abi}")

# ---- The .deb packages -------------------------------------------------------

# dpkg-shlibdeps does not see libraries that are loaded late (Late.cmake).
get_property(late GLOBAL PROPERTY TFPROF_LATE_PACKAGES)
list(JOIN late ", " CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS)
list(JOIN late ", " CPACK_DEBIAN_DEB_LIBRARY_PACKAGE_DEPENDS)

# The command tui does not work without it; all else does (Curses.cmake).
if(TFPROF_TUI)
    set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "${TFPROF_NCURSES_PACKAGE}")
endif()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${TFPROF_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_RELEASE "${revision}")
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
if(CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME tfprof)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
"profiler for TensorFlow and JAX models
tfprof reads the files that TensorFlow and JAX write (traces, graphs, run
metadata, op logs, checkpoints, SavedModels). It shows which operations, name
scopes, graph paths and source lines use the parameters, float operations, time
and memory of a model.

It does not need TensorFlow and does not run the model.")

set(CPACK_DEBIAN_DEB_LIBRARY_PACKAGE_NAME "libtfprof${abi}")
set(CPACK_DEBIAN_DEB_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEB_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_COMPONENT_DEB_LIBRARY_DESCRIPTION
"profiler for TensorFlow and JAX models - shared library
libtfprof reads the files that TensorFlow and JAX write. It shows which
operations, name scopes, graph paths and source lines use the parameters, float
operations, time and memory of a model.

This package contains the library that programs need to run.")

# Programs that link the static library need these packages.
set(parts zlib1g-dev libxxhash-dev libpcre2-dev pkg-config)
if(TFPROF_SNAPPY)
    list(APPEND parts libsnappy-dev)
endif()
if(TFPROF_JANSSON)
    list(APPEND parts libjansson-dev)
endif()
list(JOIN parts ", " parts)
set(CPACK_DEBIAN_DEB_DEVELOPMENT_PACKAGE_NAME libtfprof-dev)
set(CPACK_DEBIAN_DEB_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEB_DEVELOPMENT_PACKAGE_DEPENDS
    "libtfprof${abi} (= ${PROJECT_VERSION}-${revision}), ${parts}")
set(CPACK_COMPONENT_DEB_DEVELOPMENT_DESCRIPTION
"profiler for TensorFlow and JAX models - development files
libtfprof reads the files that TensorFlow and JAX write. It shows which
operations, name scopes, graph paths and source lines use the parameters, float
operations, time and memory of a model.

This package contains the headers, the static library, files for pkg-config and
CMake, and examples.")

include(CPack)
