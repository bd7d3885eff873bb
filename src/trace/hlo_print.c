/*
 * hlo_print.c - the fingerprint of a compiled program.
 *
 * Each instruction has a hash of its own facts. In each round it takes up the
 * hashes of its operands, in their order, of the instructions that use it, and
 * of the computations that it calls. After the last round the hash knows the
 * instructions that are as many edges away. The fingerprint is the sum over all
 * instructions, so their order does not matter.
 */
#include "trace/hlo_print.h"

#include "base/hash.h"
#include "base/intern.h"
#include "base/memory.h"

enum { ROUNDS = 3 };

typedef struct print_state {
    const tfp_hlo_program *program;
    uint64_t *texts;        /* by text: the hash without numbers */
    uint64_t *now, *next;   /* by instruction */
    uint64_t *uses;         /* by instruction: the sum of those that use it */
    uint64_t *computations; /* by computation: the sum of its instructions */
} print_state;

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* The hash of a text in which each number is "0". */
static uint64_t hash_text(tfp_span text)
{
    XXH3_state_t state;
    size_t start = 0, at = 0;
    while (at < text.size && !is_digit(text.data[at]))
        at++;
    if (at == text.size)
        return tfp_hash(text, 0);
    XXH3_64bits_reset(&state);
    while (at < text.size) {
        XXH3_64bits_update(&state, text.data + start, at - start);
        XXH3_64bits_update(&state, "0", 1);
        while (at < text.size && is_digit(text.data[at]))
            at++;
        for (start = at; at < text.size && !is_digit(text.data[at]);)
            at++;
    }
    if (at > start)
        XXH3_64bits_update(&state, text.data + start, at - start);
    return XXH3_64bits_digest(&state);
}

/* Opcodes, kinds and names of operations occur many times. */
static uint64_t text_of(print_state *s, uint32_t text)
{
    if (s->texts[text] == 0)
        s->texts[text] = hash_text(tfp_hlo_text(s->program, text)) | 1;
    return s->texts[text];
}

static uint64_t own_hash(print_state *s, const tfp_hlo_instruction *i)
{
    const tfp_hlo_program *p = s->program;
    uint64_t hash = text_of(s, i->opcode);
    hash = mix(hash, text_of(s, i->fusion_kind));
    hash = mix(hash, text_of(s, i->op_name));
    hash = mix(hash, text_of(s, i->custom_call_target));
    for (uint32_t k = 0; k < i->shape_count; k++) {
        const tfp_hlo_shape *shape = &p->shapes.data[i->shapes + k];
        hash = mix(hash, (uint64_t)shape->type << 32 | shape->rank);
        for (uint32_t d = 0; d < shape->rank; d++)
            hash = mix(hash, (uint64_t)p->numbers.data[shape->dims + d]);
    }
    return hash;
}

/* Adds up what has no order. */
static void sum_up(print_state *s)
{
    const tfp_hlo_program *p = s->program;
    for (size_t c = 0; c < p->computations.count; c++)
        s->computations[c] = 0;
    for (size_t i = 0; i < p->instructions.count; i++)
        s->uses[i] = 0;
    for (size_t i = 0; i < p->instructions.count; i++) {
        const tfp_hlo_instruction *at = &p->instructions.data[i];
        s->computations[at->computation] += mix(s->now[i], 1);
        for (uint32_t k = 0; k < at->operand_count; k++) {
            uint32_t source = p->links.data[at->operands + k];
            if (source != TFP_NO_ID)
                s->uses[source] += mix(s->now[i], k + 2);
        }
    }
}

/* Takes up the neighbors of each instruction. */
static void take_edges(print_state *s)
{
    const tfp_hlo_program *p = s->program;
    uint64_t *last = s->now;
    sum_up(s);
    for (size_t i = 0; i < p->instructions.count; i++) {
        const tfp_hlo_instruction *at = &p->instructions.data[i];
        uint64_t hash = mix(s->now[i], s->uses[i]);
        for (uint32_t k = 0; k < at->operand_count; k++) {
            uint32_t source = p->links.data[at->operands + k];
            hash = mix(hash, source == TFP_NO_ID ? 0 : s->now[source]);
        }
        for (uint32_t k = 0; k < at->called_count; k++) {
            uint32_t called = p->links.data[at->called + k];
            hash = mix(hash, called == TFP_NO_ID ? 0 : s->computations[called]);
        }
        s->next[i] = hash;
    }
    s->now = s->next;
    s->next = last;
}

int tfp_hlo_fingerprint(const tfp_hlo_program *p, uint64_t *fingerprint,
                        tfprof_error *err)
{
    size_t count = p->instructions.count;
    size_t texts = tfp_interner_count(&p->texts);
    uint64_t *block = tfp_memory_zarray(
        p->memory, texts + 3 * count + p->computations.count, sizeof(*block));
    print_state s = { .program = p, .texts = block };
    if (!block)
        return tfp_fail_nomem(err);
    s.now = block + texts;
    s.next = s.now + count;
    s.uses = s.next + count;
    s.computations = s.uses + count;
    for (size_t i = 0; i < count; i++)
        s.now[i] = own_hash(&s, &p->instructions.data[i]);
    for (int round = 0; round < ROUNDS; round++)
        take_edges(&s);
    *fingerprint = mix(0, count);
    for (size_t i = 0; i < count; i++)
        *fingerprint += mix(s.now[i], 2);
    tfp_memory_free(p->memory, block);
    return TFPROF_OK;
}
