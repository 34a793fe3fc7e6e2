"""Modified copies with invalid tools, bases, limits, frozen values and scales."""

import math

import numpy as np
import pytest
from hostile import ARM, FIGURE, FIRST, HUGE, SCREW_Z, refused, warnings_off

from limbik import BadModel, BadOption, Chain, NotFinite, NotRigid, ShapeError
from limbik.errors import NotNumeric, UnknownJoint
from limbik.model import Joint

MIRROR = np.diag([-1.0, 1.0, 1.0, 1.0])
BAD_POSES = {
    "scaled": (np.diag([2.0, 2.0, 2.0, 1.0]), NotRigid, "scaled"),
    "mirrored": (MIRROR, NotRigid, "mirrored"),
    "sheared": (np.eye(4) + np.eye(4, k=1) * 0.1, NotRigid, "rotation"),
    "last row": (np.vstack([np.eye(4)[:3], [0, 0, 1, 1]]), NotRigid, "(0, 0, 0, 1)"),
    "zeros": (np.zeros((4, 4)), NotRigid, "(0, 0, 0, 1)"),
    "great numbers": (np.diag([1e200, 1.0, 1.0, 1.0]), NotRigid, "scaled"),
    "NaN": (np.full((4, 4), np.nan), NotFinite, "NaN"),
    "infinity": (np.where(np.eye(4, k=3) > 0, np.inf, np.eye(4)), NotFinite, "infinity"),
    "3x3": (np.eye(3), ShapeError, "(3, 3)"),
    "3x4": (np.eye(4)[:3], ShapeError, "(3, 4)"),
    "batch": (np.eye(4)[None], ShapeError, "(1, 4, 4)"),
    "number": (1.0, ShapeError, "4x4"),
    "None": (None, (ShapeError, NotNumeric), "4x4"),
    "text": ("abc", NotNumeric, "4x4"),
    "dict": ({}, NotNumeric, "4x4"),
    "ragged": ([[1, 0], [0]], NotNumeric, "4x4"),
    "complex": (np.eye(4) * (1 + 1j), NotNumeric, "4x4"),
    "too great a number": ([[HUGE] * 4] * 4, (NotNumeric, NotFinite), "4x4"),
}


@pytest.mark.parametrize("bad", BAD_POSES)
def test_transforms_that_are_not_rigid_are_refused(bad):
    T, kind, word = BAD_POSES[bad]
    with warnings_off():
        with refused(kind, "tool", word if kind is not NotFinite else ""):
            ARM.with_tool(T)
        with refused(kind, "base", word if kind is not NotFinite else ""):
            ARM.with_base(T)
        if T is not None:
            with refused(kind, "home"):
                Chain.from_screws([SCREW_Z], home=T)
        with refused(kind, "origin of joint 'j'"):
            Joint("j", "revolute", "a", "b", T)


def test_a_rotation_with_few_digits_is_projected_to_the_nearest_one():
    T = ARM.forward(ARM.home)
    rounded = ARM.with_tool(T.astype(np.float32))
    assert np.allclose(rounded.forward(ARM.home), T @ T, atol=1e-6)
    R = rounded.forward(ARM.home)[:3, :3]
    assert np.allclose(R.T @ R, np.eye(3), atol=1e-14)


@pytest.mark.parametrize("side", ["lower", "upper"])
@pytest.mark.parametrize(
    "bound, kind",
    [
        ([0.0] * 6, ShapeError),
        (np.zeros((2, 7)), ShapeError),
        ([], ShapeError),
        ("abc", (ShapeError, NotNumeric)),
        ([[0.0], [0.0, 1.0]], (ShapeError, NotNumeric)),
        (math.nan, (BadOption, NotFinite, BadModel)),
        ([math.nan] * 7, (BadOption, NotFinite, BadModel)),
        (np.full(7, 1j), (ShapeError, NotNumeric)),
        (HUGE, (ShapeError, NotNumeric, NotFinite, BadOption)),
        (list(range(100_000)), ShapeError),
        ({"nonsense": 1.0}, UnknownJoint),
        ({5: 1.0}, UnknownJoint),
        ({FIRST: "abc"}, (BadOption, NotNumeric, ShapeError)),
        ({FIRST: None}, (BadOption, NotNumeric, ShapeError)),
        ({FIRST: [1.0, 2.0]}, (BadOption, NotNumeric, ShapeError)),
        ({FIRST: 1j}, (BadOption, NotNumeric, ShapeError)),
        ({FIRST: math.nan}, (BadOption, NotFinite, BadModel)),
        ({FIRST: HUGE}, (BadOption, NotNumeric, NotFinite, ShapeError)),
    ],
)
def test_invalid_limits_are_refused(side, bound, kind):
    with warnings_off(), refused(kind):
        ARM.with_limits(**{side: bound})


def test_crossed_and_empty_limits_are_refused():
    with refused(BadModel, FIRST, "lower 3", "above"):
        ARM.with_limits(lower={FIRST: 3.0}, upper={FIRST: -3.0})
    with refused(UnknownJoint, f"did you mean '{FIRST}'"):
        ARM.with_limits(lower={FIRST.replace("_", ""): 0.0})
    with refused(BadModel, FIRST):
        ARM.with_limits(lower=math.inf, upper=math.inf)
    with refused(BadModel, FIRST):
        ARM.with_limits(lower=-math.inf, upper=-math.inf)


def test_a_limit_that_cannot_be_set_is_not_ignored():
    with refused((BadOption, UnknownJoint), "root"):
        FIGURE.chain("leftHand").with_limits(lower={"root.px": -1.0})
    arm = FIGURE.chain("leftHand")
    with refused(BadOption, "root"):
        arm.with_limits(upper=np.zeros(arm.n))
    bounded = arm.with_limits(lower=-1.0)  # one number applies to the joints that have a range
    assert np.isinf(bounded.lower[:6]).all() and (bounded.lower[6:] == -1.0).all()


@pytest.mark.parametrize(
    "limits", [5, None, "abc", [FIRST], {FIRST: 5}, {FIRST: "abc"}, {FIRST: (1.0,)}, {FIRST: None}]
)
def test_invalid_ranges_of_a_mechanism_are_refused(limits):
    with refused((BadOption, NotNumeric)):
        ARM.model.mechanism.with_limits(limits)


@pytest.mark.parametrize(
    "values, kind, words",
    [
        ({FIRST: 99.0}, BadOption, (FIRST, "range")),
        ({FIRST: math.nan}, BadOption, (FIRST,)),
        ({FIRST: math.inf}, BadOption, (FIRST,)),
        ({FIRST: "abc"}, (BadOption, NotNumeric), (FIRST,)),
        ({FIRST: None}, (BadOption, NotNumeric), (FIRST,)),
        ({FIRST: [0.1]}, (BadOption, NotNumeric), (FIRST,)),
        ({FIRST: 1j}, (BadOption, NotNumeric), (FIRST,)),
        ({FIRST: HUGE}, (BadOption, NotNumeric, NotFinite), (FIRST,)),
        ({"panda_joint8": 0.0}, UnknownJoint, ("panda_joint8", "did you mean")),
        ({5: 0.0}, UnknownJoint, ("5",)),
        ([FIRST], (BadOption, NotNumeric), ()),
        ([], (BadOption, NotNumeric), ()),
        (None, (BadOption, NotNumeric), ()),
        (5, (BadOption, NotNumeric), ()),
        (FIRST, (BadOption, NotNumeric), ()),
    ],
)
def test_frozen_values_that_do_not_fit_are_refused(values, kind, words):
    with refused(kind, *words):
        ARM.with_frozen(values)


@pytest.mark.parametrize("factor", [0, -1, math.nan, math.inf, "a", None, [], HUGE, 1j])
def test_scales_that_are_not_positive_numbers_are_refused(factor):
    for body in (ARM, FIGURE):
        with refused((BadOption, NotNumeric), "scale"):
            body.scaled(factor)
