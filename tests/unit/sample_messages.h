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
    wire_put(b, "%u{2{1:%jd} 2{1:%jd}}", field, rows, columns);
}

/* The attribute of that name, for one output. */
static inline void sample_output_shapes(wire_bytes *b, uint32_t field,
                                        int64_t rows, int64_t columns)
{
    wire_put(b, "%u{1'_output_shapes' 2{1{7{2{1:%jd} 2{1:%jd}}}}}", field, rows,
             columns);
}

/* Every member of AttrValue, one attribute each. */
static inline void sample_attrs(wire_bytes *b, uint32_t field)
{
    wire_put(b, "%u{1'T' 2{6:1}} %u{1'N' 2{3:-5}}", field, field);
    wire_put(b, "%u{1'padding' 2{2'SAME'}}", field);
    wire_put(b, "%u{1'alpha' 2{4=0000003f}}", field); /* 0.5 */
    wire_put(b, "%u{1'keep' 2{5:1}}", field);
    wire_put(b, "%u{1'shape' 2{7{2{1:2} 2{1:-1}}}}", field);
    wire_put(b, "%u{1'value' 2{8{1:3 2{2{1:1} 2{1:2}} 7x0708}}}", field);
    wire_put(b, "%u{1'later' 2{9'holder'}}", field);
    wire_put(b, "%u{1'f' 2{10{1'body'}}}", field);
    wire_put(b, "%u{1'strides' 2{1{3x01020201}}}", field);
    sample_output_shapes(b, field, 4, 8);
    wire_put(b, "%u{1'_class' 2{1{2'loc:@x'}}}", field);
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
    wire_put(b, "%u{1'%s' 2'%s'}", field, key, value);
}

/* What a resource argument of a function holds. */
static inline void sample_handle_data(wire_bytes *b, int64_t dtype,
                                      int64_t rows, int64_t columns)
{
    wire_put(b, "7{1:%jd 2{2{1:%jd} 2{1:%jd}}}", dtype, rows, columns);
}

static inline void sample_graph(wire_bytes *b)
{
    size_t node, library, function;
    sample_node(b, 1, "x", "Placeholder", NULL);
    node = wire_open(b, 1);
    wire_put(b, "1'y' 2'MatMul' 3'x:0' 3'^z' 3'gone:1'");
    sample_attrs(b, 5);
    wire_close(b, node);
    sample_node(b, 1, "z", "NoOp", "y:2");
    sample_node(b, 1, "z", "NoOp", "y"); /* once more */
    library = wire_open(b, 2);
    function = wire_open(b, 1);
    wire_put(b, "1{1'body' 2{1'a' 3:1} "                   /* OpDef */
                "2{1'held' 3:20 7{1:1 2{2{1:3} 2{1:5}}}} " /* DT_RESOURCE */
                "3{1'out' 3:1}}");
    sample_node(b, 3, "r", "Relu", "a");
    wire_put(b, "4{1'out' 2'r:activations:0'} 6{1'r' 2'r'}");
    wire_put(b, "7{1:0 2{1{1'_output_shapes' 2{1{7{2{1:4} 2{1:8}}}}}}}");
    wire_close(b, function);
    wire_put(b, "2{1'body'}");
    wire_close(b, library);
    wire_put(b, "3:0 4{1:1882 2:12}");
    wire_put(b, "99:1"); /* a field of the future */
}

static inline void sample_meta_graph(wire_bytes *b)
{
    size_t graph;
    wire_put(b, "1{4'serve' 4'gpu' 5'2.21.0' 6'v2.21.0-rc1'}");
    graph = wire_open(b, 2);
    sample_graph(b);
    wire_close(b, graph);
    wire_put(b, "4{1'trainable_variables' 2{2{1x0a03773a30}}}"); /* "w:0" */
    wire_put(b, "5{1'serving_default' "
                "2{1{1'images' 2{1'x:0' 2:1 3{2{1:-1} 2{1:784}}}} "
                "3'tensorflow/serving/predict'}}");
    wire_put(b, "7{1{7{" /* SavedVariable */
                "1:1 2{2{1:784} 2{1:10}} 3:1 6'dense/kernel'}}}");
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
    wire_put(b,
             "2{1'%s' 2:%jd 3:1 4:40 5:45 "
             "6{1'GPU_0_bfc' 2:4096 3:8192 4:512 5:70000 6{1:%jd 2:4096}} "
             "7{3{1:1 2{2{1:4} 2{1:8}} 4{1:128 2:256 6:%jd}}} "
             "9:%jd 10:7 12{1:64 3:32}}",
             name, start, start, INT64_MIN, start - 3);
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
    wire_put(b, "%u{1{2:10 6:1 7:2 8:3} 1{2:20 6:2 7:3 8:4}}", field);
}

static inline void sample_strings(wire_bytes *b, uint32_t field)
{
    wire_put(b, "%u{1:1 2'train.py'} %u{1:2 2'main'} %u{1:3 2'loss = f(x)'}",
             field, field, field);
}

static inline void sample_log(wire_bytes *b)
{
    size_t entry = wire_open(b, 1);
    wire_put(b, "1'y' 2:512 3'_trainable_variables'");
    sample_trace(b, 4);
    wire_close(b, entry);
    sample_strings(b, 2);
}

static inline void sample_profile_run(wire_bytes *b)
{
    wire_put(b, "12{1:3 " /* the step */
                "2{1:2 2:1700000000000000 3:1700000000000050 "
                "5{1'/device:CPU:0' 2{1{1x0528}}} 6'/device:CPU:0' "
                "7{1:1700000000000000 6:4096 11{1:0 2{1:128 2:77}}} "
                "11{1:1700000000000001 2:-64}}}");
}

static inline void sample_profile(wire_bytes *b)
{
    for (int key = 1; key <= 2; key++) {
        size_t entry = wire_open(b, 1), node;
        wire_put(b, "1:%d", key);
        node = wire_open(b, 2);
        wire_put(b, key == 1 ? "1'x'" : "1'y' 2{1:0 2:1}");
        wire_put(b, "4x0408 5'_trainable_variables' 6'/device:CPU:0' 8:512 "
                    "9'MatMul'");
        sample_trace(b, 10);
        sample_attrs(b, 11);
        sample_profile_run(b);
        wire_put(b, "14{1:1 2:1} 15{1:1 2x0a020408}");
        wire_close(b, node);
        wire_close(b, entry);
    }
    wire_put(b, "2:1 3x03");
    sample_strings(b, 4);
}

#endif
