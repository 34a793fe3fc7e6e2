"""Limbs with joints: solved answers verified for every build of limb, matching, blending, feasible swivels."""

import math
import pickle

import numpy as np
import pytest
from cases.ball_figures import ball_figure, limbs, postures

import limbik as lk

LIMBS = limbs()
RECORDED = [name for name in LIMBS if name.startswith(("free", "cones"))]


@pytest.fixture
def rng():
    seed = int(np.random.SeedSequence().entropy % 2**32)
    print("seed", seed)
    return np.random.default_rng(seed)


def in_ranges(arcs, angle, room=1e-9):
    return any(low - room <= angle + 2 * math.pi * k <= high + room for low, high in arcs for k in (-1, 0, 1, 2))


def within(limb, q):
    """Return whether the limb's joints are inside their limits, with the others at home."""
    home = np.array(np.broadcast_to(limb.robot.home, q.shape))
    home[..., limb.places] = q[..., limb.places]
    return limb.robot.within_limits(home)


def end_of(limb):
    return limb.model.end


@pytest.mark.parametrize(
    ("name", "root", "elbow", "wrist"),
    [
        ("human leftHand", ["leftUpperArm_x", "leftUpperArm_y", "leftUpperArm_z"], "leftLowerArm_x", 4),
        ("human rightFoot", ["rightUpperLeg_x", "rightUpperLeg_y", "rightUpperLeg_z"], "rightLowerLeg_x", 3),
        ("iiwa7", ["joint_a1", "joint_a2", "joint_a3"], "joint_a4", 3),
        ("free balls LeftHand", ["LeftArm.rx", "LeftArm.ry", "LeftArm.rz"], "LeftForeArm.rx", 3),
        ("free hinges LeftFoot", ["LeftUpLeg.rx", "LeftUpLeg.ry", "LeftUpLeg.rz"], "LeftLeg", 3),
    ],
)
def test_the_joints_of_a_limb_are_found_by_walking_up(name, root, elbow, wrist):
    limb = LIMBS[name]
    names = list(limb.joint_names)
    assert names[:3] == root and names[3] == elbow and len(names) - names.index(elbow) - wrist in (1, 3)
    assert limb.turns_hand and end_of(limb) in repr(limb)


def test_lengths_are_those_of_the_figure():
    assert (LIMBS["human leftHand"].upper, LIMBS["human leftHand"].lower) == pytest.approx((0.3255, 0.2555))
    assert (LIMBS["human_arm_7"].upper, LIMBS["human_arm_7"].lower) == pytest.approx((0.334, 0.288))
    assert LIMBS["free balls LeftFoot"].upper == pytest.approx(math.hypot(0.02, 0.41, 0.01))
    assert LIMBS["human leftFoot"].zero.tolist() == pytest.approx([0, 0, 1])  # a knee points forward


def test_a_straight_ball_bends_about_the_axis_that_is_given():
    """An arm at rest along x with an elbow axis -y bends with its elbow to the back."""
    limb = ball_figure().limb("LeftHand", bend_axis=(0, -2, 0))
    assert limb.zero.tolist() == pytest.approx([0, 0, -1])
    rest = limb.robot.home
    place = limb.robot.forward(rest, "LeftHand")[:3, 3] - (0.2, 0, 0)
    answer = limb.solve(place, seed=rest)
    turned = answer.q[limb.places][3:6]
    assert answer.ok and answer.side @ (0, 0, -1) > 0.99 and turned[1] < -0.5 and np.abs(turned[[0, 2]]).max() < 1e-9
    assert pickle.loads(pickle.dumps(limb)) == limb != ball_figure().limb("LeftHand")


def test_joints_of_no_length_keep_their_values():
    figure = ball_figure()
    limb = figure.limb("LeftFingerBase")
    assert limb.joint_names[:1] == ("LeftArm.rx",) and "LeftHand.rx" in limb.joint_names
    assert "LeftFingerBase.rx" not in limb.joint_names and "LHipJoint.rx" not in figure.limb("LeftFoot").joint_names
    beyond = figure.limb("LeftHandIndex1", upper="LeftArm", lower="LeftForeArm")
    assert "LeftArm.rx" in beyond.joint_names and "LeftForeArm.rz" in beyond.joint_names


@pytest.mark.parametrize("name", LIMBS)
def test_solved_answers_reach_their_targets_inside_the_limits(name, rng):
    """Poses and points that a posture has, from home: the end by forward kinematics, the elbow where the pole says."""
    limb, robot = LIMBS[name], LIMBS[name].robot
    Q = postures(limb, rng, 10)
    T = robot.forward(Q, end_of(limb))
    for targets in (T, T[:, :3, 3]):
        batch = limb.solve_batch(targets, seeds=robot.home, nearest=True)
        there = robot.forward(batch.q, end_of(limb))
        ok = batch.ok
        assert np.abs(there[ok, :3, 3] - T[ok, :3, 3]).max(initial=0.0) < 1e-8
        if targets.ndim == 3:
            assert np.abs(there[ok] - T[ok]).max(initial=0.0) < 3e-8
        assert within(limb, batch.q).all()
        rest = np.setdiff1d(np.arange(robot.n), limb.places)
        assert np.array_equal(batch.q[:, rest], np.broadcast_to(robot.home[rest], (10, len(rest))))
        if targets.ndim == 3 or name not in ("iiwa7",):
            assert ok.all(), [int(s) for s in batch.status]
        assert not (batch.status == lk.Status.OUT_OF_REACH).any()


@pytest.mark.parametrize("name", LIMBS)
def test_handles_of_a_posture_give_it_back(name, rng):
    limb, robot = LIMBS[name], LIMBS[name].robot
    for q in robot.sample(rng, 8):
        handles = limb.match_ik(q)
        answer = limb.match_fk(handles, seed=q)
        assert answer.ok and np.abs(robot.model.difference(q, answer.q)).max() < 1e-7, answer.why
        by_swivel = limb.solve(handles.target, swivel=handles.swivel, seed=q)
        assert by_swivel.ok and by_swivel.swivel == pytest.approx(handles.swivel, abs=1e-7)
        assert np.abs(robot.forward(answer.q, end_of(limb)) - handles.target).max() < 1e-8
    Q = robot.sample(rng, 6)
    assert limb.swivel_of(Q).shape == (6,) and limb.pole_of(Q).shape == (6, 3)
    assert limb.swivel_of(Q)[2] == limb.swivel_of(Q[2])


@pytest.mark.parametrize("name", LIMBS)
def test_a_blend_is_exact_at_its_ends_and_continuous_between(name, rng):
    limb, robot = LIMBS[name], LIMBS[name].robot
    a, b = robot.sample(rng, 2)
    assert np.array_equal(limb.blend(a, b, 0), a)
    rest = np.setdiff1d(np.arange(robot.n), limb.places)
    assert np.array_equal(limb.blend(a, b, 1)[limb.places], b[limb.places])
    assert np.array_equal(limb.blend(a, b, 0.3)[rest], a[rest])
    w = np.linspace(0, 1, 401)
    Q = limb.blend(np.tile(a, (401, 1)), np.tile(b, (401, 1)), w)
    assert np.array_equal(limb.blend(a, b, w), Q)
    steps = np.linalg.norm(robot.model.difference(Q[:-1], Q[1:]), axis=1)
    assert steps.max() < 1.001 * steps.mean() + 1e-12  # along the rotations at an even pace
    assert (
        np.array_equal(limb.blend(Q, Q, w), Q) or np.abs(robot.model.difference(limb.blend(Q, Q, w), Q)).max() < 1e-12
    )


HINGED = [name for name in LIMBS if "balls" not in name and not name.startswith("human left")]


@pytest.mark.parametrize("name", [*HINGED, "human leftFoot", "cones balls LeftHand"])
@pytest.mark.parametrize("whole", [False, True])
def test_admissible_swivels_are_those_that_dense_sampling_finds(name, whole, rng):
    limb, robot = LIMBS[name], LIMBS[name].robot
    if whole and name == "human rightHand":
        pytest.skip("its wrist is redundant: test_a_wrist_with_a_twist")
    grid = np.linspace(-math.pi, math.pi, 241)[:-1]
    kept = 0
    for q in postures(limb, rng, 6):
        target = robot.forward(q, end_of(limb))
        target = target if whole else target[:3, 3]
        arcs = limb.swivel_ranges(target, seed=q)
        assert in_ranges(arcs, limb.swivel_of(q)) or "balls" in name or name == "iiwa7"
        many = np.broadcast_to(target, (len(grid), *target.shape))
        for arc_low, arc_high in arcs:
            assert arc_low <= arc_high <= arc_low + 2 * math.pi
            for end in (arc_low, arc_high, 0.5 * (arc_low + arc_high)):
                answer = limb.solve(target, swivel=end, seed=q)
                assert answer.ok and within(limb, answer.q), answer.why
        found = limb.solve_batch(many, swivels=grid, seeds=q, give_way=False)
        edges = [x for arc in arcs for x in arc]
        for k, angle in enumerate(grid):
            if any(abs(math.remainder(angle - edge, 2 * math.pi)) < 1e-6 for edge in edges):
                continue
            assert in_ranges(arcs, angle) == bool(found.ok[k])
            kept += bool(found.ok[k])
    assert kept > 20


@pytest.mark.parametrize("name", ["iiwa7", "human_arm_7", "human_leg_7"])
def test_admissible_swivels_of_arms_agree_with_their_closed_form(name, rng):
    """`Chain.swivel_ranges` computes them by other means, branch by branch."""
    limb, arm = LIMBS[name], LIMBS[name].robot
    for q in arm.sample(rng, 25):
        T = arm.forward(q)
        mine = limb.swivel_ranges(T)
        theirs = sorted(arc for arcs in arm.swivel_ranges(T).values() for arc in arcs)
        for low, high in theirs:
            for part in np.linspace(0, 1, 7):
                assert in_ranges(mine, low + part * (high - low), 1e-8)
        for low, high in mine:
            for part in np.linspace(0, 1, 7):
                assert in_ranges(theirs, low + part * (high - low), 1e-8)
        assert limb.swivel_of(q) == pytest.approx(arm.swivel(q), abs=1e-9)


def test_a_wrist_with_a_twist(rng):
    limb = LIMBS["human leftHand"]
    q = postures(limb, rng, 1)[0]
    T = limb.robot.forward(q, "leftHand")
    arcs = limb.swivel_ranges(T)
    assert in_ranges(arcs, limb.swivel_of(q))
    for low, high in arcs:
        for angle in np.linspace(low, high, 9):
            assert limb.solve(T, swivel=angle).ok
        for angle in (low - 1e-3, high + 1e-3):  # far beyond what a nearly straight limb allows
            if not in_ranges(arcs, angle):
                answer = limb.solve(T, swivel=angle)
                assert answer.status is lk.Status.COMPROMISE and answer.side_error == pytest.approx(1e-3, rel=0.1)


def test_limits_that_exclude_the_pole_give_a_compromise_at_the_nearest_swivel():
    limb = LIMBS["human leftFoot"]
    target = limb.robot.forward(limb.robot.home, "leftFoot")[:3, 3] + (0, 0.2, 0.1)
    front, back = limb.solve(target, pole=(0.2, 0.5, 5)), limb.solve(target, pole=(0.2, 0.5, -5))
    assert front.ok and front.side_error < 1e-9
    assert back.status is lk.Status.COMPROMISE and back.side_error > 0.5 and back.position_error < 1e-8
    assert any(
        abs(math.remainder(back.swivel - end, 2 * math.pi)) < 1e-6 for arc in limb.swivel_ranges(target) for end in arc
    )
    free = limb.solve(target, pole=(0.2, 0.5, -5), limits=False)
    assert free.ok and free.side_error < 1e-9 and not within(limb, free.q)


@pytest.mark.parametrize("name", ["human rightFoot", "human_arm_7", "human_leg_7", "cones hinges LeftHand"])
def test_the_status_is_limits_only_if_no_posture_is_inside_them(name, rng):
    """A search by least squares from many starts finds none either."""
    limb, robot = LIMBS[name], LIMBS[name].robot
    root, size, proven = limb.model.rest_bones.root[0], limb.upper + limb.lower, 0
    limb_home = limb.model.joints.geometry(robot.home[None], False).root[0]
    assert root.shape == (3,)
    for _ in range(30):
        direction = rng.normal(size=3)
        target = limb_home + direction / np.linalg.norm(direction) * rng.uniform(0.05, 1.2) * size
        answer = limb.solve(target)
        held = [v.joint.name for v in robot.model.compiled.variables if v.first not in limb.places]
        other = robot.solve(lk.Position(end_of(limb), target), robot.home, frozen=held or None)
        assert within(limb, answer.q)
        if answer.status in (lk.Status.LIMITS, lk.Status.OUT_OF_REACH):
            proven += 1
            assert not other.ok
            assert answer.position_error <= other.position_error + 1e-6  # and the posture is as near
        else:
            assert answer.ok and other.ok
    assert proven > 3


def test_a_stretched_limb_is_a_longer_skeleton(rng):
    limb, arm = LIMBS["human_arm_7"], LIMBS["human_arm_7"].robot
    for q in postures(limb, rng, 10):
        q[3] = 0.02
        place = arm.forward(q)[:3, 3] * 1.2
        answer = limb.solve(place, seed=q, stretch=0.5)
        assert answer.ok and answer.stretched > 1.1 and "stretched" in answer.why
        assert np.abs(arm.scaled(answer.stretched).forward(answer.q)[:3, 3] - place).max() < 1e-9
        assert not limb.solve(place, seed=q).ok


def test_soft_reach_of_a_figure_reports_the_distance():
    limb = LIMBS["human leftFoot"]
    hip = limb.model.joints.geometry(limb.robot.home[None], False).root[0]
    target = hip + (0, -(limb.upper + limb.lower) * 0.99, 0)
    soft = limb.solve(target, soft=0.1)
    assert soft.status is lk.Status.COMPROMISE and "soft" in soft.why and soft.position_error > 0.01
    there = limb.robot.forward(soft.q, "leftFoot")[:3, 3]
    assert np.linalg.norm(there - target) == pytest.approx(soft.position_error, abs=1e-12)
    assert limb.solve(target).ok


def test_a_motion_with_previous_is_continuous(rng):
    """A foot on a circle with a pole that crosses the line: joint values change in proportion to the target."""
    limb = LIMBS["human leftFoot"]
    home = limb.robot.clamp(np.zeros(limb.robot.n))
    start = limb.robot.forward(home, "leftFoot")[:3, 3]
    answer, elbows = None, []
    for t in np.linspace(0, 2 * math.pi, 200):
        target = start + (0.1 * math.sin(t), 0.2 + 0.05 * math.cos(t), 0.1)
        answer = limb.solve(target, pole=(0.2, 0.6, 1.5), previous=answer, seed=home if answer is None else None)
        assert answer.ok
        elbows.append(np.concatenate([answer.elbow, answer.q[limb.places]]))
    assert np.abs(np.diff(elbows, axis=0)).max() < 0.05


def test_turns_of_a_limb_are_those_of_its_links(rng):
    limb = LIMBS["human leftHand"]
    answer = limb.solve((0.3, 1.2, 0.3), swivel=0.4)
    upper, lower = limb.turns(answer)
    assert np.array_equal(upper, limb.robot.forward(answer.q, "leftUpperArm")[:3, :3])
    shoulder = limb.robot.forward(answer.q, "leftUpperArm")[:3, 3]
    assert np.abs(shoulder + upper @ (0, -limb.upper, 0) - answer.elbow).max() < 1e-12
    assert np.abs(answer.elbow + lower @ (0, -limb.lower, 0) - answer.end).max() < 1e-12
    assert limb.turns(limb.solve_batch([[0.3, 1.2, 0.3]])).shape == (1, 2, 3, 3)
    with pytest.raises(lk.BadOption, match="without joints"):
        limb.turns(answer, roll="least")


def test_the_bend_of_an_answer_is_that_of_its_posture(rng):
    limb = LIMBS["human leftFoot"]
    for target in rng.normal(scale=0.6, size=(12, 3)) + (0.17, 0.6, 0):
        answer = limb.solve(target, pole=rng.normal(size=3))
        hip = limb.robot.forward(answer.q, "leftUpperLeg")[:3, 3]
        ankle = limb.robot.forward(answer.q, "leftFoot")[:3, 3]
        bones = answer.elbow - hip, ankle - answer.elbow
        assert np.linalg.norm(bones[0]) == pytest.approx(limb.upper) and np.linalg.norm(bones[1]) == pytest.approx(
            limb.lower
        )
        cosine = bones[0] @ bones[1] / limb.upper / limb.lower
        assert math.cos(answer.bend) == pytest.approx(cosine, abs=1e-9)


def test_rows_of_a_batch_are_single_answers(rng):
    limb = LIMBS["cones hinges LeftHand"]
    Q = postures(limb, rng, 12)
    T = limb.robot.forward(Q, "LeftHand")
    P = rng.normal(size=(12, 3))
    batch = limb.solve_batch(T, P, seeds=Q)
    for k in range(12):
        one = limb.solve(T[k], P[k], seed=Q[k], nearest=False)
        assert one.status == batch.status[k] and np.abs(one.q - batch.q[k]).max() < 1e-12
        row = batch[k]
        assert row.why == one.why and row.swivel == pytest.approx(one.swivel, abs=1e-9) and row.marks == one.marks
        assert row.side_error == pytest.approx(one.side_error, abs=1e-9)
    with pytest.raises(lk.errors.UnknownRow, match="rows 0 to 11"):
        batch[12]
    assert len(limb.solve_batch(np.zeros((0, 3)))) == 0


def test_limbs_of_figures_pickle_and_compare():
    limb = LIMBS["human leftHand"]
    again = pickle.loads(pickle.dumps(limb))
    assert again == limb and hash(again) == hash(limb) and again != LIMBS["human rightHand"]
    answer = limb.solve(limb.match_ik(limb.robot.home).target)
    assert answer.ok and pickle.loads(pickle.dumps(answer)) == answer
