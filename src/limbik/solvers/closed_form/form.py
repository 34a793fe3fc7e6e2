"""The description of a closed form: the decoupling it uses, the names of its branches, its free parameter.

A branch is identified by one sign per joint with two roots: the side of its singularity. The signs are the bits of the branch
number, so the number is constant along any motion that crosses no singularity. Joints are called shoulder, elbow and wrist by
their position in the arm.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

ROLES = {1: ("elbow",), 2: ("elbow", "wrist"), 3: ("shoulder", "elbow", "wrist")}


@dataclass(frozen=True)
class Redundancy:
    """The free parameter of a redundant arm at a fixed tip pose.

    kind: "swivel" (the elbow rotates about the line from shoulder to wrist) or "joint" (one joint is free; the others have a
    closed form). joint: its name, None for a swivel. zero: the direction of the elbow at swivel 0 in the base frame, projected
    on the plane perpendicular to that line. sign, undefined: phrases about the positive sense and the singular cases.
    """

    kind: str
    joint: str | None
    zero: tuple[float, float, float] | None
    sign: str
    undefined: str


@dataclass(frozen=True)
class Form:
    """The closed form of a chain.

    how: the decoupling that it uses. most: the number of branches. choices: for each bit of the branch number the joint (from 0)
    whose sign it is; -1 for a sign of several joints. redundancy: the free parameter, if there is one.
    """

    how: str
    most: int
    choices: tuple[int, ...]
    redundancy: Redundancy | None

    @property
    def summary(self) -> str:
        """The closed form as a phrase of `arm.structure`."""
        count = "one branch" if self.most == 1 else f"up to {self.most} branches"
        if self.redundancy is None:
            return f"closed form, {count}"
        if self.redundancy.kind == "swivel":
            return f"closed form at any swivel, {count}"
        return f"closed form at any value of '{self.redundancy.joint}', {count}"

    @property
    def hint(self) -> str:
        """A hint about postures that are not listed, and how to get them."""
        if self.redundancy is None:
            return "near a singularity there may be more"
        if self.redundancy.kind == "swivel":
            return "swivel_ranges(T) gives every feasible swivel"
        return f"'{self.redundancy.joint}' is sampled: swivel=VALUE sets it, solve(T, seed=q) gives the posture near q"

    @property
    def branch_names(self) -> tuple[str, ...]:
        """A name for each branch number."""
        # roles follow the position of joints in the arm, bits the order of the solution
        places = sorted(range(len(self.choices)), key=lambda k: self.choices[k])
        roles = dict(zip(places, ROLES.get(len(places), ()), strict=True)) if places else {}
        names = []
        for signs in product("+-", repeat=len(self.choices)):
            names.append(" ".join(f"{roles[k]}{signs[k]}" for k in places) or "only")
        return tuple(names)


def form_of(parts: Mapping[str, Any] | None, names: Sequence[str]) -> Form | None:
    """Return the description of the core's closed form; None if there is none. names: the joints' names."""
    if parts is None:
        return None
    redundancy = None
    if parts["redundancy"] == "swivel":
        redundancy = Redundancy(
            kind="swivel",
            joint=None,
            zero=tuple(parts["zero"]),
            sign="right-handed about the line from shoulder to wrist",
            undefined="if the wrist is at the shoulder; if that line is parallel to the zero direction, another zero is used",
        )
        how = "spherical shoulder, elbow, spherical wrist"
    else:
        joints = [k + 1 for k in parts["joints"]]
        how = _group(parts["group"], joints, len(names))
        if parts["redundancy"] == "joint":
            held = names[parts["held"]]
            how = f"'{held}' fixed; {how}"
            redundancy = Redundancy(
                kind="joint",
                joint=held,
                zero=None,
                sign="the joint's own",
                undefined="nowhere",
            )
    return Form(how, parts["most"], tuple(parts["choices"]), redundancy)


def _group(kind: str, joints: Sequence[int], n: int) -> str:
    listed = ", ".join(map(str, joints))
    if kind == "planar":
        return f"axes {listed} in one plane" if len(joints) > 1 else f"axis {listed}"
    if len(joints) == 3 and joints[2] == n:
        return "spherical wrist"
    if len(joints) == 3 and joints[0] == 1:
        return "spherical shoulder"
    if len(joints) > 1:
        return f"axes {listed} meet in one point"
    return "few joints"
