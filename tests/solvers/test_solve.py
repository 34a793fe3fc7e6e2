"""Solving: no false success, limits kept, the same on any number of threads, a sentence for each failure."""

import math
import pickle

import numpy as np
import pytest
from cases.cones import edge_targets, limb
from conftest import MOVING, random_chain, reference_forward, values_of
from scipy.spatial.transform import Rotation

import limbik as lk

ARMS = ["puma560", "ur5", "iiwa7", "panda", "jaco2", "kr6", "scara", "gantry", "k1207", "human_arm_6", "human_arm_7"]


def independent_errors(arm, q, T):
    """Return position and rotation error with SciPy's rotations, without code of the core."""
    actual = reference_forward(arm.model.mechanism, arm.base, arm.tip, values_of(arm, q))
    angle = Rotation.from_matrix(T[:3, :3] @ actual[:3, :3].T).magnitude()
    return np.linalg.norm(actual[:3, 3] - T[:3, 3]), angle


def assert_honest(arm, answer_q, T, ok, limits=True):
    if not ok:
        return
    position, rotation = independent_errors(arm, answer_q, T)
    assert position <= max(1e-8, 1e-9 * arm.reach) * 1.001 and rotation <= 1.001e-8
    if limits:
        assert arm.within_limits(answer_q)


@pytest.mark.parametrize("name", ARMS)
def test_reachable_targets_are_solved_and_verified(name):
    arm = lk.load(name)
    rng = np.random.default_rng(11)
    T = arm.forward(arm.sample(rng, 2000))
    batch = arm.solve_batch(T)
    assert batch.ok.all(), batch
    assert arm.within_limits(batch.q).all()
    for k in range(0, 2000, 50):
        assert_honest(arm, batch.q[k], T[k], True)


@pytest.mark.parametrize("name", ["puma560", "panda", "gantry"])
def test_a_batch_row_is_the_single_solve_bit_for_bit(name):
    arm = lk.load(name)
    rng = np.random.default_rng(5)
    T = arm.forward(arm.sample(rng, 300))
    T[::7, :3, 3] *= 1.3  # some are out of reach
    seeds = arm.sample(rng, 300) + rng.normal(scale=2, size=(300, arm.n))
    batches = [arm.solve_batch(T, seeds, threads=k) for k in (1, 2, 3)]
    assert not batches[0].ok.all() and batches[0].ok.any()
    for k in range(300):
        one = arm.solve(T[k], seeds[k])
        for batch in batches:
            assert np.array_equal(one.q, batch.q[k]) and one.status == batch.status[k]
            assert one.position_error == batch.position_error[k] and one.attempt == batch.attempt[k]


def test_random_chains_of_every_kind_never_claim_a_wrong_success(rng):
    solved = 0
    for _ in range(12):
        kinds = [MOVING[rng.integers(len(MOVING) - 1)] for _ in range(rng.integers(4, 10))]  # all but floating
        arm = random_chain(rng, kinds)
        for q in arm.sample(rng, 4):
            T = arm.forward(q)
            answer = arm.solve(T)
            assert_honest(arm, answer.q, T, answer.ok)
            solved += answer.ok
    assert solved >= 44


def test_chains_with_mimics_and_many_joints(rng):
    long = random_chain(rng, [lk.model.Kind.REVOLUTE] * 14)
    driven = {"j3": lk.model.Mimic("j1", -0.5, 0.1)}
    joints = tuple(j.moved_to(mimic=driven[j.name]) if j.name in driven else j for j in long.model.mechanism.joints)
    follower = lk.model.Mechanism("m", long.model.mechanism.links, joints)
    for arm in (long, lk.Chain(follower)):
        for q in arm.sample(rng, 5):
            T = arm.forward(q)
            answer = arm.solve(T)
            assert answer.ok
            assert_honest(arm, answer.q, T, True)


def test_seeds_outside_the_limits_and_whole_turns():
    arm = lk.load("ur5")
    T = arm.forward([0.3, -1.2, 1.4, -0.5, 0.9, 0.2])
    answer = arm.solve(T, seed=[0.3, -1.2, 1.4, -0.5 + 2 * math.pi, 0.9, 0.2])
    assert answer.ok and np.allclose(answer.q, [0.3, -1.2, 1.4, -0.5 + 2 * math.pi, 0.9, 0.2], atol=1e-6)
    far = arm.solve(T, seed=[100, -50, 9, 30, -70, 1000])
    assert far.ok and arm.within_limits(far.q)
    free = arm.solve(T, seed=[0.3 + 40 * math.pi, -1.2, 1.4, -0.5, 0.9, 0.2], limits=False)
    assert free.ok and free.q[0] == pytest.approx(0.3 + 40 * math.pi, abs=1e-6)


def test_the_seed_decides_which_posture():
    arm = lk.load("puma560")
    rng = np.random.default_rng(2)
    for q in arm.sample(rng, 50):
        near = np.clip(q + rng.normal(scale=0.02, size=6), arm.lower, arm.upper)
        if abs(np.linalg.det(arm.jacobian(q))) > 1e-3:
            answer = arm.solve(arm.forward(q), seed=near)
            assert answer.ok and np.abs(answer.q - q).max() < 1e-7
            answer = arm.solve(arm.forward(q), seed=near, method="lm")
            assert answer.ok and answer.attempt == 0 and np.abs(answer.q - q).max() < 1e-5


def test_prismatic_joints_without_limits_reach_any_distance():
    home = np.eye(4)
    home[0, 3] = 0.1
    arm = lk.Chain.from_screws([[0, 0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0]], home)
    for x in (1.0, 10.0, 1000.0):
        answer = arm.solve(arm.forward([x, 0.3]))
        assert answer.ok and np.allclose(answer.q, [x, 0.3], atol=1e-6)
    hand = lk.load("human").chain("leftHand")
    rng = np.random.default_rng(0)
    T = np.array(hand.forward(hand.sample(rng, 10)))
    for shift in (0.0, 10.0, 300.0):
        T[:, 0, 3] += shift
        assert hand.solve_batch(T).ok.all()


GEAR = """<robot name="r"><link name="b"/><link name="l1"/><link name="l2"/><link name="t"/>
<joint name="a" type="{kind}"><parent link="b"/><child link="l1"/><axis xyz="0 0 1"/>{limit}</joint>
<joint name="m" type="{follower}"><parent link="l1"/><child link="l2"/><origin xyz=".3 0 0"/><axis xyz="0 0 1"/>
 <mimic joint="a" multiplier=".5" offset=".1"/></joint>
<joint name="f" type="fixed"><parent link="l2"/><child link="t"/><origin xyz=".2 0 0"/></joint></robot>"""


def test_a_prismatic_mimic_of_a_revolute_joint_has_no_bounded_reach():
    rack = lk.load(GEAR.format(kind="continuous", limit="", follower="prismatic"))
    assert rack.solve(rack.forward([20.0]), seed=[0.0]).status != lk.Status.OUT_OF_REACH
    limited = lk.load(GEAR.format(kind="revolute", limit='<limit lower="-1" upper="1"/>', follower="prismatic"))
    assert limited.solve(limited.forward([20.0])).status in (lk.Status.LIMITS, lk.Status.NOT_FOUND)
    assert limited.solve(limited.forward([20.0]), limits=False).ok
    gear = lk.load(GEAR.format(kind="continuous", limit="", follower="revolute"))
    assert gear != rack and gear.fingerprint != rack.fingerprint


def test_ball_joints_in_cones_are_solved(rng):
    for _ in range(8):
        arm = limb(rng)
        batch = arm.solve_batch(arm.forward(arm.sample(rng, 50)))
        assert batch.ok.all() and arm.within_limits(batch.q).all()


def test_ball_joints_at_the_bounds_of_their_cones_are_solved(rng):
    for _ in range(8):
        arm = limb(rng)
        T = edge_targets(arm, rng, 4)
        batch = arm.solve_batch(T)
        assert batch.ok.mean() >= 0.99 and arm.within_limits(batch.q).all()
        for q, target, ok in zip(batch.q, T, batch.ok, strict=True):
            assert_honest(arm, np.array(q), target, ok)


def test_tolerances_can_be_set():
    arm = lk.load("panda")
    T = np.array(arm.forward(arm.home))
    T[:3, 3] = T[:3, 3] * 1.8  # just beyond reach
    short = arm.solve(T)
    assert not short.ok
    assert arm.solve(T, position_tolerance=2 * short.position_error, rotation_tolerance=4.0).ok
    assert arm.solve_batch(T[None], position_tolerance=2 * short.position_error, rotation_tolerance=4.0).ok.all()
    assert (
        arm.solve(arm.forward(arm.home + 0.1), position_tolerance=1e-12, rotation_tolerance=1e-12).position_error
        <= 1e-12
    )
    for bad in (0, -1.0, "tight", math.nan):
        with pytest.raises(lk.LimbikError):
            arm.solve(T, position_tolerance=bad)


# ---- not reached -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["puma560", "ur5", "panda"])
def test_far_targets_are_proven_out_of_reach_and_get_the_nearest_posture(name):
    arm = lk.load(name)
    rng = np.random.default_rng(3)
    for T in arm.forward(arm.sample(rng, 20)):
        T = np.array(T)
        T[:3, 3] *= 3 * arm.reach / np.linalg.norm(T[:3, 3])
        answer = arm.solve(T)
        assert answer.status == lk.Status.OUT_OF_REACH and not answer.ok and "out of reach" in answer.why
        assert arm.within_limits(answer.q)
        position, rotation = independent_errors(arm, answer.q, T)
        assert answer.position_error == pytest.approx(position, abs=1e-9)
        assert answer.rotation_error == pytest.approx(rotation, abs=1e-7)
        best = np.linalg.norm(arm.forward(arm.sample(rng, 3000))[:, :3, 3] - T[:3, 3], axis=1).min()
        assert position <= best


def test_a_status_is_evidence():
    arm = lk.load("puma560")
    hollow = np.array(arm.forward(arm.home))
    hollow[:3, 3] = [0.0, 0.0, 0.02]
    answer = arm.solve(hollow, method="lm")  # attempts prove nothing
    assert answer.status == lk.Status.NOT_FOUND and "not found" in answer.why and answer.tried >= 1
    answer = arm.solve(hollow)  # the closed form does
    assert answer.status == lk.Status.OUT_OF_REACH and "no posture" in answer.why
    tight = arm.with_limits(arm.home - 0.01, arm.home + 0.01)
    target = arm.forward(arm.home + 0.5)
    answer = tight.solve(target, method="lm")
    assert answer.status == lk.Status.NOT_FOUND and tight.within_limits(answer.q)
    answer = tight.solve(target)
    assert answer.status == lk.Status.LIMITS and "limit" in answer.why and tight.within_limits(answer.q)


def test_half_a_turn_away_is_not_solved_by_its_false_zero():
    joint = lk.model.Joint("a", lk.model.Kind.REVOLUTE, "o", "e", axis=np.array([0, 0, 1.0]), lower=-0.1, upper=0.1)
    arm = lk.Chain(lk.model.Mechanism("one", (lk.model.Link("o"), lk.model.Link("e")), (joint,)))
    T = np.diag([-1.0, -1.0, 1.0, 1.0])
    answer = arm.solve(T)
    assert not answer.ok and answer.rotation_error == pytest.approx(math.pi - 0.1, abs=1e-6)


def test_valid_and_prefer():
    arm = lk.load("puma560")
    q = np.array([0.4, -0.8, 0.3, 0.5, 0.7, -0.2])
    T = arm.forward(q)
    assert arm.solve(T, seed=q, valid=lambda x: True) == arm.solve(T, seed=q)
    other = arm.solve(T, seed=q, valid=lambda x: np.abs(x - q).max() > 0.1)
    assert other.ok and np.abs(other.q - q).max() > 0.1
    blocked = arm.solve(T, valid=lambda x: False)
    assert blocked.status == lk.Status.BLOCKED and "refused" in blocked.why and blocked.position_error < 1e-8
    margin = {
        p: np.minimum(a.q - arm.lower, arm.upper - a.q).min()
        for p in ("nearest", "limits")
        for a in [arm.solve(T, prefer=p)]
    }
    assert margin["limits"] >= margin["nearest"]
    smallest = {p: np.linalg.svd(arm.jacobian(arm.solve(T, prefer=p).q))[1].min() for p in ("nearest", "manipulable")}
    assert smallest["manipulable"] >= smallest["nearest"]
    jaco = lk.load("jaco2")  # continuous joints have no limits
    away = jaco.solve(jaco.forward(jaco.home + 0.3), prefer="limits")
    assert away.ok
    assert arm.solve(T, prefer=lambda x: x[0]).q[0] >= arm.solve(T, prefer=lambda x: -x[0]).q[0]


# ---- misuse ------------------------------------------------------------------------------------------------------------


def test_misuse_is_an_error_that_helps():
    arm = lk.load("panda")
    T = arm.forward(arm.home)
    for call, words in [
        (lambda: arm.solve(np.stack([T, T])), "solve_batch"),
        (lambda: arm.solve(T[:3]), "4x4"),
        (lambda: arm.solve("here"), "4x4"),
        (lambda: arm.solve(T, seed=[1, 2]), "n = 7"),
        (lambda: arm.solve(T, seed=[np.nan] * 7), "seed"),
        (lambda: arm.solve(T, method="magic"), "no method"),
        (lambda: arm.solve(T, branch=3, method="lm"), "closed form"),
        (lambda: lk.load("jaco2").solve(T, branch=3), "closed form"),
        (lambda: arm.solve(T, branch=-1), "from 0 to 7"),
        (lambda: arm.solve(T, limits="yes"), "limits"),
        (lambda: arm.solve(T, prefer="best"), "prefer"),
        (lambda: arm.solve(T, prefer=np.zeros(3)), "prefer"),
        (lambda: arm.solve(T, prefer=lambda q: None), "number"),
        (lambda: arm.solve(T, valid=3), "function"),
        (lambda: arm.solve(T, valid=lambda q: q > 0), "True or False"),
        (lambda: arm.solve(T, method=[]), "no method"),
        (lambda: arm.solve(None), "4x4"),
        (lambda: arm.solve([T, T]), "solve_batch"),
        (lambda: arm.solve(np.diag([1.0, 1, 1, 1]) + 1e300 * np.eye(4, k=3)), "target"),
        (lambda: arm.solve_batch(None), "numbers"),
        (lambda: arm.solve_batch(T), "(N, 4, 4)"),
        (lambda: arm.solve_batch(np.stack([T, T]), seeds=np.zeros((3, 7))), "2 targets"),
        (lambda: arm.solve_batch(np.stack([T]), threads=0), "threads"),
        (lambda: arm.solve_batch(np.stack([T]), invalid="skip"), "invalid"),
    ]:
        with pytest.raises(lk.LimbikError) as caught:
            call()
        assert words in str(caught.value)


# ---- answers are objects; scale, threads, processes, Ctrl-C ----------------------------------------------------------


def test_answers_are_frozen_values():
    arm = lk.load("panda")
    answer = arm.solve(arm.forward(arm.home))
    again = pickle.loads(pickle.dumps(answer))
    assert (
        again == answer
        and hash(again) == hash(answer)
        and again.why == answer.why
        and again.q.tolist() == answer.q.tolist()
    )
    assert b"_core" not in pickle.dumps(answer).replace(b"numpy._core", b"")
    assert (
        "SOLVED" in repr(answer)
        and isinstance(answer.status, lk.Status)
        and answer.branch is None
        and answer.family  # a redundant arm
    )
    with pytest.raises(AttributeError):
        answer.ok = False
    answer.q[0] = 9
    assert answer.q[0] != 9 and answer != arm.solve(arm.forward(arm.home + 0.1))


def test_scaling_model_and_target_changes_nothing():
    arm = lk.load("jaco2")
    big, rng = arm.scaled(1000.0), np.random.default_rng(1)
    for T in arm.forward(arm.sample(rng, 100)):
        far = np.array(T)
        far[:3, 3] *= 1000
        a, b = arm.solve(T), big.solve(far)
        assert a.status == b.status and a.attempt == b.attempt and np.abs(a.q - b.q).max() < 1e-6
