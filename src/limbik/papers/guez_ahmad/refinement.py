"""The network's answer as the initial guess of a local differential method (Discussion), beside other initial guesses.

For the two-link arm, to 1e-6 m, by three methods: Newton's, dq = J^-1 e; damped least squares, dq = J'(JJ' + m I)^-1 e
with m = 0.01; Levenberg-Marquardt, the same with an m that is divided by 10 if a step reduces the error, and multiplied
by 10, without the step, if not. No joint rotates by more than 1 rad per step. Networks do not need this bound; for the
fixed posture it is the best of five that were tried. Initial guesses: networks, one fixed posture (0, 90 degrees),
random postures of the same branch, random postures. The networks by back-propagation are those of the first start; the
worst of all starts is listed beside.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim
from limbik.papers.guez_ahmad.graphs import draw_refinement
from limbik.papers.guez_ahmad.quadrant import TWO_LINKS, points
from limbik.papers.guez_ahmad.training import LATE, PAPER, TESTED, by_epochs, by_marquardt, chosen
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.robot.chain import Chain

# The error at which a target is reached [m], and the number of steps after which it counts as failed.
NEAR, MOST_STEPS = 1e-6, 50
# The constant m of damped least squares [m^2].
DAMPING = 0.01
# The largest rotation of a joint per step [rad].
LARGEST_STEP = 1.0
# Below this theta2 branches cannot be distinguished: the tip moves by less than NEAR [rad].
SAME_BRANCH = 3e-3
# The initial damping of Levenberg-Marquardt, its factor and its smallest value.
FIRST, FACTOR, LEAST = 1e-4, 10.0, 1e-12
# The side of the grid for networks of all starts.
FEWER = 51
PERCENT = 100.0


@dataclass(frozen=True)
class Refined:
    """For each target: the steps, whether it was reached, and whether on the branch that networks are trained with."""

    steps: npt.NDArray[np.int64]
    reached: npt.NDArray[np.bool_]
    branch: npt.NDArray[np.bool_]

    @property
    def values(self) -> dict[str, float]:
        """Mean and most steps of reached targets, the share of failures and the share on the trained branch [%]."""
        some = self.reached.any()
        return {
            "steps": float(self.steps[self.reached].mean()) if some else np.nan,
            "most": float(self.steps[self.reached].max()) if some else np.nan,
            "failed": PERCENT * float((~self.reached).mean()),
            "branch": PERCENT * float(self.branch[self.reached].mean()) if some else np.nan,
        }


def newton(J: Array, e: Array) -> Array:
    """Return J^-1 e; not finite where J is singular."""
    determinant = J[:, 0, 0] * J[:, 1, 1] - J[:, 0, 1] * J[:, 1, 0]
    adjugate = np.stack(
        [J[:, 1, 1] * e[:, 0] - J[:, 0, 1] * e[:, 1], J[:, 0, 0] * e[:, 1] - J[:, 1, 0] * e[:, 0]], axis=-1
    )
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.asarray(adjugate / determinant[:, None])


def damped(J: Array, e: Array, square: Array) -> Array:
    """Return J'(JJ' + square I)^-1 e."""
    A = J @ np.swapaxes(J, 1, 2) + square[:, None, None] * np.eye(2)
    return np.asarray((np.swapaxes(J, 1, 2) @ np.linalg.solve(A, e[..., None]))[..., 0])


def refine(arm: Chain, places: Array, q: Array, method: str) -> Refined:
    """Go from first guesses q (k, 2) to places (k, 2), all targets side by side."""
    goal, q = points(places), np.array(q, np.float64)
    k = len(q)
    steps, reached = np.zeros(k, np.int64), np.zeros(k, bool)
    square = np.full(k, DAMPING if method == "DLS" else FIRST)
    active = np.arange(k)
    for count in range(MOST_STEPS + 1):
        T, J = arm.forward_jacobian(q[active])
        e = goal[active] - T[:, :2, 3]
        near = np.linalg.norm(e, axis=1) <= NEAR
        steps[active[near]], reached[active[near]] = count, True
        active, J, e = active[~near], J[~near, :2], e[~near]
        if not len(active) or count == MOST_STEPS:
            break
        step = newton(J, e) if method == "Newton" else damped(J, e, square[active])
        singular = ~np.isfinite(step).all(axis=1)
        active, e, step = active[~singular], e[~singular], step[~singular]
        ahead = q[active] + step / np.maximum(np.abs(step).max(axis=1, keepdims=True) / LARGEST_STEP, 1.0)
        if method == "LM":
            after = np.linalg.norm(goal[active] - arm.forward(ahead)[:, :2, 3], axis=1)
            helped = after < np.linalg.norm(e, axis=1)
            square[active] = np.maximum(square[active] * np.where(helped, 1.0 / FACTOR, FACTOR), LEAST)
            ahead = np.where(helped[:, None], ahead, q[active])
        q[active] = ahead
    return Refined(steps, reached, np.sin(q[:, 1]) >= -SAME_BRANCH)


def guesses(setting: Setting, places: Array) -> dict[str, Array]:
    """Return the initial guesses by name, (k, 2) each."""
    best = by_marquardt(TWO_LINKS, setting)
    late = by_epochs(TWO_LINKS, setting)
    low, high = TWO_LINKS.ranges(TESTED)[1]
    rng, k = setting.rng(), len(places)
    found = [
        late[PAPER][0](places),
        late[LATE][0](places),
        best[chosen(TWO_LINKS, best)](places),
        np.tile([0.0, np.pi / 2], (k, 1)),
        rng.uniform(low, high, (k, 2)),
        rng.uniform(-np.pi, np.pi, (k, 2)),
    ]
    return dict(zip(GUESSES, found, strict=True))


METHODS = ("Newton", "DLS", "LM")
NETWORKS = (f"network, {PAPER:,} epochs", f"network, {LATE:,} epochs", "network, Levenberg-Marquardt")
FIXED, RANDOM = "fixed (0, 90 deg)", "random"
GUESSES = (*NETWORKS, FIXED, "random, same branch", RANDOM)


def measure(setting: Setting) -> Findings:
    """Refine every initial guess by every method, and the answers of the networks of all starts."""
    places = TWO_LINKS.places(TESTED)
    arm, counted = TWO_LINKS.arm, {}
    values: dict[str, float] = {}
    for name, q in guesses(setting, places).items():
        for method in METHODS:
            found = refine(arm, places, q, method)
            values |= {f"{name} {method} {what}": value for what, value in found.values.items()}
            if method == "Newton":
                counted[name] = np.where(found.reached, found.steps, MOST_STEPS)
    fewer = TWO_LINKS.places(FEWER)
    trained = by_epochs(TWO_LINKS, setting)
    for name, networks in zip(NETWORKS, (trained[PAPER], trained[LATE], by_marquardt(TWO_LINKS, setting)), strict=True):
        for method in METHODS:
            rows = [refine(arm, fewer, network(fewer), method).values for network in networks]
            values[f"{name} {method} worst steps"] = max(row["steps"] for row in rows)
            values[f"{name} {method} worst failed"] = max(row["failed"] for row in rows)
    return Findings(values, (Picture("first_guesses", partial(draw_refinement, counted)),))


COLUMNS = {
    "steps": ("mean steps", "steps"),
    "most": ("most steps", "steps"),
    "failed": ("failed targets", "%"),
    "branch": ("on the trained branch", "%"),
}
WORST = {"worst steps": ("mean steps, worst start", "steps"), "worst failed": ("failed targets, worst start", "%")}


def _claims(name: str, method: str) -> tuple[Claim, ...]:
    table = f"steps to 1e-6 m, failures and trained branch: {method}"
    shown = COLUMNS | WORST if name in NETWORKS else COLUMNS
    return tuple(
        Claim(f"{name} {method} {key}", f"{method} from {name}: {text}", unit, None, None,
              Cell(table, name, f"{text} %" if unit == "%" else text))
        for key, (text, unit) in shown.items()
    )  # fmt: skip


EXPERIMENT = Experiment(
    name="first guesses",
    claims=tuple(claim for method in METHODS for name in GUESSES for claim in _claims(name, method)),
    measure=measure,
    notes=("steps count only targets that are reached, which favours guesses that fail.",),
)
