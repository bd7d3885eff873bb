# AddressSanitizer (with its leak checker) and UBSan; the first finding ends
# the program. A fuzz build adds the coverage that libFuzzer steers by; the
# fuzz programs themselves ask for its main() in fuzz/CMakeLists.txt.
if(TFPROF_FUZZ AND NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TFPROF_FUZZ needs clang")
endif()

set(tfprof_sanitizers)
if(TFPROF_SANITIZE)
    list(APPEND tfprof_sanitizers address undefined)
endif()
if(TFPROF_SANITIZE_THREAD) # by itself: it cannot be had with the others
    if(TFPROF_SANITIZE OR TFPROF_FUZZ)
        message(FATAL_ERROR "TFPROF_SANITIZE_THREAD stands alone")
    endif()
    list(APPEND tfprof_sanitizers thread)
endif()
if(TFPROF_FUZZ)
    list(APPEND tfprof_sanitizers fuzzer-no-link)
endif()

if(tfprof_sanitizers)
    list(JOIN tfprof_sanitizers "," joined)
    add_compile_options(
        -fsanitize=${joined} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${joined})
endif()

# What a sanitized program is told by every test. Reports name functions and
# lines only when a symbolizer is found; Debian keeps it out of the PATH.
set(tfprof_test_environment
    ASAN_OPTIONS=abort_on_error=0:detect_leaks=1:allocator_may_return_null=1:strict_string_checks=1
    UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
    TSAN_OPTIONS=halt_on_error=1:abort_on_error=0)
if((TFPROF_SANITIZE OR TFPROF_SANITIZE_THREAD) AND CMAKE_C_COMPILER_ID MATCHES "Clang")
    get_filename_component(real_compiler "${CMAKE_C_COMPILER}" REALPATH)
    get_filename_component(compiler_bin "${real_compiler}" DIRECTORY)
    find_program(TFPROF_SYMBOLIZER llvm-symbolizer HINTS "${compiler_bin}")
    if(TFPROF_SYMBOLIZER)
        list(APPEND tfprof_test_environment
            ASAN_SYMBOLIZER_PATH=${TFPROF_SYMBOLIZER}
            UBSAN_SYMBOLIZER_PATH=${TFPROF_SYMBOLIZER}
            TSAN_SYMBOLIZER_PATH=${TFPROF_SYMBOLIZER})
    endif()
endif()
