"""The paper's future work: networks that give a redundant arm its best posture by a cost, and obstacle avoidance.

The arm is the iiwa 7. Targets are poses of random postures, so all are reachable. limbik's network
(`lk.train(prefer=...)`) learns postures of high manipulability, sqrt det(J J') [Yoshikawa], or postures whose elbow is
far from a ball; Levenberg-Marquardt (LM) refines its answer to the exact pose. Beside it are: LM alone, from home; the
best of LM's attempts; the closed form with its default choice of the swivel; and the optimum, which counts as 100 %:
the best posture of all swivels and branches by the closed form, or that of a method if it is better.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

import limbik as lk
from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim, exactly
from limbik.papers.guez_ahmad.timed import interleaved, ratio
from limbik.papers.paper import Experiment, Findings, Setting

# The targets, the swivels of the search for the optimum, and the rounds of the times.
TARGETS, QUICK_TARGETS, SWIVELS, QUICK_SWIVELS, ROUNDS = 500, 80, 144, 48, 11
# The training: postures chosen by the cost, and steps.
EXAMPLES, QUICK_EXAMPLES, STEPS, QUICK_STEPS = 4000, 500, 3000, 600
CHECK = 500
# The elbow, the ball [m], and the distance below which the elbow is too close to its surface [m].
ELBOW, BALL, RADIUS, CLOSE = "link4", (0.0, 0.42, 0.55), 0.16, 0.05
# Targets closer to the ball's centre are left out: the hand would be at the ball [m].
HAND = 0.4
PERCENT = 100.0

LM, BEST_OF, FORM, NETWORK, OPTIMUM = "LM", "best of LM's attempts", "closed form", "network, then LM", "optimum"
COMPARED = (LM, BEST_OF, FORM, NETWORK)


@cache
def arm() -> lk.Chain:
    """Return the arm."""
    return lk.load("iiwa7")


def manipulability(q: Array) -> Array:
    """Return Yoshikawa's manipulability sqrt det(J J') of postures, (k, 7) -> (k,)."""
    J = arm().jacobian(q)
    return np.asarray(np.sqrt(np.maximum(np.linalg.det(J @ np.swapaxes(J, -1, -2)), 0.0)))


def clearance(q: Array) -> Array:
    """Return the distance from the elbow to the ball's surface, (k, 7) -> (k,) [m]."""
    return np.asarray(np.linalg.norm(arm().forward(q, ELBOW)[..., :3, 3] - BALL, axis=-1) - RADIUS)


Cost = Callable[[Array], Array]


def network(cost: Cost | str, setting: Setting) -> lk.Chain:
    """Return the arm with a network that prefers postures of a high cost."""
    examples, steps = setting.size(EXAMPLES, QUICK_EXAMPLES), setting.size(STEPS, QUICK_STEPS)
    return arm().with_network(lk.train(arm(), prefer=cost, examples=examples, steps=steps, check=min(CHECK, steps)))


def answered(able: lk.Chain, cost: Cost, Ts: Array) -> dict[str, Any]:
    """Return the answers of every method."""
    return {
        LM: able.solve_batch(Ts, method="lm"),
        BEST_OF: able.solve_batch(Ts, method="lm", prefer=lambda q: float(cost(q[None])[0])),
        FORM: able.solve_batch(Ts),
        NETWORK: able.solve_batch(Ts, method="neural"),
    }


def optima(cost: Cost, Ts: Array, swivels: int) -> Array:
    """Return the largest cost of all postures at a number of swivels, by the closed form."""
    angles = np.linspace(-np.pi, np.pi, swivels, endpoint=False).tolist()
    found = []
    for T in Ts:
        postures = [each.q for each in (arm().solve_all(T, swivel=angle) for angle in angles) if len(each)]
        found.append(cost(np.concatenate(postures)).max() if postures else -np.inf)
    return np.array(found)


def times(able: lk.Chain, Ts: Array) -> float:
    """Return the time of the network's answers relative to those of LM, both with their refinement, in one thread."""
    calls = {name: partial(able.solve_batch, Ts, None, 1, method=name) for name in ("neural", "lm")}
    found = interleaved(calls, ROUNDS)
    return ratio(found["neural"], found["lm"])


def drawn(setting: Setting) -> Array:
    """Return reachable targets, those away from the ball."""
    rng = np.random.default_rng([3, setting.size(1, 0)])
    Ts = arm().forward(arm().sample(rng, 2 * setting.size(TARGETS, QUICK_TARGETS)))
    away = np.linalg.norm(Ts[:, :3, 3] - BALL, axis=1) > HAND
    return np.asarray(Ts[away][: setting.size(TARGETS, QUICK_TARGETS)])


def measure_manipulability(setting: Setting) -> Findings:
    """Measure the manipulability of the answers of each method, as a part of the optimum."""
    able, Ts = network("manipulable", setting), drawn(setting)
    answers = answered(able, manipulability, Ts)
    best = optima(manipulability, Ts, setting.size(SWIVELS, QUICK_SWIVELS))
    reached = {name: np.where(found.ok, manipulability(found.q), 0.0) for name, found in answers.items()}
    # The swivels are a grid, so that a method can find a slightly better posture.
    best = np.maximum.reduce([best, *reached.values()])
    values = {"time": times(able, Ts)}
    for name, found in answers.items():
        part = PERCENT * reached[name] / best
        values |= {f"{name} mean": float(part.mean()), f"{name} tenth": float(np.percentile(part, 10))}
        values |= {f"{name} least": float(part.min()), f"{name} solved": PERCENT * float(found.ok.mean())}
        values[f"{name} tried"] = float(found.tried.mean())
    return Findings(values)


def measure_obstacle(setting: Setting) -> Findings:
    """Count the targets at which the elbow is too close to the ball, and those at which no posture avoids it."""
    able, Ts = network(clearance, setting), drawn(setting)
    answers = answered(able, clearance, Ts)
    away_by = {name: np.where(found.ok, clearance(found.q), -RADIUS) for name, found in answers.items()}
    best = np.maximum.reduce([optima(clearance, Ts, setting.size(SWIVELS, QUICK_SWIVELS)), *away_by.values()])
    values = {"unavoidable": PERCENT * float((best < CLOSE).mean()), "time": times(able, Ts)}
    for name, found in answers.items():
        away = away_by[name]
        values |= {f"{name} close": PERCENT * float((away < CLOSE).mean()), f"{name} least": float(away.min())}
        values[f"{name} solved"] = PERCENT * float(found.ok.mean())
    return Findings(values)


def _claims(table: str, columns: dict[str, tuple[str, str]]) -> tuple[Claim, ...]:
    return tuple(
        Claim(f"{name} {key}", f"{table}, {name}: {text}", unit, None, exactly(100) if key == "solved" else None,
              Cell(table, name, f"{text} [{unit}]"))
        for name in COMPARED for key, (text, unit) in columns.items()
    )  # fmt: skip


FIRST = "outlook, iiwa 7, manipulability relative to the best posture"
SECOND = "outlook, iiwa 7, a ball near the elbow"
TIME = "time of the network's exact answers relative to those of LM"
MANIPULABILITY = Experiment(
    name="outlook: manipulability",
    claims=(
        *_claims(FIRST, {"mean": ("mean", "%"), "tenth": ("10th percentile", "%"), "least": ("least", "%"),
                         "tried": ("attempts", "attempts"), "solved": ("solved", "%")}),
        Claim("time", f"{FIRST}: {TIME}", "ratio"),
    ),
    measure=measure_manipulability,
    notes=("the best of LM's attempts evaluates the cost of each; the column of attempts counts them.",),
)  # fmt: skip
OBSTACLE = Experiment(
    name="outlook: obstacle",
    claims=(
        *_claims(SECOND, {"close": ("elbow within 5 cm of the ball", "%"), "least": ("least distance", "m"),
                          "solved": ("solved", "%")}),
        Claim("unavoidable", f"{SECOND}: targets at which no posture keeps 5 cm", "%"),
        Claim("time", f"{SECOND}: {TIME}", "ratio"),
    ),
    measure=measure_obstacle,
)  # fmt: skip
