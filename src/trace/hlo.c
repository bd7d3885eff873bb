/*
 * hlo.c - a program compiled by XLA: what can be asked of it.
 *
 * How it is read: trace/hlo_read.c.
 */
#include "trace/hlo.h"

#include <string.h>

void tfp_hlo_release(tfp_hlo_program *p)
{
    if (!p->memory)
        return;
    tfp_interner_release(&p->texts);
    TFP_VEC_RELEASE(p->memory, &p->instructions);
    TFP_VEC_RELEASE(p->memory, &p->computations);
    TFP_VEC_RELEASE(p->memory, &p->links);
    TFP_VEC_RELEASE(p->memory, &p->shapes);
    TFP_VEC_RELEASE(p->memory, &p->convolutions);
    TFP_VEC_RELEASE(p->memory, &p->windows);
    TFP_VEC_RELEASE(p->memory, &p->numbers);
    TFP_VEC_RELEASE(p->memory, &p->frames);
    TFP_VEC_RELEASE(p->memory, &p->strings);
    TFP_VEC_RELEASE(p->memory, &p->by_name);
    tfp_id_map_release(&p->by_id);
    tfp_memory_free(p->memory, p->seen);
    tfp_memory_free(p->memory, p->todo);
    *p = (tfp_hlo_program){ 0 };
}

static tfp_hlo_instruction *instruction_at(const tfp_hlo_program *p,
                                           uint32_t index)
{
    return index == TFP_NO_ID ? NULL : &p->instructions.data[index];
}

tfp_hlo_instruction *tfp_hlo_find(const tfp_hlo_program *p, tfp_span name)
{
    uint32_t text = tfp_interner_find(&p->texts, name);
    return text == TFP_NO_ID ? NULL : instruction_at(p, p->by_name.data[text]);
}

tfp_hlo_instruction *tfp_hlo_find_id(const tfp_hlo_program *p, int64_t id)
{
    return instruction_at(p, tfp_id_map_find(&p->by_id, id));
}

/* ---- Categories --------------------------------------------------------- */

/* Opcodes that work element by element, in the order of their bytes. The list
 * is that of xprof, which has some that change no number. */
static const char *const elementwise[] = {
    "abs",
    "add",
    "and",
    "atan2",
    "bitcast-convert",
    "cbrt",
    "ceil",
    "clamp",
    "clz",
    "compare",
    "complex",
    "convert",
    "cosine",
    "count-leading-zeros",
    "divide",
    "erf",
    "exponential",
    "exponential-minus-one",
    "floor",
    "imag",
    "is-finite",
    "log",
    "log-plus-one",
    "logistic",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "not",
    "or",
    "popcnt",
    "power",
    "real",
    "reduce-precision",
    "remainder",
    "round-nearest-afz",
    "round-nearest-even",
    "rsqrt",
    "select",
    "shift-left",
    "shift-right-arithmetic",
    "shift-right-logical",
    "sign",
    "sine",
    "sqrt",
    "stochastic-convert",
    "subtract",
    "tan",
    "tanh",
    "xor",
};

static bool is_elementwise(tfp_span opcode)
{
    size_t low = 0, high = sizeof(elementwise) / sizeof(elementwise[0]);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = tfp_span_compare(opcode, tfp_span_of(elementwise[middle]));
        if (order == 0)
            return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

static const char *fusion_category(tfp_span kind)
{
    if (tfp_span_is(kind, "kLoop"))
        return "loop fusion";
    if (tfp_span_is(kind, "kInput"))
        return "input fusion";
    if (tfp_span_is(kind, "kOutput"))
        return "output fusion";
    if (tfp_span_is(kind, "kCustom"))
        return "custom fusion";
    return "fusion";
}

tfp_span tfp_hlo_category(const tfp_hlo_program *p,
                          const tfp_hlo_instruction *i)
{
    tfp_span opcode = tfp_hlo_text(p, i->opcode);
    if (tfp_span_is(opcode, "fusion"))
        return tfp_span_of(fusion_category(tfp_hlo_text(p, i->fusion_kind)));
    if (tfp_span_is(opcode, "transpose") || tfp_span_is(opcode, "copy") ||
        tfp_span_is(opcode, "reshape") ||
        tfp_span_is(opcode, "dynamic-reshape"))
        return tfp_span_of("data formatting");
    if (is_elementwise(opcode))
        return tfp_span_of("non-fusion elementwise");
    return opcode;
}

/* ---- Stacks ------------------------------------------------------------- */

const tfp_hlo_frame *tfp_hlo_stack_next(const tfp_hlo_program *p,
                                        tfp_hlo_stack *stack)
{
    while (stack->next != 0 && stack->taken < TFP_HLO_MOST_FRAMES) {
        const tfp_hlo_frame *frame = &p->frames.data[stack->next - 1];
        stack->next = frame->parent;
        stack->taken++;
        if (frame->has_location)
            return frame;
    }
    return NULL;
}

/* ---- Sources ------------------------------------------------------------ */

int tfp_hlo_sources(tfp_hlo_program *p, const tfp_hlo_instruction *instruction,
                    tfp_hlo_source_fn *add, void *self, bool *cut,
                    tfprof_error *err)
{
    const tfp_hlo_instruction *at = instruction;
    size_t taken = 0, count = 0;
    int status = TFPROF_OK;
    if (++p->searches == 0) { /* all numbers have been used */
        memset(p->seen, 0, p->instructions.count * sizeof(*p->seen));
        p->searches = 1;
    }
    p->seen[instruction - p->instructions.data] = p->searches;
    for (;;) {
        p->work_left -= 1 + (int64_t)at->operand_count;
        for (uint32_t k = 0; k < at->operand_count; k++) {
            uint32_t source = p->links.data[at->operands + k];
            if (source == TFP_NO_ID || p->seen[source] == p->searches)
                continue;
            p->seen[source] = p->searches;
            if (p->instructions.data[source].node == TFP_NO_NODE)
                p->todo[count++] = source;
            else
                status = add(self, &p->instructions.data[source], err);
            if (status != TFPROF_OK)
                return status;
        }
        if (taken == count)
            return TFPROF_OK;
        if (p->work_left < 0) {
            if (cut)
                *cut = true;
            return TFPROF_OK;
        }
        at = &p->instructions.data[p->todo[taken++]];
    }
}
