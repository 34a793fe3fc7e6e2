"""A status is evidence: no reachable target is reported unreachable, no wrong answer solved, and proofs are given."""

import math

import numpy as np
import pytest
from benchmarks.closed_form import gaps
from benchmarks.sections.truth import Truth, catalogue, judge, out_of_reach, outside_limits, varied
from cases import degenerate
from cases.random_arms import STRUCTURES, random_arm, random_srs_arm

import limbik as lk
from limbik.solvers.all_postures import reachable

PI = math.pi
UPRIGHT = [0.0, -PI / 2, 0.0, -PI / 2, 0.0, 0.2]
FIVE_AXES = [(0, -PI / 2, 0.3, 0), (0.3, 0, 0, 0), (0.25, 0, 0, 0), (0, -PI / 2, 0, -PI / 2), (0, 0, 0.1, 0)]
PROVEN = (lk.Status.OUT_OF_REACH, lk.Status.LIMITS)


def judged(name, arm, seed, count):
    total, listed = Truth(), []
    judge(name, arm, np.random.default_rng(seed), count, total, listed)
    assert total.false_proofs == 0 and total.wrong == 0 and total.unsolved == 0, f"seed {seed}: {listed[:3]}"


# ---- poses near degeneracies -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ("ur3", "ur5", "ur10", "ur10e"))
def test_an_upright_arm_is_not_out_of_reach(name):
    arm, rng = lk.load(name), np.random.default_rng(11)
    q = np.tile(UPRIGHT, (200, 1))
    q[:, 0], q[:, 5] = rng.uniform(-3, 3, (2, 200))
    q[100:, 2] += 10.0 ** rng.uniform(-12, -3, 100)
    T = arm.forward(q)
    batch = arm.solve_batch(T)
    assert batch.ok.all(), q[~batch.ok][0]
    assert reachable(arm.model, T).all() and (arm.solve_all_batch(T).count > 0).all()


@pytest.mark.parametrize(
    ("name", "q"),
    (
        ("ur5", UPRIGHT),
        ("ur5", [0.2, 0.0, 0.0, -PI / 2, 0.0, 0.3]),
        ("iiwa14", [-PI / 4, 0.0, -3 * PI / 4, PI / 4, 0.0, None, 0.0]),
        (
            "human_upper_limb",
            [1.7973406937891463, 1.4835298641951802, 0.26890808179673065, 2.530727415391778, 1.3568820375900017,
             0.06579830832728162, -1.2217304763960306],
        ),
    ),
)  # fmt: skip
def test_poses_near_degeneracies_are_solved(name, q):
    arm = lk.load(name)
    q = [arm.lower[k] if x is None else x for k, x in enumerate(q)]
    T = arm.forward(q)
    assert arm.solve(T).ok and arm.solve_all(T).ok
    assert arm.solve(T, seed=q).ok


def test_a_five_axis_arm_works_with_its_tool_vertical():
    arm, rng = lk.Chain.from_dh(FIVE_AXES), np.random.default_rng(5)
    for _ in range(200):
        q = rng.uniform(-2, 2, 5)
        q[3] = PI / 2 - q[1] - q[2]
        answers = arm.solve_all(arm.forward(q))
        assert answers.complete and gaps(arm, answers.q, q).min() <= 1e-6, q


# ---- every structure -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "arm"), list(catalogue()))
def test_reachable_targets_are_solved_on_arms_of_the_catalogue(name, arm):
    judged(name, arm, 21, 1200)


@pytest.mark.parametrize("name", STRUCTURES)
def test_reachable_targets_are_solved_on_random_arms(name):
    rng = np.random.default_rng(22)
    for k in range(3):
        judged(name, varied(STRUCTURES[name](rng), rng), 22 + k, 240)


def test_reachable_targets_are_solved_at_corners_of_limits_on_arms_with_a_swivel():
    rng = np.random.default_rng(23)
    for k in range(4):
        arm = random_srs_arm(rng).with_limits(-rng.uniform(0.5, 3, 7), rng.uniform(0.5, 3, 7))
        q = degenerate.beside(arm, rng, degenerate.at_limits(arm, rng, 150))
        batch = arm.solve_batch(degenerate.targets(arm, q))
        assert batch.ok.all(), (k, q[~batch.ok][0].tolist())


@pytest.mark.parametrize("tolerance", (1e-12, 1e-6, 1e-3))
@pytest.mark.parametrize("name", ("ur5", "puma560", "iiwa7", "human_arm_6"))
def test_tolerances_of_the_caller_count_in_proofs(name, tolerance):
    arm, rng = lk.load(name), np.random.default_rng(24)
    T = degenerate.targets(arm, degenerate.postures(arm, rng, 150))
    batch = arm.solve_batch(T, position_tolerance=tolerance, rotation_tolerance=tolerance)
    assert not np.isin(batch.status, PROVEN).any()
    assert (batch.position_error[batch.ok] <= tolerance).all() and (batch.rotation_error[batch.ok] <= tolerance).all()


def test_a_target_within_the_tolerance_of_reach_is_solved_and_one_beyond_is_proven():
    arm = lk.Chain.from_dh([(0.5, 0, 0, 0), (0.4, 0, 0, 0), (0, 0, 0, 0)])
    for q1 in (0.0, 0.3, -2.0):
        T = arm.forward([q1, 0.0, 0.0])
        along = T[:3, 0]
        for away, status in ((0.9, lk.Status.SOLVED), (10.0, lk.Status.OUT_OF_REACH), (1e5, lk.Status.OUT_OF_REACH)):
            moved = T.copy()
            moved[:3, 3] += along * away * 1e-8
            assert arm.solve(moved).status == status, (q1, away)


# ---- unreachable targets -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ("puma560", "ur5", "kr6", "human_arm_6", "iiwa7", "human_leg_7", "scara"))
def test_unreachable_targets_are_proven(name):
    arm, rng = lk.load(name), np.random.default_rng(25)
    for make in (out_of_reach, outside_limits):
        T = make(arm, rng, 300)
        status = arm.solve_batch(T).status
        assert np.isin(status, PROVEN).mean() >= 0.99 if len(T) >= 100 else np.isin(status, PROVEN).sum() >= len(T) - 1


# ---- redundant arms --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ("panda", "xarm7"))
def test_solve_all_of_an_arm_with_a_free_joint_is_not_empty(name):
    arm, rng = lk.load(name), np.random.default_rng(26)
    for T in degenerate.targets(arm, arm.sample(rng, 150)):
        answers = arm.solve_all(T)
        assert answers.ok and not answers.complete and "swivel=VALUE" in answers.why
        assert arm.within_limits(answers.q).all()
        assert np.abs(degenerate.targets(arm, answers.q) - T).max() <= 1e-7


def test_an_arm_without_closed_form_gives_a_sample_and_reports_it():
    arm, rng = lk.load("k1207"), np.random.default_rng(27)
    answers = arm.solve_all(arm.forward(arm.sample(rng)))
    assert len(answers) > 1 and not answers.complete and "sample" in answers.why
    assert min(gaps(arm, answers.q[:k], answers.q[k]).min() for k in range(1, len(answers))) > 1e-3


def test_a_family_is_one_posture_that_is_flagged():
    rng = np.random.default_rng(28)
    axes = [rng.normal(size=3) for _ in range(6)]
    axes = [a / np.linalg.norm(a) for a in axes]
    points = [rng.uniform(-0.5, 0.5, 3) for _ in range(6)]
    axes[3], points[3] = axes[2], points[2] + 0.1 * axes[2]  # two axes on one line: a self-motion at every pose
    arm = lk.Chain.from_screws([np.r_[a, -np.cross(a, p)] for a, p in zip(axes, points, strict=True)], np.eye(4))
    answers = arm.solve_all(arm.forward(rng.uniform(-2, 2, 6)))
    assert answers.families.any() and len(answers) <= 16


def test_only_proofs_and_listed_postures_are_complete():
    arm = lk.load("puma560")
    far = np.eye(4)
    far[:3, 3] = 5.0
    assert arm.solve_all(arm.forward([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])).complete and arm.solve_all(far).complete
    assert not random_arm(np.random.default_rng(1), "RRRRRR").solve_all(np.eye(4)).complete


@pytest.mark.parametrize("name", ("3, 4, 5 parallel", "5R, two parallel", "5R, two crossing"))
def test_joints_at_quarter_turns_are_not_lost(name):
    rng = np.random.default_rng(29)
    for _ in range(120):
        arm = STRUCTURES[name](rng)
        quarters = PI / 2 * rng.integers(-2, 3, (40, arm.n))
        q = np.where(rng.random((40, arm.n)) < 0.6, quarters, arm.sample(rng, 40))
        found = arm.solve_all_batch(arm.forward(q))
        missed = (gaps(arm, found.q, q[:, None]).min(axis=1) > 1e-5) & ~found.families.any(axis=1)
        assert not missed.any(), q[missed][0].tolist()
