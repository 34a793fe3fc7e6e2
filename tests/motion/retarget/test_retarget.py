"""A clip on another figure: joint ranges, planted feet, hand targets and bone directions, for many pairs of figures."""

import math
import pickle

import numpy as np
import pytest
from examples.walk import generated_walk

import limbik as lk

SIDES = ("left", "right")
LEGS = [f"{side}{part}Leg" for side in SIDES for part in ("Upper", "Lower")]


@pytest.fixture(scope="module")
def walk():
    return generated_walk(3.0, 60.0)


def long_legs(factor=1.2):
    return lk.load("human").with_proportions(dict.fromkeys(LEGS, factor))


def balls(name="puppet", *, up="y", unit=1.0, spread=0.3, toes=True, spine=3, wide=1.0):
    """A figure of ball joints in a T-pose, its legs spread, as motion capture has them, of any size."""
    x, y, z = ([1, 0, 0], [0, 1, 0], [0, 0, 1]) if up == "y" else ([0, 1, 0], [0, 0, 1], [1, 0, 0])
    axes = np.array([x, y, z], float) * unit
    links, joints = ["world", "Hips"], [lk.model.Joint("Hips", "floating", "world", "Hips")]

    def add(child, parent, offset):
        T = np.eye(4)
        T[:3, 3] = np.array(offset, float) @ axes
        links.append(child)
        joints.append(lk.model.Joint(child, "ball", parent, child, origin=T))
        return child

    at = "Hips"
    for k in range(spine):
        at = add(("LowerBack", "Spine", "Spine1")[k], at, (0, 0.45 / spine, 0) if k else (0, 0.05, 0))
    neck = add("Neck", at, (0, 0.2, 0))
    add("Head", neck, (0, 0.12, 0))
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        arm = add(f"{side}Arm", at, (sign * 0.2 * wide, 0.1, 0))
        fore = add(f"{side}ForeArm", arm, (sign * 0.3, 0, 0))
        add(f"{side}Hand", fore, (sign * 0.25, 0, 0))
        thigh = add(f"{side}UpLeg", "Hips", (sign * 0.1, -0.05, 0))
        along = np.array([sign * math.sin(spread), -math.cos(spread), 0])
        shank = add(f"{side}Leg", thigh, 0.42 * along)
        foot = add(f"{side}Foot", shank, 0.4 * along)
        if toes:
            add(f"{side}ToeBase", foot, 0.05 * along + [0, 0, 0.13])
    return lk.Skeleton(lk.model.Mechanism(name, [lk.model.Link(n) for n in links], joints, up=up))


def check_laws(result, clip):
    """What holds of every retargeted clip, measured by forward kinematics alone."""
    figure, q = result.clip.robot, result.q
    assert q.shape == (len(clip), figure.n) and np.isfinite(q).all()
    assert (q >= figure.lower).all() and (q <= figure.upper).all() and figure.within_limits(q).all()
    missed = {(m.frame, m.bone) for m in result.reported}
    for bone, target in result.hand_targets.items():
        off = np.linalg.norm(figure.forward(q, result.bones[bone])[:, :3, 3] - target, axis=1)
        np.testing.assert_allclose(off, result.hand_error[bone], atol=1e-12)
        assert {k for k in range(len(q)) if off[k] > result.tolerance} == {k for k, b in missed if b == bone}
    for side in SIDES:
        stances = result.contacts.get(f"{side}Foot", ())
        if stances:
            slide = result.clip.foot_slide(result.bones[f"{side}Foot"], stances)
            assert slide == pytest.approx(max(c.slide for c in stances), abs=1e-12)
        reported_frames = {m.frame for m in result.reported if m.bone == f"{side}Foot"}
        if any("postures are kept" in note for note in result.notes):  # then the heights of feet are the source's
            continue
        ankle = figure.forward(q, result.bones[f"{side}Foot"])[:, :3, 3] if stances else None
        for stance in stances:
            height = ankle[stance.start : stance.end + 1] @ np.eye(3)["xyz".index(figure.model.mechanism.up)]
            assert np.ptp(height) <= 2 * result.tolerance or stance.start in reported_frames, (
                side,
                stance,
                np.ptp(height),
            )
    assert len(result.why) > 20


def test_a_walk_on_longer_legs_keeps_feet_planted_hands_on_target_and_ranges(walk):
    figure = long_legs()
    result = lk.retarget(walk, figure)
    check_laws(result, walk)
    assert result.scale == pytest.approx(1.2) and result.ok
    assert result.foot_slide < 0.002 and max(e.max() for e in result.hand_error.values()) < 0.002
    assert sum(len(result.contacts[f"{side}Foot"]) for side in SIDES) >= 5
    assert result.clip.largest_step < 1.5 * walk.largest_step
    # the path of the hips is longer by the same factor as the legs
    travel = [np.ptp(c.forward("hips")[:, 2, 3]) for c in (walk, result.clip)]
    assert travel[1] / travel[0] == pytest.approx(1.2, rel=0.02)
    # knees bend, and no sole is below the ground
    for side in SIDES:
        assert (result.q[:, figure.joint_names.index(f"{side}LowerLeg_x")] >= 0).all()
        T = result.clip.forward(f"{side}Foot")
        sole = T[:, :3, 3] + T[:, :3, :3] @ [0, -0.068, 0.165]
        assert sole[:, 1].min() > -0.012


def test_feet_stand_flat_at_one_place_where_the_sources_stand(walk):
    result = lk.retarget(walk, long_legs())
    for side in SIDES:
        T = result.clip.forward(f"{side}Foot")
        for stance in result.contacts[f"{side}Foot"]:
            part = T[stance.start : stance.end + 1]
            assert np.linalg.norm(part[:, :3, 3] - part[0, :3, 3], axis=1).max() < 0.002
            assert part[:, 1, 1].min() > math.cos(0.03)
            assert part[:, 1, 3] == pytest.approx(0.06825, abs=0.002)


def test_a_foot_that_is_lifted_while_it_stands_is_reported(walk):
    """Stiff knees and hips: the feet cannot stay on the ground, whether they slide or not."""
    human = lk.load("human")
    stiff = []
    for joint in human.model.mechanism.joints:
        if joint.name.endswith(("UpperLeg_x", "LowerLeg_x")):
            joint = joint.moved_to(lower=0.0, upper=0.12)
        stiff.append(joint)
    source = lk.retarget(walk, balls()).clip
    result = lk.retarget(source, lk.Skeleton(human.model.mechanism.replaced(stiff)))
    check_laws(result, source)
    feet = [m for m in result.reported if m.bone.endswith("Foot")]
    assert feet and not result.ok and "from their position" in result.why
    assert any("at their limits" in m.reason for m in feet) and all(m.error > result.tolerance for m in feet)
    assert "leaves its position while standing" in str(feet[0])


def test_a_transfer_to_the_same_figure_keeps_bone_directions(walk):
    result = lk.retarget(walk, walk.robot)
    check_laws(result, walk)
    assert result.scale == pytest.approx(1.0)
    arms = [angle for bone, angle in result.bone_angles.items() if "Arm" in bone]
    assert max(arms) < 1e-6 and max(result.bone_angles.values()) < 0.12


@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("unit", [1.0, 0.02, 50.0])
def test_to_balls_and_back(walk, up, unit):
    """Any size, either axis up, spread legs and a T-pose at rest: bones keep their directions, also after the transfer back."""
    puppet = balls(up=up, unit=unit)
    there = lk.retarget(walk, puppet, tolerance=0.01 * unit)
    check_laws(there, walk)
    assert there.scale == pytest.approx(0.82 * unit / 0.85925, rel=1e-6)
    assert there.foot_slide < 0.005 * unit and not there.reported
    assert max(there.bone_angles.values()) < 0.16
    back = lk.retarget(there.clip, lk.load("human"))
    check_laws(back, there.clip)
    assert back.foot_slide < 0.01 and max(back.bone_angles.values()) < 0.16
    heads = [np.ptp(c.forward("head")[:, 2, 3]) for c in (walk, back.clip)]
    assert heads[0] == pytest.approx(heads[1], rel=0.05)


def test_size_does_not_matter(walk):
    """A figure twice as large, in other numbers, takes the same postures."""
    one, two = (lk.retarget(walk, lk.load("human").scaled(s)) for s in (1.0, 2.0))
    legs = slice(6, None)
    np.testing.assert_allclose(one.q[:, legs], two.q[:, legs], atol=2e-3)
    np.testing.assert_allclose(2 * one.q[:, :3], two.q[:, :3], atol=5e-3)


@pytest.mark.parametrize("spine", [1, 2, 3])
def test_trunks_with_fewer_bones_lean_equally(walk, spine):
    """A bow, given to the human's one spine joint, tilts the shoulders of any trunk by as much."""
    q = np.array(walk.q)
    q[:, walk.robot.joint_names.index("spine_x")] = 0.6
    bowing = lk.Clip(walk.robot, q, walk.times)
    figure = balls(spine=spine)
    result = lk.retarget(bowing, figure)
    check_laws(result, bowing)
    top, low = (result.clip.forward(f)[:, :3, 3] for f in ("Neck", "LowerBack"))
    tilt = np.arctan2((top - low)[:, 2], (top - low)[:, 1])
    # a single bone leans by the whole angle, several bones share it
    assert 0.3 < np.median(tilt) < 0.7


def test_a_figure_on_a_fixed_base_moves_in_place(walk):
    human = lk.load("human").model.mechanism
    joints = [j.moved_to(kind=lk.model.Kind.FIXED) if j.name == "root" else j for j in human.joints]
    fixed = lk.Skeleton(human.replaced(joints))
    result = lk.retarget(walk, fixed)
    check_laws(result, walk)
    assert not result.contacts and "in place" in result.why
    legs = [angle for bone, angle in result.bone_angles.items() if "Leg" in bone]
    assert max(legs) < 1e-6
    np.testing.assert_allclose(
        result.clip.forward("hips"), np.broadcast_to(fixed.forward(np.zeros(fixed.n), "hips"), (len(walk), 4, 4))
    )


def test_missing_bones_are_reported_and_the_others_are_transferred(walk):
    human = lk.load("human").model.mechanism
    gone = {link.name for link in human.links if "Arm" in link.name or "Hand" in link.name}
    joints = [j for j in human.joints if j.child not in gone]
    legs_only = lk.Skeleton(human.replaced(joints, [k for k in human.links if k.name not in gone]))
    result = lk.retarget(walk, legs_only)
    check_laws(result, walk)
    assert not result.hand_error and "leftUpperArm" in result.why and result.foot_slide < 0.002
    back = lk.retarget(result.clip, lk.load("human"))
    check_laws(back, result.clip)
    assert "at rest" in back.why and "leftUpperArm" in back.why


def test_a_figure_that_crouches_at_zero_is_understood(walk):
    """Ball joints with their zero in the middle of their ranges: frames parallel to the world define the upright posture."""
    figure = lk.human(balls=True)
    result = lk.retarget(walk, figure)
    check_laws(result, walk)
    assert max(result.bone_angles.values()) < 0.25 and result.foot_slide < 0.01
    assert result.clip.forward("head")[:, 1, 3].min() > 1.2 and "upright" not in result.why
    crouching = lk.retarget(walk, figure, figure_rest="zero")
    check_laws(crouching, walk)
    assert "is not upright" in crouching.why


def test_names_are_taken_where_given(walk):
    figure = balls()
    mixed = {joint.child: f"b{k}" for k, joint in enumerate(figure.model.mechanism.joints)} | {"world": "world"}
    links = [lk.model.Link(mixed[link.name]) for link in figure.model.mechanism.links]
    joints = [
        j.moved_to(name=mixed[j.child], parent=mixed[j.parent], child=mixed[j.child])
        for j in figure.model.mechanism.joints
    ]
    unknown = lk.Skeleton(lk.model.Mechanism("unknown", links, joints, up="y"))
    with pytest.raises(lk.BadOption, match="names="):
        lk.retarget(walk, unknown)
    names = {bone: mixed[frame] for bone, frame in lk.humanoid(figure).items()}
    np.testing.assert_array_equal(lk.retarget(walk, unknown, names=names).q, lk.retarget(walk, figure).q)


def test_a_t_pose_before_the_motion_does_not_touch_it(walk):
    """It is a separate part: the rest of the clip is the same as without it."""
    arms = np.array(walk.q[0])
    for side in SIDES:
        arms[walk.robot.joint_names.index(f"{side}UpperArm_z")] = math.pi / 2
    with_t = lk.Clip(walk.robot, np.vstack([arms, walk.q]), np.append(walk.times, walk.times[-1] + 1 / 60))
    result = lk.retarget(with_t, long_legs())
    assert result.clip.jumps == (1,) and result.first_shown == 1
    plain = lk.retarget(walk, long_legs())
    np.testing.assert_allclose(result.q[1:], plain.q, atol=0.02)
    check_laws(result, with_t)


@pytest.mark.parametrize("rate", [12.0, 30.0, 240.0])
def test_other_rates_stand_as_firmly(rate):
    clip = generated_walk(2.0, rate)
    result = lk.retarget(clip, long_legs(0.85))
    check_laws(result, clip)
    assert result.foot_slide < 0.005 and not result.reported


def test_the_same_call_gives_the_same_numbers(walk):
    a, b = (lk.retarget(walk, long_legs()) for _ in range(2))
    np.testing.assert_array_equal(a.q, b.q)
    assert a == b and pickle.loads(pickle.dumps(a)) == a


def test_the_result_is_saved_and_read_again(walk, tmp_path):
    result = lk.retarget(walk, long_legs())
    for name in ("walk.bvh", "walk.glb"):
        result.save(tmp_path / name)
        again = lk.load_clip(tmp_path / name)
        foot = next(f for f in again.robot.frames if f.endswith("leftFoot"))
        np.testing.assert_allclose(again.forward(foot)[:, :3, 3], result.clip.forward("leftFoot")[:, :3, 3], atol=1e-4)
    result.film(tmp_path / "film.png", 5)
    assert (tmp_path / "film.png").stat().st_size > 3000


@pytest.mark.parametrize("seed", range(6))
def test_limits_cause_no_jumps_of_limbs(seed):
    """A puppet without limits moves at random, with knees bent backwards and hands twisted: limits cause no jumps."""
    rng = np.random.default_rng(seed)
    puppet, times = balls(), np.arange(180) / 60
    wave = np.sin(2 * np.pi * times[:, None] * rng.uniform(0.2, 0.8, puppet.n) + rng.uniform(0, 6, puppet.n))
    source = lk.Clip(puppet, wave * np.where(np.arange(puppet.n) < 3, 0.1, 0.6), times)
    result = lk.retarget(source, lk.load("human"))
    assert result.clip.largest_step < 0.5, seed
    assert not result.clip.jumps


@pytest.mark.parametrize("cut", [1, 30, 45])
def test_a_jump_during_a_stance_divides_the_clip(cut):
    human = lk.load("human")
    q = np.tile(human.clamp(np.zeros(human.n)), (60, 1))
    q[cut:, human.joint_names.index("head_y")] = 1.0
    for figure in (long_legs(), lk.load("human_balls")):
        result = lk.retarget(lk.Clip(human, q, rate=30), figure)
        assert result.clip.jumps == (cut,) and result.foot_slide < 1e-3


def test_a_head_that_turns_as_fast_as_the_sources_is_not_eased():
    """Three frames: no joint has a longer step than the source."""
    human = lk.load("human")
    head = human.joint_names.index("head_y")
    q = np.tile(human.clamp(np.zeros(human.n)), (48, 1))
    q[20:24, head], q[24:, head] = (0.1, 0.45, 0.8, 0.9), 0.9
    result = lk.retarget(lk.Clip(human, q, rate=24), long_legs())
    turned = result.clip.forward("head")[:, :3, :3]
    angle = np.unwrap(np.arctan2(turned[:, 0, 2], turned[:, 2, 2]))
    np.testing.assert_allclose(angle, q[:, head], atol=0.02)


@pytest.mark.parametrize("without", [("Hand",), ("Hand", "ForeArm"), ("ToeBase", "Foot")])
def test_limbs_that_end_early_point_as_the_sources_do(without):
    """Forearms or shanks without hands or feet: the bones that exist take the source's directions."""
    whole = balls()
    kept = [joint for joint in whole.model.mechanism.joints if not joint.child.endswith(without)]
    ends = [joint for joint in whole.model.mechanism.joints if joint.child.endswith(without[-1])]
    kept += [lk.model.Joint(f"{j.parent}End", "fixed", j.parent, f"{j.parent}End", origin=j.origin) for j in ends]
    links = [lk.model.Link(name) for name in ("world", *(joint.child for joint in kept))]
    puppet = lk.Skeleton(lk.model.Mechanism("puppet", links, kept, up="y"))
    times, rng = np.arange(60) / 30, np.random.default_rng(2)
    wave = np.sin(2 * np.pi * times[:, None] * rng.uniform(0.2, 0.5, puppet.n) + rng.uniform(0, 6, puppet.n))
    source = lk.Clip(puppet, 0.2 * wave, times)
    result = lk.retarget(source, lk.load("human_balls"))
    bones = (("Leg", "LegEnd", "LowerLeg", "Foot"), ("UpLeg", "Leg", "UpperLeg", "LowerLeg"))
    if without[0] == "Hand":
        bones = (("Arm", "ForeArm" if len(without) == 1 else "ArmEnd", "UpperArm", "LowerArm"),)
    for a, b, c, d in bones:
        for side in ("Left", "Right"):
            theirs = source.forward(side + b)[:, :3, 3] - source.forward(side + a)[:, :3, 3]
            ours = result.clip.forward(side.lower() + d)[:, :3, 3] - result.clip.forward(side.lower() + c)[:, :3, 3]
            cosine = (theirs * ours).sum(axis=1) / np.linalg.norm(theirs, axis=1) / np.linalg.norm(ours, axis=1)
            assert np.degrees(np.arccos(np.clip(cosine, -1, 1))).max() < 15


def test_a_figure_that_is_upright_along_another_axis_is_reported():
    puppet = balls()
    wrong = lk.Skeleton(
        lk.model.Mechanism("puppet", puppet.model.mechanism.links, puppet.model.mechanism.joints, up="z")
    )
    for figure in (puppet, wrong):
        result = lk.retarget(lk.Clip(figure, np.zeros((3, figure.n)), rate=30), lk.load("human"))
        assert ("has its height along y at rest, but z is up" in result.why) is (figure is wrong)
