"""Coordinate conventions of programs: unit of length, up and forward axes, handedness, and the axis along a bone.

Sources of the named conventions:
  gltf     glTF 2.0, 3.4: right-handed, y up, z forward, metres
  ros      REP 103: right-handed, z up, x forward, y left, metres
  blender  manual, "Armatures" and its axes: right-handed, z up, figures face -y, metres, a bone lies along its own y
  maya     right-handed; y up, z forward and centimetres unless a scene sets others, joints lie along their own x
  unity    manual, "Rotation and orientation": left-handed, y up, z forward, metres
  unreal   documentation, "Coordinate system": left-handed, z up, x forward, centimetres
  bvh      no standard; usually right-handed, y up, z forward, centimetres
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown, suggest
from limbik.geometry.arrays import LARGEST, Array, number

AXES = ("x", "y", "z", "-x", "-y", "-z")


@dataclass(frozen=True)
class Convention:
    """A coordinate convention: metres per unit, up ("y" or "z") and forward axes, handedness, and the axis along bones.

    bone_axis: the axis of a link's frame that points to the next link; None leaves frames as they are. rest: the number of the
    clip's frame whose posture becomes the zero posture; None keeps the zero posture. Raises BadOption.
    """

    unit: float = 1.0
    up: str = "z"
    forward: str = "x"
    left_handed: bool = False
    bone_axis: str | None = None
    rest: int | None = None

    def __post_init__(self) -> None:
        metres = number(self.unit, "the unit of a convention [m]")
        if not 1 / LARGEST <= metres <= LARGEST:
            raise BadOption(f"unit={shown(self.unit)}: give a positive number of metres")
        object.__setattr__(self, "unit", metres)
        if self.up not in ("y", "z"):
            raise BadOption(f"up={shown(self.up)}: give 'y' or 'z'")
        for key in ("forward", "bone_axis"):
            value = getattr(self, key)
            if value not in AXES and not (key == "bone_axis" and value is None):
                raise BadOption(f"{key}={shown(value)}: give one of {', '.join(AXES)}")
        if self.forward.endswith(self.up):
            raise BadOption(f"forward={shown(self.forward)} is parallel to up={shown(self.up)}; give another axis")
        if not isinstance(self.left_handed, bool):
            raise BadOption(f"left_handed={shown(self.left_handed)}: give True or False")
        if self.rest is not None and (not isinstance(self.rest, int) or isinstance(self.rest, bool)):
            raise BadOption(f"rest={shown(self.rest)}: give the number of a frame")

    @property
    def axes(self) -> Array:
        """Forward, left and up as the columns of a (3, 3) matrix; its determinant is -1 if left-handed."""
        forward, up = axis_vector(self.forward), axis_vector(self.up)
        left = np.cross(up, forward) * (-1.0 if self.left_handed else 1.0)
        return np.column_stack([forward, left, up])


CONVENTIONS = {
    "gltf": Convention(up="y", forward="z"),
    "ros": Convention(up="z", forward="x"),
    "blender": Convention(up="z", forward="-y", bone_axis="y"),
    "maya": Convention(unit=0.01, up="y", forward="z", bone_axis="x"),
    "unity": Convention(up="y", forward="z", left_handed=True),
    "unreal": Convention(unit=0.01, up="z", forward="x", left_handed=True),
    "bvh": Convention(unit=0.01, up="y", forward="z"),
}


def axis_vector(axis: str) -> Array:
    """Return the unit vector of "x", "-y" ..."""
    vector: Array = np.eye(3)["xyz".index(axis[-1])]
    return -vector if axis.startswith("-") else vector


def as_convention(given: Any) -> Convention:
    """Return the convention of a name; a `Convention` is returned as it is. Raises BadOption."""
    if isinstance(given, Convention):
        return given
    if not isinstance(given, str) or given not in CONVENTIONS:
        raise BadOption(f"no convention {shown(given)}; {suggest(str(given)[:40], CONVENTIONS)}")
    return CONVENTIONS[given]


def usual_convention(up: str) -> Convention:
    """Return the convention assumed for a model with this up axis: figures (y up) face z, robots (z up) face x."""
    return CONVENTIONS["gltf" if up == "y" else "ros"]
