/*
 * kinds.c - every kind of file that is known, and which one bytes are.
 *
 * Files with a magic number are told by it. Protobuf messages have none: the
 * beginning of the file is held against the field tables of each message
 * (fit.c), and the one it fits best is taken.
 */
#include "input/kind/kinds.h"

#include <string.h>

#include "input/table/table.h"

const char *const tfp_role_options[TFP_ROLE_COUNT] = {
    [TFP_ROLE_GRAPH] = "graph_path",
    [TFP_ROLE_RUN_META] = "run_meta_path",
    [TFP_ROLE_OP_LOG] = "op_log_path",
    [TFP_ROLE_CHECKPOINT] = "checkpoint_path",
    [TFP_ROLE_PROFILE] = "profile_path",
};

tfp_role tfp_role_of_option(const char *option)
{
    int role = TFP_ROLE_COUNT - 1;
    while (option && role > TFP_ROLE_ANY &&
           strcmp(tfp_role_options[role], option) != 0)
        role--;
    return option ? (tfp_role)role : TFP_ROLE_ANY;
}

#define NOT_READ "recognized, but not supported"
#define MESSAGE(kind, role, type)                                              \
    { TFP_FILE_##kind, TFP_ROLE_##role, true, &tfp_##type, NULL, NULL }
#define TABLE(kind)                                                            \
    { TFP_FILE_##kind, TFP_ROLE_CHECKPOINT, true, NULL, NULL, NULL }
#define UNREAD(kind, type, remark)                                             \
    { TFP_FILE_##kind, TFP_ROLE_ANY, false, type, remark, NULL }
#define INSTEAD(kind, type, advice)                                            \
    { TFP_FILE_##kind, TFP_ROLE_ANY, false, type, NOT_READ ": " advice, advice }

/* A program compiled by XLA is in each trace of it. */
#define TRACE_OF_XLA "give a trace of the program (*.xplane.pb)"
/* Names and values of arrays, without the operations that use them. */
#define VALUES_ALONE "it has only values; give a graph or a trace of the model"

/* Of messages that fit equally well the first one is taken. */
static const tfp_kind kinds[] = {
    MESSAGE(GRAPH, GRAPH, GraphDef),
    MESSAGE(SAVED_MODEL, GRAPH, SavedModel),
    MESSAGE(META_GRAPH, GRAPH, MetaGraphDef),
    MESSAGE(RUN_METADATA, RUN_META, RunMetadata),
    MESSAGE(OP_LOG, OP_LOG, OpLogProto),
    MESSAGE(PROFILE, PROFILE, ProfileProto),
    MESSAGE(STEP_STATS, RUN_META, StepStats),
    { TFP_FILE_XSPACE, TFP_ROLE_ANY, true, &tfp_XSpace, NULL, NULL },
    INSTEAD(PPROF, &tfp_PprofProfile,
            "open it with pprof, or give a trace of the program"),
    INSTEAD(HLO, &tfp_HloProto, TRACE_OF_XLA),
    INSTEAD(KERAS_METADATA, &tfp_KerasMetadata,
            "give saved_model.pb in the same directory"),
    INSTEAD(ONNX, &tfp_OnnxModel,
            "give the SavedModel or GraphDef that it was made from"),
    /* The rest is known by other marks than how well it fits. */
    MESSAGE(CHECKPOINT_STATE, CHECKPOINT, CheckpointState),
    TABLE(CHECKPOINT),
    TABLE(CHECKPOINT_V1),
    { TFP_FILE_CHECKPOINT_DATA, TFP_ROLE_CHECKPOINT, false, NULL,
      "checkpoint data: give the matching .index file",
      "give the matching .index file" },
    INSTEAD(TFLITE, NULL,
            "give the SavedModel or GraphDef that it was made from"),
    INSTEAD(HDF5, NULL,
            "load the Keras model in it, call model.export(DIR) and give DIR"),
    INSTEAD(KERAS, NULL,
            "load it in Keras, call model.export(DIR) and give DIR"),
    INSTEAD(ZIP, NULL, "unpack it and give the files in it"),
    INSTEAD(PYTORCH, NULL, VALUES_ALONE),
    INSTEAD(SAFETENSORS, NULL, VALUES_ALONE),
    INSTEAD(ORBAX, NULL, VALUES_ALONE),
    INSTEAD(EVENTS, NULL,
            "record a trace of some steps (tf.profiler or jax.profiler)"),
    INSTEAD(HLO_TEXT, NULL, TRACE_OF_XLA),
    INSTEAD(HLO_SNAPSHOT, NULL, TRACE_OF_XLA),
    INSTEAD(CHROME_TRACE, NULL,
            "give the trace (*.xplane.pb) that it was made from"),
    UNREAD(JSON, NULL, "not a supported file type"),
    UNREAD(NESTED_GZIP, NULL, "compressed twice; decompress it once first"),
    UNREAD(UNKNOWN, NULL, "not a supported file type"),
    UNREAD(EMPTY, NULL, "the file is empty"),
    UNREAD(
        SPECIAL, NULL,
        "pipe, device or socket: only regular files are read from a directory"),
};

/* The first FITTED rows are protobuf messages, recognized by tfp_fit. */
enum { FITTED = 12, KINDS = sizeof(kinds) / sizeof(kinds[0]) };
_Static_assert((int)KINDS == (int)TFP_FILE_KIND_COUNT, "each kind has a row");

const tfp_kind *tfp_kind_of(tfp_file_kind kind)
{
    const tfp_kind *row = kinds;
    while (row->kind != kind)
        row++;
    return row;
}

void tfp_kind_note(tfp_input *input, const tfp_kind *kind)
{
    input->kind = kind->kind;
    input->remark = kind->remark;
    input->is_read = kind->is_read;
}

bool tfp_kind_is_foreign(tfp_file_kind kind)
{
    return kind == TFP_FILE_UNKNOWN || kind == TFP_FILE_EMPTY ||
           kind == TFP_FILE_SPECIAL || kind == TFP_FILE_JSON;
}

const tfp_kind *tfp_kind_of_role(tfp_role role)
{
    for (size_t i = 0; role != TFP_ROLE_ANY && i < FITTED; i++) {
        if (kinds[i].role == role)
            return &kinds[i];
    }
    return NULL;
}

/* ---- Magic numbers ------------------------------------------------------ */

static bool has_at(tfp_span bytes, size_t at, const char *magic, size_t size)
{
    return bytes.size >= at + size && !memcmp(bytes.data + at, magic, size);
}

static bool contains(tfp_span bytes, const char *text, size_t within)
{
    if (bytes.size > within)
        bytes.size = within;
    return tfp_span_find(bytes, text) != NULL;
}

/* "model.ckpt-1.data-00000-of-00002": raw tensors have no other mark. */
static bool is_shard_name(const char *path)
{
    const char *data = path ? strstr(path, ".data-") : NULL;
    return data && strstr(data, "-of-");
}

static bool is_named(const tfp_probe *p, const char *ending)
{
    return p->path && tfp_span_ends(tfp_span_of(p->path), ending);
}

/* Any program may write a zip archive, so its members or its name tell. */
static bool is_keras_archive(const tfp_probe *p)
{
    return contains(p->head, "metadata.json", 4096) ||
           contains(p->head, "model.weights.h5", 65536) ||
           (contains(p->head, "config.json", 4096) && is_named(p, ".keras"));
}

/* torch.save() writes an archive, and wrote pickles before. */
static bool is_pytorch(tfp_span head)
{
    static const char magic[] = "\x80\x02\x8a\x0al\xfc\x9c\x46\xf9";
    return has_at(head, 0, magic, sizeof(magic) - 1) ||
           (has_at(head, 0, "PK\x03\x04", 4) &&
            contains(head, "/data.pkl", 4096));
}

/* A length of eight bytes, and JSON of that length. */
static bool is_safetensors(const tfp_probe *p)
{
    return p->head.size > 10 && has_at(p->head, 5, "\0\0\0{\"", 5) &&
           contains(p->head, "\"data_offsets\"", 65536);
}

static bool is_called(const tfp_probe *p, const char *name)
{
    const char *slash = p->path ? strrchr(p->path, '/') : NULL;
    return p->path && !strcmp(slash ? slash + 1 : p->path, name);
}

/* A directory of files: some are JSON, one is the manifest of a database. */
static bool is_orbax(const tfp_probe *p)
{
    return has_at(p->head, 0, "\x0c\xdb\x3a\x2a", 4) ||
           (has_at(p->head, 0, "{", 1) &&
            (is_called(p, "_CHECKPOINT_METADATA") ||
             is_called(p, "_METADATA")));
}

/* TFP_FILE_UNKNOWN when there is none. */
static tfp_file_kind magic_kind(const tfp_probe *p)
{
    tfp_span head = p->head;
    if (has_at(head, 0, "\x1f\x8b\x08", 3))
        return TFP_FILE_NESTED_GZIP;
    if (has_at(head, 4, "TFL3", 4))
        return TFP_FILE_TFLITE;
    if (has_at(head, 0, "\x89HDF\r\n\x1a\n", 8))
        return TFP_FILE_HDF5;
    if (is_pytorch(head))
        return TFP_FILE_PYTORCH;
    if (is_safetensors(p))
        return TFP_FILE_SAFETENSORS;
    if (is_orbax(p))
        return TFP_FILE_ORBAX;
    if (has_at(head, 0, "PK\x03\x04", 4))
        return is_keras_archive(p) ? TFP_FILE_KERAS : TFP_FILE_ZIP;
    if (contains((tfp_span){ head.data, head.size < 64 ? head.size : 64 },
                 "brain.Event:", 64))
        return TFP_FILE_EVENTS;
    /* A table ends with its magic number. The first entry has an empty key;
     * in V1 its value is a SavedTensorSlices, else the header of a bundle,
     * possibly packed by Snappy. */
    if (tfp_table_recognises(p->tail))
        return has_at(head, 0, "\0\0", 2) &&
                       !contains(head, "\x1a\x02\x08\x01", 16)
                   ? TFP_FILE_CHECKPOINT_V1
                   : TFP_FILE_CHECKPOINT;
    if (has_at(head, 0, "\0\0", 2) && has_at(head, 3, "\x08", 1) &&
        contains(head, "\x1a\x02\x08\x01", 16))
        return TFP_FILE_CHECKPOINT;
    return TFP_FILE_UNKNOWN;
}

/* ---- Text --------------------------------------------------------------- */

static bool looks_like_text(tfp_span head)
{
    size_t end = head.size < 512 ? head.size : 512;
    bool printable = false;
    if (has_at(head, 0, "\xff\xfe", 2) || has_at(head, 0, "\xfe\xff", 2))
        return true; /* UTF-16: the text scanner says what to do */
    for (size_t i = 0; i < end; i++) {
        uint8_t c = head.data[i];
        if (c < 0x20 && !(c >= '\t' && c <= '\r'))
            return false;
        printable |= c > 0x20;
    }
    return printable;
}

/* The events may stand behind long metadata, whose keys are known too. */
static bool is_chrome_trace(tfp_span head)
{
    return contains(head, "\"traceEvents\"", 65536) ||
           contains(head, "\"displayTimeUnit\"", 4096) ||
           (tfp_span_starts(head, "[{") && contains(head, "\"ph\"", 4096) &&
            contains(head, "\"ts\"", 4096)); /* a list of events alone */
}

static tfp_file_kind text_kind(tfp_span head)
{
    if (tfp_span_starts(head, "HloModule"))
        return TFP_FILE_HLO_TEXT;
    if (tfp_span_starts(head, "model_checkpoint_path"))
        return TFP_FILE_CHECKPOINT_STATE;
    if (tfp_span_starts(head, "{") || tfp_span_starts(head, "[{"))
        return is_chrome_trace(head) ? TFP_FILE_CHROME_TRACE : TFP_FILE_JSON;
    if (contains(head, "hlo_module", 4096))
        return TFP_FILE_HLO_SNAPSHOT;
    return TFP_FILE_UNKNOWN;
}

/* ---- The best fit ------------------------------------------------------- */

/* A word in the path that speaks for a kind; used when bytes do not decide,
 * as for the two bytes of a RunMetadata without records. */
static bool name_suggests(const tfp_kind *kind, const char *path)
{
    if (!path)
        return false;
    if (kind->kind == TFP_FILE_RUN_METADATA)
        return strstr(path, "run_meta") != NULL;
    if (kind->kind == TFP_FILE_OP_LOG)
        return strstr(path, "log") != NULL;
    if (kind->kind == TFP_FILE_PROFILE)
        return strstr(path, "profile") != NULL;
    if (kind->kind == TFP_FILE_META_GRAPH)
        return strstr(path, ".meta") != NULL;
    if (kind->kind == TFP_FILE_XSPACE)
        return strstr(path, ".xplane.pb") != NULL;
    return false;
}

static tfp_fit fit_of(const tfp_kind *kind, const tfp_probe *p, bool is_text)
{
    return is_text ? tfp_fit_text(kind->message, p->head)
                   : tfp_fit_wire(kind->message, p->head, !p->is_complete);
}

static bool is_better(const tfp_kind *kind, tfp_fit fit, const tfp_kind *best,
                      tfp_fit best_fit, const char *path)
{
    /* Hits for each miss: a damaged file misses here and there, while a kind
     * that it is not may break off after one miss. */
    int64_t score = (int64_t)fit.hits * (best_fit.misses + 1);
    int64_t best_score = (int64_t)best_fit.hits * (fit.misses + 1);
    if (score != best_score)
        return score > best_score;
    if (fit.hits != best_fit.hits)
        return fit.hits > best_fit.hits;
    if (fit.unknown != best_fit.unknown)
        return fit.unknown < best_fit.unknown;
    if (fit.doubts != best_fit.doubts)
        return fit.doubts < best_fit.doubts;
    return name_suggests(kind, path) && !name_suggests(best, path);
}

/* Every field is known, and at most names are odd. */
static bool is_sound(tfp_fit fit)
{
    return fit.hits > 0 && fit.misses == fit.odd && fit.unknown == 0;
}

/* Can the bytes be such a message? A damaged file can, if most of its fields
 * fit. A file of a newer version adds a few fields to those that are known; in
 * bytes that are another message, or none, most field numbers are unknown. */
static bool is_likely(tfp_fit fit)
{
    return fit.hits > 2 * fit.misses + fit.unknown;
}

/* Is `kind` a better match than `best`? If the user gave a role, a kind whose
 * only misses are odd names precedes a kind with unknown fields. A kind that
 * the bytes cannot be is last, however few misses its few fields have. */
static bool goes_before(const tfp_kind *kind, tfp_fit fit, const tfp_kind *best,
                        tfp_fit best_fit, tfp_role role, const char *path)
{
    if (role != TFP_ROLE_ANY && is_sound(fit) != is_sound(best_fit))
        return is_sound(fit);
    if (is_likely(fit) != is_likely(best_fit))
        return is_likely(fit);
    return is_better(kind, fit, best, best_fit, path);
}

/* The best fit among the kinds of `role`, or among all. */
static const tfp_kind *best_kind(const tfp_probe *p, bool is_text,
                                 tfp_role role, tfp_fit *best_fit)
{
    const tfp_kind *best = NULL;
    *best_fit = (tfp_fit){ 0 };
    for (size_t i = 0; i < FITTED; i++) {
        const tfp_kind *kind = &kinds[i];
        tfp_fit fit;
        if (role != TFP_ROLE_ANY && kind->role != role)
            continue;
        fit = fit_of(kind, p, is_text);
        if (!best || goes_before(kind, fit, best, *best_fit, role, p->path)) {
            best = kind;
            *best_fit = fit;
        }
    }
    return best;
}

const tfp_kind *tfp_probe_kind_of(const tfp_probe *p, bool is_text,
                                  tfp_role role)
{
    tfp_fit fit;
    return best_kind(p, is_text, role, &fit);
}

bool tfp_probe_is_another(const tfp_probe *p, bool is_text,
                          const tfp_kind *wanted, const tfp_kind *found)
{
    tfp_fit fit = fit_of(wanted, p, is_text), other;
    if (found->kind == TFP_FILE_UNKNOWN)
        return false;
    if (fit.misses + fit.unknown > 0 && found->is_read && found->message) {
        other = fit_of(found, p, is_text);
        if (other.misses + other.unknown == 0)
            return true;
    }
    return !is_sound(fit) && !is_likely(fit);
}

const tfp_kind *tfp_probe_kind(const tfp_probe *p, bool *is_text)
{
    tfp_file_kind marked = TFP_FILE_EMPTY;
    const tfp_kind *best;
    tfp_fit fit;
    *is_text = false;
    if (p->head.size > 0)
        marked = magic_kind(p);
    if (marked == TFP_FILE_UNKNOWN) {
        *is_text = looks_like_text(p->head);
        marked = *is_text ? text_kind(p->head) : TFP_FILE_UNKNOWN;
    }
    if (marked != TFP_FILE_UNKNOWN)
        return tfp_kind_of(marked);
    best = best_kind(p, *is_text, TFP_ROLE_ANY, &fit);
    if (is_likely(fit))
        return best;
    *is_text = *is_text && fit.hits > 0;
    if (!*is_text) { /* a long name first, and bytes look like text */
        best = best_kind(p, false, TFP_ROLE_ANY, &fit);
        if (is_likely(fit))
            return best;
    }
    if (is_shard_name(p->path))
        return tfp_kind_of(TFP_FILE_CHECKPOINT_DATA);
    /* An ONNX file may have too few known fields to be recognized by them. */
    return tfp_kind_of(is_named(p, ".onnx") ? TFP_FILE_ONNX : TFP_FILE_UNKNOWN);
}
