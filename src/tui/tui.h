/*
 * tui.h - shows a view as a tree in the terminal.
 */
#ifndef TFP_TUI_TUI_H
#define TFP_TUI_TUI_H

#include <stdbool.h>
#include <stddef.h>

#include <tfprof/tfprof.h>

typedef struct tui_request {
    tfprof_profile *profile; /* with its inputs; the options are not changed */
    const char *selected;    /* the value of --select, or NULL */
    bool gives_own;          /* was --own given? */
    bool is_utf8;            /* both the terminal and the locale */
    bool has_color;
} tui_request;

enum { TUI_LONGEST_REASON = 512 };

/* How tui_run() ended. */
typedef struct tui_end {
    int status; /* TFPROF_OK, or the error if there was no tree */
    int signal; /* the signal that ended the tree, or 0 */
    char why[TUI_LONGEST_REASON]; /* "" if the status is TFPROF_OK */
} tui_end;

/* Returns whether this build contains the tree. */
bool tui_is_there(void);

/* Checks the library and the terminal, before inputs are read. Returns false,
 * with a reason, if the tree cannot be shown. */
bool tui_prepare(char why[TUI_LONGEST_REASON]);

/* Shows the tree until the user quits. stdin and stdout must be a terminal; the
 * locale must be set. Replaces the callbacks of the profile. */
void tui_run(const tui_request *request, tui_end *end);

#endif
