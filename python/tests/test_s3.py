"""Inputs in object stores: the store is moto's S3 server on loopback, pyarrow
uploads files, and views must equal those of the local files."""

from __future__ import annotations

import gc
import http.server
import json
import os
import pickle
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fleets
import pytest
from checkpoints import sound
from inputs import DATA, GRAPH, LOG, RUN

import tfprof
import tfprof.fleet
from tfprof import _remote

TRACE = DATA / "traces" / "jax_mlp_3steps_py0.xplane.pb"
NAMES = ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_REGION",
         "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
         "AWS_SESSION_TOKEN", "AWS_PROFILE")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of an S3 server for these tests."""
    from moto.server import ThreadedMotoServer
    found = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    found.start()
    host, port = found.get_host_and_port()
    yield f"http://{host}:{port}"
    found.stop()


@pytest.fixture
def store(server: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The server, with an empty bucket `runs`. The environment variables of the
    AWS tools refer to it."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL", server)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    import pyarrow.fs
    files = pyarrow.fs.S3FileSystem(
        endpoint_override=server.partition("://")[2], scheme="http",
        region="us-east-1", allow_bucket_creation=True)
    files.create_dir("runs")
    files.delete_dir_contents("runs", missing_dir_ok=True)
    return files


def put(store: Any, key: str, source: Path | bytes) -> str:
    data = source if isinstance(source, bytes) else source.read_bytes()
    with store.open_output_stream(f"runs/{key}") as file:
        file.write(data)
    return f"s3://runs/{key}"


def views(profile: tfprof.Profile) -> list[str]:
    return [getattr(profile, kind)(max_depth=100).to_csv()
            for kind in ("scope", "graph", "op", "code")]


# ---- The same as local ------------------------------------------------------

def test_views_of_objects_equal_local_views(store: Any) -> None:
    graph, run, log = (put(store, f"w0/{path.name}", path)
                       for path in (GRAPH, RUN, LOG))
    here = views(tfprof.open(graph=GRAPH, run_meta=RUN, op_log=LOG))
    assert views(tfprof.open(graph=graph, run_meta=run, op_log=log)) == here
    assert views(tfprof.open(graph, run, log)) == here
    steps = tfprof.open(graph, log, run_meta={7: run, 9: run})
    local = tfprof.open(GRAPH, LOG, run_meta={7: RUN, 9: RUN})
    assert views(steps) == views(local)
    assert steps.op(step=7).to_csv() == local.op(step=7).to_csv()


def test_compressed_objects_and_traces_are_read(store: Any) -> None:
    packed = put(store, "graph.pb.gz", DATA / "graph.pb.gz")
    assert (tfprof.open(packed).scope(select=["params"]).to_csv()
            == tfprof.open(GRAPH).scope(select=["params"]).to_csv())
    trace = put(store, "host.xplane.pb", TRACE)
    assert len(tfprof.open(trace).steps()) == len(tfprof.open(TRACE).steps())
    assert tfprof.open(trace).op().to_csv() == tfprof.open(TRACE).op().to_csv()


def test_keys_are_used_as_they_are(store: Any) -> None:
    url = put(store, "a b/100%25 #é.pb", GRAPH)
    found = tfprof.open(url)
    assert found.info()["model"]["nodes"] == 8
    assert found.inputs[0].path == url


def test_prefix_is_read_as_a_folder(store: Any, tmp_path: Path) -> None:
    for path in (GRAPH, RUN, LOG):
        put(store, f"job/w0/{path.name}", path)
        (tmp_path / path.name).write_bytes(path.read_bytes())
    for name in ("notes.txt", "below/graph.pb"):  # skipped, as in a folder
        put(store, f"job/w0/{name}", b"not a model")
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"not a model")
    for url in ("s3://runs/job/w0", "s3://runs/job/w0/"):
        found, local = tfprof.open(url), tfprof.open(tmp_path)
        assert views(found) == views(local)
        assert [one.path for one in found.inputs] == [
            one.path.replace(os.fspath(tmp_path), "s3://runs/job/w0")
            for one in local.inputs]
        assert found.info()["files"][0]["path"] == "s3://runs/job/w0"


def test_newest_run_of_a_log_directory_is_read(
        store: Any, tmp_path: Path) -> None:
    for run, trace in (("2026_01_01", TRACE), ("2026_01_02", TRACE.with_name(
            "jax_mlp_3steps_py1.xplane.pb"))):
        name = f"plugins/profile/{run}/host.xplane.pb"
        put(store, f"logs/{name}", trace)
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(trace.read_bytes())
    found = tfprof.open("s3://runs/logs")
    assert found.op().to_csv() == tfprof.open(tmp_path).op().to_csv()
    assert [one.path for one in found.inputs] == [
        "s3://runs/logs/plugins/profile/2026_01_02/host.xplane.pb"]


def test_copies_go_with_the_profile(
        store: Any, tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", os.fspath(tmp_path))
    put(store, "w0/graph.pb", GRAPH)
    found = tfprof.open("s3://runs/w0", "s3://runs/w0/graph.pb")
    assert len(list(tmp_path.iterdir())) == 2
    view = found.scope()
    found.close()
    del found, view
    gc.collect()
    assert not list(tmp_path.iterdir())


def test_names_of_objects_stay_below_the_copy(
        store: Any, tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch) -> None:
    class Listing:
        """A store with an object whose name is outside of the folder."""

        def get_file_info(self, what: Any) -> Any:
            import pyarrow.fs as pf
            if isinstance(what, pf.FileSelector):
                return [pf.FileInfo("runs/w0/../../x", pf.FileType.File),
                        *store.get_file_info(what)]
            return store.get_file_info(what)

        def open_input_stream(self, path: str) -> Any:
            return store.open_input_stream(path)

    put(store, "w0/graph.pb", GRAPH)
    monkeypatch.setattr(_remote, "filesystem",
                        lambda url: (Listing(), url.partition("://")[2]))
    assert len(tfprof.open("s3://runs/w0").inputs) == 1


def test_checkpoint_is_its_index(store: Any, tmp_path: Path) -> None:
    checkpoint = sound().write(tmp_path / "model.ckpt")
    for path in sorted(tmp_path.iterdir()):
        put(store, f"model/{path.name}", path)
    wanted = tfprof.open(checkpoint=checkpoint).scope(
        account_type_regexes=["_checkpoint_variables"]).to_csv()
    for url in ("s3://runs/model/model.ckpt", "s3://runs/model/model.ckpt.index",
                "s3://runs/model"):
        found = tfprof.open(checkpoint=url).scope(
            account_type_regexes=["_checkpoint_variables"])
        assert found.to_csv() == wanted, url


# ---- Fleets -----------------------------------------------------------------

def test_fleet_reports_equal_local_reports(store: Any, tmp_path: Path) -> None:
    fleets.fleet(tmp_path / "fleet", [fleets.written_template(4)], 12,
                 steps=30, slow=5)
    files = sorted((tmp_path / "fleet").rglob("*.parquet"))
    assert len(files) == 48
    for path in files:
        put(store, os.fspath(path.relative_to(tmp_path)), path)

    def answers(path: str) -> list[dict[str, Any]]:
        with tfprof.fleet.open(path) as found:
            # Means are sums of threads, whose order is another each time.
            return [json.loads(result.to_json(),
                               parse_float=lambda text: f"{float(text):.9g}")
                    for result in (found.report(), found.stragglers(),
                                   found.excluded())]

    here = answers(os.fspath(tmp_path / "fleet"))
    assert answers("s3://runs/fleet") == here
    assert [row["worker"] for row in here[1]["workers"]
            if row["named"]] == ["w00005"]
    with pytest.raises(tfprof.Error, match="Empty path component"):
        tfprof.fleet.open("s3://runs//fleet")
    with pytest.raises(tfprof.Error, match=r"s3://none.*bucket"):
        tfprof.fleet.open("s3://none/fleet").report()


# ---- Errors -----------------------------------------------------------------

def check_error(kind: type[Exception], words: str, *inputs: Any,
                **roles: Any) -> tfprof.Error:
    with pytest.raises(kind) as caught:
        tfprof.open(*inputs, **roles)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    error = caught.value
    assert isinstance(error, tfprof.Error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    return error


def test_missing_objects_are_named(store: Any) -> None:
    put(store, "w0/graph.pb", GRAPH)
    for key in ("w0/grap", "w0/graph.pb/x", "none"):
        error = check_error(tfprof.ReadError, f"s3://runs/{key}: no object or "
                            "folder has this address", f"s3://runs/{key}")
        assert isinstance(error, tfprof.ReadError)
        assert error.errno == 2
    check_error(tfprof.ReadError, "s3://none: no such bucket",
                graph="s3://none/graph.pb")
    check_error(tfprof.ReadError, "s3://: the address has no bucket", "s3://")


def test_damaged_objects_are_named(store: Any) -> None:
    short = put(store, "w0/graph.pb", GRAPH.read_bytes()[:100])
    check_error(tfprof.CorruptInput, "s3://runs/w0/graph.pb: offset ", short)
    check_error(tfprof.CorruptInput, "s3://runs/w0/graph.pb: offset ",
                "s3://runs/w0")
    empty = put(store, "notes/readme.txt", b"text")
    check_error(tfprof.CorruptInput, f"{empty}: unknown file type", empty)
    check_error(tfprof.OptionError, "s3://runs/notes: no supported file in "
                "this directory (found: readme.txt)", "s3://runs/notes")
    kept = tfprof.open(short, salvage=True)
    assert kept.inputs[0].status == "partial"


def authenticate(server: str, after: int) -> None:
    """Makes the server check credentials after this number of requests."""
    urllib.request.urlopen(urllib.request.Request(
        f"{server}/moto-api/reset-auth", str(after).encode(),
        {"Content-Type": "text/plain"})).close()


def test_wrong_credentials_name_the_variables(store: Any, server: str) -> None:
    url = put(store, "w0/graph.pb", GRAPH)
    authenticate(server, 0)
    try:
        error = check_error(tfprof.ReadError, f"{url}: access denied (set "
                            "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or "
                            "AWS_PROFILE): ", url)
    finally:
        authenticate(server, 1 << 30)
    assert isinstance(error, tfprof.ReadError)
    assert error.errno == 13
    tfprof.open(url)


class Denies(http.server.BaseHTTPRequestHandler):
    """Answers unsigned requests to a private bucket as S3 does. moto cannot do
    this."""

    def do_HEAD(self) -> None:
        assert "Authorization" not in self.headers
        self.send_response(403)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


def test_missing_credentials_name_the_variables(
        store: Any, monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, os.fspath(tmp_path / "none"))
    with http.server.HTTPServer(("127.0.0.1", 0), Denies) as denies:
        thread = threading.Thread(target=denies.serve_forever)
        thread.start()
        monkeypatch.setenv("AWS_ENDPOINT_URL",
                           f"http://127.0.0.1:{denies.server_port}")
        try:
            check_error(tfprof.ReadError, "s3://runs/graph.pb: access denied "
                        "(set AWS_ACCESS_KEY_ID", "s3://runs/graph.pb")
        finally:
            denies.shutdown()
            thread.join()


def test_unreachable_server_names_the_variables(
        store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as unused:  # bound, and nothing listens
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL",
                           f"http://127.0.0.1:{unused.getsockname()[1]}")
        check_error(tfprof.ReadError, "s3://runs/graph.pb: cannot reach the "
                    "server (check the network, AWS_ENDPOINT_URL and "
                    "AWS_REGION): ", "s3://runs/graph.pb")


def test_other_stores_are_left_to_pyarrow(
        store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.fs

    def refuse(url: str) -> Any:
        raise NotImplementedError("built without it")

    class Fake:
        from_uri = staticmethod(refuse)

    monkeypatch.setattr(pyarrow.fs, "FileSystem", Fake)
    for url in ("gs://b/k", "abfss://b@c/k", "hdfs://host/k"):
        check_error(tfprof.UnsupportedInput, f"{url}: pyarrow cannot open this "
                    "address", url)


def test_settings_in_an_address(store: Any, server: str,
                                monkeypatch: pytest.MonkeyPatch) -> None:
    url = put(store, "graph.pb", GRAPH)
    monkeypatch.delenv("AWS_ENDPOINT_URL")
    host = server.partition("://")[2]
    found = tfprof.open(f"{url}?scheme=http&endpoint_override={host}"
                        "&region=us-east-1")
    assert found.info()["model"]["nodes"] == 8


def test_runs_of_a_comparison_must_be_local(store: Any) -> None:
    with pytest.raises(tfprof.UnsupportedInput,
                       match="s3://runs/a: runs must be local"):
        tfprof.diff("s3://runs/a", GRAPH)


def test_missing_pyarrow_is_an_import_error(tmp_path: Path) -> None:
    (tmp_path / "pyarrow").mkdir()
    (tmp_path / "pyarrow" / "__init__.py").write_text("raise ImportError")
    path = os.pathsep.join([os.fspath(tmp_path), os.environ["PYTHONPATH"]])
    done = subprocess.run(
        [sys.executable, "-c", "import tfprof; tfprof.open('s3://runs/a')"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert done.stderr.endswith(
        "ImportError: s3://runs/a: reading from object stores requires the "
        "package pyarrow: pip install pyarrow\n")


def test_paths_with_colons_are_paths() -> None:
    for path in ("x3://runs/a", "./s3://runs/a", Path("s3://runs/a")):
        with pytest.raises(tfprof.ReadError, match="No such file"):
            tfprof.open(path)
