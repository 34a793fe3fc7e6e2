"""Broken URDF texts, and properties that reading and writing must preserve."""

import math

import numpy as np
import pytest
from hostile import LINKS, joint, refused, urdf

import limbik
from limbik import BadFile, BadModel, LimbikError, NotFinite, ShapeError
from limbik.formats.urdf import read_urdf, write_urdf
from limbik.geometry.se3 import from_rpy
from limbik.model import Joint, Mechanism

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


def shaped(geometry, origin=""):
    """Return a robot of one link with a collision geometry."""
    collision = f"<collision>{origin}<geometry>{geometry}</geometry></collision>"
    return f'<robot name="r"><link name="a">{collision}</link></robot>'


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
        ("in a loop",),
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
    "sphere without radius": (shaped("<sphere/>"), BadModel, ("radius", "sphere", "'a'", "missing")),
    "sphere negative": (shaped('<sphere radius="-1"/>'), BadModel, ("radius", "sphere", "'a'", "-1")),
    "sphere NaN": (shaped('<sphere radius="nan"/>'), BadModel, ("radius", "'a'", "'nan'")),
    "sphere text": (shaped('<sphere radius="wide"/>'), BadModel, ("radius", "'a'", "'wide'")),
    "sphere infinite": (shaped('<sphere radius="1e999"/>'), BadModel, ("radius", "'a'", "'1e999'")),
    "sphere too great": (shaped('<sphere radius="1e200"/>'), BadModel, ("radius", "1e+200")),
    "cylinder without length": (shaped('<cylinder radius="1"/>'), BadModel, ("length", "cylinder", "'a'", "missing")),
    "cylinder negative": (shaped('<cylinder radius="1" length="-2"/>'), BadModel, ("length", "cylinder", "-2")),
    "cylinder too long": (
        shaped('<cylinder radius="1" length="1e300"/>'),
        BadModel,
        ("length", "'a'", "1e+300", "too large"),
    ),
    "box too great": (shaped('<box size="1 1e300 1"/>'), BadModel, ("side", "'a'", "1e+300", "too large")),
    "capsule without length": (shaped('<capsule radius="1"/>'), BadModel, ("length", "capsule", "'a'", "missing")),
    "box without size": (shaped("<box/>"), BadModel, ("size", "box", "'a'", "0 numbers")),
    "box of two sides": (shaped('<box size="1 2"/>'), BadModel, ("size", "box", "'a'", "2 numbers")),
    "box negative": (shaped('<box size="1 -2 1"/>'), BadModel, ("side", "box", "'a'", "-2")),
    "shape at NaN": (
        shaped('<sphere radius="1"/>', '<origin xyz="nan 0 0"/>'),
        BadModel,
        ("xyz", "sphere", "'a'", "'nan'"),
    ),
    "shape too far": (shaped('<sphere radius="1"/>', '<origin xyz="1e300 0 0"/>'), (BadModel, NotFinite), ("1e+300",)),
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


def test_a_declared_encoding_does_not_change_a_text():
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


def test_a_mechanism_without_joints_has_no_degrees_of_freedom():
    body = limbik.load(urdf(links="a"))
    assert body.n == 0
    assert np.array_equal(body.forward([]), np.eye(4))
    assert body.jacobian(np.zeros((3, 0))).shape == (3, 6, 0)
    with refused(ShapeError, "n = 0"):
        body.forward([1.0])


def test_mimics_of_a_fixed_joint_have_no_degrees_of_freedom():
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


def test_a_joint_that_cannot_move_is_not_written_as_unlimited():
    before = Mechanism("m", LINKS[:2], (Joint("j", "revolute", "a", "b", lower=0.0, upper=0.0),))
    after = read_urdf(write_urdf(before))
    assert after.joints[0].lower == after.joints[0].upper == 0.0


def test_a_limit_beyond_all_numbers_is_none():
    body = limbik.load(urdf(joint(inside='<limit lower="-1.79769e+308" upper="1.79769e+308"/>')))
    assert body.lower[0] == -math.inf and body.upper[0] == math.inf and "infinite limit" in body.notes[0]


@pytest.mark.parametrize("kind", ["floating", "spherical"])
def test_a_joint_with_several_axes_behind_a_fixed_one_cannot_mimic_it(kind):
    parts = joint("f", "fixed", inside=""), joint("k", kind, "b", "c", inside='<mimic joint="f"/>')
    with refused(BadModel, "'k'", "one axis"):
        limbik.load(urdf(*parts, links="abc"))


@pytest.mark.parametrize("number", ["-1", "+1.", ".5", "1e-3", " 2E0 "])
def test_every_spelling_of_a_number_is_read(number):
    body = limbik.load(urdf(joint(inside=f'<limit lower="-9" upper="{number}"/>')))
    assert body.upper[0] == float(number)
