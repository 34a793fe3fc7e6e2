"""glTF written by limbik: the Khronos validator accepts it, pygltflib reads it, and the mechanism is recovered."""

import json

import numpy as np
import pytest
from cases import gltf_validator
from conftest import random_tree
from mocap import REAL, generated, needs_mocap, written

import limbik as lk

# What float32 leaves of a unit vector or a metre, over a chain of links.
NEAR = 5e-6

needs_validator = pytest.mark.skipif(not gltf_validator.available(), reason=gltf_validator.MISSING)


def wandering(robot, seed=4, frames=25, **options):
    rng = np.random.default_rng(seed)
    return lk.Clip(robot, np.cumsum(rng.normal(size=(frames, robot.n)) * 0.05, axis=0), rate=60, **options)


def some_clips(folder):
    yield lk.load_clip(written(folder, generated(np.random.default_rng(1))))
    for name in ("ur5", "human", "gantry"):
        for kind in ("linear", "step", "cubic"):
            yield wandering(lk.load(name), interpolation=kind)
    yield wandering(random_tree(np.random.default_rng(3), 12))
    yield wandering(lk.load("scara"), frames=1)
    yield lk.Clip(lk.load("ur5"), np.zeros((3, 6)), [-1.0, 0.5, 7.0])
    yield wandering(lk.load("human").chain("leftHand"))


@needs_validator
def test_the_validator_finds_nothing(tmp_path):
    paths = []
    for k, clip in enumerate(some_clips(tmp_path)):
        for skin in (False, True):
            for ending in ("glb", "gltf"):
                paths.append(tmp_path / f"{k}_{skin}.{ending}")
                clip.save(paths[-1], skin=skin)
        paths.append(tmp_path / f"{k}_bare.glb")
        clip.save(paths[-1], mesh=False)
    for path, found in zip(paths, gltf_validator.issues(paths), strict=True):
        assert found["numErrors"] == found["numWarnings"] == 0, (path, found["messages"][:3])


@needs_mocap
@needs_validator
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_clips_go_to_glb_and_back(path, tmp_path):
    clip = lk.load_clip(path)
    clip.save(tmp_path / "a.glb")
    clip.save(tmp_path / "b.glb", skin=True)
    for found in gltf_validator.issues([tmp_path / "a.glb", tmp_path / "b.glb"]):
        assert found["numErrors"] == found["numWarnings"] == 0, found["messages"][:3]
    same_again(clip, lk.load_clip(tmp_path / "a.glb"))
    same_again(clip, lk.load_clip(tmp_path / "b.glb"))


def same_again(clip, again):
    assert again.robot == clip.robot and again.robot.model.mechanism == clip.robot.model.mechanism
    assert again.interpolation == clip.interpolation
    assert np.abs(again.times - clip.times).max() < 1e-6 * max(1.0, float(np.abs(clip.times).max()))
    size = max(1.0, float(np.abs(clip.robot.model.forward_all(clip.q)[..., :3, 3]).max()))
    apart = np.abs(clip.robot.model.forward_all(clip.q) - again.robot.model.forward_all(again.q)).max()
    assert apart < NEAR * size, apart


def test_its_own_files_give_the_same_mechanism(tmp_path):
    for clip in some_clips(tmp_path):
        for ending, options in (("glb", {}), ("gltf", {"skin": True}), ("glb", {"mesh": False})):
            path = tmp_path / f"a.{ending}"
            clip.save(path, **options)
            again = lk.load_clip(path)
            same_again(clip, again)
            assert lk.load(path).model.mechanism == clip.robot.model.mechanism


def test_even_times_come_back_exactly(tmp_path):
    clip = lk.load_clip(written(tmp_path, generated(np.random.default_rng(1), frames=200)))
    clip.save(tmp_path / "a.glb")
    again = lk.load_clip(tmp_path / "a.glb")
    assert np.array_equal(again.times, clip.times)
    again.save(tmp_path / "b.bvh")
    assert "Frame Time: 0.0083333\n" in (tmp_path / "b.bvh").read_text()


def test_pygltflib_reads_the_same(tmp_path):
    pygltflib = pytest.importorskip("pygltflib")
    clip = wandering(lk.load("ur5"))
    clip.save(tmp_path / "a.glb")
    gltf = pygltflib.GLTF2().load(str(tmp_path / "a.glb"))
    assert [node.name for node in gltf.nodes][: len(clip.robot.frames)] == list(clip.robot.frames)
    assert len(gltf.animations[0].channels) == clip.robot.n and len(gltf.meshes) > 0
    blob = gltf.binary_blob()
    for sampler in gltf.animations[0].samplers:
        rows = gltf.accessors[sampler.output]
        view = gltf.bufferViews[rows.bufferView]
        turns = np.frombuffer(blob, "<f4", rows.count * 4, view.byteOffset).reshape(-1, 4)
        assert rows.count == len(clip) and np.abs(np.linalg.norm(turns, axis=1) - 1).max() < 1e-6
        assert (np.sum(turns[1:] * turns[:-1], axis=1) > 0).all(), "signs follow each other"


def changed_json(path, change):
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    return path


def test_a_file_edited_elsewhere_is_read_from_its_nodes(tmp_path):
    clip = wandering(lk.load("ur5"))
    path = tmp_path / "a.gltf"

    def moved(document):
        document["nodes"][3]["translation"] = [0.0, 0.0, 1.0]

    clip.save(path)
    again = lk.load_clip(changed_json(path, moved))
    assert again.robot.model.mechanism != clip.robot.model.mechanism
    name = again.robot.model.mechanism.joints[4].name
    assert (
        np.allclose(again.robot.model.mechanism.joint_of[name].origin[:3, 3], [0, 0, 1]) or again.robot.n > clip.robot.n
    )

    def other_motion(document):  # a hinge that tilts is no hinge any more
        first, second = (channel["target"] for channel in document["animations"][0]["channels"][:2])
        first["node"], second["node"] = second["node"], first["node"]

    clip.save(path)
    again = lk.load_clip(changed_json(path, other_motion))
    assert all(joint.kind is not lk.model.Kind.REVOLUTE for joint in again.robot.model.mechanism.joints)


def test_what_float32_cannot_hold_is_refused(tmp_path):
    arm = lk.load("ur5")
    with pytest.raises(lk.BadOption, match="float32"):
        lk.Clip(arm, np.zeros((2, 6)), [1e9, 1e9 + 1e-3]).save(tmp_path / "a.glb")
    far = lk.load("gantry").scaled(1e39)
    with pytest.raises(lk.BadOption, match="float32"):
        lk.Clip(far, np.zeros((1, far.n))).save(tmp_path / "a.glb")
    with pytest.raises(lk.BadOption, match="skin"):
        lk.Clip(arm, np.zeros((2, 6))).save(tmp_path / "a.glb", skin="yes")
    assert not list(tmp_path.iterdir())


def test_units_and_rates_of_its_own_files(tmp_path):
    clip = wandering(lk.load("gantry"), frames=61)
    clip.save(tmp_path / "a.glb")
    small = lk.load_clip(tmp_path / "a.glb", unit="cm")
    assert small.robot == lk.load(tmp_path / "a.glb", unit="cm") and small.robot.joint_names == clip.robot.joint_names
    tip = clip.robot.tip
    assert np.abs(100 * small.forward(tip)[:, :3, 3] - clip.forward(tip)[:, :3, 3]).max() < NEAR
    slow = lk.load_clip(tmp_path / "a.glb", rate=10)
    assert slow.robot == clip.robot and len(slow) == 11 and np.abs(slow.q - clip.q[::6]).max() < NEAR
