"""Round trips of chains that traverse the tree from child to parent, and of 2-pi copies."""

import numpy as np
import pytest

import limbik as lk

UPRIGHT = {"z": np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]), "y": np.eye(3)}


def backwards(name):
    if name == "human":
        return lk.load("human", base="leftHand", tip="rightHand")
    arm = lk.load(name)
    return lk.load(name, base=arm.tip, tip=arm.base)


def bent(robot, frames=4):
    lower, upper = np.maximum(robot.lower, -1.5), np.minimum(robot.upper, 1.5)
    return lk.Clip(robot, lower + (upper - lower) * np.linspace(0.3, 0.7, frames)[:, None], rate=10)


def places(clip):
    world = UPRIGHT[clip.robot.model.mechanism.up]
    base = world @ np.zeros(3)
    return {name: clip.forward(name)[:, :3, 3] @ world.T + base for name in clip.robot.frames}


@pytest.mark.parametrize("name", ["ur5", "panda", "human", "iiwa7"])
def test_a_chain_against_the_tree_has_the_same_poses_in_bvh(name, tmp_path):
    clip = bent(backwards(name))
    clip.save(tmp_path / "a.bvh", unit="m")
    back = lk.load_clip(tmp_path / "a.bvh", unit="m")
    mine, theirs = places(clip), places(back)
    shared = mine.keys() & theirs.keys()
    assert len(shared) >= 3
    for frame in shared:
        np.testing.assert_allclose(theirs[frame], mine[frame], atol=1e-9, err_msg=frame)


@pytest.mark.parametrize("name", ["ur5", "panda", "human", "iiwa7"])
def test_a_chain_against_the_tree_comes_back_from_glb_as_that_chain(name, tmp_path):
    clip = bent(backwards(name))
    clip.save(tmp_path / "a.glb")
    back = lk.load_clip(tmp_path / "a.glb")
    assert (back.robot.base, back.robot.tip) == (clip.robot.base, clip.robot.tip)
    np.testing.assert_allclose(back.q, clip.q, atol=1e-5)
    np.testing.assert_allclose(back.forward(), clip.forward(), atol=1e-5)


@pytest.mark.parametrize("name", ["ur5", "human"])
def test_nodes_alone_give_the_poses_of_a_chain_against_the_tree(name, tmp_path):
    """Other programs ignore extras: node transforms and tracks must be correct without them."""
    import json
    import struct

    clip = bent(backwards(name))
    clip.save(tmp_path / "a.glb", mesh=False)
    data = (tmp_path / "a.glb").read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    root, rest = json.loads(data[20 : 20 + size]), data[20 + size :]
    del root["extras"]
    text = json.dumps(root).encode()
    text += b" " * (-len(text) % 4)
    whole = struct.pack("<II", len(text), 0x4E4F534A) + text + rest
    (tmp_path / "b.glb").write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(whole)) + whole)
    back = lk.load_clip(tmp_path / "b.glb")
    mine, theirs = places(clip), places(back)
    for frame in mine:
        np.testing.assert_allclose(theirs[frame], mine[frame], atol=1e-5, err_msg=frame)


def test_a_note_reports_nodes_that_do_not_match_the_stored_mechanism(tmp_path):
    import json

    clip = bent(lk.load("ur5"))
    clip.save(tmp_path / "a.gltf")
    root = json.loads((tmp_path / "a.gltf").read_text())
    root["nodes"][2]["translation"] = [0.3, 0.2, 0.1]
    (tmp_path / "b.gltf").write_text(json.dumps(root))
    assert any("any other figure" in note for note in lk.load_clip(tmp_path / "b.gltf").recording.notes)
    assert not any("any other figure" in note for note in lk.load_clip(tmp_path / "a.gltf").recording.notes)


def through_glb(clip, folder, **options):
    clip.save(folder / "t.glb", mesh=False)
    return lk.load_clip(folder / "t.glb", **options)


def test_one_fast_sweep_over_a_range_below_a_turn_comes_back(tmp_path):
    arm = lk.load("iiwa7")
    q = np.zeros((2, arm.n))
    q[:, 0] = -2.8, 2.8
    np.testing.assert_allclose(through_glb(lk.Clip(arm, q, rate=1), tmp_path).q, q, atol=1e-5)


@pytest.mark.parametrize(
    "course",
    [[4.0], [4.0, 4.5, 6.2], [-5.0, 5.0, -5.0], [0.0, 3.5, -3.5], [np.pi, -np.pi, np.pi], [6.28, -6.28], [7.5, -9.0]],
)
def test_whole_turns_come_back(course, tmp_path):
    arm = lk.load("ur5")
    q = np.zeros((len(course), arm.n))
    q[:, 0] = course
    np.testing.assert_allclose(through_glb(lk.Clip(arm, q, rate=2), tmp_path).q, q, atol=1e-5)


@pytest.mark.parametrize("name", sorted(lk.CATALOGUE))
def test_random_clips_inside_their_limits_come_back(name, tmp_path):
    seed = 7
    print("seed", seed)
    robot = lk.load(name)
    q = robot.sample(np.random.default_rng(seed), 12)
    back = through_glb(lk.Clip(robot, q, rate=5), tmp_path)
    assert (back.robot.fingerprint == robot.fingerprint) == (not robot.model.mechanism.muscles)
    assert any("muscles" in note for note in back.recording.notes) == bool(robot.model.mechanism.muscles)
    np.testing.assert_allclose(back.q, q, atol=1e-5)


def test_a_rate_is_the_rate_and_the_way_between_keys_is_the_clips(tmp_path):
    arm = backwards("ur5")
    clip = bent(arm, 9)
    back = through_glb(clip, tmp_path, rate=7.3)
    assert back.rate == pytest.approx(7.3, rel=1e-9)
    assert back.robot.tip == clip.robot.tip
    np.testing.assert_allclose(back.q, clip.at(back.times), atol=1e-5)
