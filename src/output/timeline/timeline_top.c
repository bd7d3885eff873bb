/*
 * timeline_top.c - who held most of an accelerator's memory at a time.
 */
#include "output/timeline/timeline_top.h"

#include "model/steps.h"

#include "model/model.h"

#include "model/ids.h"

#include "model/census.h"

#include "base/sort.h"

#include <stdio.h>

#include "base/utf8.h"
#include "output/text/figures.h"

enum { TOLD = 10, MOST_OF_NAME = 256 };

static uint32_t member_of(const tfp_top *top, const tfp_exec *exec)
{
    return top->runs->view->census->by_name[exec->name];
}

/* ---- Changes ------------------------------------------------------------ */

/* Adds a change of `member`. Changes of one member must be added in a row: they
 * share one holder, the last of the list. */
static bool add_change(tfp_top *top, uint32_t member, tfp_micros at,
                       int64_t bytes)
{
    size_t last = top->holders.count;
    if (bytes == 0)
        return true;
    if ((last == 0 || top->holders.data[last - 1].member != member) &&
        !TFP_VEC_PUSH(top->memory, &top->holders,
                      (tfp_top_holder){ .member = member }))
        return false;
    return TFP_VEC_PUSH(
        top->memory, &top->changes,
        (tfp_top_change){ at, bytes, (uint32_t)top->holders.count - 1 });
}

/* Adds the memory of one record. Persistent memory, which outlives the step,
 * counts from time 0. */
static bool add_record(tfp_top *top, const tfp_exec *exec)
{
    const tfp_census *census = top->runs->view->census;
    uint32_t member = member_of(top, exec);
    tfp_exec_figures figures;
    tfp_exec_allocation allocation;
    tfp_detail_reader reader = tfp_exec_read(top->runs->step, exec, &figures);
    int64_t kept = census->roles[exec->device].kind == TFP_EXEC_RUN
                       ? figures.persistent_bytes
                       : figures.device_persistent_bytes;
    if (!add_change(top, member, 0, kept))
        return false;
    while (tfp_detail_next_allocation(&reader, &allocation)) {
        if (!add_change(top, member, allocation.at, allocation.bytes))
            return false;
    }
    return true;
}

/* Node by node, so that all that one of them did becomes one holder. */
static bool add_records(tfp_top *top, const tfp_sort_item *items, size_t count)
{
    const tfp_runs *r = top->runs;
    bool ok = TFP_VEC_RESERVE(top->memory, &top->order, count);
    for (size_t i = 0; ok && i < count; i++) {
        uint32_t record = items[i].index;
        uint32_t member = member_of(top, &r->step->execs.data[record]);
        top->order.data[i] = (tfp_sort_item){ r->shown_at[member], record };
    }
    ok = ok && tfp_runs_sort(r, top->order.data, count, NULL, NULL);
    for (size_t i = 0; ok && i < count && !tfp_sink_is_done(r->sink, i); i++)
        ok = add_record(top, &r->step->execs.data[top->order.data[i].index]);
    return ok;
}

static bool sort_changes(tfp_top *top)
{
    size_t count = top->changes.count;
    if (!TFP_VEC_RESERVE(top->memory, &top->order, count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        top->order.data[i] = (tfp_sort_item){
            tfp_sort_key_rising(top->changes.data[i].at), i
        };
    return tfp_runs_sort(top->runs, top->order.data, count, NULL, NULL);
}

/* ---- The tournament ----------------------------------------------------- */

static int64_t bytes_of(const tfp_top *top, uint32_t holder)
{
    return holder < top->holders.count ? top->holders.data[holder].bytes
                                       : INT64_MIN;
}

/* Changes the bytes of a holder and replays its matches up to the top. */
static void set_bytes(tfp_top *top, uint32_t holder, int64_t bytes)
{
    size_t place = (top->leaves + holder) / 2;
    top->holders.data[holder].bytes = bytes;
    for (; place > 0; place /= 2) {
        uint32_t a = top->winners[2 * place], b = top->winners[2 * place + 1];
        top->winners[place] = bytes_of(top, b) > bytes_of(top, a) ? b : a;
    }
}

static size_t winners_size(const tfp_top *top)
{
    return 2 * top->leaves * sizeof(*top->winners);
}

/* Nobody holds anything: the first of each pair wins. */
static bool start_tournament(tfp_top *top)
{
    top->leaves = 2;
    while (top->leaves < top->holders.count)
        top->leaves *= 2;
    top->winners = tfp_memory_alloc(top->memory, winners_size(top));
    if (!top->winners)
        return false;
    for (size_t i = 0; i < top->leaves; i++)
        top->winners[top->leaves + i] = (uint32_t)i;
    for (size_t place = top->leaves; place-- > 1;)
        top->winners[place] = top->winners[2 * place];
    return true;
}

/* ---- Use ---------------------------------------------------------------- */

bool tfp_top_init(tfp_top *top, const tfp_runs *runs,
                  const tfp_sort_item *items, size_t count)
{
    *top = (tfp_top){ .memory = runs->memory, .runs = runs };
    if (!add_records(top, items, count))
        return false;
    return top->changes.count == 0 ||
           (sort_changes(top) && start_tournament(top));
}

void tfp_top_release(tfp_top *top)
{
    tfp_memory_free(top->memory, top->winners);
    TFP_VEC_RELEASE(top->memory, &top->changes);
    TFP_VEC_RELEASE(top->memory, &top->order);
    TFP_VEC_RELEASE(top->memory, &top->holders);
}

bool tfp_top_advance(tfp_top *top, tfp_micros to)
{
    for (; top->next < top->changes.count; top->next++) {
        const tfp_top_change *change =
            &top->changes.data[top->order.data[top->next].index];
        if (change->at >= to)
            break;
        set_bytes(top, change->holder,
                  tfp_add_sat(top->holders.data[change->holder].bytes,
                              change->bytes));
    }
    return top->winners && bytes_of(top, top->winners[1]) > 0;
}

/* Names are told at every point, so long ones are shortened. */
static void put_holder(const tfp_top *top, tfp_json *json, size_t place,
                       const tfp_top_holder *holder)
{
    const tfp_view *v = top->runs->view;
    tfp_span name = tfp_model_text(
        v->model, v->census->members.data[holder->member].name);
    size_t shown = tfp_utf8_cut(name, MOST_OF_NAME);
    char key[sizeof("Top Allocation 00")];
    char text[TFP_FIGURE_SIZE + sizeof(" from ")];
    size_t size = tfp_figure_bytes(holder->bytes, text);
    snprintf(key, sizeof(key), "Top Allocation %02u", (unsigned)place % 100);
    memcpy(text + size, " from ", sizeof(" from "));
    tfp_json_joined(json, key, text, (tfp_span){ name.data, shown },
                    shown < name.size ? "..." : "");
}

/* Winners leave the tournament until all are told, and then come back. */
void tfp_top_put(tfp_top *top, tfp_json *json, int64_t in_use)
{
    uint32_t told[TOLD];
    int64_t bytes[TOLD];
    size_t count = 0;
    char rest[TFP_FIGURE_SIZE];
    for (; count < TOLD; count++) {
        uint32_t best = top->winners[1];
        if (bytes_of(top, best) <= 0)
            break;
        put_holder(top, json, count, &top->holders.data[best]);
        told[count] = best;
        bytes[count] = bytes_of(top, best);
        in_use = tfp_sub_sat(in_use, bytes[count]);
        set_bytes(top, best, 0);
    }
    while (count-- > 0)
        set_bytes(top, told[count], bytes[count]);
    tfp_figure_bytes(in_use > 0 ? in_use : 0, rest);
    tfp_json_text(json, "Not Displayed", rest);
}
