"""Read and write URDF, the robot description of ROS: links, joints, limits, mimics, masses, shapes. Meshes are not read.

Ambiguities are resolved as follows and reported in the mechanism's notes:
  - a revolute or prismatic joint with the range 0 to 0 (what a missing lower and upper mean) is locked at 0, as the
    specification requires; `zero_limits="unlimited"` is for files that mean an unlimited joint;
  - a mimic joint with the range 0 to 0 has no range of its own;
  - a revolute or prismatic joint without any <limit>, which the specification forbids, is unlimited;
  - a `planar` joint becomes two prismatic joints and a revolute one, named with _x, _y and _turn;
  - a joint that mimics a fixed one is fixed at its offset, and so are joints that mimic it;
  - a limit too large to compute with (1.8e308 is common) counts as infinite;
  - a collision shape of size zero is left out.
"""

import math
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from limbik.errors import BadFile, BadModel, shown
from limbik.formats.collision import read_collisions, write_collisions
from limbik.formats.xml import read_xml
from limbik.formats.xml_values import number, numbers_text, pose, real, triple
from limbik.geometry.arrays import LARGEST, Array
from limbik.geometry.se3 import onto_z, rpy_of
from limbik.model.joint import Joint, Kind, Link, Mimic, check_name
from limbik.model.mechanism import Mechanism, motion

_KINDS = {
    "revolute": Kind.REVOLUTE,
    "continuous": Kind.CONTINUOUS,
    "prismatic": Kind.PRISMATIC,
    "fixed": Kind.FIXED,
    "floating": Kind.FLOATING,
    "spherical": Kind.BALL,  # a common extension
}


# The most joints of a file: far above any robot, and read in seconds.
MOST_JOINTS = 20_000
# The meanings of limits 0 to 0.
LOCKED, UNLIMITED = "locked", "unlimited"


def read_urdf(text: str, what: str = "the URDF", zero_limits: str = LOCKED) -> Mechanism:
    """Return the mechanism that a URDF text describes. Raises BadFile or BadModel.

    zero_limits: what lower = upper = 0 means, "locked" (the joint is held at 0) or "unlimited".
    """
    root = read_xml(text, what)
    if root.tag != "robot":
        hint = " (that is MJCF: give it as a .xml file)" if root.tag == "mujoco" else ""
        raise BadFile(f"{what} begins with <{root.tag}>, not <robot>{hint}")
    if any(child.tag.startswith("xacro:") or "xacro" in child.tag for child in root):
        raise BadFile(f"{what} contains xacro macros; save it as .xacro, or run xacro on it first")
    name = root.get("name") or "robot"
    notes: list[str] = []
    elements, bodies = root.findall("joint"), root.findall("link")
    if len(elements) > MOST_JOINTS or len(bodies) > MOST_JOINTS + 1:
        raise BadFile(
            f"{what} has {len(elements)} joints and {len(bodies)} links; limbik reads up to {MOST_JOINTS} joints"
        )
    links = [_link(element, notes) for element in bodies]
    joints = _without_fixed_drivers([j for element in elements for j in _joints(element, notes, zero_limits)], notes)
    named = {link.name for link in links}
    planar = [Link(j.child) for j in joints if j.child.endswith("_planar") and j.child not in named]
    return Mechanism(name, (*links, *planar), tuple(joints), notes=tuple(notes))


def _name(element: Element) -> str:
    name = element.get("name")
    if not name:
        raise BadModel(f"a <{element.tag}> has no name")
    return check_name(name, f"a <{element.tag}>")


def _link(element: Element, notes: list[str]) -> Link:
    name = _name(element)
    collisions = read_collisions(element, name, notes)
    inertial = element.find("inertial")
    if inertial is None:
        return Link(name, 0.0, (0.0, 0.0, 0.0), *collisions)
    mass = inertial.find("mass")
    value = 0.0 if mass is None else number(mass.get("value"), f"the mass of link '{name}'", 0.0)
    x, y, z = pose(inertial.find("origin"), f"the inertia of link '{name}'")[:3, 3].tolist()
    return Link(name, value, (x, y, z), *collisions)


def _joints(element: Element, notes: list[str], zero_limits: str) -> Iterator[Joint]:
    """Yield the joint of one element; a planar one as three."""
    name, written = _name(element), element.get("type") or ""
    parent, child = (_joined(element, role, name) for role in ("parent", "child"))
    origin = pose(element.find("origin"), f"joint '{name}'")
    axis_element = element.find("axis")
    axis = triple(None if axis_element is None else axis_element.get("xyz"), f"the axis of joint '{name}'", "1 0 0")
    if written == "planar":
        yield from _planar(name, parent, child, origin, axis, notes)
        return
    if written not in _KINDS:
        raise BadModel(f"joint '{name}' has the unknown type {shown(written)}; use one of {', '.join(_KINDS)}, planar")
    kind = _KINDS[written]
    lower, upper, speed = _limits(element, kind, name, notes, zero_limits)
    yield Joint(name, kind, parent, child, origin, axis, lower, upper, speed, mimic=_mimic(element, name))


def _joined(element: Element, role: str, name: str) -> str:
    link = element.find(role)
    if link is None or not link.get("link"):
        raise BadModel(f"joint '{name}' does not name its {role} link")
    return str(link.get("link"))


def _limits(element: Element, kind: Kind, name: str, notes: list[str], zero_limits: str) -> tuple[float, float, float]:
    limit = element.find("limit")
    speed = math.inf
    if limit is not None:
        speed = number(limit.get("velocity"), f"the velocity of joint '{name}'", math.inf)
        if speed <= 0:
            speed = math.inf
    if kind not in (Kind.REVOLUTE, Kind.PRISMATIC):
        return -math.inf, math.inf, speed
    if limit is None:
        notes.append(f"joint '{name}' has no limits: taken as unlimited")
        return -math.inf, math.inf, speed
    lower = _limit(limit.get("lower"), f"lower of joint '{name}'")
    upper = _limit(limit.get("upper"), f"upper of joint '{name}'")
    given = limit.get("lower") is not None or limit.get("upper") is not None
    if lower == upper == 0.0 and element.find("mimic") is not None:
        if given:
            notes.append(
                f"joint '{name}' has the limits 0 to 0 and mimics another joint: it follows that joint, without limits of its own"
            )
        return -math.inf, math.inf, speed
    if lower == upper == 0.0:
        written = "has the limits 0 to 0" + ("" if given else " (neither is given)")
        if zero_limits == UNLIMITED:
            notes.append(f"joint '{name}' {written}: taken as unlimited because of zero_limits='unlimited'")
            return -math.inf, math.inf, speed
        notes.append(
            f"joint '{name}' {written}: locked at 0, as the specification requires; if it is unlimited, load the file with "
            "zero_limits='unlimited'"
        )
        return 0.0, 0.0, speed
    for side in ("lower", "upper"):
        if limit.get(side) is None:
            notes.append(f"joint '{name}' has no {side} limit: taken as 0, as the specification requires")
    if not (math.isfinite(lower) and math.isfinite(upper)):
        notes.append(f"joint '{name}' has an infinite limit: taken as unlimited on that side")
    return lower, upper, speed


def _limit(text: str | None, what: str) -> float:
    """Return a limit, which may be infinite but not NaN."""
    if text is None:
        return 0.0
    value = real(text, what)
    if math.isnan(value):
        raise BadModel(f"{what} is NaN; leave it out for no limit")
    return math.copysign(math.inf, value) if abs(value) > LARGEST else value


def _mimic(element: Element, name: str) -> Mimic | None:
    mimic = element.find("mimic")
    if mimic is None or element.get("type") == "fixed":
        return None
    driver = mimic.get("joint")
    if not driver:
        raise BadModel(f"joint '{name}' mimics no joint: its <mimic> needs joint='NAME'")
    return Mimic(driver, number(mimic.get("multiplier"), f"the multiplier of joint '{name}'", 1.0),
                 number(mimic.get("offset"), f"the offset of joint '{name}'", 0.0))  # fmt: skip


def _without_fixed_drivers(joints: list[Joint], notes: list[str]) -> list[Joint]:
    """Fix the joints that mimic a fixed joint, directly or indirectly."""
    followers: dict[str, list[tuple[str, Mimic]]] = {}
    for joint in joints:
        if joint.mimic is not None:
            followers.setdefault(joint.mimic.joint, []).append((joint.name, joint.mimic))
    # The values of joints that cannot move, by name.
    fixed = {joint.name: 0.0 for joint in joints if joint.kind is Kind.FIXED}
    waiting = list(fixed)
    while waiting:
        driver = waiting.pop()
        for name, mimic in followers.get(driver, ()):
            fixed[name] = mimic.multiplier * fixed[driver] + mimic.offset
            waiting.append(name)

    def resolved(joint: Joint) -> Joint:
        if joint.mimic is None or joint.name not in fixed:
            return joint
        notes.append(f"joint '{joint.name}' mimics '{joint.mimic.joint}', which is fixed: it is fixed too")
        at_rest = joint.origin @ motion(joint, fixed[joint.name])
        return joint.moved_to(kind=Kind.FIXED, origin=at_rest, lower=-math.inf, upper=math.inf, mimic=None)

    return [resolved(joint) for joint in joints]


def _planar(name: str, parent: str, child: str, origin: Array, axis: Array, notes: list[str]) -> Iterator[Joint]:
    """Two prismatic joints in the plane perpendicular to the axis, then a revolute joint about it."""
    joints = f"{name}_x, {name}_y, {name}_turn"
    notes.append(f"joint '{name}' is planar: read as two prismatic joints and a revolute one, {joints}")
    turned = onto_z(axis / (math.hypot(*axis) or 1.0))[:3, :3]
    first, second = f"{child}_{name}_x_planar", f"{child}_{name}_y_planar"
    yield Joint(f"{name}_x", Kind.PRISMATIC, parent, first, origin, turned[:, 0])
    yield Joint(f"{name}_y", Kind.PRISMATIC, first, second, axis=turned[:, 1])
    yield Joint(f"{name}_turn", Kind.CONTINUOUS, second, child, axis=axis)


# ---- writing ---------------------------------------------------------------------------------------------------------

_WRITTEN = {kind: word for word, kind in _KINDS.items()}
# URDF readers require an inertia beside a mass; a mechanism has only a point mass.
_NO_INERTIA = dict.fromkeys(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), "0")


def write_urdf(mechanism: Mechanism) -> str:
    """Return a URDF text that reads back as the same mechanism (links, joints, limits, mimics, masses, shapes).

    Cones of ball joints are left out, since URDF cannot express them, and so is collision geometry that was not read.
    """
    root = Element("robot", name=mechanism.name)
    for link in mechanism.links:
        element = SubElement(root, "link", name=link.name)
        if link.mass:
            inertial = SubElement(element, "inertial")
            SubElement(inertial, "origin", xyz=numbers_text(link.centre_of_mass), rpy="0 0 0")
            SubElement(inertial, "mass", value=repr(link.mass))
            SubElement(inertial, "inertia", _NO_INERTIA)
        write_collisions(element, link.shapes)
    for joint in mechanism.joints:
        element = SubElement(root, "joint", name=joint.name, type=_WRITTEN[joint.kind])
        SubElement(element, "parent", link=joint.parent)
        SubElement(element, "child", link=joint.child)
        SubElement(element, "origin", xyz=numbers_text(joint.origin[:3, 3]), rpy=numbers_text(rpy_of(joint.origin)))
        SubElement(element, "axis", xyz=numbers_text(joint.axis))
        if joint.kind in (Kind.REVOLUTE, Kind.PRISMATIC) or math.isfinite(joint.velocity):
            limits = {} if joint.kind is Kind.CONTINUOUS else {"lower": repr(joint.lower), "upper": repr(joint.upper)}
            speed = {"velocity": repr(joint.velocity)} if math.isfinite(joint.velocity) else {"velocity": "0"}
            SubElement(element, "limit", limits | speed | {"effort": "0"})
        if joint.mimic is not None:
            SubElement(element, "mimic", joint=joint.mimic.joint, multiplier=repr(joint.mimic.multiplier),
                       offset=repr(joint.mimic.offset))  # fmt: skip
    indent(root)
    return '<?xml version="1.0"?>\n' + tostring(root, encoding="unicode") + "\n"
