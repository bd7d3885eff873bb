/*
 * terminal.h - the terminal while the tree is shown, and how it gets back to
 * what it was, whatever ends the program.
 */
#ifndef TFP_TUI_TERMINAL_H
#define TFP_TUI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/curses.h"

typedef struct tui_terminal {
    const tui_curses *curses;
    SCREEN *screen;
    WINDOW *window; /* all of the screen */
    size_t rows, columns;
    bool has_color, is_utf8;
} tui_terminal;

/* False if the type of the terminal is not known. */
bool tui_terminal_open(tui_terminal *terminal, bool wants_color, bool is_utf8);
void tui_terminal_close(tui_terminal *terminal);

/* Gives the terminal to another program, and takes it back. */
void tui_terminal_leave(tui_terminal *terminal);
void tui_terminal_enter(tui_terminal *terminal);

/* Keys besides those of curses, which are larger than a byte. */
enum {
    TUI_KEY_NONE = -1,
    TUI_KEY_END = -2 /* a signal, or the terminal is gone */
};

/* Waits for a key. A new size of the window is KEY_RESIZE. */
int tui_terminal_key(tui_terminal *terminal);

/* ---- Signals ------------------------------------------------------------ */

/* A tfprof_cancel_fn: has Ctrl-C been pressed, or must the program end? */
int tui_is_cancelled(void *context);

/* While something can be cancelled, Ctrl-C does not end the program unless it
 * is pressed twice. */
void tui_signals_busy(bool is_busy);

/* Forgets a Ctrl-C; false if a signal is to end the program. */
bool tui_forget_interrupt(void);

/* The signal that ended the program, or 0. */
int tui_ending_signal(void);

#endif
