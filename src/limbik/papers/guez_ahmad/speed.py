"""The time of the network beside exact methods (Problems ii, iii; Discussion), and of exact answers that start from it.

For the two-link arm, the paper's example, the Puma 560, and the Jaco 2, which has no closed form: a network of 10 + 10
units; the closed form by the calls for one posture and for all; Levenberg-Marquardt (LM) from the network's answers,
from limbik's home posture, from the middle of the postures that the network knows, and from a posture 0.01 rad away, as
in a control cycle. All run in the core, in batches of the same poses, in one thread, in interleaved rounds. "Network +
LM" counts both, including the network's inputs.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim, at_most, exactly
from limbik.papers.guez_ahmad.freedom import ARMS, Freedom, trained
from limbik.papers.guez_ahmad.timed import interleaved, ratio
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.papers.timing import MICROSECONDS
from limbik.robot.chain import Chain
from limbik.solvers.neural.perceptron import Perceptron

POSES, ROUNDS = 1000, 31
# The largest distances of a joint from the previous posture in a control cycle [rad].
CYCLES = (0.1, 0.01)
# The errors up to which limbik's `solve` calls a pose reached [m, rad].
TOLERANCE = 1e-8
JACO = Freedom("jaco2", (-1.5, 4.2, 1.2, -0.8, -2.3, 0.4), (0, 1, 2, 3, 4, 5))
TITLES = {"two links": ARMS[0], "Puma 560": ARMS[2], "Jaco 2": JACO}
CLOSED = ("two links", "Puma 560")
NETWORK, BOTH = "network", "network + LM"
SEEDS = {
    "from the network": "LM from the network's answer",
    "from home": "LM from the home posture",
    "from the middle": "LM from the middle posture",
    **{f"from {cycle:g} rad": f"LM from {cycle:g} rad away" for cycle in CYCLES},
}
ONE, EVERY, FORM = "closed form, one", "closed form, all", "closed form"
# The lines of tables.
TEXTS = SEEDS | {FORM: "closed form, the faster of both"}
PERCENT = 100.0


def measure(setting: Setting) -> Findings:
    """Time all methods in interleaved rounds on the same poses, and count the steps of LM."""
    values: dict[str, float] = {}
    for title, each in TITLES.items():
        values |= {f"{title} {key}": value for key, value in _of(title, each, setting).items()}
    return Findings(values)


def _of(title: str, each: Freedom, setting: Setting) -> dict[str, float]:
    arm, network = each.arm, trained(each, setting)
    rng = np.random.default_rng([2, setting.size(1, 0)])
    q = each.drawn(rng, POSES)
    Ts = arm.forward(q)
    guesses = answers(each, arm, network, Ts)
    nearby = (q + rng.uniform(-cycle, cycle, q.shape) for cycle in CYCLES)
    seeds = dict(zip(SEEDS, (guesses, None, np.array(each.middle), *nearby), strict=True))
    calls: dict[str, Callable[[], Any]] = {NETWORK: partial(answers, each, arm, network, Ts)}
    calls |= {name: partial(arm.solve_batch, Ts, seed, 1, method="lm") for name, seed in seeds.items()}
    if title in CLOSED:
        calls |= {ONE: partial(arm.solve_batch, Ts, None, 1), EVERY: partial(arm.solve_all_batch, Ts, None, 1)}
    times = interleaved(calls, ROUNDS)
    times[BOTH] = times[NETWORK] + times["from the network"]
    if title in CLOSED:
        times[FORM] = np.minimum(times[ONE], times[EVERY])
    values = {f"{name} time": MICROSECONDS * float(np.median(found)) / len(q) for name, found in times.items()}
    compared = [name for name in times if name not in (NETWORK, BOTH, "from the network", ONE, EVERY)]
    values |= {
        f"{part} over {whole}": ratio(times[part], times[whole]) for part in (NETWORK, BOTH) for whole in compared
    }
    for name, seed in seeds.items():
        found = arm.solve_batch(Ts, seed, 1, method="lm")
        values |= {f"{name} steps": float(found.steps.mean()), f"{name} most": float(found.steps.max())}
        if name == "from the network":
            off = arm.forward(found.q)[:, :3, 3] - Ts[:, :3, 3]
            values["solved"] = PERCENT * float(found.ok.mean())
            values["off"] = float(np.linalg.norm(off, axis=1).max())
    inputs, first, second, outputs = network.layers
    return values | {
        "products": float(inputs * first + first * second + second * outputs),
        "functions": float(first + second),
    }


def answers(each: Freedom, arm: Chain, network: Perceptron, Ts: Array) -> Array:
    """Return a network's answers to poses."""
    return network(each.inputs(arm, Ts))


def _claims(title: str) -> tuple[Claim, ...]:
    closed = (ONE, EVERY, FORM) if title in CLOSED else ()
    exact = tuple(name for name in (*SEEDS, *closed[2:]) if name != "from the network")

    def cell(table: str, key: str, line: str, column: str, unit: str) -> Claim:
        return Claim(
            f"{title} {key}", f"{title}, {line}: {column}", unit, None, None, Cell(f"{title}: {table}", line, column)
        )

    spent = "time of a pose in a batch, and ratios of times"
    claims = [
        cell(spent, f"{name} time", TEXTS.get(name, name), "time [us]", "us")
        for name in (NETWORK, *SEEDS, BOTH, *closed)
    ]
    for part in (NETWORK, BOTH):
        claims += [
            cell(spent, f"{part} over {name}", TEXTS.get(name, name), f"{part} takes", "ratio") for name in exact
        ]
    for name, text in SEEDS.items():
        claims += [
            cell("steps of LM", f"{name} steps", text, "mean steps", "steps"),
            cell("steps of LM", f"{name} most", text, "most steps", "steps"),
        ]
    claims += [
        Claim(f"{title} solved", f"{title}, poses solved by LM from the network's answer", "%", bar=exactly(100)),
        Claim(
            f"{title} off", f"{title}, largest position error of these answers by forward kinematics", "m",
            bar=at_most(TOLERANCE),
        ),
        Claim(f"{title} products", f"{title}, multiplications of the network", "products"),
        Claim(f"{title} functions", f"{title}, tanh of the network", "calls"),
    ]  # fmt: skip
    return tuple(claims)


EXPERIMENT = Experiment(
    name="speed",
    claims=tuple(claim for title in TITLES for claim in _claims(title)),
    measure=measure,
    notes=(
        "times are compiled code against compiled code, in batches and one thread; ratios are medians over interleaved "
        "rounds. The paper prints no time.",
    ),
)
