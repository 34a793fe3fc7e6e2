"""A body held by pins: no jumps, no sliding feet, unreachable targets are approached, and every answer is verified."""

import math
import pickle

import numpy as np
import pytest

import limbik as lk

TIPS = ("head", "leftHand", "rightHand", "leftFoot", "rightFoot")
FEET = ("leftFoot", "rightFoot")


@pytest.fixture(scope="module")
def figure():
    return lk.load("human")


@pytest.fixture(scope="module")
def standing(figure):
    """Upright with knees and elbows a little bent."""
    q = figure.clamp(np.zeros(figure.n))
    for side in ("left", "right"):
        for joint, value in {
            "UpperArm_z": 0.3,
            "LowerArm_x": 0.6,
            "UpperLeg_x": 0.25,
            "LowerLeg_x": 0.5,
            "Foot_x": 0.1,
        }.items():
            q[figure.joint_names.index(side + joint)] = value
    return q


def held(figure, **options):
    pins = [lk.Planted(foot) for foot in FEET]
    return lk.Body(figure, [*pins, lk.Pin("leftHand"), lk.Pin("rightHand", rotation=0), lk.Gaze("head")], **options)


def moved(figure, before, after):
    """Return the change of every joint value, without the floating root."""
    return np.abs(figure.model.difference(before, after))[6:]


def shift(T, *way):
    out = np.array(T)
    out[:3, 3] += way
    return out


def test_at_rest_nothing_moves(figure, standing):
    pose = held(figure).at(standing)
    assert pose.ok and all(pose.met.values()) and np.allclose(pose.q, standing)
    after = pose.drag()
    assert after.ok and np.abs(figure.model.difference(after.q, standing)).max() < 1e-6


def test_a_dragged_hand_reaches_its_target_and_the_feet_stay(figure, standing):
    pose = held(figure).at(standing)
    T = pose.targets["leftHand"]
    for k in range(1, 31):
        pose = pose.drag({"leftHand": shift(T, 0, 0.02 * k, 0.01 * k)})
        assert pose.ok and figure.within_limits(pose.q)
    error = lk.pose_error(figure.forward(pose.q, "leftHand"), shift(T, 0, 0.6, 0.3))
    assert np.abs(error).max() < 2e-6
    for foot in FEET:
        assert np.abs(lk.pose_error(figure.forward(pose.q, foot), figure.forward(standing, foot))).max() < 2e-6


@pytest.mark.parametrize("step", [0.1, 0.35])
def test_no_joint_goes_farther_than_the_step(figure, standing, step):
    rng = np.random.default_rng(5)
    pose = lk.Body(figure, [lk.Pin(tip) for tip in TIPS], step=step).at(standing)
    for _ in range(60):  # targets that jump across the room
        q = figure.sample(rng)
        q[:3] = rng.uniform(-1, 1, 3)
        after = pose.drag({tip: figure.forward(q, tip) for tip in TIPS})
        assert moved(figure, pose.q, after.q).max() <= step + 1e-12
        assert figure.within_limits(after.q) and np.isfinite(after.q).all()
        pose = after


def test_a_hand_out_of_reach_is_followed_and_the_feet_do_not_slide(figure, standing):
    pose = held(figure).at(standing)
    T = pose.targets["leftHand"]
    for k in range(1, 61):
        pose = pose.drag({"leftHand": shift(T, 0, 0, 0.05 * k)})
    assert not pose.ok and pose.status == lk.Status.COMPROMISE and "leftHand" in pose.why
    for _ in range(60):
        pose = pose.drag()
    assert pose.met["leftFoot"] and pose.met["rightFoot"] and not pose.met["leftHand"]
    reached = figure.forward(pose.q, "leftHand")[2, 3] - T[2, 3]
    assert 0.5 < reached < 2.5
    far = pose.q
    for _ in range(20):  # it has come to rest
        after = pose.drag()
        assert moved(figure, pose.q, after.q).max() < 0.02
        pose = after
    for k in range(60, -1, -1):  # and comes back without a jump
        after = pose.drag({"leftHand": shift(T, 0, 0, 0.05 * k)})
        assert moved(figure, pose.q, after.q).max() <= 0.25 + 1e-12
        pose = after
    assert pose.ok and np.abs(figure.model.difference(far, pose.q)).max() > 0.2


def test_what_is_reached_agrees_with_solve(figure, standing):
    """A still target that can be met is met, as by the solver that searches."""
    rng = np.random.default_rng(3)
    for _ in range(10):
        q = figure.clamp(standing + np.concatenate([np.zeros(6), rng.normal(0, 0.15, figure.n - 6)]))
        targets = {tip: figure.forward(q, tip) for tip in TIPS}
        assert figure.solve(targets, seed=standing).ok
        pose = lk.Body(figure, [lk.Pin(tip) for tip in TIPS]).at(standing)
        for _ in range(40):
            pose = pose.drag(targets)
        assert pose.ok, pose.why


def test_weights_of_position_and_rotation_decide_what_gives_way(figure, standing):
    """A rotation of the hand beyond the arm's range: with a small weight of rotation, the position error is smaller."""
    body = {
        weight: lk.Body(figure, [lk.Pin(tip, priority=0) for tip in TIPS if tip != "leftHand"]
                        + [lk.Pin("leftHand", rotation=weight, priority=0)])
        for weight in (0.05, 5.0)
    }  # fmt: skip
    T = figure.forward(standing, "leftHand")
    turned = np.array(T)
    turned[:3, :3] = T[:3, :3] @ np.diag([1.0, -1.0, -1.0])
    misses = {}
    for weight, one in body.items():
        pose = one.at(standing)
        for _ in range(80):
            pose = pose.drag({"leftHand": turned})
        misses[weight] = pose.errors["leftHand"]
    assert misses[0.05][0] < misses[5.0][0] and misses[0.05][1] > misses[5.0][1]


def test_priority_comes_before_weight(figure, standing):
    apart = {"leftHand": (1.5, 1.0, 0), "rightHand": (-1.5, 1.0, 0)}
    pins = [lk.Planted(foot) for foot in FEET]
    pins += [lk.Pin("leftHand", rotation=0), lk.Pin("rightHand", rotation=0, position=100, priority=2)]
    pose = lk.Body(figure, pins).at(standing)
    for _ in range(80):
        pose = pose.drag(apart)
    left, right = pose.errors["leftHand"][0], pose.errors["rightHand"][0]
    assert left + 0.2 < right


def test_a_stiff_spine_moves_less(figure, standing):
    spine = [figure.joint_names.index(f"spine_{axis}") for axis in "xyz"]
    bend = {}
    for stiffness in (None, {"spine": 30.0}, {"spine": math.inf}):
        pose = held(figure, stiffness=stiffness, relax=0.0).at(standing)
        T = pose.targets["leftHand"]
        for k in range(1, 31):
            pose = pose.drag({"leftHand": shift(T, 0, 0.01 * k, 0.015 * k)})
        assert pose.ok
        bend[len(bend)] = float(np.abs(pose.q[spine] - standing[spine]).max())
    assert bend[2] == 0 and bend[1] < 0.5 * bend[0]


def test_stiffness_takes_joints_and_frames(figure):
    by_frame = held(figure, stiffness={"leftUpperArm": 4.0})
    by_joint = held(figure, stiffness={f"leftUpperArm_{axis}": 4.0 for axis in "xyz"})
    assert by_frame._stiff == by_joint._stiff and sum(np.array(by_frame._stiff) == 4.0) == 3


def test_preferred_angles_are_approached_where_pins_leave_freedom(figure, standing):
    elbow = figure.joint_names.index("leftLowerArm_y")
    preference = lk.Posture({"leftUpperArm_x": 0.5, "leftLowerArm_y": -0.4})
    pins = [lk.Planted(foot) for foot in FEET] + [lk.Pin("leftHand", rotation=0)]
    pose = lk.Body(figure, pins, [preference], relax=0.0).at(standing)
    for _ in range(120):
        pose = pose.drag()
    assert pose.ok and pose.q[elbow] == pytest.approx(-0.4, abs=1e-3)


def test_free_joints_return_to_rest(figure, standing):
    pins = [lk.Planted(foot) for foot in FEET]
    rest = standing.copy()
    elbow = figure.joint_names.index("leftLowerArm_x")
    rest[elbow] = 1.5
    pose = lk.Body(figure, pins, rest=rest).at(standing)
    for _ in range(200):
        pose = pose.drag()
    assert pose.ok and pose.q[elbow] == pytest.approx(1.5, abs=1e-2)


def test_balance_keeps_the_centre_of_mass_over_the_soles(figure, standing):
    fallen = {}
    for balance in (None, 0.02):
        pose = held(figure, balance=balance).at(standing)
        T = pose.targets["leftHand"]
        for k in range(1, 61):
            pose = pose.drag({"leftHand": shift(T, 0, 0, 0.012 * k)})
        for _ in range(60):
            pose = pose.drag()
        fallen[balance] = figure.model.centre_of_mass(pose.q)[2]
    toes = max(figure.forward(standing, foot)[2, 3] for foot in FEET) + 0.2  # where the capsule of a sole ends
    assert fallen[0.02] <= toes - 0.02 + 1e-6 and fallen[0.02] < fallen[None] - 1e-3


def test_weight_is_shifted_from_foot_to_foot(figure, standing):
    pins = [lk.Planted(foot, load=1.0) for foot in FEET]
    pose = lk.Body(figure, pins, balance=0.01).at(standing)
    for load, side in (({"leftFoot": 3.0, "rightFoot": 1.0}, 1), ({"leftFoot": 1.0, "rightFoot": 3.0}, -1)):
        for _ in range(250):
            pose = pose.drag(load=load)
        assert pose.ok and side * figure.model.centre_of_mass(pose.q)[0] > 0.03


def test_a_gaze_follows_a_point(figure, standing):
    pose = held(figure).at(standing)
    point = np.array([1.0, 1.8, 2.0])
    for _ in range(30):
        pose = pose.drag({"gaze": point})
    T = figure.forward(pose.q, "head")
    way = point - T[:3, 3]
    assert pose.met["gaze"] and T[:3, 2] @ way / np.linalg.norm(way) == pytest.approx(1.0, abs=1e-9)


def test_a_point_moves_a_full_pin_and_keeps_its_orientation(figure, standing):
    pose = held(figure).at(standing)
    T = pose.targets["leftHand"]
    pose = pose.drag({"leftHand": T[:3, 3] + [0, 0.02, 0]})
    assert np.allclose(pose.targets["leftHand"], shift(T, 0, 0.02, 0))
    pose = pose.drag({"leftHand": np.eye(3)})
    assert np.allclose(pose.targets["leftHand"][:3, :3], np.eye(3))
    assert np.allclose(pose.targets["leftHand"][:3, 3], T[:3, 3] + [0, 0.02, 0])


def test_a_pin_may_hold_a_point_of_a_frame_or_only_its_orientation(figure, standing):
    pins = [lk.Planted(foot) for foot in FEET]
    pins += [lk.Pin("leftHand", rotation=0, at=(0, -0.15, 0), name="fingertips"), lk.Pin("head", position=0)]
    pose = lk.Body(figure, pins).at(standing)
    tip = pose.targets["fingertips"]
    for _ in range(10):
        pose = pose.drag({"fingertips": tip + [0, 0.1, 0.1], "head": np.eye(3)})
    assert pose.ok
    T = figure.forward(pose.q, "leftHand")
    assert np.allclose(T[:3, :3] @ [0, -0.15, 0] + T[:3, 3], tip + [0, 0.1, 0.1], atol=2e-6)
    assert np.allclose(figure.forward(pose.q, "head")[:3, :3], np.eye(3), atol=2e-6)


def test_states_are_values(figure, standing):
    body = held(figure, stiffness={"spine": 2.0}, balance=0.01)
    pose = body.at(standing)
    T = pose.targets["leftHand"]
    one, other = (pose.drag({"leftHand": shift(T, 0, 0.05, 0)}) for _ in range(2))
    assert one == other and np.array_equal(one.q, other.q) and one != pose
    again = pickle.loads(pickle.dumps(one))
    assert again == one and again.body == body and again.drag() == one.drag()
    assert np.array_equal(np.asarray(one), one.q) and not one.q.flags.writeable
    assert held(figure).with_pins(lk.Pin("head")).pins == (lk.Pin("head"),)


def test_any_skeleton_can_be_held(rng):
    from conftest import random_tree

    tree = random_tree(rng, 12)
    tips = tree.tips
    pose = lk.Body(tree, [lk.Pin(tip, rotation=0) for tip in tips]).at(tree.sample(rng))
    for _ in range(5):
        after = pose.drag({tip: rng.normal(size=3) for tip in tips})
        assert tree.within_limits(after.q) and np.isfinite(after.q).all()
        pose = after


def test_misuse_is_reported(figure, standing):
    body = held(figure)
    pose = body.at(standing)
    for bad in ({"lefthand": np.eye(4)}, {"nowhere": (0, 0, 0)}):
        with pytest.raises(lk.errors.UnknownFrame):
            pose.drag(bad)
    with pytest.raises(lk.BadOption, match="planted"):
        pose.drag({"leftFoot": np.eye(4)})
    for target in (np.full((4, 4), math.nan), (1, 2), "there", 2 * np.eye(4), np.ones((3, 3)), None, (math.inf, 0, 0)):
        with pytest.raises(lk.LimbikError):
            pose.drag({"leftHand": target})
    with pytest.raises(lk.LimbikError):
        pose.drag({"rightHand": np.eye(3)})  # only its place is held
    with pytest.raises(lk.BadOption):
        pose.drag([np.eye(4)])
    with pytest.raises(lk.BadOption):
        pose.drag(load={"leftFoot": 1.0})
    for bad in (np.zeros(3), np.full(figure.n, math.nan), "home"):
        with pytest.raises(lk.LimbikError):
            body.at(bad)
    pin = [lk.Pin("head")]
    for options in ({"stiffness": {"spine": 0}}, {"stiffness": {"spine": -1}}, {"stiffness": 3}, {"step": 0}, {"step": math.inf},
                    {"relax": 2}, {"relax": math.nan}, {"balance": 0.1}, {"rest": np.zeros(2)}, {"goals": [3]}):  # fmt: skip
        with pytest.raises(lk.LimbikError):
            lk.Body(figure, pin, **options)
    for pins in ([], None, "head", ["head"], [lk.Pin("head"), lk.Pin("head")], [lk.Pin("nowhere")]):
        with pytest.raises(lk.LimbikError):
            lk.Body(figure, pins)
    with pytest.raises(lk.LimbikError):
        lk.Body(figure, pin, stiffness={"nowhere": 2})
    with pytest.raises(lk.LimbikError):
        lk.Body(figure.chain("leftHand"), pin)
    for options in ({"position": -1}, {"rotation": math.nan}, {"position": 0, "rotation": 0}, {"at": (0, 1, 0)}, {"tolerance": 0},
                    {"priority": -1}, {"name": 3}):  # fmt: skip
        with pytest.raises(lk.LimbikError):
            lk.Pin("head", **options)
    with pytest.raises(lk.LimbikError):
        lk.Planted("leftFoot", load=-1)
