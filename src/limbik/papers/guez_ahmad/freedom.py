"""Time against degrees of freedom: "independent of the number of dof" after training (feature ii).

One network of 10 + 10 hidden units for arms with 2, 3 and 6 joints: its layers, multiplications, time on an ordinary
processor, and error. The training is the same for all arms: Levenberg-Marquardt with random postures within half a
radian of a regular one, and their tip poses as inputs (x, y; also the angle of the tip; also z and the rotation
vector). If all units of a layer work at once, as in the analogue circuits of the paper's reference, the time is that of
the layers in sequence.
"""

from dataclasses import dataclass
from functools import cache, partial
from typing import cast

import numpy as np

from limbik._core import pose_error
from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim
from limbik.papers.guez_ahmad.timed import interleaved, ratio
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
# The number of components of a pose that are positions.
POSITIONS = 3
# A wider network, to show what six joints need to approach the error of two.
WIDER = (20, 20)
# The rows of a timed batch, and the rounds.
ROWS, ROUNDS = 20_000, 21
NANOSECONDS, PERCENT = 1e9, 100.0


@dataclass(frozen=True)
class Freedom:
    """An arm of the catalogue, a regular posture of it [rad], and the components of the pose that determine it."""

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

    def inputs(self, arm: Chain, Ts: Array) -> Array:
        """Return the components of the difference between tip poses and that of the middle posture [m, rad]."""
        middle = arm.forward(np.array(self.middle))
        if max(self.components) < POSITIONS:
            return np.asarray((Ts[..., :3, 3] - middle[:3, 3])[..., : len(self.components)])
        return np.asarray(-pose_error(Ts, middle)[..., list(self.components)])

    def drawn(self, rng: np.random.Generator, count: int) -> Array:
        """Return random postures about the middle one."""
        return np.asarray(np.array(self.middle) + rng.uniform(-HALF, HALF, (count, self.joints)))


ARMS = (
    Freedom("planar2_guez", (0.3, 1.4), (0, 1)),
    Freedom("planar3_guez", (0.3, 1.4, 0.5), (0, 1, 5)),
    Freedom("puma560", (0.3, -0.6, -0.6, 0.5, 0.9, 0.4), (0, 1, 2, 3, 4, 5)),
    Freedom("puma560", (0.3, -0.6, -0.6, 0.5, 0.9, 0.4), (0, 1, 2, 3, 4, 5), WIDER),
)


def measure(setting: Setting) -> Findings:
    """Train and time the same network for each arm."""
    networks = {each: trained(each, setting) for each in ARMS}
    times = interleaved({each.name: partial(_batch, network) for each, network in networks.items()}, ROUNDS)
    values: dict[str, float] = {}
    for each, network in networks.items():
        found = missed(each, network, setting)
        values[f"{each.name} layers"] = float(len(network.layers) - 1)
        values[f"{each.name} products"] = float(weight_count(network.layers) - sum(network.layers[1:]))
        values[f"{each.name} row"] = float(np.median(times[each.name])) * NANOSECONDS / ROWS
        values[f"{each.name} ratio"] = ratio(times[each.name], times[ARMS[0].name])
        values |= {f"{each.name} error": float(found.mean()), f"{each.name} largest": float(found.max())}
    return Findings(values)


@cache
def trained(each: Freedom, setting: Setting) -> Perceptron:
    """Return the chosen network for an arm."""
    arm, rng, middle = each.arm, setting.rng(), np.array(each.middle)
    q, q_choosing = (each.drawn(rng, size) for size in (setting.size(EXAMPLES, QUICK_EXAMPLES), CHOOSING))
    x = each.inputs(arm, arm.forward(q))
    x_range, y_range = np.stack([x.min(axis=0), x.max(axis=0)]), np.stack([middle - HALF, middle + HALF])
    layers = (len(each.components), *each.hidden, arm.n)
    starts = [Perceptron.random(layers, x_range, y_range, output="linear", start=k) for k in range(STARTS)]
    networks = MarquardtTraining().train_all(starts, x, q, setting.size(ITERATIONS, QUICK_ITERATIONS))
    return networks[best_of(networks, each.inputs(arm, arm.forward(q_choosing)), q_choosing)]


def missed(each: Freedom, network: Perceptron, setting: Setting) -> Array:
    """Return the position errors of a network at random postures that it was not trained with [% of the reach]."""
    arm = each.arm
    T = arm.forward(each.drawn(np.random.default_rng([1, setting.size(1, 0)]), TESTED))
    off = arm.forward(network(each.inputs(arm, T))) - T
    return np.asarray(PERCENT / arm.reach * np.linalg.norm(off[:, :3, 3], axis=1))


def _batch(network: Perceptron) -> None:
    network.kernel.outputs(network.weights, np.zeros((ROWS, network.layers[0])))


TABLE = "one network for more joints"
COLUMNS = {
    "layers": ("layers in sequence", "layers"),
    "products": ("multiplications", "products"),
    "row": ("time in a batch [ns]", "ns"),
    "ratio": ("relative to 2 joints", "ratio"),
    "error": ("mean error [% of reach]", "% of reach"),
    "largest": ("largest error [% of reach]", "% of reach"),
}
EXPERIMENT = Experiment(
    name="degrees of freedom",
    claims=tuple(
        Claim(f"{each.name} {key}", f"{TABLE}, {each.name}: {column}", unit, None, None, Cell(TABLE, each.name, column))
        for each in ARMS
        for key, (column, unit) in COLUMNS.items()
    ),
    measure=measure,
    notes=(
        "times are those of the compiled network on this machine, in one thread; their ratio is the median of "
        "interleaved rounds.",
    ),
)
