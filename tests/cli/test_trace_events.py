"""How events of traces become runs: damage, order, steps and devices. The
traces are made here, so every number is known."""

import pytest

import program
from trace_build import Plane, space
from trace_files import nodes, steps, times, view
from wirebytes import field, integer


@pytest.fixture
def write(tmp_path):
    def write(*planes, name="made.xplane.pb"):
        path = tmp_path / name
        path.write_bytes(space(*planes))
        return path
    return write


def root(plane, begin, length, step, level=1, name="train", **stats):
    return plane.event(name, begin, length, _r=level, step_num=step, **stats)


def of_step(path, step):
    """Picoseconds and runs."""
    whole = times(view("scope", "--step", str(step), path)["total"])
    return whole.cpu + whole.accelerator, whole.runs


# ---- Damage in the second pass ------------------------------------------

# A stat that ends inside of a number: seen only when stats are read.
BROKEN = field(4, integer(1, 1) + integer(2, 700) + integer(3, 10)
               + field(4, b"\x08"))


def salvaged(path, *args):
    done = program.run("scope", "--salvage", "--select", "micros,occurrence",
                       path, *args)
    assert done.returncode == 1 and b"partial: " in done.stderr
    return done.stdout.decode()


def test_XS_01_salvage_keeps_events_before_a_damaged_stat(write):
    host = Plane("/host:CPU")
    host.line(1, "python", root(host, 0, 1000, 3),
              host.event("a:A", 100, 50), host.event("a:A", 200, 50), BROKEN,
              host.event("a:A", 800, 50))
    path = write(host)
    assert program.run("scope", path).returncode == 1
    assert "a (0us/0us, 0us/0us, 0us/0us, 2/2|1/1)" in salvaged(path)
    assert steps("--salvage", path) == [3]


def test_XS_01_salvage_reads_the_planes_after_a_damaged_one(write):
    host, gpu = Plane("/host:CPU"), Plane("/device:GPU:0")
    host.line(1, "python", root(host, 0, 1000, 3), BROKEN)
    gpu.line(1, "Stream #1", gpu.event("k", 100, 50, tf_op="b:B"))
    assert "b (0us/0us, 0us/0us, 0us/0us, 1/1|1/1)" in salvaged(write(host, gpu))


def test_XS_01_salvage_keeps_open_operations_of_a_tpu(write):
    tpu = Plane("/device:TPU:0")
    kinds = [tpu.event_id(f"%{name}", name, [tpu.stat("program_id", 1),
                                             tpu.stat("tf_op", f"s/{name}:")])
             for name in ("outer", "inner")]
    tpu.line(1, "XLA Ops", tpu.event(kinds[0], 0, 1000),
             tpu.event(kinds[1], 100, 300), BROKEN)
    text = salvaged(write(tpu))
    assert text.count("1/1|1/1)") == 2


# ---- Metrics ------------------------------------------------------------


@pytest.mark.parametrize("word", ["bytes", "peak_bytes", "residual_bytes",
                                  "output_bytes", "queue_micros"])
def test_a_metric_that_traces_do_not_have_is_told(write, word):
    host = Plane("/host:CPU")
    host.line(1, "python", host.event("a:A", 100, 50))
    done = program.run("op", "-select", f"{word},micros", write(host))
    assert done.stderr.decode() == (
        f"tfprof: note: {word} is not read from traces, so their runs count 0 "
        "(--run_meta_path reads files that have it)\n")
    assert not program.run("op", "-select", "micros", write(host)).stderr
