"""How far the bones of a limb may grow to reach a target."""

import math
from dataclasses import dataclass
from typing import Any

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import number

# Bones this many times as long are a mistake of units.
GREATEST_FACTOR = 1e6


@dataclass(frozen=True)
class Stretch:
    """Bones that lengthen. start: the part of the full length from which they do; most: the greatest factor.

    With y the distance that the end goes to and L the length, the bones are 1 + y / L - start times as long, from 1 to `most`.
    """

    start: float = 1.0
    most: float = 1.5

    def __post_init__(self) -> None:
        start, most = number(self.start, "the start of a stretch"), number(self.most, "the greatest stretch")
        if not 0 < start <= 1:
            raise BadOption(f"a stretch starts at {shown(self.start)} of the length; give a part from 0 to 1, not 0")
        if not 1 <= most <= GREATEST_FACTOR:
            raise BadOption(f"a stretch of at most {shown(self.most)}: give a factor of 1 or more")
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "most", most)


def checked_stretch(given: Any) -> Stretch:
    """Return a Stretch from one, or from how much longer the bones may get: 0 for not at all, 0.5 for half as long again."""
    if isinstance(given, Stretch):
        return given
    more = number(given, "stretch")
    if not 0 <= more <= GREATEST_FACTOR:
        raise BadOption(
            f"stretch={shown(given)}: give 0 for none, 0.5 for half as long again, or a limbik.two_bone.Stretch"
        )
    return Stretch(1.0, 1.0 + more)


def checked_soft(given: Any) -> float:
    """Return the part of the length that is eased."""
    soft = number(given, "soft")
    if math.isnan(soft) or not 0 <= soft < 1:
        raise BadOption(f"soft={shown(given)}: give the part of the length that is eased, from 0 (none) to below 1")
    return soft
