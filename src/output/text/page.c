/*
 * page.c - rows of a view as a person reads them.
 */
#include "output/text/page.h"

#include <stdio.h>

#include "base/width.h"

enum { LEVEL = 2 /* columns */ };

static int take_cells(void *context, const void *data, size_t size)
{
    tfp_page *page = context;
    if (!TFP_VEC_RESERVE(page->memory, &page->text, size)) {
        page->failed = true;
        return -1;
    }
    memcpy(page->text.data + page->text.count, data, size);
    page->text.count += size;
    return 0;
}

void tfp_page_init(tfp_page *page, const tfp_style *style, tfp_sink *sink,
                   tfp_memory *memory)
{
    page->style = *style;
    page->has_bars = tfp_style_has_bars(style);
    page->sink = sink;
    page->memory = memory;
    page->failed = false;
    memset(&page->text, 0, sizeof(page->text));
    memset(&page->breaks, 0, sizeof(page->breaks));
    tfp_sink_init(&page->cells, take_cells, page);
}

void tfp_page_release(tfp_page *page)
{
    TFP_VEC_RELEASE(page->memory, &page->text);
    TFP_VEC_RELEASE(page->memory, &page->breaks);
}

size_t tfp_page_margin(const tfp_page *page)
{
    return page->has_bars ? TFP_BAR_COLUMNS + 1 : 0;
}

tfp_sink *tfp_page_cells(tfp_page *page)
{
    page->text.count = 0;
    page->breaks.count = 0;
    return &page->cells;
}

void tfp_page_break(tfp_page *page)
{
    size_t at = page->text.count + page->cells.used, count = page->breaks.count;
    if (count > 0 && page->breaks.data[count - 1] == at)
        return; /* a cell, and its first word */
    if (!TFP_VEC_PUSH(page->memory, &page->breaks, at))
        page->failed = true;
}

void tfp_page_break_blanks(tfp_page *page)
{
    tfp_sink_flush(&page->cells);
    for (size_t i = 0; i < page->text.count; i++) {
        if (page->text.data[i] == ' ' && i + 1 < page->text.count &&
            !TFP_VEC_PUSH(page->memory, &page->breaks, i + 1))
            page->failed = true;
    }
}

/* Where a third of the window is blank already, a number says how deep it
 * is. */
static size_t put_indent(tfp_page *page, uint32_t level)
{
    size_t most = page->style.columns / 3, indent = LEVEL * (size_t)level;
    char tag[16];
    size_t size;
    if (page->style.columns == 0 || indent <= most) {
        tfp_sink_blanks(page->sink, indent);
        return indent;
    }
    size = (size_t)snprintf(tag, sizeof(tag), "%u> ", (unsigned)level);
    tfp_sink_blanks(page->sink, size < most ? most - size : 0);
    tfp_sink_text(page->sink, tag);
    return size < most ? most : size;
}

/* The columns that it takes; blanks up to those that it may take are due. */
static size_t put_name(tfp_page *page, const tfp_page_row *row, size_t room,
                       size_t *due)
{
    tfp_ink ink = row->ink == TFP_INK_STRONG ? row->ink : TFP_INK_PLAIN;
    size_t columns;
    tfp_style_begin(&page->style, page->sink, ink);
    columns = tfp_style_name(&page->style, page->sink, row->name, room);
    tfp_style_end(&page->style, page->sink, ink);
    *due = row->name_columns > columns ? row->name_columns - columns : 0;
    return columns;
}

/* ---- Cells -------------------------------------------------------------- */

static tfp_span finish_cells(tfp_page *page)
{
    tfp_sink_flush(&page->cells);
    page->sink->escaped |= page->cells.escaped;
    return (tfp_span){ page->text.data, page->text.count };
}

/* The part between two breaks: the first begins with the text. */
static tfp_span part(const tfp_page *page, size_t index)
{
    size_t start = index > 0 ? page->breaks.data[index - 1] : 0;
    size_t end = index < page->breaks.count ? page->breaks.data[index]
                                            : page->text.count;
    return (tfp_span){ page->text.data + start, end - start };
}

/* A blank at its end belongs between it and the next one. */
static bool ends_blank(tfp_span part)
{
    return part.size > 0 && part.data[part.size - 1] == ' ';
}

static size_t part_columns(tfp_span part)
{
    return tfp_text_columns(part) - ends_blank(part);
}

/* A new line; it begins further to the left where that makes room. */
static size_t begin_line(tfp_page *page, size_t indent, size_t needed,
                         tfp_ink ink)
{
    size_t columns = page->style.columns;
    if (indent + needed > columns)
        indent = columns > needed ? columns - needed : 0;
    tfp_style_end(&page->style, page->sink, ink);
    tfp_sink_char(page->sink, '\n');
    tfp_sink_blanks(page->sink, indent);
    tfp_style_begin(&page->style, page->sink, ink);
    return indent;
}

/* From column `at`, where some blanks are due; lines that follow begin at
 * `indent`. */
static void put_parts(tfp_page *page, size_t at, size_t due, size_t indent,
                      tfp_ink ink)
{
    for (size_t i = 0; i <= page->breaks.count; i++) {
        tfp_span text = part(page, i);
        size_t needed = part_columns(text);
        if (text.size == 0) /* such as no device */
            continue;
        if (i > 0 && at + due + needed > page->style.columns) {
            at = begin_line(page, indent, needed, ink);
        } else {
            tfp_sink_blanks(page->sink, due);
            at += due;
        }
        due = ends_blank(text);
        text.size -= due;
        tfp_sink_bytes(page->sink, text);
        at += needed;
    }
}

void tfp_page_put_word(tfp_page *page, tfp_span name)
{
    enum { AROUND = 2 /* what closes the cells, or divides words */ };
    tfp_page_break(page);
    tfp_style_name(&page->style, &page->cells, name,
                   tfp_style_room(&page->style, AROUND));
}

/* ---- Rows --------------------------------------------------------------- */

/* Room for the name where all of the row stands in one line, or 0. */
static size_t room_in_line(const tfp_page *page, const tfp_page_row *row,
                           size_t others)
{
    size_t columns = page->style.columns;
    size_t least = tfp_text_columns(row->name);
    if (columns == 0)
        return SIZE_MAX;
    if (least > TFP_SHORTEST_NAME)
        least = TFP_SHORTEST_NAME;
    if (least < row->name_columns)
        least = row->name_columns;
    return others + least <= columns ? columns - others : 0;
}

/* The same where it takes several: the first cell stands behind the name. */
static size_t room_in_lines(const tfp_page *page, const tfp_page_row *row,
                            size_t start)
{
    if (row->name_columns > 0)
        return row->name_columns;
    for (size_t i = 0; i < 2 && i <= page->breaks.count; i++)
        start += part_columns(part(page, i));
    return tfp_style_room(&page->style, start);
}

tfp_sink *tfp_page_put(tfp_page *page, const tfp_page_row *row)
{
    enum { INDENT = 4 };
    tfp_ink ink = row->ink == TFP_INK_FAINT ? row->ink : TFP_INK_PLAIN;
    tfp_span cells = finish_cells(page);
    size_t start = row->before + tfp_page_margin(page), room, due;
    if (page->failed)
        return page->sink;
    if (page->has_bars) {
        tfp_style_bar(&page->style, page->sink, row->part, row->whole);
        tfp_sink_char(page->sink, ' ');
    }
    tfp_style_begin(&page->style, page->sink, ink);
    start += put_indent(page, row->level);
    room = room_in_line(page, row, start + tfp_text_columns(cells));
    if (room > 0) {
        put_name(page, row, room, &due);
        tfp_sink_blanks(page->sink, due);
        tfp_sink_bytes(page->sink, cells);
    } else {
        size_t name = put_name(page, row, room_in_lines(page, row, start),
                               &due);
        put_parts(page, start + name, due,
                  start + (row->name_columns ? row->name_columns : INDENT),
                  ink);
    }
    tfp_style_end(&page->style, page->sink, ink);
    return page->sink;
}

tfp_sink *tfp_page_put_line(tfp_page *page, tfp_ink ink)
{
    enum { INDENT = 4 };
    tfp_span text = finish_cells(page);
    size_t start = tfp_page_margin(page);
    if (page->failed)
        return page->sink;
    tfp_sink_blanks(page->sink, start);
    tfp_style_begin(&page->style, page->sink, ink);
    if (page->style.columns == 0)
        tfp_sink_bytes(page->sink, text);
    else
        put_parts(page, start, 0, start + INDENT, ink);
    tfp_style_end(&page->style, page->sink, ink);
    return page->sink;
}
