"""TensorFlow's own message classes, and what they say a file holds.

The classes come from the wheel's _pb2 modules, which need nothing but
protobuf: parent packages without TensorFlow's __init__ save the seconds that
importing all of it takes.
"""

import functools
import importlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import types

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

_SPEC = importlib.util.find_spec("tensorflow")
HAVE = _SPEC is not None
NEEDED = "needs the tensorflow wheel (tools/requirements.txt)"

# Kind as `tfprof info` names it -> module, class, option that gives it.
_KINDS = {
    "GraphDef": ("framework.graph", "GraphDef", "graph_path"),
    "MetaGraphDef": ("protobuf.meta_graph", "MetaGraphDef", "graph_path"),
    "SavedModel": ("protobuf.saved_model", "SavedModel", "graph_path"),
    "RunMetadata": ("protobuf.config", "RunMetadata", "run_meta_path"),
    "StepStats": ("framework.step_stats", "StepStats", "run_meta_path"),
    "OpLogProto": ("profiler.tfprof_log", "OpLogProto", "op_log_path"),
    "ProfileProto": ("profiler.tfprof_log", "ProfileProto", "profile_path"),
}
KINDS = tuple(_KINDS)
OPTION = {kind: option for kind, (_, _, option) in _KINDS.items()}


def module(name):
    """tensorflow.NAME_pb2, such as "core.framework.variable"."""
    root = _SPEC.submodule_search_locations[0]
    *parents, _ = f"tensorflow.{name}".split(".")
    for i in range(len(parents)):
        package = ".".join(parents[:i + 1])
        if package not in sys.modules:
            stub = types.ModuleType(package)
            stub.__path__ = [os.path.join(root, *parents[1:i + 1])]
            sys.modules[package] = stub
    return importlib.import_module(f"tensorflow.{name}_pb2")


@functools.cache
def message_class(kind):
    name, cls, _ = _KINDS[kind]
    return getattr(module(f"core.{name}"), cls)


@functools.cache
def trace_class():
    return module("tsl.profiler.protobuf.xplane").XSpace


@functools.cache
def _variable_def():
    return module("core.framework.variable").VariableDef


# ---- Text ------------------------------------------------------------------

# Python reads about a megabyte of text in a second, protoc thirty.
_TEXT_FOR_PYTHON = 64 << 10


@functools.cache
def _descriptor_set():
    """A file with the descriptors of all kinds, for protoc. It goes with the
    process: the directory object cleans up after itself."""
    from google.protobuf import descriptor_pb2

    files = {}

    def add(descriptor):
        if descriptor.name not in files:
            for dependency in descriptor.dependencies:
                add(dependency)
            proto = descriptor_pb2.FileDescriptorProto()
            descriptor.CopyToProto(proto)
            files[descriptor.name] = proto

    for kind in KINDS:
        add(message_class(kind).DESCRIPTOR.file)
    add(module("core.profiler.tfprof_output").DESCRIPTOR)
    directory = tempfile.TemporaryDirectory(prefix="tfprof-descriptors-")
    path = os.path.join(directory.name, "all")
    with open(path, "wb") as out:
        everything = descriptor_pb2.FileDescriptorSet(file=files.values())
        out.write(everything.SerializeToString())
    return path, directory


def decode_with_protoc(cls, data):
    """A message as the text that protoc makes of it."""
    return subprocess.run(
        ["protoc", f"--descriptor_set_in={_descriptor_set()[0]}",
         f"--decode={cls.DESCRIPTOR.full_name}"],
        input=data, capture_output=True, check=True).stdout


def parse_text(kind, text):
    """The message of text in bytes; unknown fields are passed over."""
    from google.protobuf import text_format

    cls = message_class(kind)
    if len(text) > _TEXT_FOR_PYTHON:
        done = subprocess.run(
            ["protoc", f"--descriptor_set_in={_descriptor_set()[0]}",
             f"--encode={cls.DESCRIPTOR.full_name}"],
            input=text, capture_output=True, check=False)
        if done.returncode == 0:
            return cls.FromString(done.stdout)
    # protoc refuses unknown fields: the slow way then, too.
    return text_format.Parse(text.decode(), cls(), allow_unknown_field=True)


def parse(kind, data, is_text):
    if is_text:
        return parse_text(kind, data)
    return message_class(kind).FromString(data)


# ---- Verdicts --------------------------------------------------------------

@functools.cache
def wire_only_class(kind):
    """The class of a kind without what goes beyond the wire format: strings
    are bytes, so that no UTF-8 is asked for, and maps are repeated entries.
    """
    from google.protobuf import (descriptor_pb2, descriptor_pool,
                                 message_factory)

    pool = descriptor_pool.DescriptorPool()
    done = set()

    def relax(message):
        message.options.ClearField("map_entry")
        for field in message.field:
            if field.type == field.TYPE_STRING:
                field.type = field.TYPE_BYTES
                field.ClearField("default_value")
        for nested in message.nested_type:
            relax(nested)

    def add(descriptor):
        if descriptor.name in done:
            return
        done.add(descriptor.name)
        for dependency in descriptor.dependencies:
            add(dependency)
        proto = descriptor_pb2.FileDescriptorProto()
        descriptor.CopyToProto(proto)
        for message in proto.message_type:
            relax(message)
        pool.Add(proto)

    descriptor = message_class(kind).DESCRIPTOR
    add(descriptor.file)
    return message_factory.GetMessageClass(
        pool.FindMessageTypeByName(descriptor.full_name))


# ---- What a message holds --------------------------------------------------

COUNTS = (
    "nodes", "op_types", "edges", "control_edges", "functions",
    "function_nodes", "function_edges", "meta_graphs", "signatures",
    "variables", "trainable_variables", "run_records", "log_entries",
    "float_ops_entries", "code_traces", "string_ids",
)
IGNORED = (
    "partition_graphs", "function_graphs", "cost_nodes", "debug_frames",
    "thread_names", "collections", "assets", "objects", "op_definitions",
    "gradients",
)


class Facts:
    """What `tfprof info` should say of a message."""

    def __init__(self, kind, message):
        self.counts = dict.fromkeys(COUNTS, 0)
        self.ignored = dict.fromkeys(IGNORED, 0)
        self.devices, self.ops = set(), set()
        self.tags, self.signatures, self.steps = [], [], []
        self.version, self.git = None, None
        self.producer, self.min_consumer = 0, 0
        getattr(self, f"_add_{kind}")(message)
        self.counts["op_types"] = len(self.ops)

    def as_json(self):
        """As docs/inputs.md has it; names in no particular order are sorted."""
        return {
            "counts": self.counts,
            "ignored": self.ignored,
            "tensorflow_version": self.version,
            "tensorflow_git_version": self.git,
            "producer": self.producer,
            "min_consumer": self.min_consumer,
            "tags": self.tags,
            "signatures": sorted(self.signatures),
            "devices": sorted(self.devices),
            "steps": self.steps,
        }

    def _add_GraphDef(self, graph):
        counts = self.counts
        counts["nodes"] += len(graph.node)
        for node in graph.node:
            self.ops.add(node.op)
            if node.device:
                self.devices.add(node.device)
            inputs = node.input
            if inputs:
                counts["edges"] += len(inputs)
                counts["control_edges"] += sum(
                    name.startswith("^") for name in inputs)
        if graph.HasField("versions"):
            self.producer = graph.versions.producer
            self.min_consumer = graph.versions.min_consumer
        library = graph.library
        counts["functions"] += len(library.function)
        for function in library.function:
            counts["function_nodes"] += len(function.node_def)
            counts["function_edges"] += sum(
                len(node.input) for node in function.node_def)
        self.ignored["gradients"] += (len(library.gradient)
                                      + len(library.registered_gradients))
        debug = graph.debug_info
        self.ignored["debug_frames"] += (
            len(debug.frames_by_id) + len(debug.traces)
            + len(debug.traces_by_id))

    def _add_MetaGraphDef(self, meta):
        counts, ignored = self.counts, self.ignored
        info = meta.meta_info_def
        if meta.HasField("meta_info_def"):
            self.version = info.tensorflow_version or None
            self.git = info.tensorflow_git_version or None
            ignored["op_definitions"] += info.HasField("stripped_op_list")
        if info.tags:
            self.tags.append(",".join(info.tags))
        self._add_GraphDef(meta.graph_def)
        counts["signatures"] += len(meta.signature_def)
        self.signatures.extend(meta.signature_def)
        ignored["assets"] += len(meta.asset_file_def)
        for item in meta.object_graph_def.nodes:
            is_variable = item.WhichOneof("kind") == "variable"
            counts["variables"] += is_variable
            counts["trainable_variables"] += (is_variable
                                              and item.variable.trainable)
            ignored["objects"] += not is_variable
        for name, collection in meta.collection_def.items():
            if name != "trainable_variables":
                ignored["collections"] += 1
                continue
            for value in collection.bytes_list.value:
                if _is_message(_variable_def(), value):
                    counts["variables"] += 1
                    counts["trainable_variables"] += 1

    def _add_SavedModel(self, saved):
        self.counts["meta_graphs"] = len(saved.meta_graphs)
        for meta in saved.meta_graphs:
            self._add_MetaGraphDef(meta)

    def _add_StepStats(self, stats):
        for device in stats.dev_stats:
            if device.device:
                self.devices.add(device.device)
            self.counts["run_records"] += len(device.node_stats)
            self.ignored["thread_names"] += len(device.thread_names)
        if stats.dev_stats:
            self.steps = [0]

    def _add_RunMetadata(self, run):
        self._add_StepStats(run.step_stats)
        if run.HasField("step_stats"):
            self.steps = [0]
        self.ignored["partition_graphs"] = len(run.partition_graphs)
        self.ignored["function_graphs"] = len(run.function_graphs)
        self.ignored["cost_nodes"] = len(run.cost_graph.node)

    def _add_OpLogProto(self, log):
        counts = self.counts
        counts["log_entries"] = len(log.log_entries)
        counts["string_ids"] = len(log.id_to_string)
        for entry in log.log_entries:
            counts["float_ops_entries"] += entry.float_ops != 0
            counts["code_traces"] += len(entry.code_def.traces) > 0

    def _add_ProfileProto(self, profile):
        counts = self.counts
        counts["nodes"] = len(profile.nodes)
        counts["string_ids"] = len(profile.id_to_string)
        self.steps = list(profile.steps)
        for node in profile.nodes.values():
            self.ops.add(node.op)
            counts["edges"] += len(node.inputs)
            counts["float_ops_entries"] += node.float_ops != 0
            counts["code_traces"] += len(node.trace.traces) > 0
            for step in node.execs.values():
                for times in (step.accelerator_execs, step.cpu_execs):
                    for device, of_device in times.items():
                        counts["run_records"] += len(of_device.times)
                        if device:
                            self.devices.add(device)


def _is_message(cls, data):
    from google.protobuf.message import DecodeError

    try:
        cls.FromString(data)
    except DecodeError:
        return False
    return True


def said(file):
    """The same facts from an entry of `tfprof info --format json`."""
    return {
        "counts": {key: file["counts"][key] for key in COUNTS},
        "ignored": {key: file["ignored"][key] for key in IGNORED},
        "tensorflow_version": file["tensorflow_version"],
        "tensorflow_git_version": file["tensorflow_git_version"],
        "producer": file["producer"],
        "min_consumer": file["min_consumer"],
        "tags": file["tags"],
        "signatures": sorted(file["signatures"]),
        "devices": sorted(file["devices"]),
        "steps": file["steps"],
    }


def differences(expected, file):
    """{key: (expected, said)} of what an entry says otherwise."""
    found = said(file)
    wrong = {}
    for key, value in expected.as_json().items():
        if isinstance(value, dict):
            wrong.update({f"{key}.{name}": (value[name], found[key][name])
                          for name in value
                          if value[name] != found[key][name]})
        elif value != found[key]:
            wrong[key] = (value, found[key])
    return wrong
