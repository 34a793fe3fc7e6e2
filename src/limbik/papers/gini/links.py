"""Figure 10: the cost of 20 iterations of the descent with n links: each of n muscles needs direct kinematics of n links."""

from pathlib import Path
from time import perf_counter

import numpy as np

from limbik.model.muscle import Muscle, Pulley
from limbik.papers.claim import Bar, Claim
from limbik.papers.gini import pictures
from limbik.papers.gini.printed import ITERATIONS
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.robot.chain import Chain

LINKS = (8, 16, 32, 64)
ROUNDS, QUICK_ROUNDS = 60, 30
MILLI = 1e3


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
    values |= {"slope": slope, "calls": calls[0] / (ITERATIONS * LINKS[0])}

    def draw(path: Path) -> None:
        pictures.cost(path, LINKS, times, slope)

    return Findings(values, (Picture("figure_10_cost", draw),))


EXPERIMENT = Experiment(
    name="cost",
    claims=(
        *(Claim(f"{n} time", f"Figure 10, {n} links: {ITERATIONS} iterations", "ms") for n in LINKS),
        Claim("slope", "Figure 10: exponent of the time as a power of the number of links", "", 2.0, Bar(1.8, 2.1)),
        Claim(
            "calls",
            "direct kinematics per muscle and sweep: one for the gradient, one for the trial step",
            "calls",
            1.0,
        ),
    ),
    measure=measure,
    notes=(
        "the paper counts one direct kinematics per muscle; its loop needs a second one to check whether the distance decreases.",
    ),
)
