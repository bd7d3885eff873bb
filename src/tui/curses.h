/*
 * curses.h - ncursesw, loaded when the tree is opened.
 *
 * No other command needs the library, and linking it would make every command
 * start more slowly. Only version 6 of the library is loaded: the headers
 * describe this version, and constants such as attributes differ in version 5.
 */
#ifndef TFP_TUI_CURSES_H
#define TFP_TUI_CURSES_H

#include <stdbool.h>
#include <stdio.h>

#define NCURSES_NOMACROS 1 /* dlsym() finds functions, but not macros */
#include <ncurses.h>

#define TUI_CURSES_CALLS(X)                                                    \
    X(COLOR_PAIR)                                                              \
    X(cbreak)                                                                  \
    X(clearok)                                                                 \
    X(curs_set)                                                                \
    X(define_key)                                                              \
    X(delscreen)                                                               \
    X(delwin)                                                                  \
    X(doupdate)                                                                \
    X(endwin)                                                                  \
    X(has_colors)                                                              \
    X(init_pair)                                                               \
    X(keypad)                                                                  \
    X(newterm)                                                                 \
    X(newwin)                                                                  \
    X(nodelay)                                                                 \
    X(noecho)                                                                  \
    X(resizeterm)                                                              \
    X(set_escdelay)                                                            \
    X(start_color)                                                             \
    X(use_default_colors)                                                      \
    X(waddnstr)                                                                \
    X(wattrset)                                                                \
    X(werase)                                                                  \
    X(wgetch)                                                                  \
    X(wmove)                                                                   \
    X(wnoutrefresh)                                                            \
    X(wrefresh)                                                                \
    X(wresize)

typedef struct tui_curses {
#define TUI_MEMBER(name) __typeof__(&name) name;
    TUI_CURSES_CALLS(TUI_MEMBER)
#undef TUI_MEMBER
    /* These functions are from terminfo, whose header is not included because
     * it defines macros with common names. */
    char *(*tigetstr)(const char *name);
    int (*setupterm)(const char *type, int fd, int *status);
    void *(*set_curterm)(void *terminal);
    int (*del_curterm)(void *terminal);
} tui_curses;

/* Returns the functions, or NULL if the library cannot be loaded. The library
 * stays loaded. */
const tui_curses *tui_curses_load(void);

#endif
