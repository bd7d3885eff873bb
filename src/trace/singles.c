/*
 * singles.c - single events for a taker.
 */
#include "trace/singles.h"

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/intern.h"
#include "model/ids.h"
#include "model/model.h"
#include "model/trace_events.h"

/* Links of GPUs have this type, which no trace has. */
enum { CORRELATION = -1 };

static const tfp_event_taker *taker_of(const tfp_loading *l)
{
    return l->request->taker;
}

int tfp_singles_begin(tfp_loading *l, tfprof_error *err)
{
    tfp_span host = { l->space->host.data, l->space->host.count };
    return taker_of(l)->trace(taker_of(l)->self, l->request->model,
                              l->request->input, host, err);
}

int tfp_singles_plane(tfp_loading *l, const tfp_plane *plane, tfprof_error *err)
{
    l->is_device = tfp_span_starts(plane->name, "/device:");
    return taker_of(l)->plane(taker_of(l)->self, plane->name, err);
}

int tfp_singles_line(tfp_loading *l, const tfp_trace_line *line,
                     tfprof_error *err)
{
    return taker_of(l)->line(taker_of(l)->self, line->name, line->id, err);
}

/* A host has the one end of a link, a device the other. */
static bool find_link(const tfp_loading *l, const tfp_event *event,
                      tfp_event_link *link)
{
    const tfp_stats *stats = &event->stats;
    if (tfp_stats_number(stats, TFP_KNOWN_CORRELATION, &link->id)) {
        link->type = CORRELATION;
        return true;
    }
    return tfp_stats_number(stats,
                            l->is_device ? TFP_KNOWN_CONSUMER_TYPE
                                         : TFP_KNOWN_PRODUCER_TYPE,
                            &link->type) &&
           link->type == TFP_LINK_TPU_LAUNCH &&
           tfp_stats_number(
               stats, l->is_device ? TFP_KNOWN_CONSUMER : TFP_KNOWN_PRODUCER,
               &link->id);
}

/* The name of an event, also among the strings of the model. False when out of
 * memory. */
static bool put_name(const tfp_loading *l, tfp_event_type *type,
                     tfp_single_event *single)
{
    tfp_model *model = l->request->model;
    if (type) {
        single->name = tfp_type_shown(type);
        single->string = tfp_type_shown_string(&model->strings, type);
    } else {
        single->name = tfp_span_of("unnamed");
        single->string = tfp_model_string(model, single->name);
    }
    return single->string != TFP_NO_ID;
}

int tfp_singles_event(tfp_loading *l, const tfp_event *event, uint32_t node,
                      uint32_t step, tfprof_error *err)
{
    tfp_single_event single = { .begin = event->begin,
                                .length = event->length,
                                .step = tfp_loading_number(l, step),
                                .is_in_step = step != TFP_NO_ID };
    if (tfp_watch_ends(&l->watch))
        return tfp_fail_cancelled(err);
    if (event->is_aggregated) /* it has no place in time */
        return TFPROF_OK;
    if (!put_name(l, event->type, &single))
        return tfp_fail_nomem(err);
    /* An instruction that only this pass has seen has no name. */
    if (node != TFP_NO_NODE)
        single.node = l->nodes.nodes.data[node].name;
    if (find_link(l, event, &single.link)) {
        single.is_started = l->is_device;
        single.starts_work = !l->is_device;
    }
    return taker_of(l)->event(taker_of(l)->self, &single, err);
}

int tfp_singles_host_event(tfp_loading *l, const tfp_event *event,
                           uint32_t node, uint32_t anchor, tfprof_error *err)
{
    int64_t number;
    uint32_t step;
    if (!l->states_groups ||
        !tfp_stats_number(&event->stats, TFP_KNOWN_GROUP, &number))
        return tfp_singles_event(
            l, event, node, tfp_loading_place_host(l, anchor, event->begin),
            err);
    step = tfp_loading_step(l, number);
    return step == TFP_NO_ID ? tfp_fail_nomem(err)
                             : tfp_singles_event(l, event, node, step, err);
}

/* ---- Planes of no known kind -------------------------------------------- */

static int read_event(void *self, const tfp_event *event, tfprof_error *err)
{
    return tfp_singles_host_event(self, event, TFP_NO_NODE, TFP_NO_ID, err);
}

int tfp_read_other(tfp_loading *l, tfp_plane *plane, tfprof_error *err)
{
    tfp_line_walk walk = { .event = read_event,
                           .self = l,
                           .epoch = l->space->epoch,
                           .max_depth = l->request->max_depth };
    int status = tfp_singles_plane(l, plane, err);
    for (size_t i = 0; i < plane->lines.count && status == TFPROF_OK; i++) {
        status = tfp_singles_line(l, &plane->lines.data[i], err);
        if (status == TFPROF_OK)
            status = tfp_plane_walk_line(plane, &plane->lines.data[i], &walk,
                                         err);
    }
    tfp_line_walk_release(&walk);
    return status;
}
