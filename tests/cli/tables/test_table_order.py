"""--sort and --top of steps, kernels, memory and devices, and the overview of
many hosts."""

import json
import re

import fleets
import program
import pytest
from trace_files import named, needs_traces

TABLES = ("steps", "kernels", "memory", "devices")
TIMES = re.compile(r"_micros$")


def answer(*words):
    done = program.run(*words, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def numbers(rows):
    """The columns that have a number in some row."""
    return [key for key in rows[0] if any(
        isinstance(row[key], (int, float)) and not isinstance(row[key], bool)
        for row in rows)]


@needs_traces
@pytest.mark.parametrize("table", TABLES)
def test_rows_are_sorted_by_each_column_with_numbers(table):
    """Unknown values are last, and equal rows keep their order."""
    trace = named("gen_tf-gpu")
    rows = answer(table, trace)[table]
    assert len(numbers(rows)) > 3
    for column in numbers(rows):
        wanted = sorted(rows, key=lambda row: (
            row[column] is None, -(row[column] or 0)))
        for word in {column, TIMES.sub("", column)}:
            assert answer(table, trace, "--sort", word)[table] == wanted


@needs_traces
@pytest.mark.parametrize("table, word, why", [
    ("steps", "total", "steps cannot sort by total_micros (supported: step, "),
    ("kernels", "busy", "kernels cannot sort by busy_micros (supported: "),
    ("memory", "name", "memory cannot sort by name (supported: bytes, "),
    ("devices", "micros", "devices cannot sort by micros (supported: ops, "),
    ("steps", "bussy", "--sort does not accept 'bussy'"),
    ("op", "busy", "views cannot sort by busy_micros (supported: auto, ")])
def test_other_columns_are_refused(table, word, why):
    done = program.run(table, named("gen_jax-gpu"), "--sort", word)
    assert done.returncode != 0 and why in done.stderr.decode()


# ---- Many hosts -------------------------------------------------------------

@pytest.fixture(scope="module")
def hosts(tmp_path_factory):
    """Traces of 9 hosts; h3 is slow."""
    folder = tmp_path_factory.mktemp("hosts")
    for number in range(9):
        (folder / f"h{number}.xplane.pb").write_bytes(fleets.host_trace(
            f"h{number}", 3 if number == 3 else 1))
    return folder


def lines(*words):
    done = program.run(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().splitlines()


@pytest.mark.parametrize("table, most", [("steps", "wall"),
                                         ("devices", "busy")])
def test_top_shows_the_largest_rows_of_many_hosts(hosts, table, most):
    sort = ["--sort", most]
    whole = lines(table, hosts, *sort, "--top", "0")
    some = lines(table, hosts, "--top", "2")
    assert some[:3] == whole[:3]
    if table == "devices":
        assert "h3" in some[1] and "GPU:1" in some[1]


@needs_traces
def test_top_shows_the_largest_pools():
    trace = named("jax_tpu_inference")
    pools = answer("memory", trace)["pools"]
    shown = lines("memory", trace, "--top", "2")
    largest = sorted(pools, key=lambda pool: -pool["peak_bytes"])[:2]
    assert [line.partition("  ")[0] for line in shown[1:3]] == [
        f"memory {pool['allocator']}" for pool in largest]
    assert shown[3] == f"... and {len(pools) - 2} more (--top 0 shows all)"


@pytest.mark.parametrize("table", ["steps", "devices"])
def test_more_than_8_hosts_have_quantiles_and_extremes(hosts, table):
    text = "\n".join(lines(table, hosts))
    rows = answer(table, hosts)[table]
    quantiles, extremes = text.split("\n\n")[:2]
    assert [line.split()[0] for line in quantiles.splitlines()[1:]] == [
        "min", "p10", "p50", "p90", "max"]
    ranked = sorted(row["busy_micros"] for row in rows)
    column = next(at for at, title in enumerate(
        re.split(r"  +", quantiles.splitlines()[0])) if title == "busy")
    shown = [float(re.split(r"  +", line)[column].removesuffix("us"))
             for line in quantiles.splitlines()[1:]]
    assert shown == [ranked[max(0, -(-len(ranked) * q // 100) - 1)]
                     for q in (0, 10, 50, 90, 100)]
    named_rows = extremes.splitlines()[2:-1]
    assert len(named_rows) == 10 and all("/host:h" in row for row in named_rows)
    if table == "devices":
        assert "/host:h3/device:GPU:1" in named_rows[0]
    assert extremes.splitlines()[-1].startswith(f"... and {len(rows) - 10} more")
    for number in range(8, 9):
        (hosts / f"h{number}.xplane.pb").rename(hosts.parent / "other")
    assert "p10" not in "\n".join(lines(table, hosts))
    (hosts.parent / "other").rename(hosts / "h8.xplane.pb")
