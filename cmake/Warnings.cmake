# The warnings of every build. gcc 12 and clang 19 know all of them.
add_compile_options(
    -Wall
    -Wextra
    -Wcast-qual
    -Wconversion
    -Wformat=2
    -Wimplicit-fallthrough
    -Wmissing-prototypes
    -Wpointer-arith
    -Wshadow
    -Wsign-conversion
    -fstrict-aliasing # without it, gcc does not warn below -O2
    -Wstrict-aliasing=2 # level 3, that of -Wall, misses casts through void *
    -Wstrict-prototypes
    -Wundef
    -Wvla
    -Wwrite-strings
    -Werror=format-security)

if(TFPROF_WERROR)
    add_compile_options(-Werror)
endif()
