"""Words that people type, each with what it is answered, on the sample models that
every package has. The cases around them are tested where the parts are: option
words, usage, help, kinds, runs, timelines, advice, demo."""

import os
import shutil

import pytest

from faults import complaint, run
from messages import notes


@pytest.fixture(scope="module", name="folder")
def write_samples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("typed") / "samples"
    code, _, err = run("demo", str(folder))
    assert (code, err) == (0, b"")
    return folder


def answer(folder, *words, data=b""):
    code, out, err = run(*words, cwd=folder, data=data)
    assert code == 0, err
    return out.decode(), notes(err)


def refusal(folder, code, *words, data=b""):
    found, out, err = run(*words, cwd=folder, data=data)
    assert (found, out) == (code, b""), err
    return complaint(err)


@pytest.mark.parametrize("word, metric", [
    ("time", "micros"), ("memory", "bytes"), ("flops", "float_ops")])
def test_words_for_metrics(folder, word, metric):
    asked = [answer(folder, "op", "multi", "-select", name, "-order_by", name)
             for name in (word, metric)]
    assert asked[0] == asked[1] and asked[0][0].count("\n") > 3


@pytest.mark.parametrize("metric", ["micros", "bytes", "float_ops", "params",
                                    "occurrence", "time"])
def test_help_on_a_metric(folder, metric):
    assert "-select" in answer(folder, "help", metric)[0]


@pytest.mark.parametrize("word, sample, meant", [
    ("top", "jax", "tfprof op INPUT --select micros --order_by micros"),
    ("layers", "tf1_cnn", "tfprof flops MODEL --list layers"),
    ("params", "multi", "tfprof scope INPUT --select params --order_by params"),
])
def test_words_for_commands(folder, word, sample, meant):
    told = f"there is no command '{word}'; try: "
    assert refusal(folder, 2, word, sample) == told + meant
    args = meant.replace("INPUT", sample).replace("MODEL", sample).split()[1:]
    assert answer(folder, *args)[0]
    at_prompt = " ".join(w for w in meant.split()[1:] if not w.isupper())
    code, _, err = run("--strict", sample, cwd=folder, data=word.encode())
    assert (code, complaint(err)) == (2, f"line 1: {told}{at_prompt}")


def test_a_step_by_the_name_of_its_file(folder, tmp_path):
    for name in ("graph.pb", "op_log"):
        shutil.copy(folder / "multi" / name, tmp_path)
    shutil.copy(folder / "multi/run_meta_1", tmp_path / "run_meta_5")
    files = ["graph.pb", "run_meta_5"]
    words = ["op", *files, "-select", "micros"]
    named, told = answer(tmp_path, *words, "-step", "5")
    assert told == ["there is no step 5; step 0 is used, because the name of "
                    "its file contains 5: run_meta_5 (to number a file, use "
                    "--run_meta_path 5=FILE)"]
    assert answer(tmp_path, *words, "-step", "0") == (named, [])
    numbered = ["op", "graph.pb", "--run_meta_path", "7=run_meta_5", "-select",
                "micros", "-step"]
    assert answer(tmp_path, *numbered, "7") == (named, [])
    assert refusal(tmp_path, 2, *numbered, "5") == \
        "there is no step 5 (steps: 7)"


def test_a_folder_with_nothing_readable(tmp_path):
    (tmp_path / "x").mkdir()
    for words in ([], ["scope"], ["flops"], ["advise"]):
        assert refusal(tmp_path, 1, *words, "x", data=b"scope\n") == \
            "x: no supported file in this directory (it is empty)"


def test_advice_without_runs(folder):
    for form in ("text", "table", "json"):
        assert answer(folder, "advise", "tf1_cnn", "--format", form)[1] == [
            "no run records, so times are unknown (give run metadata, a "
            "trace, or a profile of a run: --run_meta_path, --profile_path)"]


@pytest.mark.parametrize("name, written", [
    ("t.json", ["t_0.json", "t_1.json"]), ("t", ["t_0", "t_1"])])
def test_timelines_of_several_steps(folder, tmp_path, name, written):
    answer(tmp_path, "graph", folder / "multi", "-output",
           f"timeline:outfile={name}")
    assert sorted(os.listdir(tmp_path)) == written
