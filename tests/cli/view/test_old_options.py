"""-device_regexes, -select num_hidden_ops and -order_by depth, which TensorFlow
has dropped, against a model of them that stands here.

Small models and questions are drawn at random. The model knows the nodes from
which the files were made, not what the program reads from them, and follows
docs/views.md, "Which rows count, and which are shown", step by step.

TFPROF_OLD_DRAWS sets the number of questions, TFPROF_SLOW=1 takes 1,000, and
TFPROF_TEST_SEED draws others.
"""

import collections
import json
import os
import re

import program
from faults import SLOW
from messages import node_def, record, run_of

DRAWS = int(os.environ.get("TFPROF_OLD_DRAWS") or (1000 if SLOW else 100))
VIEWS = ("scope", "graph", "op")
ROOT = "_TFProfRoot"
DEVICES = [f"/job:{job}/replica:0/task:{task}/device:{kind}:0"
           for job in ("worker", "ps") for task in (0, 1)
           for kind in ("CPU", "GPU")]
OPERATIONS = ("VariableV2", "Add", "Conv2D", "MatMul", "Identity")
PARTS = ("a", "b", "a-b", "b.c", "unit_1", "unit_2", "w")  # - and . before /


# ---- A model -----------------------------------------------------------------

class Node:
    """A node of the graph, of the scope tree, or a type of operation."""

    def __init__(self, name, operation="", params=0, device=""):
        self.name, self.operation = name, operation
        self.own, self.devices = params, [device] if device else []
        self.inputs = []
        self.below = []  # what stands below it in a view
        self.count = 1 if operation else 0  # nodes of the graph that it is

    def accounts(self, options):
        return any(re.fullmatch(pattern, kind)
                   for pattern in options["account_type_regexes"]
                   for kind in (self.operation, *self.devices) if kind)


def draw_nodes(chance):
    """Nodes in an order in which inputs come first."""
    names = {"/".join(chance.choices(PARTS, k=chance.randint(1, 4)))
             for _ in range(chance.randint(1, 24))}
    names = sorted(names)
    chance.shuffle(names)
    nodes = []
    for name in names:
        operation = chance.choice(OPERATIONS)
        params = 0
        if operation == "VariableV2":
            params = chance.choice([1, 2, 3, 10, 100])
        device = chance.choice(DEVICES) if chance.random() < .7 else ""
        node = Node(name, operation, params, device.lower())
        node.ran_on = device
        node.inputs = chance.sample(nodes, min(len(nodes),
                                               chance.choice([0, 1, 1, 2, 3])))
        nodes.append(node)
    return nodes


def files(nodes):
    """The GraphDef and the RunMetadata of a model."""
    graph = b"".join(node_def(
        node.name.encode(), node.operation.encode(),
        [source.name.encode() for source in node.inputs],
        shape=[node.own] if node.own else None) for node in nodes)
    runs = collections.defaultdict(bytes)
    for node in nodes:
        if node.ran_on:
            runs[node.ran_on] += record(node.name.encode())
    return graph, run_of(*((device.encode(), records)
                           for device, records in runs.items()))


# ---- Views of it -------------------------------------------------------------

def scopes(nodes, _):
    """The root of the tree of names."""
    root = Node(ROOT)
    every = {node.name: node for node in copies(nodes)}
    for name in list(every):
        while "/" in name:
            name = name.rpartition("/")[0]
            every.setdefault(name, Node(name))
    for name, node in sorted(every.items()):
        above = every[name.rpartition("/")[0]] if "/" in name else root
        above.below.append(node)
    return root


def copies(nodes):
    made = {}
    for node in nodes:
        copy = Node(node.name, node.operation, node.own, "".join(node.devices))
        copy.inputs = [made[source.name] for source in node.inputs]
        made[node.name] = copy
    return list(made.values())


def flow(nodes, _):
    """The root of the graph: each node stands where it is met first."""
    root = Node(ROOT)
    nodes = sorted(copies(nodes), key=lambda node: node.name)
    used = {source for node in nodes for source in node.inputs}
    met = set()

    def visit(node, above):
        if node not in met:
            met.add(node)
            above.below.append(node)
            for source in node.inputs:
                visit(source, node)

    for node in nodes:
        if node not in used:
            visit(node, root)
    return root


def types(nodes, options):
    """The root of the chain of types."""
    found = {}
    for node in copies(nodes):
        if node.accounts(options):
            one = found.setdefault(node.operation, Node(node.operation, ".*"))
            one.own += node.own
            one.count += 1
            one.devices += [device for device in node.devices
                            if device not in one.devices]
    for one in found.values():
        one.count -= 1
    chain = sorted(found.values(), key=lambda one: one.name)
    if options["order_by"] == "params":
        chain.sort(key=lambda one: -one.own)
    root = above = Node(ROOT)
    for one in chain:
        above.below.append(one)
        above = one
    return root


# ---- Steps of views.md -------------------------------------------------------

def matches(patterns, name):
    return any(re.fullmatch(pattern, name) for pattern in patterns)


def account(node, view, options):
    """Steps 1 and 2: who counts, and what all below a node comes to."""
    node.counts = view == "op" or bool(node.operation) and node.accounts(
        options)
    node.counted = node.count if node.counts else 0
    below = []
    for one in node.below:
        account(one, view, options)
        if one.counts or view == "scope" and one.below:
            below.append(one)
        elif view != "scope":
            below += one.below
    node.below = below
    # A row of the scope view that stays for what is below it adds its own.
    node.total = node.own + sum(one.total for one in below)
    node.all_below = sum(one.counted + one.all_below for one in below)


def started(node, patterns):
    """Step 3: the rows that match and are not below another."""
    for one in node.below:
        if matches(patterns, one.name):
            yield one
        else:
            yield from started(one, patterns)


def is_shown(node, view, options):
    """Step 5."""
    least = options["min_params"]
    if (node.total if view == "op" else node.own) < least:
        return False
    devices = options["device_regexes"]
    if devices != [".*"] and not any(matches(devices, device)
                                     for device in node.devices):
        return False
    return (matches(options["show_name_regexes"], node.name)
            and not matches(options["hide_name_regexes"], node.name))


def shown(nodes, depth, view, options):
    """Steps 4 to 7: the rows of these nodes that are shown."""
    found = []
    for node in nodes:
        if depth > options["max_depth"] + 2 * (view == "op"):
            break  # the op view does not show its root, and a row more
        is_trimmed = matches(options["trim_name_regexes"], node.name)
        if is_trimmed and view == "op":
            break
        below = [] if is_trimmed else shown(node.below, depth + 1, view,
                                            options)
        if node.name == ROOT or is_shown(node, view, options):
            node.rows = below
            if options["account_displayed_op_only"]:
                node.total = node.own + sum(one.total for one in below)
            order(node.rows, view, options)
            node.hidden = node.all_below - sum(map(displayed, node.rows))
            found.append(node)
        else:
            found += below
    return found


def displayed(row):
    """Nodes that count among a row and those shown below it."""
    return row.counted + sum(map(displayed, row.rows))


def order(rows, view, options):
    if view == "op" or options["order_by"] == "depth":
        return
    if options["order_by"] == "name":
        rows.sort(key=lambda row: row.name)
    else:
        rows.sort(key=lambda row: -row.total)


def answer(nodes, view, options):
    """[(level, name, parameters of its own, of all, hidden, devices)]"""
    root = {"scope": scopes, "graph": flow, "op": types}[view](nodes, options)
    account(root, view, options)
    if options["start_name_regexes"] != [".*"]:
        root.below = list(started(root, options["start_name_regexes"]))
    root, = shown([root], 1, view, options)
    found = []

    def put(row, level):
        found.append((level, row.name, row.own, row.total,
                      row.hidden, sorted(row.devices)))
        for one in row.rows:
            put(one, level + 1)

    put(root, 0)
    return found


# ---- Questions ---------------------------------------------------------------

NAMES = ("a.*", ".*/b", ".*w", "unit_1.*", ".*a-b.*", "b", ".*[12]/.*")
DEFAULTS = {
    "max_depth": 10, "order_by": "name", "min_params": 0,
    "account_type_regexes": [".*"], "start_name_regexes": [".*"],
    "trim_name_regexes": [], "show_name_regexes": [".*"],
    "hide_name_regexes": [], "device_regexes": [".*"],
    "account_displayed_op_only": False,
}
PATTERNS = {
    "account_type_regexes": (*OPERATIONS, ".*cpu.*", "Add|Conv2D", ".*ps.*"),
    "device_regexes": (".*cpu:0", ".*gpu.*", ".*/job:ps/.*", ".*task:1.*",
                       ".*worker.*task:0.*gpu:0", ".*tpu.*"),
}


def draw_options(chance, view):
    """At least one of the three that this is about."""
    options = dict(DEFAULTS)
    options["order_by"] = chance.choice(["depth", "depth", "name", "params"])
    names = OPERATIONS if view == "op" else NAMES
    for key in ("account_type_regexes", "start_name_regexes",
                "trim_name_regexes", "show_name_regexes", "hide_name_regexes",
                "device_regexes"):
        share = .5 if key == "device_regexes" else .12
        if chance.random() < share:
            options[key] = chance.sample(PATTERNS.get(key, names),
                                         chance.choice([1, 1, 2]))
    if chance.random() < .5:
        options["max_depth"] = chance.randint(1, 5)
    if chance.random() < .2:
        options["min_params"] = chance.choice([1, 2, 10])
    options["account_displayed_op_only"] = chance.random() < .2
    return options


def words(options):
    for key, value in options.items():
        if value != DEFAULTS[key]:
            yield f"--{key}=" + (
                ",".join(value) if isinstance(value, list)
                else str(value).lower())


def asked(view, options, folder):
    done = program.run(view, f"--graph_path={folder / 'graph'}",
                       f"--run_meta_path={folder / 'run'}", *words(options),
                       "--select=params,num_hidden_ops,device",
                       "--format=json", "--quiet")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["rows"]


def compared(view, rows, want):
    """Both answers in one form."""
    if view == "op":
        want = [(1, *row[1:]) for row in want[1:]]
    got = [(row["depth"], row["name"], row["self"]["params"],
            row["total"]["params"], row["num_hidden_ops"],
            sorted(row["devices"])) for row in rows]
    return got, want


def test_random_questions_have_the_answers_of_the_model(tmp_path, say):
    chance = program.chooser("old options")
    seen = collections.Counter()
    wrong = []
    for number in range(DRAWS):
        view = VIEWS[number % len(VIEWS)]
        nodes = draw_nodes(chance)
        for name, data in zip(("graph", "run"), files(nodes)):
            (tmp_path / name).write_bytes(data)
        options = draw_options(chance, view)
        got, want = compared(view, asked(view, options, tmp_path),
                             answer(nodes, view, options))
        seen[view] += 1
        seen["rows"] += len(want)
        seen["with hidden nodes"] += any(row[4] for row in want)
        for key in ("order_by", "device_regexes"):  # without it, another answer
            plain = {**options, key: DEFAULTS[key]}
            seen[f"changed by {key}"] += want != compared(
                view, [], answer(nodes, view, plain))[1]
        if got != want:
            wrong.append(f"{view} {' '.join(words(options))}\n"
                         f"  {got}\n  not\n  {want}")
    say(", ".join(f"{count} {what}" for what, count in seen.items()))
    assert not wrong, "\n".join([f"{len(wrong)} of {DRAWS} differ", *wrong[:3]])
    if DRAWS >= 100:  # fewer say nothing about shares
        assert seen["with hidden nodes"] > DRAWS / 4
        assert seen["changed by order_by"] > DRAWS / 10
        assert seen["changed by device_regexes"] > DRAWS / 8
