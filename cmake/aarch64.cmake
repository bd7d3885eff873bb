# Toolchain: 64-bit ARM Linux, from a Debian of another machine. The compiler
# and the C library are packages (tools/setup), the other libraries are in
# build/arm64-root (tools/arm64-root), and qemu runs what comes out.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
# Debian's folders by machine, which pkg-config and find_library() go by.
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(tfprof_root "${CMAKE_CURRENT_LIST_DIR}/../build/arm64-root")
get_filename_component(tfprof_root "${tfprof_root}" ABSOLUTE)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L /usr/aarch64-linux-gnu
    -E "LD_LIBRARY_PATH=${tfprof_root}/lib/aarch64-linux-gnu:\
${tfprof_root}/usr/lib/aarch64-linux-gnu")
set(CMAKE_FIND_ROOT_PATH "${tfprof_root}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${tfprof_root}")
set(ENV{PKG_CONFIG_LIBDIR}
    "${tfprof_root}/usr/lib/aarch64-linux-gnu/pkgconfig")
