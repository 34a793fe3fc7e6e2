"""Misuse and broken input: always an error of the family, in one sentence that names the thing; never anything else.

The other half: unusual input that is right gives the plain result, and nothing that a caller holds is changed or kept.
"""

import array
import contextlib
import math
import os
import pickle
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import limbik
from limbik import (
    BadFile,
    BadModel,
    BadOption,
    Chain,
    FileUnreadable,
    Joint,
    LimbikError,
    Link,
    Mechanism,
    Mimic,
    MissingExtra,
    NotFinite,
    NotNumeric,
    NotRigid,
    ShapeError,
    Skeleton,
    UnknownFrame,
    UnknownJoint,
    UnknownRobot,
)
from limbik.formats import source
from limbik.formats.urdf import read_urdf, write_urdf
from limbik.model.transform import from_rpy

ARM = limbik.load("panda")
FIGURE = limbik.load("human")
FIRST = ARM.joint_names[0]
# A message longer than this is not a sentence.
LONGEST_MESSAGE = 700
# The screw of a joint that turns about z.
TURN = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
# A whole number that no float can hold.
HUGE = 10**400
# Seconds after which a process counts as hanging.
PATIENCE = 6


@contextlib.contextmanager
def refused(kind, *words):
    """Expect an error of this class (or one of several) in one short line that holds all the words."""
    with pytest.raises(LimbikError) as caught:
        yield
    message = str(caught.value)
    assert isinstance(caught.value, kind), f"{type(caught.value).__name__}: {message}"
    assert "\n" not in message, message
    assert len(message) <= LONGEST_MESSAGE, message[:200]
    for word in words:
        assert word.lower() in message.lower(), message


@contextlib.contextmanager
def warnings_off():
    """As a user runs: a warning is no error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def run_apart(code, seconds=PATIENCE):
    """Run Python code in a process of its own and return what it prints; fail when it crashes or hangs."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.fail(f"still running after {seconds} s")
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr[-500:]}"
    return done.stdout.strip()


def load_apart(path):
    """Load a file in a process of its own; return the error's name, or "loaded"."""
    return run_apart(f"""
import limbik
try:
    limbik.load({str(path)!r})
    print("loaded")
except limbik.LimbikError as error:
    print(type(error).__name__)
""")


# ---- q ---------------------------------------------------------------------------------------------------------------

VERBS = {
    "forward": lambda q: ARM.forward(q),
    "jacobian": lambda q: ARM.jacobian(q),
    "forward_jacobian": lambda q: ARM.forward_jacobian(q),
    "forward_all": lambda q: ARM.forward_all(q),
    "clamp": lambda q: ARM.clamp(q),
    "within_limits": lambda q: ARM.within_limits(q),
    "integrate q": lambda q: ARM.integrate(q, ARM.home),
    "integrate dq": lambda q: ARM.integrate(ARM.home, q),
    "difference q0": lambda q: ARM.difference(q, ARM.home),
    "difference q1": lambda q: ARM.difference(ARM.home, q),
}
BAD_Q = {
    "NaN": ([math.nan] * 7, NotFinite, "NaN"),
    "one NaN in a batch": (np.where(np.arange(70).reshape(10, 7) == 40, np.nan, 0.0), NotFinite, "row 5"),
    "infinity": ([math.inf] * 7, NotFinite, "infinity"),
    "minus infinity": (np.full(7, -np.inf), NotFinite, "infinity"),
    "too few": ([0.0] * 6, ShapeError, "(6,)"),
    "too many": ([0.0] * 8, ShapeError, "(8,)"),
    "empty": ([], ShapeError, "(0,)"),
    "transposed": (np.zeros((7, 3)), ShapeError, "(7, 3)"),
    "one number": (0.5, ShapeError, "()"),
    "0-d array": (np.array(0.5), ShapeError, "()"),
    "20 axes": (np.zeros((1,) * 19 + (7,)), ShapeError, "axes"),
    "60 axes": (np.zeros((1,) * 59 + (7,)), ShapeError, "axes"),
    "text": ("abc", NotNumeric, "str"),
    "texts": (["a"] * 7, NotNumeric, "numbers"),
    "bytes": (b"abcdefg", NotNumeric, "bytes"),
    "None": (None, (NotNumeric, ShapeError, NotFinite), "q"),
    "Nones": ([None] * 7, (NotNumeric, NotFinite), "q"),
    "ragged": ([[0.0, 1.0], [2.0]], NotNumeric, "equal length"),
    "complex list": ([1j] * 7, NotNumeric, "numbers"),
    "complex array": (np.full(7, 1j), NotNumeric, "numbers"),
    "dict": ({"q": 1}, NotNumeric, "dict"),
    "set": ({1.0, 2.0}, NotNumeric, "set"),
    "objects": (np.array([object()] * 7), NotNumeric, "numbers"),
    "object None": (np.array([None] * 7), (NotNumeric, NotFinite), "q"),
    "function": (len, NotNumeric, "numbers"),
    "too great a number": ([HUGE] * 7, (NotNumeric, NotFinite), "q"),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("bad", BAD_Q)
def test_bad_q_is_refused(verb, bad):
    q, kind, word = BAD_Q[bad]
    if verb.startswith(("integrate", "difference")) and word == "q":
        word = verb.split()[1]
    with warnings_off(), refused(kind, word):
        VERBS[verb](q)


class Hostile:
    """Something that breaks when it is asked for its numbers."""

    def __array__(self, dtype=None, copy=None):
        raise ZeroDivisionError("gotcha")


def test_an_object_that_breaks_inside_is_refused():
    with refused(NotNumeric, "Hostile"):
        ARM.forward(Hostile())


def test_a_batch_that_does_not_fit_in_memory_is_not_called_text():
    giant = np.broadcast_to(ARM.home, (10**13, 7))
    with pytest.raises((MemoryError, LimbikError)) as caught:
        ARM.forward(giant)
    assert "must be numbers" not in str(caught.value)


def test_two_batches_of_different_length_are_refused():
    with refused(ShapeError, "(3, 7)", "(4, 7)"):
        ARM.integrate(np.zeros((3, 7)), np.zeros((4, 7)))
    with refused(ShapeError, "(3, 7)", "(7,)"):
        ARM.difference(np.zeros((3, 7)), np.zeros(7))


POSTURES = ARM.sample(np.random.default_rng(20240607), 12)


def swapped(x):
    return x.astype(x.dtype.newbyteorder())


def unaligned(x):
    raw = np.zeros(x.nbytes + 1, np.uint8)
    view = raw[1:].view(np.float64).reshape(x.shape)
    view[:] = x
    return view


def read_only(x):
    x = x.copy()
    x.setflags(write=False)
    return x


GOOD_Q = {
    "negative stride": lambda x: x[::-1].copy()[::-1],
    "reversed columns": lambda x: x[:, ::-1].copy()[:, ::-1],
    "every other": lambda x: np.repeat(x, 2, axis=0)[::2],
    "Fortran": np.asfortranarray,
    "read-only": read_only,
    "byte-swapped": swapped,
    "unaligned": unaligned,
    "lists": lambda x: x.tolist(),
    "tuples": lambda x: tuple(map(tuple, x.tolist())),
    "list of arrays": list,
    "objects": lambda x: x.astype(object),
    "long double": lambda x: x.astype(np.longdouble),
    "memory view": lambda x: memoryview(np.ascontiguousarray(x)),
    "matrix": lambda x: np.matrix(x),
    "repeated by a zero stride": lambda x: x,
}


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("form", GOOD_Q)
def test_unusual_arrays_give_the_plain_result(form):
    given = GOOD_Q[form](POSTURES)
    assert np.array_equal(ARM.forward(given), ARM.forward(POSTURES))
    assert np.array_equal(ARM.jacobian(given), ARM.jacobian(POSTURES))
    assert np.array_equal(ARM.forward_all(given), ARM.forward_all(POSTURES))
    assert np.array_equal(ARM.clamp(given), POSTURES)
    assert np.array_equal(ARM.integrate(given, given), POSTURES + POSTURES)
    assert ARM.within_limits(given).all()


def test_other_kinds_of_number_give_the_result_of_their_values():
    single = POSTURES.astype(np.float32)
    assert np.array_equal(ARM.forward(single), ARM.forward(single.astype(np.float64)))
    assert ARM.forward(single).dtype == np.float64
    whole = np.arange(14).reshape(2, 7)
    for kind in (np.int8, np.uint16, np.int64, np.float16):
        assert np.array_equal(ARM.forward(whole.astype(kind)), ARM.forward(whole.astype(float)))
    assert np.array_equal(ARM.forward([True] * 7), ARM.forward(np.ones(7)))
    assert np.array_equal(ARM.forward(array.array("d", [0.5] * 7)), ARM.forward(np.full(7, 0.5)))
    row = np.broadcast_to(POSTURES[0], (5, 7))
    assert np.array_equal(ARM.forward(row), np.repeat(ARM.forward(POSTURES[:1]), 5, axis=0))


@pytest.mark.parametrize("batch", [(0,), (0, 3), (3, 0), (1, 0, 2)])
def test_empty_batches_work(batch):
    for body, frame in ((ARM, None), (FIGURE, "leftHand")):
        n, q = body.n, np.zeros((*batch, body.n))
        assert body.forward(q, frame).shape == (*batch, 4, 4)
        assert body.jacobian(q, frame).shape == (*batch, 6, n)
        assert body.forward_all(q).shape == (*batch, len(body.frames), 4, 4)
        for out in (body.clamp(q), body.integrate(q, q), body.difference(q, q)):
            assert out.shape == q.shape
        assert body.within_limits(q).shape == batch
        assert body.sample(np.random.default_rng(0), batch).shape == q.shape
    assert ARM.forward(np.zeros((*batch, 7)), threads=8).shape == (*batch, 4, 4)


# ---- options of the verbs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [-1, -(2**40), "2", 2.5, None, [2], math.nan])
def test_threads_that_are_no_count_are_refused(threads):
    for verb in (ARM.forward, ARM.jacobian, ARM.forward_jacobian, ARM.forward_all):
        with refused(BadOption, "threads"):
            verb(POSTURES, threads=threads)


@pytest.mark.parametrize("threads", [0, 1, 2, 7, 10**6, np.int64(3), 2**40])
def test_any_number_of_threads_gives_the_same_bits(threads):
    q = np.tile(POSTURES, (50, 1))
    assert np.array_equal(ARM.forward(q, threads=threads), ARM.forward(q, threads=1))
    assert np.array_equal(ARM.forward_all(q, threads=threads), ARM.forward_all(q, threads=1))


@pytest.mark.parametrize("frame", ["tol", "TOOL", "", "tool\n", 5, -1, [], ("tool",), b"tool", 1.5])
def test_unknown_frames_are_refused(frame):
    for verb in (ARM.forward, ARM.jacobian, ARM.forward_jacobian):
        with refused(UnknownFrame, "frame", "panda", "link7"):
            verb(ARM.home, frame)
    with refused(UnknownFrame, "human"):
        FIGURE.forward(FIGURE.home, frame)


def test_a_misspelt_frame_gets_a_suggestion():
    with refused(UnknownFrame, "did you mean 'tool'"):
        ARM.forward(ARM.home, "tol")
    with refused(UnknownFrame, "did you mean 'leftHand'"):
        FIGURE.jacobian(FIGURE.home, "lefthand")
    with refused(UnknownFrame, "did you mean 'leftHand'"):
        FIGURE.chain("leftHnd")


def test_a_skeleton_asks_for_the_frame():
    with refused(BadOption, "several tips", "frame="):
        FIGURE.forward(FIGURE.home)


@pytest.mark.parametrize("rng", [None, 0, np.random, np.random.RandomState(0)])
def test_sampling_needs_a_generator(rng):
    with refused(BadOption, "default_rng"):
        ARM.sample(rng, 3)


@pytest.mark.parametrize("size", [-1, 2.5, "a", None, (2, -1), (2, "a"), (2.5,), [[1]], {}])
def test_sample_sizes_that_are_no_shape_are_refused(size):
    with refused((BadOption, ShapeError), "size"):
        ARM.sample(np.random.default_rng(0), size)


def test_sample_takes_any_whole_number():
    plain = ARM.sample(np.random.default_rng(0), 5)
    for size in (np.int64(5), np.uint8(5), [5], (np.int32(5),)):
        assert np.array_equal(ARM.sample(np.random.default_rng(0), size), plain)


# ---- load's options --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["parsec", "M", "", None, 5, [], {}, 0.001])
def test_unknown_units_are_refused(unit):
    with refused(BadOption, "unit", "mm"):
        limbik.load("panda", unit=unit)
    with refused(BadOption, "unit", "mm"):
        Chain.from_dh([(1, 0, 0, 0)], unit=unit)


@pytest.mark.parametrize("end", ["nonsense", "", 5, [], {}, b"base"])
def test_unknown_ends_are_refused(end):
    with refused(UnknownFrame, "frame", "panda", "link1"):
        limbik.load("panda", base=end)
    with refused(UnknownFrame, "frame", "panda", "link1"):
        limbik.load("panda", tip=end)
    with refused(UnknownFrame, "frame"):
        FIGURE.chain(end)


def test_tip_equal_to_base_is_refused():
    with refused(BadOption, "base", "tip"):
        limbik.load("panda", base="link3", tip="link3")


@pytest.mark.parametrize(
    "given, kind, words",
    [
        ("nonsense", UnknownRobot, ("nonsense", "panda")),
        ("pandas", UnknownRobot, ("did you mean 'panda'",)),
        ("Panda", UnknownRobot, ("did you mean 'panda'",)),
        ("UR-5", UnknownRobot, ("did you mean 'ur5'",)),
        ("", (UnknownRobot, BadFile), ()),
        ("x\0y", (UnknownRobot, FileUnreadable), ()),
        ("x\0y.urdf", FileUnreadable, ("x",)),
        ("a" * 5000, (UnknownRobot, FileUnreadable), ("aaa",)),
        ("a" * 5000 + ".urdf", FileUnreadable, ("aaa",)),
        ("/".join("a" * 3000) + ".urdf", FileUnreadable, ("a/a",)),
        ("missing.urdf", FileUnreadable, ("missing.urdf", "no file")),
        ("missing/folder/robot.toml", FileUnreadable, ("robot.toml",)),
        (Path("missing.xml"), FileUnreadable, ("missing.xml",)),
        (None, BadOption, ("NoneType", "path")),
        (5, BadOption, ("int", "path")),
        (["panda"], BadOption, ("list", "path")),
        (ARM, BadOption, ("Chain",)),
        (b"\xff\xfe\x00", (UnknownRobot, FileUnreadable, BadFile), ()),
        (b"<robot", BadFile, ("well-formed", "line 1")),
        ("x" * 50_000_000, (UnknownRobot, FileUnreadable, BadFile), ()),
        ("<" * 50_000_000, BadFile, ("MB",)),
        ("/dev/zero", BadFile, ("/dev/zero",)),
    ],
    ids=lambda x: repr(x)[:24] if isinstance(x, str | bytes) else None,
)
def test_things_that_are_no_robot_are_refused(given, kind, words):
    with refused(kind, *words):
        limbik.load(given)


def test_arguments_go_with_xacro_only():
    with refused(BadOption, "xacro"):
        limbik.load("panda", arguments={"prefix": "left"})
    with refused(BadOption, "xacro"):
        limbik.load(urdf(joint()), arguments={"prefix": "left"})


@pytest.mark.parametrize("thing", ["panda", None, 5, ARM])
def test_a_chain_is_made_of_a_mechanism(thing):
    for kind in (Chain, Skeleton):
        with refused((BadOption, NotNumeric, BadModel), "load"):
            kind(thing)


# ---- changed copies --------------------------------------------------------------------------------------------------

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
                Chain.from_screws([TURN], home=T)
        with refused(kind, "origin of joint 'j'"):
            Joint("j", "revolute", "a", "b", T)


def test_a_rotation_with_few_digits_is_taken_for_the_nearest_one():
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
def test_limits_that_are_none_are_refused(side, bound, kind):
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
def test_scales_that_are_no_positive_number_are_refused(factor):
    for body in (ARM, FIGURE):
        with refused((BadOption, NotNumeric), "scale"):
            body.scaled(factor)


# ---- tables ----------------------------------------------------------------------------------------------------------


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
        (TURN, ShapeError, ("(6,)",)),
        ([[1, 2]], ShapeError, ("(1, 2)",)),
        ([TURN, [0.0]], (ShapeError, NotNumeric), ("six",)),
        ([TURN, [0.0] * 6], BadModel, ("screw 2", "zero")),
        ([[0, 0, 2, 0, 0, 0]], BadModel, ("screw 1", "length 2")),
        ([[0, 0, 0, 3, 0, 0]], BadModel, ("screw 1", "length 3")),
        ([TURN, [0, 0, 1, 0, 0, 0.1]], BadModel, ("screw 2", "pitch")),
        ([[math.nan] * 6], BadModel, ("screw 1", "NaN")),
        ([[1e200] * 6], BadModel, ("screw 1",)),
        ([[HUGE] * 6], (BadModel, ShapeError, NotNumeric), ()),
        (np.array([TURN]) * 1j, (ShapeError, NotNumeric), ("six",)),
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
        Chain.from_screws([TURN], lower=bounds)


# ---- joints and mechanisms made by hand ------------------------------------------------------------------------------


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


LINKS = (Link("a"), Link("b"), Link("c"))
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
            ("circle",),
        ),
        (lambda: ("m", LINKS, (TWO[0], TWO[1].moved_to(mimic=Mimic("k")))), BadModel, ("itself",)),
        (lambda: ("m", LINKS, (TWO[0], TWO[1].moved_to(mimic=Mimic("j", math.nan)))), BadModel, ("'k'", "finite")),
        (lambda: ("m", LINKS, (TWO[0], TWO[1].moved_to(mimic=Mimic("j", 1.0, math.inf)))), BadModel, ("'k'", "finite")),
        (lambda: ("m", LINKS, (TWO[0], TWO[1].moved_to(mimic=Mimic("j", "x")))), (BadModel, NotNumeric), ("'k'",)),
        (
            lambda: ("m", LINKS, (TWO[0].moved_to(kind="ball"), TWO[1].moved_to(mimic=Mimic("j")))),
            BadModel,
            ("one axis",),
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


# ---- URDF ------------------------------------------------------------------------------------------------------------


def joint(name="j", kind="revolute", parent="a", child="b", inside='<limit lower="-1" upper="1"/>'):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def urdf(*parts, links="ab"):
    return '<robot name="r">' + "".join(f'<link name="{x}"/>' for x in links) + "".join(parts) + "</robot>"


NUMBERS = {
    "abc": "'abc'",
    "1,2,3": "'1,2,3'",
    "1 2 x": "'x'",
    "nan 0 0": "'nan'",
    "0 inf 0": "'inf'",
    "1e999 0 0": "'1e999'",
    "0 0": "2 numbers",
    "0 0 0 0": "4 numbers",
    "": "0 numbers",
    "1_0 0 0": "'1_0'",
}
BROKEN_URDF = {
    "loop": (urdf(joint(), joint("k", parent="b", child="a")), BadModel, ("loop",)),
    "joint on itself": (urdf(joint(child="a"), links="a"), BadModel, ("loop",)),
    "closed": (
        urdf(joint(), joint("k", child="c"), joint("l", parent="b", child="c"), links="abc"),
        BadModel,
        ("loop", "'c'"),
    ),
    "missing child": (urdf(joint(child="z")), BadModel, ("'j'", "'z'", "does not exist")),
    "missing parent": (urdf(joint(parent="z")), BadModel, ("'j'", "'z'", "does not exist")),
    "two roots": (urdf(joint(), links="abc"), BadModel, ("2 roots", "a, c")),
    "no links": ('<robot name="r"/>', BadModel, ("no links",)),
    "double link": (urdf(joint(), links="abb"), BadModel, ("two links named 'b'",)),
    "double joint": (urdf(joint(), joint(child="c"), links="abc"), BadModel, ("two joints named 'j'",)),
    "mimic of nobody": (urdf(joint(inside='<mimic joint="z"/>')), BadModel, ("'j'", "'z'")),
    "mimic of itself": (urdf(joint(inside='<mimic joint="j"/>')), BadModel, ("'j'", "itself")),
    "mimic unnamed": (urdf(joint(inside="<mimic/>")), BadModel, ("'j'", "mimics")),
    "mimic circle": (
        urdf(
            joint(inside='<mimic joint="k"/>'),
            joint("k", parent="b", child="c", inside='<mimic joint="j"/>'),
            links="abc",
        ),
        BadModel,
        ("circle",),
    ),
    "mimic number": (
        urdf(joint(), joint("k", parent="b", child="c", inside='<mimic joint="j" multiplier="abc"/>'), links="abc"),
        BadModel,
        ("multiplier", "'k'", "'abc'"),
    ),
    "no parent": (urdf('<joint name="j" type="fixed"><child link="b"/></joint>'), BadModel, ("'j'", "parent")),
    "no child": (urdf('<joint name="j" type="fixed"><parent link="a"/></joint>'), BadModel, ("'j'", "child")),
    "no type": (urdf('<joint name="j"><parent link="a"/><child link="b"/></joint>'), BadModel, ("'j'", "type")),
    "unknown type": (urdf(joint(kind="helical")), BadModel, ("'j'", "helical", "revolute")),
    "joint without name": (urdf(joint(name="")), BadModel, ("joint", "name")),
    "link without name": ("<robot><link/></robot>", BadModel, ("link", "name")),
    "zero axis": (urdf(joint(inside='<axis xyz="0 0 0"/>')), BadModel, ("'j'", "axis")),
    "zero planar axis": (
        urdf(joint(kind="planar", inside='<axis xyz="0 0 0"/>')),
        (BadModel, NotFinite),
        ("'j", "axis"),
    ),
    "crossed": (urdf(joint(inside='<limit lower="1" upper="-1"/>')), BadModel, ("'j'", "above")),
    "lower NaN": (urdf(joint(inside='<limit lower="nan" upper="1"/>')), BadModel, ("'j'", "NaN")),
    "lower text": (urdf(joint(inside='<limit lower="-1,5" upper="1"/>')), BadModel, ("lower", "'j'", "'-1,5'")),
    "lower infinite": (urdf(joint(inside='<limit lower="inf" upper="inf"/>')), BadModel, ("'j'",)),
    "velocity NaN": (urdf(joint(inside='<limit lower="-1" upper="1" velocity="nan"/>')), BadModel, ("velocity", "'j'")),
    "mass": (
        '<robot><link name="a"><inertial><mass value="x"/></inertial></link></robot>',
        BadModel,
        ("mass", "'a'", "'x'"),
    ),
    "not closed": ("<robot><link name='a'>", BadFile, ("well-formed", "line 1")),
    "two documents": (urdf(joint()) * 2, BadFile, ("well-formed", "junk")),
    "double attribute": ('<robot name="a" name="b"/>', BadFile, ("well-formed", "duplicate")),
    "control character": (urdf(joint(name="&#1;")), BadFile, ("well-formed",)),
    "NUL": (urdf(joint(name="\0")), BadFile, ("well-formed",)),
    "lone surrogate": (urdf(joint(name="\ud800")), BadFile, ("well-formed",)),
    "web page": ("<!DOCTYPE html><html><body>404</body></html>", BadFile, ("<html>", "<robot>")),
    "MJCF": ("<mujoco/>", BadFile, ("mujoco", ".xml")),
    "macros": ('<robot xmlns:xacro="x"><xacro:macro name="m"/></robot>', BadFile, ("xacro",)),
    "entity": ('<!DOCTYPE r [<!ENTITY e "x">]>' + urdf(joint(name="&e;")), BadFile, ("entity", "'e'")),
    "file entity": (
        '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + urdf(joint(name="j")),
        BadFile,
        ("entity",),
    ),
    "parameter entity": (
        '<!DOCTYPE r [<!ENTITY % e SYSTEM "file:///etc/passwd"> %e;]>' + urdf(joint()),
        BadFile,
        ("entity",),
    ),
    "billion laughs": (
        '<!DOCTYPE r [<!ENTITY e0 "ha">'
        + "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, 20))
        + "]>"
        + urdf(joint(name="&e19;")),
        BadFile,
        ("entity",),
    ),
    "deep": ("<robot>" + "<a>" * 100_000 + "</a>" * 100_000 + "</robot>", BadFile, ("nests",)),
    "many elements": ("<robot>" + "<a/>" * 1_000_001 + "</robot>", BadFile, ("elements",)),
}


@pytest.mark.parametrize("broken", BROKEN_URDF)
def test_broken_urdf_is_refused(broken, tmp_path):
    text, kind, words = BROKEN_URDF[broken]
    with refused(kind, *words):
        limbik.load(text)
    if len(text) < 10_000 and "\ud800" not in text:
        path = tmp_path / "robot.urdf"
        path.write_text(text)
        with refused(kind, *words):
            limbik.load(path)


@pytest.mark.parametrize("number", NUMBERS)
def test_broken_numbers_of_urdf_are_refused(number):
    for inside in (f'<origin xyz="{number}"/>', f'<origin rpy="{number}"/>', f'<axis xyz="{number}"/>'):
        with refused(BadModel, "'j'", NUMBERS[number]):
            limbik.load(urdf(joint(inside=inside)))


def test_what_a_declared_encoding_says_does_not_change_a_text():
    for encoding in ("utf-8", "latin-1", "windows-1252"):
        body = limbik.load(f'<?xml version="1.0" encoding="{encoding}"?>' + urdf(joint(name="Gelenk_\u00e9")))
        assert body.joint_names == ("Gelenk_\u00e9",), encoding


@pytest.mark.parametrize("encoding", ["klingon", "rot13", "hex", "utf-7", "utf-16", "idna", "undefined"])
def test_odd_encodings_are_read_or_refused(encoding, tmp_path):
    text = f'<?xml version="1.0" encoding="{encoding}"?>' + urdf(joint())
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    for given in (text, path):
        try:
            assert limbik.load(given).joint_names == ("j",)
        except LimbikError as error:
            assert isinstance(error, BadFile)


def test_a_mechanism_without_joints_stands_still():
    body = limbik.load(urdf(links="a"))
    assert body.n == 0
    assert np.array_equal(body.forward([]), np.eye(4))
    assert body.jacobian(np.zeros((3, 0))).shape == (3, 6, 0)
    with refused(ShapeError, "n = 0"):
        body.forward([1.0])


def test_a_row_of_mimics_behind_a_fixed_joint_stands_still():
    body = limbik.load(
        urdf(
            joint("f", "fixed", inside=""),
            joint("k", parent="b", child="c", inside='<axis xyz="0 0 1"/><mimic joint="f" offset="0.25"/>'),
            joint("l", parent="c", child="d", inside='<axis xyz="0 0 1"/><mimic joint="k" multiplier="2"/>'),
            links="abcd",
        )
    )
    assert body.n == 0
    assert math.isclose(math.atan2(*body.forward([])[[1, 0], [0, 0]]), 0.75)


@pytest.mark.parametrize("offset", [0.0, 1e-12, 1e-9, 1.1e-9, 1e-8, 3e-8, 1e-6, 1e-3])
@pytest.mark.parametrize("up", [1, -1])
def test_writing_keeps_a_rotation_at_any_pitch(offset, up):
    """Roll and yaw are ill-conditioned near a pitch of 90 degrees; the rotation that they make together is not."""
    pitched = from_rpy((1, 2, 3), (0.3, up * (math.pi / 2 - offset), -1.1))
    other = from_rpy((0, 0, 0), (0.7, -0.4, 2.2))
    origin = other.T @ (other @ pitched)  # the last digits are no longer those of a product of sines and cosines
    before = Mechanism("m", LINKS[:2], (Joint("j", "revolute", "a", "b", origin),))
    after = read_urdf(write_urdf(before))
    assert np.allclose(after.joints[0].origin, before.joints[0].origin, rtol=0, atol=1e-11)


# ---- files -----------------------------------------------------------------------------------------------------------


def row_of_joints(n):
    """A URDF with n joints one after the other."""
    links = "".join(f'<link name="l{k}"/>' for k in range(n + 1))
    inside = '<origin xyz="0.01 0 0" rpy="0.1 0 0"/><axis xyz="0 0 1"/>'
    joints = "".join(joint(f"j{k}", parent=f"l{k}", child=f"l{k + 1}", inside=inside) for k in range(n))
    return f'<robot name="row">{links}{joints}</robot>'


def fan_of_links(n):
    """A URDF with n links on one."""
    links = "".join(f'<link name="l{k}"/>' for k in range(n + 1))
    return (
        f'<robot name="fan">{links}{"".join(joint(f"j{k}", parent="l0", child=f"l{k + 1}") for k in range(n))}</robot>'
    )


def test_five_thousand_joints_in_a_row():
    start = time.perf_counter()
    body = limbik.load(row_of_joints(5000))
    assert time.perf_counter() - start < 10
    assert body.n == 5000
    q = np.random.default_rng(1).uniform(-1, 1, (3, 5000))
    T = body.forward(q)
    assert np.array_equal(T[1], body.forward(q[1]))
    assert np.allclose(T, body.forward_all(q)[:, body.frames.index("l5000")], atol=1e-9)
    assert np.allclose(T[:, :3, :3] @ np.swapaxes(T[:, :3, :3], -1, -2), np.eye(3), atol=1e-11)
    assert body.jacobian(q).shape == (3, 6, 5000)
    with refused(UnknownFrame, "l4999x", "more"):
        body.forward(q, "l4999x")


def test_twenty_thousand_links_on_one():
    start = time.perf_counter()
    body = limbik.load(fan_of_links(20_000))
    assert time.perf_counter() - start < 10
    assert isinstance(body, Skeleton) and body.n == 20_000
    assert body.forward(body.home, "l20000").shape == (4, 4)


FILES = {
    "empty": (b"", BadFile, "empty"),
    "blank": (b" \n\t\n", BadFile, "empty"),
    "junk": (bytes(range(256)) * 4, BadFile, ""),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), BadFile, ""),
    "UTF-16": (urdf(joint()).encode("utf-16"), BadFile, ""),
    "half a character": (urdf(joint(name="\u00e9")).encode()[:-20] + b"\xc3", BadFile, ""),
}


@pytest.mark.parametrize("suffix", [".urdf", ".xml", ".mjcf", ".toml", ".xacro"])
@pytest.mark.parametrize("content", FILES)
def test_files_that_hold_no_text_are_refused(content, suffix, tmp_path):
    data, kind, word = FILES[content]
    path = tmp_path / f"robot{suffix}"
    path.write_bytes(data)
    with refused(kind, str(path), word if suffix != ".xacro" else ""):
        limbik.load(path)


@pytest.mark.parametrize("suffix", [".urdf", ".xml", ".mjcf", ".toml", ".xacro"])
def test_special_files_are_refused_at_once(suffix, tmp_path):
    large = tmp_path / f"large{suffix}"
    with large.open("wb") as file:
        file.truncate(50_000_000)
    with refused(BadFile, str(large), "48 MB"):
        limbik.load(large)
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    with refused(BadFile, str(folder), "directory"):
        limbik.load(folder)
    pipe = tmp_path / f"pipe{suffix}"
    os.mkfifo(pipe)
    assert load_apart(pipe) == "BadFile"
    for name, target in (("dangling", "nowhere"), ("circle", f"circle{suffix}")):
        link = tmp_path / f"{name}{suffix}"
        link.symlink_to(target)
        with refused(FileUnreadable, name):
            limbik.load(link)
    endless = tmp_path / f"endless{suffix}"
    endless.symlink_to("/dev/zero")
    with refused(BadFile, "endless"):
        limbik.load(endless)


def test_folders_and_odd_endings_are_refused(tmp_path):
    with refused(BadFile, str(tmp_path), "directory"):
        limbik.load(tmp_path)
    for name in ("robot.txt", "robot", "robot.urdf.bak", "robot.stl", ".urdf"):
        path = tmp_path / name
        path.write_text(urdf(joint()))
        with refused(BadFile, name, ".urdf", ".toml"):
            limbik.load(path)


def test_a_file_that_may_not_be_read_is_refused(tmp_path):
    path = tmp_path / "secret.urdf"
    path.write_text(urdf(joint()))
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    with refused(FileUnreadable, "secret.urdf", "permission"):
        limbik.load(path)


# ---- MJCF ------------------------------------------------------------------------------------------------------------


def mjcf(body, before=""):
    first = '<joint name="j" axis="0 0 1"/><geom size=".1"/>'
    return f'<mujoco>{before}<worldbody><body name="b">{first}{body}</body></worldbody></mujoco>'


BROKEN_MJCF = {
    "junk": "junk",
    "not closed": "<mujoco><worldbody>",
    "missing include": mjcf("", '<include file="nowhere.xml"/>'),
    "include of itself": mjcf("", '<include file="robot.xml"/>'),
    "include in a circle": mjcf("", '<include file="other.xml"/>'),
    "entity": '<!DOCTYPE m [<!ENTITY e "x">]>' + mjcf(""),
    "billion laughs": '<!DOCTYPE m [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;">]>' + mjcf('<body name="&b;"/>'),
    "unknown element": mjcf("<elbow/>"),
    "unknown attribute": mjcf('<body colour="red"/>'),
    "number": mjcf('<body pos="a b c"/>'),
    "too few": mjcf('<body pos="1 2"/>'),
    "NaN": mjcf('<body pos="nan 0 0"/>'),
    "zero axis": mjcf('<body><joint axis="0 0 0"/><geom size=".1"/></body>'),
    "zero quaternion": mjcf('<body quat="0 0 0 0"/>'),
    "double name": mjcf('<body name="b"/>'),
    "crossed range": mjcf('<body><joint limited="true" range="1 -1"/><geom size=".1"/></body>'),
    "deep": "<mujoco><worldbody>" + "<body>" * 100_000 + "</body>" * 100_000 + "</worldbody></mujoco>",
    "unknown class": mjcf('<body childclass="nowhere"/>'),
    "memory": mjcf("", '<size memory="100000G"/>'),
    "other document": "<html/>",
}


@pytest.mark.parametrize("broken", BROKEN_MJCF)
def test_broken_mjcf_is_refused(broken, tmp_path):
    pytest.importorskip("mujoco")
    path = tmp_path / "robot.xml"
    path.write_text(BROKEN_MJCF[broken])
    (tmp_path / "other.xml").write_text('<mujoco><include file="robot.xml"/></mujoco>')
    with refused((BadFile, BadModel, NotFinite)):
        limbik.load(path)


def test_mjcf_may_speak_of_robots_in_a_comment(tmp_path):
    pytest.importorskip("mujoco")
    path = tmp_path / "robot.xml"
    path.write_text(mjcf("", '<!-- made from <robot name="x"> -->'))
    assert limbik.load(path).joint_names == ("j",)


def test_mjcf_that_includes_a_pipe_does_not_hang(tmp_path):
    pytest.importorskip("mujoco")
    os.mkfifo(tmp_path / "pipe.xml")
    (tmp_path / "robot.xml").write_text(mjcf("", '<include file="pipe.xml"/>'))
    assert load_apart(tmp_path / "robot.xml") == "BadFile"


def test_mjcf_that_multiplies_without_measure_does_not_hang(tmp_path):
    pytest.importorskip("mujoco")
    depth = 6
    (tmp_path / "robot.xml").write_text(mjcf('<replicate count="100">' * depth + "<body/>" + "</replicate>" * depth))
    assert load_apart(tmp_path / "robot.xml") in ("BadFile", "BadModel")


# ---- xacro -----------------------------------------------------------------------------------------------------------


def xacro(inside):
    space = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    return f'<robot name="r" {space}>{inside}<link name="a"/><link name="b"/>{joint()}</robot>'


BROKEN_XACRO = {
    "unknown macro": ("<xacro:nothing/>", "nothing"),
    "unknown property": ('<link name="${nothing}"/>', "nothing"),
    "unknown argument": ('<link name="$(arg nothing)"/>', "nothing"),
    "unknown variable": ('<link name="$(env LIMBIK_NOTHING)"/>', "LIMBIK_NOTHING"),
    "macro without end": ('<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/>', "without end"),
    "include of itself": ('<xacro:include filename="robot.xacro"/>', "without end"),
    "missing include": ('<xacro:include filename="nowhere.xacro"/>', "nowhere.xacro"),
    "include of a folder": ('<xacro:include filename="/"/>', ""),
    "missing package": ('<xacro:include filename="$(find no_such_package)/x.xacro"/>', "no_such_package"),
    "expression": ('<link name="${1 +}"/>', "1 +"),
    "division": ('<link name="${1 / 0}"/>', "division"),
    "condition": ('<xacro:if value="perhaps"><link name="z"/></xacro:if>', "perhaps"),
    "open": ("<link name=\"${open('/etc/passwd').read()}\"/>", "open"),
    "open by eval": ("<link name=\"$(eval open('/etc/passwd').read())\"/>", ""),
    "import": ("<link name=\"${__import__('os').system('touch TOUCHED')}\"/>", "__import__"),
    "import by eval": ("<link name=\"$(eval __import__('os').system('touch TOUCHED'))\"/>", ""),
    "classes": ('<link name="${().__class__.__base__.__subclasses__()}"/>', "__class__"),
    "attributes": ("<link name=\"${getattr(str, 'mro')()}\"/>", "getattr"),
    "exec": ("<link name=\"${exec('import os')}\"/>", "exec"),
    "exit": ('<link name="${exit(3)}"/>', "exit"),
    "prefix": ("<nobody:knows/>", "prefix"),
}


@pytest.mark.parametrize("broken", BROKEN_XACRO)
def test_broken_xacro_is_refused(broken, tmp_path, monkeypatch):
    pytest.importorskip("xacro")
    monkeypatch.chdir(tmp_path)
    inside, word = BROKEN_XACRO[broken]
    path = tmp_path / "robot.xacro"
    path.write_text(xacro(inside))
    with refused(BadFile, "robot.xacro", word):
        limbik.load(path)
    assert [p.name for p in tmp_path.iterdir()] == ["robot.xacro"]


@pytest.mark.parametrize("arguments", [5, "abc", [1]])
def test_xacro_arguments_are_a_mapping(arguments, tmp_path):
    pytest.importorskip("xacro")
    path = tmp_path / "robot.xacro"
    path.write_text(xacro(""))
    with refused((BadOption, NotNumeric), "arguments"):
        limbik.load(path, arguments=arguments)


def test_xacro_entities_do_not_explode(tmp_path):
    pytest.importorskip("xacro")
    path = tmp_path / "robot.xacro"
    laughs = '<!ENTITY e0 "haha">' + "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, 12))
    path.write_text(f"<!DOCTYPE r [{laughs}]>" + xacro('<link name="&e11;"/>'))
    with refused(BadFile, "robot.xacro"):
        limbik.load(path)
    path.write_text('<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + xacro("<link name='z'/>&e;"))
    with refused(BadFile, "robot.xacro"):
        limbik.load(path)


# ---- TOML ------------------------------------------------------------------------------------------------------------

ROW = 'convention = "standard"\n[[dh]]\n'
TREE = '[[joint]]\nname = "j"\nparent = "a"\nchild = "b"\n'
FOLLOWER = TREE + '[[joint]]\nname = "k"\nparent = "b"\nchild = "c"\n'
BROKEN_TOML = {
    "no table": ("a = ", BadFile, ("not TOML",)),
    "text": ("hello", BadFile, ("not TOML",)),
    "double key": ("name = 'a'\nname = 'b'", BadFile, ("not TOML",)),
    "deep": ("dh = " + "[" * 100_000, BadFile, ("not TOML",)),
    "nothing": ("name = 'a'", BadModel, ("[[dh]]", "[[joint]]")),
    "both": (ROW + TREE, BadModel, ("either",)),
    "misspelt head": ("convntion = 'standard'\n" + ROW, BadModel, ("convntion", "did you mean 'convention'")),
    "misspelt row": (ROW + "alpa = 1", BadModel, ("row 1", "alpa", "did you mean 'alpha'")),
    "misspelt joint": (TREE + "lwer_deg = 1", BadModel, ("'j'", "lwer_deg", "did you mean 'lower_deg'")),
    "misspelt mimic": (
        FOLLOWER + "mimic = { joint = 'j', multplier = 1 }",
        BadModel,
        ("multplier", "did you mean 'multiplier'"),
    ),
    "no convention": ("[[dh]]\na = 1", BadModel, ("convention", "modified")),
    "unknown convention": (ROW.replace("standard", "craig"), BadModel, ("convention", "modified")),
    "unknown unit": ("unit = 'parsec'\n" + ROW, BadOption, ("parsec", "mm")),
    "unit a number": ("unit = 0.001\n" + ROW, BadOption, ("mm",)),
    "rows a number": ("dh = 5", BadModel, ("[[dh]]",)),
    "rows a table": ("[dh]\na = 1", BadModel, ("[[dh]]",)),
    "rows of numbers": ("dh = [1]", BadModel, ("[[dh]]",)),
    "no joints": ("joint = []", BadModel, ("[[joint]]",)),
    "length a text": (ROW + "a = '1'", BadModel, ("row 1", "a", "number")),
    "length a truth": (ROW + "a = true", BadModel, ("row 1", "a", "number")),
    "length a list": (ROW + "a = [1]", BadModel, ("row 1", "one number")),
    "length a date": (ROW + "a = 2020-01-01", BadModel, ("row 1", "number")),
    "length too great": (ROW + f"a = {HUGE}", BadModel, ("row 1",)),
    "length NaN": (ROW + "a = nan", BadModel, ("row 1", "NaN")),
    "length infinite": (ROW + "d = inf", BadModel, ("row 1", "infinity")),
    "angle twice": (ROW + "alpha = 1\nalpha_deg = 2", BadModel, ("alpha", "alpha_deg")),
    "degrees of a slide": (ROW + "kind = 'prismatic'\nlower_deg = 3", BadModel, ("row 1", "lower_deg", "slides")),
    "degrees of a sliding joint": (
        TREE + "kind = 'prismatic'\nupper_deg = 3",
        BadModel,
        ("'j'", "upper_deg", "slides"),
    ),
    "unknown kind": (ROW + "kind = 'helical'", BadModel, ("row 1", "helical", "prismatic")),
    "unknown kind of joint": (TREE + "kind = 'helical'", BadModel, ("'j'", "helical", "prismatic")),
    "kind a list": (TREE + "kind = []", BadModel, ("'j'", "kind")),
    "crossed": (ROW + "lower = 2\nupper = 1", BadModel, ("joint1", "above")),
    "limit NaN": (TREE + "lower = nan", BadModel, ("'j'", "NaN")),
    "limit a text": (TREE + "lower = 'low'", BadModel, ("'j'", "lower", "number")),
    "limit infinite": (TREE + "lower = inf", BadModel, ("'j'",)),
    "speed negative": (TREE + "speed = -1", BadModel, ("'j'", "speed")),
    "joint unnamed": ("[[joint]]\nparent = 'a'\nchild = 'b'", BadModel, ("name", "parent", "child")),
    "joint named by a number": ("[[joint]]\nname = 5\nparent = 'a'\nchild = 'b'", BadModel, ("name",)),
    "zero axis": (TREE + "axis = [0, 0, 0]", BadModel, ("'j'", "axis")),
    "short axis": (TREE + "axis = [0, 1]", BadModel, ("'j'", "axis", "3 numbers")),
    "axis of text": (TREE + "axis = ['0', '0', '1']", BadModel, ("'j'", "axis")),
    "axis too great": (TREE + f"axis = [{HUGE}, 0, 0]", BadModel, ("'j'", "axis")),
    "turned without end": (TREE + "rpy = [inf, 0, 0]", (BadModel, NotFinite), ("'j'",)),
    "shifted without end": (TREE + "xyz = [inf, 0, 0]", (BadModel, NotFinite), ("'j'",)),
    "twist crossed": (TREE + "kind = 'ball'\ntwist = [1, -1]", BadModel, ("'j'", "twist")),
    "twist short": (TREE + "kind = 'ball'\ntwist = [1]", BadModel, ("'j'", "twist", "2 numbers")),
    "swing negative": (TREE + "kind = 'ball'\nswing = -1", BadModel, ("'j'", "swing")),
    "mimic a text": (FOLLOWER + "mimic = 'j'", BadModel, ("'k'", "mimic")),
    "mimic of nobody": (FOLLOWER + "mimic = { joint = 'z' }", BadModel, ("'k'", "'z'")),
    "mimic by a text": (FOLLOWER + "mimic = { joint = 'j', multiplier = 'x' }", BadModel, ("'k'", "multiplier")),
    "mimic by a list": (FOLLOWER + "mimic = { joint = 'j', offset = [] }", BadModel, ("'k'", "offset")),
    "mimic too great": (FOLLOWER + f"mimic = {{ joint = 'j', offset = {HUGE} }}", BadModel, ("'k'",)),
    "base a number": ("base = 5\n" + ROW, BadModel, ("base", "xyz")),
    "base turned without end": (ROW + "[base]\nrpy = [inf, 0, 0]", (BadModel, NotFinite), ()),
    "tool NaN": (ROW + "[tool]\nxyz = [nan, 0, 0]", (BadModel, NotFinite), ()),
    "tool misspelt": (ROW + "[tool]\nxzy = [0, 0, 0]", BadModel, ("tool", "xzy", "did you mean 'xyz'")),
    "tool on a tree": (TREE + "[tool]\nxyz = [0, 0, 0]", BadModel, ("tool", "[[dh]]")),
    "notes a number": ("notes = 5\n" + ROW, BadModel, ("notes",)),
    "notes a text": ("notes = 'one'\n" + ROW, BadModel, ("notes",)),
    "two roots": (TREE + '[[joint]]\nname = "k"\nparent = "x"\nchild = "y"\n', BadModel, ("2 roots",)),
}


@pytest.mark.parametrize("broken", BROKEN_TOML)
def test_broken_toml_is_refused(broken, tmp_path):
    text, kind, words = BROKEN_TOML[broken]
    path = tmp_path / "robot.toml"
    path.write_text(text)
    with refused(kind, *words):
        limbik.load(path)


def test_toml_with_an_endless_key_does_not_hang(tmp_path):
    path = tmp_path / "robot.toml"
    path.write_text("a." * 200_000 + "a = 1")
    assert load_apart(path) in ("BadFile", "BadModel")


# ---- extras ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def without(monkeypatch):
    def hide(module):
        real = source.find_spec
        monkeypatch.setattr(source, "find_spec", lambda name: None if name == module else real(name))

    return hide


def test_a_missing_extra_is_named_with_the_command(without, tmp_path):
    (tmp_path / "robot.xml").write_text(mjcf(""))
    (tmp_path / "robot.xacro").write_text(xacro(""))
    without("mujoco")
    with refused(MissingExtra, "mujoco", "pip install 'limbik[mjcf]'"):
        limbik.load(tmp_path / "robot.xml")
    without("xacro")
    with refused(MissingExtra, "xacro", "pip install 'limbik[xacro]'"):
        limbik.load(tmp_path / "robot.xacro")
    (tmp_path / "plain.xml").write_text(urdf(joint()))
    assert limbik.load(tmp_path / "plain.xml").n == 1


def test_drawing_without_its_extra(without, tmp_path):
    from limbik.robot.picture import draw

    without("matplotlib")
    with refused(MissingExtra, "matplotlib", "pip install 'limbik[plot]'"):
        draw(ARM, tmp_path / "arm.png")


# ---- the family of errors --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind, builtin",
    [
        (ShapeError, ValueError), (NotFinite, ValueError), (NotNumeric, TypeError), (NotRigid, ValueError),
        (BadOption, ValueError), (BadModel, ValueError), (BadFile, ValueError), (FileUnreadable, OSError),
        (UnknownFrame, LookupError), (UnknownJoint, LookupError), (UnknownRobot, LookupError),
        (MissingExtra, ImportError),
    ],
)  # fmt: skip
def test_every_error_is_also_the_builtin_one_expects(kind, builtin):
    assert issubclass(kind, LimbikError) and issubclass(kind, builtin)
    assert str(pickle.loads(pickle.dumps(kind("a sentence")))) == "a sentence"


# ---- nothing is changed or kept --------------------------------------------------------------------------------------


def test_arrays_of_a_robot_cannot_be_written():
    for name in ("lower", "upper", "velocity", "home"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(ARM, name)[0] = 1.0
    for part in ARM.mechanism.joints:
        with pytest.raises(ValueError, match="read-only"):
            part.origin[0, 3] = 1.0
        with pytest.raises(ValueError, match="read-only"):
            part.axis[0] = 1.0


@pytest.mark.parametrize(
    "name", ["n", "lower", "home", "base", "tip", "reach", "frames", "joint_names", "structure", "speed"]
)
def test_attributes_of_a_robot_cannot_be_set(name):
    arm = limbik.load("ur5")
    with pytest.raises((AttributeError, LimbikError)):
        setattr(arm, name, 1)


def test_tables_of_a_mechanism_cannot_be_written():
    mechanism = limbik.load("ur5").mechanism
    for table in (mechanism.joint_of, mechanism.carrier_of):
        with pytest.raises((TypeError, AttributeError)):
            table.clear()


def test_inputs_are_neither_changed_nor_kept():
    q = POSTURES.copy()
    for verb in VERBS.values():
        verb(q[0])
    ARM.clamp(q)
    FIGURE.clamp(np.full(FIGURE.n, 9.0))
    assert np.array_equal(q, POSTURES)
    T = ARM.forward(ARM.home)
    before = T.copy()
    tooled, based = ARM.with_tool(T), ARM.with_base(T)
    pose, seen = tooled.forward(ARM.home), based.forward(ARM.home)
    assert np.array_equal(T, before)
    T[:] = 0
    assert np.array_equal(tooled.forward(ARM.home), pose) and np.array_equal(based.forward(ARM.home), seen)
    low, high = np.full(7, -0.1), np.full(7, 0.1)
    bounded = ARM.with_limits(low, high)
    low[:], high[:] = -9, 9
    assert (bounded.lower == -0.1).all() and (bounded.upper == 0.1).all()
    axis = np.array([0.0, 1.0, 0.0])
    made = Joint("j", "revolute", "a", "b", axis=axis)
    axis[:] = 7
    assert made.axis.tolist() == [0.0, 1.0, 0.0]


def test_a_mechanism_does_not_keep_the_callers_lists():
    links, notes = [Link("a")], ["one"]
    mechanism = Mechanism("m", links, [], notes=notes)
    links.append(Link("b"))
    notes.append("two")
    assert tuple(mechanism.links) == (Link("a"),) and tuple(mechanism.notes) == ("one",)
    assert hash(mechanism) == hash(Mechanism("m", (Link("a"),), (), notes=("one",)))


def test_results_are_writable_and_independent():
    q = ARM.home.copy()
    verbs = [lambda: ARM.forward(q), lambda: ARM.jacobian(q), lambda: ARM.forward_jacobian(q)[0], lambda: ARM.forward_all(q),
             lambda: ARM.clamp(q), lambda: ARM.integrate(q, q), lambda: ARM.difference(q, q),
             lambda: ARM.sample(np.random.default_rng(0)), lambda: FIGURE.clamp(FIGURE.home)]  # fmt: skip
    for verb in verbs:
        first, second = verb(), verb()
        kept = second.copy()
        assert first.flags.writeable and first.flags.c_contiguous and first.dtype == np.float64
        assert not np.shares_memory(first, second) and not np.shares_memory(first, q)
        first[...] = 99
        assert np.array_equal(second, kept) and np.array_equal(verb(), kept)
    assert np.array_equal(q, ARM.home)


def test_a_posture_inside_the_limits_is_left_as_it_is():
    mechanism = Mechanism("m", LINKS[:2], (Joint("j", "ball", "a", "b", swing=3.0),))
    body = Chain(mechanism)
    q = np.random.default_rng(3).uniform(-1.5, 1.5, (50, 3))
    assert body.within_limits(q).all()
    assert np.array_equal(body.clamp(q), q)


@pytest.mark.parametrize("swing", [0.0, 1e-13, 0.5, 3.1, math.pi, math.inf])
@pytest.mark.parametrize("twist", [(0.0, 0.0), (-0.5, 1.0), (2.0, 2.5), (-math.inf, math.inf)])
@pytest.mark.parametrize("axis", [(0, 0, 1), (0.6, 0.0, -0.8), (1, 2, 3)])
def test_a_clamped_ball_keeps_its_cone(swing, twist, axis):
    body = Chain(Mechanism("m", LINKS[:2], (Joint("j", "ball", "a", "b", axis=axis, swing=swing, twist=twist),)))
    rng = np.random.default_rng(20240607)
    halves = rng.integers(-2, 3, (30, 3)) * (math.pi / 2)
    q = np.concatenate([3 * rng.normal(size=(30, 3)), halves, 2 * halves, np.zeros((1, 3))])
    assert body.within_limits(body.clamp(q)).all()
    assert body.within_limits(body.sample(rng, 30)).all()


# ---- extreme values --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1e-320, 1e-160, 1e-9, 1e5, 1e9, 1e100, 1e155, 1e300])
def test_extreme_joint_values_give_rotations(size):
    """A rotation vector of any length is a rotation, or is refused as too long: squaring it must not overflow."""
    for q, body, frame in (
        (np.full(ARM.n, size), ARM, None),
        (np.array([size, -size, size]), Chain(Mechanism("m", LINKS[:2], (Joint("j", "ball", "a", "b"),))), None),
    ):
        try:
            R = body.forward(q, frame)[:3, :3]
        except LimbikError:
            assert size > 1e100
            continue
        assert np.isfinite(R).all()
        assert np.allclose(R @ R.T, np.eye(3), atol=1e-12)
        assert np.array_equal(body.forward(np.stack([q] * 3), frame)[2], body.forward(q, frame))
        assert np.isfinite(body.integrate(q, np.zeros_like(q))).all()
        assert np.isfinite(body.difference(q, q)).all()


@pytest.mark.parametrize("wide", [1e20, 1e90, 1e160, 1.7e308])
def test_wide_ranges_are_sampled_or_refused(wide):
    rows = [(1, 0, 0, 0, "prismatic", -wide, wide), (1, 0, 0, 0, "revolute", 0.6 * wide, wide)]
    try:
        body = Chain.from_dh(rows)
    except BadModel:
        assert wide > 1e100
        return
    q = body.sample(np.random.default_rng(0), 100)
    assert body.within_limits(q).all()
    assert body.within_limits(body.home)


def test_many_axes_do_not_overrun_the_helper_of_tests():
    printed = run_apart("""
import numpy as np
from limbik._core import trigonometry
try:
    trigonometry(np.zeros((1,) * 60))
except Exception as error:
    print(type(error).__name__)
""")
    assert printed == "ShapeError"


@pytest.mark.parametrize(
    "pair", [(np.eye(3), np.eye(4)), (np.eye(4), np.zeros((2, 3, 4))), (np.eye(4)[None], np.zeros((2, 4, 4)))]
)
def test_pose_errors_of_wrong_shapes_are_refused(pair):
    with refused(ShapeError, "4, 4"):
        limbik.pose_error(*pair)


@pytest.mark.parametrize("bad", [None, "abc", {}, np.eye(4) * 1j, [[1], [1, 2]]])
def test_pose_errors_of_no_numbers_are_refused(bad):
    with warnings_off():
        with refused((NotNumeric, ShapeError)):
            limbik.pose_error(bad, np.eye(4))
        with refused((NotNumeric, ShapeError)):
            limbik.pose_error(np.eye(4), bad)


# ---- the shell -------------------------------------------------------------------------------------------------------


def shell(*words):
    code = "import sys; from limbik.cli import main; sys.argv[0] = 'limbik'; main()"
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60, check=False)


def test_the_shell_says_one_line_and_exits_with_2(tmp_path):
    broken = tmp_path / "broken.urdf"
    broken.write_text("<robot><link")
    for word, expected in (("nonsense", "nonsense"), (str(broken), "well-formed"), (str(tmp_path), "directory")):
        done = shell("show", word)
        assert done.returncode == 2
        assert done.stderr.startswith("limbik: ") and expected in done.stderr
        assert done.stderr.count("\n") == 1 and done.stdout == ""


def test_the_shell_prints_names_as_they_are(tmp_path):
    path = tmp_path / "odd.urdf"
    path.write_text(
        urdf(joint(name="[/bold]"), joint("[red]k", parent="b", child="c"), links="abc").replace('"r"', '"[/x]"')
    )
    done = shell("show", str(path))
    assert done.returncode == 0, done.stderr[-300:]
    for name in ("[/x]", "[/bold]", "[red]k"):
        assert name in done.stdout
