# What a released binary is built with: the OpenSSF compiler hardening guide's
# set, each flag where compiler and linker know it. tools/check-release looks
# for the effects in the finished files.
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)

if(NOT TFPROF_HARDEN)
    return()
endif()

include(CheckCCompilerFlag)
include(CheckLinkerFlag)

# -Werror makes clang refuse what it would otherwise only warn about.
function(tfp_harden_compile flag)
    string(MAKE_C_IDENTIFIER "TFPROF_HAS${flag}" known)
    set(CMAKE_REQUIRED_FLAGS -Werror)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
        add_compile_options(${flag})
    endif()
endfunction()

function(tfp_harden_link flag)
    string(MAKE_C_IDENTIFIER "TFPROF_HAS${flag}" known)
    check_linker_flag(C ${flag} ${known})
    if(${known})
        add_link_options(${flag})
    endif()
endfunction()

# Distributions preset their own level: undefine it first.
add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
foreach(flag
        -fstrict-flex-arrays=3
        -fstack-clash-protection
        -fstack-protector-strong
        -fno-delete-null-pointer-checks
        -fno-strict-overflow
        -fno-strict-aliasing
        -ftrivial-auto-var-init=zero)
    tfp_harden_compile(${flag})
endforeach()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    tfp_harden_compile(-fcf-protection=full)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    tfp_harden_compile(-mbranch-protection=standard)
endif()

# The guide's -z nodlopen is left out: linkers ignore it for a program, and a
# library is there to be opened.
foreach(flag
        LINKER:-z,relro
        LINKER:-z,now
        LINKER:-z,noexecstack
        LINKER:--as-needed)
    tfp_harden_link(${flag})
endforeach()
