# Program, libraries, headers, tfprof.pc, the CMake package and documents. Both
# ways of finding the library work from wherever the tree is moved to.
#
# Components: `runtime` is the program with its manual, `library` the shared
# library, `development` the files needed to build against it. Debian packages
# keep the last two in a folder named after the architecture, so `deb_library`
# and `deb_development` are separate components. They are installed only on
# request, and so is `program`: the program alone with its list of parts (SBOM).
include(CMakePackageConfigHelpers)

# Permissions of installed folders do not depend on the installer's umask.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# tfprof.pc lists Snappy under Libs, not under Requires: the static library is C++
# and needs -lstdc++ after it on the link line.
if(TFPROF_SNAPPY_IS_LATE)
    set(tfprof_pc_snappy " -ldl")
elseif(TFPROF_SNAPPY)
    set(tfprof_pc_snappy " -lsnappy -lstdc++")
endif()
if(TFPROF_JANSSON)
    set(tfprof_pc_jansson ", jansson")
endif()
write_basic_package_version_file(tfprofConfigVersion.cmake
    COMPATIBILITY SameMajorVersion)
file(GLOB tfprof_examples CONFIGURE_DEPENDS examples/*.c examples/Makefile
    examples/CMakeLists.txt)

# Removes the LTO sections from the installed static library. Any linker can use
# its machine code; the LTO data is larger, and only this compiler can read it.
function(tfp_install_strip libdir component)
    if(NOT CMAKE_OBJCOPY OR NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION)
        return()
    endif()
    install(CODE "execute_process(COMMAND \"${CMAKE_OBJCOPY}\"
        --enable-deterministic-archives --strip-debug
        --remove-section=.gnu.lto_* --remove-section=.gnu.debuglto_*
        --strip-symbol=__gnu_lto_v1
        \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${libdir}\
/$<TARGET_FILE_NAME:tfprof_static>\"
        COMMAND_ERROR_IS_FATAL ANY)"
        COMPONENT ${component} ${ARGN})
endfunction()

# tfp_install_library(LIBDIR PREFIX [EXCLUDE_FROM_ALL]): libraries, headers and
# package files, as components PREFIXlibrary and PREFIXdevelopment.
function(tfp_install_library libdir prefix)
    set(library COMPONENT ${prefix}library ${ARGN})
    set(development COMPONENT ${prefix}development ${ARGN})
    set(made "${PROJECT_BINARY_DIR}/${prefix}install")
    file(RELATIVE_PATH tfprof_pc_includedir "/${libdir}/pkgconfig"
        "/${CMAKE_INSTALL_INCLUDEDIR}")
    configure_file(cmake/tfprof.pc.in "${made}/tfprof.pc" @ONLY)

    install(TARGETS tfprof_static tfprof_shared EXPORT ${prefix}tfprofTargets
        ARCHIVE DESTINATION "${libdir}" ${development}
        LIBRARY DESTINATION "${libdir}" ${library}
            NAMELINK_COMPONENT ${prefix}development)
    tfp_install_strip("${libdir}" ${prefix}development ${ARGN})
    install(DIRECTORY include/tfprof "${PROJECT_BINARY_DIR}/include/tfprof"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" ${development}
        FILES_MATCHING PATTERN "*.h")
    install(FILES "${made}/tfprof.pc"
        DESTINATION "${libdir}/pkgconfig" ${development})
    install(EXPORT ${prefix}tfprofTargets NAMESPACE tfprof::
        FILE tfprofTargets.cmake
        DESTINATION "${libdir}/cmake/tfprof" ${development})
    install(FILES cmake/tfprofConfig.cmake
        "${PROJECT_BINARY_DIR}/tfprofConfigVersion.cmake"
        DESTINATION "${libdir}/cmake/tfprof" ${development})
    install(FILES ${tfprof_examples}
        DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" ${development})
endfunction()

tfp_install_library("${CMAKE_INSTALL_LIBDIR}" "")
tfp_install_library("lib/${CMAKE_LIBRARY_ARCHITECTURE}" deb_ EXCLUDE_FROM_ALL)

install(TARGETS tfprof COMPONENT runtime)
install(TARGETS tfprof COMPONENT program EXCLUDE_FROM_ALL)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE SECURITY.md
    DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT runtime)
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}"
    COMPONENT runtime
    FILES_MATCHING PATTERN "*.md" PATTERN "images/*.svg" PATTERN "images/*.png")
if(NOT TFPROF_STATIC)
    install(DIRECTORY "${demo_dir}" DESTINATION "${CMAKE_INSTALL_DATADIR}/tfprof"
        COMPONENT runtime)
endif()
include(cmake/Sbom.cmake)
