"""A mechanism as JSON, for `extras.limbik` of a glTF file: joint kinds, axes, ranges and masses, which nodes cannot express.

Other programs ignore it. The reader uses it only if the nodes still match it (`gltf_own.py`).
"""

import math
from typing import Any

import numpy as np

from limbik.errors import LimbikError
from limbik.geometry.arrays import Array
from limbik.model.joint import Joint, Kind, Link, Mimic
from limbik.model.mechanism import Mechanism
from limbik.model.shape import Box, Capsule, Shape, Sphere

KEY, SCHEMA = "limbik", 1
_TEXTS = ("name", "title", "source", "licence", "up")


def even_times(count: int, step: float) -> Array:
    """Return `count` times [s] from 0, `step` seconds apart."""
    return np.arange(count, dtype=np.float64) * step


def mechanism_to_json(mechanism: Mechanism) -> dict[str, Any]:
    """Return a mechanism as JSON; muscles are left out."""
    return {
        **{key: getattr(mechanism, key) for key in _TEXTS},
        "notes": list(mechanism.notes),
        "links": [_link_to_json(link) for link in mechanism.links],
        "joints": [_joint_to_json(joint) for joint in mechanism.joints],
    }


def mechanism_from_json(data: Any) -> Mechanism | None:
    """Return the mechanism that JSON describes, or None if it is not a valid description."""
    try:
        return Mechanism(
            links=tuple(_link_from_json(link) for link in data["links"]),
            joints=tuple(_joint_from_json(joint) for joint in data["joints"]),
            notes=tuple(data.get("notes", ())),
            **{key: data[key] for key in _TEXTS},
        )
    except (LimbikError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        return None


def _bound(value: float) -> float | None:
    """Return a limit, or None (null) for infinity, which JSON lacks."""
    return value if math.isfinite(value) else None


def _or(value: Any, default: float) -> Any:
    """Return a value, or the default for None (null)."""
    return default if value is None else value


def _link_to_json(link: Link) -> dict[str, Any]:
    out: dict[str, Any] = {"name": link.name, "mass": link.mass, "centre_of_mass": list(link.centre_of_mass)}
    if link.shapes:
        out["shapes"] = [_shape_to_json(shape) for shape in link.shapes]
    if link.unread:
        out["unread"] = list(link.unread)
    if link.covers:
        out["covers"] = list(link.covers)
    return out


def _link_from_json(data: Any) -> Link:
    shapes = tuple(_shape_from_json(shape) for shape in data.get("shapes", ()))
    unread, covers = (tuple(data.get(key, ())) for key in ("unread", "covers"))
    return Link(data["name"], data["mass"], data["centre_of_mass"], shapes, unread, covers)


def _shape_to_json(shape: Shape) -> dict[str, Any]:
    if isinstance(shape, Box):
        return {
            "centre": list(shape.centre),
            "sides": list(shape.sides),
            "rotation": [list(row) for row in shape.rotation],
        }
    if isinstance(shape, Sphere):
        return {"centre": list(shape.centre), "radius": shape.radius}
    return {"start": list(shape.start), "end": list(shape.end), "radius": shape.radius}


def _shape_from_json(data: Any) -> Shape:
    return Box(**data) if "sides" in data else Sphere(**data) if "centre" in data else Capsule(**data)


def _joint_to_json(joint: Joint) -> dict[str, Any]:
    """Return a joint as JSON, without infinite limits and an absent mimic."""
    out: dict[str, Any] = {
        "name": joint.name,
        "kind": str(joint.kind),
        "parent": joint.parent,
        "child": joint.child,
        "origin": joint.origin[:3].ravel().tolist(),
        "axis": joint.axis.tolist(),
    }
    for key in ("lower", "upper", "velocity", "swing"):
        if (value := _bound(getattr(joint, key))) is not None:
            out[key] = value
    if any(map(math.isfinite, joint.twist)):
        out["twist"] = [_bound(x) for x in joint.twist]
    if joint.mimic is not None:
        out["mimic"] = [joint.mimic.joint, joint.mimic.multiplier, joint.mimic.offset]
    return out


def _joint_from_json(data: Any) -> Joint:
    origin = np.vstack([np.array(data["origin"], dtype=np.float64).reshape(3, 4), [0.0, 0.0, 0.0, 1.0]])
    low, high = data.get("twist", (None, None))
    return Joint(
        data["name"],
        Kind(data["kind"]),
        data["parent"],
        data["child"],
        origin,
        np.array(data["axis"], dtype=np.float64),
        lower=_or(data.get("lower"), -math.inf),
        upper=_or(data.get("upper"), math.inf),
        velocity=_or(data.get("velocity"), math.inf),
        swing=_or(data.get("swing"), math.inf),
        twist=(_or(low, -math.inf), _or(high, math.inf)),
        mimic=Mimic(*data["mimic"]) if "mimic" in data else None,
    )
