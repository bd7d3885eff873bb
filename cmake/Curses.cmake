# TFPROF_TUI: the command tui draws with ncursesw. Only the header is needed to
# build it; the library is loaded with dlopen() by its name, since no other
# command uses it, and a program without it must start, too. A static program
# cannot load libraries. The packages recommend the library's package
# (Packages.cmake).
set(TFPROF_NCURSES_FILE libncursesw.so.6) # what the header describes
set(TFPROF_NCURSES_PACKAGE libncursesw6)
if(TFPROF_TUI AND TFPROF_STATIC)
    set(TFPROF_TUI OFF)
endif()
if(TFPROF_TUI)
    pkg_check_modules(NCURSES ncursesw>=6)
    if(NOT NCURSES_FOUND)
        message(STATUS "ncursesw is not there: tfprof is built without it")
        set(TFPROF_TUI OFF)
    endif()
endif()
