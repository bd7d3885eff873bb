/*
 * session.h - what the parts of the tree in the terminal share.
 */
#ifndef TFP_TUI_SESSION_H
#define TFP_TUI_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tfprof/tfprof.h>

#include "tui/columns.h"
#include "tui/terminal.h"
#include "tui/tree.h"
#include "tui/tui.h"

enum { TUI_VIEWS = 4 };

/* A view that was asked for, and where its reader is in it. */
typedef struct tui_sight {
    const char *type;  /* "scope" */
    tfprof_view *view; /* NULL: not asked for yet */
    tui_tree tree;
    size_t cursor; /* line */
    size_t first;  /* line at the top of the window */
} tui_sight;

typedef struct tui_session {
    const tui_request *request;
    tfprof_profile *profile;
    tui_terminal terminal;
    tui_sight sights[TUI_VIEWS];
    tui_sight *now;
    tfprof_metric metric; /* of all views */
    uint32_t selected;    /* bits of the metrics that --select asks for */
    tui_columns columns;
    int64_t step;   /* or -1: the average */
    int64_t *steps; /* of the inputs, in order */
    size_t step_count;
    char model[256];   /* what was read, for people */
    char message[512]; /* at the bottom, until the next key */
    char *notes;       /* of the library, a line each, or NULL */
    bool is_done;
} tui_session;

/* Sets the message at the bottom. */
void tui_say(tui_session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says why a call failed, if it did. A Ctrl-C that cancelled it is over. */
void tui_say_failure(tui_session *s, int status, const tfprof_error *err);

/* ---- Asking the library (views.c) --------------------------------------- */

void tui_session_init(tui_session *s, const tui_request *request);
void tui_session_release(tui_session *s);

/* Shows a view, and makes it first if needed. On failure all is as before. */
int tui_show_view(tui_session *s, const char *type, tfprof_error *err);

/* Sorts by another metric. */
void tui_set_metric(tui_session *s, tfprof_metric metric);

/* The next metric that is not 0 everywhere, nor equal to the present one. */
tfprof_metric tui_next_metric(const tui_session *s);

/* Makes the view anew for a step, or for the average: -1. */
int tui_set_step(tui_session *s, int64_t step, tfprof_error *err);

/* ---- The screen (draw.c) ------------------------------------------------ */

void tui_draw(tui_session *s);

/* Lines of the window that show rows. */
size_t tui_body_rows(const tui_session *s);

/* Writes text in one line of the window, from a column on, and no further than
 * the window; the columns that it took. */
size_t tui_put(const tui_session *s, size_t line, size_t column,
               const char *text, size_t size, attr_t attributes);

/* Draws a line of keys at the bottom, or a message, which may need several
 * lines. */
void tui_put_bottom(const tui_session *s, const char *text);

/* ---- More screens ------------------------------------------------------- */

/* Bytes of a text that fit in a line of some width, a newline included
 * (page.c). */
size_t tui_take_line(const char *text, size_t size, size_t width);

/* A text to scroll in. `text` has lines. */
void tui_show_page(tui_session *s, const char *title, const char *text);

/* Help, and what is known about the row at the cursor (details.c). */
void tui_show_help(tui_session *s);
void tui_show_details(tui_session *s);

/* Asks for a line (ask.c). False if it was given up. */
bool tui_ask(tui_session *s, const char *question, char *answer, size_t size);

/* Asks for a y. */
bool tui_confirm(tui_session *s, const char *question);

/* ---- Other programs and files ------------------------------------------- */

/* Opens the source line of the row at the cursor (editor.c). */
void tui_open_editor(tui_session *s);

/* Writes the view to a file (save.c). */
void tui_save(tui_session *s);

/* ---- Keys (keys.c) ------------------------------------------------------ */

void tui_run_keys(tui_session *s);

/* "Enter": what stands in help, row by row; NULL past the last one. */
const char *tui_key_help(size_t index, const char **meaning);

#endif
