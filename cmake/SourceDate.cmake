# tfp_source_date(VAR SOURCE_DIR): the second that everything made from these
# sources is dated by, so that it does not matter when it is made:
# SOURCE_DATE_EPOCH, else that of the last commit, else the newest date in
# CHANGELOG.md, else the oldest one that a zip file can hold.
function(tfp_source_date variable source_dir)
    set(told "$ENV{SOURCE_DATE_EPOCH}")
    if(NOT told MATCHES "^[0-9]+$" AND EXISTS "${source_dir}/.git")
        # Whoever owns the checkout.
        execute_process(COMMAND git -c safe.directory=* -C "${source_dir}"
                log -1 --format=%ct
            OUTPUT_VARIABLE told OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    if(NOT told MATCHES "^[0-9]+$")
        file(STRINGS "${source_dir}/CHANGELOG.md" dated
            REGEX "^## .* - [0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]$")
        if("${dated}" MATCHES " - ([0-9-]+)")
            execute_process(COMMAND date -u -d "${CMAKE_MATCH_1}" +%s
                OUTPUT_VARIABLE told OUTPUT_STRIP_TRAILING_WHITESPACE)
        endif()
    endif()
    if(NOT told MATCHES "^[0-9]+$")
        set(told 315532800)
    endif()
    set(${variable} "${told}" PARENT_SCOPE)
endfunction()

# tfp_source_day(VAR SOURCE_DIR): the day of that second, as 2031-03-07.
function(tfp_source_day variable source_dir)
    tfp_source_date(seconds "${source_dir}")
    set(before "$ENV{SOURCE_DATE_EPOCH}")
    set(ENV{SOURCE_DATE_EPOCH} "${seconds}") # string() goes by it
    string(TIMESTAMP day "%Y-%m-%d" UTC)
    if(before STREQUAL "")
        unset(ENV{SOURCE_DATE_EPOCH})
    else()
        set(ENV{SOURCE_DATE_EPOCH} "${before}")
    endif()
    set(${variable} "${day}" PARENT_SCOPE)
endfunction()
