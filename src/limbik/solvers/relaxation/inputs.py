"""Inputs of a network: values, and ranges of variables."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption, NotFinite, shown, suggest
from limbik.geometry.arrays import LARGEST, number


@dataclass(frozen=True)
class Range:
    """The range of a variable from `low` to `high`; a value if both are equal. Raises BadOption, NotFinite."""

    low: float = -math.inf
    high: float = math.inf

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            value = number(getattr(self, name), f"the {name} end of a range")
            if math.isnan(value) or LARGEST < abs(value) < math.inf:
                raise NotFinite(f"the {name} end of a range is {value:g}; give a number, or inf for no end")
            object.__setattr__(self, name, value)
        if self.low > self.high or self.low == math.inf or self.high == -math.inf:
            raise BadOption(f"a range from {self.low:g} to {self.high:g} holds no value; give the lower end first")

    @property
    def fixed(self) -> bool:
        """Whether it is one value."""
        return self.low == self.high

    @property
    def open(self) -> bool:
        """Whether it contains every value."""
        return self.low == -math.inf and self.high == math.inf

    def __str__(self) -> str:
        if self.fixed:
            return f"{self.low:.6g}"
        if self.low == -math.inf:
            return f"at most {self.high:.6g}"
        return f"at least {self.low:.6g}" if self.high == math.inf else f"{self.low:.6g} to {self.high:.6g}"


def AtMost(value: float) -> Range:
    """Return the input of a variable that may not exceed a value."""
    return Range(high=_finite(value, "AtMost"))


def AtLeast(value: float) -> Range:
    """Return the input of a variable that may not fall below a value."""
    return Range(low=_finite(value, "AtLeast"))


def _finite(value: Any, what: str) -> float:
    given = number(value, what)
    if not math.isfinite(given):
        raise NotFinite(f"{what}({given}): give a finite number")
    return given


def read_inputs(given: Any, known: Iterable[str]) -> dict[str, Range]:
    """Return the inputs of a network by their names: numbers, (low, high), AtMost, AtLeast. Raises BadOption, NotFinite ...

    Ranges that contain every value are left out.
    """
    if not isinstance(given, Mapping):
        raise BadOption(f"inputs must be {{variable: value}}, for example {{'R': 2.0, 'rho': 1.2}}; got {shown(given)}")
    names = list(known)
    inputs: dict[str, Range] = {}
    for name, value in given.items():
        if not isinstance(name, str) or name not in names:
            raise BadOption(f"no variable {shown(name)} in this network; {suggest(str(name), names)}")
        inputs[name] = _range(name, value)
    return {name: wanted for name, wanted in inputs.items() if not wanted.open}


def _range(name: str, value: Any) -> Range:
    if isinstance(value, Range):
        return value
    if isinstance(value, tuple | list):
        if len(value) != 2:
            raise BadOption(f"{name}={shown(value)}: a range is two numbers, (low, high)")
        return Range(*value)
    x = number(value, name)
    if not math.isfinite(x) or abs(x) > LARGEST:
        raise NotFinite(f"{name} is {x:g}; a finite number of ordinary size is needed")
    return Range(x, x)


def whole(given: Any, what: str, most: int) -> int:
    """Return a whole number from 0 to `most`. Raises BadOption."""
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or not 0 <= given <= most:
        raise BadOption(f"{what}={shown(given)}: give a whole number from 0 to {most}")
    return int(given)
