"""Settings of a table of cells, validated and completed, and the grids and models that follow from them."""

import math
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown, suggest
from limbik.solvers.table.cells import euler
from limbik.solvers.table.cells.grid import Grid
from limbik.solvers.table.cells.level import Model
from limbik.solvers.table.cells.network import ITERATIONS, Network
from limbik.solvers.table.cells.polynomial import polynomial
from limbik.solvers.table.cells.sampling import first_numbers, generator
from limbik.solvers.table.cells.split import PLACE, WRIST, Split, split_of
from limbik.solvers.table.lookup_chain import Arm

# Default size of a cell relative to the reach: the paper's 100 mm of 900.
PARTS = 9
# Number of random postures from which the reach of the wrist is estimated.
SCOUTS = 20_000
COVERAGES = ("even", "random")
CLASSES = ("branches", "linkage", "fuzzy")
WRISTS = ("cells", "exact")


@dataclass(frozen=True)
class Settings:
    """The settings of a table of cells.

    position_side [m], inclination_side, joint_side, euler_side [rad]: of a cell. reach: of the grid about the base
    along x, y and z [m]. inclination: the range of v [rad]. model: "linear", "quadratic", "cubic" or "network" for the
    position; turn_model: "mixed" or one of these for the orientation. hidden, iterations: of networks. per_cell:
    samples drawn for a cell; per_record: largest number of samples that a model is fitted to. coverage: "even" (targets
    drawn evenly in a cell) or "random" (joints drawn at random until `share` of the cells are full). classes:
    "branches" (numbers of the closed form), "linkage" or "fuzzy". wrist: "cells" or "exact". whole: cells over whole
    poses even if the chain decouples. directed: what v means. seed: of all random numbers.
    """

    position_side: float
    reach: float
    inclination_side: float = math.radians(10)
    inclination: tuple[float, float] = (math.radians(-100), math.radians(40))
    joint_side: float = math.radians(20)
    euler_side: float = math.radians(45)
    convention: str = "zyz"
    model: str = "linear"
    turn_model: str = "mixed"
    hidden: int = 5
    iterations: int = ITERATIONS
    per_cell: int = 200
    per_record: int = 200
    share: float = 0.9
    coverage: str = "even"
    classes: str = "linkage"
    wrist: str = "exact"
    whole: bool = False
    directed: bool = True
    seed: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return asdict(self) | {"inclination": list(self.inclination)}


def settings_for(arm: Arm, given: dict[str, Any]) -> tuple[Split, Settings]:
    """Return the decoupling of the chain and the settings. Raises BadOption for unknown or invalid ones."""
    names = [field.name for field in fields(Settings)]
    for name in given:
        if name not in names:
            raise BadOption(f"no setting '{name}' for a table of cells; {suggest(name, names)}")
    _check_kinds(given)
    split = split_of(arm, whole=bool(given.get("whole", False)), directed=bool(given.get("directed", True)))
    completed = dict(given)
    if "reach" not in given:
        q = split.model.sample(generator(0), SCOUTS)
        far = float(np.abs(first_numbers(split, q, "zyz")[:, :PLACE]).max())
        side = float(given.get("position_side", far / PARTS))
        completed["reach"] = math.ceil(far / side) * side
    completed.setdefault("position_side", completed["reach"] / PARTS)
    completed["inclination"] = tuple(completed.get("inclination", Settings.inclination))
    settings = Settings(**completed)
    _check(split, settings)
    return split, settings


def _check_kinds(given: dict[str, Any]) -> None:
    """Raise BadOption for a setting of the wrong type."""
    kinds: dict[str, tuple[type, ...]] = {
        "int": (int, np.integer),
        "float": (int, float, np.number),
        "str": (str,),
        "bool": (bool,),
    }
    for field in fields(Settings):
        if field.name not in given:
            continue
        value, kind = given[field.name], getattr(field.type, "__name__", "")
        if field.name == "inclination":
            good = (
                isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(x, int | float) for x in value)
            )
        else:
            good = isinstance(value, kinds[kind]) and (kind == "bool" or not isinstance(value, bool))
        if good and kind == "float":
            good = math.isfinite(value)
        if not good:
            raise BadOption(
                f"{field.name}={shown(value)} is invalid: it must be {'two numbers' if kind not in kinds else kind}"
            )


def _check(split: Split, s: Settings) -> None:
    euler.check(s.convention)
    choices = (("coverage", s.coverage, COVERAGES), ("classes", s.classes, CLASSES), ("wrist", s.wrist, WRISTS))
    for name, value, known in choices:
        if value not in known:
            raise BadOption(f"{name}={value!r} is not known; use one of {', '.join(known)}")
    for name in ("position_side", "reach", "inclination_side", "joint_side", "euler_side"):
        if not (math.isfinite(getattr(s, name)) and getattr(s, name) > 0):
            raise BadOption(f"{name} must be above 0; got {getattr(s, name)}")
    if s.per_cell < 1 or s.per_record < 1 or s.hidden < 1 or not 0 < s.share <= 1:
        raise BadOption("per_cell, per_record and hidden must be 1 or more, share above 0 and at most 1")
    if s.classes == "branches" and not split.branch_names:
        raise BadOption(f"'{split.model.name}' has no closed form with branches: use classes='linkage'")
    bounded = np.isfinite(split.model.ranges.lower).all() and np.isfinite(split.model.ranges.upper).all()
    if s.wrist == "cells" and not split.whole and not bounded:
        raise BadOption(
            f"'{split.model.name}' has joints without limits, but orientation cells need a range: use wrist='exact'"
        )


def first_grid(split: Split, s: Settings) -> Grid:
    """Return the grid of the first level: over wrist positions (with v), or over whole poses."""
    low, high, side = [-s.reach] * PLACE, [s.reach] * PLACE, [s.position_side] * PLACE
    if split.whole:
        low, high, side = low + [-math.pi] * 3, high + [math.pi] * 3, side + [s.euler_side] * 3
    elif split.inclined:
        low, high, side = [*low, s.inclination[0]], [*high, s.inclination[1]], [*side, s.inclination_side]
    return Grid.over(low, high, side)


def turn_grid(split: Split, s: Settings) -> Grid:
    """Return the grid of the orientation level, over the arm's joints and Euler angles."""
    m = split.joints
    low, high = split.model.ranges.lower[:m].tolist(), split.model.ranges.upper[:m].tolist()
    return Grid.over(low + [-math.pi] * 3, high + [math.pi] * 3, [s.joint_side] * m + [s.euler_side] * 3)


def first_model(split: Split, s: Settings) -> Model:
    """Return the model of a cell of the first level."""
    if s.model == "network":
        return Network(split.numbers, s.hidden, s.iterations, s.seed)
    return polynomial(s.model, split.numbers, linear=PLACE)


def turn_model(split: Split, s: Settings) -> Model:
    """Return the model of a cell of the orientation level."""
    axes = split.joints + WRIST
    if s.turn_model == "network":
        return Network(axes, s.hidden, s.iterations, s.seed)
    return polynomial(s.turn_model, axes, linear=split.joints)
