/*
 * fuzz_tensor_values.c - any bytes as the values of a tensor.
 *
 * The first byte says how. Even: what follows is an entry (type, dimensions,
 * slices) and then the bytes of a shard, version 2. Odd: a file of version 1.
 * Its half is the form of the answer. Checksums are not looked at. Holds that
 * the answer is one of its form, and that asking twice gives the same.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/profile.h"
#include "check_output.h"
#include "fuzz.h"
#include "input/checkpoint/slices.h"
#include "options/options.h"
#include "proto/schema.h"
#include "target.h"

enum { MOST_RANK = 4, HEAD = 4 + MOST_RANK };

static char folder[] = "/tmp/tfprof-fuzz-values-XXXXXX";
static char prefix[64], shard[96], table[64];

static void write_file(const char *path, tfp_span bytes)
{
    FILE *file = fopen(path, "wb");
    FUZZ_CHECK(file);
    FUZZ_CHECK(fwrite(bytes.data, 1, bytes.size, file) == bytes.size);
    FUZZ_CHECK(fclose(file) == 0);
}

static void remove_files(void)
{
    unlink(shard);
    unlink(table);
    rmdir(folder);
}

static void make_folder(void)
{
    FUZZ_CHECK(mkdtemp(folder));
    snprintf(prefix, sizeof(prefix), "%s/v2", folder);
    snprintf(shard, sizeof(shard), "%s.data-00000-of-00001", prefix);
    snprintf(table, sizeof(table), "%s/v1", folder);
    atexit(remove_files);
}

/* ---- Version 2 ---------------------------------------------------------- */

/* Parts of `rows` rows each, or the whole. */
static bool add_parts(tfp_model *model, tfp_stored *tensor, const int64_t *dims,
                      size_t rank, unsigned rows, size_t size)
{
    int64_t row_size = (int64_t)size;
    if (rank == 0 || rows == 0 || dims[0] <= 0)
        return tfp_model_add_part(model, tensor,
                                  (tfp_stored_part){ .size = row_size });
    row_size /= dims[0];
    for (int64_t at = 0; at < dims[0]; at += rows) {
        int64_t extents[2 * MOST_RANK], count = dims[0] - at;
        tfp_stored_part part = { .offset = at * row_size };
        if (count > rows)
            count = rows;
        for (size_t d = 0; d < rank; d++) {
            extents[2 * d] = d == 0 ? at : 0;
            extents[2 * d + 1] = d == 0 ? count : -1;
        }
        part.size = count * row_size;
        part.extents = tfp_model_list(model, extents, 2 * rank);
        if (part.extents == TFP_NO_ID ||
            !tfp_model_add_part(model, tensor, part))
            return false;
    }
    return true;
}

static void add_tensor(tfprof_profile *p, const uint8_t *head, size_t size)
{
    tfp_model *model = &p->model;
    size_t rank = head[2] % (MOST_RANK + 1);
    int64_t dims[MOST_RANK];
    tfp_checkpoint checkpoint = { .version = 2,
                                  .shards = 1,
                                  .big_endian = head[3] & 1 };
    tfp_stored tensor = { .dtype = (int8_t)head[1] };
    uint32_t index;
    bool fresh;
    for (size_t d = 0; d < rank; d++)
        dims[d] = (int8_t)head[4 + d];
    checkpoint.prefix = tfp_model_string(model, tfp_span_of(prefix));
    tensor.checkpoint = tfp_model_add_checkpoint(model, checkpoint);
    tensor.name = tfp_model_string(model, tfp_span_of("t"));
    tensor.shape = tfp_model_shape(model, dims, rank);
    FUZZ_CHECK(add_parts(model, &tensor, dims, rank, head[3] >> 1, size));
    tensor.fault = tfp_stored_check(model, &tensor);
    FUZZ_CHECK(tfp_model_add_stored(model, tensor, &index, &fresh));
    FUZZ_CHECK(TFP_VEC_PUSH(
        &p->memory, &model->inputs,
        (tfp_input){ .kind = TFP_FILE_CHECKPOINT, .is_read = true }));
}

/* ---- Asking ------------------------------------------------------------- */

typedef struct answer {
    uint8_t *data;
    size_t size, room;
    int status;
} answer;

static int keep(void *context, const void *data, size_t size)
{
    answer *a = context;
    if (a->room - a->size < size) {
        a->room = 2 * (a->size + size);
        a->data = realloc(a->data, a->room);
        FUZZ_CHECK(a->data);
    }
    memcpy(a->data + a->size, data, size);
    a->size += size;
    return 0;
}

static answer ask(tfprof_profile *p, const char *format)
{
    answer a = { 0 };
    tfprof_error err = { .code = TFPROF_OK };
    FUZZ_CHECK(tfprof_profile_set(p, "format", format, NULL) == TFPROF_OK);
    a.status = tfprof_profile_write_view(p, "scope", keep, &a, &err);
    FUZZ_CHECK(a.status == (int)err.code);
    FUZZ_CHECK(a.status == TFPROF_OK || err.message[0]);
    FUZZ_CHECK(a.status != TFPROF_ERR_NOMEM && a.status != TFPROF_ERR_OPTION);
    return a;
}

/* In one form: each takes as long as all the reading. */
static void look(tfprof_profile *p, size_t form)
{
    static const char *const formats[] = { "text", "json", "csv", "proto" };
    answer first, again;
    tfp_span text;
    FUZZ_CHECK(tfprof_profile_set(p, "select", "params,tensor_value", NULL) ==
               TFPROF_OK);
    first = ask(p, formats[form]);
    again = ask(p, formats[form]);
    text = (tfp_span){ first.data, first.size };
    FUZZ_CHECK(first.status == again.status && first.size == again.size);
    FUZZ_CHECK(first.size == 0 || !memcmp(first.data, again.data, first.size));
    if (first.size > 0 && form == TFP_FORMAT_PROTO)
        FUZZ_CHECK(fuzz_is_message(text, GraphNodeProto_children >> 3));
    else if (first.size > 0)
        FUZZ_CHECK(form == TFP_FORMAT_JSON ? fuzz_is_json(text)
                                           : fuzz_is_printable(text));
    free(first.data);
    free(again.data);
}

int fuzz_tensor_values(const uint8_t *bytes, size_t size)
{
    tfprof_profile *p;
    if (size < HEAD)
        return 0;
    if (!prefix[0])
        make_folder();
    p = tfprof_profile_new();
    FUZZ_CHECK(p);
    p->context.ignore_checksums = true;
    if (bytes[0] & 1) {
        write_file(table, (tfp_span){ bytes + 1, size - 1 });
        (void)tfprof_profile_add_path(p, table, "checkpoint_path", NULL);
    } else {
        write_file(shard, (tfp_span){ bytes + HEAD, size - HEAD });
        add_tensor(p, bytes, size - HEAD);
    }
    look(p, (bytes[0] >> 1) % 4);
    tfprof_profile_free(p);
    return 0;
}
