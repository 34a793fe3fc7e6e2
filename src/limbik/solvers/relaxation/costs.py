"""Costs of postures: every joint has an angle of least cost, and the costs of all joints are summed (Cruse 1986)."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from limbik.errors import BadOption, LimbikError, NotFinite, NotNumeric, shown, suggest
from limbik.geometry.angles import TURN
from limbik.geometry.arrays import Array, number
from limbik.solvers.relaxation.finish import Cost
from limbik.solvers.relaxation.turns import is_length


def read_costs(
    given: Any, angles: Sequence[str], joints: Sequence[str], signs: Array, offsets: Array
) -> tuple[Cost | None, dict[str, float]]:
    """Return the sum of costs as a function of the joint angles, and the angles of least cost where known.

    angles: the network's names of the coordinates. joints: the arm's own names of them; coordinate = offset + sign * value.
    Raises BadOption, NotNumeric or NotFinite.
    """
    if given is None:
        return None, {}
    if not isinstance(given, Mapping) or not given:
        raise BadOption(
            f"costs={shown(given)}: give {{joint: angle}}, {{joint: (angle, weight)}} or {{joint: function}}"
        )
    terms: list[tuple[int, Callable[[float], float]]] = []
    best: dict[str, float] = {}
    for name, value in given.items():
        if name not in (*angles, *joints):
            raise BadOption(f"no joint {shown(name)} to give a cost; {suggest(str(name), (*angles, *joints))}")
        own = name not in angles
        k = list(joints).index(name) if own else list(angles).index(name)
        sign, offset = (float(signs[k]), float(offsets[k])) if own else (1.0, 0.0)
        terms.append((k, _term(name, value, sign, offset, is_length(angles[k]))))
        if not callable(value):
            angle = value[0] if isinstance(value, tuple | list) else value
            best[angles[k]] = offset + sign * float(angle)

    def cost(posture: Array) -> float:
        return math.fsum(term(float(posture[k])) for k, term in terms)

    return cost, best


def _term(name: str, value: Any, sign: float, offset: float, length: bool) -> Callable[[float], float]:
    """Return the cost of one joint as a function of its coordinate; length: which is a length [m]."""
    if callable(value):

        def checked(x: float) -> float:
            try:
                found = float(value(sign * (x - offset)))
            except LimbikError:
                raise
            except (TypeError, ValueError):
                raise NotNumeric(f"the cost of '{name}' must return a number") from None
            if not math.isfinite(found):
                raise NotFinite(f"the cost of '{name}' is {found} at {sign * (x - offset):.6g}; it must be finite")
            return found

        return checked
    angle, weight = value if isinstance(value, tuple | list) and len(value) == 2 else (value, 1.0)
    angle, weight = number(angle, f"the best angle of '{name}'"), number(weight, f"the weight of '{name}'")
    if not math.isfinite(angle) or not (math.isfinite(weight) and weight >= 0):
        raise NotFinite(f"the cost of '{name}' needs a finite angle and a weight from 0; got {shown(value)}")
    best = offset + sign * angle
    if length:
        return lambda x: weight * (x - best) ** 2
    return lambda x: weight * math.remainder(x - best, TURN) ** 2
