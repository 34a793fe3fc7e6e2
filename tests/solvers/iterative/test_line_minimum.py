"""Minimisation along a line: parabolas, kinks and flat lines; the result is never above the start, and the search ends."""

import math

import pytest

from limbik.solvers.iterative.line_minimum import lowest


def counted(f):
    calls = []

    def line(t):
        calls.append(t)
        return f(t)

    return line, calls


@pytest.mark.parametrize("first", [1e-6, 0.1, -0.1, 50.0])
@pytest.mark.parametrize(
    ("f", "best"),
    [
        (lambda t: (t - 2) ** 2, 2.0),
        (lambda t: (t + 3) ** 2 + 1, -3.0),
        (lambda t: abs(t - 0.7), 0.7),
        (lambda t: math.cosh(t - 1), 1.0),
        (lambda t: (t - 1) ** 4, 1.0),
    ],
)
def test_the_minimum_is_found(f, best, first):
    line, calls = counted(f)
    t, value = lowest(line, f(0.0), first, 1e-4)
    assert abs(t - best) <= 0.02 * abs(best) and value == f(t) <= f(0.0) and len(calls) <= 101


@pytest.mark.parametrize(
    "f",
    [lambda t: 1.0, lambda t: -t, lambda t: math.inf if t else 1.0, lambda t: math.nan if t else 1.0, lambda t: t * t],
)
def test_the_search_ends_and_never_rises(f):
    line, calls = counted(f)
    assert lowest(line, f(0.0), 0.5, 1e-3)[1] <= f(0.0) and len(calls) <= 101
