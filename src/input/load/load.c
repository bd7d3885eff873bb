/*
 * load.c - one input on its way into the model.
 */
#include "input/load/load.h"

static bool init_code(tfp_code_table *code, tfp_memory *memory)
{
    uint64_t seed = tfp_random_seed();
    return tfp_interner_init(&code->frames, memory, 8, seed) &&
           tfp_interner_init(&code->string_ids, memory, 8, seed) &&
           tfp_cache_init(&code->stacks, memory);
}

static void release_code(tfp_code_table *code, tfp_memory *memory)
{
    tfp_interner_release(&code->frames);
    TFP_VEC_RELEASE(memory, &code->places);
    tfp_interner_release(&code->string_ids);
    TFP_VEC_RELEASE(memory, &code->strings);
    tfp_cache_release(&code->stacks);
}

static void release_parts(tfp_function_parts *parts, tfp_memory *memory)
{
    TFP_VEC_RELEASE(memory, &parts->outputs);
    TFP_VEC_RELEASE(memory, &parts->returns);
    TFP_VEC_RELEASE(memory, &parts->controls);
    TFP_VEC_RELEASE(memory, &parts->args);
    TFP_VEC_RELEASE(memory, &parts->name);
}

bool tfp_load_init(tfp_load *load, tfp_model *model, int64_t step)
{
    uint64_t seed = tfp_random_seed();
    tfp_memory *memory = model->memory;
    *load = (tfp_load){ .model = model,
                        .memory = memory,
                        .input = model->inputs.count - 1,
                        .graph = TFP_NO_ID,
                        .function = TFP_NO_ID,
                        .next_step = step,
                        .step = TFP_NO_ID };
    load->arg_op = tfp_model_string(model, tfp_span_of("_Arg"));
    load->return_op = tfp_model_string(model, tfp_span_of("_Retval"));
    return load->arg_op != TFP_NO_ID && load->return_op != TFP_NO_ID &&
           tfp_cache_init(&load->attrs, memory) &&
           tfp_cache_init(&load->shapes, memory) &&
           init_code(&load->code, memory) &&
           /* Even nothing taken from these has a place to point at. */
           TFP_VEC_RESERVE(memory, &load->numbers, 1) &&
           TFP_VEC_RESERVE(memory, &load->attr_items, 1) &&
           tfp_interner_init(&load->node_keys, memory, 8, seed) &&
           tfp_interner_init(&load->profile_devices, memory, 8, seed);
}

void tfp_load_release(tfp_load *load)
{
    tfp_memory *memory = load->memory;
    TFP_VEC_RELEASE(memory, &load->ops);
    TFP_VEC_RELEASE(memory, &load->devices);
    tfp_cache_release(&load->attrs);
    tfp_cache_release(&load->shapes);
    release_code(&load->code, memory);
    release_parts(&load->parts, memory);
    tfp_interner_release(&load->node_keys);
    TFP_VEC_RELEASE(memory, &load->keyed_nodes);
    TFP_VEC_RELEASE(memory, &load->keyed_outputs);
    tfp_interner_release(&load->profile_devices);
    TFP_VEC_RELEASE(memory, &load->device_of);
    TFP_VEC_RELEASE(memory, &load->numbers);
    TFP_VEC_RELEASE(memory, &load->edges);
    TFP_VEC_RELEASE(memory, &load->order);
    TFP_VEC_RELEASE(memory, &load->attr_items);
    TFP_VEC_RELEASE(memory, &load->outputs);
    TFP_VEC_RELEASE(memory, &load->allocations);
    TFP_VEC_RELEASE(memory, &load->log);
}

int tfp_note_op(tfp_load *load, tfp_string op, tfprof_error *err)
{
    bool fresh;
    if (!tfp_bits_add(&load->ops, load->memory, op, &fresh))
        return tfp_fail_nomem(err);
    tfp_load_input(load)->counts.op_types += fresh;
    return TFPROF_OK;
}

int tfp_note_device(tfp_load *load, tfp_string name, tfprof_error *err)
{
    bool fresh;
    if (name == 0)
        return TFPROF_OK;
    if (!tfp_bits_add(&load->devices, load->memory, name, &fresh) ||
        (fresh &&
         !TFP_VEC_PUSH(load->memory, &tfp_load_input(load)->devices, name)))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

int tfp_read_string_list(tfp_load *load, const tfp_repeated *strings,
                         uint32_t tag, tfp_record *record, tfp_list *list,
                         tfprof_error *err)
{
    size_t base = load->numbers.count;
    tfp_wire w = tfp_repeated_wire(strings, record);
    tfp_field f;
    *list = 0;
    if (strings->count == 0)
        return TFPROF_OK;
    while (tfp_repeated_next(&w, tag, &f)) {
        tfp_string id = tfp_model_string(load->model, f.bytes);
        if (id == TFP_NO_ID || !TFP_VEC_PUSH(load->memory, &load->numbers, id))
            return tfp_fail_nomem(err);
    }
    *list = tfp_model_list(load->model, load->numbers.data + base,
                           load->numbers.count - base);
    load->numbers.count = base;
    return *list == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}
