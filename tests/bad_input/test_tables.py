"""Invalid Denavit-Hartenberg rows and screws."""

import math

import numpy as np
import pytest
from hostile import HUGE, SCREW_Z, refused, warnings_off

from limbik import BadModel, BadOption, Chain, ShapeError
from limbik.errors import NotNumeric


@pytest.mark.parametrize(
    "rows, kind, words",
    [
        ([], BadModel, ("no rows",)),
        (None, NotNumeric, ("NoneType",)),
        (5, NotNumeric, ("int",)),
        ("abcd", BadModel, ("row 1",)),
        (["1234"], BadModel, ("row 1",)),
        ({1: 2}, BadModel, ("row 1",)),
        ([(0, 0, 0, 0), (1, 2, 3)], BadModel, ("row 2", "3 entries")),
        ([(0, 0, 0, 0, "revolute", 1)], BadModel, ("row 1", "6 entries")),
        ([(0,) * 8], BadModel, ("row 1", "8 entries")),
        ([None], BadModel, ("row 1",)),
        ([(0, 0, "x", 0)], BadModel, ("row 1", "not a number")),
        ([(0, 0, None, 0)], BadModel, ("row 1", "not a number")),
        ([(0, 0, 1j, 0)], BadModel, ("row 1", "not a number")),
        ([(HUGE, 0, 0, 0)], BadModel, ("row 1",)),
        ([(0, 0, 0, 0), (0, math.nan, 0, 0)], BadModel, ("row 2", "NaN")),
        ([(math.inf, 0, 0, 0)], BadModel, ("row 1", "infinity")),
        ([(0, 0, 0, 0, "slide")], BadModel, ("row 1", "slide", "prismatic")),
        ([(0, 0, 0, 0, 5)], BadModel, ("row 1", "prismatic")),
        ([(0, 0, 0, 0, "revolute", 1, -1)], BadModel, ("joint1", "above")),
        ([(0, 0, 0, 0, "revolute", math.nan, 1)], BadModel, ("joint1", "NaN")),
        ([(0, 0, 0, 0, "revolute", math.inf, math.inf)], BadModel, ("joint1",)),
        ([(0, 0, 0, 0, "revolute", "a", 1)], BadModel, ("row 1", "not a number")),
        (np.zeros(4), BadModel, ("row 1",)),
        (np.zeros((2, 3)), BadModel, ("row 1", "3 entries")),
        ([(0, 0, 0, "x" * 100_000)], BadModel, ("row 1",)),
    ],
)
def test_broken_rows_are_refused(rows, kind, words):
    for convention in ("standard", "modified"):
        with refused(kind, *words):
            Chain.from_dh(rows, convention)


@pytest.mark.parametrize("convention", ["craig", "", None, 5, [], "Standard"])
def test_unknown_conventions_are_refused(convention):
    with refused(BadOption, "convention", "standard", "modified"):
        Chain.from_dh([(1, 0, 0, 0)], convention)


@pytest.mark.parametrize("name", [5, None, [], "\ud800"])
def test_a_name_is_text(name):
    with refused((BadOption, BadModel, NotNumeric), "name"):
        Chain.from_dh([(1, 0, 0, 0)], name=name)
    with refused((BadOption, BadModel, NotNumeric), "name"):
        Chain.from_screws([[0, 0, 1, 0, 0, 0]], name=name)


@pytest.mark.parametrize(
    "screws, kind, words",
    [
        ([], ShapeError, ("(n, 6)",)),
        (None, (ShapeError, NotNumeric), ("6",)),
        (5, ShapeError, ("(n, 6)",)),
        ("abc", (ShapeError, NotNumeric), ("six",)),
        (SCREW_Z, ShapeError, ("(6,)",)),
        ([[1, 2]], ShapeError, ("(1, 2)",)),
        ([SCREW_Z, [0.0]], (ShapeError, NotNumeric), ("six",)),
        ([SCREW_Z, [0.0] * 6], BadModel, ("screw 2", "zero")),
        ([[0, 0, 2, 0, 0, 0]], BadModel, ("screw 1", "length 2")),
        ([[0, 0, 0, 3, 0, 0]], BadModel, ("screw 1", "length 3")),
        ([SCREW_Z, [0, 0, 1, 0, 0, 0.1]], BadModel, ("screw 2", "pitch")),
        ([[math.nan] * 6], BadModel, ("screw 1", "NaN")),
        ([[1e200] * 6], BadModel, ("screw 1",)),
        ([[HUGE] * 6], (BadModel, ShapeError, NotNumeric), ()),
        (np.array([SCREW_Z]) * 1j, (ShapeError, NotNumeric), ("six",)),
        ({}, (ShapeError, NotNumeric), ("six",)),
    ],
)
def test_broken_screws_are_refused(screws, kind, words):
    with warnings_off(), refused(kind, *words):
        Chain.from_screws(screws)


@pytest.mark.parametrize(
    "bounds", [5, "a", ["a"], [None], [], [1.0, 2.0], [HUGE], [math.nan], [[1.0]], [1j], {}, [math.inf]]
)
def test_broken_limits_of_screws_are_refused(bounds):
    with refused((ShapeError, NotNumeric, BadModel)):
        Chain.from_screws([SCREW_Z], lower=bounds)
