"""The time of an approximate answer beside exact ones, for the paper's example, the Puma 560 (Problems ii, iii; Discussion).

In one run, on the same poses: a network of 10 + 10 units, all postures by closed form, one posture by Levenberg-Marquardt from
limbik's own seeds, and one from the network's answer. The poses have the distribution that the network was trained with.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from limbik.papers.claim import Claim
from limbik.papers.guez_ahmad.freedom import ARMS, HALF, trained
from limbik.papers.guez_ahmad.printed import PUMA_COUNTS
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.papers.timing import MICROSECONDS, seconds_per_call

POSES, QUICK_POSES, ROUNDS = 1000, 200, 5
PUMA = ARMS[2]


def measure(setting: Setting) -> Findings:
    """Time all methods alternately on the same poses."""
    arm = PUMA.arm
    network, _ = trained(PUMA, setting)
    rng = np.random.default_rng([2, setting.size(1, 0)])
    q = np.array(PUMA.middle) + rng.uniform(-HALF, HALF, (setting.size(POSES, QUICK_POSES), arm.n))
    Ts, x = arm.forward(q), PUMA.inputs(arm, q)
    guesses = network(x)
    scaled = network.scaled(x)
    methods: dict[str, Callable[[int], Any]] = {
        "network": lambda k: network.kernel.outputs(network.weights, scaled[k]),
        "closed form": lambda k: arm.solve_all(Ts[k], limits=False).q,
        "LM": lambda k: arm.solve(Ts[k], method="lm", limits=False).q,
        "LM from the network": lambda k: arm.solve(Ts[k], seed=guesses[k], method="lm", limits=False).q,
    }
    rounds = [[seconds_per_call(call, range(len(Ts))) for call in methods.values()] for _ in range(ROUNDS)]
    values = dict(zip(methods, MICROSECONDS * np.median(rounds, axis=0), strict=True))
    found = [arm.solve(T, seed=seed, method="lm", limits=False) for T, seed in zip(Ts, guesses, strict=True)]
    values["solved"] = float(100.0 * np.mean([answer.ok for answer in found]))
    inputs, first, second, outputs = network.layers
    values["products"] = float(inputs * first + first * second + second * outputs)
    values["functions"] = float(first + second)
    return Findings(values)


EXPERIMENT = Experiment(
    name="speed",
    claims=(
        Claim("network", "Puma 560, approximate posture by the compiled network: time of a call", "us"),
        Claim("closed form", "Puma 560, all postures by closed form, verified: time of a call", "us"),
        Claim("LM", "Puma 560, one posture by Levenberg-Marquardt: time of a call", "us"),
        Claim(
            "LM from the network",
            "Puma 560, one posture by Levenberg-Marquardt from the network's answer: time of a call",
            "us",
        ),
        Claim("solved", "Puma 560, poses solved from the network's answer", "%"),
        Claim(
            "products",
            "Puma 560, multiplications of the network (paper: of the closed form)",
            "products",
            PUMA_COUNTS[0],
        ),
        Claim(
            "functions",
            "Puma 560, tanh of the network (paper: transcendental functions of the closed form)",
            "calls",
            PUMA_COUNTS[2],
        ),
    ),
    measure=measure,
)
