/*
 * bundle.c - the index of a checkpoint of version 2 into the model.
 *
 * The first entry, with an empty key, is the header. Then come the slices of
 * divided tensors, whose keys begin with a zero byte, and then the tensors by
 * name. The entry of a divided tensor lists its slices, so by then all of them
 * have been seen.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "input/checkpoint/checkpoint.h"
#include "input/checkpoint/slices.h"
#include "model/attrs.h"
#include "model/ids.h"
#include "model/model.h"
#include "model/stored.h"
#include "proto/checkpoint.h"

typedef struct bundle {
    tfp_checkpoint_load *c;
    tfp_interner keys; /* of slices; item k + 1 is pieces.data[k] */
    TFP_VEC(tfp_stored_part) pieces;
    tfp_slice_key key; /* scratch */
} bundle;

static tfp_model *model_of(const bundle *b)
{
    return b->c->load->model;
}

/* ---- Header ------------------------------------------------------------- */

static int check_header(const tfp_bundle_header *h, tfprof_error *err)
{
    if (h->num_shards <= 0)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "invalid number of shards: %d", h->num_shards);
    if (h->endianness != 0 && h->endianness != 1)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "unknown byte order %d (neither little nor big endian)",
                        h->endianness);
    if (h->min_consumer > TFP_BUNDLE_VERSION)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "requires checkpoint reader version %d or later; this "
                        "tfprof has version %d",
                        h->min_consumer, TFP_BUNDLE_VERSION);
    return TFPROF_OK;
}

/* The path without ".index": shards are called after it. */
static bool prefix_of(const bundle *b, tfp_string *prefix)
{
    tfp_span path;
    *prefix = 0;
    if (!b->c->path)
        return true;
    path = tfp_span_of(b->c->path);
    if (tfp_span_ends(path, ".index"))
        path.size -= strlen(".index");
    *prefix = tfp_model_string(model_of(b), path);
    return *prefix != TFP_NO_ID;
}

static int read_header(bundle *b, tfp_span value, tfprof_error *err)
{
    tfp_record record = tfp_checkpoint_record(b->c, value);
    tfp_wire w = tfp_wire_over(&record);
    tfp_bundle_header header;
    tfp_checkpoint made = { .version = 2 };
    int status;
    tfp_bundle_header_read(&w, &header);
    if (!tfp_record_ok(&record))
        return tfp_record_fail(&record, &tfp_BundleHeaderProto, err);
    status = check_header(&header, err);
    if (status != TFPROF_OK)
        return status;
    made.big_endian = header.endianness == 1;
    made.shards = (uint32_t)header.num_shards;
    if (!prefix_of(b, &made.prefix))
        return tfp_fail_nomem(err);
    tfp_load_input(b->c->load)->counts.shards = header.num_shards;
    b->c->checkpoint = tfp_model_add_checkpoint(model_of(b), made);
    return b->c->checkpoint == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

/* ---- Entries ------------------------------------------------------------ */

/* A shard below 0 is past all shards, too. */
static tfp_stored_part part_of(const tfp_bundle_entry *entry)
{
    return (tfp_stored_part){ .shard = (uint32_t)entry->shard_id,
                              .crc32c = entry->crc32c,
                              .offset = entry->offset,
                              .size = entry->size };
}

static int add_piece(bundle *b, tfp_span key, const tfp_bundle_entry *entry,
                     tfprof_error *err)
{
    tfp_memory *memory = b->c->load->memory;
    /* Room first: a key without its piece would shift all that follow. */
    if (!TFP_VEC_RESERVE(memory, &b->pieces, 1) ||
        tfp_intern(&b->keys, key) == TFP_NO_ID)
        return tfp_fail_nomem(err);
    b->pieces.data[b->pieces.count++] = part_of(entry);
    return TFPROF_OK;
}

/* Finds the piece of one slice and adds it. That there is none is a fault. */
static int add_slice(bundle *b, tfp_span name, tfp_list extents,
                     tfp_stored *tensor, tfprof_error *err)
{
    size_t count;
    const int64_t *items = tfp_list_items(model_of(b), extents, &count);
    tfp_stored_part part;
    uint32_t id;
    if (!tfp_slice_key_make(&b->key, b->c->load->memory, name, items,
                            count / 2))
        return tfp_fail_nomem(err);
    id = tfp_interner_find(&b->keys, (tfp_span){ b->key.data, b->key.count });
    if (id == TFP_NO_ID || id == 0) {
        tensor->fault = "a slice is missing";
        return TFPROF_OK;
    }
    part = b->pieces.data[id - 1];
    part.extents = extents;
    return tfp_model_add_part(model_of(b), tensor, part) ? TFPROF_OK
                                                         : tfp_fail_nomem(err);
}

static int add_slices(bundle *b, tfp_span name, const tfp_bundle_entry *entry,
                      tfp_record *record, tfp_stored *tensor, tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(&entry->slices, record);
    tfp_field f;
    int rank;
    tfp_shape_dims(model_of(b), tensor->shape, &rank);
    while (tfp_repeated_next(&w, BundleEntryProto_slices, &f)) {
        tfp_list extents;
        bool is_odd;
        int status = tfp_read_extents(b->c->load, &w, &f, &extents, &is_odd,
                                      err);
        if (status == TFPROF_OK && !tensor->fault)
            status = add_slice(b, name, extents, tensor, err);
        if (status != TFPROF_OK)
            return status;
        if (is_odd || (extents == 0 && rank != 0))
            tensor->fault = "a slice does not fit the shape of the tensor";
    }
    return TFPROF_OK;
}

static int add_tensor(bundle *b, tfp_span name, const tfp_bundle_entry *entry,
                      tfp_record *record, tfprof_error *err)
{
    tfp_model *model = model_of(b);
    tfp_wire w = tfp_wire_over(record);
    tfp_stored tensor = { .name = tfp_model_string(model, name),
                          .dtype = entry->dtype,
                          .checkpoint = b->c->checkpoint };
    int status = tfp_read_shape(b->c->load, &w, &entry->shape, &tensor.shape,
                                err);
    if (status == TFPROF_OK && entry->shape.tag == 0)
        tensor.shape = tfp_model_shape(model, NULL, 0);
    if (tensor.name == TFP_NO_ID || tensor.shape == TFP_NO_ID)
        return tfp_fail_nomem(err);
    if (entry->slices.count > 0 && status == TFPROF_OK)
        status = add_slices(b, name, entry, record, &tensor, err);
    else if (!tfp_model_add_part(model, &tensor, part_of(entry)))
        return tfp_fail_nomem(err);
    if (status == TFPROF_OK && tfp_record_ok(record))
        status = tfp_add_stored(b->c, tensor, err);
    return status;
}

static int read_entry(bundle *b, tfp_span key, tfp_span value,
                      tfprof_error *err)
{
    tfp_record record = tfp_checkpoint_record(b->c, value);
    tfp_wire w = tfp_wire_over(&record);
    tfp_bundle_entry entry;
    int status = TFPROF_OK;
    tfp_bundle_entry_read(&w, &entry);
    if (tfp_record_ok(&record))
        status = key.data[0] == 0 ? add_piece(b, key, &entry, err)
                                  : add_tensor(b, key, &entry, &record, err);
    if (!tfp_record_ok(&record))
        status = tfp_record_fail(&record, &tfp_BundleEntryProto, err);
    return status;
}

/* ---- All of it ---------------------------------------------------------- */

static int read_all(bundle *b, tfp_span header, tfprof_error *err)
{
    int status = read_header(b, header, err);
    while (status == TFPROF_OK) {
        tfp_span key, value;
        bool more;
        status = tfp_table_next(b->c->table, &key, &value, &more, err);
        if (status != TFPROF_OK || !more)
            return status;
        status = read_entry(b, key, value, err);
    }
    return status;
}

int tfp_read_bundle(tfp_checkpoint_load *c, tfp_span header, tfprof_error *err)
{
    bundle b = { .c = c };
    tfp_memory *memory = c->load->memory;
    int status = TFPROF_ERR_NOMEM;
    if (tfp_interner_init(&b.keys, memory, 1, tfp_random_seed()))
        status = read_all(&b, header, err);
    else
        tfp_fail_nomem(err);
    tfp_interner_release(&b.keys);
    TFP_VEC_RELEASE(memory, &b.pieces);
    TFP_VEC_RELEASE(memory, &b.key);
    return status;
}
