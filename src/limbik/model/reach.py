"""The reach of a tip: bounds for all configurations. `core/kinematics/reach.hpp` computes them."""

from dataclasses import dataclass

from limbik.model.compiled import Compiled, limits


@dataclass(frozen=True)
class Reach:
    """Two bounds on the tip [m].

    from_base: its distance from the origin of the base frame. span: its distance from `centre`, the best point on the
    first axis, which is the size of the arm itself, wherever it stands.
    """

    from_base: float
    span: float
    centre: tuple[float, float, float]


def reach(compiled: Compiled, tip: str) -> Reach:
    """Return both bounds. Prismatic joints without limits and floating joints add nothing."""
    lower, upper, _ = limits(compiled)
    return Reach(*compiled.kernel.reach(compiled.frame_numbers[tip], lower.tolist(), upper.tolist()))
