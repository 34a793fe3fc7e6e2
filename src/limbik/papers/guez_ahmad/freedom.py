"""Time against degrees of freedom: "independent of the number of dof" after training (feature ii), on an ordinary processor.

One network of 10 + 10 hidden units for arms with 2, 3 and 6 joints: its time, its multiplications, and its error. The training is
the same for all arms: Levenberg-Marquardt with random postures within half a radian of a regular one, and their tip poses as
inputs (x, y; also the angle of the tip; also z and the rotation vector).
"""

from dataclasses import dataclass
from time import perf_counter
from typing import cast

import numpy as np

from limbik._core import pose_error
from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim
from limbik.papers.guez_ahmad.training import HIDDEN
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.solvers.neural.marquardt_training import MarquardtTraining, best_of
from limbik.solvers.neural.perceptron import Perceptron, weight_count

# The half width of the range of joint values about the middle posture [rad].
HALF = 0.5
# The numbers of postures for training, for the choice of a start, and for the test.
EXAMPLES, QUICK_EXAMPLES, CHOOSING, TESTED = 1000, 200, 500, 5000
ITERATIONS, QUICK_ITERATIONS, STARTS = 60, 10, 8
# A wider network, to show what six joints need to approach the error of two.
WIDER = (20, 20)
# The rows of a timed batch, its repetitions, and the number of single calls.
ROWS, ROUNDS, CALLS = 20_000, 15, 2_000
NANOSECONDS, MICROSECONDS, PERCENT = 1e9, 1e6, 100.0


@dataclass(frozen=True)
class Freedom:
    """An arm of the catalogue, a regular posture of it [rad], and the components of the pose that determine its posture."""

    robot: str
    middle: tuple[float, ...]
    components: tuple[int, ...]
    hidden: tuple[int, ...] = HIDDEN

    @property
    def joints(self) -> int:
        """The number of joints."""
        return len(self.middle)

    @property
    def arm(self) -> Chain:
        """The arm."""
        return cast(Chain, load(self.robot))

    @property
    def name(self) -> str:
        """The name in rows."""
        return f"{self.joints} joints, {self.hidden[0]} + {self.hidden[1]} units"

    def inputs(self, arm: Chain, q: Array) -> Array:
        """Return the components of the difference between the tip's pose and that of the middle posture [m, rad]."""
        T = arm.forward(q)
        return np.asarray(-pose_error(T, arm.forward(np.array(self.middle)))[..., list(self.components)])


ARMS = (
    Freedom("planar2_guez", (0.3, 1.4), (0, 1)),
    Freedom("planar3_guez", (0.3, 1.4, 0.5), (0, 1, 5)),
    Freedom("puma560", (0.3, -0.6, -0.6, 0.5, 0.9, 0.4), (0, 1, 2, 3, 4, 5)),
    Freedom("puma560", (0.3, -0.6, -0.6, 0.5, 0.9, 0.4), (0, 1, 2, 3, 4, 5), WIDER),
)


def measure(setting: Setting) -> Findings:
    """Train and time the same network for each arm."""
    values: dict[str, float] = {}
    for each in ARMS:
        network, error = trained(each, setting)
        inner = weight_count(network.layers) - sum(network.layers[1:])
        values |= {f"{each.name} products": float(inner), f"{each.name} error": error}
        values[f"{each.name} row"] = _row_time(network) * NANOSECONDS
        values[f"{each.name} call"] = _call_time(network) * MICROSECONDS
    return Findings(values)


def trained(each: Freedom, setting: Setting) -> tuple[Perceptron, float]:
    """Return the chosen network for an arm, and its mean error [% of the reach]."""
    arm, rng = each.arm, setting.rng()
    middle = np.array(each.middle)
    sizes = (setting.size(EXAMPLES, QUICK_EXAMPLES), CHOOSING, TESTED)
    q, q_choosing, q_tested = (middle + rng.uniform(-HALF, HALF, (size, arm.n)) for size in sizes)
    x = each.inputs(arm, q)
    x_range, y_range = np.stack([x.min(axis=0), x.max(axis=0)]), np.stack([middle - HALF, middle + HALF])
    layers = (len(each.components), *each.hidden, arm.n)
    starts = [Perceptron.random(layers, x_range, y_range, output="linear", start=k) for k in range(STARTS)]
    networks = MarquardtTraining().train_all(starts, x, q, setting.size(ITERATIONS, QUICK_ITERATIONS))
    best = networks[best_of(networks, each.inputs(arm, q_choosing), q_choosing)]
    off = arm.forward(best(each.inputs(arm, q_tested))) - arm.forward(q_tested)
    return best, float(PERCENT / arm.reach * np.linalg.norm(off[:, :3, 3], axis=1).mean())


def _row_time(network: Perceptron) -> float:
    x = np.zeros((ROWS, network.layers[0]))
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        network.kernel.outputs(network.weights, x)
        times.append(perf_counter() - start)
    return float(min(times)) / ROWS


def _call_time(network: Perceptron) -> float:
    x = np.zeros(network.layers[0])
    start = perf_counter()
    for _ in range(CALLS):
        network.kernel.outputs(network.weights, x)
    return (perf_counter() - start) / CALLS


TABLE = "one network for more joints"
COLUMNS = {
    "products": "multiplications",
    "row": "time in a batch [ns]",
    "call": "time of a call [us]",
    "error": "mean error [% of reach]",
}
UNITS = {"products": "products", "row": "ns", "call": "us", "error": "% of reach"}
EXPERIMENT = Experiment(
    name="degrees of freedom",
    claims=tuple(
        Claim(
            f"{each.name} {key}",
            f"{TABLE}, {each.name}: {column}",
            UNITS[key],
            None,
            None,
            Cell(TABLE, each.name, column),
        )
        for each in ARMS
        for key, column in COLUMNS.items()
    ),
    measure=measure,
    notes=("times are those of the compiled network on this machine, in one thread; the paper prints none.",),
)
