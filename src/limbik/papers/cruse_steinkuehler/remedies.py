"""Oscillations, and the paper's remedies.

"Either a low-pass filter or, more simply, only the output values of every second time step", or outputs "frozen during this
refractory period" (section 5). The parallel network goes through the nine targets of the inverse problem. What an arm would feel
of it is the jerkiness of its joint angles: the root mean square of second differences from cycle to cycle; and how far the
posture lags behind.
"""

from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim
from limbik.papers.cruse_steinkuehler.arm import COMFORTABLE, INVERSE, network, targets, tour
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.relaxation.outputs import OUTPUTS, filtered

HELD = 60
SHARE = 0.3
NETWORKS = ("parallel", "sequential")


def handed_on(states: Array, output: str) -> Array:
    """Return what is handed on of states."""
    made: Any = lambda _cycle, state, _rests: state  # noqa: E731
    return np.array(list(filtered(iter(states), output, SHARE, made)))


def measure(setting: Setting) -> Findings:
    """Hand on the same run in four ways."""
    values: dict[str, float] = {}
    for update in NETWORKS:
        net = network(update=update)
        states = tour(INVERSE, COMFORTABLE, HELD, net=net).states
        for output in OUTPUTS:
            handed = handed_on(states, output)
            joints = handed[:, [net.variables.index(name) for name in net.triangles.joints]]
            taken = joints[:: 2 if output == "every_second" else 1]
            # the first cycles of a target are the jump itself
            calm = np.diff(taken, 2, axis=0)[_late(len(taken))]
            values[f"{update}, {output}: rough"] = float(np.degrees(np.sqrt(np.mean(calm**2))))
            tips = net.points(net.directions(joints))[:, -1]
            wanted = np.concatenate([[targets()[0].place], *([t.place] * HELD for t in targets())])
            missed = np.linalg.norm(tips - wanted, axis=1)
            values[f"{update}, {output}: late"] = float(np.mean(missed[1:]))
    return Findings(values)


def _late(count: int) -> Array:
    """Return which second differences lie more than a few cycles after a change of target."""
    stride = (count - 1) / 9
    place = np.arange(1, count - 1) % stride
    return np.asarray((place > 4 * stride / HELD) & (place < stride - 1))


EXPERIMENT = Experiment(
    name="remedies",
    claims=tuple(
        Claim(f"{update}, {output}: {key}", f"{update} network, output {output}: {said}", unit,
              cell=Cell("outputs for an arm that follows the network", f"{update}, {output}", column))
        for update in NETWORKS
        for output in OUTPUTS
        for key, said, column, unit in (
            ("rough", "roughness of the joint angles after each jump", "roughness [deg/cycle^2]", "deg/cycle^2"),
            ("late", "mean distance from the target", "mean error", "segments"),
        )
    ),
    measure=measure,
)  # fmt: skip
