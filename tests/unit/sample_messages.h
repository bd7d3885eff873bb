/*
 * sample_messages.h - one small message of every kind that is read.
 *
 * Together they hold every leaf record and every shape of it that the readers
 * have code for.
 */
#ifndef TFP_TESTS_SAMPLE_MESSAGES_H
#define TFP_TESTS_SAMPLE_MESSAGES_H

#include "wire_build.h"

/* A map entry "key" -> message, left open at its value. */
static inline void sample_entry(wire_bytes *b, uint32_t field, const char *key,
                                size_t at[2])
{
    at[0] = wire_open(b, field);
    wire_text(b, 1, key);
    at[1] = wire_open(b, 2);
}

static inline void sample_entry_end(wire_bytes *b, const size_t at[2])
{
    wire_close(b, at[1]);
    wire_close(b, at[0]);
}

static inline void sample_shape(wire_bytes *b, uint32_t field, int64_t rows,
                                int64_t columns)
{
    size_t shape = wire_open(b, field), dim = wire_open(b, 2);
    wire_int(b, 1, rows);
    wire_close(b, dim);
    dim = wire_open(b, 2);
    wire_int(b, 1, columns);
    wire_close(b, dim);
    wire_close(b, shape);
}

/* The attribute of that name, for one output. */
static inline void sample_output_shapes(wire_bytes *b, uint32_t field,
                                        int64_t rows, int64_t columns)
{
    size_t at[2], list;
    sample_entry(b, field, "_output_shapes", at);
    list = wire_open(b, 1);
    sample_shape(b, 7, rows, columns);
    wire_close(b, list);
    sample_entry_end(b, at);
}

/* Every member of AttrValue, one attribute each. */
static inline void sample_attrs(wire_bytes *b, uint32_t field)
{
    size_t at[2], list, part;
    sample_entry(b, field, "T", at);
    wire_int(b, 6, 1);
    sample_entry_end(b, at);
    sample_entry(b, field, "N", at);
    wire_int(b, 3, -5);
    sample_entry_end(b, at);
    sample_entry(b, field, "padding", at);
    wire_text(b, 2, "SAME");
    sample_entry_end(b, at);
    sample_entry(b, field, "alpha", at);
    wire_float(b, 4, 0.5f);
    sample_entry_end(b, at);
    sample_entry(b, field, "keep", at);
    wire_int(b, 5, 1);
    sample_entry_end(b, at);
    sample_entry(b, field, "shape", at);
    sample_shape(b, 7, 2, -1);
    sample_entry_end(b, at);
    sample_entry(b, field, "value", at);
    part = wire_open(b, 8);
    wire_int(b, 1, 3); /* DT_INT32 */
    sample_shape(b, 2, 1, 2);
    wire_field(b, 7, "\x07\x08", 2);
    wire_close(b, part);
    sample_entry_end(b, at);
    sample_entry(b, field, "later", at);
    wire_text(b, 9, "holder");
    sample_entry_end(b, at);
    sample_entry(b, field, "f", at);
    part = wire_open(b, 10);
    wire_text(b, 1, "body");
    wire_close(b, part);
    sample_entry_end(b, at);
    sample_entry(b, field, "strides", at);
    list = wire_open(b, 1);
    wire_field(b, 3, "\x01\x02\x02\x01", 4);
    wire_close(b, list);
    sample_entry_end(b, at);
    sample_output_shapes(b, field, 4, 8);
    sample_entry(b, field, "_class", at);
    list = wire_open(b, 1);
    wire_text(b, 2, "loc:@x");
    wire_close(b, list);
    sample_entry_end(b, at);
}

static inline void sample_node(wire_bytes *b, uint32_t field, const char *name,
                               const char *op, const char *input)
{
    size_t node = wire_open(b, field);
    wire_text(b, 1, name);
    wire_text(b, 2, op);
    if (input)
        wire_text(b, 3, input);
    wire_text(b, 4, "/device:CPU:0");
    wire_close(b, node);
}

/* An entry "key" -> "value" of a map. */
static inline void sample_map_text(wire_bytes *b, uint32_t field,
                                   const char *key, const char *value)
{
    size_t entry = wire_open(b, field);
    wire_text(b, 1, key);
    wire_text(b, 2, value);
    wire_close(b, entry);
}

/* What a resource argument of a function holds. */
static inline void sample_handle_data(wire_bytes *b, int64_t dtype,
                                      int64_t rows, int64_t columns)
{
    size_t data = wire_open(b, 7);
    wire_int(b, 1, dtype);
    sample_shape(b, 2, rows, columns);
    wire_close(b, data);
}

static inline void sample_graph(wire_bytes *b)
{
    size_t node, library, function, part;
    sample_node(b, 1, "x", "Placeholder", NULL);
    node = wire_open(b, 1);
    wire_text(b, 1, "y");
    wire_text(b, 2, "MatMul");
    wire_text(b, 3, "x:0");
    wire_text(b, 3, "^z");
    wire_text(b, 3, "gone:1");
    sample_attrs(b, 5);
    wire_close(b, node);
    sample_node(b, 1, "z", "NoOp", "y:2");
    sample_node(b, 1, "z", "NoOp", "y"); /* once more */
    library = wire_open(b, 2);
    function = wire_open(b, 1);
    part = wire_open(b, 1); /* OpDef */
    wire_text(b, 1, "body");
    node = wire_open(b, 2);
    wire_text(b, 1, "a");
    wire_int(b, 3, 1);
    wire_close(b, node);
    node = wire_open(b, 2);
    wire_text(b, 1, "held");
    wire_int(b, 3, 20); /* DT_RESOURCE */
    sample_handle_data(b, 1, 3, 5);
    wire_close(b, node);
    node = wire_open(b, 3);
    wire_text(b, 1, "out");
    wire_int(b, 3, 1);
    wire_close(b, node);
    wire_close(b, part);
    sample_node(b, 3, "r", "Relu", "a");
    sample_map_text(b, 4, "out", "r:activations:0");
    sample_map_text(b, 6, "r", "r");
    part = wire_open(b, 7);
    wire_int(b, 1, 0);
    node = wire_open(b, 2);
    sample_output_shapes(b, 1, 4, 8);
    wire_close(b, node);
    wire_close(b, part);
    wire_close(b, function);
    part = wire_open(b, 2);
    wire_text(b, 1, "body");
    wire_close(b, part);
    wire_close(b, library);
    wire_int(b, 3, 0);
    part = wire_open(b, 4);
    wire_int(b, 1, 1882);
    wire_int(b, 2, 12);
    wire_close(b, part);
    wire_int(b, 99, 1); /* a field of the future */
}

static inline void sample_meta_graph(wire_bytes *b)
{
    size_t part = wire_open(b, 1), at[2], signature[2], tensor[2];
    wire_text(b, 4, "serve");
    wire_text(b, 4, "gpu");
    wire_text(b, 5, "2.21.0");
    wire_text(b, 6, "v2.21.0-rc1");
    wire_close(b, part);
    part = wire_open(b, 2);
    sample_graph(b);
    wire_close(b, part);
    sample_entry(b, 4, "trainable_variables", at);
    part = wire_open(b, 2);
    wire_field(b, 1, "\x0a\x03w:0", 5);
    wire_close(b, part);
    sample_entry_end(b, at);
    sample_entry(b, 5, "serving_default", signature);
    sample_entry(b, 1, "images", tensor);
    wire_text(b, 1, "x:0");
    wire_int(b, 2, 1);
    sample_shape(b, 3, -1, 784);
    sample_entry_end(b, tensor);
    wire_text(b, 3, "tensorflow/serving/predict");
    sample_entry_end(b, signature);
    part = wire_open(b, 7);
    at[0] = wire_open(b, 1);
    at[1] = wire_open(b, 7); /* SavedVariable */
    wire_int(b, 1, 1);
    sample_shape(b, 2, 784, 10);
    wire_int(b, 3, 1);
    wire_text(b, 6, "dense/kernel");
    sample_entry_end(b, at);
    wire_close(b, part);
}

static inline void sample_saved_model(wire_bytes *b)
{
    size_t part;
    wire_int(b, 1, 1);
    part = wire_open(b, 2);
    sample_meta_graph(b);
    wire_close(b, part);
}

static inline void sample_exec(wire_bytes *b, const char *name, int64_t start)
{
    size_t exec = wire_open(b, 2), part, inner, deeper;
    wire_text(b, 1, name);
    wire_int(b, 2, start);
    wire_int(b, 3, 1);
    wire_int(b, 4, 40);
    wire_int(b, 5, 45);
    part = wire_open(b, 6);
    wire_text(b, 1, "GPU_0_bfc");
    wire_int(b, 2, 4096);
    wire_int(b, 3, 8192);
    wire_int(b, 4, 512);
    wire_int(b, 5, 70000);
    inner = wire_open(b, 6);
    wire_int(b, 1, start);
    wire_int(b, 2, 4096);
    wire_close(b, inner);
    wire_close(b, part);
    part = wire_open(b, 7);
    inner = wire_open(b, 3);
    wire_int(b, 1, 1);
    sample_shape(b, 2, 4, 8);
    deeper = wire_open(b, 4);
    wire_int(b, 1, 128);
    wire_int(b, 2, 256);
    wire_int(b, 6, INT64_MIN);
    wire_close(b, deeper);
    wire_close(b, inner);
    wire_close(b, part);
    wire_int(b, 9, start - 3);
    wire_int(b, 10, 7);
    part = wire_open(b, 12);
    wire_int(b, 1, 64);
    wire_int(b, 3, 32);
    wire_close(b, part);
    wire_close(b, exec);
}

static inline void sample_step_stats(wire_bytes *b)
{
    size_t device = wire_open(b, 1);
    wire_text(b, 1, "/device:CPU:0");
    sample_exec(b, "x", 1700000000000000);
    sample_exec(b, "y", 1700000000000100);
    wire_close(b, device);
    device = wire_open(b, 1);
    sample_exec(b, "y:MatMul", 1700000000000120);
    wire_text(b, 1, "/device:GPU:0/stream:all"); /* the name comes last */
    wire_close(b, device);
}

static inline void sample_run_metadata(wire_bytes *b)
{
    size_t part = wire_open(b, 1);
    sample_step_stats(b);
    wire_close(b, part);
    part = wire_open(b, 3); /* a partition graph, passed over */
    sample_node(b, 1, "x", "Placeholder", NULL);
    wire_close(b, part);
}

/* A RunMetadata with an accelerator that tells of its memory. */
static inline void sample_accelerated_run(wire_bytes *b)
{
    size_t part = wire_open(b, 1), device;
    sample_step_stats(b);
    device = wire_open(b, 1);
    wire_text(b, 1, "/device:GPU:0");
    sample_exec(b, "placed", 1700000000000000);
    sample_exec(b, "placed", 1700000000000200);
    sample_exec(b, "placed/too", 1700000000000400);
    wire_close(b, device);
    wire_close(b, part);
}

static inline void sample_trace(wire_bytes *b, uint32_t field)
{
    size_t code = wire_open(b, field);
    for (int64_t i = 1; i <= 2; i++) {
        size_t frame = wire_open(b, 1);
        wire_int(b, 2, 10 * i);
        wire_int(b, 6, i);
        wire_int(b, 7, i + 1);
        wire_int(b, 8, i + 2);
        wire_close(b, frame);
    }
    wire_close(b, code);
}

static inline void sample_strings(wire_bytes *b, uint32_t field)
{
    static const char *const strings[] = { "train.py", "main", "loss = f(x)" };
    for (int64_t i = 0; i < 3; i++) {
        size_t entry = wire_open(b, field);
        wire_int(b, 1, i + 1);
        wire_text(b, 2, strings[i]);
        wire_close(b, entry);
    }
}

static inline void sample_log(wire_bytes *b)
{
    size_t entry = wire_open(b, 1);
    wire_text(b, 1, "y");
    wire_int(b, 2, 512);
    wire_text(b, 3, "_trainable_variables");
    sample_trace(b, 4);
    wire_close(b, entry);
    sample_strings(b, 2);
}

static inline void sample_profile_run(wire_bytes *b)
{
    size_t at[2], part, run, entry = wire_open(b, 12);
    wire_int(b, 1, 3); /* the step */
    run = wire_open(b, 2);
    wire_int(b, 1, 2);
    wire_int(b, 2, 1700000000000000);
    wire_int(b, 3, 1700000000000050);
    sample_entry(b, 5, "/device:CPU:0", at);
    part = wire_open(b, 1);
    wire_field(b, 1, "\x05\x28", 2);
    wire_close(b, part);
    sample_entry_end(b, at);
    wire_text(b, 6, "/device:CPU:0");
    part = wire_open(b, 7);
    wire_int(b, 1, 1700000000000000);
    wire_int(b, 6, 4096);
    at[0] = wire_open(b, 11);
    wire_int(b, 1, 0);
    at[1] = wire_open(b, 2);
    wire_int(b, 1, 128);
    wire_int(b, 2, 77);
    sample_entry_end(b, at);
    wire_close(b, part);
    part = wire_open(b, 11);
    wire_int(b, 1, 1700000000000001);
    wire_int(b, 2, -64);
    wire_close(b, part);
    wire_close(b, run);
    wire_close(b, entry);
}

static inline void sample_profile(wire_bytes *b)
{
    for (int64_t key = 1; key <= 2; key++) {
        size_t entry = wire_open(b, 1), node, part;
        wire_int(b, 1, key);
        node = wire_open(b, 2);
        wire_text(b, 1, key == 1 ? "x" : "y");
        if (key == 2) {
            part = wire_open(b, 2);
            wire_int(b, 1, 0);
            wire_int(b, 2, 1);
            wire_close(b, part);
        }
        wire_field(b, 4, "\x04\x08", 2);
        wire_text(b, 5, "_trainable_variables");
        wire_text(b, 6, "/device:CPU:0");
        wire_int(b, 8, 512);
        wire_text(b, 9, "MatMul");
        sample_trace(b, 10);
        sample_attrs(b, 11);
        sample_profile_run(b);
        part = wire_open(b, 14);
        wire_int(b, 1, 1);
        wire_int(b, 2, 1);
        wire_close(b, part);
        part = wire_open(b, 15);
        wire_int(b, 1, 1);
        wire_field(b, 2, "\x0a\x02\x04\x08", 4);
        wire_close(b, part);
        wire_close(b, node);
        wire_close(b, entry);
    }
    wire_int(b, 2, 1);
    wire_field(b, 3, "\x03", 1);
    sample_strings(b, 4);
}

#endif
