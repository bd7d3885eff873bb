/*
 * edit.h - the parts of the line editor.
 *
 * edit.c reads keys and runs their commands. edit_text.c holds the line,
 * edit_draw.c shows it, edit_tab.c completes words in it. No part has a buffer
 * of the size of the window, so no window is too small or too large.
 */
#ifndef TFP_CLI_EDIT_H
#define TFP_CLI_EDIT_H

#include <wchar.h>

#include "cli/prompt.h"

/* ---- The line ----------------------------------------------------------- */

typedef struct cli_text {
    wchar_t *data;
    size_t size, capacity;
    size_t cursor;  /* an index, `size` at most */
    size_t changed; /* the first character that is not shown as it is */
    bool no_memory; /* a character was lost */
    bool too_long;  /* characters past CLI_LONGEST_LINE were dropped */
} cli_text;

void cli_text_release(cli_text *text);
void cli_text_clear(cli_text *text);

/* What is shown from this index on is out of date. */
void cli_text_touch(cli_text *text, size_t index);

/* Inserts at the cursor and moves it behind. False when out of memory. */
bool cli_text_insert(cli_text *text, const wchar_t *chars, size_t count);
void cli_text_remove(cli_text *text, size_t from, size_t to);

/* Inserts bytes of the locale. Bytes that are not characters are left out. */
bool cli_text_insert_bytes(cli_text *text, const char *bytes, size_t size);

/* Replaces the whole line; the cursor is at its end. */
bool cli_text_set(cli_text *text, const char *line);

/* The first `count` characters as bytes that end in NUL. The caller frees
 * them. NULL when out of memory. */
char *cli_text_bytes(const cli_text *text, size_t count, size_t *size);

/* Removes the characters before the cursor that have so many bytes. */
void cli_text_remove_bytes(cli_text *text, size_t size);

/* Where the word before or after the cursor begins or ends. */
size_t cli_text_word_start(const cli_text *text);
size_t cli_text_word_end(const cli_text *text);

/* ---- The screen --------------------------------------------------------- */

/* Rows are counted from the one in which the prompt begins. */
typedef struct cli_place {
    size_t index; /* of a character: of the prompt, the line or the status */
    size_t row, column;
} cli_place;

typedef struct cli_screen {
    FILE *out;
    size_t rows, columns; /* of the window */
    size_t top;           /* the first row that can still be reached */
    cli_place at;         /* the terminal's cursor; its index is not used */
    cli_place end;        /* of what is drawn */
    cli_place known;      /* where a search for a place may begin */
    bool is_blank;        /* the prompt is to be drawn, too */
    wchar_t status[320];  /* shown behind the line; ends in 0 */
} cli_screen;

/* Reads the size of the window. True if it changed. */
bool cli_screen_measure(cli_screen *screen);

/* The cursor is at the beginning of an empty row: everything is to be drawn. */
void cli_screen_begin(cli_screen *screen);

/* Brings the screen up to date. */
void cli_screen_show(cli_screen *screen, cli_text *text);

/* The same, and leaves the terminal's cursor behind the line. */
void cli_screen_show_end(cli_screen *screen, cli_text *text);

/* Draws the line anew in a window of another size. */
void cli_screen_resize(cli_screen *screen, cli_text *text);

void cli_screen_clear(cli_screen *screen);

/* ---- Completion --------------------------------------------------------- */

/* Completes the word before the cursor, or lists the choices. */
void cli_edit_complete(const cli_session *session, cli_screen *screen,
                       cli_text *text);

#endif
