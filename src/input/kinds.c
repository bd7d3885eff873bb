/*
 * kinds.c - every kind of file that is known, and which one bytes are.
 *
 * Files with a magic number are told by it. Protobuf messages have none: the
 * beginning of the file is held against the field tables of each message
 * (fit.c), and the one it fits best is taken.
 */
#include "input/kinds.h"

#include <string.h>

#include "input/table.h"

const tfp_kind tfp_kind_graph = { "GraphDef", &tfp_GraphDef, true, "graph_path",
                                  NULL };
const tfp_kind tfp_kind_run_metadata = { "RunMetadata", &tfp_RunMetadata, true,
                                         "run_meta_path", NULL };
const tfp_kind tfp_kind_op_log = { "OpLogProto", &tfp_OpLogProto, true,
                                   "op_log_path", NULL };
const tfp_kind tfp_kind_profile = { "ProfileProto", &tfp_ProfileProto, true,
                                    "profile_path", NULL };
const tfp_kind tfp_kind_checkpoint = { "checkpoint index", NULL, true,
                                       "checkpoint_path", NULL };
const tfp_kind tfp_kind_checkpoint_v1 = { "checkpoint (V1)", NULL, true,
                                          "checkpoint_path", NULL };
const tfp_kind tfp_kind_state = { "checkpoint state", &tfp_CheckpointState,
                                  true, "checkpoint_path", NULL };
const tfp_kind tfp_kind_shard = {
    "checkpoint data", NULL, false, "checkpoint_path",
    "values of a checkpoint: give the .index file that goes with it"
};
const tfp_kind tfp_kind_unrecognised = { "unknown", NULL, false, NULL,
                                         "none of the kinds tfprof knows" };
const tfp_kind tfp_kind_empty = { "empty", NULL, false, NULL,
                                  "the file has no bytes" };
const tfp_kind tfp_kind_special = {
    "special file", NULL, false, NULL,
    "a pipe, a device or a socket: in a directory only regular files are read"
};
const tfp_kind tfp_kind_directory = { "directory", NULL, false, NULL,
                                      "nothing in it is known" };

static const tfp_kind meta_graph = { "MetaGraphDef", &tfp_MetaGraphDef, true,
                                     "graph_path", NULL };
static const tfp_kind saved_model = { "SavedModel", &tfp_SavedModel, true,
                                      "graph_path", NULL };
static const tfp_kind step_stats = { "StepStats", &tfp_StepStats, true,
                                     "run_meta_path", NULL };

#define NOT_READ "recognised, but not read yet"

static const tfp_kind xspace = { "XSpace", &tfp_XSpace, false, NULL,
                                 NOT_READ
                                 ": a profile of TensorFlow 2 or JAX" };
static const tfp_kind pprof = { "pprof profile", &tfp_PprofProfile, false, NULL,
                                NOT_READ ": open it with pprof" };
static const tfp_kind hlo = { "HloProto", &tfp_HloProto, false, NULL,
                              NOT_READ ": a program compiled by XLA" };
static const tfp_kind keras_metadata = {
    "Keras metadata", &tfp_KerasMetadata, false, NULL,
    NOT_READ ": the graph is in saved_model.pb beside it"
};
static const tfp_kind onnx = { "ONNX model", &tfp_OnnxModel, false, NULL,
                               NOT_READ };
static const tfp_kind tflite = { "TFLite model", NULL, false, NULL, NOT_READ };
static const tfp_kind hdf5 = { "HDF5 file", NULL, false, NULL,
                               NOT_READ ": older Keras models are such files" };
static const tfp_kind keras = { "Keras archive", NULL, false, NULL,
                                NOT_READ ": save the model as a SavedModel" };
static const tfp_kind zip = { "zip archive", NULL, false, NULL, NOT_READ };
static const tfp_kind events = { "event file", NULL, false, NULL,
                                 NOT_READ ": written for TensorBoard" };
static const tfp_kind hlo_text = { "HLO text", NULL, false, NULL,
                                   NOT_READ ": a program compiled by XLA" };
static const tfp_kind hlo_snapshot = { "HLO snapshot text", NULL, false, NULL,
                                       NOT_READ };
static const tfp_kind json = { "JSON text", NULL, false, NULL,
                               "not a file that TensorFlow profiles with" };
static const tfp_kind nested_gzip = {
    "gzip inside gzip", NULL, false, NULL,
    "one layer is unpacked; unpack the other one first"
};

/* In the order in which a tie is decided. */
static const tfp_kind *const messages[] = {
    &tfp_kind_graph,  &saved_model,
    &meta_graph,      &tfp_kind_run_metadata,
    &tfp_kind_op_log, &tfp_kind_profile,
    &step_stats,      &xspace,
    &pprof,           &hlo,
    &keras_metadata,  &onnx,
};

enum { MESSAGES = sizeof(messages) / sizeof(messages[0]) };

bool tfp_kind_is_foreign(const char *name)
{
    return name == tfp_kind_unrecognised.name || name == tfp_kind_empty.name ||
           name == tfp_kind_special.name || name == json.name;
}

const tfp_kind *tfp_kind_of_option(const char *option)
{
    for (size_t i = 0; i < MESSAGES; i++) {
        if (messages[i]->option && !strcmp(messages[i]->option, option))
            return messages[i];
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

static const tfp_kind *magic_kind(const tfp_probe *p)
{
    tfp_span head = p->head;
    if (has_at(head, 0, "\x1f\x8b\x08", 3))
        return &nested_gzip;
    if (has_at(head, 4, "TFL3", 4))
        return &tflite;
    if (has_at(head, 0, "\x89HDF\r\n\x1a\n", 8))
        return &hdf5;
    if (has_at(head, 0, "PK\x03\x04", 4))
        return contains(head, "metadata.json", 4096) ||
                       contains(head, "model.weights.h5", 65536)
                   ? &keras
                   : &zip;
    if (contains((tfp_span){ head.data, head.size < 64 ? head.size : 64 },
                 "brain.Event:", 64))
        return &events;
    /* A table ends with its magic number. The first entry has an empty key;
     * in V1 its value is a SavedTensorSlices, else the header of a bundle,
     * possibly packed by Snappy. */
    if (tfp_table_recognises(p->tail))
        return has_at(head, 0, "\0\0", 2) &&
                       !contains(head, "\x1a\x02\x08\x01", 16)
                   ? &tfp_kind_checkpoint_v1
                   : &tfp_kind_checkpoint;
    if (has_at(head, 0, "\0\0", 2) && has_at(head, 3, "\x08", 1) &&
        contains(head, "\x1a\x02\x08\x01", 16))
        return &tfp_kind_checkpoint;
    return NULL;
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

static const tfp_kind *text_kind(tfp_span head)
{
    if (tfp_span_starts(head, "HloModule"))
        return &hlo_text;
    if (tfp_span_starts(head, "model_checkpoint_path"))
        return &tfp_kind_state;
    if (tfp_span_starts(head, "{") || tfp_span_starts(head, "[{"))
        return &json;
    if (contains(head, "hlo_module", 4096))
        return &hlo_snapshot;
    return NULL;
}

/* ---- The best fit ------------------------------------------------------- */

/* A word in the path that speaks for a kind; used when bytes do not decide,
 * as for the two bytes of a RunMetadata without records. */
static bool name_suggests(const tfp_kind *kind, const char *path)
{
    if (!path)
        return false;
    if (kind == &tfp_kind_run_metadata)
        return strstr(path, "run_meta") != NULL;
    if (kind == &tfp_kind_op_log)
        return strstr(path, "log") != NULL;
    if (kind == &tfp_kind_profile)
        return strstr(path, "profile") != NULL;
    if (kind == &meta_graph)
        return strstr(path, ".meta") != NULL;
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
    if (fit.doubts != best_fit.doubts)
        return fit.doubts < best_fit.doubts;
    return name_suggests(kind, path) && !name_suggests(best, path);
}

static bool is_sound(tfp_fit fit)
{
    return fit.hits > 0 && fit.misses == fit.odd;
}

/* Of the kinds that one option gives, one that only misses by odd names goes
 * before those that miss by their fields. */
static bool goes_before(const tfp_kind *kind, tfp_fit fit, const tfp_kind *best,
                        tfp_fit best_fit, const char *option, const char *path)
{
    if (option && is_sound(fit) != is_sound(best_fit))
        return is_sound(fit);
    return is_better(kind, fit, best, best_fit, path);
}

/* The best fit among the kinds that `option` gives, or among all. */
static const tfp_kind *best_kind(const tfp_probe *p, bool is_text,
                                 const char *option, tfp_fit *best_fit)
{
    const tfp_kind *best = NULL;
    *best_fit = (tfp_fit){ 0 };
    for (size_t i = 0; i < MESSAGES; i++) {
        const tfp_kind *kind = messages[i];
        tfp_fit fit;
        if (option && (!kind->option || strcmp(kind->option, option) != 0))
            continue;
        fit = fit_of(kind, p, is_text);
        if (!best || goes_before(kind, fit, best, *best_fit, option, p->path)) {
            best = kind;
            *best_fit = fit;
        }
    }
    return best;
}

const tfp_kind *tfp_probe_kind_of(const tfp_probe *p, bool is_text,
                                  const char *option)
{
    tfp_fit fit;
    return best_kind(p, is_text, option, &fit);
}

bool tfp_probe_is_another(const tfp_probe *p, bool is_text,
                          const tfp_kind *wanted, const tfp_kind *found)
{
    tfp_fit fit = fit_of(wanted, p, is_text);
    if (found == &tfp_kind_unrecognised)
        return false;
    if (fit.misses > 0 && found->is_read && found->message &&
        fit_of(found, p, is_text).misses == 0)
        return true;
    return !is_sound(fit) && fit.hits <= 2 * fit.misses;
}

const tfp_kind *tfp_probe_kind(const tfp_probe *p, bool *is_text)
{
    const tfp_kind *best;
    tfp_fit fit;
    *is_text = false;
    if (p->head.size == 0)
        return &tfp_kind_empty;
    if (magic_kind(p))
        return magic_kind(p);
    *is_text = looks_like_text(p->head);
    if (*is_text && text_kind(p->head))
        return text_kind(p->head);
    best = best_kind(p, *is_text, NULL, &fit);
    /* A damaged file is still known by most of what it holds. */
    if (fit.hits > 2 * fit.misses)
        return best;
    *is_text = *is_text && fit.hits > 0;
    if (!*is_text) { /* a long name first, and bytes look like text */
        best = best_kind(p, false, NULL, &fit);
        if (fit.hits > 2 * fit.misses)
            return best;
    }
    return is_shard_name(p->path) ? &tfp_kind_shard : &tfp_kind_unrecognised;
}
