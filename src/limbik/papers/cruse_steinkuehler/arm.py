"""The paper's arm and its experiment: three segments of length 1, nine targets in sequence, two starts.

The nine points and the starts are only drawn in the paper (figure 3), without values. Ours: R = 1.0, 1.7 and 2.4 and rho = 30, 75
and 120 degrees, in alternating order of rho; (alpha, beta, gamma) = (2.2, 1.9, 2.2) for the comfortable start and (1.2, 1.6,
pi + 0.5), with the hand bent back, for the extreme one. For each point "an arbitrary, geometrically possible, arm position was
chosen": ours has the angle eps of the symmetric arm, changed by a different few per cent for each point.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.solvers.relaxation.angle_network import AngleNetwork, Run
from limbik.solvers.relaxation.clamping import clamps
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.measures import Measures
from limbik.solvers.relaxation.settings import Settings

LENGTHS = (1.0, 1.0, 1.0)
RADII, DIRECTIONS = (1.0, 1.7, 2.4), tuple(math.radians(x) for x in (30.0, 75.0, 120.0))
COMFORTABLE, BENT_BACK = np.array([2.2, 1.9, 2.2]), np.array([1.2, 1.6, math.pi + 0.5])
STARTS = {"comfortable": COMFORTABLE, "bent back": BENT_BACK}
# The relative difference between the angle eps of each target's posture and that of the symmetric arm.
UNEVEN = (0.08, -0.1, 0.05, -0.06, 0.1, -0.04, 0.12, -0.08, 0.06)
# A target is reached when the error falls below this and stays there [lengths of a segment].
REACHED = 0.01
# The number of cycles for which a target is held when cycles are counted, and in the paper's figures.
HELD, HELD_IN_FIGURES = 400, 30

# The input variables of the four problems.
PROBLEMS: Mapping[str, tuple[str, ...]] = {
    "direct (alpha, beta, gamma)": ("alpha", "beta", "gamma"),
    "inverse (rho, R)": ("rho", "R"),
    "mixed (rho, R, alpha)": ("rho", "R", "alpha"),
    "mixed (rho, beta, gamma)": ("rho", "beta", "gamma"),
}
DIRECT, INVERSE, MIXED_1, MIXED_2 = PROBLEMS
# The third problem with eps = alpha - rho clamped too, as limbik's `complete` does. The paper clamps its three inputs alone.
CLAMPED = f"{MIXED_1}, eps clamped"
KINDS = (*PROBLEMS, CLAMPED)


@dataclass(frozen=True)
class Target:
    """One of the nine targets: its polar coordinates, and the posture (alpha, beta, gamma) chosen for it."""

    R: float
    rho: float
    posture: Array

    @property
    def place(self) -> Array:
        """The position of the target, (2,)."""
        return self.R * np.array([math.cos(self.rho), math.sin(self.rho)])


def convex_posture(R: float, rho: float, uneven: float) -> Array:
    """Return the convex posture of three segments of length 1 with its tip at (R, rho).

    uneven: the relative difference of eps from the symmetric posture.
    """
    eps = math.acos((R - 1.0) / 2.0) * (1.0 + uneven)
    alpha = rho + eps
    elbow = np.array([math.cos(alpha), math.sin(alpha)])
    tip = R * np.array([math.cos(rho), math.sin(rho)])
    diagonal = float(np.linalg.norm(tip - elbow))
    gamma = math.acos(1.0 - diagonal * diagonal / 2.0)
    beta = math.acos((1.0 + diagonal * diagonal - R * R) / (2.0 * diagonal)) + (math.pi - gamma) / 2.0
    return np.array([alpha, beta, gamma])


def targets() -> tuple[Target, ...]:
    """Return the nine targets in the order of the experiment."""
    places = [(R, rho) for k, R in enumerate(RADII) for rho in DIRECTIONS[:: -1 if k % 2 else 1]]
    return tuple(Target(R, rho, convex_posture(R, rho, u)) for (R, rho), u in zip(places, UNEVEN, strict=True))


def network(**settings: object) -> AngleNetwork:
    """Return the paper's network, with some settings changed."""
    return AngleNetwork(LENGTHS, Settings(**settings))  # type: ignore[arg-type]


def clamped(net: AngleNetwork, kind: str, state: Mapping[str, float]) -> Array:
    """Return the clamps of a kind of problem: its inputs at their values in a state."""
    names = PROBLEMS[MIXED_1 if kind == CLAMPED else kind]
    held = clamps(Measures(net), {name: Range(state[name], state[name]) for name in names})[0]
    if kind == MIXED_1:
        held[net.variables.index("eps")] = math.nan
    return held


def errors(net: AngleNetwork, states: Array, kind: str, place: Array) -> Array:
    """Return the target errors of states (k, variables): by (R, rho) in the direct problem, else by the joint angles."""
    names = net.variables
    if kind == DIRECT:
        R, rho = states[:, names.index("R")], states[:, names.index("rho")]
        tips = np.stack([R * np.cos(rho), R * np.sin(rho)], -1)
    else:
        joints = states[:, [names.index(name) for name in net.triangles.joints]]
        tips = net.points(net.directions(joints))[:, -1]
    return np.asarray(np.linalg.norm(tips - place, axis=1))


def cycles_to_reach(error: Array) -> float:
    """Return the number of cycles until an error stays below REACHED, infinite if never; error[0] is that of the start."""
    large = np.flatnonzero(error >= REACHED)
    if not len(large):
        return 0.0
    return float(large[-1] + 1) if large[-1] + 1 < len(error) else math.inf


@dataclass(frozen=True)
class Tour:
    """The runs to all nine targets in sequence, and the error after every cycle of each."""

    runs: tuple[Run, ...]
    errors: tuple[Array, ...]

    @property
    def cycles(self) -> npt.NDArray[np.float64]:
        """The cycles to reach each target, infinite if never."""
        return np.array([cycles_to_reach(error) for error in self.errors])

    @property
    def states(self) -> Array:
        """All states, including the start."""
        return np.concatenate([self.runs[0].states[:1], *(run.states[1:] for run in self.runs)])


def tour(
    kind: str,
    start: Array,
    held: int = HELD,
    *,
    nine: Sequence[Target] | None = None,
    net: AngleNetwork | None = None,
    **settings: object,
) -> Tour:
    """Run the network to the nine targets in sequence, each from the last state. held: the number of cycles per target."""
    nine = targets() if nine is None else nine
    net = network(**settings) if net is None else net
    state = net.begin(start)
    runs, wrong = [], []
    for target in nine:
        known = dict(zip(net.variables, net.state(target.posture).tolist(), strict=True))
        run = net.run(state, clamped(net, kind, known), cycles=held)
        missing = held + 1 - len(run.states)  # a network at an exact fixed point stops early
        if missing:
            run = Run(
                np.concatenate([run.states, run.states[-1:].repeat(missing, 0)]), run.change, run.end, run.disagreement
            )
        runs.append(run)
        wrong.append(errors(net, run.states, kind, target.place))
        state = run.states[-1]
    return Tour(tuple(runs), tuple(wrong))
