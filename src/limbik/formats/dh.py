"""Denavit-Hartenberg parameters, in both conventions.

standard: T_i = Rz(theta) Tz(d) Tx(a) Rx(alpha); joint i rotates about, or translates along, the z axis of frame i-1.
modified (Craig): T_i = Tx(a) Rx(alpha) Rz(theta) Tz(d); joint i rotates about, or translates along, the z axis of frame i.
The same numbers give different arms in the two conventions, so the caller names the convention.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from limbik.errors import BadModel, BadOption, NotNumeric, shown
from limbik.geometry.arrays import LARGEST, Array, number
from limbik.geometry.se3 import from_dh
from limbik.model.joint import Joint, Kind, Link
from limbik.model.mechanism import Mechanism
from limbik.model.units import unit_factor

CONVENTIONS = ("standard", "modified")
_KINDS = {"revolute": Kind.REVOLUTE, "continuous": Kind.CONTINUOUS, "prismatic": Kind.PRISMATIC,
          "r": Kind.REVOLUTE, "p": Kind.PRISMATIC}  # fmt: skip


def read_dh(
    rows: Sequence[Sequence[Any]],
    convention: str = "standard",
    *,
    name: str = "arm",
    degrees: bool = False,
    unit: str = "m",
    joint_names: Sequence[str] | None = None,
) -> Mechanism:
    """Return the mechanism of rows (a, alpha, d, theta offset[, kind[, lower, upper]]). Raises BadModel, naming the row."""
    if convention not in CONVENTIONS:
        raise BadOption(f"unknown convention {convention!r}; use 'standard' or 'modified'")
    length, angle = unit_factor(unit), math.pi / 180 if degrees else 1.0
    parsed = [_row(k, row) for k, row in enumerate(_rows(rows), start=1)]
    names = list(joint_names) if joint_names is not None else [f"joint{k}" for k in range(1, len(parsed) + 1)]
    if len(names) != len(parsed):
        raise BadModel(f"{len(names)} joint names for {len(parsed)} rows")
    links, joints = [Link("base")], []
    before: Array = np.eye(4)
    for k, (a, alpha, d, theta, kind, lower, upper) in enumerate(parsed):
        ahead, behind = from_dh(a * length, alpha * angle, d * length, theta * angle, convention)
        links.append(Link(f"link{k + 1}"))
        by = length if kind is Kind.PRISMATIC else angle
        joints.append(
            Joint(names[k], kind, links[-2].name, links[-1].name, before @ ahead, lower=lower * by, upper=upper * by)
        )
        before = behind
    if convention == "standard":
        links.append(Link("tip"))
        joints.append(Joint("tip_fixed", Kind.FIXED, links[-2].name, "tip", before))
    return Mechanism(name, tuple(links), tuple(joints))


def _rows(rows: Any) -> list[Any]:
    try:
        listed = list(rows)
    except TypeError:
        raise NotNumeric(f"rows must be a list of (a, alpha, d, theta, ...); got {type(rows).__name__}") from None
    if not listed:
        raise BadModel("there are no rows; give one (a, alpha, d, theta offset) per joint")
    return listed


def _row(place: int, row: Any) -> tuple[float, float, float, float, Kind, float, float]:
    try:
        cells = [] if isinstance(row, str | bytes) else list(row)
    except TypeError:
        cells = []
    if not cells:
        raise BadModel(f"row {place} is {shown(row)}; it needs (a, alpha, d, theta offset)")
    if len(cells) not in (4, 5, 7):
        raise BadModel(f"row {place} has {len(cells)} entries; give a, alpha, d, theta[, kind[, lower, upper]]")
    try:
        a, alpha, d, theta = (number(x, "a cell") for x in cells[:4])
        lower, upper = (number(x, "a cell") for x in cells[5:7]) if len(cells) == 7 else (-math.inf, math.inf)
    except NotNumeric:
        raise BadModel(f"row {place} contains a cell that is not a number: {shown(cells)}") from None
    if not all(math.isfinite(x) for x in (a, alpha, d, theta)):
        raise BadModel(f"row {place} contains NaN or infinity: {shown(cells[:4])}")
    if max(map(abs, (a, alpha, d, theta))) > LARGEST:
        raise BadModel(
            f"row {place} contains a number too large to compute with: {shown(cells[:4])}; is the unit right?"
        )
    kind = str(cells[4]).lower() if len(cells) > 4 and cells[4] is not None else "revolute"
    if kind not in _KINDS:
        raise BadModel(f"row {place} has the kind {shown(cells[4])}; use 'revolute', 'continuous' or 'prismatic'")
    return a, alpha, d, theta, _KINDS[kind], lower, upper
