"""`--format proto` gives the message that TensorFlow's own tfprof returns.

The random questions of live_draws.py go to the wheel (judge.py) and to tfprof,
and the messages are compared row by row, every field. Where tfprof decides
otherwise on purpose, the wheel's message is first turned into what was
decided; how often that happened, stands in the summary.

TFPROF_LIVE_DRAWS sets the number of questions, TFPROF_SLOW=1 takes 4000, and
TFPROF_TEST_SEED draws others.
"""

# labels: tf

import collections
import os
import shlex

import pytest

import judge
import node_messages
import program
from faults import SANITIZED, SLOW
from files import needs_shared, needs_tensorflow
from live_draws import DEFAULTS, FOLDER, VIEWS, command, draws

pytestmark = [pytest.mark.recorded, needs_shared, needs_tensorflow]

DRAWS = int(os.environ.get("TFPROF_LIVE_DRAWS")
            or (4000 if SLOW else 40 if SANITIZED else 160))


# ---- Decisions --------------------------------------------------------------

def _by_run_count(rows):
    """The rows below each row, those with more runs in all first."""
    stack = [(-1, [])]
    for depth, own in rows:
        while stack[-1][0] >= depth:
            stack.pop()
        below = []
        stack[-1][1].append((depth, own, below))
        stack.append((depth, below))
    out, waiting = [], list(stack[0][1])
    while waiting:
        depth, own, below = waiting.pop()
        out.append((depth, own))
        below.sort(key=lambda row: -row[1].get("total_run_count", 0))
        waiting += below[::-1]
    return out


def _dims(text):
    return (None if text == "unknown"
            else tuple(int(size) for size in text.split("x")))


def _put_shapes_right(rows, model):
    """Gives each input the shape of the output that it uses; how many."""
    count = 0
    for _, own in rows:
        for node in own.get("graph_nodes", [own]):
            for slot, shape in model.other_shapes.get(
                    node.get("name", ""), {}).items():
                if "input_shapes" in node:
                    node["input_shapes"][slot] = _dims(shape)
                    count += 1
    return count


def _theirs(upstream, draw, walker, decisions):
    view, inputs, options = draw
    asked = {**DEFAULTS, "select": [inputs.select], **options, "output": "none"}
    by_runs = asked["order_by"] == "occurrence" and view in ("scope", "graph")
    if by_runs or asked["order_by"] == "depth":
        asked["order_by"] = ""  # the wheel leaves the order alone then
    types = asked["account_type_regexes"]
    if len(types) > 1 and view in ("op", "code"):
        asked["account_type_regexes"] = ["|".join(f"(?:{t})" for t in types)]
        decisions["types that may overlap: asked as one"] += 1
    rows = walker.rows(upstream.message(view, asked))
    if by_runs:
        rows = _by_run_count(rows)
        decisions["occurrence in scope and graph: put in order of runs"] += 1
    if not inputs.profile and _put_shapes_right(rows, inputs.model):
        decisions["shapes of other outputs: put right"] += 1
    return rows


# ---- Answers ----------------------------------------------------------------

def ours(draw, walker):
    done = program.run(*command(draw), "--format=proto", cwd=FOLDER)
    assert done.returncode == 0, done.stderr.decode()
    return walker.rows(done.stdout)


def test_random_questions_have_the_messages_of_the_wheel(say):
    drawn = collections.defaultdict(list)
    for view in VIEWS:
        for draw in draws(view, -(-DRAWS // len(VIEWS)), "proto"):
            drawn[id(draw.inputs)].append(draw)
    decisions, wrong = collections.Counter(), []
    messages = rows = questions = 0
    with judge.Judge("view_proto_live") as upstream:
        for group in drawn.values():
            with upstream.opened(group[0].inputs.for_the_judge()):
                for draw in group:
                    walker = node_messages.Walker(draw.view)
                    theirs = _theirs(upstream, draw, walker, decisions)
                    walker.messages = 0
                    found = node_messages.difference(ours(draw, walker), theirs)
                    if found:
                        wrong.append(
                            f"$ tfprof {shlex.join(command(draw))}\n{found}")
                    questions += 1
                    rows += len(theirs)
                    messages += walker.messages
    say(f"{questions} questions, {rows} rows, {messages} messages compared, "
        f"{len(wrong)} differences")
    for decision, count in sorted(decisions.items()):
        say(f"decided otherwise, {decision}: {count}")
    if wrong:
        pytest.fail("\n\n".join([f"{len(wrong)} differences in {FOLDER}:",
                                 *wrong[:6]]))
    assert questions >= DRAWS and messages > rows > questions
