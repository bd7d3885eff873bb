/*
 * row_facts.c - what a row has besides its costs: devices, types, shapes.
 */
#include "output/view/row_facts.h"

#include "model/traces.h"

#include "model/steps.h"

#include "model/model.h"

#include "model/ids.h"

#include "model/graph.h"

#include "model/costs.h"

#include "model/census.h"

#include "model/attrs.h"

#include "output/text/figures.h"
#include "view/tree.h"

void tfp_row_facts_init(tfp_row_facts *f, const tfp_view *view)
{
    *f = (tfp_row_facts){ .view = view, .memory = view->memory };
}

void tfp_row_facts_release(tfp_row_facts *f)
{
    tfp_memory_free(f->memory, f->seen);
    TFP_VEC_RELEASE(f->memory, &f->names);
    TFP_VEC_RELEASE(f->memory, &f->items);
    TFP_VEC_RELEASE(f->memory, &f->forms);
    TFP_VEC_RELEASE(f->memory, &f->text);
    TFP_VEC_RELEASE(f->memory, &f->scratch);
    TFP_VEC_RELEASE(f->memory, &f->inputs);
    tfp_interner_release(&f->shape_lists);
}

static const tfp_member *member_of(const tfp_row_facts *f, uint32_t member)
{
    return &f->view->census->members.data[member];
}

/* Called in each round over members. */
static bool is_done(tfp_row_facts *f)
{
    return f->sink && tfp_sink_is_done(f->sink, f->rounds++);
}

/* ---- Sets of names ------------------------------------------------------ */

static bool make_marks(tfp_row_facts *f)
{
    if (!f->seen)
        f->seen = tfp_memory_zalloc(f->memory, f->view->census->name_count);
    f->failed |= !f->seen;
    return !f->failed;
}

static void add_name(tfp_row_facts *f, tfp_string name)
{
    if (f->seen[name])
        return;
    if (!TFP_VEC_PUSH(f->memory, &f->names, name))
        f->failed = true;
    else
        f->seen[name] = true;
}

static int name_tie(const void *context, uint32_t a, uint32_t b)
{
    const tfp_model *model = context;
    return tfp_span_compare(tfp_model_text(model, a), tfp_model_text(model, b));
}

/* The names that were added, sorted; the marks are ready for the next set. */
static const tfp_string *sorted_names(tfp_row_facts *f, size_t *count)
{
    const tfp_model *model = f->view->model;
    tfp_sort_item *items;
    f->items.count = 0;
    for (size_t i = 0; i < f->names.count; i++)
        f->seen[f->names.data[i]] = false;
    *count = f->failed ? 0 : f->names.count;
    if (*count < 2)
        return f->names.data;
    if (!TFP_VEC_RESERVE(f->memory, &f->items, 2 * *count)) {
        f->failed = true;
        *count = 0;
        return f->names.data;
    }
    items = f->items.data;
    for (size_t i = 0; i < *count; i++) {
        tfp_span text = tfp_model_text(model, f->names.data[i]);
        items[i] = (tfp_sort_item){ tfp_text_key(text.data, text.size),
                                    f->names.data[i] };
    }
    tfp_sort(items, *count, items + *count, name_tie, model);
    for (size_t i = 0; i < *count; i++)
        f->names.data[i] = items[i].index;
    return f->names.data;
}

const tfp_string *tfp_row_devices(tfp_row_facts *f, uint32_t row, size_t *count)
{
    size_t members = 0;
    const uint32_t *list = tfp_row_members(f->view, row, &members);
    f->names.count = 0;
    if (!make_marks(f))
        members = 0;
    for (size_t i = 0; i < members && !is_done(f); i++) {
        tfp_string device = member_of(f, list[i])->device;
        if (device != 0 || f->view->type->groups)
            add_name(f, device);
    }
    return sorted_names(f, count);
}

static void add_types(tfp_row_facts *f, const tfp_member *member)
{
    const tfp_model *model = f->view->model;
    size_t most = tfp_member_most_types(model, member), count;
    if (!TFP_VEC_RESERVE(f->memory, &f->scratch, most)) {
        f->failed = true;
        return;
    }
    count = tfp_member_types(model, member, f->scratch.data);
    for (size_t i = 0; i < count; i++)
        add_name(f, f->scratch.data[i]);
}

const tfp_string *tfp_row_types(tfp_row_facts *f, uint32_t row, size_t *count)
{
    size_t members = 0;
    const uint32_t *list = tfp_row_members(f->view, row, &members);
    f->names.count = f->scratch.count = 0;
    if (!make_marks(f))
        members = 0;
    for (size_t i = 0; i < members && !is_done(f); i++)
        add_types(f, member_of(f, list[i]));
    return sorted_names(f, count);
}

/* ---- Shapes ------------------------------------------------------------- */

static void put_text(tfp_row_facts *f, const char *text, size_t size)
{
    if (!TFP_VEC_RESERVE(f->memory, &f->text, size)) {
        f->failed = true;
        return;
    }
    memcpy(f->text.data + f->text.count, text, size);
    f->text.count += size;
}

static void put_number(tfp_row_facts *f, int64_t number)
{
    char digits[TFP_FIGURE_SIZE];
    put_text(f, digits, tfp_figure_integer(number, digits));
}

/* "3x3x64". A scalar is written as one element; false when nothing is known
 * about the shape. */
static bool put_shape(tfp_row_facts *f, tfp_shape shape)
{
    int rank;
    const int64_t *dims = tfp_shape_dims(f->view->model, shape, &rank);
    if (rank == 0)
        put_text(f, "1", 1);
    for (int i = 0; i < rank; i++) {
        if (i > 0)
            put_text(f, "x", 1);
        put_number(f, dims[i]);
    }
    return rank >= 0;
}

static tfp_span text_from(const tfp_row_facts *f, size_t start)
{
    if (f->failed || f->text.count == start)
        return (tfp_span){ 0 };
    return (tfp_span){ (const uint8_t *)f->text.data + start,
                       f->text.count - start };
}

bool tfp_row_source(const tfp_view *v, uint32_t row, tfp_code_place *source)
{
    const tfp_frame *frame = tfp_row_frame(v, row);
    *source = (tfp_code_place){ .line = 0 };
    if (frame)
        *source = (tfp_code_place){
            .file = tfp_model_text(v->model, frame->file),
            .function = tfp_model_text(v->model, frame->function),
            .text = tfp_model_text(v->model, frame->text),
            .line = frame->line,
        };
    return frame && !frame->is_bare;
}

tfp_span tfp_row_shape(tfp_row_facts *f, uint32_t row)
{
    size_t count;
    const uint32_t *members = tfp_row_members(f->view, row, &count);
    f->text.count = 0;
    if (count == 1)
        put_shape(f,
                  tfp_member_shape(f->view->model, member_of(f, members[0])));
    return text_from(f, 0);
}

/* A shape of more dimensions than a tensor can have counts as unknown. Many
 * edges may carry one shape, so without a limit the text of all of them would
 * grow with the square of the file. */
static tfp_shape carried(const tfp_model *model, tfp_shape shape)
{
    int rank;
    (void)tfp_shape_dims(model, shape, &rank);
    return rank > TFP_MOST_RANK ? TFP_SHAPE_UNKNOWN_RANK : shape;
}

/* The shape that an edge carries. One that only orders counts as output 0,
 * as upstream has it. Where two graphs have its source, the first one counts,
 * here as elsewhere. */
static tfp_shape edge_shape(const tfp_census *census, const tfp_edge *edge)
{
    const tfp_nodes *nodes = &census->model->nodes;
    size_t count,
        output = edge->output == TFP_CONTROL ? 0 : (size_t)edge->output;
    const int64_t *shapes;
    uint32_t source;
    if (edge->source == TFP_NO_NODE)
        return TFP_SHAPE_NONE;
    source = census->by_name[nodes->name[edge->source]];
    shapes = tfp_list_items(census->model,
                            nodes->outputs[census->members.data[source].node],
                            &count);
    return output < count ? carried(census->model, (tfp_shape)shapes[output])
                          : TFP_SHAPE_NONE;
}

static const tfp_edge *edges_of(const tfp_row_facts *f, uint32_t member,
                                size_t *count)
{
    tfp_node node = member_of(f, member)->node;
    *count = 0;
    return node == TFP_NO_NODE
               ? NULL
               : tfp_node_inputs(&f->view->model->nodes, node, count);
}

static tfp_node_input input_at(const tfp_row_facts *f, const tfp_edge *edges,
                               size_t place)
{
    return (tfp_node_input){ tfp_edge_number(&edges[place], place),
                             edge_shape(f->view->census, &edges[place]) };
}

/* "0:3x3x64" */
static void put_slot(tfp_row_facts *f, int64_t slot, tfp_shape shape)
{
    put_number(f, slot);
    put_text(f, ":", 1);
    if (!put_shape(f, shape))
        put_text(f, "unknown", strlen("unknown"));
}

static void put_input(tfp_row_facts *f, size_t place, tfp_node_input input,
                      const char *separator)
{
    if (place > 0)
        put_text(f, separator, strlen(separator));
    put_slot(f, input.number, input.shape);
}

static bool has_enough(const tfp_row_facts *f)
{
    return f->enough > 0 && f->text.count > f->enough;
}

tfp_span tfp_row_inputs(tfp_row_facts *f, uint32_t row, const char *separator)
{
    size_t count, inputs;
    const uint32_t *members = tfp_row_members(f->view, row, &count);
    const tfp_edge *edges;
    f->text.count = 0;
    if (count != 1)
        return text_from(f, 0);
    edges = edges_of(f, members[0], &inputs);
    for (size_t i = 0; i < inputs && !has_enough(f); i++)
        put_input(f, i, input_at(f, edges, i), separator);
    return text_from(f, 0);
}

tfp_span tfp_row_outputs(tfp_row_facts *f, uint32_t row, const char *separator)
{
    const tfp_model *model = f->view->model;
    size_t count, outputs = 0;
    const uint32_t *members = tfp_row_members(f->view, row, &count);
    const int64_t *shapes = NULL;
    tfp_node node = count == 1 ? member_of(f, members[0])->node : TFP_NO_NODE;
    f->text.count = 0;
    if (node != TFP_NO_NODE)
        shapes = tfp_list_items(model, model->nodes.outputs[node], &outputs);
    for (size_t i = 0; i < outputs && !has_enough(f); i++)
        put_input(f, i, (tfp_node_input){ (int32_t)i, (tfp_shape)shapes[i] },
                  separator);
    return text_from(f, 0);
}

tfp_span tfp_run_outputs(tfp_row_facts *f, tfp_detail_reader *run,
                         const char *separator)
{
    tfp_exec_output output;
    f->text.count = 0;
    while (tfp_detail_next_output(run, &output)) {
        if (f->text.count > 0)
            put_text(f, separator, strlen(separator));
        put_slot(f, output.slot, output.shape);
    }
    return text_from(f, 0);
}

/* ---- Shapes of groups --------------------------------------------------- */

const tfp_node_input *tfp_member_inputs(tfp_row_facts *f, uint32_t member,
                                        size_t *count)
{
    const tfp_edge *edges = edges_of(f, member, count);
    f->inputs.count = 0;
    for (size_t i = 0; i < *count && !f->failed; i++)
        f->failed = !TFP_VEC_PUSH(f->memory, &f->inputs, input_at(f, edges, i));
    if (f->failed)
        *count = 0;
    return f->inputs.data;
}

/* Counts a member under the list of its input shapes. */
static void count_form(tfp_row_facts *f, uint32_t member)
{
    const tfp_costs *costs = &f->view->costs;
    size_t count;
    const tfp_node_input *inputs = tfp_member_inputs(f, member, &count);
    tfp_input_form *form;
    uint32_t id;
    if (f->failed)
        return;
    id = tfp_intern(&f->shape_lists, (tfp_span){ (const uint8_t *)inputs,
                                                 count * sizeof(*inputs) });
    while (id != TFP_NO_ID && f->forms.count <= id && !f->failed)
        f->failed = !TFP_VEC_PUSH(f->memory, &f->forms, (tfp_input_form){ 0 });
    f->failed |= id == TFP_NO_ID;
    if (f->failed)
        return;
    form = &f->forms.data[id];
    form->nodes++;
    form->runs = tfp_add_sat(form->runs,
                             *tfp_costs_at(costs, member, TFP_COST_RUNS));
    form->micros = tfp_add_sat(form->micros,
                               *tfp_costs_at(costs, member, TFP_COST_MICROS));
}

/* Writes the text of each form; they move while the text grows, so places
 * are kept in `size` and turned into pointers at the end. */
static void write_forms(tfp_row_facts *f, const char *separator)
{
    size_t start = 0;
    for (uint32_t id = 0; id < f->forms.count; id++) {
        tfp_span list = tfp_interned(&f->shape_lists, id);
        const tfp_node_input *inputs = (const void *)list.data;
        for (size_t i = 0; i < list.size / sizeof(*inputs); i++)
            put_input(f, i, inputs[i], separator);
        f->forms.data[id].text.size = f->text.count - start;
        start = f->text.count;
    }
    start = 0;
    for (size_t id = 0; !f->failed && id < f->forms.count; id++) {
        if (f->forms.data[id].text.size > 0)
            f->forms.data[id].text.data = (const uint8_t *)f->text.data + start;
        start += f->forms.data[id].text.size;
    }
}

static int form_tie(const void *context, uint32_t a, uint32_t b)
{
    const tfp_input_form *forms = context;
    return tfp_span_compare(forms[a].text, forms[b].text);
}

/* Shapes that differ may read the same: such forms become one. */
static void join_equal_forms(tfp_row_facts *f, tfp_sort_item *items)
{
    tfp_input_form *forms = f->forms.data;
    tfp_sort(items, f->forms.count, items + f->forms.count, form_tie, forms);
    for (size_t i = 1; i < f->forms.count; i++) {
        tfp_input_form *before = &forms[items[i - 1].index];
        tfp_input_form *form = &forms[items[i].index];
        if (!tfp_span_equal(before->text, form->text))
            continue;
        form->nodes += before->nodes;
        form->runs = tfp_add_sat(form->runs, before->runs);
        form->micros = tfp_add_sat(form->micros, before->micros);
        before->nodes = 0;
    }
}

/* Puts the forms that have nodes into order: by runs, then by text. */
static void sort_forms(tfp_row_facts *f)
{
    size_t count = f->forms.count, kept = 0;
    tfp_sort_item *items;
    f->items.count = 0;
    if (!TFP_VEC_RESERVE(f->memory, &f->items, 2 * count) ||
        !TFP_VEC_RESERVE(f->memory, &f->forms, count)) {
        f->failed = true;
        return;
    }
    items = f->items.data;
    for (uint32_t i = 0; i < count; i++)
        items[i] = (tfp_sort_item){ 0, i };
    join_equal_forms(f, items);
    for (size_t i = 0; i < count; i++)
        items[i].key = tfp_sort_key_falling(f->forms.data[items[i].index].runs);
    tfp_sort(items, count, items + count, NULL, NULL);
    for (size_t i = 0; i < count; i++) {
        const tfp_input_form *form = &f->forms.data[items[i].index];
        if (form->nodes > 0)
            f->forms.data[count + kept++] = *form;
    }
    memmove(f->forms.data, f->forms.data + count,
            kept * sizeof(*f->forms.data));
    f->forms.count = kept;
}

const tfp_input_form *tfp_row_input_forms(tfp_row_facts *f, uint32_t row,
                                          const char *separator, size_t *count)
{
    size_t members;
    const uint32_t *list = tfp_row_members(f->view, row, &members);
    *count = 0;
    f->forms.count = f->text.count = 0;
    /* Made anew: clearing a table that one large row has blown up would cost
     * every small row after it. */
    tfp_interner_release(&f->shape_lists);
    f->failed |= !tfp_interner_init(&f->shape_lists, f->memory,
                                    sizeof(uint32_t), tfp_random_seed());
    for (size_t i = 0; i < members && !f->failed && !is_done(f); i++)
        count_form(f, list[i]);
    if (!f->failed)
        write_forms(f, separator);
    if (!f->failed && f->forms.count > 0) /* cancelled, there are none */
        sort_forms(f);
    *count = f->failed ? 0 : f->forms.count;
    return f->forms.data;
}
