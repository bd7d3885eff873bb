"""Sizes that graphs compute: what TensorFlow knows, and what we know beyond."""

# labels: tf

import csv
import io
import pathlib

import pytest

import program
import recorded

pytestmark = pytest.mark.recorded

GRAPHS, STEPS = 24, 150
MAKER = pathlib.Path(program.SOURCE_DIR) / "tests" / "lib" / "folding.py"
RECORD = recorded.record("shape_fold", "tensorflow-cpu")


def question(**words):
    return {**words, "made by": recorded.digest_of_files(MAKER)}


def about(number):
    """A random graph, as folding.about() has it."""
    def ask():
        import folding
        return folding.about(name, STEPS)

    name = f"fold {number}"
    return RECORD.answer(question(name=name, steps=STEPS), ask)


def run(number, tensors):
    """What a run gives these tensors, as folding.run() has it."""
    def ask(numbers):
        import folding
        return folding.run(name, STEPS, [tensors[i] for i in numbers])

    name = f"fold {number}"
    return RECORD.answers(
        [question(name=name, steps=STEPS, runs=tensor) for tensor in tensors],
        ask)


def listed(graph, path):
    """The list of tensors as tfprof has it."""
    path.write_bytes(graph)
    done = program.run("flops", path, "--list", "tensors", "--format", "csv",
                       "--batch", "-1")
    assert done.returncode in (0, 3), done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout.decode())))


def differing(told, path):
    """Lines that say what TensorFlow knows otherwise."""
    found = {row["tensor"]: row["shape_tensorflow"]
             for row in listed(told["graph"], path)}
    return [f"{tensor}: {found.get(tensor)}, TensorFlow {shape}, "
            f"{told['makers'][tensor]}"
            for tensor, shape in told["shapes"].items()
            if found.get(tensor) != shape]


@pytest.mark.parametrize("number", range(GRAPHS))
def test_random_sizes_are_known_as_to_tensorflow(number, tmp_path, say):
    told = about(number)
    wrong = differing(told, tmp_path / "graph.pb")
    say(f"{len(told['shapes'])} tensors, {told['probes']} sizes")
    assert told["probes"] > 20
    assert not wrong, "\n".join(wrong[:20])


def _fits(said, actual):
    if said == "?":
        return True
    dims = [dim for dim in said[1:-1].split(",") if dim]
    return len(dims) == len(actual) and all(
        dim in ("?", str(size)) for dim, size in zip(dims, actual))


def test_what_we_know_beyond_is_what_a_run_computes(tmp_path, say):
    known, checked, wrong = 0, 0, []
    for number in range(0, GRAPHS, 3):
        told = about(number)
        said = {row["tensor"]: row["shape"]
                for row in listed(told["graph"], tmp_path / f"{number}.pb")
                if row["grade"] == "beyond"}
        known += len(said)
        for tensor, actual in zip(said, run(number, list(said))):
            if actual is None:
                continue
            checked += 1
            if not _fits(said[tensor], actual):
                wrong.append(
                    f"{tensor}: {said[tensor]}, a run gives {actual}, "
                    f"{told['makers'][tensor]}")
    say(f"{known} known beyond TensorFlow, {checked} of them run")
    assert not wrong, "\n".join(wrong[:20])
    assert checked > 30


# ---- Chains as models have them ------------------------------------------

# What folding.py builds; a test is about each.
CHAINS = (
    "flatten", "flatten by product", "heads", "prefix and suffix",
    "product of a suffix", "range of a size", "range of a rank",
    "range of something computed", "filled", "zeros", "one hot", "scaled",
    "scaled and cut", "mean of a gradient", "sum of a gradient",
    "broadcast gradient", "transposed", "padded", "tiled", "sliced", "split",
    "gathered", "wraps around", "divides by zero")


def chains():
    def ask():
        import folding
        return folding.chains()

    return RECORD.answer(question(chains="all"), ask)


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_is_known_as_to_tensorflow(name, tmp_path):
    wrong = differing(chains()[name], tmp_path / "graph.pb")
    assert not wrong, "\n".join(wrong)


def test_every_chain_is_tried():
    assert set(chains()) == set(CHAINS)


def test_a_product_of_known_sizes_is_known_beyond(tmp_path):
    """TensorFlow follows a slice of a shape, but not a product of one."""
    def ask():
        import folding
        return folding.product()

    told = RECORD.answer(question(product="of sizes"), ask)
    row = {row["tensor"]: row for row in listed(
        told["graph"], tmp_path / "graph.pb")}[told["flat"]]
    assert (row["shape"], row["shape_tensorflow"], row["grade"]) == (
        "[?,30]", "[?,?]", "beyond")
