/*
 * tui.h - a view as a tree in the terminal.
 */
#ifndef TFP_TUI_TUI_H
#define TFP_TUI_TUI_H

#include <stdbool.h>
#include <stddef.h>

#include <tfprof/tfprof.h>

typedef struct tui_request {
    tfprof_profile *profile; /* with its inputs; its options stay as they are */
    const char *selected;    /* --select as it was given, or NULL */
    bool gives_own;          /* was --own given? */
    bool is_utf8;            /* the terminal and the locale */
    bool has_color;
} tui_request;

enum { TUI_LONGEST_REASON = 512 };

/* How it ended. */
typedef struct tui_end {
    int status;                   /* TFPROF_OK, or why there is no tree */
    int signal;                   /* that ended it, or 0 */
    char why[TUI_LONGEST_REASON]; /* unless the status is TFPROF_OK */
} tui_end;

/* Does this build have it? */
bool tui_is_there(void);

/* Finds what it needs before inputs are read. False with a reason. */
bool tui_prepare(char why[TUI_LONGEST_REASON]);

/* Shows the tree until its user leaves. stdin and stdout must be a terminal;
 * the locale must be set. Replaces the callbacks of the profile. */
void tui_run(const tui_request *request, tui_end *end);

#endif
