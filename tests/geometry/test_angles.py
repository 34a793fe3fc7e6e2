"""2-pi copies of angles: the nearest, and the nearest inside a range."""

import math

import numpy as np
import pytest

from limbik.geometry.angles import TURN, copy_inside, nearest_copy, wrap


def test_wrapped_angles_are_within_pi_and_small_ones_are_unchanged(rng):
    x = np.concatenate([rng.uniform(-50, 50, 500), [math.pi, -math.pi, 0.0]])
    assert (np.abs(wrap(x)) <= math.pi + 1e-14).all()
    assert np.abs(np.exp(1j * wrap(x)) - np.exp(1j * x)).max() < 1e-13
    small = rng.uniform(-3.14, 3.14, 500) * 10.0 ** rng.integers(-300, 1, 500)
    assert (wrap(small) == small).all()


def test_the_nearest_copy_is_nearest(rng):
    x, near = rng.uniform(-20, 20, (2, 300))
    copies = x[:, None] + TURN * np.arange(-9, 10)
    best = np.abs(copies - near[:, None]).min(axis=1)
    assert np.abs(np.abs(nearest_copy(x, near) - near) - best).max() < 1e-13


@pytest.mark.parametrize("slack", [0.0, 1e-5])
def test_a_copy_inside_a_range_is_the_nearest_one_inside(rng, slack):
    for _ in range(400):
        x, near = rng.uniform(-15, 15, 2)
        lower = rng.uniform(-10, 5)
        upper = lower + rng.uniform(0, 15) if rng.random() < 0.8 else math.inf
        copies = x + TURN * np.arange(-9, 10)
        inside = copies[(copies >= lower - slack) & (copies <= upper + slack)]
        found = copy_inside(x, near, lower, upper, slack=slack)
        if len(inside):
            assert abs(abs(found - near) - np.abs(inside - near).min()) < 1e-12, (x, near, lower, upper)
            assert lower - slack - 1e-12 <= found <= upper + slack + 1e-12
        else:
            assert found == pytest.approx(nearest_copy(x, near), abs=1e-12)
