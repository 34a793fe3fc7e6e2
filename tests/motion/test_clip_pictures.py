"""Clips that are misused, drawn, or one frame long."""

import math

import numpy as np
import pytest

import limbik as lk


def test_misuse_raises() -> None:
    arm = lk.load("ur5")
    q = np.tile(arm.home, (4, 1))
    clip = lk.Clip(arm, q)
    assert clip.rate == 30
    assert "4 frames" in repr(clip)
    for raised, call in [
        (lk.BadOption, lambda: lk.Clip("ur5", q)),
        (lk.ShapeError, lambda: lk.Clip(arm, q[:, :3])),
        (lk.ShapeError, lambda: lk.Clip(arm, arm.home)),
        (lk.ShapeError, lambda: lk.Clip(arm, q[:0])),
        (lk.ShapeError, lambda: lk.Clip(arm, q, [0, 1])),
        (lk.BadOption, lambda: lk.Clip(arm, q, [0, 1, 1, 2])),
        (lk.BadOption, lambda: lk.Clip(arm, q, [0, 1, 2, 3], rate=3)),
        (lk.BadOption, lambda: lk.Clip(arm, q, rate=0)),
        (lk.BadOption, lambda: lk.Clip(arm, q, rate=math.nan)),
        (lk.BadOption, lambda: lk.Clip(arm, q, interpolation="bezier")),
        (lk.NotFinite, lambda: lk.Clip(arm, q * math.nan)),
        (lk.NotFinite, lambda: lk.Clip(arm, q, [0, 1, 2, math.inf])),
        (lk.errors.NotNumeric, lambda: lk.Clip(arm, None)),
        (lk.errors.NotNumeric, lambda: lk.Clip(arm, "home")),
        (lk.errors.UnknownRow, lambda: clip[4]),
        (lk.errors.UnknownRow, lambda: clip["first"]),
        (lk.NotFinite, lambda: clip.at(math.nan)),
        (lk.errors.NotNumeric, lambda: clip.at("now")),
        (lk.BadOption, lambda: clip.trimmed(-1, 0.05)),
        (lk.BadOption, lambda: clip.trimmed(0.05, 0.01)),
        (lk.BadOption, lambda: clip.resampled(1e12)),
        (lk.BadOption, lambda: clip.resampled(-1)),
        (lk.BadOption, lambda: clip.stretched(0)),
        (lk.BadOption, lambda: clip.joined(q)),
        (lk.BadOption, lambda: clip.joined(clip, gap=0)),
        (lk.BadOption, lambda: clip.low_passed(15)),
        (lk.BadOption, lambda: clip.low_passed(-1)),
        (lk.BadOption, lambda: clip.low_passed(3, order=0)),
        (lk.BadOption, lambda: lk.Clip(arm, q, [0, 1, 2, 9]).low_passed(0.1)),
        (lk.BadOption, lambda: clip.blurred(math.inf)),
        (lk.BadOption, lambda: clip.despiked(4)),
        (lk.BadOption, lambda: clip.mirrored(axis="w")),
        (lk.BadOption, lambda: clip.mirrored(pairs={"left": "right"})),
        (lk.errors.UnknownFrame, lambda: clip.forward("hand")),
        (lk.errors.UnknownFrame, lambda: clip.contacts("hand")),
        (lk.BadOption, lambda: clip.contacts(arm.tip, height=-1)),
        (lk.errors.UnknownJoint, lambda: clip.plot("nowhere.png", joints=["elbow7"])),
        (lk.BadOption, lambda: clip.film("nowhere.png", count=0)),
    ]:
        with pytest.raises(raised):
            call()


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_pictures(tmp_path, suffix: str) -> None:
    for robot in (lk.load("human"), lk.load("panda"), lk.load("gantry")):
        clip = lk.Clip(robot, robot.sample(np.random.default_rng(0), 10))
        for draw in (clip.plot, clip.film):
            path = tmp_path / f"{robot.name}_{draw.__name__}{suffix}"
            draw(path)
            assert path.stat().st_size > 1000
    with pytest.raises(lk.BadFile):
        clip.plot(tmp_path / "clip.docx")
    with pytest.raises(lk.BadFile):
        clip.film(tmp_path / "no folder" / "clip.png")


def test_one_frame_is_a_clip() -> None:
    arm = lk.load("ur5")
    clip = lk.Clip(arm, [arm.home])
    assert clip.duration == 0
    assert clip.rate == 0
    assert clip.jerk() == clip.joint_travel == clip.largest_step == 0
    assert np.array_equal(clip.at([0, 1, 2]), np.tile(arm.home, (3, 1)))
    for other in (
        clip.resampled(10),
        clip.reversed(),
        clip.trimmed(),
        clip.despiked(),
        clip.blurred(1),
        clip.low_passed(0.2),
    ):
        assert np.array_equal(other.q, clip.q)
    assert clip.contacts(arm.tip) == ()
