"""The relaxation network of a planar arm, for callers: it computes all variables of the arm from some of them."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik._core import Status
from limbik.errors import BadOption, NotFinite, ShapeError, shown, suggest
from limbik.geometry.angles import TURN
from limbik.geometry.arrays import Array, numbers
from limbik.solvers.relaxation.angle_network import AngleNetwork
from limbik.solvers.relaxation.clamping import defined, relaxed
from limbik.solvers.relaxation.complete import Outcome, all_met, complete, free_directions, held
from limbik.solvers.relaxation.completion import Completion
from limbik.solvers.relaxation.costs import read_costs
from limbik.solvers.relaxation.finish import Cost
from limbik.solvers.relaxation.inputs import Range, read_inputs, whole
from limbik.solvers.relaxation.limb_lengths import (
    coordinates,
    is_own,
    network_for,
    own_coordinates,
    own_joints,
    posture,
    start_from,
    usual_coordinates,
)
from limbik.solvers.relaxation.measures import Measures
from limbik.solvers.relaxation.outputs import OUTPUTS, Output, filtered
from limbik.solvers.relaxation.planar_arm import PlanarArm, planar_arm
from limbik.solvers.relaxation.settings import Settings
from limbik.solvers.relaxation.triangles import segment_names
from limbik.solvers.relaxation.turns import (
    combinations,
    is_length,
    nearest_turn,
    reported,
    reported_interval,
    with_both_ends,
)
from limbik.solvers.relaxation.wording import why

if TYPE_CHECKING:
    from limbik.robot.chain import Chain

# Most cycles until the network rests, by default; most networks rest within a hundred.
CYCLES = 500
MOST_CYCLES = 1_000_000
# The default start [rad]: all interior angles.
INTERIOR = 2.0
# The default start [rad]: the direction of the first segment.
UPWARD = 2.2
# Ranges of reported angles [rad]: interior angles, and others.
WHOLE, HALVES = Range(0.0, TURN), Range(-math.pi, math.pi)

Inputs = Mapping[str, Any]


@dataclass(frozen=True)
class Mmc:
    """The network of a planar arm: it computes all variables of the arm from some of them.

    arm: a Chain of 2 to 7 revolute joints with parallel axes; prismatic joints may change the lengths of its segments. settings:
    see `limbik.solvers.relaxation.settings.Settings`; its fields may be given by name. Variables of an arm with three segments:
    the paper's 17, by name; the lengths L1, L2, L3 of the segments; x, y of the tip and x1, y1, x2, y2 of the joints, in the
    plane, from the shoulder [m]; and the arm's own joints by their names.
    """

    arm: "Chain"
    settings: Settings

    def __init__(self, arm: "Chain", settings: Settings | None = None, **options: Any) -> None:
        if settings is not None and not isinstance(settings, Settings):
            raise BadOption(f"settings={shown(settings)}: give a Settings, or its fields by name")
        if settings is not None and options:
            raise BadOption("give settings= or its fields by name, not both")
        known = list(Settings.__dataclass_fields__)
        for name in options:
            if name not in known:
                raise BadOption(f"no setting {shown(name)}; {suggest(name, known)}")
        object.__setattr__(self, "settings", settings or Settings(**options))
        object.__setattr__(self, "arm", arm)
        planar = planar_arm(arm)
        object.__setattr__(self, "_planar", planar)
        object.__setattr__(self, "_measures", Measures(network_for(planar, self.settings, {})))

    _planar: PlanarArm = field(default=None, compare=False)  # type: ignore[assignment]
    _measures: Measures = field(default=None, compare=False)  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.arm, self.settings)

    def __repr__(self) -> str:
        return (
            f"<Mmc '{self.arm.name}': {len(self.network.variables)} variables, {len(self.computations)} computations>"
        )

    @property
    def network(self) -> AngleNetwork:
        """The network itself."""
        return self._measures.network

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of possible inputs."""
        names = dict.fromkeys((*self._measures.names, *segment_names(len(self.network.lengths))))
        return (*names, *(n for n in self.arm.joint_names if n not in names))

    def is_angle(self, name: str) -> bool:
        """Return whether a variable is an angle [rad]; the others are lengths and coordinates [m]."""
        if name in self.arm.joint_names and name not in self._measures.names:
            name = self.network.coordinates[self._planar.order.index(self.arm.joint_names.index(name))]
        return self._measures.is_angle(name)

    @property
    def computations(self) -> tuple[str, ...]:
        """Every computation as a line of text, in the order of their numbers."""
        return tuple(str(c) for c in self.network.triangles.computations)

    def state(self, q: Any) -> dict[str, float]:
        """Return every variable of a posture of the arm, (n,)."""
        return self._measures.state(coordinates(self._planar, self.network, self._posture(q)))

    def complete(
        self,
        inputs: Inputs,
        start: Any = None,
        *,
        costs: Mapping[str, Any] | None = None,
        free: Any = (),
        limits: bool = True,
        cycles: int = CYCLES,
    ) -> Completion:
        """Return all variables of the arm from any of them.

        inputs: {variable: value}, {variable: (low, high)}, {variable: AtMost(value)} ...; angles in radians. The length of a
        segment that is given as a value replaces the arm's; one given as a range is an unknown, as is that of a prismatic joint.
        start: the previous state, which determines free directions: a Completion, an Output of `steps`, a posture (configuration)
        q (n,), or None for a default. costs: the cost of each joint's angle, {name: best angle} for the squared distance from it,
        {name: (best angle, weight)} or {name: function of the angle}; of the postures that meet the inputs the one with the least
        sum is returned. free: spheres that no segment may enter. limits: keep the arm's joint limits. cycles: the most cycles of
        the network. If the inputs cannot be met, `status`, `why` and `errors` report it. Raises subclasses of LimbikError for
        invalid arguments.
        """
        wanted = self._inputs(inputs)
        net = network_for(self._planar, self.settings, wanted)
        cost, best = read_costs(costs, net.coordinates, *own_joints(self._planar, net, self.arm.joint_names))
        begin = self._start(start, net, best)
        bounds = self._limits(limits)
        circles = self._planar.circles(free)
        plain = Measures(net)
        measures = Measures(net, circles) if circles else plain
        count = whole(cycles, "cycles", MOST_CYCLES)
        outcome = complete(measures, wanted, {**bounds, **measures.gap_ranges}, begin, count, cost)
        hindered = bool(circles) and outcome.status in (Status.COMPROMISE, Status.NOT_FOUND)
        if hindered and complete(plain, wanted, bounds, begin, count).status == Status.SOLVED:
            outcome = replace(outcome, status=Status.BLOCKED)
        return self._completion(measures, wanted, bounds, bool(limits), outcome, cost)

    def steps(
        self,
        inputs: Inputs | Callable[[int], Inputs],
        start: Any = None,
        *,
        cycles: int = CYCLES,
        output: str = OUTPUTS[0],
        share: float = 0.3,
        limits: bool = True,
    ) -> Iterator[Output]:
        """Yield every state of the network, cycle by cycle, the start first: for animation, or to control an arm.

        inputs: as in `complete`, or a function of the cycle number that returns them, so that values can be clamped and released
        at any time. output: the filter of the states, one of the paper's remedies for oscillations (section 5). "raw": every
        state. "frozen": the last state at rest, until the network rests again. "low_pass": a running mean that takes `share` of
        each new state. "every_second": the states of even cycles, each twice. limits: keep the arm's joint limits. Ends after
        `cycles`, or earlier if the network diverges. Lengths of segments may change from cycle to cycle.

        Raises BadOption for inputs outside the limits, for the positions of inner joints (x1, y1 ...), which are no variables
        of the network, and if a length is a range in some cycles only. `complete` accepts the first two.
        """
        bounds = self._limits(limits)
        count = whole(cycles, "cycles", MOST_CYCLES)
        first = self._clamped(inputs(0) if callable(inputs) else inputs, bounds)
        net = network_for(self._planar, self.settings, first)
        begin = self._start(start, net, {})
        if start is None and bounds:
            begin = net.begin(held(Measures(net), bounds, net.joints(begin)))

        def wanted(k: int) -> dict[str, Range]:
            return self._clamped(inputs(k), bounds) if callable(inputs) and k else first

        return filtered(self._cycles(wanted, begin, net, count), output, share, self._output(net))

    def _cycles(
        self, inputs: Callable[[int], dict[str, Range]], start: Array, net: AngleNetwork, cycles: int
    ) -> Iterator[Array]:
        yield start
        state = start
        for k in range(cycles):
            wanted = inputs(k)
            now = network_for(self._planar, self.settings, wanted)
            if now.free != net.free:
                raise BadOption(
                    "the same lengths must be ranges in every cycle; give a range, or a value, in all of them"
                )
            if now.lengths != net.lengths or now.spans != net.spans:
                net = now
            states, _, diverged = relaxed(Measures(net), wanted, state, 1, first_cycle=k)
            if diverged:
                return
            state = states[-1]
            yield state

    def _clamped(self, given: Any, bounds: dict[str, Range]) -> dict[str, Range]:
        """Return inputs of the network alone, inside the limits."""
        wanted = self._inputs(given)
        for name in wanted:
            if name not in (*self.network.variables, *segment_names(len(self.network.lengths)), "x", "y"):
                raise BadOption(f"'{name}' is no variable of the network, so steps() cannot clamp it; use complete()")
        every, outside = combinations(wanted, bounds, 0.0)
        if not every:
            raise BadOption(f"{outside}; give a value inside them, or limits=False")
        return every[0]

    def _output(self, net: AngleNetwork) -> Callable[[int, Array, bool], Output]:
        def made(cycle: int, state: Array, rests: bool) -> Output:
            joints = net.joints(state)
            return Output(cycle, net.variables, state, posture(self._planar, net, joints), net.points_at(joints), rests)

        return made

    def _inputs(self, given: Any) -> dict[str, Range]:
        """Return inputs by the network's names; values of the arm's own joints are converted to the network's joint angles."""
        wanted = read_inputs(given, self.variables)
        out: dict[str, Range] = {}
        for name, r in wanted.items():
            if name in self._measures.names or is_length(name):
                key, value = name, r
                if self._measures.is_angle(name):
                    value = with_both_ends(name, r, self._interval(name))
            else:
                j = self.arm.joint_names.index(name)
                k = self._planar.order.index(j)
                key, sign, offset = self.network.coordinates[k], self._planar.signs[k], self._planar.offsets[k]
                if not is_length(key):
                    interval = reported_interval(Range(float(self.arm.lower[j]), float(self.arm.upper[j])), HALVES)
                    r = with_both_ends(name, r, interval)
                low, high = sorted((float(offset + sign * r.low), float(offset + sign * r.high)))
                value = Range(low, high)
            if key in out:
                own = next((n for n in given if n in self.arm.joint_names and n != name), key)
                raise BadOption(f"'{own}' and '{name}' are one variable, given twice; leave one out")
            out[key] = value
        return out

    def _interval(self, name: str) -> Range:
        """Return the interval of 2 pi, or between limits, in which an angle of the network is reported."""
        joints = self.network.triangles.joints
        if name in joints[1:]:
            return WHOLE
        return reported_interval(dict(self._planar.limits).get(0), HALVES) if name == joints[0] else HALVES

    def _limits(self, limits: object) -> dict[str, Range]:
        if not isinstance(limits, bool | np.bool_):
            raise BadOption(f"limits={limits!r}: True keeps the joint limits, False switches them off")
        names = self.network.coordinates
        if not limits:  # a length is never below 0
            return {name: Range(low=0.0) for name in self.network.free}
        return {names[k]: r for k, r in self._planar.limits}

    def _posture(self, q: Any) -> Array:
        values = numbers(q, f"a posture of '{self.arm.name}' is {self.arm.n} numbers")
        if values.shape != (self.arm.n,):
            raise ShapeError(f"a posture of '{self.arm.name}' is {self.arm.n} numbers; got shape {values.shape}")
        if not np.isfinite(values).all():
            raise NotFinite(f"a posture of '{self.arm.name}' holds NaN or infinity")
        return values

    def _start(self, given: Any, net: AngleNetwork, best: Mapping[str, float]) -> Array:
        """Return the start state of a network. best: the angles of least cost, the start where none is given."""
        if isinstance(given, Mapping):
            raise BadOption(
                "start= takes a posture q, a Completion or a state of steps(); complete() computes one from values"
            )
        if isinstance(given, Output | Completion):
            found = start_from(given, net)
            if found is None:
                what = "state" if isinstance(given, Output) else "completion"
                raise BadOption(f"this {what} belongs to a network with other variables")
            return found
        if given is None:
            usual = {name: UPWARD if name == "alpha" else INTERIOR for name in net.triangles.joints}
            return net.begin(usual_coordinates(net, {**usual, **best}))
        return net.begin(coordinates(self._planar, net, self._posture(given)))

    def _completion(
        self,
        measures: Measures,
        inputs: dict[str, Range],
        limits: dict[str, Range],
        kept: bool,
        out: Outcome,
        cost: Cost | None,
    ) -> Completion:
        net = measures.network
        joints = reported(net.triangles.joints, inputs, limits, out.joints)
        q = posture(self._planar, net, joints)
        # a solution is outside the limits by rounding only; any other posture is replaced by the closest one inside
        if kept and not self.arm.within_limits(q):
            q = self.arm.clamp(q)
            joints[own_coordinates(self._planar, net)] = self._planar.coordinates(q)
        state = measures.state(joints)
        for name, wanted in inputs.items():  # an angle is reported at the 2-pi copy given as input
            if measures.is_angle(name):
                state[name] = nearest_turn(state[name], wanted)
        known = defined(measures, inputs)
        misses = dict.fromkeys(inputs, 0.0) | measures.misses(known, joints)
        points = measures.posture(joints).points
        status = out.status
        tip = self._planar.flat(self.arm.forward(q)[:3, 3])
        off = float(np.abs(tip - points[-1]).max()) if is_own(self._planar, net) else 0.0
        if not off <= 1e-9 * max(float(np.abs(points).max()), math.fsum(net.lengths)):
            status = Status.NOT_FOUND
        if status == Status.SOLVED and not all_met(measures, misses):  # the final check, on the reported posture
            status = Status.NOT_FOUND if len(inputs) == 1 else Status.COMPROMISE
        left = free_directions(measures, inputs, {**limits, **measures.gap_ranges}, joints)
        return Completion(
            status,
            why(inputs, misses, out, status, left),
            net.variables,
            tuple(state),
            np.array(list(state.values())),
            tuple(inputs),
            np.array([misses[name] for name in inputs]),
            q,
            joints,
            points,
            out.states,
            out.rests,
            out.reached,
            out.finished,
            left,
            0.0 if cost is None else cost(joints),
        )
