/*
 * target.c - what the fuzz targets share: a file read as one given message.
 */
#include "target.h"

#include <string.h>

#include "input/load/load.h"
#include "model/model.h"
#include "proto/walk.h"

enum { MOST_DEPTH = 100 }; /* as the program has it by default */

/* clang-format off */
#define BOTH(kind, message) \
    { "wire_" #kind, &message, false }, { "text_" #kind, &message, true }
const fuzz_format fuzz_formats[] = {
    BOTH(graph,        tfp_GraphDef),
    BOTH(meta_graph,   tfp_MetaGraphDef),
    BOTH(saved_model,  tfp_SavedModel),
    BOTH(run_metadata, tfp_RunMetadata),
    BOTH(step_stats,   tfp_StepStats),
    BOTH(op_log,       tfp_OpLogProto),
    BOTH(profile,      tfp_ProfileProto),
};
/* clang-format on */
#undef BOTH
const size_t fuzz_format_count = sizeof(fuzz_formats) / sizeof(fuzz_formats[0]);

const fuzz_format *fuzz_format_named(const char *name)
{
    for (size_t i = 0; i < fuzz_format_count; i++) {
        if (!strcmp(fuzz_formats[i].name, name))
            return &fuzz_formats[i];
    }
    fprintf(stderr, "no format is called %s\n", name);
    exit(2);
}

tfp_memory fuzz_memory(void)
{
    tfp_memory memory;
    tfp_memory_init(&memory, NULL, NULL);
    memory.limit = FUZZ_MOST_MEMORY;
    return memory;
}

/* The reader's window is kept: getting a megabyte with every file would be
 * most of the time. */
static void *spare_window;

void *fuzz_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    enum { WINDOW = 1 << 20 }; /* of the reader */
    size_t *held = context;
    void *moved = NULL;
    if (new_size == WINDOW && !block && spare_window) {
        moved = spare_window;
        spare_window = NULL;
    } else if (new_size > 0) {
        moved = realloc(block, new_size);
        FUZZ_CHECK(moved);
    } else if (old_size == WINDOW && !spare_window) {
        spare_window = block;
    } else {
        free(block);
    }
    *held += new_size - old_size;
    return moved;
}

/* ---- Reading ------------------------------------------------------------ */

static ptrdiff_t read_piece(void *self, void *buffer, size_t size,
                            tfprof_error *err)
{
    fuzz_pieces *p = self;
    return tfp_source_span(&p->left).read(
        &p->left, buffer, size < p->piece ? size : p->piece, err);
}

tfp_source fuzz_source_pieces(fuzz_pieces *pieces)
{
    return (tfp_source){ read_piece, pieces };
}

/* The reader's own window is 1 MiB, which is slow to get and hides what is
 * read past the end of the data. This one is the first piece. */
static bool open_window(tfp_reader *r, fuzz_pieces *pieces)
{
    size_t size = pieces->piece;
    r->window = tfp_memory_alloc(r->memory, size);
    if (!r->window)
        return false;
    r->capacity = size;
    r->end = (size_t)read_piece(pieces, r->window, size, NULL);
    r->ended = pieces->left.size == 0;
    return true;
}

static int walk(const fuzz_format *format, tfp_reader *reader, tfp_model *model,
                tfprof_error *err)
{
    tfp_load load;
    tfp_walk walk = { .reader = reader,
                      .max_depth = MOST_DEPTH,
                      .known_size = -1 };
    int status, finished;
    if (!tfp_load_init(&load, model, 0)) {
        tfp_load_release(&load);
        return tfp_fail_nomem(err);
    }
    walk.visitor = tfp_load_visitor(&load);
    status = format->is_text ? tfp_walk_text(&walk, format->root, err)
                             : tfp_walk_wire(&walk, format->root, err);
    /* As input/path/stream.c has it: without the memory to finish there is no
     * telling what was done, whatever the walk said. */
    finished = status == TFPROF_ERR_NOMEM ? status
                                          : tfp_load_finish(&load, err);
    if (finished != TFPROF_OK)
        status = finished;
    model->inputs.data[0].counts.unknown_fields = walk.unknown.count;
    tfp_load_release(&load);
    return status;
}

fuzz_outcome fuzz_read(const fuzz_format *format, tfp_span data, size_t piece,
                       tfp_memory *memory)
{
    size_t before = memory->held;
    fuzz_outcome out = { .status = TFPROF_ERR_NOMEM };
    fuzz_pieces pieces = { data, piece ? piece : data.size + !data.size };
    tfp_reader reader;
    tfp_model model;
    tfp_reader_init(&reader, memory, fuzz_source_pieces(&pieces),
                    FUZZ_MOST_MEMORY);
    if (tfp_model_init(&model, memory) &&
        TFP_VEC_PUSH(memory, &model.inputs, (tfp_input){ .size = -1 }) &&
        open_window(&reader, &pieces)) {
        out.status = walk(format, &reader, &model, &out.err);
        out.counts = model.inputs.data[0].counts;
        out.ignored = model.inputs.data[0].ignored;
    }
    tfp_model_release(&model);
    tfp_reader_release(&reader);
    FUZZ_CHECK(memory->held == before);
    return out;
}

void fuzz_check_same(const fuzz_outcome *a, const fuzz_outcome *b)
{
    FUZZ_CHECK(a->status == b->status);
    FUZZ_CHECK(a->err.offset == b->err.offset);
    FUZZ_CHECK(a->err.line == b->err.line);
    FUZZ_CHECK(a->err.column == b->err.column);
    FUZZ_CHECK(!memcmp(&a->counts, &b->counts, sizeof(a->counts)));
    FUZZ_CHECK(!memcmp(&a->ignored, &b->ignored, sizeof(a->ignored)));
}

uint8_t *fuzz_copy(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    FUZZ_CHECK(copy);
    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

uint32_t fuzz_draw(uint32_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 17;
    *random ^= *random << 5;
    return *random;
}
