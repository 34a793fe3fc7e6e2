"""Errors inside the network: computations removed or noisy.

"The highly parallel structure makes the system rather independent of errors occurring within the system" (section 5).
The removed computations are drawn at random from the 83. A variable without any computation left keeps its value. The noise is
normally distributed, independent in every cycle, and added to some computations [rad, and lengths of a segment].
"""

import math

import numpy as np

from limbik.papers.claim import Cell, Claim
from limbik.papers.cruse_steinkuehler.arm import INVERSE, clamped, cycles_to_reach, errors, network, targets
from limbik.papers.cruse_steinkuehler.random_problems import ONE_WAY, drawn
from limbik.papers.paper import Experiment, Findings, Setting

REMOVED = (0, 1, 5, 10, 20, 40)
NOISY = ((83, 0.01), (83, 0.05), (83, 0.2), (20, 0.2), (20, 1.0))
FULL, QUICK = 1000, 60
CYCLES, LAST = 400, 100
PERCENT = 100.0


def measure(setting: Setting) -> Findings:
    """Remove computations or add noise, and measure convergence and the remaining error."""
    values: dict[str, float] = {}
    count = setting.size(FULL, QUICK)
    rows = len(network().triangles.computations)
    for removed in REMOVED:
        rng = setting.rng()
        cycles = np.array(
            [_once(rng, removed=tuple(rng.choice(rows, removed, replace=False).tolist()))[0] for _ in range(count)]
        )
        finite = cycles[np.isfinite(cycles)]
        values[f"{removed} removed: converged"] = PERCENT * len(finite) / count
        values[f"{removed} removed: mean"] = float(finite.mean()) if len(finite) else math.nan
    for noisy, size in NOISY:
        rng = setting.rng()
        remaining = [
            _once(
                rng,
                noisy=tuple(rng.choice(rows, noisy, replace=False).tolist()),
                noise=size,
                seed=int(rng.integers(2**31)),
            )[1]
            for _ in range(count)
        ]
        values[f"{noisy} noisy {size}"] = float(np.median(remaining))
    return Findings(values)


def _once(rng: np.random.Generator, **settings: object) -> tuple[float, float]:
    """Return the cycles from a random start to one of the nine targets at random, and the mean error of the last cycles."""
    net = network(**settings)
    target = targets()[rng.integers(9)]
    known = dict(zip(net.variables, net.state(target.posture).tolist(), strict=True))
    run = net.run(net.begin(drawn(rng, ONE_WAY)), clamped(net, INVERSE, known), cycles=CYCLES)
    error = errors(net, run.states, INVERSE, target.place)
    return cycles_to_reach(error), float(error[-LAST:].mean())


def _claims() -> tuple[Claim, ...]:
    claims = []
    for removed in REMOVED:
        line = f"{removed} of 83 removed"
        for key, column, unit in (("converged", "converged [%]", "%"), ("mean", "mean cycles", "cycles")):
            place = Cell("inverse problem, computations removed", line, column)
            claims.append(Claim(f"{removed} removed: {key}", f"inverse problem, {line}: {column}", unit, cell=place))
    for noisy, size in NOISY:
        what = f"inverse problem, noise of {size} on {noisy} of 83: median remaining error"
        claims.append(Claim(f"{noisy} noisy {size}", what, "segments"))
    return tuple(claims)


EXPERIMENT = Experiment(
    name="errors inside",
    claims=_claims(),
    measure=measure,
    notes=(
        "the paper prints no values here, only the sentence; the network without removals is the measure of the others",
    ),
)
