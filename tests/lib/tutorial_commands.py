"""The commands of the specification's tutorials (tests/tables/tutorial.tsv), with
our inputs."""

from program import TABLES

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
FIGURES = {"PARAMETERS": [PARAMETERS], "TRAINABLE": [TRAINABLE],
           "FLOAT_OPS": [FLOAT_OPS], "POOL_LOGIT": POOL_LOGIT,
           "TRAINABLES": TRAINABLES, "CONVOLUTIONS": CONVOLUTIONS}


class Row:
    def __init__(self, where, inputs, typed, here="", figures=""):
        self.where, self.inputs, self.typed = where, inputs, typed
        self.here = here or typed
        self.figures = [line for name in filter(None, figures.split(" ; "))
                        for line in FIGURES.get(name, [name])]

    @property
    def name(self):
        return f"{self.inputs} {self.here}"


COMMANDS = [Row(*line.split("\t")) for line in (
    TABLES / "tutorial.tsv").read_text().splitlines() if line[0] != "#"]
