/*
 * folded.c - folded stacks: "scope;scope;node 12", a line for each stack.
 *
 * Programs that read this format split a line at its last blank, and the stack
 * at semicolons. They remove blanks around the stack, read a number at its end
 * as a second count, and skip lines that begin with a number sign. In names,
 * these bytes are therefore written as \xHH, like the bytes that base/escape.h
 * escapes.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "model/times.h"
#include "output/flame/boxes.h"
#include "output/flame/flame.h"
#include "output/text/figures.h"
#include "view/view.h"

#include <string.h>

typedef struct writer {
    tfp_boxes boxes;
    tfp_sink *sink;
    tfp_flame_notes *notes;
    int64_t time_unit;
    TFP_VEC(char) path; /* the stack of the innermost box */
} writer;

/* ---- Names -------------------------------------------------------------- */

/* Blanks in Unicode that base/escape.h does not escape. */
static bool is_blank(uint32_t code)
{
    return code == ' ' || code == 0xa0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200a) || code == 0x202f ||
           code == 0x205f || code == 0x3000;
}

/* Could the rest of a name be a count: only digits and dots? */
static bool is_number(tfp_span rest)
{
    for (size_t i = 0; i < rest.size; i++) {
        if (rest.data[i] != '.' && (rest.data[i] < '0' || rest.data[i] > '9'))
            return false;
    }
    return true;
}

/* The index of a name's last blank if a number follows it, else the size of the
 * name. */
static size_t tail_of(tfp_span name)
{
    size_t at = name.size;
    while (at > 0 && name.data[at - 1] != ' ')
        at--;
    if (at > 0 && is_number((tfp_span){ name.data + at, name.size - at }))
        return at - 1;
    return name.size;
}

static void add_bytes(writer *w, tfp_span bytes)
{
    char *to = w->path.data + w->path.count;
    memcpy(to, bytes.data, bytes.size);
    w->path.count += bytes.size;
}

static void add_hex(writer *w, tfp_span bytes)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < bytes.size; i++) {
        char *to = w->path.data + w->path.count;
        memcpy(to, "\\x", 2);
        to[2] = digits[bytes.data[i] >> 4];
        to[3] = digits[bytes.data[i] & 15];
        w->path.count += 4;
    }
}

/* Must a character of a name be escaped? `size` is 0 if it is not valid. */
static bool is_odd(const writer *w, tfp_span name, size_t at, size_t size,
                   uint32_t code)
{
    bool is_end = at == 0 || at + size == name.size;
    if (size == 0 ||
        tfp_escape_plain((tfp_span){ name.data + at, size }) == 0) {
        w->sink->escaped = true;
        return true;
    }
    return code == ';' || (is_end && is_blank(code)) ||
           (at == 0 && code == '#');
}

static void add_escaped(writer *w, tfp_span name)
{
    size_t tail = tail_of(name), size;
    for (size_t at = 0; at < name.size; at += size) {
        tfp_span rest = { name.data + at, name.size - at };
        uint32_t code = 0;
        bool odd;
        size = tfp_utf8_next(rest, &code);
        odd = at == tail || is_odd(w, name, at, size, code);
        size = size > 0 ? size : 1;
        rest.size = size;
        if (odd)
            add_hex(w, rest);
        else
            add_bytes(w, rest);
    }
}

/* Can a name be written unchanged? Most names can. */
static bool is_plain(tfp_span name)
{
    return tfp_escape_plain(name) == name.size &&
           !memchr(name.data, ';', name.size) &&
           !memchr(name.data, ' ', name.size) && name.data[0] < 0x80 &&
           name.data[0] != '#' && name.data[name.size - 1] < 0x80;
}

/* Appends a name to the stack. False when out of memory. */
static bool add_name(writer *w, tfp_span name)
{
    size_t kept = tfp_utf8_cut(name, TFP_FOLDED_NAME);
    bool is_short = kept < name.size;
    name.size = kept;
    if (!TFP_VEC_RESERVE(w->boxes.view->memory, &w->path,
                         strlen("\\xHH") * name.size + strlen(";...")))
        return false;
    if (w->path.count > 0)
        add_bytes(w, tfp_span_of(";"));
    if (is_plain(name))
        add_bytes(w, name);
    else
        add_escaped(w, name);
    if (is_short)
        add_bytes(w, tfp_span_of("..."));
    w->notes->short_names += is_short;
    return true;
}

/* ---- Lines -------------------------------------------------------------- */

static int64_t whole(const writer *w, int64_t place)
{
    return tfp_cost_to_whole(w->boxes.cost, place, w->time_unit);
}

/* Rounds the positions where boxes begin and end, not the counts. So each count
 * is less than 1 off, and the sum of all counts is the rounded total. */
static void write_line(writer *w, const tfp_box *box)
{
    int64_t count = whole(w, box->end) - whole(w, box->next);
    char digits[TFP_FIGURE_SIZE];
    size_t size;
    if (count == 0)
        return;
    size = tfp_figure_integer(count, digits);
    if (w->path.count > 0)
        tfp_sink_bytes(w->sink, (tfp_span){ (const uint8_t *)w->path.data,
                                            w->path.count });
    else
        tfp_sink_text(w->sink, TFP_ROOT_NAME);
    tfp_sink_char(w->sink, ' ');
    tfp_sink_bytes(w->sink, (tfp_span){ (const uint8_t *)digits, size });
    tfp_sink_char(w->sink, '\n');
}

int tfp_folded_write(const tfp_view *v, tfp_flame_notes *notes, tfp_sink *sink,
                     tfprof_error *err)
{
    writer w = { .sink = sink,
                 .notes = notes,
                 .time_unit = tfp_model_time_unit(v->model) };
    tfp_box_event event;
    bool ok = true;
    tfp_boxes_init(&w.boxes, v, tfp_flame_costs_of(v).costs[0], sink);
    while (ok && tfp_boxes_next(&w.boxes, &event)) {
        if (!event.opens) {
            write_line(&w, event.box);
            w.path.count = event.box->mark;
        } else if (event.level > 0) {
            event.box->mark = w.path.count;
            ok = add_name(&w,
                          tfp_flame_name(v, v->shown[event.box->shown].row));
        }
    }
    ok = ok && !w.boxes.failed;
    notes->cut_boxes += w.boxes.cut;
    TFP_VEC_RELEASE(v->memory, &w.path);
    tfp_boxes_release(&w.boxes);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}
