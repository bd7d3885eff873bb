"""Small files as TensorFlow writes them, by kind and name."""

from .encode import wire


def shape(*dims):
    return [("dim", [("size", d)]) for d in dims]


def attr(key, *value):
    return ("attr", [("key", key), ("value", list(value))])


def const(name, dtype, tensor):
    return ("node", [
        ("name", name), ("op", "Const"),
        attr("dtype", ("type", dtype)),
        attr("value", ("tensor", [("dtype", dtype)] + tensor)),
        attr("_output_shapes", ("list", [("shape", shape(2, 2))])),
    ])


FLOAT, INT32, STRING = 1, 3, 7

NODES = [
    ("node", [("name", "x"), ("op", "Placeholder"),
              ("device", "/job:worker/replica:0/task:0/device:GPU:0"),
              attr("dtype", ("type", FLOAT)),
              attr("shape", ("shape", shape(-1, 3)))]),
    const("scope/w", FLOAT, [("tensor_shape", shape(2, 2)),
                             ("tensor_content", bytes(range(16)))]),
    const("axes", INT32, [("tensor_shape", shape(2)), ("int_val", 0),
                          ("int_val", -1)]),
    const("names", STRING, [("tensor_shape", shape(1)),
                            ("string_val", b"\x00\xff")]),
    ("node", [("name", "scope/mul"), ("op", "MatMul"),
              ("input", "x"), ("input", "scope/w:0"), ("input", "^axes"),
              attr("T", ("type", FLOAT)), attr("transpose_a", ("b", 0)),
              attr("_class", ("list", [("s", b"loc:@x")])),
              attr("ratio", ("f", 0.5)), attr("count", ("i", -7))]),
]

FUNCTION = ("function", [
    ("signature", [("name", "f"), ("input_arg", [("name", "a"),
                                                ("type", FLOAT)]),
                   ("output_arg", [("name", "y"), ("type", FLOAT)])]),
    ("node_def", [("name", "sq"), ("op", "Square"), ("input", "a")]),
    ("ret", [("key", "y"), ("value", "sq:y:0")]),
    ("control_ret", [("key", "c"), ("value", "sq")]),
])

GRAPH = NODES + [
    ("node", [("name", "call"), ("op", "PartitionedCall"),
              ("input", "scope/mul"),
              attr("f", ("func", [("name", "f"), attr("T", ("type", 1))]))]),
    ("library", [FUNCTION, ("gradient", [("function_name", "f"),
                                         ("gradient_func", "g")])]),
    ("versions", [("producer", 1395), ("min_consumer", 12)]),
]

ODD_GRAPH = [
    ("node", [("name", "a"), ("op", "A"), ("input", "a"), ("input", "b:7"),
              ("input", "a:b:c"), ("input", "^"), ("input", ":0"),
              ("input", ""), ("input", "a:4294967296"), ("input", "z:-1")]),
    ("node", [("name", "a"), ("op", "B")]),
    ("node", [("name", ""), ("op", "")]),
    ("node", [("name", "_TFProfRoot"), ("op", "x/y"),
              attr("_output_shapes", ("shape", shape(1))),
              attr("_output_shapes", ("list", [("shape", shape(2**62, 4)),
                                               ("shape",
                                                [("unknown_rank", 1)])]))]),
    ("node", [("name", "f"), ("op", "F"), ("input", "f:y:0"),
              attr("value", ("tensor", [
                  ("dtype", 9999), ("tensor_shape", shape(2**32, 2**32)),
                  ("tensor_content", b"x")]))]),
    ("library", [FUNCTION, FUNCTION, ("function", [
        ("signature", [("name", "self")]),
        ("node_def", [("name", "self"), ("op", "self"),
                      ("input", "self:0:0")])])]),
]

DEBUG_GRAPH = [
    ("node", [("name", "a"), ("op", "NoOp")]),
    ("debug_info", [
        ("files", "model.py"),
        ("frames_by_id", [("key", 1), ("value", [("file_index", 0),
                                                 ("line", 3), ("col", 1),
                                                 ("func", "main"),
                                                 ("code", "x = f()")])]),
        ("traces_by_id", [("key", 2), ("value", [("frame_id", 1),
                                                 ("frame_id", 9)])]),
        ("name_to_trace_id", [("key", "a"), ("value", 2)]),
        ("traces", [("key", "a"), ("value", [
            ("file_line_cols", [("file_index", 7), ("line", -1)])])]),
    ]),
]

TENSOR_INFO = [("name", "x:0"), ("dtype", FLOAT), ("tensor_shape",
                                                   shape(-1, 3))]

VARIABLE = wire("VariableDef", [
    ("variable_name", "w:0"), ("initializer_name", "w/Assign"),
    ("snapshot_name", "w/Read:0"), ("is_resource", 1), ("trainable", 1),
    ("initial_value_name", "w/init:0"), ("synchronization", 1),
    ("aggregation", 2),
    ("save_slice_info_def", [("full_name", "w"), ("full_shape", 2),
                             ("var_offset", 0), ("var_shape", 2)]),
])

META_GRAPH = [
    ("meta_info_def", [("tags", "serve"), ("tags", "gpu"),
                       ("tensorflow_version", "2.21.0"),
                       ("tensorflow_git_version", "v2.21.0-rc0"),
                       ("stripped_op_list", [("op", [("name", "Add")])]),
                       ("any_info", [("type_url", "type.googleapis.com/a.B"),
                                     ("value", b"\x08\x01")])]),
    ("graph_def", NODES[:2] + [("library", [FUNCTION])]),
    ("saver_def", [("filename_tensor_name", "save/Const:0"),
                   ("max_to_keep", 5), ("version", 2)]),
    ("collection_def", [("key", "variables"), ("value", [
        ("bytes_list", [("value", VARIABLE), ("value", b"\xff")])])]),
    ("collection_def", [("key", "train_op"), ("value", [
        ("node_list", [("value", "train")])])]),
    ("signature_def", [("key", "serving_default"), ("value", [
        ("inputs", [("key", "x"), ("value", TENSOR_INFO)]),
        ("outputs", [("key", "y"), ("value", TENSOR_INFO)]),
        ("method_name", "tensorflow/serving/predict")])]),
    ("object_graph_def", [
        ("nodes", [("children", [("node_id", 1), ("local_name", "w")]),
                   ("user_object", [("identifier", "_generic_user_object")])]),
        ("nodes", [("variable", [("dtype", FLOAT), ("shape", shape(2, 2)),
                                 ("trainable", 1), ("name", "w")])]),
        ("nodes", [("variable", [("dtype", 99), ("shape",
                                                 [("unknown_rank", 1)])]),
                   ("children", [("node_id", 77)])]),
    ]),
]

NODE_STATS = [
    ("node_name", "scope/mul"), ("all_start_micros", 1000),
    ("op_start_rel_micros", 1), ("op_end_rel_micros", 9),
    ("all_end_rel_micros", 10), ("thread_id", 4),
    ("timeline_label", "scope/mul = MatMul(x, scope/w)"),
    ("memory", [("allocator_name", "cpu"), ("total_bytes", 64),
                ("peak_bytes", 64), ("live_bytes", 16),
                ("allocation_records", [("alloc_micros", 3),
                                        ("alloc_bytes", 64)])]),
    ("output", [("slot", 0), ("tensor_description", [
        ("dtype", FLOAT), ("shape", shape(2, 2)),
        ("allocation_description", [("requested_bytes", 16),
                                    ("allocated_bytes", 64), ("ptr", 4096),
                                    ("allocator_name", "cpu")])])]),
    ("memory_stats", [("temp_memory_size", 8),
                      ("persistent_tensor_alloc_ids", 5)]),
]

STEP_STATS = [
    ("dev_stats", [("device", "/job:worker/device:CPU:0"),
                   ("node_stats", NODE_STATS),
                   ("node_stats", [("node_name", "_SOURCE")]),
                   ("thread_names", [("key", 4), ("value", "pool")])]),
    ("dev_stats", [("node_stats", NODE_STATS[:4]),
                   ("device", "/device:GPU:0/stream:all")]),
    ("dev_stats", [("device", "/device:GPU:0/memcpy")]),
]

ODD_STEP_STATS = [
    ("dev_stats", [
        ("node_stats", [("all_start_micros", 2**63 - 1),
                        ("op_end_rel_micros", -2**63),
                        ("all_end_rel_micros", 2**63 - 1)]),
        ("node_stats", [("node_name", "a:1"), ("all_start_micros", -1),
                        ("memory", [("total_bytes", -2**63),
                                    ("live_bytes", 2**63 - 1)]),
                        ("output", [("slot", -5)]),
                        ("output", [("slot", 2**31 - 1)])]),
        ("device", "gpu:0"), ("device", ""),
    ]),
]

RUN_METADATA = [
    ("step_stats", STEP_STATS[:1]),
    ("cost_graph", [("node", [("name", "scope/mul"), ("compute_cost", 3),
                              ("control_input", 1)])]),
    ("partition_graphs", NODES[:1]),
    ("function_graphs", [("partition_graphs", NODES[:1]),
                         ("pre_optimization_graph", [("library",
                                                      [FUNCTION])])]),
    ("step_stats", STEP_STATS[2:]),
    ("session_metadata", [("name", "s"), ("version", 1)]),
]

CODE = ("code_def", [
    ("traces", [("file_id", 1), ("lineno", 10), ("function_id", 2),
                ("line_id", 3), ("func_start_line", 8)]),
    ("traces", [("file_id", 1), ("lineno", 20), ("function_id", 99)]),
    ("traces", [("file", "old.py"), ("function", "main"), ("lineno", 1),
                ("line", "main()")]),
])

OP_LOG = [
    ("log_entries", [("name", "scope/mul"), ("float_ops", 128),
                     ("types", "_trainable_variables"), ("types", "MatMul"),
                     CODE]),
    ("log_entries", [("name", "later"), ("float_ops", -1)]),
    ("id_to_string", [("key", 1), ("value", "model.py")]),
    ("id_to_string", [("key", 2), ("value", "main")]),
    ("id_to_string", [("key", 3), ("value", "y = x @ w")]),
    ("id_to_string", [("key", 1), ("value", "again.py")]),
    ("log_entries", [CODE, ("name", "scope/mul")]),
]

TIMES = [("times", [("int64_values", 1000), ("int64_values", 10)]),
         ("times", [("int64_values", 5)])]

PROFILE_NODE = [
    ("name", "scope/mul"), ("op", "MatMul"), ("id", 7), ("float_ops", 128),
    ("inputs", [("key", 0), ("value", 8)]),
    ("outputs", [("key", 0), ("value", 9)]),
    ("src_output_index", [("key", 8), ("value", 1)]),
    ("shape", 2), ("shape", 3), ("op_types", "MatMul"),
    ("canonical_device", "gpu:0"), ("host_device", "job:worker"),
    ("trace", [("traces", [("file_id", 1), ("lineno", 4)])]),
    ("attrs", [("key", "T"), ("value", [("type", FLOAT)])]),
    ("output_shapes", [("key", 0), ("value", [("int64_values", 2)])]),
    ("input_shapes", [("key", 0), ("value", [("int64_values", -1)])]),
    ("execs", [("key", 3), ("value", [
        ("run_count", 1), ("all_start_micros", 1000),
        ("latest_end_micros", 1010), ("devices", "gpu:0"),
        ("accelerator_execs", [("key", "gpu:0/stream:all"),
                               ("value", TIMES)]),
        ("cpu_execs", [("key", "cpu:0"), ("value", TIMES)]),
        ("memory_execs", [("memory_micros", 1), ("requested_bytes", 64),
                          ("output_memory", [("key", 0), ("value", [
                              ("bytes", 16), ("ptr", 4096)])])]),
        ("allocations", [("alloc_micros", 2), ("alloc_bytes", -64)]),
    ])]),
]

PROFILE = [
    ("nodes", [("key", 7), ("value", PROFILE_NODE)]),
    ("nodes", [("key", 8), ("value", [("name", "x"), ("id", 8)])]),
    ("nodes", [("value", [("name", "x")]), ("key", 8)]),
    ("has_trace", 1), ("steps", 3), ("steps", 4),
    ("id_to_string", [("key", 1), ("value", "model.py")]),
    ("miss_accelerator_stream", 1),
]

SAMPLES = {
    "graph": {"graph": GRAPH, "odd": ODD_GRAPH, "debug": DEBUG_GRAPH},
    "meta_graph": {"meta_graph": META_GRAPH},
    "saved_model": {"saved_model": [
        ("saved_model_schema_version", 1), ("meta_graphs", META_GRAPH),
        ("meta_graphs", META_GRAPH[:1])]},
    "run_metadata": {"run": RUN_METADATA,
                     "odd": [("step_stats", ODD_STEP_STATS)]},
    "step_stats": {"steps": STEP_STATS, "odd": ODD_STEP_STATS},
    "op_log": {"log": OP_LOG, "odd": OP_LOG[::-1]},
    "profile": {"profile": PROFILE, "odd": PROFILE[::-1]},
}
