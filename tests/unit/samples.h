/*
 * samples.h - the sample messages as files: binary, text, gzip, and the small
 * files of tests/data.
 */
#ifndef TFP_TESTS_SAMPLES_H
#define TFP_TESTS_SAMPLES_H

#include <dirent.h>
#include <zlib.h>

#include "proto/schema.h"
#include "sample_messages.h"
#include "sample_tables.h"

enum { SAMPLE_LARGEST = 4096, SAMPLE_MOST = 256 };

typedef struct sample {
    char name[280];
    const char *role;        /* NULL when the bytes must tell */
    const tfp_message *root; /* NULL of a file in tests/data */
    bool is_text;            /* root is in text form */
    wire_bytes bytes;
} sample;

/* ---- Text and gzip ------------------------------------------------------ */

static const char sample_graph_text[] =
    "# a graph\n"
    "node { name: \"x\" op: 'Placeholder' attr { key: \"dtype\" value { type: "
    "DT_FLOAT } } }\n"
    "node { name: \"y\" op: \"Const\" input: [ \"x:0\", \"^z\" ]\n"
    "  attr { key: \"value\" value { tensor { dtype: DT_FLOAT tensor_shape "
    "{ dim { size: 2 } } float_val: 1.5 float_val: -2e-3 } } }\n"
    "  attr { key: \"s\" value { list { s: \"a\\n\" 'b' shape { unknown_rank: "
    "true } } } } new_field: 7 }\n"
    "library { function { signature { name: \"f\" } } }\n"
    "versions < producer: 1882 >\n";

static inline void sample_gzip(wire_bytes *to, tfp_span from)
{
    z_stream z = { 0 };
    uint8_t out[4096];
    wire_bytes copy = { 0 }; /* next_in is not const */
    int result;
    wire_raw(&copy, from.data, from.size);
    assert_int_equal(
        deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = copy.data;
    z.avail_in = (uInt)copy.size;
    do {
        z.next_out = out;
        z.avail_out = sizeof(out);
        result = deflate(&z, Z_FINISH);
        wire_raw(to, out, sizeof(out) - z.avail_out);
    } while (result == Z_OK);
    assert_int_equal(result, Z_STREAM_END);
    deflateEnd(&z);
    wire_free(&copy);
}

/* ---- All of them -------------------------------------------------------- */

static inline sample *sample_add(sample *all, size_t *count, const char *name,
                                 const char *role, const tfp_message *root)
{
    sample *s = &all[(*count)++];
    assert_true(*count <= SAMPLE_MOST);
    *s = (sample){ .role = role, .root = root };
    snprintf(s->name, sizeof(s->name), "%s", name);
    return s;
}

/* The binary ones, one for each root message. */
static inline size_t samples_binary(sample *all)
{
    size_t n = 0;
    sample_graph(
        &sample_add(all, &n, "graph", "graph_path", &tfp_GraphDef)->bytes);
    sample_meta_graph(
        &sample_add(all, &n, "meta", "graph_path", &tfp_MetaGraphDef)->bytes);
    sample_saved_model(
        &sample_add(all, &n, "saved", "graph_path", &tfp_SavedModel)->bytes);
    sample_run_metadata(
        &sample_add(all, &n, "run_meta", "run_meta_path", &tfp_RunMetadata)
             ->bytes);
    sample_step_stats(
        &sample_add(all, &n, "step_stats", "run_meta_path", &tfp_StepStats)
             ->bytes);
    sample_log(
        &sample_add(all, &n, "log", "op_log_path", &tfp_OpLogProto)->bytes);
    sample_profile(
        &sample_add(all, &n, "profile", "profile_path", &tfp_ProfileProto)
             ->bytes);
    return n;
}

/* The files of a folder, none when it is not there. */
static inline size_t samples_of_folder(sample *all, size_t n,
                                       const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL && n < SAMPLE_MOST) {
        char path[1024];
        uint8_t bytes[SAMPLE_LARGEST + 1];
        size_t size;
        FILE *file;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        file = entry->d_name[0] == '.' ? NULL : fopen(path, "rb");
        if (!file)
            continue;
        size = fread(bytes, 1, sizeof(bytes), file);
        if (!ferror(file) && size > 0 && size <= SAMPLE_LARGEST)
            wire_raw(&sample_add(all, &n, entry->d_name, NULL, NULL)->bytes,
                     bytes, size);
        fclose(file);
    }
    if (dir)
        closedir(dir);
    return n;
}

/* Every sample: binary, text, gzip, and the small files of tests/data. */
static inline size_t samples_all(sample *all)
{
    size_t n = samples_binary(all);
    sample *s = sample_add(all, &n, "graph.pbtxt", "graph_path", &tfp_GraphDef);
    wire_raw(&s->bytes, sample_graph_text, strlen(sample_graph_text));
    s->is_text = true;
    s = sample_add(all, &n, "graph.gz", "graph_path", NULL);
    sample_gzip(&s->bytes, wire_span(&all[0].bytes));
    s = sample_add(all, &n, "run_meta.gz", "run_meta_path", NULL);
    sample_gzip(&s->bytes, wire_span(&all[3].bytes));
    s = sample_add(all, &n, "model.ckpt.index", "checkpoint_path", NULL);
    sample_bundle(&s->bytes);
    s = sample_add(all, &n, "model.v1.ckpt", "checkpoint_path", NULL);
    sample_slices(&s->bytes);
    return samples_of_folder(all, n, TFPROF_TEST_DATA);
}

static inline void samples_free(sample *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        wire_free(&all[i].bytes);
}

#endif
