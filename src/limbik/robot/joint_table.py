"""The joints of a mechanism as a text table."""

import math
from typing import TYPE_CHECKING

from limbik.model.joint import Kind

if TYPE_CHECKING:
    from limbik.robot.kinematic import Kinematic

HEADER = ("#", "joint", "kind", "axis at zero", "lower", "upper", "speed")


def joint_rows(body: "Kinematic") -> list[tuple[str, ...]]:
    """Return one row of text per joint of q: number, name, kind, axis in the base frame at zero, range, speed."""
    element_of = {e.variable.joint.name: index for index, e in reversed(list(enumerate(body.model.compiled.elements)))}
    axes = _axes_at_zero(body)
    rows: list[tuple[str, ...]] = []
    for k, v in enumerate(body.model.compiled.variables):
        joint = v.joint
        axis = ", ".join(f"{x:+.3g}" for x in axes[element_of[joint.name]]) if joint.kind.size == 1 else ""
        low, high = joint.lower, joint.upper
        if joint.kind is Kind.BALL:
            low, high = joint.twist
        rows.append(
            (str(k + 1), joint.name, _kind_text(joint.kind, joint.swing), axis, _value(low, joint.kind),
             _value(high, joint.kind), _value(joint.velocity, joint.kind, "/s"))
        )  # fmt: skip
    return rows


def _axes_at_zero(body: "Kinematic") -> list[tuple[float, float, float]]:
    """Return the axis of each element in the base frame when every joint is at zero."""
    import numpy as np

    poses: list[np.ndarray] = []
    for e in body.model.compiled.elements:
        before = np.eye(4) if e.parent < 0 else poses[e.parent]
        poses.append(before @ e.placement)
    return [tuple((np.round(T[:3, 2], 12) + 0.0).tolist()) for T in poses]


def _kind_text(kind: Kind, swing: float) -> str:
    if kind is Kind.BALL and math.isfinite(swing):
        return f"ball, cone {math.degrees(swing):.4g} deg"
    return str(kind)


def _value(x: float, kind: Kind, per: str = "") -> str:
    if not math.isfinite(x):
        return "" if per else "none"
    if kind is Kind.PRISMATIC:
        return f"{x:.4g} m{per}"
    return f"{math.degrees(x):.4g} deg{per}"


def joint_table(body: "Kinematic") -> str:
    """Return the table as plain text."""
    rows = [HEADER, *joint_rows(body)]
    widths = [max(len(row[c]) for row in rows) for c in range(len(HEADER))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * w for w in widths))
    title = body.model.mechanism.title or body.name
    return "\n".join([f"{title}: {body.n} joint values, reach {body.reach:.4g} m, base '{body.base}'", *lines])
