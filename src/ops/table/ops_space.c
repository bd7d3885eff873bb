/*
 * ops_space.c - space to batch, to depth, and back.
 */
#include "base/bytes.h"
#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/form.h"

/* ---- Batch -------------------------------------------------------------- */

/* Blocks and margins of the dims after the first. */
typedef struct blocks {
    int count;             /* of dims that are cut into blocks */
    bool known, has_edges; /* the sizes, and the margins */
    int64_t size[TFP_MOST_RANK];
    tfp_value edges;
} blocks;

/* As input `margins` has it: a matrix of so many rows. */
static bool read_margins(const tfp_site *site, size_t margins, blocks *b)
{
    tfp_form shape;
    if (!tfp_form_input_of(site, margins, 2, &shape) ||
        (shape.at[0] >= 0 && shape.at[0] != b->count) ||
        (shape.at[1] >= 0 && shape.at[1] != 2))
        return false;
    b->has_edges = tfp_site_value(site, margins, &b->edges) &&
                   b->edges.count == 2 * (size_t)b->count;
    return true;
}

/* Of the N-dimensional versions input 1 has the blocks. */
static bool read_blocks(const tfp_site *site, blocks *b)
{
    tfp_dims dims = tfp_site_input(site, 1);
    tfp_value sizes;
    if (dims.rank != 1 || dims.at[0] < 0 || dims.at[0] >= TFP_MOST_RANK)
        return false;
    b->count = (int)dims.at[0];
    b->known = tfp_site_ints_value(site, 1, &sizes) &&
               sizes.count == (size_t)b->count;
    for (int i = 0; i < b->count; i++) {
        b->size[i] = b->known ? sizes.at[i] : 0;
        if (b->known && b->size[i] < 1)
            return false;
    }
    return read_margins(site, 2, b);
}

/* Those of two dims have an attribute. */
static bool read_block_size(const tfp_site *site, blocks *b)
{
    b->count = 2;
    b->known = true;
    b->size[0] = b->size[1] = tfp_site_int(site, TFP_KEY_block_size, 0);
    return b->size[0] > 0 && read_margins(site, 1, b);
}

/* A dim that must divide evenly; false when it does not. */
static bool divide(int64_t *dim, int64_t by)
{
    if (*dim < 0)
        return true;
    if (*dim % by != 0)
        return false;
    *dim /= by;
    return true;
}

static int64_t less(int64_t dim, int64_t by)
{
    if (by == 0)
        return dim;
    return dim < 0 || by < 0 || by > dim ? TFP_DIM_UNKNOWN : dim - by;
}

static bool cut_dim(const blocks *b, int i, bool to_batch, int64_t *dim)
{
    int64_t before, after;
    if (!b->known || !b->has_edges) {
        *dim = TFP_DIM_UNKNOWN;
        return true;
    }
    before = b->edges.at[2 * i];
    after = b->edges.at[2 * i + 1];
    if (to_batch) {
        *dim = tfp_dim_add(tfp_dim_add(*dim, before), after);
        return divide(dim, b->size[i]);
    }
    *dim = less(less(tfp_dim_mul(*dim, b->size[i]), before), after);
    return true;
}

/* A dim before the blocks becomes unknown when nothing else is said. */
static void move_space(tfp_site *site, const blocks *b, tfp_form form,
                       bool to_batch)
{
    if (form.rank < 0 || form.rank < b->count + 1)
        return;
    for (int i = 0; i < b->count; i++) {
        if (!b->known)
            form.at[0] = TFP_DIM_UNKNOWN;
        else if (to_batch)
            form.at[0] = form.at[0] < 0 ? TFP_DIM_UNKNOWN
                                        : tfp_dim_mul(form.at[0], b->size[i]);
        else if (!divide(&form.at[0], b->size[i]))
            return;
        if (!cut_dim(b, i, to_batch, &form.at[i + 1]))
            return;
    }
    tfp_site_put_form(site, 0, &form);
}

static void move_space_nd(tfp_site *site, bool to_batch)
{
    blocks b;
    tfp_form form;
    tfp_form_input(site, 0, &form);
    if (read_blocks(site, &b))
        move_space(site, &b, form, to_batch);
}

static void move_space_2d(tfp_site *site, bool to_batch)
{
    blocks b;
    tfp_form form;
    if (tfp_form_input_of(site, 0, 4, &form) && read_block_size(site, &b))
        move_space(site, &b, form, to_batch);
}

static void infer_space_to_batch_nd(tfp_site *site)
{
    move_space_nd(site, true);
}

static void infer_space_to_batch(tfp_site *site)
{
    move_space_2d(site, true);
}

static void infer_batch_to_space_nd(tfp_site *site)
{
    move_space_nd(site, false);
}

static void infer_batch_to_space(tfp_site *site)
{
    move_space_2d(site, false);
}

/* ---- Depth -------------------------------------------------------------- */

/* Where a layout has height (width is next to it) and depth, and its rank. The
 * one of rank 5 has depth in fours. */
static int read_layout(const tfp_site *site, int *height, int *depth)
{
    tfp_span format = tfp_site_string(site, TFP_KEY_data_format);
    bool packed = tfp_span_equal(format, tfp_span_of("NCHW_VECT_C"));
    bool first = packed || tfp_span_equal(format, tfp_span_of("NCHW"));
    *height = first ? 2 : 1;
    *depth = first ? 1 : 3;
    return packed ? 5 : 4;
}

static void infer_space_to_depth(tfp_site *site)
{
    tfp_form form;
    int height, depth, rank = read_layout(site, &height, &depth);
    int64_t block = tfp_site_int(site, TFP_KEY_block_size, 0);
    if (!tfp_form_input_of(site, 0, rank, &form) || block < 1 ||
        !divide(&form.at[height], block) ||
        !divide(&form.at[height + 1], block))
        return;
    form.at[depth] = tfp_dim_mul(tfp_dim_mul(form.at[depth], block), block);
    if (rank == 5)
        form.at[4] = 4;
    tfp_site_put_form(site, 0, &form);
}

static void infer_depth_to_space(tfp_site *site)
{
    tfp_form form;
    int height, depth, rank = read_layout(site, &height, &depth);
    int64_t block = tfp_site_int(site, TFP_KEY_block_size, 0);
    if (!tfp_form_input_of(site, 0, rank, &form) || block < 1 ||
        block > INT32_MAX || !divide(&form.at[depth], block * block))
        return;
    form.at[height] = tfp_dim_mul(form.at[height], block);
    form.at[height + 1] = tfp_dim_mul(form.at[height + 1], block);
    if (rank == 5)
        form.at[4] = 4;
    tfp_site_put_form(site, 0, &form);
}

const tfp_op tfp_ops_space[] = {
    /* name, outputs, shapes */
    { "BatchToSpace", "output", infer_batch_to_space, .formula = "free" },
    { "BatchToSpaceND", "output", infer_batch_to_space_nd, .formula = "free" },
    { "DepthToSpace", "output", infer_depth_to_space, .formula = "free" },
    { "SpaceToBatch", "output", infer_space_to_batch, .formula = "free" },
    { "SpaceToBatchND", "output", infer_space_to_batch_nd, .formula = "free" },
    { "SpaceToDepth", "output", infer_space_to_depth, .formula = "free" },
    { 0 },
};
