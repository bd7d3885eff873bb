"""tools/fuzz: what it tells of a target that breaks."""

# labels: once

import base64
import os
import shutil
import subprocess

from program import SOURCE_DIR


def test_every_finding_is_printed(tmp_path):
    """For the machine may soon be gone."""
    (tmp_path / "tools").mkdir()
    shutil.copy(SOURCE_DIR / "tools" / "fuzz", tmp_path / "tools")
    target = tmp_path / "build" / "asan" / "fuzz" / "fuzz"
    (target.parent / "corpus" / "made").mkdir(parents=True)
    target.write_text("""#!/bin/sh
for kind in slow-unit crash; do
    printf "$kind" >build/fuzz/findings/made-$kind-1
    echo "Test unit written to build/fuzz/findings/made-$kind-1" >&2
done
exit 77
""")
    target.chmod(0o755)
    done = subprocess.run([tmp_path / "tools" / "fuzz", "1"], text=True,
                          capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stdout == "fuzz: 1 targets, 1 s each, 1 failed\n"
    for kind in ("slow-unit", "crash"):
        assert (f"fuzz: base64 of build/fuzz/findings/made-{kind}-1:\n"
                f"{base64.b64encode(kind.encode()).decode()}\n") in done.stderr


def test_a_seed_makes_a_search_that_can_be_repeated(tmp_path):
    """CI must not fail by chance: the seeds are given in order, and addresses do
    not count."""
    (tmp_path / "tools").mkdir()
    shutil.copy(SOURCE_DIR / "tools" / "fuzz", tmp_path / "tools")
    target = tmp_path / "build" / "asan" / "fuzz" / "fuzz"
    seeds = target.parent / "corpus" / "made"
    seeds.mkdir(parents=True)
    for name in ("b", "a", "c"):
        (seeds / name).write_text(name)
    target.write_text("""#!/bin/sh
echo "$@"
cat build/fuzz/log/made.seeds
echo new >build/fuzz/new/made/d
""")
    target.chmod(0o755)
    subprocess.run([tmp_path / "tools" / "fuzz", "1"], check=True,
                   capture_output=True,
                   env=os.environ | {"TFPROF_FUZZ_SEED": "7"})
    log = (tmp_path / "build" / "fuzz" / "log" / "made.log").read_text()
    assert "-seed=7" in log
    assert "-use_cmp=0" in log
    assert ",".join(f"build/asan/fuzz/corpus/made/{name}"
                    for name in ("a", "b", "c")) in log
    kept = tmp_path / "build" / "fuzz" / "corpus" / "made"
    assert sorted(path.name for path in kept.iterdir()) == ["a", "b", "c", "d"]
