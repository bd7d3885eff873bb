/*
 * info_facts.c - the facts that `tfprof info` prints, in one table for both
 * forms.
 */
#include "output/info.h"

#include <stdio.h>

#include "output/escape.h"

#define COUNT(key, words)   { #key, words, offsetof(tfp_input_counts, key) }
#define IGNORED(key, words) { #key, words, offsetof(tfp_input_ignored, key) }

const tfp_fact tfp_count_facts[] = {
    COUNT(nodes, "nodes"),
    COUNT(op_types, "op types"),
    COUNT(edges, "edges"),
    COUNT(control_edges, "control edges"),
    COUNT(functions, "functions"),
    COUNT(function_nodes, "function nodes"),
    COUNT(function_edges, "function edges"),
    COUNT(meta_graphs, "meta graphs"),
    COUNT(signatures, "signatures"),
    COUNT(variables, "variables"),
    COUNT(trainable_variables, "trainable variables"),
    COUNT(run_records, "run records"),
    COUNT(log_entries, "log entries"),
    COUNT(float_ops_entries, "with float operations"),
    COUNT(code_traces, "code traces"),
    COUNT(string_ids, "string ids"),
    COUNT(dropped_edges, "dropped edges"),
    COUNT(duplicate_nodes, "duplicate nodes"),
    COUNT(missing_string_ids, "missing string ids"),
    COUNT(unplaced_records, "records without a node"),
    COUNT(unknown_fields, "unknown fields"),
};
const size_t tfp_count_fact_count = sizeof(tfp_count_facts) /
                                    sizeof(tfp_count_facts[0]);

const tfp_fact tfp_ignored_facts[] = {
    IGNORED(partition_graphs, "partition graphs"),
    IGNORED(function_graphs, "function graphs"),
    IGNORED(cost_nodes, "cost graph nodes"),
    IGNORED(debug_frames, "debug frames"),
    IGNORED(thread_names, "thread names"),
    IGNORED(collections, "collections"),
    IGNORED(assets, "assets"),
    IGNORED(objects, "objects that are no variables"),
    IGNORED(op_definitions, "lists of op definitions"),
    IGNORED(gradients, "gradient definitions"),
};
const size_t tfp_ignored_fact_count = sizeof(tfp_ignored_facts) /
                                      sizeof(tfp_ignored_facts[0]);

int64_t tfp_fact_value(const void *of, const tfp_fact *fact)
{
    int64_t value;
    memcpy(&value, (const char *)of + fact->place, sizeof(value));
    return value;
}

void tfp_info_warnings(const tfp_model *model, const tfp_input *input,
                       tfp_warning_fn *each, void *context)
{
    const tfp_input_counts *c = &input->counts;
    char line[256], name[96];
    if (c->duplicate_nodes > 0) {
        snprintf(line, sizeof(line),
                 "%lld nodes have a name that an earlier node has; the first "
                 "one counts",
                 (long long)c->duplicate_nodes);
        each(context, line);
    }
    if (c->dropped_edges > 0) {
        snprintf(line, sizeof(line),
                 "%lld inputs name a node that is not there; they are dropped",
                 (long long)c->dropped_edges);
        each(context, line);
    }
    if (c->missing_string_ids > 0) {
        snprintf(line, sizeof(line),
                 "%lld strings of code traces are not in the file",
                 (long long)c->missing_string_ids);
        each(context, line);
    }
    if (c->unknown_fields > 0) {
        tfp_escape(tfp_model_text(model, input->unknown_name), name,
                   sizeof(name));
        snprintf(line, sizeof(line),
                 "%lld fields are not known here and passed over, the first "
                 "is %s; a newer TensorFlow?",
                 (long long)c->unknown_fields, name);
        each(context, line);
    }
    if (input->has_trailing_bytes)
        each(context, "bytes that are no gzip follow the packed data; they "
                      "are passed over");
}
