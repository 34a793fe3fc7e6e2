"""Joints and mechanisms built in Python, with invalid fields of every kind."""

import math

import numpy as np
import pytest
from hostile import ARM, HUGE, LINKS, refused, warnings_off

from limbik import BadModel, BadOption, Capsule, Chain, NotFinite, NotRigid, ShapeError, Sphere
from limbik.errors import NotNumeric
from limbik.model import Joint, Link, Mechanism, Mimic


@pytest.mark.parametrize(
    "fields, kind, words",
    [
        ({"kind": "helical"}, BadModel, ("helical", "prismatic")),
        ({"kind": None}, BadModel, ("kind",)),
        ({"axis": [0, 0, 0]}, BadModel, ("axis", "direction")),
        ({"axis": [1e-200, 0, 0]}, BadModel, ("axis",)),
        ({"axis": [0, 1]}, ShapeError, ("axis", "three")),
        ({"axis": "abc"}, NotNumeric, ("axis", "three")),
        ({"axis": [math.nan, 0, 1]}, NotFinite, ("axis", "NaN")),
        ({"axis": [HUGE, 0, 0]}, (NotNumeric, NotFinite, BadModel), ("axis",)),
        ({"axis": np.array([1, 1j, 0])}, NotNumeric, ("axis",)),
        ({"lower": 2.0, "upper": 1.0}, BadModel, ("lower 2", "above")),
        ({"lower": math.nan}, BadModel, ("NaN",)),
        ({"upper": math.nan}, BadModel, ("NaN",)),
        ({"lower": math.inf}, BadModel, ("lower",)),
        ({"upper": -math.inf}, BadModel, ("upper",)),
        ({"lower": "a"}, (BadModel, NotNumeric), ("lower",)),
        ({"upper": None}, (BadModel, NotNumeric), ("upper",)),
        ({"lower": -HUGE}, (BadModel, NotNumeric), ("lower",)),
        ({"velocity": -1.0}, BadModel, ("speed",)),
        ({"velocity": math.nan}, BadModel, ("speed",)),
        ({"velocity": "fast"}, (BadModel, NotNumeric), ("speed",)),
        ({"swing": -1.0}, BadModel, ("swing",)),
        ({"swing": math.nan}, BadModel, ("swing",)),
        ({"swing": "wide"}, (BadModel, NotNumeric), ("swing",)),
        ({"twist": (1.0, -1.0)}, BadModel, ("twist",)),
        ({"twist": (3.5, 4.0)}, BadModel, ("twist",)),
        ({"twist": (-5.0, -4.0)}, BadModel, ("twist",)),
        ({"twist": (1.0,)}, (BadModel, ShapeError, NotNumeric), ("twist",)),
        ({"twist": None}, (BadModel, ShapeError, NotNumeric), ("twist",)),
        ({"name": 5}, (BadModel, NotNumeric), ("name",)),
        ({"mimic": "k"}, (BadModel, NotNumeric), ("mimic",)),
    ],
)
def test_broken_joints_are_refused(fields, kind, words):
    with warnings_off(), refused(kind, *words):
        Joint(**({"name": "j", "kind": "revolute", "parent": "a", "child": "b"} | fields))


def test_an_axis_of_any_length_is_a_direction():
    for length in (1e-8, 1e-3, 1.0, 1e10, 1e160, 1e300):
        axis = Joint("j", "revolute", "a", "b", axis=[length, 0, -length]).axis
        assert np.allclose(axis, np.array([1, 0, -1]) / math.sqrt(2), atol=1e-15), length


TWO = (Joint("j", "revolute", "a", "b"), Joint("k", "revolute", "b", "c"))


@pytest.mark.parametrize(
    "parts, kind, words",
    [
        (lambda: ("m", (), ()), BadModel, ("no links",)),
        (lambda: ("m", ("a",), ()), (BadModel, NotNumeric), ("link",)),
        (lambda: ("m", LINKS[:1], None), (BadModel, NotNumeric), ("joint",)),
        (lambda: ("m", LINKS[:1], (5,)), (BadModel, NotNumeric), ("joint",)),
        (lambda: (5, LINKS[:1], ()), (BadModel, NotNumeric), ("name",)),
        (lambda: ("m", (Link(""),), ()), BadModel, ("link", "name")),
        (lambda: ("m", LINKS + LINKS[:1], TWO), BadModel, ("two links named 'a'",)),
        (lambda: ("m", LINKS, (TWO[0], TWO[0])), BadModel, ("two joints named 'j'",)),
        (lambda: ("m", LINKS, TWO[:1]), BadModel, ("2 roots", "c")),
        (lambda: ("m", LINKS[:2], TWO), BadModel, ("'k'", "'c'", "does not exist")),
        (lambda: ("m", LINKS, (*TWO, Joint("l", "revolute", "c", "a"))), BadModel, ("loop",)),
        (lambda: ("m", LINKS, (*TWO, Joint("l", "revolute", "a", "c"))), BadModel, ("loop", "'c'")),
        (
            lambda: ("m", LINKS[:2], (Joint("j", "revolute", "a", "a"), Joint("k", "revolute", "a", "b"))),
            BadModel,
            ("root",),
        ),
        (lambda: ("m", LINKS, (TWO[0], TWO[1].moved_to(mimic=Mimic("z")))), BadModel, ("'k'", "'z'", "does not exist")),
        (
            lambda: ("m", LINKS, (TWO[0].moved_to(mimic=Mimic("k")), TWO[1].moved_to(mimic=Mimic("j")))),
            BadModel,
            ("in a loop",),
        ),
        (lambda: ("m", LINKS, (TWO[0], TWO[1].moved_to(mimic=Mimic("k")))), BadModel, ("itself",)),
        (lambda: ("m", LINKS, (TWO[0], TWO[1].moved_to(mimic=Mimic("j", math.nan)))), BadModel, ("'k'", "finite")),
        (lambda: ("m", LINKS, (TWO[0], TWO[1].moved_to(mimic=Mimic("j", 1.0, math.inf)))), BadModel, ("'k'", "finite")),
        (lambda: ("m", LINKS, (TWO[0], TWO[1].moved_to(mimic=Mimic("j", "x")))), (BadModel, NotNumeric), ("'k'",)),
        (
            lambda: ("m", LINKS, (TWO[0].moved_to(kind="ball"), TWO[1].moved_to(mimic=Mimic("j")))),
            BadModel,
            ("revolute or prismatic",),
        ),
    ],
)
def test_broken_mechanisms_are_refused(parts, kind, words):
    with refused(kind, *words):
        Chain(Mechanism(*parts()))


def test_lengths_that_overflow_are_refused():
    row = (1e308, 0.3, 0, 0)
    with warnings_off(), refused(BadModel):
        Chain.from_dh([row] * 4)
    with warnings_off(), refused((BadModel, BadOption)):
        ARM.scaled(1e308)


def test_factors_that_overflow_together_are_refused():
    """Each multiplier is valid; their product overflows."""
    first = Joint("j0", "revolute", "l0", "l1")
    rest = [Joint(f"j{k}", "revolute", f"l{k}", f"l{k + 1}", mimic=Mimic(f"j{k - 1}", 1e90)) for k in range(1, 4)]
    with refused(BadModel, "'j2'", "too large"):
        Mechanism("m", [Link(f"l{k}") for k in range(5)], [first, *rest])


@pytest.mark.parametrize("kind", ["floating", "ball", "fixed"])
def test_only_a_joint_with_one_axis_mimics(kind):
    with refused(BadModel, "'j'", kind, "one axis"):
        Joint("j", kind, "a", "b", mimic=Mimic("k"))


@pytest.mark.parametrize(
    "fields",
    [
        {"name": 5},
        {"name": "a\nb"},
        {"mass": "1"},
        {"mass": HUGE},
        {"mass": math.nan},
        {"centre_of_mass": (1, 2)},
        {"shapes": 5},
        {"shapes": "sphere"},
        {"shapes": [1]},
        {"shapes": Sphere((0, 0, 0), 1)},
        {"shapes": None},
    ],
)
def test_broken_links_are_refused(fields):
    with refused((BadModel, NotNumeric, NotFinite, ShapeError), "link"):
        Link(**({"name": "a"} | fields))


@pytest.mark.parametrize("fields", [{"title": 5}, {"notes": "one"}, {"notes": [1]}, {"up": "x"}, {"name": "a\nb"}])
def test_broken_words_of_a_mechanism_are_refused(fields):
    with refused(BadModel, next(iter(fields))):
        Mechanism(**({"name": "m", "links": LINKS[:1], "joints": ()} | fields))


@pytest.mark.parametrize("radius", [0, -1.0, math.nan, math.inf, HUGE, "wide", None, [1, 2], 1j, 1e200])
def test_broken_radii_are_refused(radius):
    for make in (lambda: Sphere((0, 0, 0), radius), lambda: Capsule((0, 0, 0), (0, 0, 1), radius)):
        with warnings_off(), refused((BadModel, NotNumeric), "radius"):
            make()


@pytest.mark.parametrize(
    "point", [(0, 0), "abc", None, (0, 0, math.nan), (0, math.inf, 0), (HUGE, 0, 0), (1e200, 0, 0)]
)
def test_broken_points_of_shapes_are_refused(point):
    for word, make in (
        ("centre", lambda: Sphere(point, 1.0)),
        ("start", lambda: Capsule(point, (0, 0, 0), 1.0)),
        ("end", lambda: Capsule((0, 0, 0), point, 1.0)),
    ):
        with warnings_off(), refused((BadModel, NotNumeric, NotFinite, ShapeError), word):
            make()


def test_shapes_go_only_through_rigid_frames_and_positive_scales():
    for shape in (Sphere((0, 0, 0), 1.0), Capsule((0, 0, 0), (0, 0, 1), 1.0)):
        with refused(NotRigid, "frame"):
            shape.moved(2 * np.eye(4) - np.diag([0, 0, 0, 1.0]))
        with refused(ShapeError, "frame"):
            shape.moved(np.eye(3))
        for factor in (0, -1, math.nan, math.inf):
            with refused(BadOption, "scale"):
                shape.scaled(factor)
        with refused(BadModel), warnings_off():
            shape.scaled(1e90).scaled(1e90)
