"""`complete` and `family` are evidence: a complete list lacks no posture, and self-motions are flagged."""

import math

import numpy as np
import pytest
from benchmarks.sections.truth import catalogue, unlisted, varied
from cases import degenerate
from cases.public_robots import chains
from cases.random_arms import STRUCTURES

import limbik as lk

PI = math.pi
H = PI / 2

# Chains and postures on a self-motion manifold: (DH rows, posture, tangent of the manifold).
SELF_MOTIONS = {
    "4R": ([(0.1, H, 0.4, 0), (0.3, H, 0.4, 0), (0.3, H, 0, 0), (-0.3, -H, 0, H)], [0.5, 0, PI, 3.8], [0, 1, 0, -1]),
    "5R": (
        [
            (0.01, PI, -0.003, 0),
            (0.003, -H, 0.01, 0),
            (-0.003, -H, 0, 0),
            (0.004, PI / 4, 0.003, PI),
            (0.001, PI, 0, PI),
        ],
        [-PI, PI, -2 * PI, PI / 6, -PI],
        [0, 1, 0, 1, 0],
    ),
}


@pytest.mark.parametrize("name", SELF_MOTIONS)
def test_a_self_motion_is_flagged(name):
    rows, q, along = SELF_MOTIONS[name]
    arm = lk.Chain.from_dh(rows)
    T = arm.forward(q)
    for t in (0.2, -0.5, 1.0):
        assert np.abs(arm.forward(np.array(q) + t * np.array(along)) - T).max() < 1e-14
    answer, answers = arm.solve(T, seed=q), arm.solve_all(T)
    assert answer.family and "self-motion" in answer.why and answers.families.all()


def test_a_cluster_of_postures_is_not_called_complete():
    """The elbow folds so that axes 4 and 6 coincide, near another degeneracy: members lie 2 rad from the listed postures."""
    rows = [
        (-0.3, H, 0.4, 0),
        (0.3, -H, 0.3, 0),
        (0.1, H, 0.3, 0),
        (0.4, 0, 0.3, 0),
        (0.4, 0, 0.3, 0),
        (0.3, H, 0.1, 0),
    ]
    arm = lk.Chain.from_dh(rows)
    answers = arm.solve_all(arm.forward([-H, PI / 4, 0, 2.3081133717111273, PI, H]))
    assert answers.ok and not answers.complete and "may be more" in answers.why


def test_ordinary_postures_are_proven_complete():
    rng = np.random.default_rng(7)
    for name in ("puma560", "ur5", "kr6", "scara", "planar3_chin"):
        arm = lk.load(name)
        complete = [arm.solve_all(T).complete for T in arm.forward(arm.sample(rng, 300))]
        assert np.mean(complete) > 0.98, name


@pytest.mark.parametrize("name,arm", [(n, a) for n, a in catalogue() if a.branch_names and a.redundancy is None])
def test_nothing_is_missing_from_complete_lists_of_the_catalogue(name, arm):
    missing = unlisted(arm, np.random.default_rng(3), 300)
    assert not missing, f"seed 3: {name} {missing[:2]}"


@pytest.mark.parametrize("name", STRUCTURES)
def test_nothing_is_missing_from_complete_lists_of_random_arms(name):
    rng = np.random.default_rng(5)
    for _ in range(3):
        arm = varied(STRUCTURES[name](rng), rng)
        if arm.branch_names and arm.redundancy is None:
            missing = unlisted(arm, rng, 150)
            assert not missing, f"seed 5: {missing[:2]}"


def test_roots_at_the_seam_of_two_half_circles_are_found():
    """Joint 3 at a quarter turn, where a root that is nearly double lies in neither half of its circle by rounding."""
    rng = np.random.default_rng(0)
    rows = [(0.3, -H, 0.3, 0), (0.3, H, 0.3, H), (0.3, -H, 0.1, H), (0.4, 0, 0, 0), (0.4, H, 0.4, PI)]
    arm = lk.Chain.from_dh(rows)
    q = arm.sample(rng, 8000)
    q[:, 2] = H
    batch = arm.solve_batch(degenerate.targets(arm, q))
    assert batch.ok.all(), q[~batch.ok][0].tolist()


def test_a_batch_has_room_for_every_posture():
    """A family may give more postures than the chain has branches."""
    rows = [
        (0, -H, 0, 0, "prismatic", -1, 1),
        (0, H, 0, PI, "revolute", -2 * PI, 2 * PI),
        (0.4, H, 0, 0, "prismatic", -1, 1),
    ]
    arm = lk.Chain.from_dh(rows)
    T = arm.forward([[0.2, PI, 0.3], [0.2, 0.7, 0.3], [-0.1, PI, 0.3]])
    batch = arm.solve_all_batch(T)
    assert batch.count.max() > len(arm.branch_names)
    for row in range(3):
        answers = arm.solve_all(T[row])
        assert batch.count[row] == len(answers)
        assert np.array_equal(batch.q[row, : len(answers)], answers.q) and np.isnan(batch.q[row, len(answers) :]).all()


@pytest.mark.parametrize(
    ("name", "q"),
    (
        ("puma560", [0, PI / 4, 1.3089969389957472, 3 * PI / 4, -7.833177539824103e-08, 0.19050332959920446]),
        ("ur5", [H, -2 * PI, -1.3334565026971708e-08, 1.9945846758013595, -2 * PI, 0]),
    ),
)
def test_a_seed_that_is_a_solution_is_returned(name, q):
    arm = lk.load(name)
    q = np.clip(q, arm.lower, arm.upper)
    T = arm.forward(q)
    assert np.abs(arm.solve(T, seed=q).q - q).max() < 1e-7
    assert np.array_equal(arm.solve_batch(T[None], q[None]).q[0], arm.solve(T, seed=q).q)


def test_a_seed_is_returned_at_its_own_copy():
    arm = lk.load("planar3_guez").with_limits([1.4, 1e-9, 5.67], [1.5, 7.0, 5.77])
    answer = arm.solve(arm.forward(arm.lower), seed=arm.lower)
    assert np.abs(answer.q - arm.lower).max() < 1e-7


def test_a_seed_within_the_tolerance_is_a_solution():
    """Two joints about one axis, a target 0.99 tolerances above the seed's pose, by NumPy's rounding."""
    rows = [(0, 0, 0.25, 0, "revolute", -2 * PI, 2 * PI), (0, 0, -0.3, 0, "revolute", -1, 1.2),
            (-0.3, H, 0.1, 0, "revolute", -2 * PI, 2 * PI)]  # fmt: skip
    T = np.array(
        [[-0.6106991548372751, 8.791442065294281e-17, -0.7918627041861726, 0.18320974975267793],
         [-0.7918627041861726, -6.780122628194664e-17, 0.6106991548372751, 0.2375588026875502],
         [0, 1, 1.1102230246251565e-16, 0.049999996299414054], [0, 0, 0, 1]]
    )  # fmt: skip
    answer = lk.Chain.from_dh(rows).solve(T, seed=[-2.3940957488462122, 0.16635620709405585, -2 * PI])
    assert answer.ok and answer.position_error <= 1e-8


def test_targets_at_the_corners_of_the_limits_are_solved():
    """Eight joints, many of them at limits, the last one driven by a mimic: random starts alone miss one such target in 200."""
    arms = dict(chains())
    for name in ("baxter/l_gripper_r_finger_tip", "baxter/l_gripper_l_finger_tip"):
        arm = arms[name]
        q = degenerate.at_limits(arm, np.random.default_rng(9), 4000)
        batch = arm.solve_batch(degenerate.targets(arm, q))
        assert (~batch.ok).mean() <= 1e-3, q[~batch.ok][0].tolist()
