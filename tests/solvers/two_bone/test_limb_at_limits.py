"""Limbs at their limits: seeds that leave them are moved inside first, and a straight arm is reached like any other."""

import math

import numpy as np
import pytest

import limbik as lk
from limbik.errors import BadModel, BadOption, UnknownFrame
from limbik.solvers.two_bone.arcs import nearest_from

COUNT = 40


def seed_outside(figure: lk.Skeleton) -> np.ndarray:
    q = figure.clamp(np.zeros(figure.n))
    q[figure.joint_names.index("spine_x")] = 5.0
    return q


@pytest.mark.parametrize("end", ["leftFoot", "leftHand"])
def test_no_joint_of_an_answer_leaves_its_limits_though_the_seed_does(end: str) -> None:
    figure = lk.load("human")
    seed = seed_outside(figure)
    limb = figure.limb(end)
    target = figure.forward(figure.clamp(seed), end)[:3, 3]
    one = limb.solve(target, seed=seed)
    assert one.ok
    assert figure.within_limits(one.q)
    many = limb.solve_batch(np.stack([target, target + 0.01, target + 9.0]), seeds=seed, nearest=True)
    assert np.asarray(figure.within_limits(many.q)).all()
    handles = limb.match_ik(figure.clamp(seed))
    assert figure.within_limits(limb.match_fk(handles, seed).q)


def test_without_limits_the_seed_stays_as_it_is() -> None:
    figure = lk.load("human")
    seed = seed_outside(figure)
    target = figure.forward(seed, "leftFoot")[:3, 3]
    answer = figure.limb("leftFoot").solve(target, seed=seed, limits=False)
    assert answer.q[figure.joint_names.index("spine_x")] == 5.0


@pytest.mark.parametrize(("name", "end"), [("human", "leftHand"), ("human_balls", "leftHand"), ("human_arm_7", "hand")])
def test_a_straight_arm_is_reached(name: str, end: str) -> None:
    figure = lk.load(name)
    limb = lk.JointedLimb(figure, end)
    elbow = limb.model.joints.places((limb.model.joints.parts.elbow,))[0]
    missed = []
    for number in range(COUNT):
        rng = np.random.default_rng(number)
        q = figure.sample(rng, 1)[0]
        q[elbow] = figure.lower[elbow]
        T = figure.forward(q, end)
        seed = q.copy()
        seed[limb.places] = figure.sample(rng, 1)[0][limb.places]
        pose = limb.solve(T, seed=seed)
        wrist = limb.model.joints.places(limb.model.joints.parts.wrist)
        seed[wrist] = q[wrist]
        point = limb.solve(T[:3, 3], seed=seed)
        for answer in (pose, point):
            if not answer.ok:
                missed.append((number, answer.why))
            else:
                assert figure.within_limits(answer.q)
                assert np.abs(figure.forward(answer.q, end)[:3, 3] - T[:3, 3]).max() < 1e-9
    assert missed == []


def test_the_ends_of_swivel_ranges_are_reached_by_a_straight_arm() -> None:
    figure = lk.load("human")
    limb = figure.limb("leftHand")
    elbow = figure.joint_names.index("leftLowerArm_x")
    for number in range(8):
        q = figure.sample(np.random.default_rng(number), 1)[0]
        q[elbow] = figure.lower[elbow]
        T = figure.forward(q, "leftHand")
        arcs = limb.swivel_ranges(T, seed=q)
        assert arcs, number
        assert [
            limb.solve(T, swivel=s, seed=q).why for arc in arcs for s in arc if not limb.solve(T, swivel=s, seed=q)
        ] == []


def test_a_limb_needs_the_name_of_its_end() -> None:
    with pytest.raises(UnknownFrame):
        lk.load("human").limb(None)  # type: ignore[arg-type]


def test_a_joint_that_only_twists_is_no_elbow() -> None:
    with pytest.raises((BadModel, BadOption), match="leftLowerArm_y"):
        lk.load("human").limb("leftHand", upper="spine", lower="leftLowerArm")


def test_proportions_take_arrays() -> None:
    tall, same = (lk.human(proportions={"head": given}) for given in (np.array([1, 1.2, 1]), (1, 1.2, 1)))
    assert tall == same
    with pytest.raises(BadOption):
        lk.human(proportions={"head": [1, 2]})
    with pytest.raises(lk.LimbikError):
        lk.human(proportions={"head": None})  # type: ignore[dict-item]


@pytest.mark.parametrize("seed", [9, 15, 17, 23, 27])
def test_an_elbow_at_its_limit_stays_at_that_end_of_the_range(seed):
    """The pole's direction wanders through what the limits forbid: with `previous` the elbow does not jump to the other end."""
    human = lk.load("human")
    limb, rng = human.limb("leftHand"), np.random.default_rng(seed)
    q = np.repeat(human.home[None], 2, axis=0)
    q[:, limb.places] = human.sample(rng, 2)[:, limb.places]
    start, end = human.forward(q, "leftHand")[:, :3, 3]
    pole = 0.5 * (start + end) + 0.5 * rng.normal(size=3)
    previous, statuses, steps = None, set(), []
    for s in np.linspace(0, 1, 401):
        answer = limb.solve((1 - s) * start + s * end, pole, previous=previous)
        if previous is not None:
            bare = limb.solve((1 - s) * start + s * end, pole, seed=previous.q, previous=previous.side)
            assert np.linalg.norm(bare.elbow - answer.elbow) < 5e-3  # a direction without its line says nearly the same
        if previous is not None and max(answer.position_error, previous.position_error) < 1e-6:
            steps.append(np.linalg.norm(answer.elbow - previous.elbow))
            statuses.add(answer.status)
        previous = answer
    assert max(steps) < 0.05 and lk.Status.COMPROMISE in statuses, seed


def test_nearest_from_stops_at_the_last_feasible_angle():
    arcs = [(-2.0, 1.0), (1.5, 1.7)]
    assert nearest_from(arcs, 0.5, -1.9) == 0.5
    assert nearest_from(arcs, 2.9, 1.0) == 1.0  # the other end, and the other arc, are nearer
    assert nearest_from(arcs, 2.9, -2.0) == -2.0
    assert nearest_from(arcs, 2.9, -2.0 + 2 * math.pi) == -2.0  # the same by a whole turn
    assert nearest_from(arcs, -1.0, 1.2) == -1.0
    assert nearest_from([(-math.pi, math.pi)], 3.0, -3.0) == 3.0  # not stopped where the circle is cut open
    across = nearest_from([(2.9, 4.0)], -3.0, 3.0)
    assert math.cos(across + 3.0) == pytest.approx(1.0)


@pytest.mark.parametrize(("name", "end"), [("human", "leftHand"), ("human", "leftFoot"), ("human_balls", "leftFoot")])
def test_a_limb_that_straightens_does_not_rotate_to_the_other_side(name, end):
    """At full length both roots of the elbow coincide: the infeasible one must not rotate the limb about its line."""
    figure = lk.load(name)
    limb, seed = figure.limb(end), figure.clamp(np.zeros(figure.n))
    root = figure.forward(seed, end.replace("Hand", "UpperArm").replace("Foot", "UpperLeg"))[:3, 3]
    pole = root + ((1, -0.2, 0.1) if end == "leftHand" else (-1, -0.2, -1))
    way = (limb.upper + limb.lower) * np.array([0.1, -1, 0.1]) / np.sqrt(1.02)
    errors = []
    for part in (0.99, 0.99999, 1.0, 1.00001, 1.01, 0.99):
        answer = limb.solve(root + part * way, pole, seed=seed)
        errors.append(answer.side_error)
    assert min(errors) > 0.1 and np.ptp(errors) < 0.1


def test_the_wrist_keeps_its_values_for_a_point_outside_the_limits():
    human = lk.load("human")
    arm, seed = human.limb("leftHand"), human.clamp(np.zeros(human.n))
    wrist = [human.joint_names.index(name) for name in ("leftLowerArm_y", "leftHand_x", "leftHand_y", "leftHand_z")]
    answer = arm.solve(human.forward(seed, "leftUpperArm")[:3, 3] + (-0.25, -0.1, -0.3), seed=seed)
    assert answer.status is lk.Status.LIMITS and 0 < answer.position_error < 0.05
    np.testing.assert_array_equal(answer.q[wrist], seed[wrist])


@pytest.mark.parametrize(("name", "end"), [("human", "leftHand"), ("human_balls", "rightFoot")])
def test_rows_outside_the_limits_do_not_depend_on_other_rows(name, end):
    figure, rng = lk.load(name), np.random.default_rng(9)
    limb = figure.limb(end)
    seeds = figure.sample(rng, 60)
    targets = figure.forward(seeds, end)[:, :3, 3] + 0.2 * rng.normal(size=(60, 3))
    poles = rng.normal(size=(60, 3))
    batch = limb.solve_batch(targets, poles, seeds=seeds)
    assert (batch.status == lk.Status.LIMITS).sum() > 3
    for k in range(60):
        one = limb.solve(targets[k], poles[k], seed=seeds[k], nearest=False)
        np.testing.assert_allclose(batch.q[k], one.q, atol=1e-9)


def test_a_fixed_joint_beyond_the_elbow_prevents_a_proof():
    """The forearm's twist is fixed: a target that only this joint could reach is not claimed to be impossible."""
    balls, hinges = lk.load("human_balls"), lk.load("human")
    q = np.zeros(hinges.n)
    q[hinges.joint_names.index("leftLowerArm_x")], q[hinges.joint_names.index("leftUpperArm_x")] = 1.2, 0.5
    seed = balls.match(hinges, q)
    there = np.array(seed)
    there[balls.joint_names.index("leftLowerArm_y")] = 1.3
    arm = balls.limb("leftHand")
    assert arm.solve(balls.forward(there, "leftHand"), seed=seed).status is lk.Status.NOT_FOUND
    far = balls.forward(there, "leftHand")
    far[:3, 3] += 5.0
    assert arm.solve(far, seed=seed).status is lk.Status.OUT_OF_REACH


def test_match_fk_reports_orientations_that_a_limb_without_a_wrist_cannot_make():
    """The ankles of the quadruped's legs have one hinge."""
    dog = lk.load("quadruped")
    leg = dog.limb("leftHindFoot")
    assert not leg.turns_hand
    q = np.array(dog.home)
    q[dog.joint_names.index("leftHindFoot_x")] += 0.2
    handles = leg.match_ik(q)
    assert leg.match_fk(handles, seed=q).ok
    answer = leg.match_fk(handles, seed=dog.home)
    turned = answer.rotation_error
    assert (
        answer.status is lk.Status.COMPROMISE
        and turned == pytest.approx(0.2, abs=1e-6)
        and "differs by 0.2" in answer.why
    )
