"""Figure 10: the cost of 20 iterations of the descent with n links: each of n muscles needs direct kinematics of n links."""

from pathlib import Path
from time import perf_counter

import numpy as np

from limbik.model.muscle import Muscle, Pulley
from limbik.papers.claim import Claim, within
from limbik.papers.gini import pictures
from limbik.papers.gini.printed import CALLS, ITERATIONS
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.robot.chain import Chain

LINKS = (8, 16, 32, 64)
ROUNDS, QUICK_ROUNDS = 60, 30
MILLI = 1e3
# The exponent of n (n + 1) over LINKS, and how far a measured one may be from it: a linear cost has 1, a cubic one 3.
EXPONENT = float(np.polyfit(np.log(LINKS), np.log([n * (n + 1) for n in LINKS]), 1)[0])
ROOM = 0.3
# Muscles that a step moves, by Sub(i), for the paper's four independent muscles.
MOVED = {"all": 4, "couples": 2}


def chain(links: int) -> Chain:
    """Return a planar arm of length 1 m with a muscle on a pulley at each joint."""
    rows = [(1.0 / links, 0.0, 0.0, 0.0, "revolute", -1.5, 1.5)] * links
    arm = Chain.from_dh(rows, name=f"{links}_links")
    muscles = [
        Muscle(f"m{k}", (), (Pulley(name, 0.02),), 0.2, 0.1, 0.3, independent=True)
        for k, name in enumerate(arm.joint_names)
    ]
    return arm.with_muscles(muscles)


def measure(setting: Setting) -> Findings:
    """Time 20 sweeps of the descent for arms with increasing numbers of links."""
    times, calls = [], []
    for links in LINKS:
        arm = chain(links)
        point = arm.forward(np.full(links, 1.2 / links))[:3, 3]
        q = np.full(links, 0.3 / links)
        rounds: dict[int, list[float]] = {ITERATIONS: [], 0: []}
        for _ in range(setting.size(ROUNDS, QUICK_ROUNDS)):
            for sweeps, own in rounds.items():  # the time of a call without sweeps is subtracted
                begin = perf_counter()
                run = arm.muscles.descend_lengths(point, None, q, sweeps=sweeps, goal=0.0, reheating=False)
                own.append(perf_counter() - begin)
                if sweeps:
                    calls.append(run.calls)
        times.append(min(rounds[ITERATIONS]) - min(rounds[0]))
    slope = float(np.polyfit(np.log(LINKS), np.log(times), 1)[0])
    values = {f"{n} time": t * MILLI for n, t in zip(LINKS, times, strict=True)}
    each = calls[0] / (ITERATIONS * LINKS[0])
    values |= {"slope": slope, "calls": each} | {f"calls {name}": each * moved for name, moved in MOVED.items()}

    def draw(path: Path) -> None:
        pictures.cost(path, LINKS, times, slope)

    return Findings(values, (Picture("figure_10_cost", draw),))


EXPERIMENT = Experiment(
    name="cost",
    claims=(
        *(Claim(f"{n} time", f"Figure 10, {n} links: {ITERATIONS} iterations", "ms") for n in LINKS),
        Claim("slope", f"Figure 10: exponent of the time as a power of the number of links, {LINKS[0]} to {LINKS[-1]}", "",
              EXPONENT, within(ROOM, EXPONENT)),
        Claim("calls", "direct kinematics per muscle and step: one for the gradient, one for the trial", "calls"),
        *(Claim(f"calls {name}", f"direct kinematics per step of four muscles, Sub(i): {name}", "calls", float(CALLS))
          for name in MOVED),
    ),
    measure=measure,
    notes=(
        "the paper counts four direct kinematics per step, one for each independent muscle. Its loop needs two per muscle: one "
        "for the gradient and one to check whether the distance decreases. Sub(i) as a couple of muscles makes four.",
        f"the paper's exponent is that of its n (n + 1) over the same numbers of links, {EXPONENT:.2f}.",
    ),
)  # fmt: skip
