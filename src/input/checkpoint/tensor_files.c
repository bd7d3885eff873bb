/*
 * tensor_files.c - the values of stored tensors, read when they are asked for.
 */
#include "input/checkpoint/tensor_files.h"

#include "model/model.h"

#include "model/attrs.h"

#include "base/store.h"

#include "base/memory.h"

#include "base/error.h"

#include "base/bytes.h"
#include "base/escape.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Pairs of slices that are compared before it is said to be too much. */
enum { MOST_PAIRS = 1 << 24 };

/* ---- Life --------------------------------------------------------------- */

void tfp_tensor_files_init(tfp_tensor_files *f, tfp_input_context *context)
{
    *f = (tfp_tensor_files){ .context = context,
                             .memory = context->model->memory,
                             .table_shard = { .fd = -1 } };
    for (size_t i = 0; i < TFP_OPEN_SHARDS; i++)
        f->shards[i].fd = -1;
}

static void close_shard(tfp_open_shard *shard)
{
    if (shard->fd >= 0)
        close(shard->fd);
    shard->fd = -1;
}

void tfp_tensor_close_table(tfp_tensor_files *f)
{
    tfp_table_close(&f->table);
    close_shard(&f->table_shard);
}

void tfp_tensor_files_release(tfp_tensor_files *f)
{
    tfp_tensor_close_table(f);
    for (size_t i = 0; i < TFP_OPEN_SHARDS; i++)
        close_shard(&f->shards[i]);
    TFP_VEC_RELEASE(f->memory, &f->parts);
    TFP_VEC_RELEASE(f->memory, &f->extents);
    TFP_VEC_RELEASE(f->memory, &f->held);
    TFP_VEC_RELEASE(f->memory, &f->ends);
    TFP_VEC_RELEASE(f->memory, &f->key);
    tfp_memory_free(f->memory, f->buffer);
    f->buffer = NULL;
}

/* ---- Files -------------------------------------------------------------- */

int tfp_tensor_count(tfp_tensor_files *f, uint64_t bytes, tfprof_error *err)
{
    tfp_input_context *context = f->context;
    context->bytes_read = tfp_add_sat(context->bytes_read, (int64_t)bytes);
    tfp_input_set_limit(context);
    if (context->progress && context->progress(context->progress_self, "values",
                                               context->bytes_read, -1) != 0)
        return tfp_fail(err, TFPROF_ERR_CANCELLED, -1, "canceled");
    return TFPROF_OK;
}

bool tfp_tensor_hold(tfp_tensor_files *f, const void *bytes, size_t size)
{
    if (!TFP_VEC_RESERVE(f->memory, &f->held, size + 1))
        return false;
    if (size > 0)
        memcpy(f->held.data + f->held.count, bytes, size);
    f->held.count += size;
    return true;
}

/* The path of a shard; empty when it cannot be had. */
static void shard_path(const tfp_tensor_files *f, uint32_t number, char *path,
                       size_t size)
{
    const tfp_model *model = f->context->model;
    const tfp_checkpoint *c =
        &model->stored.checkpoints.data[f->tensor->checkpoint];
    tfp_span text;
    if (c->version == 1) {
        size_t count;
        const int64_t *paths = tfp_list_items(model, c->tables, &count);
        text = tfp_model_text(model, (tfp_string)paths[number]);
        snprintf(path, size, "%.*s", (int)text.size, text.data);
        return;
    }
    text = tfp_model_text(model, c->prefix);
    path[0] = '\0';
    if (text.size > 0)
        snprintf(path, size, "%.*s.data-%05u-of-%05u", (int)text.size,
                 text.data, number, c->shards);
}

static int fail_shard(const char *path, int errnum, tfprof_error *err)
{
    const char *slash = strrchr(path, '/');
    char what[160];
    snprintf(what, sizeof(what), "cannot open shard %s",
             tfp_shorten(tfp_span_of(slash ? slash + 1 : path), 120).text);
    return tfp_fail_errno(err, errnum, what);
}

int tfp_tensor_open_shard(const tfp_tensor_files *f, uint32_t number,
                          tfp_open_shard *shard, tfprof_error *err)
{
    char path[8192];
    struct stat about = { 0 };
    int fd;
    shard_path(f, number, path, sizeof(path));
    if (path[0] == '\0')
        return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                        "the checkpoint was read from memory or from a pipe, "
                        "and cannot be read again (give the path of the "
                        "checkpoint)");
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return fail_shard(path, errno, err);
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
        close(fd);
        return fail_shard(path, S_ISDIR(about.st_mode) ? EISDIR : EINVAL, err);
    }
    *shard = (tfp_open_shard){ fd, f->tensor->checkpoint, number,
                               (uint64_t)about.st_size };
    return TFPROF_OK;
}

int tfp_tensor_shard(tfp_tensor_files *f, uint32_t number,
                     tfp_open_shard **shard, tfprof_error *err)
{
    tfp_open_shard *oldest;
    for (size_t i = 0; i < TFP_OPEN_SHARDS; i++) {
        *shard = &f->shards[i];
        if ((*shard)->fd >= 0 && (*shard)->shard == number &&
            (*shard)->checkpoint == f->tensor->checkpoint)
            return TFPROF_OK;
    }
    oldest = &f->shards[f->next_shard++ % TFP_OPEN_SHARDS];
    close_shard(oldest);
    *shard = oldest;
    return tfp_tensor_open_shard(f, number, oldest, err);
}

/* ---- Parts -------------------------------------------------------------- */

static const int64_t *extents_of(const tfp_tensor_files *f, size_t part)
{
    return f->extents.data + part * 2 * f->rank;
}

static bool overlap(const tfp_tensor_files *f, size_t a, size_t b)
{
    const int64_t *x = extents_of(f, a), *y = extents_of(f, b);
    for (size_t d = 0; d < f->rank; d++) {
        int64_t x0 = x[2 * d], x1 = x0 + x[2 * d + 1];
        int64_t y0 = y[2 * d], y1 = y0 + y[2 * d + 1];
        if (x1 <= y0 || y1 <= x0)
            return false;
    }
    return true;
}

/* That the parts have as many elements as the tensor is known already; so if
 * none overlap, none is missing. */
static int check_overlap(const tfp_tensor_files *f, tfprof_error *err)
{
    size_t count = f->parts.count;
    if (count > 1 && count > MOST_PAIRS / count)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1, "too many slices: %zu",
                        count);
    for (size_t a = 0; a < count; a++) {
        for (size_t b = a + 1; b < count; b++) {
            if (overlap(f, a, b))
                return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                                "two slices overlap");
        }
    }
    return TFPROF_OK;
}

static int open_part(tfp_tensor_files *f, const tfp_stored_part *part,
                     bool is_v1, tfprof_error *err)
{
    tfp_open_part open = { .shard = part->shard, .elements = 1 };
    size_t numbers = 2 * f->rank;
    int64_t *extents;
    int status;
    if (!TFP_VEC_RESERVE(f->memory, &f->extents, numbers + 1) ||
        !TFP_VEC_RESERVE(f->memory, &f->parts, 1))
        return tfp_fail_nomem(err);
    extents = f->extents.data + f->extents.count;
    if (!tfp_extents_resolve(f->context->model, part->extents, f->dims, f->rank,
                             extents))
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "a slice does not fit the shape of the tensor");
    for (size_t d = 0; d < f->rank; d++)
        open.elements *= extents[2 * d + 1];
    f->extents.count += numbers;
    status = is_v1 ? tfp_tensor_open_slice(f, part, &open, err)
                   : tfp_tensor_open_bundle(f, part, &open, err);
    f->parts.data[f->parts.count++] = open;
    return status;
}

static void forget(tfp_tensor_files *f)
{
    f->parts.count = f->extents.count = f->ends.count = 0;
    f->last_part = 0;
    f->at = 0;
    f->elements = 0;
    /* What one large tensor needed is not kept for the small ones. */
    TFP_VEC_RELEASE(f->memory, &f->held);
}

static int open_tensor(tfp_tensor_files *f, tfprof_error *err)
{
    const tfp_stored_tensors *s = &f->context->model->stored;
    const tfp_checkpoint *c = &s->checkpoints.data[f->tensor->checkpoint];
    uint32_t p = f->tensor->first_part;
    int status = TFPROF_OK, rank;
    f->dims = tfp_shape_dims(f->context->model, f->tensor->shape, &rank);
    f->rank = (size_t)rank;
    f->type = tfp_dtype_find(f->tensor->dtype);
    f->big_endian = c->big_endian;
    f->is_held = c->version == 1 || f->type->form == TFP_FORM_STRING;
    for (uint32_t n = f->tensor->part_count; status == TFPROF_OK && n > 0;
         n--) {
        status = open_part(f, &s->parts.data[p], c->version == 1, err);
        p = s->parts.data[p].next;
    }
    if (status == TFPROF_OK)
        status = check_overlap(f, err);
    if (status == TFPROF_OK)
        f->elements = tfp_shape_elements(f->dims, f->rank);
    return status;
}

static int open_source(void *self, uint32_t tensor, tfprof_error *err)
{
    tfp_tensor_files *f = self;
    const tfp_dtype_facts *type;
    forget(f);
    f->tensor = &f->context->model->stored.tensors.data[tensor];
    if (f->tensor->fault)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1, "%s", f->tensor->fault);
    type = tfp_dtype_find(f->tensor->dtype);
    if (!type || type->form == TFP_FORM_NONE)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1, "unsupported dtype %d",
                        f->tensor->dtype);
    if (!f->buffer)
        f->buffer = tfp_memory_alloc(f->memory, TFP_TENSOR_BUFFER);
    return f->buffer ? open_tensor(f, err) : tfp_fail_nomem(err);
}

/* ---- Elements ----------------------------------------------------------- */

/* The place of element `at` in every dimension. */
static void place_of(const tfp_tensor_files *f, int64_t at, int64_t *place)
{
    for (size_t d = f->rank; d-- > 0;) {
        place[d] = at % f->dims[d];
        at /= f->dims[d];
    }
}

static bool holds(const int64_t *extents, const int64_t *place, size_t rank)
{
    for (size_t d = 0; d < rank; d++) {
        if (place[d] < extents[2 * d] ||
            place[d] - extents[2 * d] >= extents[2 * d + 1])
            return false;
    }
    return true;
}

/* The part that has an element: often the one after the last one. */
static size_t find_part(tfp_tensor_files *f, const int64_t *place)
{
    size_t count = f->parts.count;
    for (size_t i = 0; i < count; i++) {
        size_t part = (f->last_part + i) % count;
        if (holds(extents_of(f, part), place, f->rank)) {
            f->last_part = part;
            return part;
        }
    }
    return count; /* cannot be: the parts make up all of it */
}

/* Where in a part the element at `place` is, and how many follow it there in
 * the order of the whole tensor. */
static int64_t locate(const tfp_tensor_files *f, const int64_t *extents,
                      const int64_t *place, int64_t *run)
{
    int64_t index = 0, inner = 1, behind = 0;
    size_t d = f->rank;
    *run = 1;
    /* Dimensions that the part has all of go on from one to the next. */
    for (; d-- > 0;) {
        behind += place[d] * inner;
        if (extents[2 * d + 1] != f->dims[d])
            break;
        inner *= f->dims[d];
    }
    if (d == SIZE_MAX) /* all of the tensor */
        *run = inner - behind;
    else
        *run = (extents[2 * d] + extents[2 * d + 1]) * inner - behind;
    for (d = 0; d < f->rank; d++)
        index = index * extents[2 * d + 1] + (place[d] - extents[2 * d]);
    return index;
}

static void swap_bytes(uint8_t *bytes, size_t size, size_t unit)
{
    for (size_t at = 0; at + unit <= size; at += unit) {
        for (size_t i = 0; i < unit / 2; i++) {
            uint8_t kept = bytes[at + i];
            bytes[at + i] = bytes[at + unit - 1 - i];
            bytes[at + unit - 1 - i] = kept;
        }
    }
}

static int read_numbers(tfp_tensor_files *f, const tfp_open_part *part,
                        int64_t index, size_t count, tfp_span *piece,
                        tfprof_error *err)
{
    size_t size = count * f->type->size;
    uint64_t at = part->offset + (uint64_t)index * f->type->size;
    tfp_open_shard *shard;
    tfp_store store;
    int status;
    if (f->is_held) {
        *piece = (tfp_span){ f->held.data + at, size };
        return TFPROF_OK;
    }
    status = tfp_tensor_shard(f, part->shard, &shard, err);
    if (status != TFPROF_OK)
        return status;
    store = tfp_store_fd(&shard->fd, shard->size);
    status = tfp_store_read(&store, at, f->buffer, size, err);
    if (f->big_endian)
        swap_bytes(f->buffer, size,
                   f->type->form == TFP_FORM_COMPLEX ? f->type->size / 2u
                                                     : f->type->size);
    *piece = (tfp_span){ f->buffer, size };
    return status;
}

static int next_piece(void *self, tfp_span *piece, bool *more,
                      tfprof_error *err)
{
    tfp_tensor_files *f = self;
    int64_t place[TFP_MOST_RANK + 1], index, run;
    const tfp_open_part *part;
    size_t number, most;
    *more = f->at < f->elements;
    if (!*more)
        return TFPROF_OK;
    place_of(f, f->at, place);
    number = find_part(f, place);
    if (number == f->parts.count)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1, "a slice is missing");
    part = &f->parts.data[number];
    index = locate(f, extents_of(f, number), place, &run);
    if (f->type->form == TFP_FORM_STRING) {
        size_t item = (size_t)part->offset + (size_t)index;
        size_t start = item > 0 ? (size_t)f->ends.data[item - 1] : 0;
        *piece = (tfp_span){ f->held.data + start,
                             (size_t)f->ends.data[item] - start };
        f->at++;
        return TFPROF_OK;
    }
    most = TFP_TENSOR_BUFFER / f->type->size;
    if ((uint64_t)run < most)
        most = (size_t)run;
    f->at += (int64_t)most;
    return read_numbers(f, part, index, most, piece, err);
}

tfp_tensor_source tfp_tensor_files_source(tfp_tensor_files *f)
{
    return (tfp_tensor_source){ open_source, next_piece, f };
}
