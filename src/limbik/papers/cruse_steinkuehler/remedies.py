"""Oscillations, and the paper's remedies.

"Either a low-pass filter or, more simply, only the output values of every second time step", or outputs "frozen during this
refractory period" (section 5). The parallel network runs through the nine targets of the inverse problem. Measured are the
roughness of the joint angles that an arm would follow, which is the root mean square of their second differences from cycle to
cycle, and the mean distance of the tip from the target.
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


def outputs_of(states: Array, output: str) -> Array:
    """Return the states as an output passes them on."""
    made: Any = lambda _cycle, state, _rests: state  # noqa: E731
    return np.array(list(filtered(iter(states), output, SHARE, made)))


def measure(setting: Setting) -> Findings:
    """Apply every output to the same run."""
    values: dict[str, float] = {}
    for update in NETWORKS:
        net = network(update=update)
        states = tour(INVERSE, COMFORTABLE, HELD, net=net).states
        for output in OUTPUTS:
            passed = outputs_of(states, output)
            joints = passed[:, [net.variables.index(name) for name in net.triangles.joints]]
            stride = 2 if output == "every_second" else 1
            sampled = joints[::stride]
            # the first cycles after a change of target contain the jump itself
            second = np.diff(sampled, 2, axis=0)[_late(len(sampled))] / stride**2
            values[f"{update}, {output}: rough"] = float(np.degrees(np.sqrt(np.mean(second**2))))
            tips = net.points(net.directions(joints))[:, -1]
            desired = np.concatenate([[targets()[0].place], *([t.place] * HELD for t in targets())])
            missed = np.linalg.norm(tips - desired, axis=1)
            values[f"{update}, {output}: late"] = float(np.mean(missed[1:]))
    return Findings(values)


def _late(count: int) -> Array:
    """Return which second differences are more than a few cycles after a change of target."""
    stride = (count - 1) / 9
    phase = np.arange(1, count - 1) % stride
    return np.asarray((phase > 4 * stride / HELD) & (phase < stride - 1))


EXPERIMENT = Experiment(
    name="remedies",
    claims=tuple(
        Claim(f"{update}, {output}: {key}", f"{update} network, output {output}: {what}", unit,
              cell=Cell("outputs for an arm that follows the network", f"{update}, {output}", column))
        for update in NETWORKS
        for output in OUTPUTS
        for key, what, column, unit in (
            ("rough", "roughness of the joint angles", "roughness [deg/cycle^2]", "deg/cycle^2"),
            ("late", "mean distance from the target", "mean error", "segments"),
        )
    ),
    measure=measure,
)  # fmt: skip
