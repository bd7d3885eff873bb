/*
 * names.c - what a node is called where it is counted.
 */
#include "ops/flops/names.h"

#include <stdio.h>

#include "base/intern.h"
#include "model/model.h"
#include "ops/walk/walk.h"

void tfp_node_names_init(tfp_node_names *names, const tfp_shapes *shapes,
                         tfp_memory *memory)
{
    *names = (tfp_node_names){ .memory = memory,
                               .shapes = shapes,
                               .instance = TFP_NO_ID };
}

void tfp_node_names_release(tfp_node_names *names)
{
    TFP_VEC_RELEASE(names->memory, &names->text);
}

static void put(tfp_node_names *names, tfp_span bytes)
{
    if (bytes.size == 0)
        return;
    if (!TFP_VEC_RESERVE(names->memory, &names->text, bytes.size)) {
        names->failed = true;
        return;
    }
    memcpy(names->text.data + names->text.count, bytes.data, bytes.size);
    names->text.count += bytes.size;
}

static tfp_span name_of(const tfp_shapes *s, uint32_t instance, uint32_t node)
{
    const tfp_graph *graph = tfp_instance_graph(s, instance);
    const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
    return tfp_model_text(s->model, nodes->name[graph->first_node + node]);
}

/* Writes the calls between the subject and the instance. For an instance
 * outside of the subject, all calls from the top graph on. */
static void put_prefix(tfp_node_names *names, uint32_t instance)
{
    const tfp_instance *all = names->shapes->instances.data;
    uint32_t chain[TFP_MOST_CALLS + 1];
    size_t count = 0;
    names->text.count = 0;
    while (instance != names->shapes->subject &&
           all[instance].parent != TFP_NO_ID) {
        chain[count++] = instance;
        instance = all[instance].parent;
    }
    while (count-- > 0) {
        const tfp_instance *in = &all[chain[count]];
        char part[32];
        tfp_part_name(in, part, sizeof(part));
        put(names, name_of(names->shapes, in->parent, in->caller));
        put(names, tfp_span_of("/"));
        put(names, tfp_span_of(part));
    }
    names->prefix_size = names->text.count;
}

tfp_span tfp_node_name(tfp_node_names *names, uint32_t instance, uint32_t node)
{
    if (names->instance != instance) {
        put_prefix(names, instance);
        names->instance = instance;
    }
    if (names->prefix_size == 0)
        return name_of(names->shapes, instance, node);
    names->text.count = names->prefix_size;
    put(names, name_of(names->shapes, instance, node));
    if (names->failed)
        names->text.count = 0;
    return (tfp_span){ names->text.data, names->text.count };
}

tfp_span tfp_tensor_name(tfp_node_names *names, uint32_t instance,
                         uint32_t node, size_t output)
{
    char number[32];
    tfp_span name = tfp_node_name(names, instance, node);
    if (names->prefix_size == 0) {
        names->text.count = 0;
        put(names, name);
    }
    snprintf(number, sizeof(number), ":%zu", output);
    put(names, tfp_span_of(number));
    if (names->failed)
        names->text.count = 0;
    return (tfp_span){ names->text.data, names->text.count };
}

size_t tfp_name_size(tfp_span name)
{
    size_t size = name.size;
    while (size > 0 && name.data[size - 1] >= '0' && name.data[size - 1] <= '9')
        size--;
    return size < 2 || size == name.size || name.data[size - 1] != '_'
               ? name.size
               : size - 1;
}
