/*
 * curses.h - ncursesw, loaded when the tree is opened.
 *
 * No other command needs the library, and each linked one makes every start
 * slower. Only version 6 of its interface is tried: the headers describe it,
 * and constants such as attributes differ in version 5.
 */
#ifndef TFP_TUI_CURSES_H
#define TFP_TUI_CURSES_H

#include <stdbool.h>
#include <stdio.h>

#define NCURSES_NOMACROS 1 /* functions can be found by name, macros not */
#include <ncurses.h>

#define TUI_CURSES_CALLS(X)                                                    \
    X(COLOR_PAIR)                                                              \
    X(beep)                                                                    \
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
    /* Of terminfo; its header defines macros with common names. */
    char *(*tigetstr)(const char *name);
    int (*setupterm)(const char *type, int fd, int *status);
    void *(*set_curterm)(void *terminal);
    int (*del_curterm)(void *terminal);
} tui_curses;

/* The functions, or NULL if the library cannot be loaded. It stays loaded. */
const tui_curses *tui_curses_load(void);

#endif
