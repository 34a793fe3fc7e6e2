"""Limb lengths: as inputs of the network, and as unknowns.

"The input layer in Fig. 2 also offers the possibility to change the values L1, L2, and L3 ... these values are held constant at a
length of 1, but this does not affect the general validity of the results" (section 3), and joints may be translational, "if the
length of the limbs can be changed" (section 2). Random arms have the nine postures' joint angles, so their targets are in reach.
With equal lengths of 1 the same problems measure the paper's arm.
"""

import math

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim, at_most, exactly
from limbik.papers.cruse_steinkuehler.arm import KINDS, LENGTHS, clamped, cycles_to_reach, errors
from limbik.papers.cruse_steinkuehler.random_problems import ONE_WAY, drawn
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.solvers.relaxation.angle_network import AngleNetwork
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.mmc import Mmc
from limbik.solvers.relaxation.settings import Settings

# The ranges of the lengths: the longest segment is at most so many times the shortest.
SPREADS = {"lengths 1, 1, 1": 1.0, "lengths up to 1.5 apart": 1.5, "lengths up to 3 apart": 3.0}
UPDATES = ("parallel", "sequential")
FULL, QUICK = 1000, 60
CYCLES, PERCENT = 400, 100.0
# Unknown lengths: their range [segments], and the number of problems.
UNKNOWN = (0.4, 2.0)
SOLVED = (300, 40)


def drawn_lengths(rng: np.random.Generator, spread: float) -> Array:
    """Return three random lengths with a mean of 1; the ratio of any two is at most the spread."""
    lengths = np.exp(rng.uniform(0.0, math.log(spread), 3)) if spread > 1.0 else np.array(LENGTHS)
    return np.asarray(lengths / lengths.mean())


def converged(update: str, kind: str, spread: float, count: int, rng: np.random.Generator) -> float:
    """Return the share of random problems of random arms that the network solves [%]."""
    solved = 0
    for _ in range(count):
        goal, start, lengths = drawn(rng, ONE_WAY), drawn(rng, ONE_WAY), drawn_lengths(rng, spread)
        net = AngleNetwork(lengths.tolist(), Settings(update=update))
        known = dict(zip(net.variables, net.state(goal).tolist(), strict=True))
        place = known["R"] * np.array([math.cos(known["rho"]), math.sin(known["rho"])])
        run = net.run(net.begin(start), clamped(net, kind, known), cycles=CYCLES)
        solved += math.isfinite(cycles_to_reach(errors(net, run.states, kind, place)))
    return PERCENT * solved / count


def unknown(update: str, count: int, rng: np.random.Generator) -> float:
    """Return the share of problems in which the network alone finds a length, from R and the three joint angles [%]."""
    found = 0
    for _ in range(count):
        goal = np.array([*drawn(rng, ONE_WAY), rng.uniform(*UNKNOWN)])
        net = AngleNetwork(LENGTHS, Settings(update=update), free={"L2": Range(*UNKNOWN)})
        solution = net.state(goal)
        held = np.full(len(net.variables), math.nan)
        for name in ("alpha", "beta", "gamma", "R"):
            held[net.variables.index(name)] = solution[net.variables.index(name)]
        run = net.run(net.begin(np.array([*goal[:3], 1.0])), held, cycles=CYCLES)
        p = net.points_at(net.joints(run.states[-1]))[-1]
        found += abs(math.hypot(*p) - solution[net.variables.index("R")]) < 0.01
    return PERCENT * found / count


def completed(count: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return the share of problems with an unknown length that `complete` solves [%], and the largest error of the tip [m].

    The tip is computed by the forward kinematics of a chain with the lengths found.
    """
    arm = load("planar3_cruse")
    assert isinstance(arm, Chain)
    network, solved, worst = Mmc(arm), 0, 0.0
    for _ in range(count):
        lengths, goal = drawn_lengths(rng, 2.0), drawn(rng, ONE_WAY)
        place = _chain(lengths).forward(np.array([goal[0], *(goal[1:] - math.pi)]))[:2, 3]
        given = {
            "L1": float(lengths[0]),
            "L2": UNKNOWN,
            "L3": float(lengths[2]),
            "x": float(place[0]),
            "y": float(place[1]),
        }
        found = network.complete(given)
        solved += found.ok
        own = _chain(np.array([found[name] for name in ("L1", "L2", "L3")]))
        if found.ok:
            worst = max(worst, float(np.abs(own.forward(found.q)[:2, 3] - place).max()))
    return PERCENT * solved / count, worst


def _chain(lengths: Array) -> Chain:
    return Chain.from_dh([(float(length), 0.0, 0.0, 0.0) for length in lengths])


def measure(setting: Setting) -> Findings:
    """Measure the network with lengths as inputs and as unknowns."""
    count = setting.size(FULL, QUICK)
    values = {
        f"{update}, {kind}, {name}": converged(update, kind, spread, count, setting.rng())
        for update in UPDATES
        for kind in KINDS
        for name, spread in SPREADS.items()
    }
    values |= {f"{update}, unknown": unknown(update, count, setting.rng()) for update in UPDATES}
    values["completed"], values["tip"] = completed(setting.size(*SOLVED), setting.rng())
    return Findings(values)


EXPERIMENT = Experiment(
    name="limb lengths",
    claims=(
        *(
            Claim(f"{update}, {kind}, {name}", f"limb lengths, {update}, {kind}, {name}: problems solved", "%",
                  cell=Cell("random problems solved by the network, by limb lengths [%]", f"{update}, {kind}", name))
            for update in UPDATES
            for kind in KINDS
            for name in SPREADS
        ),
        *(
            Claim(f"{update}, unknown", f"L2 from R and all joint angles, {update} network alone: R met to 0.01", "%")
            for update in UPDATES
        ),
        Claim("completed", "x, y, L1 and L3 given, L2 unknown: completed", "%", None, exactly(PERCENT)),
        Claim("tip", "L2 unknown: largest error of the tip, by forward kinematics with the lengths found", "m", None,
              at_most(1e-7)),
    ),
    measure=measure,
)  # fmt: skip
