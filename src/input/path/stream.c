/*
 * stream.c - one stream of bytes into the model: unpack, recognize, walk.
 */
#include <string.h>

#include "base/cancel.h"
#include "base/gzip.h"
#include "base/intern.h"
#include "input/checkpoint/checkpoint_file.h"
#include "input/kind/input.h"
#include "input/kind/kinds.h"
#include "input/load/load.h"
#include "input/path/paths.h"
#include "model/file_kinds.h"
#include "model/inputs.h"
#include "model/model.h"
#include "model/steps.h"
#include "proto/walk.h"
#include "trace/space.h"
#include "trace/trace.h"

/* Enough of the beginning to recognize it by. */
enum { PROBE_BYTES = 64 << 10 };

typedef struct stream_state {
    tfp_input_context *context;
    const tfp_input_request *request;
    const tfp_input_stream *stream;
    tfp_reader packed;   /* over the source */
    tfp_reader unpacked; /* over `gzip`, when the input is packed */
    tfp_gzip *gzip;
    tfp_reader *reader; /* the one of the two to read from */
    int64_t counted;    /* bytes read, decompressed */
    int64_t charged;    /* bytes that context->bytes_read includes */
    tfp_state state;
} stream_state;

static tfp_input *this_input(tfp_input_context *context)
{
    return &context->model->inputs.data[context->model->inputs.count - 1];
}

bool tfp_input_begin(tfp_input_context *context, const char *path,
                     const char *member)
{
    tfp_model *model = context->model;
    tfp_input input = {
        .path = tfp_model_string(model, tfp_span_of(path)),
        .member = member ? tfp_model_string(model, tfp_span_of(member)) : 0,
        .kind = TFP_FILE_UNKNOWN,
        .size = -1
    };
    return input.path != TFP_NO_ID && input.member != TFP_NO_ID &&
           TFP_VEC_PUSH(model->memory, &model->inputs, input);
}

int tfp_input_failed(tfp_input_context *context, int status,
                     const tfprof_error *why)
{
    tfp_input *input = this_input(context);
    input->status = status;
    input->why = *why;
    return status;
}

/* The rule of memory: what may be held grows with what has been read. */
void tfp_input_set_limit(tfp_input_context *context)
{
    tfp_memory *memory = context->model->memory;
    if (context->max_memory > 0)
        memory->limit = (size_t)context->max_memory;
    else
        memory->limit = (size_t)TFP_MEMORY_BASE +
                        (size_t)TFP_MEMORY_PER_BYTE *
                            (size_t)context->bytes_read;
}

static int ask(stream_state *s)
{
    const tfp_input_context *context = s->context;
    if (!context->progress)
        return 0;
    return context->progress(
        context->progress_self, s->request->path,
        s->gzip ? tfp_reader_offset(&s->packed) : s->counted, s->stream->size);
}

static int on_read(void *self, int64_t bytes_read)
{
    stream_state *s = self;
    int64_t charged = bytes_read;
    if (s->gzip) {
        int64_t most = tfp_mul_sat(s->packed.offset + (int64_t)s->packed.end,
                                   TFP_MEMORY_EXPANSION);
        charged = bytes_read < most ? bytes_read : most;
    }
    s->context->bytes_read += charged - s->charged;
    s->charged = charged;
    s->counted = bytes_read;
    tfp_input_set_limit(s->context);
    return ask(s);
}

/* Nothing may come for a long time, and a signal be the wish to end it. */
static int on_interrupt(void *self, int64_t bytes_read)
{
    (void)bytes_read;
    return ask(self);
}

static int open_readers(stream_state *s, tfprof_error *err)
{
    tfp_input_context *context = s->context;
    tfp_memory *memory = context->model->memory;
    tfp_reader_init(&s->packed, memory, s->stream->source, context->max_input);
    s->packed.interrupted = on_interrupt;
    s->packed.progress_self = s;
    s->reader = &s->packed;
    (void)tfp_reader_need(&s->packed, 3);
    if (s->packed.status == TFPROF_OK &&
        tfp_gzip_recognises(tfp_reader_view(&s->packed))) {
        s->gzip = tfp_gzip_new(memory, tfp_source_reader(&s->packed));
        if (!s->gzip)
            return tfp_fail_nomem(err);
        tfp_reader_init(&s->unpacked, memory, tfp_source_gzip(s->gzip),
                        context->max_input);
        s->reader = &s->unpacked;
        this_input(context)->is_gzip = true;
    }
    s->reader->progress = on_read;
    s->reader->progress_self = s;
    /* What was read before the hook was set counts as well. */
    if (on_read(s, s->reader->offset + (int64_t)s->reader->end) != 0)
        return tfp_fail(err, TFPROF_ERR_CANCELLED, -1, "canceled");
    return TFPROF_OK;
}

/* Values of a checkpoint, whatever they were given as. */
static int refuse_shard(const stream_state *s, tfprof_error *err)
{
    const char *member = s->stream->member;
    const char *name = member ? member : s->request->path;
    return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                    "file type is checkpoint data; give the matching index: "
                    "--checkpoint_path %s%s%.*s.index",
                    member ? s->request->path : "", member ? "/" : "",
                    (int)(strstr(name, ".data-") - name), name);
}

static int refuse_other_kind(const stream_state *s, const char *wanted,
                             const tfp_kind *found, tfprof_error *err)
{
    const char *option = tfp_role_options[found->role];
    if (found->kind == TFP_FILE_CHECKPOINT_DATA)
        return refuse_shard(s, err);
    if (found->kind == TFP_FILE_XSPACE)
        return tfp_fail(
            err, TFPROF_ERR_MALFORMED, -1,
            "file type is %s (a trace), not %s; give this file without an "
            "option",
            tfp_file_kind_name(found->kind), wanted);
    if (!found->is_read && found->advice)
        return tfp_fail(err, TFPROF_ERR_UNSUPPORTED, -1,
                        "file type is %s, not %s; %s",
                        tfp_file_kind_name(found->kind), wanted, found->advice);
    return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                    "file type is %s, not %s%s%s",
                    tfp_file_kind_name(found->kind), wanted,
                    option ? "; give it as --" : "", option ? option : "");
}

static int refuse_empty(tfprof_error *err)
{
    return tfp_fail(err, TFPROF_ERR_MALFORMED, -1, "the file is empty");
}

/* What was given as a checkpoint and is none. */
static int check_checkpoint(const stream_state *s, const tfp_kind *found,
                            tfprof_error *err)
{
    switch (found->kind) {
    case TFP_FILE_CHECKPOINT:
    case TFP_FILE_CHECKPOINT_V1:
    case TFP_FILE_CHECKPOINT_STATE: return TFPROF_OK;
    case TFP_FILE_EMPTY: return refuse_empty(err);
    case TFP_FILE_UNKNOWN:
        return tfp_fail(
            err, TFPROF_ERR_MALFORMED, -1,
            "not a checkpoint, or truncated: the table footer is missing");
    default: return refuse_other_kind(s, "checkpoint", found, err);
    }
}

/* The beginning of the input, and what else is known of it. */
static int look(stream_state *s, tfp_probe *probe, tfprof_error *err)
{
    tfp_reader *reader = s->reader;
    bool full = tfp_reader_need(reader, PROBE_BYTES);
    if (reader->status != TFPROF_OK && reader->end == reader->at) {
        *err = reader->why;
        return reader->status;
    }
    *probe = (tfp_probe){ .head = tfp_reader_view(reader),
                          .is_complete = !full && reader->status == TFPROF_OK,
                          .tail = s->stream->tail,
                          .path = s->stream->member ? s->stream->member
                                                    : s->request->path };
    if (probe->head.size > PROBE_BYTES) {
        probe->head.size = PROBE_BYTES;
        probe->is_complete = false;
    }
    return TFPROF_OK;
}

static const tfp_kind *recognise(const stream_state *s, const tfp_probe *probe,
                                 bool *is_text)
{
    const tfp_kind *found = tfp_probe_kind(probe, is_text);
    /* A damaged trace is known by its name, so that the damage can be told. */
    if (found->kind == TFP_FILE_UNKNOWN && tfp_is_trace_name(probe->path))
        return tfp_kind_of(TFP_FILE_XSPACE);
    /* Where the end cannot be looked at beforehand, a table is taken at its
     * word; the footer tells. */
    if (found->kind == TFP_FILE_UNKNOWN &&
        s->request->role == TFP_ROLE_CHECKPOINT &&
        (s->gzip || probe->tail.size == 0))
        return tfp_kind_of(TFP_FILE_CHECKPOINT);
    return found;
}

/* What a file that was given as a message is read as: *found, or a kind of the
 * role that was named, unless the bytes clearly contradict it. An empty file is
 * an empty message. */
static int heed_role(const stream_state *s, const tfp_probe *probe,
                     const tfp_kind **found, tfprof_error *err)
{
    tfp_input *input = this_input(s->context);
    tfp_role role = s->request->role;
    const tfp_kind *wanted = tfp_probe_kind_of(probe, input->is_text, role);
    if ((*found)->role == role && (*found)->is_read)
        return TFPROF_OK;
    if ((*found)->kind != TFP_FILE_EMPTY &&
        tfp_probe_is_another(probe, input->is_text, wanted, *found)) {
        input->is_read = false;
        return refuse_other_kind(
            s, tfp_file_kind_name(tfp_kind_of_role(role)->kind), *found, err);
    }
    *found = wanted;
    tfp_kind_note(input, wanted);
    return TFPROF_OK;
}

/* A file that was given and is nothing; in a directory such ones are listed. */
static int refuse_nothing(const tfp_kind *found, tfprof_error *err)
{
    if (found->kind == TFP_FILE_EMPTY)
        return refuse_empty(err);
    if (found->kind == TFP_FILE_UNKNOWN)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "unknown file type; if you know the type, use "
                        "--graph_path, --run_meta_path, --op_log_path, "
                        "--checkpoint_path or --profile_path");
    return TFPROF_OK;
}

/* Decides what the input is read as. *kind stays NULL when it is not read. */
static int choose_kind(stream_state *s, const tfp_kind **kind,
                       tfprof_error *err)
{
    tfp_input *input = this_input(s->context);
    const tfp_kind *found;
    tfp_probe probe;
    int status = look(s, &probe, err);
    *kind = NULL;
    if (status != TFPROF_OK)
        return status;
    found = recognise(s, &probe, &input->is_text);
    tfp_kind_note(input, found);
    if (s->request->role == TFP_ROLE_CHECKPOINT)
        status = check_checkpoint(s, found, err);
    if (status != TFPROF_OK) {
        input->is_read = false;
        return status;
    }
    if (s->context->take_space && found->kind != TFP_FILE_XSPACE &&
        found->kind != TFP_FILE_EMPTY) {
        input->is_read = false;
        return TFPROF_OK;
    }
    if (!found->message && found->is_read && s->request->passed_over) {
        input->is_read = false;
        input->remark = s->request->passed_over;
        return TFPROF_OK;
    }
    if (s->request->role != TFP_ROLE_ANY &&
        s->request->role != TFP_ROLE_CHECKPOINT)
        status = heed_role(s, &probe, &found, err);
    if (status == TFPROF_OK &&
        (!s->stream->member || tfp_is_trace_name(probe.path))) {
        status = refuse_nothing(found, err);
        input->is_left_out = status != TFPROF_OK && s->stream->member;
    }
    if (status == TFPROF_OK && found->is_read)
        *kind = found;
    return status;
}

/* The step number of a run record: the one that the user gave, or the next free
 * one. Numbers below next_step are never freed, so all searches together take
 * linear time. */
static int64_t number_of_step(tfp_input_context *context,
                              const tfp_input_request *request)
{
    if (request->has_step)
        return request->step;
    while (tfp_model_has_step(context->model, context->next_step))
        context->next_step++;
    return context->next_step;
}

/* Fields that were passed over. */
static int note_unknown(stream_state *s, const tfp_walk *walk, int status,
                        tfprof_error *err)
{
    tfp_input *input = this_input(s->context);
    tfp_string name = 0;
    input->counts.unknown_fields = walk->unknown.count;
    if (walk->unknown.count > 0 && status != TFPROF_ERR_NOMEM)
        name = tfp_model_string(s->context->model,
                                tfp_span_of(walk->unknown.name));
    if (name == TFP_NO_ID)
        return tfp_fail_nomem(err);
    input->unknown_name = name;
    return status;
}

static int walk(stream_state *s, const tfp_kind *kind, tfprof_error *err)
{
    tfp_input_context *context = s->context;
    tfp_input *input = this_input(context);
    tfp_load load;
    tfp_walk walk = { .reader = s->reader,
                      .max_depth = context->max_depth,
                      .counts_all = context->counts_unknown,
                      .known_size = s->gzip ? -1 : s->stream->size };
    int status = TFPROF_OK, finished;
    if (!tfp_load_init(&load, context->model,
                       number_of_step(context, s->request)))
        status = tfp_fail_nomem(err);
    load.keeps_log = s->request->is_beside_traces;
    walk.visitor = tfp_load_visitor(&load);
    if (status == TFPROF_OK)
        status = input->is_text ? tfp_walk_text(&walk, kind->message, err)
                                : tfp_walk_wire(&walk, kind->message, err);
    /* After a damaged record the model holds the complete records before it and
     * can be finished. After running out of memory it may be inconsistent. */
    finished = status == TFPROF_ERR_NOMEM ? status
                                          : tfp_load_finish(&load, err);
    s->state.is_found = kind->kind == TFP_FILE_CHECKPOINT_STATE;
    s->state.latest = load.latest;
    if (finished != TFPROF_OK)
        status = finished;
    if (status == TFPROF_OK || (context->salvage && !tfp_stops_all(status))) {
        finished = tfp_load_add_log(&load, status == TFPROF_OK ? err : NULL);
        if (finished != TFPROF_OK)
            status = tfp_fail_nomem(err);
    }
    status = note_unknown(s, &walk, status, err);
    tfp_load_release(&load);
    return status;
}

static int cancel_asked(void *self)
{
    return ask(self);
}

/* The planes of a trace. */
static int walk_planes(stream_state *s, tfp_space *space, tfprof_error *err)
{
    tfp_input_context *context = s->context;
    tfp_input *input = this_input(context);
    tfp_walk walk = { .reader = s->reader,
                      .max_depth = context->max_depth,
                      .counts_all = context->counts_unknown,
                      .known_size = s->gzip ? -1 : s->stream->size };
    int status;
    /* A trace is read twice, since names follow what they name. */
    space->store = s->gzip || input->is_text ? NULL : s->stream->store;
    space->reader = s->reader;
    walk.visitor = tfp_space_visitor(space);
    status = input->is_text ? tfp_walk_text(&walk, &tfp_XSpace, err)
                            : tfp_walk_wire(&walk, &tfp_XSpace, err);
    return note_unknown(s, &walk, status, err);
}

static int read_trace(stream_state *s, tfprof_error *err)
{
    tfp_input_context *context = s->context;
    tfp_cancel cancel = { cancel_asked, s };
    tfp_space space;
    tfp_trace_request request = {
        .space = &space,
        .model = context->model,
        .input = context->model->inputs.count - 1,
        .next_step = number_of_step(context, s->request),
        .has_other_hosts = s->request->has_other_hosts,
        .has_known_hosts = s->request->has_known_hosts,
        .is_again = context->is_again,
        .shift = context->shift,
        .max_depth = context->max_depth,
        .keeps_damaged = context->salvage,
        .folds_transforms = context->fold_transforms,
        .reads_frames = context->reads_frames,
        .step_names = context->step_names,
        .taker = context->taker,
        .cancel = &cancel,
    };
    int status, loaded;
    tfp_space_init(&space, context->model->memory);
    status = walk_planes(s, &space, err);
    request.leaves_events = context->is_for_info &&
                            tfp_reader_offset(s->reader) > TFP_INFO_EVENTS;
    if (context->take_space) {
        if (status == TFPROF_OK)
            status = context->take_space(context->space_self, &space, &cancel,
                                         err);
        tfp_space_release(&space);
        return status;
    }
    /* Damage leaves the planes before it, if they are wanted. */
    if (status == TFPROF_OK || (context->salvage && !tfp_stops_all(status))) {
        loaded = tfp_trace_load(&request, status == TFPROF_OK ? err : NULL);
        if (status == TFPROF_OK)
            status = loaded;
        else if (loaded == TFPROF_ERR_NOMEM)
            status = tfp_fail_nomem(err);
    }
    tfp_space_release(&space);
    /* Nothing of it is in the model. */
    if (status != TFPROF_OK && !context->salvage && !tfp_stops_all(status))
        this_input(context)->is_left_out = s->stream->member != NULL;
    return status;
}

/* Time range of the steps that the input named. */
static void note_times(tfp_input_context *context)
{
    tfp_input *input = this_input(context);
    for (size_t i = 0; i < input->steps.count; i++) {
        uint32_t known = tfp_model_step(context->model, input->steps.data[i]);
        const tfp_step *step;
        if (known == TFP_NO_ID)
            continue;
        step = &context->model->steps.data[known];
        if (step->first_start == 0)
            continue;
        if (input->first_start == 0 || step->first_start < input->first_start)
            input->first_start = step->first_start;
        if (step->last_end > input->last_end)
            input->last_end = step->last_end;
    }
}

static bool is_deferred(const stream_state *s, const tfp_kind *kind)
{
    uint32_t defers = s->context->defers;
    if (!kind || !s->stream->store || !strcmp(s->request->path, "-"))
        return false;
    switch (kind->kind) {
    case TFP_FILE_RUN_METADATA:
    case TFP_FILE_STEP_STATS:
    case TFP_FILE_PROFILE: return defers & TFP_DEFER_RUNS;
    case TFP_FILE_XSPACE: return defers & TFP_DEFER_TRACES;
    default: return false;
    }
}

static int read_stream(stream_state *s, tfprof_error *err)
{
    const tfp_kind *kind = NULL;
    int status = open_readers(s, err);
    if (status == TFPROF_OK)
        status = choose_kind(s, &kind, err);
    if (status == TFPROF_OK && is_deferred(s, kind)) {
        this_input(s->context)->is_deferred = true;
        return TFPROF_OK;
    }
    if (status == TFPROF_OK && kind && !kind->message) {
        tfp_table_file file = { s->context, s->request,      s->stream,
                                s->reader,  s->gzip != NULL, &s->counted };
        status = tfp_read_table_file(&file, err);
    } else if (status == TFPROF_OK && kind && kind->kind == TFP_FILE_XSPACE) {
        status = read_trace(s, err);
    } else if (status == TFPROF_OK && kind) {
        status = walk(s, kind, err);
        note_times(s->context);
    }
    if (status != TFPROF_OK && s->request->is_beside_traces &&
        !s->context->salvage && !tfp_stops_all(status))
        this_input(s->context)->is_left_out = true;
    /* A read error takes precedence over the verdict on the bytes before it: a
     * truncated file may look damaged, or like another kind. */
    if (s->reader->status != TFPROF_OK &&
        (status == TFPROF_ERR_MALFORMED || !kind)) {
        *err = s->reader->why;
        status = s->reader->status;
    }
    return status;
}

/* Memory that ran out because of the limit is a limit's error. */
static int explain_nomem(const tfp_memory *memory, int status,
                         tfprof_error *err)
{
    if (status != TFPROF_ERR_NOMEM || !memory->limit_reached)
        return status;
    return tfp_fail(
        err, TFPROF_ERR_LIMIT, -1,
        "needs more memory than the limit of %lld bytes (see --max_memory)",
        (long long)memory->limit);
}

int tfp_input_add_stream(tfp_input_context *context,
                         const tfp_input_request *request,
                         const tfp_input_stream *stream, tfprof_error *err)
{
    stream_state s = { .context = context,
                       .request = request,
                       .stream = stream };
    tfprof_error why = { 0 };
    tfp_memory *memory = context->model->memory;
    tfp_input *input;
    int status;
    tfp_input_set_limit(context);
    memory->limit_reached = false;
    if (!tfp_input_begin(context, request->path, stream->member))
        return explain_nomem(memory, tfp_fail_nomem(err), err);
    input = this_input(context);
    input->size = stream->size;
    input->is_file = stream->is_file;
    input->is_numbered = request->has_step;
    input->number = request->step;
    input->device = stream->device;
    input->inode = stream->inode;
    status = read_stream(&s, &why);
    if (request->state)
        *request->state = s.state;
    if (status == TFPROF_OK && s.state.is_found && !stream->store)
        status = tfp_fail(&why, TFPROF_ERR_MISSING, -1,
                          "names a checkpoint in the same directory, but a "
                          "pipe has no directory (give the path of the file)");
    input = this_input(context);
    input->partial |= status != TFPROF_OK && status != TFPROF_ERR_NOMEM &&
                      context->salvage && input->is_read;
    status = explain_nomem(memory, status, &why);
    input->bytes_read = s.counted;
    input->has_trailing_bytes = s.gzip && tfp_gzip_has_trailing_bytes(s.gzip);
    tfp_reader_release(&s.packed);
    if (s.gzip)
        tfp_reader_release(&s.unpacked);
    tfp_gzip_free(s.gzip);
    if (status == TFPROF_OK)
        return TFPROF_OK;
    tfp_input_failed(context, status, &why);
    if (err)
        *err = why;
    return status;
}
