/*
 * programs.c - the compiled programs of traces, and names of their
 * instructions.
 */
#include "model/programs.h"

#include <stdio.h>

#include "base/sort.h"
#include "model/model.h"

void tfp_programs_release(tfp_programs *p, tfp_memory *memory)
{
    tfp_interner_release(&p->keys);
    tfp_interner_release(&p->instruction_keys);
    TFP_VEC_RELEASE(memory, &p->all);
    TFP_VEC_RELEASE(memory, &p->instructions);
    TFP_VEC_RELEASE(memory, &p->named);
}

tfp_span tfp_module_name(tfp_span name)
{
    size_t at = name.size;
    if (at == 0 || name.data[--at] != ')')
        return name;
    while (at > 0 && name.data[at - 1] >= '0' && name.data[at - 1] <= '9')
        at--;
    if (at + 1 == name.size || at < 2 || name.data[at - 1] != '(')
        return name;
    return (tfp_span){ name.data, at - 1 };
}

/* ---- Finding and adding ------------------------------------------------- */

/* Makes a table, unless it is there. */
static bool make_table(const tfp_model *model, tfp_interner *table,
                       size_t align)
{
    if (table->memory ||
        tfp_interner_init(table, model->memory, align, model->strings.seed))
        return true;
    tfp_interner_release(table);
    return false;
}

/* Most models have no programs and need no tables. */
static bool make_tables(tfp_model *model)
{
    return make_table(model, &model->programs.keys, 8) &&
           make_table(model, &model->programs.instruction_keys, 4);
}

uint32_t tfp_model_program(tfp_model *model, tfp_span module,
                           uint64_t fingerprint)
{
    tfp_programs *p = &model->programs;
    tfp_program program = { .fingerprint = fingerprint,
                            .name = tfp_model_string(model,
                                                     tfp_module_name(module)) };
    uint32_t item;
    if (program.name == TFP_NO_ID || !make_tables(model) ||
        !TFP_VEC_RESERVE(model->memory, &p->all, 1))
        return TFP_NO_ID;
    item = tfp_intern(&p->keys,
                      (tfp_span){ (const uint8_t *)&program, sizeof(program) });
    if (item == TFP_NO_ID)
        return TFP_NO_ID;
    if (item > p->all.count)
        p->all.data[p->all.count++] = program;
    return item - 1;
}

tfp_string tfp_model_instruction(tfp_model *model, tfp_program_node node)
{
    tfp_programs *p = &model->programs;
    uint32_t key[] = { node.base, node.program };
    tfp_span bytes = { (const uint8_t *)key, sizeof(key) };
    uint32_t item = tfp_interner_find(&p->instruction_keys, bytes);
    if (item != TFP_NO_ID)
        return p->instructions.data[item - 1].id;
    if (!TFP_VEC_RESERVE(model->memory, &p->instructions, 1))
        return TFP_NO_ID;
    /* The alias first: a key without an instruction would shift all that
     * follow, an alias that nothing uses does no harm. */
    node.id = tfp_interner_add_alias(&model->strings, node.base);
    if (node.id == TFP_NO_ID ||
        tfp_intern(&p->instruction_keys, bytes) == TFP_NO_ID)
        return TFP_NO_ID;
    p->instructions.data[p->instructions.count++] = node;
    return node.id;
}

const tfp_program_node *tfp_model_find_instruction(const tfp_model *model,
                                                   tfp_string name)
{
    const tfp_programs *p = &model->programs;
    size_t low = 0, high = p->instructions.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->instructions.data[middle].id < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->instructions.count && p->instructions.data[low].id == name
               ? &p->instructions.data[low]
               : NULL;
}

/* ---- Numbers ------------------------------------------------------------ */

static int by_program(const void *context, uint32_t a, uint32_t b)
{
    const tfp_model *model = context;
    const tfp_programs *p = &model->programs;
    const tfp_program *x = &p->all.data[p->instructions.data[a].program];
    const tfp_program *y = &p->all.data[p->instructions.data[b].program];
    int order = x->name == y->name
                    ? 0
                    : tfp_span_compare(tfp_model_text(model, x->name),
                                       tfp_model_text(model, y->name));
    return order != 0 ? order
                      : (x->fingerprint > y->fingerprint) -
                            (x->fingerprint < y->fingerprint);
}

/* Does a node have this text that is not an instruction of a program, or an
 * instruction that got it just now? */
static bool is_taken(const tfp_model *model, tfp_string text)
{
    return (text < model->nodes.by_name.count &&
            model->nodes.by_name.data[text] != TFP_NO_NODE) ||
           (text < model->programs.named.count &&
            model->programs.named.data[text] != 0);
}

static bool give_text(tfp_model *model, uint32_t instruction, tfp_string text)
{
    tfp_programs *p = &model->programs;
    size_t known = p->named.count;
    if (text >= known) {
        if (!TFP_VEC_RESERVE(model->memory, &p->named, text + 1 - known))
            return false;
        memset(p->named.data + known, 0,
               (text + 1 - known) * sizeof(*p->named.data));
        p->named.count = text + 1;
    }
    p->named.data[text] = instruction + 1;
    tfp_interner_point(&model->strings, p->instructions.data[instruction].id,
                       text);
    return true;
}

/* Gives the first free text from BASE#*number on. */
static bool give_number(tfp_model *model, uint32_t instruction,
                        uint64_t *number)
{
    tfp_string base = model->programs.instructions.data[instruction].base;
    tfp_span name = tfp_model_text(model, base);
    char *text = tfp_memory_alloc(model->memory, name.size + 24);
    tfp_string id;
    if (!text)
        return false;
    if (name.size > 0)
        memcpy(text, name.data, name.size);
    do {
        int digits = snprintf(text + name.size, 24, "#%llu",
                              (unsigned long long)(*number)++);
        id = tfp_model_string(model, (tfp_span){ (const uint8_t *)text,
                                                 name.size + (size_t)digits });
    } while (id != TFP_NO_ID && is_taken(model, id));
    tfp_memory_free(model->memory, text);
    return id != TFP_NO_ID && give_text(model, instruction, id);
}

/* The instructions of one name, sorted by program: the first keeps the name, if
 * it is free. Numbers come afterwards, when all names without one are given. */
static bool name_group(tfp_model *model, const tfp_sort_item *items,
                       size_t count, bool gives_numbers)
{
    tfp_string base = (tfp_string)items[0].key;
    uint32_t owner = base < model->programs.named.count
                         ? model->programs.named.data[base]
                         : 0;
    uint64_t number = 2;
    size_t first;
    if (!gives_numbers)
        return is_taken(model, base) || give_text(model, items[0].index, base);
    first = owner == items[0].index + 1;
    for (size_t i = first; i < count; i++) {
        if (!give_number(model, items[i].index, &number))
            return false;
    }
    return true;
}

bool tfp_model_number_names(tfp_model *model)
{
    tfp_programs *p = &model->programs;
    size_t count = p->instructions.count;
    tfp_sort_item *items;
    bool ok = true;
    if (count == 0 || p->is_numbered)
        return true;
    items = tfp_memory_array(model->memory, 2 * count, sizeof(*items));
    if (!items)
        return false;
    p->named.count = 0;
    for (size_t i = 0; i < count; i++)
        items[i] = (tfp_sort_item){ p->instructions.data[i].base, (uint32_t)i };
    tfp_sort(items, count, items + count, by_program, model);
    for (int gives_numbers = 0; ok && gives_numbers < 2; gives_numbers++) {
        for (size_t i = 0, end; ok && i < count; i = end) {
            for (end = i + 1; end < count && items[end].key == items[i].key;)
                end++;
            ok = name_group(model, items + i, end - i, gives_numbers);
        }
    }
    tfp_memory_free(model->memory, items);
    p->is_numbered = ok;
    return ok;
}

/* ---- By text, and in other models --------------------------------------- */

static tfp_string node_of(const tfp_model *model, tfp_string text)
{
    const tfp_programs *p = &model->programs;
    return text < p->named.count && p->named.data[text] > 0
               ? p->instructions.data[p->named.data[text] - 1].id
               : text;
}

tfp_string tfp_model_named(const tfp_model *model, tfp_span text)
{
    return node_of(model, tfp_interner_find(&model->strings, text));
}

/* The program of another model, or TFP_NO_ID. */
static uint32_t program_in(const tfp_model *to, const tfp_model *from,
                           const tfp_program *program)
{
    tfp_program same = { .fingerprint = program->fingerprint,
                         .name = tfp_interner_find(
                             &to->strings,
                             tfp_model_text(from, program->name)) };
    uint32_t item = tfp_interner_find(
        &to->programs.keys, (tfp_span){ (const uint8_t *)&same, sizeof(same) });
    return item == TFP_NO_ID ? TFP_NO_ID : item - 1;
}

tfp_string tfp_model_name_in(const tfp_model *to, const tfp_model *from,
                             tfp_string name)
{
    const tfp_program_node *one = tfp_model_find_instruction(from, name);
    uint32_t key[2], item;
    if (!one)
        return tfp_model_named(to, tfp_model_text(from, name));
    if (to->programs.instructions.count == 0)
        return TFP_NO_ID;
    key[0] = tfp_interner_find(&to->strings, tfp_model_text(from, one->base));
    key[1] = program_in(to, from, &from->programs.all.data[one->program]);
    item = tfp_interner_find(&to->programs.instruction_keys,
                             (tfp_span){ (const uint8_t *)key, sizeof(key) });
    return item == TFP_NO_ID ? TFP_NO_ID
                             : to->programs.instructions.data[item - 1].id;
}
