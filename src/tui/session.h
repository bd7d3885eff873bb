/*
 * session.h - the data and functions that the files of this room share.
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

/* A view, and the position of the user in it. */
typedef struct tui_sight {
    const char *type;  /* "scope" */
    tfprof_view *view; /* NULL: not computed yet */
    tui_tree tree;
    size_t cursor; /* line */
    size_t first;  /* line at the top of the window */
} tui_sight;

/* What ran outside of all steps. It has no number. */
#define TUI_REST INT64_MIN

typedef struct tui_session {
    const tui_request *request;
    tfprof_profile *profile;
    tui_terminal terminal;
    tui_sight sights[TUI_VIEWS];
    tui_sight *now;
    tfprof_metric metric; /* the same for all views */
    uint32_t selected;    /* bits of the metrics in --select */
    tui_columns columns;
    int64_t step;   /* -1: the average of all steps; TUI_REST: the rest */
    int64_t *steps; /* all steps of the inputs, ascending */
    size_t step_count;
    char model[256];   /* the inputs, for the first line of the screen */
    char message[512]; /* in the last line, until the next key */
    char *notes;       /* of the library, one per line, or NULL */
    bool is_done;
} tui_session;

/* Sets the message in the last line. */
void tui_say(tui_session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* If a call failed, sets a message with the reason. A Ctrl-C that canceled the
 * call does not end the program. */
void tui_say_failure(tui_session *s, int status, const tfprof_error *err);

/* ---- Views and steps (views.c) ------------------------------------------ */

void tui_session_init(tui_session *s, const tui_request *request);
void tui_session_release(tui_session *s);

/* Shows a view. Computes it if it was not shown before. On failure, the screen
 * stays unchanged. */
int tui_show_view(tui_session *s, const char *type, tfprof_error *err);

/* Sorts by another metric. */
void tui_set_metric(tui_session *s, tfprof_metric metric);

/* Returns the next metric that is not 0 in every row and not equal to the
 * current metric. If there is none, returns the current metric. */
tfprof_metric tui_next_metric(const tui_session *s);

/* Computes the view again for a step, or for the average of all steps if `step`
 * is -1. */
int tui_set_step(tui_session *s, int64_t step, tfprof_error *err);

/* ---- The screen (draw.c) ------------------------------------------------ */

void tui_draw(tui_session *s);

/* Returns how many lines of the window show rows. */
size_t tui_body_rows(const tui_session *s);

/* Writes text in one line of the window, starting at a column. Shortens text
 * that does not fit into the window. Returns the number of columns used. */
size_t tui_put(const tui_session *s, size_t line, size_t column,
               const char *text, size_t size, attr_t attributes);

/* Draws a line of keys, or a message, at the bottom of the window. A message
 * may need several lines. */
void tui_put_bottom(const tui_session *s, const char *text);

/* ---- More screens ------------------------------------------------------- */

/* Returns how many bytes of a text fit into a line of `width` columns,
 * including the newline (page.c). */
size_t tui_take_line(const char *text, size_t size, size_t width);

/* Shows a text that can be scrolled. `text` consists of lines. */
void tui_show_page(tui_session *s, const char *title, const char *text);

/* Show the help, and the details of the row at the cursor (details.c). */
void tui_show_help(tui_session *s);
void tui_show_details(tui_session *s);

/* Lets the user type a line (ask.c). Returns false if the user canceled. */
bool tui_ask(tui_session *s, const char *question, char *answer, size_t size);

/* Asks a question. Returns true if the answer is y. */
bool tui_confirm(tui_session *s, const char *question);

/* ---- Other programs and files ------------------------------------------- */

/* Opens the source line of the row at the cursor (editor.c). */
void tui_open_editor(tui_session *s);

/* Writes the view to a file (save.c). */
void tui_save(tui_session *s);

/* ---- Keys (keys.c) ------------------------------------------------------ */

void tui_run_keys(tui_session *s);

/* Returns the keys of a row of the help, such as "Enter", and their meaning;
 * NULL if `index` is past the last row. */
const char *tui_key_help(size_t index, const char **meaning);

#endif
