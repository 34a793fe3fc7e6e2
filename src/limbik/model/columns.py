"""Column names of q in motion tables."""

from limbik.model.compiled import Compiled
from limbik.model.joint import Kind

_TURNS = ("rx", "ry", "rz")
_PLACES = ("px", "py", "pz")


def column_names(compiled: Compiled) -> list[str]:
    """Return a name for each number of q: the name of its joint, with a suffix if the joint has several numbers.

    A ball has .rx .ry .rz, its rotation vector; a floating joint has .px .py .pz before them.
    """
    names: list[str] = []
    for variable in compiled.variables:
        joint = variable.joint
        parts = {Kind.BALL: _TURNS, Kind.FLOATING: (*_PLACES, *_TURNS)}.get(joint.kind)
        names += [f"{joint.name}.{part}" for part in parts] if parts else [joint.name]
    return names


def column_lengths(compiled: Compiled) -> list[bool]:
    """Return for each number of q whether it is a length [m]; the others are angles [rad]."""
    lengths: list[bool] = []
    for variable in compiled.variables:
        kind = variable.joint.kind
        lengths += {Kind.FLOATING: [True] * 3 + [False] * 3, Kind.PRISMATIC: [True]}.get(kind, [False] * kind.size)
    return lengths
