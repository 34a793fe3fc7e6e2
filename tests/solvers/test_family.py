"""`family`: whether a self-motion manifold passes through the configuration. Every call and method agrees."""

import math
import pickle

import numpy as np
import pytest

import limbik as lk

QUARTER = math.pi / 2
# A chain whose self-motion is not visible in the equations of its closed form, only in the Jacobian.
HIDDEN = lk.Chain.from_dh(
    [(0.1, QUARTER, 0.4, 0), (0.3, QUARTER, 0.4, 0), (0.3, QUARTER, 0, 0), (-0.3, -QUARTER, 0, QUARTER)]
)
ON_MANIFOLD = np.array([0.5, 0.0, math.pi, 3.8])


def arm_and_configurations(name):
    """Return an arm, a configuration on a self-motion manifold and one that is isolated (None if there is none)."""
    if name == "hidden":
        return HIDDEN, ON_MANIFOLD, HIDDEN.home + 0.3
    arm = lk.load(name)
    q = arm.home + 0.2
    if arm.n > 6:
        return arm, q, None
    straight_wrist = np.array(q)
    straight_wrist[4] = 0.0
    return arm, straight_wrist, q


@pytest.mark.parametrize("method", [None, "lm", "dls"])
@pytest.mark.parametrize("name", ["hidden", "ur5", "puma560", "iiwa7", "panda"])
def test_every_call_agrees_on_the_self_motion(name, method):
    arm, on, off = arm_and_configurations(name)
    for q, expected in ((on, True), (off, False)):
        if q is None:
            continue
        T = arm.forward(q)
        answer = arm.solve(T, seed=q, method=method, limits=False)
        batch = arm.solve_batch(np.array([T, T]), seeds=q, method=method, limits=False)
        assert answer.ok and batch.ok.all()
        assert answer.family is expected, (name, method, answer.why)
        assert batch.family.tolist() == [expected, expected] == [row.family for row in batch]
        assert batch[1] == answer or method is not None
        assert [row.family for row in pickle.loads(pickle.dumps(batch))] == [expected, expected]
        assert pickle.loads(pickle.dumps(answer)).family is expected and pickle.loads(pickle.dumps(batch)) == batch
        assert batch[1:].family.tolist() == [expected] and batch[-1].family is expected


def test_the_self_motion_is_one():
    """The hidden chain has a self-motion manifold: joint values change by more than 0.1 rad while the tip stays."""
    T = HIDDEN.forward(ON_MANIFOLD)
    seeds = ON_MANIFOLD + np.linspace(-0.4, 0.4, 9)[:, None] * np.ones(4)
    moved = [HIDDEN.solve(T, seed=seed, method="dls").q for seed in seeds]
    found = np.array([q for q in moved if np.abs(HIDDEN.forward(q) - T).max() < 1e-8])
    assert len(found) > 2 and np.abs(found - ON_MANIFOLD).max() > 0.1


def test_an_unsolved_configuration_has_no_family():
    arm = lk.load("iiwa7")
    T = arm.forward(arm.home)
    T[:3, 3] *= 5
    assert not arm.solve(T).family and not arm.solve_batch(T[None]).family.any()


def test_rows_of_a_slice_keep_their_sentence():
    arm = lk.load("puma560")
    targets = arm.forward(arm.sample(np.random.default_rng(0), 40))
    batch = arm.solve_batch(targets, branch=3)
    assert not batch.ok.all()
    for k, T in enumerate(targets):
        assert batch[k].why == arm.solve(T, branch=3).why
        assert batch[k : k + 1][0].why == batch[k].why


COAXIAL = [(0, 0, 0.1, 0)] * 3
PLANAR_FOUR = [(0.3, 0, 0, 0)] * 4


@pytest.mark.parametrize(
    "rows, q",
    [
        (COAXIAL, (0.1, 0.2, 0.3)),  # two dimensions
        (PLANAR_FOUR, (0.3, 0.5, -0.7, 0.4)),
        ([(0.3, 0, 0, 0)] * 5, (0.3, 0.5, -0.7, 0.4, 0.2)),
        ([(0, QUARTER, 0, 0)] * 5, (0.3, 0.5, -0.7, 0.4, 0.2)),  # spherical
    ],
)
def test_self_motions_of_every_dimension_are_seen_by_every_call(rows, q):
    arm, q = lk.Chain.from_dh(rows), np.array(q)
    T = arm.forward(q)
    assert arm.solve(T, seed=q).family and arm.solve(T, seed=q, method="lm").family
    assert arm.solve_batch(T[None], seeds=q).family.all()
    answers = arm.solve_all(T)
    assert len(answers) and answers.families.all() and all(answer.family for answer in answers)


@pytest.mark.parametrize("offset", [1e-12, 1e-10, 5e-9])
def test_a_target_that_is_off_by_rounding_changes_nothing(offset):
    arm, q = lk.Chain.from_dh(PLANAR_FOUR), np.array([0.3, 0.5, -0.7, 0.4])
    T = arm.forward(q)
    T[2, 3] += offset
    answer = arm.solve(T, seed=q)
    assert answer.ok and answer.family


def test_methods_agree_where_several_velocities_leave_the_tip_at_rest():
    arm, q = lk.load("ur5"), np.array([0.4752, math.pi, 0, math.pi / 2, 0, -0.0783])
    T = arm.forward(q)
    assert arm.solve(T, q).family and arm.solve(T, q, method="lm").family and arm.solve(T, q, method="dls").family


def test_an_answer_compares_with_anything():
    arm = lk.load("ur5")
    for given in (arm.solve(arm.forward(arm.home)), arm.solve_all(arm.forward(arm.home))):
        assert given not in [None] and (given == None) is False and (given != None) is True  # noqa: E711
