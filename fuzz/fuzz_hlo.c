/*
 * fuzz_hlo.c - any bytes as a program compiled by XLA.
 *
 * Holds that an error is complete and leaves nothing behind, that all which is
 * found leads somewhere, that stacks end and sources are distinct, and that no
 * figure is below what says that there is none.
 */
#include <string.h>

#include "fuzz.h"
#include "target.h"
#include "trace/hlo.h"
#include "trace/hlo_flops.h"

typedef struct finding {
    const tfp_hlo_program *program;
    const tfp_hlo_instruction *of;
    uint8_t seen[FUZZ_MOST_BYTES]; /* by instruction */
} finding;

static int add_source(void *self, const tfp_hlo_instruction *source,
                      tfprof_error *err)
{
    finding *f = self;
    size_t index = (size_t)(source - f->program->instructions.data);
    (void)err;
    FUZZ_CHECK(index < f->program->instructions.count);
    FUZZ_CHECK(source != f->of && source->node != TFP_NO_NODE);
    FUZZ_CHECK(!f->seen[index]++);
    return TFPROF_OK;
}

static void check_parts(const tfp_hlo_program *p, const tfp_hlo_instruction *i)
{
    FUZZ_CHECK(i->computation < p->computations.count);
    FUZZ_CHECK(i->operands + i->operand_count <= p->links.count);
    FUZZ_CHECK(i->called + i->called_count <= p->links.count);
    FUZZ_CHECK(i->shapes + i->shape_count <= p->shapes.count);
    FUZZ_CHECK(i->windows + i->window_count <= p->windows.count);
    FUZZ_CHECK(i->contracted + i->contracted_count <= p->numbers.count);
    for (uint32_t k = 0; k < i->operand_count; k++)
        FUZZ_CHECK(p->links.data[i->operands + k] == TFP_NO_ID ||
                   p->links.data[i->operands + k] < p->instructions.count);
    for (uint32_t k = 0; k < i->called_count; k++)
        FUZZ_CHECK(p->links.data[i->called + k] == TFP_NO_ID ||
                   p->links.data[i->called + k] < p->computations.count);
    for (uint32_t k = 0; k < i->shape_count; k++) {
        const tfp_hlo_shape *shape = &p->shapes.data[i->shapes + k];
        FUZZ_CHECK(shape->dims + shape->rank <= p->numbers.count);
    }
}

static void check_instruction(tfp_hlo_program *p, const tfp_hlo_instruction *i)
{
    const tfp_hlo_instruction *found = tfp_hlo_find(p,
                                                    tfp_hlo_text(p, i->name));
    tfp_hlo_stack stack = tfp_hlo_stack_of(i);
    finding f = { .program = p, .of = i };
    size_t frames = 0;
    tfprof_error err;
    FUZZ_CHECK(found && found <= i && found->name == i->name);
    found = tfp_hlo_find_id(p, i->id);
    FUZZ_CHECK(found && found <= i && found->id == i->id);
    FUZZ_CHECK(tfp_hlo_category(p, i).size > 0);
    FUZZ_CHECK(i->flops >= TFP_HLO_UNCOUNTED);
    check_parts(p, i);
    while (tfp_hlo_stack_next(p, &stack))
        frames++;
    FUZZ_CHECK(frames <= p->frames.count);
    FUZZ_CHECK(tfp_hlo_sources(p, i, add_source, &f, NULL, &err) == TFPROF_OK);
}

static void check_program(tfp_hlo_program *p, size_t size)
{
    tfprof_error err;
    FUZZ_CHECK(p->instructions.count <= size);
    FUZZ_CHECK(tfp_hlo_count_flops(p, &err) == TFPROF_OK);
    for (uint32_t k = 0; k < p->instructions.count; k++) {
        if (k % 3 != 1)
            p->instructions.data[k].node = k;
    }
    for (uint32_t k = 0; k < p->instructions.count; k++)
        check_instruction(p, &p->instructions.data[k]);
}

int fuzz_hlo(const uint8_t *bytes, size_t size)
{
    tfp_memory memory = fuzz_memory();
    uint8_t *copy = fuzz_copy(bytes, size);
    tfp_hlo_program program;
    tfprof_error err;
    int status;
    if (size > FUZZ_MOST_BYTES) {
        free(copy);
        return 0;
    }
    status = tfp_hlo_read(&program, &memory, (tfp_span){ copy, size }, 100,
                          &err);
    free(copy); /* nothing may borrow from it */
    if (status == TFPROF_OK) {
        check_program(&program, size);
        tfp_hlo_release(&program);
    } else {
        FUZZ_CHECK(status == (int)err.code);
        FUZZ_CHECK(err.message[0] && !strchr(err.message, '\n'));
        FUZZ_CHECK(err.offset >= 0 && err.offset <= (int64_t)size);
    }
    FUZZ_CHECK(memory.held == 0);
    return 0;
}
