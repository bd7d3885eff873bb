/*
 * terminal.h - opens the terminal for the tree, and resets it however the
 * program ends.
 */
#ifndef TFP_TUI_TERMINAL_H
#define TFP_TUI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/curses.h"

typedef struct tui_terminal {
    const tui_curses *curses;
    SCREEN *screen;
    WINDOW *window; /* the complete screen */
    size_t rows, columns;
    bool has_color, is_utf8;
} tui_terminal;

/* Returns false if the type of the terminal is not known. */
bool tui_terminal_open(tui_terminal *terminal, bool wants_color, bool is_utf8);
void tui_terminal_close(tui_terminal *terminal);

/* Release the terminal for another program, and take it back. */
void tui_terminal_leave(tui_terminal *terminal);
void tui_terminal_enter(tui_terminal *terminal);

/* Keys that curses does not have. Curses returns bytes, and larger numbers for
 * keys such as KEY_UP. */
enum {
    TUI_KEY_NONE = -1,
    TUI_KEY_END = -2 /* a signal arrived, or the terminal was closed */
};

/* Waits for a key and returns it. Returns KEY_RESIZE if the size of the window
 * changed. */
int tui_terminal_key(tui_terminal *terminal);

/* ---- Signals ------------------------------------------------------------ */

/* A tfprof_cancel_fn: returns whether Ctrl-C was pressed or a signal asked the
 * program to end. */
int tui_is_cancelled(void *context);

/* While `is_busy` is set, the first Ctrl-C only cancels the computation, and
 * the second one ends the program. */
void tui_signals_busy(bool is_busy);

/* Clears a Ctrl-C. Returns false if another signal asked the program to end. */
bool tui_forget_interrupt(void);

/* Returns the signal that asked the program to end, or 0. */
int tui_ending_signal(void);

#endif
