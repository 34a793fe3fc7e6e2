"""Sine, cosine and arc tangent in lanes against 40-digit arithmetic."""

import math

import mpmath
import numpy as np

from limbik import _core


def test_sine_and_cosine_to_the_last_digit():
    rng = np.random.default_rng(0)
    quarters = np.arange(-40, 41) * math.pi / 2
    x = np.concatenate([rng.uniform(-10, 10, 3000), rng.uniform(-1e5, 1e5, 1000), rng.uniform(-1e12, 1e12, 200), quarters,
                        np.nextafter(quarters, 9e9), 10.0 ** -np.arange(1, 300, 7), [0.0, -0.0, 1e5, -1e5, 1e15]])  # fmt: skip
    got = _core.trigonometry(x)
    with mpmath.workdps(40):
        exact = np.array([[float(mpmath.sin(v) - mpmath.mpf(s)), float(mpmath.cos(v) - mpmath.mpf(c))]
                          for v, (s, c, _) in zip(x.tolist(), got.tolist(), strict=True)])  # fmt: skip
    assert np.abs(exact).max() < 2.3e-16
    small = np.abs(x) < 1e-2
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(x == 0, 0, exact[:, 0] / x)
    assert np.abs(relative[small]).max() < 2.3e-16


def test_the_arc_tangent_finds_the_angle_again():
    x = np.random.default_rng(1).uniform(-math.pi, math.pi, 5000)
    assert np.abs(_core.trigonometry(x)[:, 2] - x).max() < 9e-16


def test_every_lane_gives_the_same_bits():
    x = np.random.default_rng(2).normal(size=101) * 100
    whole = _core.trigonometry(x)
    for k, v in enumerate(x):
        assert np.array_equal(_core.trigonometry(np.array([v]))[0], whole[k])
