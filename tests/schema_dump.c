/*
 * schema_dump.c - prints the field tables, for the tests that hold them
 * against TensorFlow's descriptors.
 *
 * Lines of words with tabs between them:
 *
 *     message  TABLE  MESSAGE  KIND
 *     field    MESSAGE  NUMBER  NAME  TYPE  LABEL  OF
 *     enum     ENUM
 *     value    ENUM  NAME  NUMBER
 *
 * TABLE is the NAME of fields_NAME.h; OF the message or enum of the field, or
 * "-". Read by tests/lib/schema.py.
 */
#include <stdio.h>

#include "proto/schema.h"

#define WORD(prefix, word) [prefix##word] = #word

static const char *const types[] = {
    WORD(TFP_TYPE_, DOUBLE), WORD(TFP_TYPE_, FLOAT),   WORD(TFP_TYPE_, INT64),
    WORD(TFP_TYPE_, UINT64), WORD(TFP_TYPE_, INT32),   WORD(TFP_TYPE_, UINT32),
    WORD(TFP_TYPE_, SINT64), WORD(TFP_TYPE_, FIXED64), WORD(TFP_TYPE_, FIXED32),
    WORD(TFP_TYPE_, BOOL),   WORD(TFP_TYPE_, ENUM),    WORD(TFP_TYPE_, STRING),
    WORD(TFP_TYPE_, BYTES),  WORD(TFP_TYPE_, MESSAGE),
};

static const char *const labels[] = {
    WORD(TFP_LABEL_, ONE),
    WORD(TFP_LABEL_, ONEOF),
    WORD(TFP_LABEL_, MANY),
    WORD(TFP_LABEL_, RETIRED),
};

static const char *const kinds[] = {
    WORD(TFP_MESSAGE_, PLAIN),
    WORD(TFP_MESSAGE_, MAP_ENTRY),
    WORD(TFP_MESSAGE_, STREAMED),
};

static void dump_message(const char *table, const tfp_message *m)
{
    printf("message\t%s\t%s\t%s\n", table, m->name, kinds[m->kind]);
    for (size_t i = 0; i < m->count; i++) {
        const tfp_field_spec *f = &m->fields[i];
        const char *of = f->message  ? f->message->name
                         : f->values ? f->values->name
                                     : "-";
        printf("field\t%s\t%u\t%s\t%s\t%s\t%s\n", m->name, (unsigned)f->number,
               f->name, types[f->type], labels[f->label], of);
    }
}

static void dump_enum(const tfp_enum *e)
{
    printf("enum\t%s\n", e->name);
    for (size_t i = 0; i < e->count; i++)
        printf("value\t%s\t%s\t%d\n", e->name, e->values[i].name,
               (int)e->values[i].number);
}

int main(void)
{
    const char *table;
#define DUMP(M, full_name, kind) dump_message(table, &tfp_##M);
    table = "graph";
    TFP_GRAPH_MESSAGES(DUMP)
    table = "run";
    TFP_RUN_MESSAGES(DUMP)
    table = "saved";
    TFP_SAVED_MESSAGES(DUMP)
    table = "tfprof";
    TFP_TFPROF_MESSAGES(DUMP)
    table = "checkpoint";
    TFP_CHECKPOINT_MESSAGES(DUMP)
    table = "output";
    TFP_OUTPUT_MESSAGES(DUMP)
    table = "options";
    TFP_OPTIONS_MESSAGES(DUMP)
    table = "hlo";
    TFP_HLO_MESSAGES(DUMP)
    table = "xspace";
    TFP_XSPACE_MESSAGES(DUMP)
    table = "known";
    TFP_KNOWN_MESSAGES(DUMP)
#undef DUMP
    for (size_t i = 0; i < tfp_all_enum_count; i++)
        dump_enum(tfp_all_enums[i]);
    return fflush(stdout) == 0 ? 0 : 1;
}
