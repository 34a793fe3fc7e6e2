"""Writing BVH: unchanged files number by number, changed postures without jumps, motion of any robot."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import random_tree
from mocap import REAL, generated, needs_mocap, written

import limbik as lk
from limbik._core import euler_to_vectors, vectors_to_euler
from limbik.motion.saving import save_recording

UPRIGHT = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def words(path) -> list[object]:
    """Return a file's words, numbers as numbers."""

    def read(word):
        try:
            return float(word)
        except ValueError:
            return word

    return [read(word) for word in path.read_text().split()]


def rewritten_equal(path, folder):
    for unit in (None, 0.05644):
        clip = lk.load_clip(path, unit=unit)
        clip.save(folder / "out.bvh")
        again = lk.load_clip(folder / "out.bvh", unit=unit)
        assert np.array_equal(again.q, clip.q) and np.array_equal(again.times, clip.times)
        assert again.robot.model.mechanism.joints == clip.robot.model.mechanism.joints
        assert again.recording.written == clip.recording.written
        assert words(folder / "out.bvh") == words(path)


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
@needs_mocap
def test_a_real_clip_is_written_as_it_was(path, tmp_path):
    rewritten_equal(path, tmp_path)


@pytest.mark.parametrize("seed", range(4))
def test_a_generated_clip_is_written_as_it_was(seed, tmp_path):
    rewritten_equal(written(tmp_path, generated(np.random.default_rng(seed))), tmp_path)


def test_odd_channels_and_several_roots_are_written_as_they_were(tmp_path):
    text = ("HIERARCHY\nROOT a b\n{\nOFFSET 1 2 3\nCHANNELS 6 Yposition Xposition Zposition Yrotation Zrotation Xrotation\n"
            "JOINT mixamorig:Hips\n{\nOFFSET 1e-5 +1 -.5\nCHANNELS 2 Zrotation Xrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n"
            "JOINT x\n{\nOFFSET 0 1 0\nCHANNELS 1 Yposition\n}\n}\n}\nROOT a b\n{\nOFFSET 0 0 0\n"
            "CHANNELS 3 Xrotation Zrotation Xrotation\n}\nMOTION\nFrames: 2\nFrame Time: .0416667\n"
            "1 2 3 4 5 6 7 8 9 10 11 12\n1 2 3 400 -500 6 7 8 9.5 10 11 12\n")  # fmt: skip
    rewritten_equal(written(tmp_path, text), tmp_path)


def test_a_changed_clip_keeps_its_order_and_its_untouched_frames(tmp_path):
    clip = lk.load_clip(written(tmp_path, generated(np.random.default_rng(8), frames=60)))
    q = clip.q.copy()
    q[30:] = clip.robot.model.integrate(q[30:], np.full_like(q[30:], 1e-4))
    save_recording(replace(clip.recording, q=q), tmp_path / "b.bvh")
    again = lk.load_clip(tmp_path / "b.bvh")
    raw, new = clip.recording.written, again.recording.written
    assert new.nodes == raw.nodes and np.array_equal(new.values[:30], raw.values[:30])
    assert np.abs(clip.robot.model.difference(q, again.q)).max() < 1e-9
    # the angles stay near the original ones, also beyond 180 degrees, except at a gimbal lock
    near = np.abs(new.values - raw.values).max(axis=0) < 20
    assert near.mean() > 0.9


@pytest.mark.parametrize("axes", [(0, 1, 2), (2, 1, 0), (2, 0, 1), (0, 2, 1), (1, 0, 2), (1, 2, 0)])
def test_angles_are_taken_apart_near_those_before(axes):
    rng = np.random.default_rng(7)
    walk = np.cumsum(rng.normal(size=(3000, 3)) * 0.05, axis=0)  # far beyond a turn, and through the lock
    walk[100:110, 1] = np.pi / 2
    vectors = euler_to_vectors(walk, [0, 1, 2, *axes, 0], 3, 1.0)
    angles = vectors_to_euler(vectors[:, None], np.zeros((3000, 1, 3)), np.zeros((3000, 1)), walk[:1], list(axes))
    again = euler_to_vectors(angles[:, 0], [0, 1, 2, *axes, 0], 3, 1.0)
    apart = lk.load(ball()).model.difference(vectors, again)
    assert np.abs(apart).max() < 1e-9, "seed 7"
    # The two triples meet only where the middle angle is 90 degrees: elsewhere the walk itself comes back.
    away = np.abs(np.cos(walk[:, 1])) > 0.2
    first = np.argmax(~away) if (~away).any() else len(walk)
    assert np.abs(angles[:first, 0] - walk[:first]).max() < 1e-9, "seed 7"


def ball() -> lk.model.Mechanism:
    return lk.model.Mechanism(
        "ball", (lk.model.Link("a"), lk.model.Link("b")), (lk.model.Joint("j", lk.model.Kind.BALL, "a", "b"),)
    )


@pytest.mark.parametrize("name", ["panda", "human", "scara", "gantry", "jaco2"])
def test_any_robot_is_written(name, tmp_path):
    robot = lk.load(name)
    rng = np.random.default_rng(2)
    compare(lk.Clip(robot, np.cumsum(rng.normal(size=(30, robot.n)) * 0.1, axis=0), rate=50), tmp_path)


@pytest.mark.parametrize("seed", range(8))
def test_any_tree_is_written(seed, tmp_path):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, 10)
    compare(lk.Clip(tree, rng.normal(size=(8, tree.n)), rate=50), tmp_path)


def compare(clip, folder):
    turn = UPRIGHT if clip.robot.model.mechanism.up == "z" else np.eye(3)
    for up, axes in (("y", turn), ("z", UPRIGHT.T @ turn)):
        clip.save(folder / "a.bvh", up=up)
        again = lk.load_clip(folder / "a.bvh", up=up)
        shared = [frame for frame in clip.robot.frames if frame in again.robot.frames]
        assert len(shared) >= len(clip.robot.frames) / 4
        for frame in shared:
            assert np.abs(again.forward(frame)[:, :3, 3] - clip.forward(frame)[:, :3, 3] @ axes.T).max() < 1e-12, frame
        assert np.abs(again.times - clip.times).max() < 1e-12


def test_uneven_times_are_refused_and_nothing_is_left(tmp_path):
    arm = lk.load("scara")
    clip = lk.Clip(arm, np.zeros((3, arm.n)), [0.0, 0.1, 0.3])
    with pytest.raises(lk.BadOption, match="evenly"):
        clip.save(tmp_path / "a.bvh")
    with pytest.raises(lk.errors.FileUnwritable):
        clip.save(tmp_path / "none" / "a.csv")
    with pytest.raises(lk.BadFile, match=r"\.bvh"):
        clip.save(tmp_path / "a.txt")
    with pytest.raises(lk.BadOption, match="degrees"):
        clip.save(tmp_path / "a.bvh", degrees=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("times", [
    np.round(np.arange(50) / 30, 3), np.arange(50, dtype=np.float32) / np.float32(29.97), np.round(5 + np.arange(50) / 60, 4),
])  # fmt: skip
def test_the_frame_time_is_a_plain_number(times, tmp_path):
    arm = lk.load("ur5")
    clip = lk.Clip(arm, np.tile(arm.home, (50, 1)), times)
    clip.save(tmp_path / "out.bvh")
    (line,) = (line for line in (tmp_path / "out.bvh").read_text().splitlines() if line.startswith("Frame Time:"))
    assert float(line.split()[-1]) == pytest.approx((times[-1] - times[0]) / 49, rel=1e-3)
    assert len(lk.load_clip(tmp_path / "out.bvh")) == 50


def test_a_clip_with_one_short_step_is_offered_its_own_rate(tmp_path):
    arm = lk.load("ur5")
    clip = lk.Clip(arm, np.tile(arm.home, (60, 1)), np.arange(60) / 120).trimmed(0.1234, 0.4)
    with pytest.raises(lk.BadOption, match=r"clip\.resampled\(120\) makes them even"):
        clip.save(tmp_path / "a.bvh")
    clip.resampled(120).save(tmp_path / "a.bvh")
