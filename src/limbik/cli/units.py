"""Conversion of joint values to degrees (metres for prismatic joints) and back."""

from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.cli.targets import numbers_from_text
from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.robot.chain import Chain


def in_metres(arm: Chain) -> npt.NDArray[np.bool_]:
    """Return which joint values are in metres, (n,): prismatic joints, and the position of a floating joint."""
    found = np.zeros(arm.n, dtype=bool)
    for v in arm.model.compiled.variables:
        lengths = {Kind.PRISMATIC: 1, Kind.FLOATING: 3}.get(v.joint.kind, 0)
        found[v.first : v.first + lengths] = True
    return found


def readable(arm: Chain) -> Array:
    """Return the factors (n,) from radians to degrees; 1 for values in metres."""
    return np.where(in_metres(arm), 1.0, 180 / np.pi)


def unit_names(arm: Chain) -> list[str]:
    """Return "deg" or "m" for each joint value."""
    return ["m" if metres else "deg" for metres in in_metres(arm)]


def number_or_text(given: str | None) -> float | str | None:
    """Return an option that is a number or a name: a float if it reads as one."""
    try:
        return None if given is None else float(given)
    except ValueError:
        return given


def seed_from_text(arm: Chain, text: str) -> Any:
    """Return a seed [rad, m] from numbers in degrees and metres. Raises BadOption."""
    numbers = numbers_from_text(text, "--seed")
    if len(numbers) != arm.n:
        raise BadOption(f"--seed has {len(numbers)} numbers; '{arm.name}' has {arm.n} joint values")
    return np.array(numbers) / readable(arm)
