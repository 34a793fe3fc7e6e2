"""The add-on in Blender, in a separate process; skipped without bpy."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import limbik as lk

SCRIPT = Path(__file__).with_name("in_blender.py")
# A Python with bpy: this one if it has bpy.
PYTHON = os.environ.get("LIMBIK_BPY_PYTHON") or (sys.executable if importlib.util.find_spec("bpy") else None)


@pytest.fixture(scope="module")
def report():
    if PYTHON is None:
        pytest.skip("no bpy: pip install bpy, or set LIMBIK_BPY_PYTHON to a Python that has it")
    paths = [str(Path(lk.__file__).parents[1]), *(path for path in sys.path if path.endswith("site-packages"))]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [PYTHON, str(SCRIPT)], capture_output=True, text=True, timeout=300, env=environment, check=False
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("REPORT ")]
    assert lines, done.stdout[-2000:] + done.stderr[-4000:]
    return json.loads(lines[0].removeprefix("REPORT "))


def test_baked_keys_follow_the_target(report):
    assert report["bake"]["result"] == ["FINISHED"] and report["bake"]["keyed"]
    assert report["bake"]["worst"] < 1e-4  # Blender keeps single precision
    assert report["bake"]["root_moves"] < 1e-6


def test_every_branch_becomes_a_ghost(report):
    assert report["branches"]["ghosts"] >= 4 and report["branches"]["again"] == report["branches"]["ghosts"]
    assert report["branches"]["worst"] < 1e-4


def test_motion_is_retargeted_or_the_lack_is_reported(report):
    if hasattr(lk, "retarget"):
        assert report["retarget"]["there"] and report["retarget"]["turned"] > 0.1, report["retarget"]
    else:
        assert not report["retarget"]["there"] and "retarget" in report["retarget"]["error"]


def test_a_missing_target_is_reported(report):
    assert "Target" in report["misuse"]


@pytest.mark.parametrize("kind", ["bvh", "glb"])
def test_a_clip_goes_through_blender_and_back(report, kind):
    """BVH has six decimals of centimetres, glTF single precision."""
    assert report[kind]["there"] < 1e-4 and report[kind]["back"] < 1e-4
