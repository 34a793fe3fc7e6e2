"""The descent of Gini et al.: fast gradient following (17) with annealing and reheating; the loop is
`core/muscle/fast_gradient.hpp`.

It moves the lengths of the independent muscles and needs only the distance of the tip from the target: from a model
(forward kinematics), or measured (`follow_distance`). It ends if the distance is small enough, or after a number of
sweeps or seconds. The best lengths so far are always available.
"""

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from limbik._core import DescentSettings, MuscleSet
from limbik.errors import BadOption, LimbikError, ShapeError, shown
from limbik.geometry.arrays import Array, number, numbers
from limbik.model.record import Record

# Reach of the arm for which the default lengths are made [m].
USUAL_REACH = 0.7
# With a measured distance: down to which distance the descent reheats, and its step at temperature 1 if the distance is
# noisy, for an arm of the usual reach [m]. With noise, steps are refused by chance, so the temperature falls to 0 anywhere.
SENSOR_FAR, SENSOR_STEP = 1e-3, 1e-3
# With noise, the probe is not reduced near the target: its fraction of the distance is unlimited.
ANY_PART = 1e6
# The switches of the classical gradient.
PLAIN = {"velocity": False, "annealing": False, "reheating": False}
# The settings with numbers, and the switches.
NUMBERS = (
    "alpha",
    "much",
    "little",
    "worse",
    "cooling",
    "heat",
    "still",
    "goal",
    "far",
    "probe",
    "part",
    "kick",
    "rise",
)
SWITCHES = ("velocity", "annealing", "reheating")
# Names of Sub(i), the muscles that a sweep moves. The paper has "a couple of actuators chosen with a specific logic".
SUBSETS = ("all", "pairs", "single")


@dataclass(frozen=True)
class FastGradient:
    """Settings of the descent. Lengths in metres.

    alpha: the step at temperature 1 [m]. much, little, worse: the factor eta after the distance fell by more than 10 %,
    fell by less, or rose. cooling, heat: b, and the initial temperature. still: the relative change below which the
    distance counts as unchanged. goal: the distance at which the descent ends [m]. far: the distance above which it
    reheats [m]. sweeps, seconds: the limits of its length; with seconds the answer depends on the machine's speed.
    probe: by how much a muscle is shortened to measure its effect [m], and part: at most this fraction of the distance.
    kick: a random step at temperature 1 [m], and rise: the increase of the distance that is accepted with a probability
    of 1 / e [m]. subsets: "all" muscles in each sweep, "pairs", "single", or lists of their indices. velocity,
    annealing, reheating: switches. seed: of the random steps.
    """

    alpha: float = 3e-4
    much: float = 1.3
    little: float = 1.1
    worse: float = 0.5
    cooling: float = 0.65
    heat: float = 3.0
    still: float = 1e-3
    goal: float = 1e-8
    far: float = 0.01
    sweeps: int = 200
    seconds: float | None = None
    probe: float = 1e-6
    part: float = 1e-3
    kick: float = 0.01
    rise: float = 0.3
    subsets: Any = "all"
    velocity: bool = True
    annealing: bool = True
    reheating: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        for name in NUMBERS:
            value = number(getattr(self, name), name)
            least = 0.0 if name in ("still", "goal", "far", "kick", "worse") else np.finfo(float).tiny
            if not least <= value < math.inf or (name == "cooling" and value >= 1):
                must = (
                    "between 0 and 1"
                    if name == "cooling"
                    else "finite and not negative" + ("" if least == 0 else ", nor 0")
                )
                raise BadOption(f"{name}={value:g}: it must be {must}")
            object.__setattr__(self, name, value)
        if self.seconds is not None:
            object.__setattr__(self, "seconds", number(self.seconds, "seconds"))
            if not self.seconds >= 0:
                raise BadOption(f"seconds={self.seconds:g}: it must not be negative")
        for name in ("sweeps", "seed"):
            try:
                count = operator.index(getattr(self, name))
            except TypeError:
                raise BadOption(f"{name}={shown(getattr(self, name))}: give a whole number") from None
            if not 0 <= count <= (10**7 if name == "sweeps" else 2**63):
                raise BadOption(
                    f"{name}={count}: give a whole number from 0{' to 10,000,000' if name == 'sweeps' else ''}"
                )
            object.__setattr__(self, name, count)
        for name in SWITCHES:
            if not isinstance(getattr(self, name), bool):
                raise BadOption(f"{name}={shown(getattr(self, name))}: True or False")

    @classmethod
    def for_size(cls, size: float, **settings: Any) -> "FastGradient":
        """Return settings with lengths in proportion to the reach of an arm [m]; the defaults are for MaximumOne."""
        by = size / USUAL_REACH if 0 < size < math.inf else 1.0
        usual = {name: by * getattr(cls, name) for name in ("alpha", "far", "probe", "kick", "rise")}
        return cls(**{**usual, **settings})

    @classmethod
    def for_sensor(cls, noise: float = 0.0, size: float = USUAL_REACH, **settings: Any) -> "FastGradient":
        """Return settings for a measured distance. noise: its standard deviation; size: the reach of the arm [m].

        The probe is as large as the noise, and the descent reheats down to a millimetre or the noise: where noise refuses
        steps by chance, the temperature would otherwise fall to 0 before the target. Raises BadOption.
        """
        off = number(noise, "noise")
        if not 0 <= off < math.inf:
            raise BadOption(f"noise={off:g}: it must be finite and not negative")
        usual = cls.for_size(size)
        by = usual.far / cls.far
        changes: dict[str, Any] = {"far": max(by * SENSOR_FAR, off)}
        if off > 0:
            changes |= {"alpha": by * SENSOR_STEP, "probe": max(usual.probe, off), "part": ANY_PART}
        return replace(usual, **{**changes, **settings})

    @classmethod
    def classical(cls, **settings: Any) -> "FastGradient":
        """Return the classical gradient: a constant step, no velocity, no temperature."""
        return cls(**{**PLAIN, **settings})

    def core(self) -> DescentSettings:
        """Return the settings in the form of the core."""
        return DescentSettings(**{name: getattr(self, name) for name in (*NUMBERS, *SWITCHES, "sweeps", "seed")},
                               seconds=math.inf if self.seconds is None else self.seconds)  # fmt: skip

    def sweeps_over(self, count: int) -> list[list[int]]:
        """Return Sub(i) for `count` muscles: the indices that each sweep moves, in turn. Raises BadOption."""
        everything = list(range(count))
        if isinstance(self.subsets, str):
            if self.subsets not in SUBSETS:
                raise BadOption(
                    f"subsets={self.subsets!r}: use one of {', '.join(SUBSETS)}, or lists of muscle numbers"
                )
            if self.subsets == "all":
                return [everything]
            size = 2 if self.subsets == "pairs" else 1
            return [everything[k : k + size] for k in range(0, count, size)]
        try:
            lists = [[operator.index(i) for i in some] for some in self.subsets]
        except TypeError:
            raise BadOption(
                f"subsets={shown(self.subsets)}: use one of {', '.join(SUBSETS)}, or lists of muscle numbers"
            ) from None
        if not lists or not all(lists) or not all(0 <= i < count for some in lists for i in some):
            raise BadOption(f"subsets={shown(self.subsets)}: muscle numbers are from 0 to {count - 1}")
        return lists


@dataclass(frozen=True, eq=False)
class Descent(Record):
    """The report of a descent. lengths: the best [m]; distance: of these [m]; q: the posture, empty for measured distances.

    calls: number of evaluations of the distance. sweeps, reheated: numbers of sweeps and of reheatings. reached:
    whether the distance fell below the goal. history: (sweeps + 1,) the best distance before the first sweep and after
    each [m].
    """

    lengths: Array
    distance: float
    q: Array
    calls: int
    sweeps: int
    reheated: int
    reached: bool
    history: Array


def settings_of(given: FastGradient | None, changes: dict[str, Any], size: float = USUAL_REACH) -> FastGradient:
    """Return settings with changes; None means the defaults for an arm of this reach [m]. Raises BadOption for unknown names."""
    if given is not None and not isinstance(given, FastGradient):
        raise BadOption(f"settings={shown(given)}: give a FastGradient")
    known = [f.name for f in fields(FastGradient)]
    for name in changes:
        if name not in known:
            raise BadOption(f"a descent has no setting {name!r}; it has {', '.join(known)}")
    return FastGradient.for_size(size, **changes) if given is None else replace(given, **changes)


def descend(
    core: MuscleSet, point: Array, moved: Sequence[int], lengths: Array, q: Array, side: int, settings: FastGradient
) -> Descent:
    """Move the tip to a point by the lengths of the muscles `moved`. side: which of the two postures with the same lengths."""
    subsets = settings.sweeps_over(len(moved))
    return Descent(*core.descend(point, list(moved), lengths, q, side, subsets, settings.core()))


def follow_distance(
    measure: Callable[[Array], float],
    lengths: Any,
    lower: Any,
    upper: Any,
    settings: FastGradient | None = None,
    **changes: Any,
) -> Descent:
    """Run the descent with a measured distance: by a camera, a ruler, or a simulation of one.

    measure: a function of the lengths (m,) that returns a distance [m], 0 or more; NaN or infinity if they cannot be set.
    lengths: the start [m]; lower, upper: ranges. settings: None for `FastGradient.for_sensor()`; for a noisy sensor give
    `FastGradient.for_sensor(noise)`. changes: of single settings. The best lengths are those with the smallest measured
    distance. Raises LimbikError if `measure` returns a negative number or none.
    """
    if not callable(measure):
        raise BadOption(f"measure={shown(measure)}: give a function of the lengths")
    start, low, high = (numbers(x, "lengths and their ranges must be numbers") for x in (lengths, lower, upper))
    if start.ndim != 1 or not len(start) or low.shape != start.shape or high.shape != start.shape:
        raise ShapeError(
            f"lengths, lower and upper must be of one shape (m,); got {start.shape}, {low.shape} and {high.shape}"
        )
    if not (np.isfinite(start).all() and np.isfinite(low).all() and np.isfinite(high).all() and (low < high).all()):
        raise BadOption("lengths and ranges must be finite, and each lower below its upper")
    chosen = settings_of(settings, changes if settings is not None else {"far": SENSOR_FAR, **changes})

    def measured(at: Array) -> float:
        try:
            found = float(measure(at))
        except (TypeError, ValueError, OverflowError) as error:
            raise LimbikError(f"measure did not return a distance: {error}") from error
        if found < 0:
            raise LimbikError(f"measure returned {found:g}: a distance is 0 or more; return its absolute value")
        return found

    return Descent(
        *MuscleSet.descend_by(
            measured, start, low.tolist(), high.tolist(), chosen.sweeps_over(len(start)), chosen.core()
        )
    )
