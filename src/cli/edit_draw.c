/*
 * edit_draw.c - shows the prompt and the line in a window.
 *
 * Only the part from the first change on is drawn. Rows of a line that is
 * taller than the window scroll away and are drawn again when the cursor moves
 * to them. The sequences are those of ECMA-48, which every terminal but a dumb
 * one knows; a terminal wraps at its right margin by itself.
 */
#define _XOPEN_SOURCE 700 /* wcwidth() */

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <wctype.h>

#include "cli/edit.h"

enum { PROMPT_SIZE = sizeof(CLI_PROMPT) - 1 };

/* ---- Characters --------------------------------------------------------- */

/* A character as it is shown. Control characters are spelled, ^A or <0085>:
 * each byte of these fills a column of its own. */
typedef struct glyph {
    char bytes[MB_LEN_MAX + 1];
    size_t size;
    size_t width; /* of the character, 2 at most, or of each byte: 1 */
    bool is_spelled;
} glyph;

static void spell(glyph *g, wchar_t c)
{
    int size = c < 0x20 || c == 0x7f
                   ? snprintf(g->bytes, sizeof(g->bytes), "^%c", (int)c ^ 0x40)
                   : snprintf(g->bytes, sizeof(g->bytes), "<%04lX>",
                              (unsigned long)c & 0xffffffff);
    g->is_spelled = true;
    g->size = (size_t)size;
    g->width = 1;
}

static void make_glyph(glyph *g, wchar_t c)
{
    mbstate_t state = { 0 };
    int width = c >= 0x20 && c < 0x7f ? 1 : -1;
    g->is_spelled = false;
    if (width == 1) {
        g->bytes[0] = (char)c;
        g->size = g->width = 1;
        return;
    }
    if (c >= 0x80 && iswprint((wint_t)c))
        width = wcwidth(c);
    g->size = width >= 0 && width <= 2 ? wcrtomb(g->bytes, c, &state)
                                       : (size_t)-1;
    g->width = (size_t)width;
    if (g->size == (size_t)-1)
        spell(g, c);
}

static size_t total_size(const cli_screen *s, const cli_text *t)
{
    return PROMPT_SIZE + t->size + wcslen(s->status);
}

static wchar_t char_at(const cli_screen *s, const cli_text *t, size_t index)
{
    if (index < PROMPT_SIZE)
        return (wchar_t)CLI_PROMPT[index];
    index -= PROMPT_SIZE;
    return index < t->size ? t->data[index] : s->status[index - t->size];
}

/* ---- Places ------------------------------------------------------------- */

/* A column that is never past the last: behind that is the next row. */
static void step(const cli_screen *s, cli_place *p, size_t width)
{
    if (p->column + width > s->columns) {
        p->row++;
        p->column = 0;
    }
    p->column += width;
    if (p->column >= s->columns) {
        p->row++;
        p->column = 0;
    }
}

static void pass(const cli_screen *s, const cli_text *t, cli_place *p)
{
    glyph g;
    make_glyph(&g, char_at(s, t, p->index));
    for (size_t i = 0; i < (g.is_spelled ? g.size : 1); i++)
        step(s, p, g.width);
    p->index++;
}

/* Where the character of that index begins. */
static cli_place place_of(const cli_screen *s, const cli_text *t, size_t index)
{
    cli_place p = { 0 };
    if (s->known.index <= index)
        p = s->known;
    while (p.index < index)
        pass(s, t, &p);
    return p;
}

/* A wide character that does not fit is in the next row, and so is the cursor
 * on it. */
static cli_place cursor_place(const cli_screen *s, const cli_text *t)
{
    cli_place p = place_of(s, t, PROMPT_SIZE + t->cursor);
    glyph g;
    if (p.index >= total_size(s, t))
        return p;
    make_glyph(&g, char_at(s, t, p.index));
    if (p.column + g.width > s->columns) {
        p.row++;
        p.column = 0;
    }
    return p;
}

/* ---- Drawing ------------------------------------------------------------ */

static void move_to(cli_screen *s, size_t row, size_t column)
{
    if (row < s->at.row)
        fprintf(s->out, "\033[%zuA", s->at.row - row);
    else if (row > s->at.row)
        fprintf(s->out, "\033[%zuB", row - s->at.row);
    if (column + 1 == s->at.column) {
        fputc('\b', s->out);
    } else if (column != s->at.column) {
        fputc('\r', s->out);
        if (column > 0)
            fprintf(s->out, "\033[%zuC", column);
    }
    s->at = (cli_place){ .row = row, .column = column };
}

typedef struct row_range {
    size_t first, last;
} row_range;

static bool is_in(row_range rows, size_t row)
{
    return row >= rows.first && row <= rows.last;
}

/* Writes what of a character is in those rows. */
static void put(const cli_screen *s, cli_place *p, const glyph *g,
                row_range rows)
{
    if (!g->is_spelled) {
        size_t left = s->columns - p->column;
        bool fits = g->width <= left;
        if (!fits && is_in(rows, p->row))
            fprintf(s->out, "%*s", (int)left, "");
        if (is_in(rows, p->row + !fits))
            fwrite(g->bytes, 1, g->size, s->out);
        step(s, p, g->width);
        return;
    }
    for (size_t i = 0; i < g->size; i++) {
        if (is_in(rows, p->row))
            fputc(g->bytes[i], s->out);
        step(s, p, 1);
    }
}

/* Draws the characters from that place on, as far as they are in those rows.
 * The cursor is where the first of them goes. Behind a full row the terminal
 * is made to wrap, which it may put off; not at the bottom, where it would
 * scroll. */
static void draw(cli_screen *s, const cli_text *t, cli_place p, row_range rows)
{
    size_t total = total_size(s, t);
    while (p.index < total && p.row <= rows.last) {
        glyph g;
        make_glyph(&g, char_at(s, t, p.index));
        put(s, &p, &g, rows);
        p.index++;
    }
    if (p.row > rows.last) {
        /* At the right margin or behind it: a move begins on the left. */
        s->at = (cli_place){ .row = rows.last, .column = s->columns + 1 };
        s->end = s->at;
        return;
    }
    if (p.column == 0)
        fputs(" \r", s->out);
    if (s->end.row > p.row || (s->end.row == p.row && s->end.column > p.column))
        fputs("\033[J", s->out); /* the old line is longer */
    s->at = s->end = p;
}

static size_t last_row(const cli_screen *s)
{
    return s->top + s->rows - 1;
}

/* Fills the window with the rows from `top` on. */
static void draw_window(cli_screen *s, const cli_text *t, size_t top)
{
    cli_place p = { 0 };
    move_to(s, s->top, 0);
    s->top = s->at.row = top;
    s->end.row = SIZE_MAX; /* other rows are there */
    if (s->known.row < top)
        p = s->known;
    draw(s, t, p, (row_range){ top, last_row(s) });
}

/* Draws from that place to the end; the window may scroll. */
static void draw_rest(cli_screen *s, const cli_text *t, cli_place from)
{
    move_to(s, from.row, from.column);
    draw(s, t, from, (row_range){ 0, SIZE_MAX });
    if (s->at.row > last_row(s))
        s->top = s->at.row - s->rows + 1;
}

/* Draws from the first change on, and scrolls if the cursor is elsewhere. */
static void draw_change(cli_screen *s, const cli_text *t, cli_place from,
                        cli_place cursor)
{
    bool is_seen = from.row >= s->top && from.row <= last_row(s);
    if (cursor.row > last_row(s) && is_seen &&
        cursor.index == total_size(s, t)) {
        draw_rest(s, t, from);
    } else if (cursor.row > last_row(s)) {
        draw_window(s, t, cursor.row - s->rows + 1);
    } else if (cursor.row < s->top) {
        draw_window(s, t, cursor.row);
    } else if (from.row < s->top) {
        draw_window(s, t, s->top);
    } else if (is_seen) {
        move_to(s, from.row, from.column);
        draw(s, t, from, (row_range){ s->top, last_row(s) });
    }
}

void cli_screen_show(cli_screen *s, cli_text *t)
{
    cli_place cursor, from = { .row = SIZE_MAX }; /* nothing to draw */
    if (s->is_blank)
        s->known = from = (cli_place){ 0 };
    else if (t->changed < SIZE_MAX) {
        if (s->known.index > PROMPT_SIZE + t->changed)
            s->known = (cli_place){ 0 };
        from = s->known = place_of(s, t, PROMPT_SIZE + t->changed);
    }
    cursor = cursor_place(s, t);
    draw_change(s, t, from, cursor);
    move_to(s, cursor.row, cursor.column);
    fflush(s->out);
    s->is_blank = false;
    t->changed = SIZE_MAX;
}

void cli_screen_show_end(cli_screen *s, cli_text *t)
{
    t->cursor = t->size;
    cli_screen_show(s, t);
}

/* ---- The window --------------------------------------------------------- */

bool cli_screen_measure(cli_screen *s)
{
    size_t rows = 0, columns = 0, old_rows = s->rows, old_columns = s->columns;
    cli_window(fileno(s->out), &rows, &columns);
    s->rows = rows > 0 ? rows : 24;
    s->columns = columns == 0 ? 80 : columns < 2 ? 2 : columns;
    return s->rows != old_rows || s->columns != old_columns;
}

void cli_screen_begin(cli_screen *s)
{
    s->top = 0;
    s->at = s->end = s->known = (cli_place){ 0 };
    s->is_blank = true;
}

/* Some terminals wrap their rows anew and some do not, so the row of the
 * cursor is the old or the new one. The lower of the two erases nothing that
 * is above the prompt. */
void cli_screen_resize(cli_screen *s, cli_text *t)
{
    size_t up = s->at.row - s->top, now;
    s->known = (cli_place){ 0 };
    now = cursor_place(s, t).row;
    if (up > now)
        up = now;
    if (up >= s->rows)
        up = s->rows - 1;
    if (up > 0)
        fprintf(s->out, "\033[%zuA", up);
    fputs("\r\033[J", s->out);
    cli_screen_begin(s);
    cli_screen_show(s, t);
}

void cli_screen_clear(cli_screen *s)
{
    fputs("\033[H\033[2J", s->out);
    cli_screen_begin(s);
}
