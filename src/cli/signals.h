/*
 * signals.h - what comes from the keyboard and from other programs.
 *
 * SIGINT, SIGTERM and SIGHUP end the program with 128 and their number. While
 * what runs can be cancelled, the first is only noted, so that all is left in
 * order; a second one ends the program all the same. At the prompt Ctrl-C is
 * just noted, and only a second one during the same question ends it.
 */
#ifndef TFP_CLI_SIGNALS_H
#define TFP_CLI_SIGNALS_H

#include <stdbool.h>

void cli_signals_catch(void);

/* For the prompt: signals are noted from now on, and with a terminal those
 * that are about it, too. */
void cli_signals_start(bool on_terminal);

/* Is there something that can be cancelled? */
void cli_signals_query(bool is_running);

/* While a pager has the keyboard, Ctrl-C is its business. */
void cli_signals_pager(bool is_running);

/* Signals as a child should find them. */
void cli_signals_for_child(void);

/* Was there a Ctrl-C, or a signal that ends all? The first stays until it is
 * forgotten. */
bool cli_interrupted(void);
void cli_forget_interrupt(void);
int cli_ending_signal(void);

/* A tfprof_cancel_fn. */
int cli_is_cancelled(void *context);

/* The exit code after a signal, with a word about it. */
int cli_end_by_signal(void);

/* What a wait for a key ended with, as bits. */
enum {
    CLI_WAKE_INPUT = 1,
    CLI_WAKE_INTERRUPT = 2,
    CLI_WAKE_STOP = 4,     /* Ctrl-Z */
    CLI_WAKE_CONTINUE = 8, /* stopped by somebody, and now going on */
    CLI_WAKE_RESIZE = 16
};

/* Waits until stdin can be read or a signal came. With `takes_stop` Ctrl-Z
 * is told here instead of stopping the program. */
unsigned cli_wait_for_key(bool takes_stop);

/* Stops the program as Ctrl-Z does, until somebody continues it. */
void cli_stop(void);

/* Ends the program as the signal does that was to end it. */
void cli_die_of(int signal);

#endif
