"""The page about retargeting prints what it says; recorded clips, where they are at hand, meet their bars."""

import contextlib
import io
import os
import re
from pathlib import Path

import numpy as np
import pytest

import limbik as lk

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "retargeting.md"
FOLDER = Path(os.environ.get("LIMBIK_MOCAP", ROOT.parent / "shared" / "data" / "mocap"))


def test_the_page_prints_what_it_says():
    known: dict = {}
    pieces = re.findall(r"```python\n(.*?)```\s*(?:```\n(.*?)```)?", PAGE.read_text(), re.S)
    assert pieces
    for code, output in pieces:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, PAGE.name, "exec"), known)
        assert printed.getvalue() == output


def test_the_page_names_options_that_exist():
    import inspect

    options = inspect.signature(lk.retarget).parameters
    for name in ("names", "source_names", "rest", "height", "speed", "least", "tolerance"):
        assert f"`{name}" in PAGE.read_text() and name in options


@pytest.mark.skipif(not (FOLDER / "02_01.bvh").exists(), reason=f"no recorded clips in '{FOLDER}'; set LIMBIK_MOCAP")
@pytest.mark.parametrize("name", ["02_01", "13_11"])
def test_recorded_clips_stand_reach_and_stay_in_range(name):
    figure = lk.load("human").with_proportions(
        {f"{s}{p}Leg": 1.2 for s in ("left", "right") for p in ("Upper", "Lower")}
    )
    clip = lk.load_clip(FOLDER / f"{name}.bvh", unit=0.05644)
    result = lk.retarget(clip, figure)
    assert ((result.q >= figure.lower) & (result.q <= figure.upper)).all()
    assert result.foot_slide < 0.01 and not result.reported and result.clip.jumps == (1,)
    moving = [lk.Clip(c.robot, c.q[1:], c.times[1:]) for c in (clip, result.clip)]
    assert moving[1].largest_step < moving[0].largest_step
    assert max(result.bone_angles.values()) < np.radians(15)
    # onto its own skeleton: the arms stay where they were
    same = lk.retarget(clip, clip.robot)
    assert max(angle for bone, angle in same.bone_angles.items() if "Arm" in bone) < 1e-4 and same.foot_slide < 0.01
