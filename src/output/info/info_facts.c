/*
 * info_facts.c - the facts that `tfprof info` prints, in one table for both
 * forms.
 */
#include "model/inputs.h"
#include "model/model.h"
#include "output/info/info.h"

#include <stdio.h>

#include "base/escape.h"

#define COUNT(key, words)                                                      \
    { #key, words, offsetof(tfp_input_counts, key), false }
#define ODD(key, words) { #key, words, offsetof(tfp_input_counts, key), true }
#define IGNORED(key, words)                                                    \
    { #key, words, offsetof(tfp_input_ignored, key), false }

const tfp_info_fact tfp_count_facts[] = {
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
    COUNT(tensors, "tensors"),
    COUNT(parameters, "parameters"),
    COUNT(tensor_bytes, "bytes of values"),
    COUNT(shards, "shards"),
    ODD(damaged_tensors, "tensors whose values cannot be read"),
    ODD(duplicate_tensors,
        "tensors already in an earlier checkpoint (dropped)"),
    ODD(dropped_edges, "inputs that refer to a missing node (dropped)"),
    ODD(duplicate_nodes, "nodes with the name of an earlier node (dropped)"),
    ODD(misnumbered_nodes, "nodes whose id is not their key (the key is used)"),
    ODD(missing_string_ids, "code trace strings missing from the file"),
    ODD(unplaced_records, "run records without a node"),
    ODD(unknown_fields, "unknown fields (ignored)"),
};
const size_t tfp_count_fact_count = sizeof(tfp_count_facts) /
                                    sizeof(tfp_count_facts[0]);

const tfp_info_fact tfp_ignored_facts[] = {
    IGNORED(partition_graphs, "partition graphs"),
    IGNORED(function_graphs, "function graphs"),
    IGNORED(cost_nodes, "cost graph nodes"),
    IGNORED(debug_frames, "debug frames"),
    IGNORED(thread_names, "thread names"),
    IGNORED(collections, "collections"),
    IGNORED(assets, "assets"),
    IGNORED(objects, "objects that are not variables"),
    IGNORED(op_definitions, "lists of op definitions"),
    IGNORED(gradients, "gradient definitions"),
};
const size_t tfp_ignored_fact_count = sizeof(tfp_ignored_facts) /
                                      sizeof(tfp_ignored_facts[0]);

int64_t tfp_info_fact_value(const void *of, const tfp_info_fact *fact)
{
    int64_t value;
    memcpy(&value, (const char *)of + fact->place, sizeof(value));
    return value;
}

void tfp_info_warnings(const tfp_model *model, const tfp_input *input,
                       tfp_warning_fn *each, void *context)
{
    char line[256], name[96];
    for (size_t i = 0; i < tfp_count_fact_count; i++) {
        const tfp_info_fact *fact = &tfp_count_facts[i];
        int64_t value = tfp_info_fact_value(&input->counts, fact);
        if (!fact->is_odd || value == 0)
            continue;
        snprintf(line, sizeof(line), "%s: %lld", fact->words, (long long)value);
        each(context, line);
    }
    if (input->unknown_name != 0) {
        tfp_escape_short(tfp_model_text(model, input->unknown_name), name,
                         sizeof(name));
        snprintf(line, sizeof(line),
                 "the first unknown field is %s; was the "
                 "file written by a newer TensorFlow?",
                 name);
        each(context, line);
    }
    if (input->has_trailing_bytes)
        each(context, "trailing bytes after the gzip data (ignored)");
}
