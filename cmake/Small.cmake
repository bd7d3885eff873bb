# TFPROF_SMALL: a release carries nothing that no run of it reads.
# All of it made the program smaller by a quarter, with 1 % fewer instructions.
# -Os needs 32 to 46 % more, -fno-inline-functions 29 to 41 %, a build without
# link time optimization 4 to 8 %: they are not used.
option(TFPROF_SMALL "Build without what only takes up room" OFF)
if(NOT TFPROF_SMALL)
    return()
endif()

include(CheckCSourceCompiles)
include(CheckLinkerFlag)

# No unwind tables: only debuggers unwind C, and a build with -g has tables for
# them. Exceptions never pass through, because callbacks may neither throw nor
# jump out (tfprof.h).
add_compile_options(-fno-unwind-tables -fno-asynchronous-unwind-tables)

# The tables of operations hold thousands of addresses, and the ordinary way to
# list these takes more room than the tables. The packed way needs glibc 2.36,
# which the linker notes in what it makes.
check_c_source_compiles("
    #include <stdlib.h>
    #if !__GLIBC_PREREQ(2, 36)
    #error too old
    #endif
    int main(void) { return 0; }" TFPROF_HAS_NEW_GLIBC)
check_linker_flag(C LINKER:--fatal-warnings,-z,pack-relative-relocs
    TFPROF_HAS_PACKED_RELOCATIONS)
if(TFPROF_HAS_NEW_GLIBC AND TFPROF_HAS_PACKED_RELOCATIONS)
    add_link_options(LINKER:-z,pack-relative-relocs)
endif()
