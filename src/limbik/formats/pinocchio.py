"""Convert a `pinocchio.Model` to a mechanism: joints, placements, limits and frames."""

import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from limbik.errors import BadModel
from limbik.formats.names import Names
from limbik.geometry.arrays import Array
from limbik.model.joint import Joint, Kind, Link, Mimic
from limbik.model.mechanism import Mechanism

_AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
# Larger limits mean "unlimited": Pinocchio uses the largest float.
UNLIMITED = 1e100


def is_pinocchio_model(thing: object) -> bool:
    """Return whether an object is a Pinocchio model, by the name and module of its type."""
    kind = type(thing)
    return kind.__name__ == "Model" and "pinocchio" in kind.__module__


def read_pinocchio(model: Any) -> Mechanism:
    """Return the mechanism of a Pinocchio model. Raises BadModel for a joint type that has no counterpart."""
    links = [Link("universe")]
    joints: list[Joint] = []
    link_of = {0: "universe"}
    link_names = Names(["universe", *(str(f.name) for f in model.frames)])
    notes: list[str] = []
    for k in range(1, model.njoints):
        name = str(model.names[k])
        link = link_of[k] = link_names.take(f"{name}_link")
        placed = np.array(model.jointPlacements[k].homogeneous)
        here = link_of[int(model.parents[k])]
        parts = list(_parts(model, k, name, notes))
        for p, (suffix, kind, axis, low, high, speed, mimic) in enumerate(parts):
            child = link if p == len(parts) - 1 else link_names.take(f"{name}{suffix}_link")
            joints.append(
                Joint(f"{name}{suffix}", kind, here, child, placed, np.array(axis), low, high, speed, mimic=mimic)
            )
            links.append(Link(child))
            here, placed = child, np.eye(4)
    known = {link.name for link in links}
    joint_names = Names(joint.name for joint in joints)
    for frame in model.frames:
        name = str(frame.name)
        if name in known:
            continue
        known.add(name)
        fixed = joint_names.take(f"{name}_frame")
        joints.append(
            Joint(fixed, Kind.FIXED, link_of[int(frame.parentJoint)], name, np.array(frame.placement.homogeneous))
        )
        links.append(Link(name))
    return Mechanism(str(model.name) or "pinocchio", tuple(links), tuple(joints), notes=tuple(notes))


_Part = tuple[str, Kind, tuple[float, float, float], float, float, float, Mimic | None]


def _parts(model: Any, k: int, name: str, notes: list[str]) -> Iterator[_Part]:
    """Yield the joints (suffix, kind, axis, lower, upper, speed, mimic) that are equivalent to one Pinocchio joint."""
    joint = model.joints[k]
    short = str(joint.shortname())
    unlimited = (-math.inf, math.inf, math.inf)
    if short.startswith("JointModelMimic"):
        yield _mimic_part(model, joint, name)
        return
    single = re.fullmatch(r"JointModel(R|P|RUB)([XYZ])", short)
    if single:
        kind = {"R": Kind.REVOLUTE, "P": Kind.PRISMATIC, "RUB": Kind.CONTINUOUS}[single[1]]
        limits = unlimited if kind is Kind.CONTINUOUS else _limits(model, joint)
        yield ("", kind, _AXES[single[2]], *limits, None)
    elif short in ("JointModelRevoluteUnaligned", "JointModelPrismaticUnaligned"):
        kind = Kind.REVOLUTE if "Revolute" in short else Kind.PRISMATIC
        yield ("", kind, _axis(model, joint), *_limits(model, joint), None)
    elif short == "JointModelRevoluteUnboundedUnaligned":
        yield ("", Kind.CONTINUOUS, _axis(model, joint), *unlimited, None)
    elif short == "JointModelFreeFlyer":
        yield ("", Kind.FLOATING, _AXES["Z"], *unlimited, None)
    elif short == "JointModelSpherical":
        yield ("", Kind.BALL, _AXES["Z"], *unlimited, None)
    elif short == "JointModelTranslation":
        for axis in "XYZ":
            yield (f"_{axis.lower()}", Kind.PRISMATIC, _AXES[axis], *unlimited, None)
    elif short == "JointModelPlanar":
        joints = f"{name}_x, {name}_y, {name}_turn"
        notes.append(f"joint '{name}' is planar: read as two prismatic joints and a revolute one, {joints}")
        for suffix, axis in (("_x", "X"), ("_y", "Y")):
            yield (suffix, Kind.PRISMATIC, _AXES[axis], *unlimited, None)
        yield ("_turn", Kind.CONTINUOUS, _AXES["Z"], *unlimited, None)
    elif short == "JointModelSphericalZYX":
        for suffix, axis in (("_z", "Z"), ("_y", "Y"), ("_x", "X")):
            yield (suffix, Kind.CONTINUOUS, _AXES[axis], *unlimited, None)
    else:
        raise BadModel(f"joint '{name}' is a {short}, which limbik does not support")


def _motion(model: Any, joint: Any) -> Array:
    """Return the motion subspace of a joint, (6,): linear, then angular velocity per joint velocity, in its own frame."""
    import pinocchio

    data = joint.createData()
    joint.calc(data, pinocchio.neutral(model), np.zeros(model.nv))
    return np.asarray(data.S, dtype=np.float64).reshape(-1)[:6]


def _axis(model: Any, joint: Any) -> tuple[float, float, float]:
    motion = _motion(model, joint)
    x, y, z = (motion[3:] if np.any(motion[3:]) else motion[:3]).tolist()
    return x, y, z


def _limits(model: Any, joint: Any) -> tuple[float, float, float]:
    def limit(array: Array, index: int) -> float:
        value = float(array[index])
        return math.copysign(math.inf, value) if abs(value) > UNLIMITED else value

    speed = limit(model.velocityLimit, joint.idx_v) if hasattr(model, "velocityLimit") else math.inf
    low, high = limit(model.lowerPositionLimit, joint.idx_q), limit(model.upperPositionLimit, joint.idx_q)
    return low, high, speed if speed > 0 else math.inf


def _mimic_part(model: Any, joint: Any, name: str) -> _Part:
    """Return the joint of a Pinocchio mimic joint. Raises BadModel for a multiplier of 0."""
    inner = joint.extract() if hasattr(joint, "extract") else joint
    scaling = float(inner.scaling)
    motion = _motion(model, joint)
    if scaling == 0.0 or not np.any(motion):
        raise BadModel(f"joint '{name}' is a mimic joint with the multiplier 0; make it a fixed joint")
    revolute = bool(np.any(motion[3:]))
    x, y, z = ((motion[3:] if revolute else motion[:3]) / scaling).tolist()
    driver = next(
        str(model.names[k])
        for k in range(1, model.njoints)
        if model.joints[k].idx_q == joint.idx_q and not str(model.joints[k].shortname()).startswith("JointModelMimic")
    )
    kind = Kind.REVOLUTE if revolute else Kind.PRISMATIC
    return ("", kind, (x, y, z), -math.inf, math.inf, math.inf, Mimic(driver, scaling, float(inner.offset)))
