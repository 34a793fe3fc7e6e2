"""The descents behind the rows of the paper of MaximumOne."""

import numpy as np
import pytest

from limbik.muscle.fast_gradient import FastGradient
from limbik.papers.gini import as_printed, camera
from limbik.papers.gini.arm import CM, RANDOM, TARGETS, arm, distance_to, independent, starts, targets
from limbik.papers.gini.as_printed import AsPrinted
from limbik.papers.gini.explicit import angles, spheres
from limbik.papers.gini.runs import FINE, SWEEPS, best, errors, median


@pytest.mark.parametrize("cools", [True, False])
@pytest.mark.parametrize("target", ["P1", RANDOM])
def test_the_loop_in_plain_python_is_that_of_the_core(target, cools):
    """A wrong eta, sign, order of the muscles, clipping or temperature in either breaks this."""
    low, high = (x[independent()] for x in arm().muscles.ranges)
    plain = AsPrinted(25, 3e-4, "step" if cools else "none", keeps=False, heat=3.0, cooling=0.65)
    settings = FastGradient(sweeps=25, goal=0.0, annealing=cools, reheating=False)
    for point, lengths in zip(targets(target)[:4], starts()[:4], strict=True):
        found = as_printed.descend(distance_to(point), lengths, (low, high), plain, np.random.default_rng(0))
        core = arm().muscles.descend_lengths(point, lengths, settings=settings).history
        assert np.allclose(found[:12], core[:12], rtol=1e-4, atol=1e-9)


def test_the_distance_is_that_of_the_printed_equations():
    """(13) and (15), the two pulleys' and the biceps' lengths by hand, and (9), corrected."""
    rng = np.random.default_rng(5)
    q = arm().muscles.sample_admissible(rng, 40)
    q[:, 1] = np.abs(q[:, 1])
    point = np.array([0.1, 0.2, -0.3])
    for posture, lengths in zip(q, arm().muscles.lengths(q)[:, independent()], strict=True):
        alpha, beta = angles(spheres(lengths[0] / CM, lengths[1] / CM)[0])
        gamma = (20 - lengths[2] / CM) / 3
        b2, c2 = 28.0**2 + 2**2, 4.0**2 + 2**2
        inner = np.arccos((b2 + c2 - (lengths[3] / CM) ** 2) / (2 * np.sqrt(b2 * c2)))
        theta = np.pi - np.arctan2(2, 28) - np.arctan2(2, 4) - inner
        assert np.allclose([beta, alpha, gamma, theta], posture, atol=1e-7)
        sa, ca, sb, cb, sg, cg = (f(x) for x in (alpha, beta, gamma) for f in (np.sin, np.cos))
        R = (
            np.array([[cb, 0, sb], [0, 1, 0], [-sb, 0, cb]])
            @ np.array([[1, 0, 0], [0, ca, -sa], [0, sa, ca]])
            @ np.array([[cg, -sg, 0], [sg, cg, 0], [0, 0, 1]])
        )
        wrist = R @ np.array([0, 0.35 * np.sin(theta), -0.35 - 0.35 * np.cos(theta)])
        assert distance_to(point)(lengths) == pytest.approx(np.linalg.norm(wrist - point), abs=1e-7)


def test_the_classical_gradient_is_at_its_best_step():
    """A grid whose end is the best step would leave the classical gradient mis-stepped."""
    for target in TARGETS:
        for sweeps in SWEEPS:
            alpha, error = best(target, "classical", sweeps)
            assert FINE[0] < alpha < FINE[-1], (target, sweeps)
            assert error <= median(target, "classical", sweeps)


def test_fewer_sweeps_are_the_beginning_of_more():
    point, lengths = targets(RANDOM)[3], starts()[3]
    short = arm().muscles.descend_lengths(point, lengths, settings=FastGradient(sweeps=50, goal=0.0))
    assert np.array_equal(short.history / CM, errors(RANDOM, "complete")[3, :51])


def test_the_camera_does_not_freeze_at_a_centimetre():
    """With a probe above the noise and reheating that ends at 1 cm, as along a model, the descent freezes at 5 mm."""
    frozen = np.median(camera.true_errors("P1", 0.1, 100, 30, probe=1e-3, far=0.01))
    again = np.median(camera.true_errors("P1", 0.1, 100, 30, probe=1e-3))
    free = np.median(camera.true_errors("P1", 0.1, 100, 30))
    assert frozen > 0.4 and again < 0.75 * frozen and free < 0.25 * frozen, (frozen, again, free)
