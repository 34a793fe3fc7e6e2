"""The BVH reader against two other readers and against the definition."""

import numpy as np
import pytest
from mocap import ORDERS, REAL, generated, needs_mocap, written
from scipy.spatial.transform import Rotation

import limbik as lk

# The largest difference of two readers, in the file's unit.
NEAR = 1e-6


def by_definition(text: str) -> dict[str, np.ndarray]:
    """Return the positions (frames, 3) of every joint, in the file's unit, computed from the text alone."""
    head, motion = text.split("MOTION")
    rows = np.array([[float(x) for x in line.split()] for line in motion.strip().splitlines()[2:]])
    places, stack, column = {}, [], 0
    name = None
    for line in head.splitlines():
        words = line.split()
        if words[:1] in (["ROOT"], ["JOINT"]):
            name = words[1]
        elif words[:1] == ["End"]:
            name = None
        elif words[:1] == ["OFFSET"]:
            offset = np.array(words[1:], float)
            T = (np.tile(np.eye(3), (len(rows), 1, 1)), np.zeros((len(rows), 3))) if not stack else stack[-1]
            stack.append((T[0], T[1] + T[0] @ offset))
        elif words[:1] == ["CHANNELS"]:
            R, p = stack[-1]
            turns = []
            before = stack[-2] if len(stack) > 1 else (np.tile(np.eye(3), (len(rows), 1, 1)), np.zeros((len(rows), 3)))
            local = np.tile(offset, (len(rows), 1))
            for channel in words[2:]:
                if channel.endswith("position"):
                    local[:, "XYZ".index(channel[0])] = rows[:, column]
                else:
                    turns.append((channel[0], rows[:, column]))
                column += 1
            p = before[1] + (before[0] @ local[..., None])[..., 0]
            for axis, angles in turns:
                R = R @ Rotation.from_euler(axis, angles[:, None], degrees=True).as_matrix()
            stack[-1] = (R, p)
            places[name] = p
        elif words == ["}"]:
            stack.pop()
    return places


@pytest.mark.parametrize("seed", range(6))
def test_places_are_those_of_the_definition(tmp_path, seed):
    rng = np.random.default_rng(seed)
    text = generated(rng, joints=15, frames=12)
    clip = lk.load_clip(written(tmp_path, text), unit=1.0)
    for name, places in by_definition(text).items():
        assert np.abs(clip.forward(name)[:, :3, 3] - places).max() < 1e-10, name


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
@needs_mocap
def test_real_places_are_those_of_pymotion(path):
    compare_with_pymotion(path)


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
@needs_mocap
def test_real_places_are_those_of_pybvh(path):
    compare_with_pybvh(path)


def test_generated_places_are_those_of_pymotion_and_pybvh(tmp_path):
    text = generated(np.random.default_rng(3), orders=ORDERS[:1])
    compare_with_pymotion(written(tmp_path, text))
    compare_with_pybvh(written(tmp_path, text))


def compare_with_pymotion(path):
    bvh = pytest.importorskip("pymotion.io.bvh").BVH()
    fk = pytest.importorskip("pymotion.ops.skeleton").fk
    bvh.load(str(path))
    turns, places, parents, offsets, _, _ = bvh.get_data()
    theirs, _ = fk(turns, places[:, 0, :], offsets, parents)
    clip = lk.load_clip(path, unit=1.0)
    assert len(clip) == len(theirs)
    for k, name in enumerate(bvh.data["names"]):
        assert np.abs(clip.forward(name)[:, :3, 3] - theirs[:, k]).max() < NEAR, name


def compare_with_pybvh(path):
    pybvh = pytest.importorskip("pybvh")
    bvh = pybvh.read_bvh_file(str(path))
    theirs = np.asarray(bvh.node_positions())
    names = [node.name for node in bvh.nodes]
    clip = lk.load_clip(path, unit=1.0)
    assert theirs.shape[:2] == (len(clip), len(names))
    compared = 0
    for k, name in enumerate(names):
        frame = name if name in clip.robot.frames else None
        if frame is not None:
            compared += 1
            assert np.abs(clip.forward(frame)[:, :3, 3] - theirs[:, k]).max() < NEAR, name
    assert compared >= len(clip.robot.model.mechanism.joints) / 2


def test_a_figure_from_bvh_is_solved_like_any_other(tmp_path):
    path = written(tmp_path, generated(np.random.default_rng(5), joints=10))
    figure, clip = lk.load(path), lk.load_clip(path)
    assert figure == clip.robot and figure.model.mechanism.up == "y"
    tip = figure.tips[0]
    target = clip.forward(tip)[3][:3, 3]
    answer = figure.solve({tip: target}, seed=clip[0])
    assert answer.ok and np.abs(figure.forward(answer.q, tip)[:3, 3] - target).max() < 1e-7


def test_one_end_makes_a_chain_and_units_scale(tmp_path):
    text = ("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 2 0\n}\n}\n"
            "MOTION\nFrames: 1\nFrame Time: 0.5\n0 0 0\n")  # fmt: skip
    path = written(tmp_path, text)
    for unit, metres in ((None, 0.01), ("m", 1.0), ("in", 0.0254), (0.05644, 0.05644), ("0.5", 0.5)):
        arm = lk.load(path, unit=unit)
        assert isinstance(arm, lk.Chain) and arm.tip == "a_end"
        assert arm.forward(arm.home)[1, 3] == pytest.approx(2 * metres, abs=1e-15)
        assert lk.load_clip(path, unit=unit).forward("a_end")[0, 1, 3] == pytest.approx(2 * metres, abs=1e-15)


def figure_with(channels: str, numbers: str, offset: str = "1 2 3", frames: int = 1) -> str:
    return ("HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
            f"JOINT a\n{{\nOFFSET {offset}\n{channels}\nEnd Site\n{{\nOFFSET 1 0 0\n}}\n}}\n}}\n"
            f"MOTION\nFrames: {frames}\nFrame Time: 0.1\n{numbers}\n")  # fmt: skip


@pytest.mark.parametrize(
    ("channels", "kinds"),
    [
        ("CHANNELS 1 Zrotation", ["continuous"]),
        ("CHANNELS 2 Zrotation Xrotation", ["continuous"] * 2),
        ("CHANNELS 3 Zrotation Xrotation Zrotation", ["continuous"] * 3),
        ("CHANNELS 3 Zrotation Yrotation Xrotation", ["ball"]),
        ("CHANNELS 1 Yposition", ["prismatic"]),
        ("CHANNELS 4 Yposition Zrotation Yrotation Xrotation", ["prismatic", "ball"]),
        ("CHANNELS 6 Zrotation Yrotation Xrotation Xposition Yposition Zposition", ["floating"]),
        ("CHANNELS 0", ["fixed"]),
        ("", ["fixed"]),
    ],
)
def test_any_set_of_channels_is_read(tmp_path, channels, kinds):
    count = len(channels.split()) - 2 if channels else 0
    rng = np.random.default_rng(1)
    text = figure_with(
        channels, "\n".join(" ".join(f"{x:.3f}" for x in row) for row in rng.uniform(-90, 90, (3, 6 + count))), frames=3
    )
    path = written(tmp_path, text)
    clip = lk.load_clip(path, unit=1.0)
    own = [j for j in clip.robot.model.mechanism.joints if j.name.startswith("a") and not j.name.endswith("_end")]
    assert [str(j.kind) for j in own] == kinds
    if channels and count:
        assert np.abs(clip.forward("a")[:, :3, 3] - by_definition(text)["a"]).max() < 1e-12
    assert np.isfinite(clip.forward("a_end")).all()


def test_constant_positions_are_a_placement_and_are_kept(tmp_path):
    channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation"
    rows = "\n".join(f"0 0 0 0 0 0 4 5 6 {k} 0 0" for k in range(3))
    clip = lk.load_clip(written(tmp_path, figure_with(channels, rows, frames=3)), unit=1.0)
    assert clip.robot.model.mechanism.joint_of["a"].kind is lk.model.Kind.BALL
    assert np.abs(clip.forward("a")[:, :3, 3] - [4, 5, 6]).max() == 0
    clip.save(tmp_path / "b.bvh")
    assert lk.load_clip(tmp_path / "b.bvh", unit=1.0).recording.written == clip.recording.written
