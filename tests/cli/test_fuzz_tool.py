"""tools/fuzz: what it tells of a target that breaks."""

import base64
import shutil
import subprocess

from program import SOURCE_DIR


def test_every_finding_is_printed(tmp_path):
    """For the machine may soon be gone."""
    (tmp_path / "tools").mkdir()
    shutil.copy(SOURCE_DIR / "tools" / "fuzz", tmp_path / "tools")
    target = tmp_path / "build" / "asan" / "fuzz" / "fuzz_made"
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
