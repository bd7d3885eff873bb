"""Rewrites of graphs, run metadata, op logs and profiles that mean the same:
other orders, other names, two files for one. The answers must be the same.

`python models.py FOLDER...`: folders with graph.pb, run_meta*, op_log.
"""

import gzip
import json
import pathlib
import random
import shutil

import attack
import pprof
import trace_tree
from permute import compare
from trace_tree import Message, of, shuffle

COSTS = "micros,bytes,peak_bytes,params,float_ops,occurrence"
QUESTIONS = {
    **{view: (view, "--format", "json", "--max_depth", "100000", "--select",
              f"{COSTS},device,op_types")
       for view in ("scope", "op")},
    **{view: (view, "--format", "json", "--max_depth", "100000", "--select",
              COSTS) for view in ("graph", "code")},
    "text": ("scope", "--select", COSTS, "--max_depth", "100"),
    "steps": ("steps", "--format", "json"),
    "devices": ("devices", "--format", "json"),
    "memory": ("memory", "--format", "json"),
    "advise": ("advise", "--format", "json"),
    "summary": ("summary", "--format", "json"),
    "flops": ("flops", "--format", "json"),
}
PPROF = {view: (view, "--select", "micros,bytes", "--max_depth", "100")
         for view in ("scope", "op", "code")}
# The number of a step is the place of its file. Edges and shapes end where
# their graph does, and `flops` counts one graph.
OF_PLACES = {
    "runs_in_turn": ("steps", "memory", "summary"),
    "two_graphs": ("graph", "memory", "advise", "summary", "flops"),
    "graph_twice": ("flops", "summary"),
}
KINDS = {"graph": "graph", "run_meta": "runs", "op_log": "op_log",
         "profile": "profile"}
ROLES = {"graph": "--graph_path", "run_meta": "--run_meta_path",
         "op_log": "--op_log_path"}
REWRITES = {}


# ---- Models -----------------------------------------------------------------

class Model:
    """The parts of a folder: name of the file, message."""

    def __init__(self, folder):
        self.parts = []
        for path in sorted(folder.iterdir()):
            kind = next((KINDS[word] for word in ("graph", "run_meta", "op_log")
                         if path.name in (word, f"{word}.pb")
                         or path.name.startswith(f"{word}_")
                         and path.name[len(word) + 1:].isdigit()), None)
            if kind:
                data = path.read_bytes()
                self.parts.append([path.name, trace_tree.parse(data, kind)])
        self.packed = False
        self.padding = 0

    def of(self, *kinds):
        return [found for _, part in self.parts for found in of(part, *kinds)]

    def all(self, kind):
        return [part for _, part in self.parts if part.kind == kind]

    def write(self, folder):
        """The arguments that name its files."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        words = {role: [] for role in ROLES}
        for name, part in self.parts:
            data = trace_tree.write(part, self.padding)
            (folder / name).write_bytes(gzip.compress(data) if self.packed
                                        else data)
            role = next(role for role in ROLES if name.startswith(role))
            words[role].append(f"{folder}/{name}")
        return [f"{ROLES[role]}={','.join(paths)}"
                for role, paths in words.items() if paths]


# ---- Rewrites ---------------------------------------------------------------

def rewrite(change):
    REWRITES[change.__name__] = change
    return change


@rewrite
def nodes(model, chance):
    for graph in model.all("graph"):
        shuffle(graph, 1, chance)


@rewrite
def attributes(model, chance):
    for node in model.of("node"):
        shuffle(node, 5, chance)


@rewrite
def records(model, chance):
    for device in model.of("device"):
        shuffle(device, 2, chance)


@rewrite
def devices(model, chance):
    for stats in model.of("step_stats"):
        shuffle(stats, 1, chance)


@rewrite
def entries(model, chance):
    for log in model.all("op_log"):
        shuffle(log, 1, chance)
        shuffle(log, 2, chance)


@rewrite
def string_ids(model, chance):
    """Frames name strings by number."""
    for log in model.all("op_log"):
        # No number is that of the first string.
        known = [entry.get(1) for entry in of(log, "string") if entry.get(1)]
        new = dict(zip(known, chance.sample(
            range(1, 10 * len(known) + 1), len(known))))
        for entry in of(log, "string"):
            entry.put(1, 0, new.get(entry.get(1), 0))
        for line in of(log, "code_line"):
            for field in line.fields:
                if field[0] in (6, 7, 8) and field[1] == 0:
                    field[2] = new.get(field[2], field[2])


@rewrite
def unknown(model, chance):
    for _, part in model.parts:
        for message in trace_tree.walk(part):
            if message is not part and chance.random() < 0.3:
                message.fields.insert(
                    chance.randrange(1, len(message.fields) + 2),
                    list(chance.choice(([500, 0, 7], [501, 2, b"zz"],
                                        [502, 1, b"\1" * 8],
                                        [5000, 0, 1 << 63]))))


@rewrite
def fields(model, chance):
    for _, part in model.parts:
        REWRITES_OF_TRACES["fields"](part, chance)


REWRITES_OF_TRACES = trace_tree.REWRITES


@rewrite
def long_numbers(model, _):
    model.padding = 7


@rewrite
def packed(model, _):
    model.packed = True


@rewrite
def runs_in_turn(model, chance):
    """Averages do not depend on which step is which."""
    at = [i for i, (_, part) in enumerate(model.parts) if part.kind == "runs"]
    parts = [model.parts[i][1] for i in at]
    chance.shuffle(parts)
    for i, part in zip(at, parts):
        model.parts[i][1] = part


@rewrite
def two_logs(model, chance):
    """The strings in both."""
    for name, log in [part for part in model.parts
                      if part[1].kind == "op_log"]:
        halves = Message("op_log"), Message("op_log")
        for field in log.fields:
            for half in (chance.choice(halves),) if field[0] == 1 else halves:
                half.fields.append(field)
        model.parts.remove([name, log])
        model.parts += [[f"{name}_{i}", half]
                        for i, half in enumerate(halves)]


@rewrite
def two_graphs(model, chance):
    """Each node is in one of them."""
    for name, graph in [part for part in model.parts
                        if part[1].kind == "graph"]:
        halves = Message("graph"), Message("graph")
        for field in graph.fields:
            for half in (chance.choice(halves),) if field[0] == 1 else halves:
                half.fields.append(field)
        model.parts.remove([name, graph])
        model.parts += [[f"graph_{i}", half]
                        for i, half in enumerate(halves)]


@rewrite
def graph_twice(model, _):
    """Of nodes of one name the first counts."""
    model.parts += [[f"graph_{i}", part] for i, (_, part)
                    in enumerate(model.parts) if part.kind == "graph"]


# ---- Other names ------------------------------------------------------------

PREFIX = b"z"


def renamed(name):
    """Each part of it gets a prefix, but those that have a meaning."""
    return b"/".join(
        part if not part or part.startswith((b"gradients", b"_", b"Recv"))
        or b"MEMCPY" in part else PREFIX + part for part in name.split(b"/"))


def renamed_input(name):
    mark = name[:1] if name[:1] == b"^" else b""
    source, colon, slot = name[len(mark):].partition(b":")
    return mark + renamed(source) + colon + slot


def rename(model):
    for kind, number, change in (("node", 1, renamed), ("record", 1, renamed),
                                 ("node", 3, renamed_input),
                                 ("log_entry", 1, renamed)):
        for message in model.of(kind):
            for field in message.fields:
                if field[0] == number and field[1] == 2:
                    field[2] = change(field[2])


def own_figures(rows, totals):
    """Totals of the op and the graph view depend on the order of names."""
    return sorted(json.dumps([row["self"], totals and row["total"]],
                             sort_keys=True) for row in rows)


# ---- Questions --------------------------------------------------------------

def ask(found, words, args):
    command, *options = words
    done = found.run(command, "-q", *args, *options)
    return done.returncode, done.stdout


def ask_pprof(found, words, args):
    out = found.folder / "out.pb.gz"
    out.unlink(missing_ok=True)
    code, _ = ask(found, (*words, "--output",
                          f"pprof:outfile={out},samples=all,labels=all"), args)
    return code, pprof.samples(out.read_bytes()) if out.exists() else None


def without_paths(answer):
    """Without the commands that summary names, which have the files, and
    without the shape of what leaves a layer last: last in the file."""
    code, out = answer
    try:
        value = json.loads(out)
    except ValueError:
        return code, out
    if isinstance(value, dict):
        for key in "next", "commands", "inputs":
            value.pop(key, None)
        for layer in value.get("layers", ()):
            layer.pop("output_shape", None)
    return code, json.dumps(value).encode()


def attack_model(found, folder, rewrites=None, seeds=1):
    name = attack.short(folder)
    copy = found.folder / "model"
    args = Model(folder).write(copy)
    before = {asked: without_paths(ask(found, words, args))
              for asked, words in QUESTIONS.items()}
    samples = {view: ask_pprof(found, words, args)
               for view, words in PPROF.items()}
    for rewrite in rewrites or REWRITES:
        for seed in range(seeds):
            model = Model(folder)
            REWRITES[rewrite](model, random.Random(f"{rewrite} {seed}"))
            args = model.write(copy)
            for asked, words in QUESTIONS.items():
                if asked in OF_PLACES.get(rewrite, ()):
                    continue
                after = without_paths(ask(found, words, args))
                wrong = after[1] != before[asked][1] if asked == "text" \
                    else compare(before[asked], after)
                if wrong:
                    found.fail(name, rewrite, seed, asked, wrong)
            for view, words in PPROF.items():
                if ask_pprof(found, words, args) != samples[view]:
                    found.fail(name, rewrite, seed, view, "pprof")
    attack_names(found, folder, before)


def attack_names(found, folder, before):
    model = Model(folder)
    rename(model)
    args = model.write(found.folder / "model")
    for asked in ("scope", "op", "graph"):
        code, out = ask(found, QUESTIONS[asked], args)
        a, b = (own_figures(json.loads(text)["rows"], asked == "scope")
                for text in (before[asked][1], out))
        if code or a != b:
            found.fail(attack.short(folder), "renamed", asked,
                       [x for x in a if x not in b][:1])


def attack_profile(found, path, seeds=3):
    """A profile with its nodes in another order."""
    data = path.read_bytes()
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    copy = found.folder / "profile"
    copy.write_bytes(data)

    def answers():
        args = [f"--profile_path={copy}"]
        return {asked: without_paths(ask(found, words, args))
                for asked, words in QUESTIONS.items() if asked != "text"}
    before = answers()
    for seed in range(seeds):
        message = trace_tree.parse(data, "profile")
        chance = random.Random(seed)
        shuffle(message, 1, chance)
        REWRITES_OF_TRACES["fields"](message, chance)
        copy.write_bytes(trace_tree.write(message))
        for asked, after in answers().items():
            wrong = compare(before[asked], after)
            if wrong:
                found.fail("profile", seed, asked, wrong)


def attack_all(found, folders):
    for folder in folders:
        attack_model(found, pathlib.Path(folder))
        for path in folder.glob("profile"):
            attack_profile(found, path)


if __name__ == "__main__":
    attack.main(attack_all)
