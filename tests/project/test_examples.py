"""Every example runs and prints results."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("[0-9]*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_an_example_runs(path, tmp_path):
    small = ["20000"] if "million" in path.stem else []
    done = subprocess.run(
        [sys.executable, str(path), *small], capture_output=True, text=True, cwd=tmp_path, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 4 and done.stderr == ""
