"""The reach of a tip: upper bounds over all configurations, which `core/kinematics/reach.hpp` computes."""

from dataclasses import dataclass

from limbik.model.compiled import Compiled, limits


@dataclass(frozen=True)
class Reach:
    """Two upper bounds on distances of the tip [m].

    from_base: from the origin of the base frame. span: from `centre`, the point on the first axis with the least bound; this
    is the size of the arm, independent of its base frame.
    """

    from_base: float
    span: float
    centre: tuple[float, float, float]


def reach(compiled: Compiled, tip: str) -> Reach:
    """Return the bounds for a tip. Unlimited prismatic joints and floating joints count as 0."""
    lower, upper, _ = limits(compiled)
    return Reach(*compiled.kernel.reach(compiled.frame_numbers[tip], lower.tolist(), upper.tolist()))
