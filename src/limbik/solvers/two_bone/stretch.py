"""Settings of soft reach and of bones that lengthen to reach a target."""

import math
from dataclasses import dataclass
from typing import Any

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import number

# Largest accepted factor; a larger one indicates a mistake of units.
GREATEST_FACTOR = 1e6


@dataclass(frozen=True)
class Stretch:
    """Bones that lengthen. start: the fraction of the full length at which this begins; most: the largest factor.

    With y the distance of the tip and L the length of the limb, the factor of the bones is 1 + y / L - start, clipped
    to [1, most].
    """

    start: float = 1.0
    most: float = 1.5

    def __post_init__(self) -> None:
        start, most = number(self.start, "the start of a stretch"), number(self.most, "the greatest stretch")
        if not 0 < start <= 1:
            raise BadOption(f"a stretch starts at {shown(self.start)} of the length; give a number above 0 and up to 1")
        if not 1 <= most <= GREATEST_FACTOR:
            raise BadOption(f"a stretch of at most {shown(self.most)}: give a factor of 1 or more")
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "most", most)


def checked_stretch(given: Any) -> Stretch:
    """Return a Stretch from one, or from the largest relative lengthening of the bones, such as 0.5. Raises BadOption."""
    if isinstance(given, Stretch):
        return given
    more = number(given, "stretch")
    if not 0 <= more <= GREATEST_FACTOR:
        raise BadOption(
            f"stretch={shown(given)}: give 0 for none, 0.5 for bones up to 1.5 times as long, or a limbik.two_bone.Stretch"
        )
    return Stretch(1.0, 1.0 + more)


def checked_soft(given: Any) -> float:
    """Return the fraction of the length in which the reach is soft. Raises BadOption."""
    soft = number(given, "soft")
    if math.isnan(soft) or not 0 <= soft < 1:
        raise BadOption(
            f"soft={shown(given)}: give the fraction of the length with soft reach, from 0 (none) to below 1"
        )
    return soft
