"""`seconds`: a solve that reaches its deadline reports it, and its answer is verified; laws, not times."""

import math
import pickle
import time

import numpy as np
import pytest

import limbik as lk

ARM = lk.load("panda")
# A time limit that no solve here reaches, and one that every solve exceeds [s].
PLENTY, NOTHING = 1e6, 1e-9


def not_reachable(arm):
    T = np.array(arm.forward(arm.home))
    T[:3, 3] = [0.0, 0.0, 0.3]
    return T


@pytest.mark.parametrize("name", ["panda", "puma560", "gantry"])
def test_a_distant_deadline_changes_nothing(name):
    arm = lk.load(name)
    rng = np.random.default_rng(3)
    T = np.array(arm.forward(arm.sample(rng, 60)))
    T[::5, :3, 3] *= 1.3
    plain = arm.solve_batch(T)
    assert arm.solve_batch(T, seconds=PLENTY) == plain == arm.solve_batch(T, seconds=math.inf, threads=2)
    for k, answer in enumerate(plain):
        assert arm.solve(T[k], seconds=PLENTY) == answer
    rules = {"valid": lambda q: q[0] > 0, "prefer": "limits"}
    assert arm.solve_batch(T, seconds=PLENTY, **rules) == arm.solve_batch(T, **rules)


def test_ball_joints_and_figures_respect_the_deadline():
    hand = lk.load("human").chain("leftHand")
    T = hand.forward(hand.sample(np.random.default_rng(0), 6))
    assert hand.solve_batch(T, seconds=PLENTY) == hand.solve_batch(T)
    for answer in hand.solve_batch(T, seconds=NOTHING):
        assert answer.ok or answer.timed_out
        assert hand.within_limits(answer.q)


def test_the_seed_is_tried_in_any_case():
    T = ARM.forward(ARM.home + 0.05)
    assert ARM.solve(T, seconds=NOTHING) == ARM.solve(T)


def test_a_passed_deadline_is_reported():
    far = ARM.home + 10.0  # outside the limits: what is returned is inside
    answer = ARM.solve(not_reachable(ARM), far, seconds=NOTHING)
    assert answer.status == lk.Status.NOT_FOUND and answer.timed_out and "time ran out after 1 attempt " in answer.why
    assert ARM.within_limits(answer.q)
    difference = lk.pose_error(ARM.forward(answer.q), answer.target)
    assert answer.position_error == pytest.approx(np.linalg.norm(difference[:3]), abs=1e-12)
    assert answer.rotation_error == pytest.approx(np.linalg.norm(difference[3:]), abs=1e-12)
    assert pickle.loads(pickle.dumps(answer)) == answer != ARM.solve(not_reachable(ARM), far)
    assert not ARM.solve(not_reachable(ARM)).timed_out


def test_what_is_proven_stays_proven():
    T = np.array(ARM.forward(ARM.home))
    T[0, 3] += 10 * ARM.reach
    assert ARM.solve(T, seconds=NOTHING).status == lk.Status.OUT_OF_REACH
    marked = ARM.solve_batch(np.stack([T, np.full((4, 4), np.nan)]), seconds=NOTHING, invalid="mark")
    assert marked.status.tolist() == [lk.Status.OUT_OF_REACH, lk.Status.INVALID]


def test_every_row_of_a_batch_is_answered():
    rows = 20_000
    T = np.broadcast_to(not_reachable(ARM), (rows, 4, 4)).copy()
    batch = ARM.solve_batch(T, seconds=0.05)
    assert len(batch) == rows and not batch.ok.any() and batch.timed_out.any()
    assert (batch.status == lk.Status.NOT_FOUND).all() and ARM.within_limits(batch.q).all()
    assert np.isfinite(batch.position_error).all() and "time ran out" in batch[batch.timed_out][0].why


def test_a_posture_that_valid_did_not_check_is_not_solved():
    T = ARM.forward(ARM.home + 0.05)
    asked = []
    answer = ARM.solve(T, seconds=NOTHING, valid=lambda q: bool(asked.append(q)) or True)
    assert asked or (answer.status == lk.Status.NOT_FOUND and answer.timed_out)
    assert answer.position_error < 1e-8


def test_a_slow_valid_ends_at_the_deadline():
    T = ARM.forward(ARM.home + 0.05)
    asked = []

    def slow(q):
        asked.append(q)
        time.sleep(0.3)
        return False

    blocked = ARM.solve(T, seconds=1.0, valid=slow)
    assert 1 <= len(asked) <= 5  # of the 256 that there are
    assert blocked.status == lk.Status.BLOCKED and blocked.timed_out and "before the time ran out" in blocked.why


@pytest.mark.parametrize("seconds", [0, -1.0, math.nan, -math.inf])
def test_invalid_time_limits_are_refused(seconds):
    T = ARM.forward(ARM.home)
    for call in (lambda: ARM.solve(T, seconds=seconds), lambda: ARM.solve_batch(T[None], seconds=seconds)):
        with pytest.raises(lk.BadOption, match="seconds"):
            call()
    with pytest.raises(lk.errors.NotNumeric, match="seconds"):
        ARM.solve(T, seconds="soon")
