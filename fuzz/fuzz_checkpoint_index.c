/*
 * fuzz_checkpoint_index.c - any bytes as the table of a checkpoint, of either
 * version. Checksums are not looked at: no fuzzer would get past them.
 *
 * Holds that an error is complete, and for one input in 16 that the answer is
 * the same for a file, which is read where it needs to be, and for a stream,
 * which is held as a whole.
 */
#include <string.h>

#include "fuzz.h"
#include "input/checkpoint/checkpoint.h"
#include "input/checkpoint/checkpoint_file.h"
#include "target.h"

typedef struct outcome {
    int status;
    tfprof_error err;
    bool partial;
    tfp_input_counts counts;
    size_t tensors, parts;
} outcome;

static tfp_input_context context_of(tfp_model *model)
{
    return (tfp_input_context){ .model = model,
                                .max_depth = 100,
                                .max_input = FUZZ_MOST_MEMORY,
                                .max_memory = FUZZ_MOST_MEMORY,
                                .ignore_checksums = true };
}

/* Through all that an input goes through: as a file when `store` is not NULL,
 * else as a stream. */
static int add_input(tfp_model *model, tfp_span data, const tfp_store *store,
                     tfprof_error *err)
{
    tfp_input_context context = context_of(model);
    tfp_span rest = data;
    tfp_input_request request = { .path = "fuzz", .role = TFP_ROLE_CHECKPOINT };
    tfp_input_stream stream = { .source = tfp_source_span(&rest),
                                .size = (int64_t)data.size,
                                .store = store };
    return tfp_input_add_stream(&context, &request, &stream, err);
}

/* The table alone, which is quick. */
static int add_table(tfp_model *model, const tfp_store *store,
                     tfprof_error *err)
{
    tfp_input_context context = context_of(model);
    tfp_table_settings settings = tfp_input_table_settings(&context);
    tfp_table table;
    tfp_load load;
    tfp_checkpoint_load c = { .load = &load,
                              .table = &table,
                              .max_depth = 100,
                              .checkpoint = TFP_NO_ID };
    int status;
    FUZZ_CHECK(
        TFP_VEC_PUSH(model->memory, &model->inputs, (tfp_input){ .size = -1 }));
    FUZZ_CHECK(tfp_load_init(&load, model, 0));
    status = tfp_table_open(&table, model->memory, *store, &settings, err);
    if (status == TFPROF_OK)
        status = tfp_read_checkpoint(&c, err);
    if (status == TFPROF_OK) {
        status = tfp_finish_checkpoint(&c, err);
        model->inputs.data[0].partial = status != TFPROF_OK;
    }
    tfp_table_close(&table);
    tfp_load_release(&load);
    return status;
}

typedef enum way { TABLE, FILE_INPUT, STREAM } way;

static outcome load(tfp_span data, way how)
{
    tfp_memory memory = fuzz_memory();
    tfp_model model;
    tfp_store store = tfp_store_span(&data);
    outcome out = { 0 };
    FUZZ_CHECK(tfp_model_init(&model, &memory));
    out.status = how == TABLE
                     ? add_table(&model, &store, &out.err)
                     : add_input(&model, data,
                                 how == FILE_INPUT ? &store : NULL, &out.err);
    out.partial = model.inputs.data[0].partial;
    out.counts = model.inputs.data[0].counts;
    out.tensors = model.stored.tensors.count;
    out.parts = model.stored.parts.count;
    FUZZ_CHECK(out.tensors <= data.size && out.parts <= data.size);
    if (out.status != TFPROF_OK) {
        FUZZ_CHECK(out.status == (int)out.err.code);
        FUZZ_CHECK(out.err.message[0] && !strchr(out.err.message, '\n'));
        FUZZ_CHECK(out.err.offset <= (int64_t)data.size);
    }
    tfp_model_release(&model);
    FUZZ_CHECK(memory.held == 0);
    return out;
}

static void check_same(const outcome *a, const outcome *b)
{
    FUZZ_CHECK(a->status == b->status && a->partial == b->partial);
    FUZZ_CHECK(a->err.offset == b->err.offset);
    FUZZ_CHECK(!memcmp(&a->counts, &b->counts, sizeof(a->counts)));
    FUZZ_CHECK(a->tensors == b->tensors && a->parts == b->parts);
}

int fuzz_checkpoint_index(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = fuzz_copy(bytes, size);
    tfp_span data = { copy, size };
    if (size % 16 == 0) {
        outcome file = load(data, FILE_INPUT), stream = load(data, STREAM);
        check_same(&file, &stream);
    } else {
        (void)load(data, TABLE);
    }
    free(copy);
    return 0;
}
