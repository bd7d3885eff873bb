"""The commands of the specification's tutorials, with our inputs."""

RUNS = ("resnet_run_meta_0", "resnet_run_meta_1", "resnet_run_meta_2")
INPUTS = {
    "graph": ("resnet.pb", (), None),
    "text": ("resnet.pbtxt", (), None),
    "log": ("resnet.pb", (), "resnet_oplog"),
    "runs": ("resnet.pb", RUNS, None),
    "all": ("resnet.pb", RUNS, "resnet_oplog"),
    "seq2seq": ("seq2seq.pbtxt", ("seq2seq_run_meta_0", "seq2seq_run_meta_1"),
                "seq2seq_oplog_id"),
}

PARAMETERS = "_TFProfRoot (--/930.58k params)"
TRAINABLE = "_TFProfRoot (--/464.15k params)"
FLOAT_OPS = "_TFProfRoot (--/17.63b flops)"
POOL_LOGIT = ("pool_logit/DW (64x10, 640/1.28k params)",
              "pool_logit/DW/Momentum (64x10, 640/640 params)",
              "pool_logit/biases (10, 10/20 params)",
              "pool_logit/biases/Momentum (10, 10/10 params)")
TRAINABLES = ("init/init_conv/DW (3x3x3x16, 432/432 params)",
              "pool_logit/DW (64x10, 640/640 params)",
              "pool_logit/biases (10, 10/10 params)")
CONVOLUTIONS = ("pool_logit/xw_plus_b (1.28k/165.12k flops)",
                "pool_logit/xw_plus_b/MatMul (163.84k/163.84k flops)",
                "init/init_conv/Conv2D (113.25m/113.25m flops)",
                "unit_1_0/sub1/conv1/Conv2D (603.98m/603.98m flops)")


class Row:
    def __init__(self, where, inputs, typed, here=None, figures=()):
        self.where, self.inputs, self.typed = where, inputs, typed
        self.here = here or typed
        self.figures = figures  # lines of the tutorial that come out here too

    @property
    def name(self):
        return f"{self.inputs} {self.here}"


# where, inputs, what is typed there, what is typed here if that is something
# else, figures.
COMMANDS = [
    # ---- Parameters ----
    Row("architecture, 2017 demo, 2017 11", "graph",
        "scope -account_type_regexes VariableV2 -max_depth 4 -select params",
        figures=(PARAMETERS, *POOL_LOGIT,
                 "init/init_conv/DW (3x3x3x16, 432/864 params)")),
    # Variable was the operation of 2016; patterns match a whole name.
    Row("2016 10", "graph",
        "scope -account_type_regexes Variable -max_depth 4 -select params",
        "scope -account_type_regexes Variable.* -max_depth 4 -select params",
        figures=(PARAMETERS, *POOL_LOGIT)),
    Row("2016 8, 2017 9", "log",
        "scope -account_type_regexes _trainable_variables -max_depth 4 "
        "-select params",
        figures=(TRAINABLE, *TRAINABLES)),
    # The default of -select was params; it is now where nothing was run.
    Row("2016 9, 2017 10", "graph",
        "scope -account_type_regexes .* -show_name_regexes unit_2_1.*DW "
        "-max_depth 100 -account_displayed_op_only",
        figures=("_TFProfRoot (--/18.43k params)",
                 "unit_2_1/sub1/conv1/DW (3x3x32x32, 9.22k/9.22k params)",
                 "unit_2_1/sub2/conv2/DW (3x3x32x32, 9.22k/9.22k params)")),
    Row("2016 1, 2017 1", "text", "scope --max_depth=3",
        figures=(PARAMETERS,)),
    # Their seq2seq model is spread over parameter servers, here the ResNet.
    Row("2016 13, 2017 13", "runs",
        "scope -select device,params -account_type_regexes .*ps.*task:0.* "
        "-max_depth 1"),
    Row("2016 13, 2017 13", "runs",
        "scope -select device,params -account_type_regexes .*ps.*task:1.* "
        "-max_depth 1"),
    # ---- Float operations ----
    Row("architecture", "log",
        "scope -min_float_ops 1 -select float_ops -account_displayed_op_only",
        figures=(FLOAT_OPS, *CONVOLUTIONS)),
    Row("architecture", "log",
        "op -min_float_ops 1 -select float_ops -account_displayed_op_only "
        "-order_by float_ops",
        figures=(
            "Conv2D                   17.63b float_ops (100.00%, 100.00%)",
            "MatMul                   491.52k float_ops (0.00%, 0.00%)",
            "BiasAdd                  1.28k float_ops (0.00%, 0.00%)")),
    Row("2016 7, 2017 8", "log",
        "scope -min_float_ops 1 -max_depth 10 -select float_ops "
        "-account_type_regexes .*",
        figures=(FLOAT_OPS, *CONVOLUTIONS)),
    # ---- Time ----
    Row("2016 5, 2017 6", "runs",
        "graph -start_name_regexes cost.* -max_depth 100 -min_micros 10000 "
        "-select micros -account_type_regexes .*"),
    Row("2016 6, 2017 7", "runs",
        "scope -start_name_regexes gradient.* -max_depth 100 "
        "-min_micros 20000 -select micros -account_type_regexes .*"),
    # Our steps are shorter than their 8 seconds: 1 ms instead of 100.
    Row("time", "all",
        "scope -max_depth 30 -select micros -min_micros 100000 "
        "-order_by micros",
        "scope -max_depth 30 -select micros -min_micros 1000 "
        "-order_by micros"),
    Row("time", "seq2seq", "op -select micros,occurrence -order_by micros"),
    Row("time", "all", "op -select micros,occurrence -order_by micros"),
    Row("time", "seq2seq", "op -select micros,device -order_by micros"),
    Row("time", "all", "op -select micros,device -order_by micros"),
    Row("2017 demo", "seq2seq",
        "op -select micros,bytes,occurrence -order_by micros"),
    Row("2017 demo", "all",
        "op -select micros,bytes,occurrence -order_by micros"),
    # Other names of files and functions; 10 ms instead of 100.
    Row("time", "seq2seq",
        "code -show_name_regexes seq2seq_attention.* -max_depth 10 "
        "-select micros -order_by micros",
        "code -show_name_regexes attention.*,model_base.*,train.py.* "
        "-max_depth 10 -select micros -order_by micros"),
    Row("time", "seq2seq",
        "code -start_name_regexes .*_add_seq2seq.* -show_name_regexes "
        "seq2seq_attention.* -max_depth 10 -select micros -order_by micros",
        "code -start_name_regexes .*encode.* -show_name_regexes "
        "rnn.* -max_depth 10 -select micros -order_by micros"),
    Row("time", "seq2seq",
        "code -max_depth 5 -select micros -order_by micros "
        "-start_name_regexes .*_add_seq2seq.* -min_micros 100000",
        "code -max_depth 5 -select micros -order_by micros "
        "-start_name_regexes .*encode.* -min_micros 10000"),
    Row("2017 demo, 2017 3", "all",
        "code -max_depth 1000 -show_name_regexes .*model_analyzer.*py.* "
        "-select micros -account_type_regexes .* -order_by micros",
        "code -max_depth 1000 -show_name_regexes .*resnet.*py.* "
        "-select micros -account_type_regexes .* -order_by micros"),
    # ---- What the calls in Python ask for ----
    Row("architecture, 2016, 2017, builder", "log",
        "trainable_variables_parameter()",
        "scope -max_depth 10000 -account_type_regexes _trainable_variables "
        "-account_displayed_op_only true -select params",
        figures=(TRAINABLE, *TRAINABLES)),
    Row("builder", "log", "cmd='op', trainable_variables_parameter()",
        "op -max_depth 10000 -account_type_regexes _trainable_variables "
        "-account_displayed_op_only true -select params"),
    Row("2017", "log", "tfprof_cmd='code', TRAINABLE_VARS_PARAMS_STAT_OPTIONS, "
        "show_name_regexes ['.*my_code1.py.*', '.*my_code2.py.*']",
        "code -max_depth 10000 -account_type_regexes _trainable_variables "
        "-show_name_regexes .*resnet_main.py.*,.*resnet_model.py.* "
        "-account_displayed_op_only true -select params"),
    Row("architecture, 2016, 2017", "log", "float_operation()",
        "scope -max_depth 10000 -min_float_ops 1 -order_by float_ops "
        "-account_displayed_op_only true -select float_ops",
        figures=(FLOAT_OPS, *CONVOLUTIONS)),
    Row("builder", "log", "cmd='op', float_operation()",
        "op -max_depth 10000 -min_float_ops 1 -order_by float_ops "
        "-account_displayed_op_only true -select float_ops"),
    Row("2016, 2017, builder", "all", "time_and_memory()",
        "scope -max_depth 10000 -min_micros 1 -min_bytes 1 -order_by micros "
        "-account_displayed_op_only true -select micros,bytes"),
    Row("builder", "seq2seq",
        "time_and_memory(), show_name_regexes=['.*rnn.*']",
        "scope -max_depth 10000 -min_micros 1 -min_bytes 1 -order_by micros "
        "-show_name_regexes .*rnn.* "
        "-account_displayed_op_only true -select micros,bytes"),
    Row("2017", "all", "tfprof_cmd='code', PRINT_ALL_TIMING_MEMORY, "
        "show_name_regexes ['.*my_code.py.*']",
        "code -max_depth 10000 -min_micros 1 -min_bytes 1 -order_by name "
        "-show_name_regexes .*resnet_model.py.* "
        "-account_displayed_op_only true -select micros,bytes"),
    Row("builder", "all", "with_max_depth(10).with_min_micros(1000)"
        ".select(['accelerator_micros'])",
        "scope -max_depth 10 -min_micros 1000 -select accelerator_micros"),
    Row("time", "all", "cmd='code', show_name_regexes "
        "['.*model_analyzer_testlib.py.*'], select ['micros']",
        "code -max_depth 10000 -account_type_regexes .* -show_name_regexes "
        ".*resnet_model.py.* -account_displayed_op_only false "
        "-select micros"),
    # ---- What an empty line lists, given in full ----
    Row("2016 2", "log",
        "-max_depth 4 -min_bytes 0 ... -account_type_regexes Variable ... "
        "-viz false -dump_to_file",
        "scope -max_depth 4 -min_bytes 0 -min_micros 0 -min_params 0 "
        "-min_float_ops 0 -device_regexes .* -order_by name "
        "-account_type_regexes Variable.* -start_name_regexes .* "
        "-trim_name_regexes '' -show_name_regexes .* -hide_name_regexes "
        r"'IsVariableInitialized_[0-9]+,save\/.*,^zeros[0-9_]*' "
        "-account_displayed_op_only false -select params -viz false",
        figures=(PARAMETERS, *POOL_LOGIT)),
    Row("2017 2", "log",
        "-max_depth 4 ... -min_occurrence 0 -step -1 ... "
        "-account_type_regexes Variable,VariableV2 ...",
        "scope -max_depth 4 -min_bytes 0 -min_micros 0 -min_params 0 "
        "-min_float_ops 0 -min_occurrence 0 -step -1 -order_by name "
        "-account_type_regexes Variable,VariableV2 -start_name_regexes .* "
        "-trim_name_regexes '' -show_name_regexes .* -hide_name_regexes "
        r"'IsVariableInitialized_[0-9]+,save\/.*,^zeros[0-9_]*' "
        "-account_displayed_op_only false -select params",
        figures=(PARAMETERS, *POOL_LOGIT)),
]
