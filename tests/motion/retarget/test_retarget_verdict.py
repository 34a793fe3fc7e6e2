"""`ok` of a retargeting: ambiguous rest postures, bones that are turned away, and lost motion of the hips."""

import json
import subprocess
import sys

import numpy as np
import pytest
from examples.walk import generated_walk
from rest_along_x import save_along_x
from rigs import BONES, animation, save_rig
from scipy.spatial.transform import Rotation
from test_retarget import balls

import limbik as lk
from limbik.motion.retarget.result import ENDS
from limbik.motion.retarget.retargeted import END_TURNED_AWAY, LOST_WAY, SPINE_TURNED_AWAY, TURNED_AWAY


def limbik(*arguments, cwd):
    command = [sys.executable, "-c", "from limbik.cli.main import main; main()", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def walk():
    return generated_walk(2.0, 30.0)


@pytest.fixture(scope="module")
def puppet_walk(walk):
    """The walk on a figure of ball joints with a T-pose at rest, as in files of motion capture."""
    return lk.retarget(walk, balls()).clip


@pytest.mark.parametrize("flip", [False, True], ids=["all along x", "legs along -x"])
def test_a_file_whose_bones_are_along_one_axis_is_transferred_as_any_other(flip, puppet_walk, tmp_path):
    clip = lk.load_clip(save_along_x(puppet_walk, tmp_path / "a.bvh", flip))
    for frame in ("Head", "LeftHand", "RightFoot"):
        np.testing.assert_allclose(clip.forward(frame)[:, :3, 3], puppet_walk.forward(frame)[:, :3, 3], atol=1e-9)
    assert abs(clip.robot.forward(np.zeros(clip.robot.n), "Head")[1, 3]) < 0.1  # it is not upright at zero
    human = lk.load("human")
    plain, result = lk.retarget(puppet_walk, human), lk.retarget(clip, human)
    assert plain.ok and result.ok, result.why
    assert any("frame of its motion" in note for note in result.notes)
    assert max(result.bone_angles.values()) < np.radians(12)
    apart = np.linalg.norm(human.forward(plain.q, "hips")[:, :3, 3] - human.forward(result.q, "hips")[:, :3, 3], axis=1)
    assert apart.max() < 0.03
    up = human.forward(result.q, "head")[:, 1, 3] - human.forward(result.q, "hips")[:, 1, 3]
    assert up.min() > 0.4


def test_without_an_upright_frame_a_remedy_is_named(puppet_walk, tmp_path):
    path = save_along_x(puppet_walk, tmp_path / "a.bvh")
    clip = lk.load_clip(path)
    lying = np.array(clip.q)
    lying[:, 3:6] = (Rotation.from_euler("x", 90, degrees=True) * Rotation.from_rotvec(lying[:, 3:6])).as_rotvec()
    lk.Clip(clip.robot, lying, clip.times).save(tmp_path / "b.bvh")
    result = lk.retarget(lk.load_clip(tmp_path / "b.bvh"), lk.load("human"))
    assert not result.ok and "--up x" not in result.why
    done = limbik("retarget", "b.bvh", "--to", "human", "--out", "c.bvh", "--json", cwd=tmp_path)
    facts = json.loads(done.stdout)
    assert not facts["clips"][0]["ok"] and facts["clips"][0]["status"] == "doubtful"
    assert done.returncode == 1 and facts["doubtful"] == 1 and "--rest first" in done.stderr
    done = limbik("retarget", "a.bvh", "--to", "human", "--out", "d.bvh", "--rest", "first", "--json", cwd=tmp_path)
    assert done.returncode == 0 and json.loads(done.stdout)["clips"][0]["status"] == "done"


@pytest.mark.parametrize("rest", ["zero", "auto"])
def test_bones_that_point_elsewhere_are_counted(rest, puppet_walk, tmp_path):
    """A wrong rest posture gives a wrong motion, which is reported, in the shell too."""
    path = save_along_x(puppet_walk, tmp_path / "a.bvh")
    result = lk.retarget(lk.load_clip(path), lk.load("human"), rest=rest)
    for bone, angle in result.bone_angles.items():
        bound = {"spine": SPINE_TURNED_AWAY, **dict.fromkeys(ENDS, END_TURNED_AWAY)}.get(bone, TURNED_AWAY)
        assert (bone in result.turned_away) == (angle > bound)
    assert result.faithful == (rest == "auto") and (result.ok or rest == "zero")
    if rest == "zero":
        assert "turned away" in result.why and next(iter(result.turned_away)) in result.why
    done = limbik("retarget", "a.bvh", "--to", "human", "--out", "b.bvh", "--rest", rest, cwd=tmp_path)
    assert done.returncode == (0 if rest == "auto" else 1) and (tmp_path / "b.bvh").exists()
    assert ("doubtful" in done.stdout) == (rest == "zero") == ("turned away" in done.stderr)


def test_angles_are_those_of_the_bones_in_space(walk):
    result = lk.retarget(walk, balls(spine=2))
    turned = {}
    for bone, to in (("leftUpperArm", "leftLowerArm"), ("rightUpperLeg", "rightLowerLeg")):
        vectors = []
        for clip, names in ((result.source, result.source_bones), (result.clip, result.bones)):
            vectors.append(clip.forward(names[to])[:, :3, 3] - clip.forward(names[bone])[:, :3, 3])
        cosines = (
            (vectors[0] * vectors[1]).sum(1) / np.linalg.norm(vectors[0], axis=1) / np.linalg.norm(vectors[1], axis=1)
        )
        turned[bone] = np.arccos(np.clip(cosines, -1, 1)).mean()
    for bone, angle in turned.items():
        assert result.bone_angles[bone] == pytest.approx(angle, abs=1e-6)
    assert {"hips", "spine"} <= result.bone_angles.keys()


def with_range(names, lower, upper):
    """The human figure with other ranges of some joints."""
    mechanism = lk.load("human").model.mechanism
    joints = [j.moved_to(lower=lower, upper=upper) if j.name in names else j for j in mechanism.joints]
    return lk.Skeleton(mechanism.replaced(joints))


@pytest.mark.parametrize(("joint", "bone", "value"), [
    ("head_x", "head", 1.0), ("leftHand_x", "leftHand", 1.2), ("rightHand_x", "rightHand", 1.2),
])  # fmt: skip
def test_heads_hands_and_feet_count_by_their_orientation(joint, bone, value, puppet_walk):
    """A joint locked at a limit turns an end bone away, which no bone direction shows."""
    plain = lk.retarget(puppet_walk, lk.load("human"))
    assert set(ENDS) <= plain.bone_angles.keys() == plain.held_angles.keys()
    assert plain.ok and plain.bone_angles[bone] < np.radians(15), plain.why
    result = lk.retarget(puppet_walk, with_range({joint}, value, value + 0.01))
    assert bone in result.turned_away and not result.faithful and not result.ok and bone in result.why
    asked = plain.clip.forward(bone)[:, :3, :3]
    apart = Rotation.from_matrix(asked.transpose(0, 2, 1) @ result.clip.forward(bone)[:, :3, :3]).magnitude().mean()
    assert result.bone_angles[bone] == pytest.approx(apart, abs=np.radians(15))


@pytest.mark.parametrize(("moved", "locked", "bone"), [
    ({"leftUpperLeg_x": 1.0, "leftLowerLeg_x": 1.9}, ("leftLowerLeg_x", 0.0, 0.2), "leftLowerLeg"),
    ({"spine_x": 1.2}, ("spine_x", 0.0, 0.05), "spine"),
])  # fmt: skip
@pytest.mark.parametrize("frames", [120, 1200])
def test_a_temporary_deviation_counts_in_clips_of_any_length(moved, locked, bone, frames):
    human = lk.load("human")
    q = np.tile(human.clamp(np.zeros(human.n)), (frames, 1))
    for name, value in moved.items():
        q[40:55, human.joint_names.index(name)] = value
    clip = lk.Clip(human, human.clamp(q), rate=30)
    joint, lower, upper = locked
    result = lk.retarget(clip, with_range({joint}, lower, upper))
    assert not result.turned_away or frames == 120
    assert bone in {**result.held_away, **result.turned_away} and not result.ok and bone in result.why
    assert lk.retarget(clip, human).faithful


# ---- figures that travel ---------------------------------------------------------------------------------------------


def hips_travel(result):
    path = result.clip.forward(result.bones["hips"])[:, :3, 3]
    return np.linalg.norm(path[-1] - path[0])


def source_travel(result):
    path = result.source.forward(result.source_bones["hips"])[:, :3, 3]
    return result.scale * np.linalg.norm(path[-1] - path[0])


@pytest.mark.parametrize("prefix", ["mixamorig:", ""])
@pytest.mark.parametrize("moving", ["static", "in place"])
def test_an_avatar_walks_whether_its_file_does_or_not(prefix, moving, walk, tmp_path, rng):
    clips = [animation(rng, travel=False)] if moving == "in place" else []
    for one in clips:
        for paths in one["tracks"].values():
            del paths["translation"]
    figure = lk.load(save_rig(tmp_path / "a.gltf", clips, prefix=prefix))
    assert figure.model.mechanism.joint_of[f"{prefix}Hips"].kind is lk.model.Kind.FLOATING
    assert sum(j.kind is lk.model.Kind.FLOATING for j in figure.model.mechanism.joints) == 1
    result = lk.retarget(walk, figure)
    assert result.lost_way == 0 and hips_travel(result) == pytest.approx(source_travel(result), rel=0.02)
    assert result.foot_slide < 0.02
    assert result.faithful, result.why


def bvh_at_rest(channels):
    lines = ["HIERARCHY"]

    def node(name, depth):
        place = BONES[name][1]
        lines.extend([f"{'JOINT' if depth else 'ROOT'} {name}", "{", f"OFFSET {place[0]} {place[1]} {place[2]}"])
        own = channels if depth == 0 else "CHANNELS 3 Zrotation Xrotation Yrotation"
        lines.append(own)
        below = [bone for bone, (above, _) in BONES.items() if above == name]
        for bone in below:
            node(bone, depth + 1)
        if not below:
            lines.extend(["End Site", "{", "OFFSET 0 0 1", "}"])
        lines.append("}")

    node("Hips", 0)
    return "\n".join([*lines, "MOTION", "Frames: 0", "Frame Time: 0.01"]) + "\n"


@pytest.mark.parametrize("positions", ["", "Xposition Yposition Zposition "])
def test_a_bvh_figure_without_frames_travels(positions, walk, tmp_path):
    count = 6 if positions else 3
    (tmp_path / "a.bvh").write_text(bvh_at_rest(f"CHANNELS {count} {positions}Zrotation Xrotation Yrotation"))
    figure = lk.load(tmp_path / "a.bvh")
    result = lk.retarget(walk, figure)
    assert result.lost_way == 0 and hips_travel(result) == pytest.approx(source_travel(result), rel=0.02)


def test_an_arm_in_a_file_stays_on_its_base(tmp_path):
    """Only a figure with hips and legs gets a floating root."""
    arm = lk.load("ur5")
    lk.Clip(arm, np.zeros((2, arm.n)) + [[0], [0.3]], rate=1).save(tmp_path / "a.gltf", mesh=False)
    root = json.loads((tmp_path / "a.gltf").read_text())
    del root["extras"]
    (tmp_path / "a.gltf").write_text(json.dumps(root))
    kinds = {j.kind for j in lk.load(tmp_path / "a.gltf").model.mechanism.joints}
    assert lk.model.Kind.FLOATING not in kinds and lk.model.Kind.BALL in kinds


def rooted(figure):
    """A figure whose hips are joined to the world by a ball joint."""
    joints = [lk.model.Joint(j.name, "ball", j.parent, j.child, j.origin) if j.kind is lk.model.Kind.FLOATING else j
              for j in figure.model.mechanism.joints]  # fmt: skip
    return lk.Skeleton(figure.model.mechanism.replaced(joints))


def test_lost_motion_of_the_hips_is_reported(walk, tmp_path):
    result = lk.retarget(walk, rooted(balls()))
    assert hips_travel(result) < 1e-9
    assert result.lost_way == pytest.approx(source_travel(result), rel=0.02) and result.lost_way > 1.0
    assert not result.ok and not result.faithful and f"{result.lost_way:.2f} m" in result.why
    still = lk.Clip(walk.robot, np.repeat(walk.q[:1], 5, axis=0), rate=30)
    stays = lk.retarget(still, rooted(balls()))
    assert stays.lost_way <= LOST_WAY and stays.faithful, stays.why
