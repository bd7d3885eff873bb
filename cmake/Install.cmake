# Program, libraries, headers, tfprof.pc and the CMake package. Both ways of
# finding the library work from wherever the tree is moved to.
include(CMakePackageConfigHelpers)

set(tfprof_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tfprof")
file(RELATIVE_PATH tfprof_pc_includedir
    "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
# Named here and not required: as a static library it is C++, and what it needs
# has to stand behind it.
if(TFPROF_SNAPPY_IS_LATE)
    set(tfprof_pc_snappy " -ldl")
elseif(TFPROF_SNAPPY)
    set(tfprof_pc_snappy " -lsnappy -lstdc++")
endif()
if(TFPROF_JANSSON)
    set(tfprof_pc_jansson ", jansson")
endif()
configure_file(cmake/tfprof.pc.in tfprof.pc @ONLY)
write_basic_package_version_file(tfprofConfigVersion.cmake
    COMPATIBILITY SameMajorVersion)

install(TARGETS tfprof tfprof_static tfprof_shared EXPORT tfprofTargets)
install(DIRECTORY include/tfprof "${PROJECT_BINARY_DIR}/include/tfprof"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_BINARY_DIR}/tfprof.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(EXPORT tfprofTargets NAMESPACE tfprof::
    DESTINATION "${tfprof_package_dir}")
install(FILES cmake/tfprofConfig.cmake
    "${PROJECT_BINARY_DIR}/tfprofConfigVersion.cmake"
    DESTINATION "${tfprof_package_dir}")
