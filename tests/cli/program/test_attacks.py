"""The attacks of tests/attack: a sample of each that is the same in every run,
and all of it with TFPROF_SLOW=1, which `.ci/run --full` sets."""

# labels: once, long

import importlib
import os
import sys

import pytest

from faults import SLOW
from program import DATA_DIR, SOURCE_DIR, chooser
from trace_files import FILES

sys.path.insert(0, os.fspath(SOURCE_DIR / "tests" / "attack"))

import attack  # noqa: E402
import trace_tree  # noqa: E402

# Those beside the checkout, too; each name once.
TRACES = {path.name: path for path in (
    *FILES, *sorted((DATA_DIR / "traces").glob("*.xplane.pb")))}
SMALL = ("gen_jax-gpu", "gen_jax-tpu", "gen_tf-gpu", "tf_keras_3steps_py0")


def module(name):
    return importlib.import_module(name)


def chosen(items, count, name):
    items = sorted(items)
    return items if SLOW else chooser(name).sample(items, count)


def traces(count):
    """Small ones, as many as asked for; or all."""
    if SLOW:
        return list(TRACES.values())
    return [TRACES[f"{name}.xplane.pb"] for name in SMALL[:count]]


@pytest.fixture(name="found")
def count_runs(tmp_path, say):
    counted = attack.Attack(tmp_path)
    yield counted
    say(f"runs {counted.runs} bad {len(counted.bad)}")


def end(found):
    assert found.runs > 0
    assert not found.bad, "\n".join(found.bad[:attack.MOST_PRINTED])


@pytest.mark.parametrize("path", traces(3), ids=lambda path: path.name)
def test_answers_about_a_rewritten_trace_are_the_same(found, path):
    permute = module("permute")
    permute.attack_trace(
        found, path, chosen(trace_tree.REWRITES, 4, f"permute {path.name}"),
        [*permute.QUESTIONS, permute.AGGREGATE])
    end(found)


@pytest.mark.parametrize("path", traces(2), ids=lambda path: path.name)
def test_a_rewritten_trace_is_no_change(found, path):
    rewrite = module("rewrite")
    rewrite.attack_trace(
        found, path, chosen(rewrite.REWRITES, 3, f"rewrite {path.name}"))
    end(found)


@pytest.mark.parametrize("name, count", (
    ("totals", 4), ("aggregate_sums", 3), ("formats", 1)))
def test_sums_and_formats_agree(found, name, count):
    module(name).attack_all(found, traces(count))
    end(found)


def test_a_rewritten_model_gives_the_same_answers(found, samples):
    models = module("models")
    folders = [DATA_DIR]
    if SLOW:
        folders += [samples / name for name in (
            "cifar", "resnet", "bert", "lm", "multi")]
    for folder in folders:
        models.attack_model(found, folder, chosen(models.REWRITES, 4, "models"))
        models.attack_profile(found, folder / "profile", 3 if SLOW else 1)
    end(found)


@pytest.mark.parametrize("name, sample, most", (
    ("stored", 8, 500), ("pages", 1, 60), ("prompts", 6, 500),
    ("host_times", 10, 200), ("device_steps", 6, 100)))
def test_random_inputs_and_sessions(found, name, sample, most):
    module(name).attack_all(found, range(most if SLOW else sample))
    end(found)


@pytest.mark.parametrize("name", (
    sorted(module("long_names").SHAPES) if SLOW
    else ["kernel_name"]))
def test_time_grows_as_a_long_name_does(found, name):
    module("long_names").attack_shape(found, name)
    end(found)
