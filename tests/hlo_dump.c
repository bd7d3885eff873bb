/*
 * hlo_dump.c - prints programs compiled by XLA, for the test that holds them
 * against TensorFlow's own messages.
 *
 * Each argument is a file that holds an HloProto. Lines of words with tabs
 * between them:
 *
 *     program      MODULE
 *     instruction  NAME OPCODE CATEGORY ID OP_NAME OP_TYPE FILE LINE OPERANDS
 *                  CALLED SHAPES STACK SOURCES FLOPS
 *     damaged      MESSAGE
 *
 * Lists have a comma behind each item; an operand that is not there is "-". Of
 * three instructions the second has not run. Read by
 * tests/cli/inputs/test_hlo.py.
 */
#include <stdio.h>
#include <stdlib.h>

#include "trace/hlo.h"
#include "trace/hlo_flops.h"

static void print_text(const tfp_hlo_program *p, uint32_t text)
{
    tfp_span bytes = tfp_hlo_text(p, text);
    fwrite(bytes.data, 1, bytes.size, stdout);
}

static void print_ids(const tfp_hlo_program *p, uint32_t first, uint32_t count,
                      bool are_calls)
{
    for (uint32_t k = first; k < first + count; k++) {
        uint32_t link = p->links.data[k];
        if (link == TFP_NO_ID)
            printf("-,");
        else
            printf("%lld,",
                   (long long)(are_calls ? p->computations.data[link].id
                                         : p->instructions.data[link].id));
    }
    putchar('\t');
}

static void print_shapes(const tfp_hlo_program *p, const tfp_hlo_instruction *i)
{
    for (uint32_t k = 0; k < i->shape_count; k++) {
        const tfp_hlo_shape *shape = &p->shapes.data[i->shapes + k];
        printf("%d", (int)shape->type);
        for (uint32_t d = 0; d < shape->rank; d++)
            printf(" %lld", (long long)p->numbers.data[shape->dims + d]);
        putchar(',');
    }
    putchar('\t');
}

static void print_stack(const tfp_hlo_program *p, const tfp_hlo_instruction *i)
{
    tfp_hlo_stack stack = tfp_hlo_stack_of(i);
    const tfp_hlo_frame *frame;
    while ((frame = tfp_hlo_stack_next(p, &stack))) {
        print_text(p, frame->file);
        putchar(':');
        print_text(p, frame->function);
        printf(":%d,", (int)frame->line);
    }
    putchar('\t');
}

static int print_source(void *self, const tfp_hlo_instruction *source,
                        tfprof_error *err)
{
    (void)err;
    print_text(self, source->name);
    putchar(',');
    return TFPROF_OK;
}

static void print_instruction(tfp_hlo_program *p, const tfp_hlo_instruction *i)
{
    tfp_span category = tfp_hlo_category(p, i);
    const uint32_t texts[] = { i->op_name, i->op_type, i->source_file };
    tfprof_error err;
    printf("instruction\t");
    print_text(p, i->name);
    putchar('\t');
    print_text(p, i->opcode);
    printf("\t%.*s\t%lld\t", (int)category.size, (const char *)category.data,
           (long long)i->id);
    for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
        print_text(p, texts[k]);
        putchar('\t');
    }
    printf("%d\t", (int)i->source_line);
    print_ids(p, i->operands, i->operand_count, false);
    print_ids(p, i->called, i->called_count, true);
    print_shapes(p, i);
    print_stack(p, i);
    if (tfp_hlo_sources(p, i, print_source, p, NULL, &err) != TFPROF_OK)
        exit(2);
    printf("\t%lld\n", (long long)i->flops);
}

static void print_program(tfp_hlo_program *p)
{
    tfprof_error err;
    printf("program\t");
    print_text(p, p->name);
    putchar('\n');
    if (tfp_hlo_count_flops(p, &err) != TFPROF_OK)
        exit(2);
    for (uint32_t k = 0; k < p->instructions.count; k++) {
        if (k % 3 != 1)
            p->instructions.data[k].node = k;
    }
    for (size_t k = 0; k < p->instructions.count; k++)
        print_instruction(p, &p->instructions.data[k]);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    enum { MOST = 16 << 20 };
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(MOST);
    if (!file || !bytes)
        exit(2);
    *size = fread(bytes, 1, MOST, file);
    fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        tfp_memory memory;
        tfp_hlo_program program;
        tfprof_error err;
        size_t size;
        uint8_t *bytes = read_file(argv[k], &size);
        int status;
        tfp_memory_init(&memory, NULL, NULL);
        status = tfp_hlo_read(&program, &memory, (tfp_span){ bytes, size }, 100,
                              &err);
        free(bytes);
        if (status == TFPROF_OK) {
            print_program(&program);
            tfp_hlo_release(&program);
        } else {
            printf("damaged\t%s\n", err.message);
        }
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
