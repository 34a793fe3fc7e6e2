"""The add-on in Blender itself, in a process of its own: skipped where there is no bpy."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import limbik as lk

SCRIPT = Path(__file__).with_name("in_blender.py")
# A Python with bpy; this one where it has it.
PYTHON = os.environ.get("LIMBIK_BPY_PYTHON") or (sys.executable if importlib.util.find_spec("bpy") else None)


@pytest.fixture(scope="module")
def said():
    if PYTHON is None:
        pytest.skip("no bpy: pip install bpy, or name a Python that has it by LIMBIK_BPY_PYTHON")
    paths = [str(Path(lk.__file__).parents[1]), *(path for path in sys.path if path.endswith("site-packages"))]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [PYTHON, str(SCRIPT)], capture_output=True, text=True, timeout=300, env=environment, check=False
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("SAID ")]
    assert lines, done.stdout[-2000:] + done.stderr[-4000:]
    return json.loads(lines[0].removeprefix("SAID "))


def test_baked_keys_follow_the_target(said):
    assert said["bake"]["result"] == ["FINISHED"] and said["bake"]["keyed"]
    assert said["bake"]["worst"] < 1e-4  # Blender keeps single precision
    assert said["bake"]["root_moves"] < 1e-6


def test_every_branch_becomes_a_ghost(said):
    assert said["branches"]["ghosts"] >= 4 and said["branches"]["again"] == said["branches"]["ghosts"]
    assert said["branches"]["worst"] < 1e-4


def test_motion_is_retargeted_or_the_lack_is_told(said):
    if hasattr(lk, "retarget"):
        assert said["retarget"]["there"] and said["retarget"]["turned"] > 0.1, said["retarget"]
    else:
        assert not said["retarget"]["there"] and "retarget" in said["retarget"]["said"]


def test_a_missing_target_is_told(said):
    assert "Target" in said["misuse"]


@pytest.mark.parametrize("kind", ["bvh", "glb"])
def test_a_clip_goes_through_blender_and_back(said, kind):
    """BVH keeps six digits of centimetres, glTF single precision."""
    assert said[kind]["there"] < 1e-4 and said[kind]["back"] < 1e-4
