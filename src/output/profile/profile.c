/*
 * profile.c - all that was loaded, as a ProfileProto.
 *
 * In:   the census: what views show is what is written.
 * Out:  one node after the other, then what belongs to all of them.
 *
 * Everything stands in an order that the answers do not depend on, so that a
 * profile that was read and is written again has the same bytes. What a
 * ProfileProto has no place for: docs/output.md.
 */
#include "output/profile/profile.h"

#include "proto/put.h"

#include "model/model.h"

#include "output/profile/profile_parts.h"

static bool has_traces(const tfp_census *census)
{
    for (size_t i = 0; i < census->members.count; i++) {
        tfp_node node = census->members.data[i].noted;
        if (node != TFP_NO_NODE && census->model->nodes.trace[node] != 0)
            return true;
    }
    return false;
}

static void put_steps(tfp_put *put, const tfp_profile_runs *runs)
{
    const tfp_model *model = runs->census->model;
    size_t packed;
    if (runs->step_count == 0)
        return;
    packed = tfp_put_open(put, ProfileProto_steps);
    for (size_t i = 0; i < runs->step_count; i++)
        tfp_put_varint(put, (uint64_t)model->steps.data[runs->steps[i]].id);
    tfp_put_end(put, packed);
}

/* Hands over what was put. False when out of memory, or when the sink takes
 * no more. */
static bool send(tfp_put *put, tfp_sink *sink)
{
    if (put->failed)
        return false;
    tfp_sink_bytes(sink, tfp_put_span(put));
    tfp_put_clear(put);
    return !sink->failed;
}

static bool send_strings(tfp_put *put, const tfp_profile_nodes *nodes,
                         tfp_sink *sink)
{
    bool ok = true;
    for (size_t i = 0; i < nodes->strings.count && ok; i++) {
        size_t entry = tfp_put_open(put, ProfileProto_id_to_string);
        tfp_put_int(put, TFP_MAP_KEY, (int64_t)i + 1);
        tfp_put_bytes(
            put, TFP_MAP_VALUE,
            tfp_model_text(nodes->census->model, nodes->strings.data[i]));
        tfp_put_end(put, entry);
        ok = send(put, sink);
    }
    return ok;
}

static bool send_all(tfp_put *put, tfp_profile_nodes *nodes, tfp_sink *sink)
{
    const tfp_census *census = nodes->census;
    for (uint32_t m = 0; m < census->members.count; m++) {
        if (tfp_sink_is_done(sink, m))
            return false;
        tfp_profile_put_node(put, nodes, m);
        if (nodes->failed || !send(put, sink))
            return false;
    }
    /* Also when it is false: a file of no bytes would not be recognized. */
    tfp_put_int(put, ProfileProto_has_trace >> 3, has_traces(census));
    put_steps(put, &nodes->runs);
    tfp_put_number(put, ProfileProto_miss_accelerator_stream,
                   census->misses_stream);
    return send(put, sink) && send_strings(put, nodes, sink);
}

int tfp_profile_write(const tfp_census *census, tfp_sink *sink,
                      tfprof_error *err)
{
    tfp_profile_nodes nodes;
    tfp_put put;
    int status = tfp_profile_nodes_init(&nodes, census, err);
    tfp_put_init(&put, census->memory);
    /* A sink that takes no more says so itself, at its end. */
    if (status == TFPROF_OK && !send_all(&put, &nodes, sink) && !sink->failed)
        status = tfp_fail_nomem(err);
    tfp_put_release(&put);
    tfp_profile_nodes_release(&nodes);
    return status;
}
