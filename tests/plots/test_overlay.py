"""The drawing of many postures at once, and the demonstration that shows it."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import limbik as lk
from limbik.plots.overlay import Panel, Stroke, draw_over, limb

DEMO = Path(__file__).parents[2] / "examples" / "demo.py"


@pytest.mark.parametrize("name", ["puma560", "panda", "scara", "human_arm_6", "planar3_chin"])
def test_a_limb_passes_every_joint_from_base_to_tip(name):
    arm = lk.load(name)
    for q in arm.sample(np.random.default_rng(0), 5):
        points = limb(arm, q)
        assert np.allclose(points[0], 0) and np.allclose(points[-1], arm.forward(q)[:3, 3], atol=1e-9)
        for joint in arm.joint_names:
            place = arm.forward(q, arm.model.mechanism.joint_of[joint].child)[:3, 3]
            assert np.linalg.norm(points - place, axis=1).min() < 1e-9


def test_postures_that_differ_in_the_wrist_have_one_limb():
    arm = lk.load("puma560")
    answers = arm.solve_all(arm.forward(np.radians([35, -60, 25, 40, 50, 10])), limits=False)
    assert len(answers) == 8 and len({limb(arm, q).round(6).tobytes() for q in answers.q + 0.0}) == 4


def test_a_picture_is_written_or_a_sentence_says_why_not(tmp_path):
    pytest.importorskip("matplotlib")
    arm = lk.load("scara")
    T = arm.forward(arm.home)
    panel = Panel(arm, T, [Stroke(arm.solve_all(T).q[0], "red", "one"), Stroke(arm.sample(np.random.default_rng(0), 3), "grey",
                  style="fine")], "a title", floor=0.0)  # fmt: skip
    draw_over([panel, panel], tmp_path / "two.png", "both")
    assert (tmp_path / "two.png").stat().st_size > 10_000
    with pytest.raises(lk.BadFile, match="nonsense"):
        draw_over([panel], tmp_path / "a.nonsense", "none")


def test_the_demonstration_shows_every_posture(tmp_path):
    pytest.importorskip("matplotlib")
    done = subprocess.run(
        [sys.executable, str(DEMO), "--out", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert (tmp_path / "every_posture.png").is_file()
    for words in ("8 postures reach the target", "shoulder+ elbow- wrist+", "the elbow swings", "out of reach"):
        assert words in done.stdout
