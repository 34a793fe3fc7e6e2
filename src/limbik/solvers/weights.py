"""Weights of position and rotation errors for targets that cannot be reached."""

import math
from typing import Any, NamedTuple

from limbik.errors import BadOption, LimbikError, shown
from limbik.geometry.arrays import number


class Weights(NamedTuple):
    """The weights of the minimised (position * metres)^2 + (rotation * radians)^2; both 0: position first, then rotation."""

    position: float = 0.0
    rotation: float = 0.0


def checked_weights(given: Any) -> Weights:
    """Return the weights that the caller gave; None without any. Raises BadOption."""
    if given is None:
        return Weights()
    try:
        position, rotation = given
        weights = Weights(number(position, "weights"), number(rotation, "weights"))
    except (TypeError, ValueError, LimbikError):
        raise BadOption(
            f"weights={shown(given)}: give two numbers, (per metre, per radian), such as weights=(1.0, 0.1)"
        ) from None
    if not all(math.isfinite(w) and w >= 0 for w in weights) or not any(weights):
        raise BadOption(f"weights={shown(given)}: weights are finite, not below 0, and one of them is above 0")
    return weights
