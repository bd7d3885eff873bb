/*
 * speedscope.c - a file of speedscope: a profile for each cost.
 *
 * speedscope.app/file-format-schema.json defines the format. Profiles have the
 * type "evented": boxes open and close at positions along an axis. The other
 * type, "sampled", repeats the complete stack of each row, so its size grows
 * with the depth.
 *
 * Rows share frames. In the scope view, all rows with the same name share one;
 * in the code view, all rows of the same source line. So speedscope can add up
 * the cost of a line in all stacks that contain it.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/ids.h"
#include "model/metrics.h"
#include "model/times.h"
#include "output/flame/boxes.h"
#include "output/flame/flame.h"
#include "output/text/figures.h"
#include "output/text/json.h"
#include "output/text/times.h"
#include "output/view/row_facts.h"
#include "view/view.h"

#include <stdio.h>
#include <tfprof/version.h>

/* Rows of the code view with the same key share a frame. */
typedef struct line_key {
    uint32_t name; /* id in `names` */
    tfp_string file;
    int64_t line;
} line_key;

typedef struct writer {
    const tfp_view *view;
    tfp_sink *sink;
    tfp_json json;
    tfp_interner names, lines; /* id 0 is not a frame; id 1 is frame 0 */
    uint32_t *frames;          /* by index of the shown row */
    int64_t time_unit;
    int64_t cut;
} writer;

/* ---- Frames ------------------------------------------------------------- */

static void write_frame(writer *w, tfp_span name, uint32_t row)
{
    tfp_code_place source;
    tfp_json_open_line(&w->json, NULL, '{');
    tfp_json_string(&w->json, "name", name);
    if (w->view->type->has_lines && tfp_row_source(w->view, row, &source)) {
        tfp_json_string(&w->json, "file", source.file);
        tfp_json_int(&w->json, "line", source.line);
    }
    tfp_json_close(&w->json);
}

/* The id of the key of a row's frame. TFP_NO_ID when out of memory. */
static uint32_t find_key(writer *w, tfp_span name, uint32_t row)
{
    const tfp_frame *frame = tfp_row_frame(w->view, row);
    line_key key = { .name = tfp_intern(&w->names, name) };
    if (!w->view->type->has_lines || key.name == TFP_NO_ID)
        return key.name;
    if (frame) {
        key.file = frame->file;
        key.line = frame->line;
    }
    return tfp_intern(&w->lines, (tfp_span){ (uint8_t *)&key, sizeof(key) });
}

static bool write_frames(writer *w)
{
    const tfp_view *v = w->view;
    tfp_interner *keys = v->type->has_lines ? &w->lines : &w->names;
    w->frames = tfp_memory_array(v->memory, v->shown_count, sizeof(*w->frames));
    if (!w->frames ||
        !tfp_interner_init(&w->names, v->memory, 1, tfp_random_seed()) ||
        !tfp_interner_init(&w->lines, v->memory, 1, tfp_random_seed()))
        return false;
    tfp_json_open(&w->json, "shared", '{');
    tfp_json_open(&w->json, "frames", '[');
    for (size_t i = 0; i < v->shown_count && !tfp_sink_is_done(w->sink, i);
         i++) {
        uint32_t row = v->shown[i].row, known = tfp_interner_count(keys);
        tfp_span name = tfp_flame_name(v, row);
        uint32_t id = find_key(w, name, row);
        if (id == TFP_NO_ID)
            return false;
        if (id == known)
            write_frame(w, name, row);
        w->frames[i] = id - 1;
    }
    tfp_json_close(&w->json);
    tfp_json_close(&w->json);
    return true;
}

/* ---- Profiles ----------------------------------------------------------- */

/* Writes the JSON directly, because there may be millions of events. */
static void write_event(writer *w, bool opens, uint32_t frame, tfp_cost cost,
                        int64_t place)
{
    static const char head[] = "{\"type\":\"?\",\"frame\":", at[] = ",\"at\":";
    char text[sizeof(head) + sizeof(at) + 2 * TFP_FIGURE_SIZE];
    size_t size = sizeof(head) - 1;
    memcpy(text, head, size);
    text[sizeof("{\"type\":\"") - 1] = opens ? 'O' : 'C';
    size += tfp_figure_integer(frame, text + size);
    memcpy(text + size, at, sizeof(at) - 1);
    size += sizeof(at) - 1;
    size += tfp_figure_exact_cost(cost, place, w->time_unit, text + size);
    text[size++] = '}';
    tfp_json_token(&w->json, NULL, (tfp_span){ (uint8_t *)text, size });
}

static void put_place(writer *w, const char *key, tfp_cost cost, int64_t place)
{
    char text[TFP_FIGURE_SIZE];
    size_t size = tfp_figure_exact_cost(cost, place, w->time_unit, text);
    tfp_json_token(&w->json, key, (tfp_span){ (uint8_t *)text, size });
}

/* The own part of the root is a box after all others. */
static void write_root(writer *w, const tfp_boxes *boxes, const tfp_box *root)
{
    if (root->next == root->end)
        return;
    write_event(w, true, w->frames[root->shown], boxes->cost, root->next);
    write_event(w, false, w->frames[root->shown], boxes->cost, root->end);
}

static bool write_events(writer *w, tfp_cost cost)
{
    tfp_boxes boxes;
    tfp_box_event event;
    tfp_boxes_init(&boxes, w->view, cost, w->sink);
    while (tfp_boxes_next(&boxes, &event)) {
        if (event.level > 0)
            write_event(w, event.opens, w->frames[event.box->shown], cost,
                        event.opens ? event.box->start : event.box->end);
        else if (!event.opens)
            write_root(w, &boxes, event.box);
    }
    w->cut += boxes.cut;
    tfp_boxes_release(&boxes);
    return !boxes.failed;
}

static bool write_profile(writer *w, tfp_cost cost)
{
    tfp_unit unit = tfp_metrics[cost].unit;
    int64_t total = tfp_row_total(w->view, 0, cost);
    bool ok;
    tfp_json_open(&w->json, NULL, '{');
    tfp_json_text(&w->json, "type", "evented");
    tfp_json_text(&w->json, "name", tfp_metrics[cost].name);
    tfp_json_text(&w->json, "unit",
                  unit == TFP_UNIT_COUNT ? "none" : tfp_unit_name(unit));
    tfp_json_int(&w->json, "startValue", 0);
    put_place(w, "endValue", cost,
              w->view->shown_count > 0 && total > 0 ? total : 0);
    tfp_json_open(&w->json, "events", '[');
    ok = write_events(w, cost);
    tfp_json_close(&w->json);
    tfp_json_close(&w->json);
    return ok;
}

/* ---- The file ----------------------------------------------------------- */

static void write_head(writer *w)
{
    const tfp_view *v = w->view;
    char name[80], title[TFP_STEP_TITLE];
    snprintf(name, sizeof(name), "%s view, %s", v->type->name,
             tfp_step_title(v->options->step, title));
    tfp_json_text(&w->json, "$schema",
                  "https://www.speedscope.app/file-format-schema.json");
    tfp_json_text(&w->json, "exporter", "tfprof " TFPROF_VERSION);
    tfp_json_text(&w->json, "name", name);
    tfp_json_int(&w->json, "activeProfileIndex", 0);
}

static bool write_file(writer *w)
{
    tfp_flame_costs costs = tfp_flame_costs_of(w->view);
    bool ok = true;
    tfp_json_open(&w->json, NULL, '{');
    write_head(w);
    if (!write_frames(w))
        return false;
    tfp_json_open(&w->json, "profiles", '[');
    for (size_t i = 0; ok && i < costs.count; i++)
        ok = write_profile(w, costs.costs[i]);
    tfp_json_close(&w->json);
    tfp_json_close(&w->json);
    return ok;
}

int tfp_speedscope_write(const tfp_view *v, tfp_flame_notes *notes,
                         tfp_sink *sink, tfprof_error *err)
{
    writer w = { .view = v,
                 .sink = sink,
                 .time_unit = tfp_model_time_unit(v->model) };
    bool ok;
    tfp_json_init(&w.json, sink);
    w.json.compact = true;
    ok = write_file(&w);
    notes->cut_boxes += w.cut;
    tfp_interner_release(&w.names);
    tfp_interner_release(&w.lines);
    tfp_memory_free(v->memory, w.frames);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}
