/*
 * fuzz_session.c - up to eight files, options and questions in any order,
 * while allocations fail, callbacks cancel, writers fail and callbacks use
 * the profile that called them.
 *
 * The first bytes (head, below) say what goes wrong, then comes a script, then
 * the files: a byte for the role, two for the length, the bytes. A byte of the
 * script below 0x80 sets an option, any other adds a file or asks a question.
 *
 * Holds that an answer can be read by those it is meant for, that an error has
 * a code and a line that can be printed, that memory is called short only when
 * it was, that misuse is refused, that nothing is kept, and that a session in
 * which nothing goes wrong gives the same answers twice.
 */
#include <string.h>

#include <tfprof/arrow.h>
#include <tfprof/tfprof.h>

#include "asking.h"
#include "check_output.h"
#include "fuzz.h"
#include "target.h"

/* seeds/session_seeds.py writes the same. */
enum head {
    FLAGS,
    SCARCITY, /* one allocation in 2 + 4 times this fails */
    PATIENCE, /* a question is cancelled after up to 3 times this calls */
    ROOM,     /* a writer fails after up to this many calls */
    SEED,     /* four bytes */
    SCRIPT = 8,
    HEAD = 9,
    MOST_FILES = 8,
    MOST_HELD = 24 << 20,
    MOST_ANSWER = 8 << 20,
};

enum flags {
    FAIL_ALLOCATIONS = 1,
    CANCEL = 2,
    FAIL_WRITES = 4,
    MISUSE = 8,
    FAULTS = 15,
    ALSO_WITHOUT = 16, /* the same session again, without faults */
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef struct heap {
    uint32_t random; /* never 0 */
    uint32_t one_in; /* 0: none fails */
    size_t held;
    bool failed; /* at least once */
} heap;

typedef struct file {
    unsigned role;
    tfp_span data;
} file;

typedef struct session {
    tfprof_profile *profile;
    heap heap;
    uint32_t random; /* never 0 */
    unsigned faults;
    long writes_left; /* -1: no end to them */
    long asks_left;
    bool freed;         /* the profile, by a callback or a question */
    fuzz_answer answer; /* to the last question */
    fuzz_answer all;    /* one after the other */
    file files[MOST_FILES];
    size_t file_count;
} session;

/* ---- Callbacks ---------------------------------------------------------- */

static void *resize(void *context, void *block, size_t old_size,
                    size_t new_size)
{
    heap *h = context;
    void *moved = NULL;
    if (new_size > 0) {
        if ((h->one_in && fuzz_draw(&h->random) % h->one_in == 0) ||
            new_size > MOST_HELD - h->held + old_size) {
            h->failed = true;
            return NULL;
        }
        moved = realloc(block, new_size);
        FUZZ_CHECK(moved);
    } else {
        free(block);
    }
    h->held += new_size - old_size;
    return moved;
}

static void free_profile(session *s)
{
    if (!s->freed)
        tfprof_profile_free(s->profile);
    s->freed = true;
}

/* What a callback may not do is refused; what it may do, is done. */
static void misuse(session *s)
{
    tfprof_profile *p = s->profile;
    tfprof_view *view;
    tfprof_error err;
    char text[64];
    int refused = TFPROF_ERR_OPTION;
    if (!(s->faults & MISUSE))
        return;
    switch (fuzz_draw(&s->random) % 12) {
    case 0: refused = tfprof_profile_set(p, "max_depth", "3", &err); break;
    case 1:
        refused = tfprof_profile_add_memory(p, "x", "\n", 1, NULL, &err);
        break;
    case 2: refused = tfprof_profile_view(p, "scope", &view, &err); break;
    case 3: refused = tfprof_profile_reset(p, &err); break;
    case 4: (void)tfprof_profile_get(p, "select", text, sizeof(text)); break;
    case 5:
        (void)tfprof_profile_input_name(p, 0, text, sizeof(text));
        (void)tfprof_profile_input_status(p, 0, NULL, &err);
        break;
    case 6: refused = tfprof_profile_add_float_ops(p, 0, &err); break;
    case 7: tfprof_profile_restore_options(p); break;
    case 8: refused = tfprof_profile_write_flops(p, NULL, NULL, &err); break;
    case 9:
        if (fuzz_draw(&s->random) % 8 == 0)
            free_profile(s);
        break;
    case 10: refused = tfprof_profile_keep_options(p, &err); break;
    default:
        refused = tfprof_profile_complete_name(p, "", NULL, NULL, &err);
        break;
    }
    FUZZ_CHECK(refused == TFPROF_ERR_OPTION);
}

static int on_write(void *context, const void *data, size_t size)
{
    session *s = context;
    misuse(s);
    if (s->writes_left >= 0 && s->writes_left-- == 0)
        return 1;
    if (s->answer.size + size > MOST_ANSWER)
        return 1;
    return fuzz_keep(&s->answer, data, size);
}

static int on_cancel(void *context)
{
    session *s = context;
    misuse(s);
    return s->asks_left >= 0 && s->asks_left-- == 0;
}

static int on_progress(void *context, const char *path, int64_t bytes_read,
                       int64_t size)
{
    FUZZ_CHECK(path && bytes_read >= 0 && size >= -1);
    return on_cancel(context);
}

static void on_remark(void *context, const char *line)
{
    misuse(context);
    fuzz_check_line(NULL, line);
}

static int on_name(void *context, const char *name, size_t size)
{
    session *s = context;
    FUZZ_CHECK(name || size == 0);
    misuse(s);
    return fuzz_draw(&s->random) % 64 == 0;
}

/* ---- Options ------------------------------------------------------------ */

/* clang-format off */
static const struct { const char *name, *value; } settings[] = {
    { "max_depth", "1000000" }, { "max_depth", "0" }, { "max_depth", "3" },
    { "max_depth", "-2147483648" },
    { "min_bytes", "-9223372036854775808" }, { "min_params", "-1" },
    { "min_micros", "9223372036854775807" }, { "min_float_ops", "1" },
    { "min_occurrence", "2" },
    { "select", "auto" }, { "select", "float_ops" }, { "select", "micros" },
    { "select", "params,input_shapes" }, { "select", "tensor_value" },
    { "select", "micros,bytes,peak_bytes,residual_bytes,output_bytes,"
                "accelerator_micros,cpu_micros,params,float_ops,occurrence,"
                "device,op_types,input_shapes,tensor_value,num_hidden_ops" },
    { "order_by", "micros" }, { "order_by", "depth" },
    { "order_by", "params" },
    { "sort", "auto" }, { "sort", "float_ops" }, { "sort", "int_ops" },
    { "top", "2" }, { "top", "0" }, { "top", "-1" }, { "top", "2147483647" },
    { "format", "text" }, { "format", "json" }, { "format", "csv" },
    { "format", "proto" },
    { "step", "-1" }, { "step", "0" }, { "step", "3" },
    { "step", "9223372036854775807" }, { "step", "-9223372036854775807" },
    { "functions", "walk" }, { "functions", "none" }, { "functions", "auto" },
    { "formulas", "full" }, { "formulas", "tensorflow" },
    { "formulas", "none" }, { "formulas", "auto" },
    { "batch", "-1" }, { "batch", "0" }, { "batch", "4" },
    { "batch", "9223372036854775807" },
    { "list", "summary" }, { "list", "types" }, { "list", "layers" },
    { "list", "nodes" }, { "list", "tensors" }, { "list", "variables" },
    { "list", "uncounted" },
    { "depth", "-1" }, { "depth", "1" }, { "depth", "2147483647" },
    { "account_type_regexes", ".*" },
    { "account_type_regexes", "_trainable_variables,_checkpoint_variables" },
    { "account_displayed_op_only", "true" },
    { "account_displayed_op_only", "false" },
    { "show_name_regexes", ".*" }, { "show_name_regexes", ".*/.*" },
    { "hide_name_regexes", ".*a.*" }, { "start_name_regexes", "[^/]*" },
    { "trim_name_regexes", "s.*" }, { "device_regexes", ".*gpu.*" },
    { "output", "stdout" }, { "output", "none" },
    { "output", "timeline:outfile=/dev/null" },
    { "output", "pprof:outfile=/dev/null,labels=all,samples=all" },
    { "output", "pprof:outfile=/dev/null,places=lines" },
    { "output", "profile:outfile=/dev/null" },
    { "output", "file:outfile=/dev/null" },
    { "output", "stdout" }, { "output", "stdout" },
    { "width", "60" }, { "width", "0" }, { "width", "1" }, { "width", "-1" },
    { "color", "always" }, { "color", "never" },
    { "charset", "utf8" }, { "charset", "ascii" },
    { "checkers", "all" }, { "checkers", "ExpensiveOperationChecker" },
    { "salvage", "true" }, { "salvage", "false" }, { "verbose", "true" },
    { "max_depth_nesting", "250" }, { "max_input", "64G" },
    { "max_memory", "0" }, { "max_memory", "3M" },
    { "signature", "serving_default" },
    { "trips", "" }, { "trips", "w=5" }, { "shape", "" },
    { "shape", "x=2x3" }, { "formula_file", "" },
    { "own", "true" }, { "own", "false" }, { "own_regexes", ".*a.*" },
    { "own_regexes", "" },
    { "format", "table" }, { "format", "auto" },
    { "output", "folded:outfile=/dev/null" },
    { "output", "speedscope:outfile=/dev/null" },
    { "output", "parquet:outfile=/dev/null" }, { "label", "w=1" },
    { "step", "rest" },
};
/* clang-format on */

static bool option_is(const session *s, const char *name, const char *value)
{
    char text[64];
    (void)tfprof_profile_get(s->profile, name, text, sizeof(text));
    return !strncmp(text, value, strlen(value));
}

/* ---- Answers ------------------------------------------------------------ */

/* A status of any call, and whether it can be true. */
static int checked(const session *s, int status, const tfprof_error *err)
{
    FUZZ_CHECK(status <= TFPROF_OK);
    if (status == TFPROF_OK)
        return status;
    FUZZ_CHECK(status == (int)err->code);
    fuzz_check_line(NULL, err->message);
    FUZZ_CHECK(status != TFPROF_ERR_NOMEM || s->heap.failed);
    FUZZ_CHECK(status != TFPROF_ERR_CANCELLED || s->faults & CANCEL);
    return status;
}

typedef enum format { TEXT, JSON, CSV, PROTO } format;

static format format_now(const session *s)
{
    return option_is(s, "format", "json")    ? JSON
           : option_is(s, "format", "csv")   ? CSV
           : option_is(s, "format", "proto") ? PROTO
                                             : TEXT;
}

/* Colors, and the tabs of an op view between shapes, are not printable. */
static void check_answer(const session *s, format form, bool is_printable)
{
    tfp_span text = { s->answer.data, s->answer.size };
    if (text.size == 0)
        return;
    if (form == JSON)
        FUZZ_CHECK(fuzz_is_json(text));
    if (form == CSV)
        FUZZ_CHECK(fuzz_is_table(text));
    if (form == TEXT && is_printable)
        FUZZ_CHECK(fuzz_is_printable(text));
}

static void release_stream(struct ArrowArrayStream *stream)
{
    if (stream->release)
        stream->release(stream);
}

/* A column may be moved out of its array, and outlives it then. */
static void release_array(struct ArrowArray *array, bool moves)
{
    struct ArrowArray moved;
    if (!moves || array->n_children < 2) {
        array->release(array);
        return;
    }
    moved = *array->children[1];
    array->children[1]->release = NULL;
    array->release(array);
    moved.release(&moved);
}

/* Exports a view and releases the parts in some order. */
static void export(session *s, const tfprof_view *view)
{
    struct ArrowArrayStream stream = { 0 };
    struct ArrowSchema schema = { 0 };
    struct ArrowArray array = { 0 };
    tfprof_error err = { 0 };
    uint32_t order = fuzz_draw(&s->random);
    int has_schema, has_array;
    if (checked(s, tfprof_view_export_arrow(view, &stream, &err), &err) != 0)
        return;
    has_schema = stream.get_schema(&stream, &schema) == 0;
    has_array = stream.get_next(&stream, &array) == 0;
    if (order & 1)
        release_stream(&stream);
    if (has_array) {
        FUZZ_CHECK(array.length == (int64_t)tfprof_view_row_count(view));
        release_array(&array, order & 2);
    }
    if (has_schema)
        schema.release(&schema);
    if (!(order & 1))
        release_stream(&stream);
}

/* A view outlives its profile. */
static int keep_view(session *s, const char *type, tfprof_error *err)
{
    tfprof_view *view = NULL;
    int status = checked(s, tfprof_profile_view(s->profile, type, &view, err),
                         err);
    FUZZ_CHECK((status == TFPROF_OK) == (view != NULL));
    if (!view)
        return status;
    for (size_t i = 0; i < tfprof_view_row_count(view); i++) {
        tfprof_row row;
        FUZZ_CHECK(tfprof_view_row(view, i, &row) == TFPROF_OK);
        FUZZ_CHECK(row.end > i && row.end <= tfprof_view_row_count(view));
        FUZZ_CHECK(row.parent == TFPROF_NO_ROW || row.parent < i);
    }
    export(s, view);
    if (fuzz_draw(&s->random) % 8 == 0)
        free_profile(s);
    export(s, view);
    tfprof_view_free(view);
    return status;
}

static int keep_advice(session *s, tfprof_error *err)
{
    tfprof_advice *advice = NULL;
    tfprof_finding finding;
    int status = checked(s, tfprof_profile_advise(s->profile, &advice, err),
                         err);
    FUZZ_CHECK((status == TFPROF_OK) == (advice != NULL));
    for (size_t i = 0; i < tfprof_advice_count(advice); i++) {
        FUZZ_CHECK(tfprof_advice_at(advice, i, &finding) == TFPROF_OK);
        FUZZ_CHECK(finding.checker && finding.report.data);
    }
    tfprof_advice_free(advice);
    return status;
}

/* What was saved can be read, limits aside. */
static int save(session *s, tfprof_error *err)
{
    int status = tfprof_profile_write_profile(s->profile, on_write, s, err);
    tfprof_profile *other;
    int read;
    if (checked(s, status, err) != TFPROF_OK || s->answer.size == 0)
        return status;
    other = tfprof_profile_new();
    FUZZ_CHECK(other);
    read = tfprof_profile_add_memory(other, "own", s->answer.data,
                                     s->answer.size, "profile_path", err);
    FUZZ_CHECK(read == TFPROF_OK || read == TFPROF_ERR_LIMIT);
    tfprof_profile_free(other);
    return status;
}

/* ---- The script --------------------------------------------------------- */

static int add(session *s, size_t index, tfprof_error *err)
{
    static const char *const roles[] = {
        NULL,          "graph_path",   "run_meta_path",
        "op_log_path", "profile_path", "checkpoint_path"
    };
    const file *f;
    if (s->file_count == 0)
        return TFPROF_OK;
    f = &s->files[index % s->file_count];
    if (f->role & 0x80) {
        int64_t step = f->role & 0x40 ? INT64_MAX
                       : f->role & 32 ? -5
                                      : (int64_t)(f->role & 15);
        return tfprof_profile_add_step_memory(s->profile, step, "step",
                                              f->data.data, f->data.size, err);
    }
    return tfprof_profile_add_memory(s->profile, "input", f->data.data,
                                     f->data.size,
                                     roles[f->role % COUNT(roles)], err);
}

static int change_options(session *s, unsigned byte, tfprof_error *err)
{
    if (byte & 0x40)
        return tfprof_profile_keep_options(s->profile, err);
    if (!(byte & 0x20))
        return tfprof_profile_reset(s->profile, err);
    tfprof_profile_restore_options(s->profile);
    return TFPROF_OK;
}

static int write_view(session *s, const char *type, tfprof_error *err)
{
    format form = format_now(s);
    bool colored = option_is(s, "color", "always");
    int status = tfprof_profile_write_view(s->profile, type, on_write, s, err);
    if (status == TFPROF_OK)
        check_answer(s, form, !colored && strcmp(type, "op") != 0);
    return status;
}

static int ask(session *s, unsigned byte, tfprof_error *err)
{
    const char *type = tfprof_view_type(byte >> 4 & 3);
    tfprof_profile *p = s->profile;
    format form = format_now(s);
    bool colored = option_is(s, "color", "always");
    int status;
    switch (byte & 15) {
    case 4:
    case 5: return write_view(s, type, err);
    case 6: return keep_view(s, type, err);
    case 7: status = tfprof_profile_write_advice(p, on_write, s, err); break;
    case 8: return keep_advice(s, err);
    case 9: status = tfprof_profile_write_flops(p, on_write, s, err); break;
    case 10:
        status = tfprof_profile_write_summary(p, byte & 0x10 ? "a" : NULL,
                                              on_write, s, err);
        break;
    case 11: status = tfprof_profile_write_info(p, on_write, s, err); break;
    case 12: return save(s, err);
    case 13: return tfprof_profile_add_float_ops(p, byte >> 4 & 1, err);
    case 14:
        return tfprof_profile_complete_name(p, byte & 0x20 ? "" : "a/", on_name,
                                            s, err);
    case 15: return change_options(s, byte, err);
    default: return add(s, byte >> 4 & 7, err);
    }
    if (status == TFPROF_OK)
        check_answer(s, form, !colored);
    return status;
}

static void set_option(session *s, unsigned byte)
{
    size_t index = byte % COUNT(settings);
    tfprof_error err = { 0 };
    int status = checked(s,
                         tfprof_profile_set(s->profile, settings[index].name,
                                            settings[index].value, &err),
                         &err);
    FUZZ_CHECK(status == TFPROF_OK || s->heap.failed);
}

static void perform(session *s, const uint8_t *head, unsigned byte)
{
    tfprof_error err = { 0 };
    if (byte < 0x80) {
        set_option(s, byte);
        return;
    }
    s->answer.size = 0;
    if (s->faults & CANCEL)
        s->asks_left = (long)(fuzz_draw(&s->random) %
                              (1u + head[PATIENCE] * 3u));
    if (s->faults & FAIL_WRITES)
        s->writes_left = (long)(fuzz_draw(&s->random) % (1u + head[ROOM]));
    if (checked(s, ask(s, byte, &err), &err) == TFPROF_OK &&
        s->answer.size > 0 && !s->faults)
        (void)fuzz_keep(&s->all, s->answer.data, s->answer.size);
}

/* ---- A session ---------------------------------------------------------- */

static void find_files(session *s, tfp_span rest)
{
    while (rest.size >= 3 && s->file_count < MOST_FILES) {
        size_t size = rest.data[1] | (size_t)rest.data[2] << 8;
        size = size < rest.size - 3 ? size : rest.size - 3;
        s->files[s->file_count++] = (file){ rest.data[0],
                                            { rest.data + 3, size } };
        rest = (tfp_span){ rest.data + 3 + size, rest.size - 3 - size };
    }
}

/* All answers, to be freed; none are kept when something may go wrong. */
static fuzz_answer run(const uint8_t *bytes, size_t size, unsigned faults)
{
    size_t script = bytes[SCRIPT] < size - HEAD ? bytes[SCRIPT] : size - HEAD;
    session s = { .faults = faults, .writes_left = -1, .asks_left = -1 };
    uint32_t seed;
    memcpy(&seed, bytes + SEED, sizeof(seed));
    s.heap.random = seed ? seed : 1;
    s.heap.one_in = faults & FAIL_ALLOCATIONS ? 2 + bytes[SCARCITY] * 4u : 0;
    s.random = seed * 2654435761u | 1;
    find_files(&s, (tfp_span){ bytes + HEAD + script, size - HEAD - script });
    s.profile = tfprof_profile_new_with(resize, &s.heap);
    FUZZ_CHECK(s.profile || s.heap.failed);
    s.freed = !s.profile;
    tfprof_profile_on_cancel(s.profile, on_cancel, &s);
    tfprof_profile_on_progress(s.profile, on_progress, &s);
    tfprof_profile_on_remark(s.profile, on_remark, &s);
    for (size_t i = 0; i < script && !s.freed; i++)
        perform(&s, bytes, bytes[HEAD + i]);
    free_profile(&s);
    FUZZ_CHECK(s.heap.held == 0);
    free(s.answer.data);
    return s.all;
}

int fuzz_session(const uint8_t *bytes, size_t size)
{
    fuzz_answer first, again;
    if (size < HEAD)
        return 0;
    if (bytes[FLAGS] & FAULTS)
        free(run(bytes, size, bytes[FLAGS] & FAULTS).data);
    if (bytes[FLAGS] & FAULTS && !(bytes[FLAGS] & ALSO_WITHOUT))
        return 0;
    first = run(bytes, size, 0);
    again = run(bytes, size, 0);
    fuzz_check_again(&first, &again);
    free(first.data);
    return 0;
}
