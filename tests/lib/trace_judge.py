"""What a trace holds, worked out by the reference programs beside the traces:
runs and picoseconds of each node, by other means than those of tfprof."""

import collections
import importlib
import re
import sys

from files import SHARED

FOLDER = SHARED / "xspace"
M64 = 2**64 - 1

# Lines of GPUs that repeat others.
SUMMARIES = {"Steps", "XLA Modules", "XLA Ops", "TensorFlow Ops",
             "TensorFlow Name Scope", "Framework Ops", "Source code",
             "Framework Name Scope", "Launch Stats"}

NO_OP = "(no op)"

Op = collections.namedtuple("Op", "begin length name sort runs is_placed")


def module(name):
    """A reference program, from beside the traces."""
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    return importlib.import_module(name)


def _signed(value):
    value &= M64
    return value - 2**64 if value >> 63 else value


NO_MODULE = "(no module)"


class Judge:
    """`sums`: (sort, name) -> [runs, picoseconds]; sort is "hlo", "hlo gpu",
    "host", "tpu" or "kernel". `devices`: those that ran an instruction."""

    def __init__(self, path):
        self.xs, self.ref = module("xs"), module("xs_ref")
        self.space = self.xs.read(str(path))
        self.programs = self.ref.hlo_modules(self.space)
        self.modules = self._module_names()
        self.names, self.owners = {}, {}
        self.sums = collections.defaultdict(lambda: [0, 0])
        self.kernels = [0, 0]  # what has kernel_details
        self.kernels_without_op = 0
        self.devices = set()
        for plane in self.space.planes:
            if plane.name == "/host:CPU":
                self._host(plane)
        for plane in self.space.planes:
            if plane.name.startswith("/device:GPU:"):
                self._gpu(plane)
        for plane in self.space.planes:
            if plane.name.startswith("/device:TPU:"):
                self._tpu(plane)

    def of(self, *sorts):
        """name -> (runs, picoseconds)"""
        found = collections.defaultdict(lambda: [0, 0])
        for (sort, name), (runs, time) in self.sums.items():
            if sort in sorts:
                found[name][0] += runs
                found[name][1] += time
        return {name: tuple(sums) for name, sums in found.items()}

    def _module_names(self):
        found = {}
        for plane in self.space.planes:
            if plane.name == "/host:metadata":
                for kind in plane.em.values():
                    match = re.fullmatch(r"(.*)\((\d+)\)", kind.name)
                    if match:
                        found[int(match.group(2))] = match.group(1)
        return found

    def _instruction(self, stats):
        """The name of the node: the same name of another program gets a
        number, by first run."""
        program = stats["program_id"] & M64
        op = stats["hlo_op"].split("::")[-1]
        key = program, op
        if key not in self.names:
            known = self.programs.get(program, {}).get(op)
            scope = known.op_name.strip("/") if known else ""
            if not scope:
                scope = stats.get("hlo_module") or self.modules.get(
                    program, NO_MODULE)
            self.names[key] = self._named(program, f"{scope}/{op}")
        return self.names[key]

    def _named(self, program, name):
        first = self.owners.setdefault(name, [])
        if program not in first:
            first.append(program)
        number = first.index(program) + 1
        return name if number == 1 else f"{name}#{number}"

    def _add(self, ops, nests):
        """Self times: what runs inside another is not time of that one."""
        ops.sort(key=lambda op: (op.begin, -op.length))
        inner, around = [0] * len(ops), []
        for i, op in enumerate(ops):
            if not op.is_placed:
                continue
            while around and (ops[around[-1]].begin + ops[around[-1]].length
                              < op.begin + max(op.length, 1)):
                around.pop()
            if around and nests:
                inner[around[-1]] += op.length
            around.append(i)
        for op, less in zip(ops, inner):
            sums = self.sums[op.sort, op.name]
            sums[0] += op.runs
            sums[1] += max(op.length - less, 0)

    def _events(self, plane, line):
        for raw, event in zip(line.events, self.ref.events(plane, line)):
            placed = raw.occ is None
            yield (event, event.st, _signed(line.ts * 1000 + raw.off),
                   max(raw.dur, 0), 1 if placed else raw.occ, placed)

    def device_spans(self, name):
        """Begin and end of all that ran on the streams of a GPU."""
        return [(event.b, event.b + event.d)
                for plane in self.space.planes if plane.name == name
                for line in plane.lines if line.name not in SUMMARIES
                and not self.ref.derived(line.id)
                for event in self.ref.events(plane, line)]

    def _is_instruction(self, stats):
        return (isinstance(stats.get("hlo_op"), str) and stats["hlo_op"]
                and isinstance(stats.get("program_id"), int))

    def _host(self, plane):
        for line in plane.lines:
            if self.ref.derived(line.id):
                continue
            ops = []
            for event, stats, *times in self._events(plane, line):
                begin, length, runs, placed = times
                if self._is_instruction(stats):
                    if "correlation_id" in stats:
                        continue
                    sort, name = "hlo", self._instruction(stats)
                    self.devices.add(max(stats.get("device_ordinal", 0), 0))
                else:
                    kind, name, _ = self.ref.parse_tf(event.name)
                    if kind not in ("tf", "tfdata"):
                        continue
                    sort = "host"
                    name = (name.strip("/") if kind == "tf"
                            else name.replace("::", "/"))
                ops.append(Op(begin, length, name, sort, runs, placed))
            self._add(ops, True)

    def _gpu(self, plane):
        for line in plane.lines:
            if self.ref.derived(line.id) or line.name in SUMMARIES:
                continue
            ops = []
            for event, stats, *times in self._events(plane, line):
                begin, length, runs, placed = times
                if self._is_instruction(stats):
                    sort, name = "hlo gpu", self._instruction(stats)
                else:
                    sort = "kernel"
                    text = stats.get("tf_op") or stats.get("level 0")
                    kind, name, _ = self.ref.parse_tf(
                        text if isinstance(text, str) else "")
                    name = NO_OP if kind == "unknown" else name.strip("/")
                if "kernel_details" in stats:
                    self.kernels[0] += runs
                    self.kernels[1] += length
                    self.kernels_without_op += name == NO_OP
                ops.append(Op(begin, length, name, sort, runs, placed))
            self._add(ops, False)

    def _tpu(self, plane):
        for line in plane.lines:
            if line.name != "XLA Ops":
                continue
            ops = []
            for event, stats, *times in self._events(plane, line):
                of = plane.st(event.m.stats) if event.m else {}
                if "program_id" not in of:
                    continue
                begin, length = self.ref.device_span(event)
                full = of.get("tf_op", "")
                scope = (full[:-1] if full.endswith(":")
                         else full.rsplit(":", 1)[0]).strip("/")
                program = of["program_id"] & M64
                name = self._named(program, "%s/%s" % (
                    scope or self.modules.get(program, NO_MODULE),
                    event.m.display or event.m.name))
                ops.append(Op(begin, length, name, "tpu", *times[2:]))
            self._add(ops, True)
