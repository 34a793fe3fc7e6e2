"""Left and right: find the counterpart of a frame or joint on the other side by its name.

Names denote sides by a word (LeftArm, arm_right, mixamorig:LeftHand), a separate letter (L_Hip, arm.R, hand-l), or a first letter
(lhumerus, LThumb). They are tried in this order. A swapped name counts only if it exists.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.model.model import Model

_WORDS = (("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"))
_SEPARATE_LETTER = re.compile(r"(?<![A-Za-z])([LRlr])(?![A-Za-z])")
_LETTERS = {"L": "R", "R": "L", "l": "r", "r": "l"}


def counterparts(names: Iterable[str]) -> dict[str, str]:
    """Return each name's counterpart on the other side; a name without one is its own counterpart."""
    known = list(names)
    there = set(known)
    return {name: next((other for other in _swapped(name) if other in there), name) for name in known}


def _swapped(name: str) -> Iterable[str]:
    """Yield the possible names of the counterpart."""
    for one, other in _WORDS:
        for a, b in ((one, other), (other, one)):
            if a in name:
                yield name.replace(a, b)
    if _SEPARATE_LETTER.search(name):
        yield _SEPARATE_LETTER.sub(lambda found: _LETTERS[found[1]], name)
    prefix, colon, rest = name.rpartition(":")
    if rest[:1] in _LETTERS:
        yield f"{prefix}{colon}{_LETTERS[rest[0]]}{rest[1:]}"


def checked_pairs(pairs: Any, names: Iterable[str]) -> dict[str, str]:
    """Return the counterpart of every name, from the option pairs={left: right}; a name not in it is its own counterpart.

    Raises BadOption for a name that does not exist, and for one with two counterparts.
    """
    known = set(names)
    if not isinstance(pairs, Mapping):
        raise BadOption(f"pairs={shown(pairs)}: give {{left joint: right joint}}")
    counterpart: dict[str, str] = {}
    for left, right in pairs.items():
        for name in (left, right):
            if not isinstance(name, str) or name not in known:
                raise BadOption(f"pairs= names the joint {shown(name)}, which does not exist")
        if counterpart.setdefault(left, right) != right or counterpart.setdefault(right, left) != left:
            raise BadOption("pairs= gives one joint two counterparts")
    return {name: counterpart.get(name, name) for name in known}


def sides_of(model: Model, pairs: Any, axis: Any) -> tuple[dict[str, str], int]:
    """Return each joint's counterpart, and the axis of the world that runs from one side to the other.

    pairs: {left joint: right joint}; None reads them from the names. axis: "x", "y" or "z"; None takes the one along which the
    pairs differ most in the zero configuration. Raises BadOption.
    """
    names = [joint.name for joint in model.mechanism.joints]
    partner = counterparts(names) if pairs is None else checked_pairs(pairs, names)
    if axis is None:
        return partner, _across(model, partner)
    if axis not in ("x", "y", "z"):
        raise BadOption(f"axis={shown(axis)}: use 'x', 'y' or 'z'")
    return partner, "xyz".index(axis)


def _across(model: Model, partner: dict[str, str]) -> int:
    poses = dict(zip(model.frames, model.forward_all(np.zeros(model.n)), strict=True))
    child = {joint.name: joint.child for joint in model.mechanism.joints}
    apart = [
        poses[child[a]][:3, 3] - poses[child[b]][:3, 3] for a, b in partner.items() if a != b and child[a] in poses
    ]
    if not apart:
        raise BadOption(f"the joints of '{model.name}' have no side in their names (left, right); pass pairs=")
    return int(np.argmax(np.abs(apart).sum(axis=0)))
