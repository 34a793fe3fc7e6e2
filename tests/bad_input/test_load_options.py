"""Arguments of `load`: sources, units, base and tip, xacro arguments."""

from pathlib import Path

import pytest
from hostile import ARM, FIGURE, joint, refused, urdf

import limbik
from limbik import BadFile, BadModel, BadOption, Chain, Skeleton
from limbik.errors import FileUnreadable, NotNumeric, UnknownFrame, UnknownRobot


@pytest.mark.parametrize("unit", ["parsec", "M", "", 0, -1, float("nan"), True])
def test_unknown_units_are_refused_by_load(unit):
    with refused(BadOption, "unit", "mm"):
        limbik.load("panda", unit=unit)


@pytest.mark.parametrize("unit", [[], {}, b"mm"])
def test_units_that_are_no_numbers_are_refused_by_load(unit):
    with refused(NotNumeric, "unit", "mm"):
        limbik.load("panda", unit=unit)


@pytest.mark.parametrize("unit", ["parsec", "M", "", None, 5, [], {}, 0.001])
def test_unknown_units_are_refused(unit):
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
        ("nonsense", UnknownRobot, ("nonsense", "human_arm_7")),
        ("pandas", UnknownRobot, ("did you mean 'panda'",)),
        ("Panda", UnknownRobot, ("did you mean 'panda'",)),
        ("UR-5", UnknownRobot, ("did you mean 'ur5'",)),
        ("", (UnknownRobot, BadFile), ()),
        ("x\0y", (UnknownRobot, FileUnreadable), ()),
        ("x\0y.urdf", FileUnreadable, ("x",)),
        ("a" * 5000, (UnknownRobot, FileUnreadable), ("aaa",)),
        ("a" * 5000 + ".urdf", FileUnreadable, ("aaa",)),
        ("/".join("a" * 3000) + ".urdf", FileUnreadable, ("a/a",)),
        ("missing.urdf", FileUnreadable, ("missing.urdf", "does not exist")),
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
