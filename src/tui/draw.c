/*
 * draw.c - the screen: titles, rows and a line of keys.
 *
 * Each line is composed for the width of the window. Names are shortened as in
 * tables, with the character widths of the library. If the terminal uses
 * another width for a character, only the rest of this line moves, because
 * names are at the end of lines.
 */
#include <stdio.h>
#include <string.h>

#include "tui/session.h"

enum {
    HEAD = 2,           /* lines above the rows */
    FOOT = 1,           /* lines below the rows */
    SHORTEST_NAME = 16, /* columns that indentation leaves, if possible */
    LONGEST = 4096      /* bytes of a line */
};

size_t tui_body_rows(const tui_session *s)
{
    return s->terminal.rows > HEAD + FOOT ? s->terminal.rows - HEAD - FOOT : 1;
}

/* ---- Text --------------------------------------------------------------- */

/* Writes bytes outside ASCII as \xHH, for locales that are not UTF-8. */
static size_t to_ascii(const char *text, size_t size, char *out, size_t room)
{
    static const char digits[] = "0123456789abcdef";
    size_t used = 0;
    for (size_t i = 0; i < size && used + 5 < room; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x80) {
            out[used++] = text[i];
            continue;
        }
        out[used++] = '\\';
        out[used++] = 'x';
        out[used++] = digits[c >> 4];
        out[used++] = digits[c & 15];
    }
    return used;
}

/* Writes the text in at most `columns` columns, terminated by NUL. Returns the
 * number of columns used. */
static size_t fit(const tui_session *s, const char *text, size_t size,
                  size_t columns, char out[LONGEST])
{
    char plain[LONGEST];
    size_t used;
    if (!s->terminal.is_utf8) {
        size = to_ascii(text, size, plain, sizeof(plain));
        text = plain;
    }
    tfprof_fit(text, size, columns, s->terminal.is_utf8, out, LONGEST, &used);
    return used;
}

size_t tui_put(const tui_session *s, size_t line, size_t column,
               const char *text, size_t size, attr_t attributes)
{
    const tui_terminal *t = &s->terminal;
    char fitted[LONGEST];
    size_t used;
    if (line >= t->rows || column >= t->columns)
        return 0;
    used = fit(s, text, size, t->columns - column, fitted);
    t->curses->wmove(t->window, (int)line, (int)column);
    t->curses->wattrset(t->window, (int)attributes);
    t->curses->waddnstr(t->window, fitted, -1);
    t->curses->wattrset(t->window, A_NORMAL);
    return used;
}

static size_t put_text(const tui_session *s, size_t line, size_t column,
                       const char *text, attr_t attributes)
{
    return tui_put(s, line, column, text, strlen(text), attributes);
}

/* Fills a line of the window with blanks. */
static void fill_line(const tui_session *s, size_t line, attr_t attributes)
{
    const tui_terminal *t = &s->terminal;
    t->curses->wmove(t->window, (int)line, 0);
    t->curses->wattrset(t->window, (int)attributes);
    for (size_t i = 0; i < t->columns; i++)
        t->curses->waddnstr(t->window, " ", 1);
    t->curses->wattrset(t->window, A_NORMAL);
}

void tui_put_bottom(const tui_session *s, const char *text)
{
    const tui_terminal *t = &s->terminal;
    size_t size = strlen(text), count = 0, at = 0, line;
    for (size_t n = 0; n < size; count++)
        n += tui_take_line(text + n, size - n, t->columns);
    line = count < t->rows ? t->rows - (count > 0 ? count : 1) : 0;
    for (; line < t->rows; line++) {
        size_t n = tui_take_line(text + at, size - at, t->columns);
        fill_line(s, line, A_REVERSE);
        tui_put(s, line, 0, text + at, n, A_REVERSE);
        at += n;
    }
    t->curses->wnoutrefresh(t->window);
}

/* ---- Above and below the rows ------------------------------------------- */

static void put_head(const tui_session *s)
{
    char text[512], step[64] = "";
    if (s->step >= 0)
        snprintf(step, sizeof(step), ", step %lld", (long long)s->step);
    else if (s->step == TUI_REST)
        snprintf(step, sizeof(step), ", outside of all steps");
    else if (s->step_count > 1)
        snprintf(step, sizeof(step), ", average of %zu steps", s->step_count);
    else if (s->step_count == 1)
        snprintf(step, sizeof(step), ", step %lld", (long long)s->steps[0]);
    snprintf(text, sizeof(text), "%s by %s%s: %s", s->now->type,
             tfprof_metric_title(s->metric), step, s->model);
    fill_line(s, 0, A_REVERSE);
    if (s->terminal.columns < sizeof(text)) /* the model may be cut off */
        text[s->terminal.columns] = '\0';
    put_text(s, 0, 0, text, A_REVERSE);
}

static void put_titles(const tui_session *s)
{
    size_t at = 0;
    for (size_t i = 0; i < s->columns.count; i++) {
        const tui_column *c = &s->columns.data[i];
        if (!c->is_shown)
            continue;
        put_text(s, 1, at + c->width - strlen(c->title), c->title, A_DIM);
        at += c->width + TUI_GAP;
        if (c->kind == TUI_COLUMN_SHARE && s->columns.has_bars)
            at += TUI_BAR + TUI_GAP;
    }
    put_text(s, 1, at,
             !strcmp(s->now->type, "code") ? "line"
             : s->now->tree.is_flat        ? "operation"
                                           : "name",
             A_DIM);
}

/* Shows as many keys as fit, and the position of the cursor. */
static void put_foot(const tui_session *s)
{
    static const char keys[] = "Enter fold  s metric  / search  i details  "
                               "w write  ? help  q quit";
    char place[64], text[sizeof(keys)];
    size_t width = s->terminal.columns, size;
    if (*s->message) {
        tui_put_bottom(s, s->message);
        return;
    }
    size = (size_t)snprintf(place, sizeof(place), "%zu/%zu", s->now->cursor + 1,
                            s->now->tree.line_count);
    snprintf(text, sizeof(text), "%s", keys);
    while (*text && strlen(text) + size + 2 > width) {
        char *gap = strrchr(text, ' ');
        while (gap && gap > text && gap[-1] != ' ')
            gap--; /* remove a key together with its word */
        if (gap && gap > text)
            gap[-1] = '\0';
        else
            *text = '\0';
    }
    tui_put_bottom(s, *text ? text : "? help");
    if (width > size)
        put_text(s, s->terminal.rows - 1, width - size, place, A_REVERSE);
    s->terminal.curses->wnoutrefresh(s->terminal.window);
}

/* ---- Rows --------------------------------------------------------------- */

enum { EIGHTHS = 8 };

/* Draws a bar as in tables: in steps of an eighth of a column, or of a column
 * if the terminal is not UTF-8. */
static void put_bar(const tui_session *s, size_t line, size_t column,
                    int64_t part, int64_t whole, attr_t attributes)
{
    char text[3 * TUI_BAR + 1];
    size_t used = 0;
    int left = 0;
    if (part > 0 && whole > 0)
        left = part >= whole
                   ? TUI_BAR * EIGHTHS
                   : (int)((double)part / (double)whole * (TUI_BAR * EIGHTHS) +
                           0.5);
    if (!s->terminal.is_utf8)
        left = (left + EIGHTHS / 2) / EIGHTHS * EIGHTHS;
    for (; left > 0; left -= EIGHTHS) {
        int here = left > EIGHTHS ? EIGHTHS : left;
        if (s->terminal.is_utf8) {
            memcpy(text + used, "\xe2\x96", 2);
            text[used + 2] = (char)(0x90 - here); /* U+2588 is a full column */
            used += 3;
        } else {
            text[used++] = '#';
        }
    }
    if (s->terminal.has_color)
        attributes |= (attr_t)s->terminal.curses->COLOR_PAIR(1);
    tui_put(s, line, column, text, used, attributes);
}

/* Draws the figures of a line. Returns the column after them. */
static size_t put_figures(tui_session *s, size_t at_line, const tui_line *line,
                          attr_t attributes)
{
    tui_tree *tree = &s->now->tree;
    char text[TUI_LONGEST_FIGURE];
    size_t at = 0;
    for (size_t i = 0; i < s->columns.count; i++) {
        const tui_column *c = &s->columns.data[i];
        size_t size;
        if (!c->is_shown)
            continue;
        size = tui_column_figure(c, tree, line, text);
        tui_put(s, at_line, at + c->width - size, text, size, attributes);
        at += c->width + TUI_GAP;
        if (c->kind != TUI_COLUMN_SHARE || !s->columns.has_bars)
            continue;
        put_bar(s, at_line, at, tui_column_value(c, tree, line),
                tui_tree_whole(tree, c->metric), attributes);
        at += TUI_BAR + TUI_GAP;
    }
    return at;
}

/* Returns the part of a name that is not shortened: the file and line in the
 * code view, else the last part of the name. */
static tfprof_text kept_part(const tui_session *s, tfprof_text name)
{
    size_t at = 0, end = name.size;
    int open = 0, colons = 0;
    if (!strcmp(s->now->type, "code")) {
        for (end = 0; end < name.size; end++) {
            if (name.data[end] == ':' && ++colons == 2)
                break;
        }
        return (tfprof_text){ name.data, end };
    }
    for (at = name.size; at > 0; at--) {
        char c = name.data[at - 1];
        open += (c == ')') - (c == '(');
        if (c == '/' && open == 0)
            break;
    }
    return (tfprof_text){ name.data + at, end - at };
}

/* Draws a name in at most `room` columns. Returns how many columns it used. */
static size_t put_name(const tui_session *s, size_t line, size_t column,
                       tfprof_text name, size_t room, attr_t attributes)
{
    tfprof_text kept = kept_part(s, name);
    bool leads = kept.data == name.data;
    char text[LONGEST];
    size_t needed = fit(s, kept.data, kept.size, SIZE_MAX, text), used;
    if (kept.size == name.size || needed >= room ||
        fit(s, name.data, name.size, SIZE_MAX, text) <= room) {
        used = fit(s, name.data, name.size, room, text);
        put_text(s, line, column, text, attributes);
        return used;
    }
    if (leads) {
        put_text(s, line, column,
                 fit(s, kept.data, kept.size, room, text) ? text : "",
                 attributes);
        used = fit(s, name.data + kept.size, name.size - kept.size,
                   room - needed, text);
        put_text(s, line, column + needed, text, attributes);
        return needed + used;
    }
    used = fit(s, name.data, name.size - kept.size, room - needed, text);
    put_text(s, line, column, text, attributes);
    fit(s, kept.data, kept.size, room - used, text);
    put_text(s, line, column + used, text, attributes);
    return used + needed;
}

/* Draws the facts that tables show after a name, if there is room for them. */
static void put_facts(const tui_session *s, size_t line, uint32_t row,
                      size_t column, attr_t attributes)
{
    static const struct {
        tfprof_fact fact;
        const char *word; /* a word of --select */
    } facts[] = {
        { TFPROF_FACT_SHAPE, "params" },
        { TFPROF_FACT_OP_TYPES, "op_types" },
        { TFPROF_FACT_DEVICES, "device" },
    };
    const char *selected = s->request->selected ? s->request->selected : "";
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        tfprof_text text = tfprof_view_fact(s->now->view, row, facts[i].fact);
        bool is_shown = facts[i].fact == TFPROF_FACT_SHAPE
                            ? s->metric == TFPROF_METRIC_PARAMS &&
                                  !s->now->tree.is_flat
                            : strstr(selected, facts[i].word) != NULL;
        if (!is_shown || text.size == 0 ||
            column + SHORTEST_NAME > s->terminal.columns)
            continue;
        column += 2 + tui_put(s, line, column + 2, text.data, text.size,
                              attributes);
    }
}

static bool costs_much(const tui_session *s, const tui_line *line)
{
    const tui_tree *tree = &s->now->tree;
    int64_t self = tfprof_view_self(tree->view, line->row, s->metric);
    int64_t whole = tui_tree_whole(tree, s->metric);
    return line->more == 0 && self > 0 &&
           self >= whole / 10 + (whole % 10 != 0);
}

/* "(12 more: 3.40ms)". */
static void put_rest(tui_session *s, size_t at_line, const tui_line *line,
                     size_t column, int64_t count, attr_t attributes)
{
    char text[64 + TUI_LONGEST_FIGURE], figure[TUI_LONGEST_FIGURE];
    tui_column_figure(&s->columns.data[0], &s->now->tree, line, figure);
    snprintf(text, sizeof(text), "(%lld more: %s)", (long long)count, figure);
    put_text(s, at_line, column, text, attributes);
}

/* "+" marks a row that can be unfolded, "-" a row that can be folded. */
static const char *fold_mark(tui_session *s, const tui_line *line)
{
    tui_tree *tree = &s->now->tree;
    if (tree->is_flat)
        return "";
    if (line->more > 0)
        return "+ ";
    if (!tui_tree_has_children(tree, line->row))
        return "  ";
    return tui_tree_is_open(tree, line->row) ? "- " : "+ ";
}

static size_t indent_of(const tui_session *s, const tui_line *line,
                        size_t column)
{
    size_t room = s->terminal.columns > column ? s->terminal.columns - column
                                               : 0;
    size_t most = room > SHORTEST_NAME + 2 ? room - SHORTEST_NAME - 2 : 0;
    size_t indent = 2 * (size_t)line->level;
    return indent < most ? indent : most;
}

static void put_row(tui_session *s, size_t at_line, size_t index)
{
    const tui_line *line = &s->now->tree.lines[index];
    attr_t attributes = index == s->now->cursor ? A_REVERSE : A_NORMAL;
    const char *mark = fold_mark(s, line);
    size_t column, width = s->terminal.columns;
    int64_t rest;
    if (attributes == A_REVERSE)
        fill_line(s, at_line, attributes);
    column = put_figures(s, at_line, line, attributes);
    column += indent_of(s, line, column);
    column += put_text(s, at_line, column, mark, attributes);
    rest = line->more > 0 ? line->more
                          : tfprof_view_rest(s->now->view, line->row);
    if (costs_much(s, line))
        attributes |= A_BOLD;
    if (rest > 0)
        put_rest(s, at_line, line, column, rest, attributes);
    else if (line->row == 0 && !s->now->tree.is_flat)
        put_text(s, at_line, column, "(total)", attributes);
    else if (column < width)
        column += put_name(s, at_line, column,
                           tui_tree_short_name(&s->now->tree, line->row),
                           width - column, attributes);
    if (line->more == 0)
        put_facts(s, at_line, line->row, column, attributes & ~A_BOLD);
}

/* ---- The complete screen ------------------------------------------------ */

/* Keeps the cursor in the window. */
static void follow_cursor(tui_session *s)
{
    tui_sight *now = s->now;
    size_t rows = tui_body_rows(s), count = now->tree.line_count;
    if (now->cursor >= count)
        now->cursor = count > 0 ? count - 1 : 0;
    if (now->first > now->cursor)
        now->first = now->cursor;
    if (now->cursor >= now->first + rows)
        now->first = now->cursor - rows + 1;
    /* Leaves no line empty if there are rows above the window. */
    if (now->first + rows > count)
        now->first = count > rows ? count - rows : 0;
}

void tui_draw(tui_session *s)
{
    const tui_curses *c = s->terminal.curses;
    size_t rows = tui_body_rows(s), shown;
    follow_cursor(s);
    shown = s->now->tree.line_count - s->now->first;
    shown = shown < rows ? shown : rows;
    c->werase(s->terminal.window);
    tui_columns_fit(&s->columns, &s->now->tree,
                    s->now->tree.lines + s->now->first, shown,
                    s->terminal.columns);
    if (s->terminal.rows > HEAD + FOOT) {
        put_head(s);
        put_titles(s);
    }
    for (size_t i = 0; i < shown; i++)
        put_row(s, s->terminal.rows > HEAD + FOOT ? HEAD + i : i,
                s->now->first + i);
    if (s->terminal.rows > 1)
        put_foot(s);
    c->wnoutrefresh(s->terminal.window);
    c->doupdate();
}
