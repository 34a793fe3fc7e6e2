"""Settings of a network and its training."""

import operator
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown, suggest

# The fewest examples, and the largest value of each setting: a mistyped zero would otherwise exhaust the memory.
FEWEST = 16
MOST = {
    "heads": 64,
    "width": 1024,
    "layers": 8,
    "steps": 10**8,
    "batch": 1 << 14,
    "check": 10**6,
    "patience": 1000,
    "examples": 200_000,
}


@dataclass(frozen=True)
class Settings:
    """The size and training of a network. With the robot and the examples they determine its weights.

    heads: number of postures (configurations) proposed per target. width, layers: of the hidden layers. steps: most training
    steps, each with `batch` examples. rate: learning rate, halved if the validation error has not fallen in `patience`
    validations, which follow every `check` steps. seed: of all random numbers. examples: number of examples chosen by a secondary
    objective.
    """

    heads: int = 16
    width: int = 64
    layers: int = 2
    steps: int = 10_000
    batch: int = 1024
    rate: float = 4e-3
    check: int = 250
    patience: int = 4
    seed: int = 0
    examples: int = 20_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "rate":
                if (
                    isinstance(value, bool)
                    or not isinstance(value, int | float | np.number)
                    or not 0 < float(value) <= 1
                ):
                    raise BadOption(f"rate={shown(value)}: a number above 0, at most 1")
                object.__setattr__(self, "rate", float(value))
                continue
            object.__setattr__(self, field.name, _whole(field.name, value))

    @property
    def as_json(self) -> dict[str, Any]:
        """The settings by name."""
        return asdict(self)


def settings_from(given: dict[str, Any]) -> Settings:
    """Return settings from names and values. Raises BadOption."""
    known = [field.name for field in fields(Settings)]
    for name in given:
        if name not in known:
            raise BadOption(f"a network has no setting {shown(name)}; {suggest(str(name), known)}")
    return Settings(**given)


def _whole(name: str, value: object) -> int:
    least, most = (0, 2**63 - 1) if name == "seed" else (FEWEST if name == "examples" else 1, MOST[name])
    try:
        number = operator.index(value) if not isinstance(value, bool) else -1  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not least <= number <= most:
        raise BadOption(f"{name}={shown(value)}: a whole number from {least} to {most}")
    return number
