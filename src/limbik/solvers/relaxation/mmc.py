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
from limbik.solvers.relaxation.inputs import Range, read_inputs
from limbik.solvers.relaxation.measures import Measures, nearest_turn
from limbik.solvers.relaxation.outputs import OUTPUTS, Output, filtered
from limbik.solvers.relaxation.planar_arm import PlanarArm, planar_arm
from limbik.solvers.relaxation.settings import Settings
from limbik.solvers.relaxation.turns import combinations, reported_interval, with_both_ends
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

    arm: a Chain of 2 to 7 joints with parallel axes. settings: see `limbik.solvers.relaxation.settings.Settings`; its
    fields may be given by name. Variables of an arm with three segments: the paper's 17, by name; x, y of the tip and x1, y1, x2,
    y2 of the joints, in the plane, from the shoulder [m]; and the arm's own joints by their names.
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
        network = AngleNetwork(planar.lengths, self.settings)
        object.__setattr__(self, "_measures", Measures(network))

    _planar: PlanarArm = field(default=None, compare=False)  # type: ignore[assignment]
    _measures: Measures = field(default=None, compare=False)  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.arm, self.settings)

    def __repr__(self) -> str:
        return (
            f"<Mmc '{self.arm.name}': {len(self.network.variables)} variables, {len(self.computations)} computations>"
        )

    # ---- properties --------------------------------------------------------------------------------------------------

    @property
    def network(self) -> AngleNetwork:
        """The network itself."""
        return self._measures.network

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of possible inputs."""
        return (*self._measures.names, *(n for n in self.arm.joint_names if n not in self._measures.names))

    @property
    def computations(self) -> tuple[str, ...]:
        """Every computation as a line of text, in the order of their numbers."""
        return tuple(str(c) for c in self.network.triangles.computations)

    def state(self, q: Any) -> dict[str, float]:
        """Return every variable of a posture of the arm, (n,)."""
        return self._measures.state(self._planar.joints(self._posture(q)))

    # ---- completion --------------------------------------------------------------------------------------------------

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

        inputs: {variable: value}, {variable: (low, high)}, {variable: AtMost(value)} ...; angles in radians. start: the
        previous state, which determines free directions: a Completion, an Output of `steps`, a posture (configuration) q (n,), or
        None for a default. costs: the cost of each joint's angle, {name: best angle} for the squared distance from it, {name:
        (best angle, weight)} or {name: function of the angle}; of the postures that meet the inputs the one with the least sum
        is returned. free: spheres that no segment may enter. limits: keep the arm's joint limits. cycles: the most cycles of the
        network. If the inputs cannot be met, `status`, `why` and `errors` report it. Raises subclasses of LimbikError for
        invalid arguments.
        """
        wanted = self._inputs(inputs)
        cost, best = read_costs(
            costs, self.network.triangles.joints, self.arm.joint_names, self._planar.signs, self._planar.offsets
        )
        begin = self._start(start) if start is not None or not best else self._default_start(best)
        bounds = self._limits(limits)
        circles = self._planar.circles(free)
        measures = Measures(self.network, circles) if circles else self._measures
        count = _count(cycles, "cycles", MOST_CYCLES)
        outcome = complete(measures, wanted, {**bounds, **measures.gap_ranges}, begin, count, cost)
        hindered = bool(circles) and outcome.status in (Status.COMPROMISE, Status.NOT_FOUND)
        if hindered and complete(measures, wanted, bounds, begin, count).status == Status.SOLVED:
            outcome = replace(outcome, status=Status.BLOCKED)
        return self._completion(measures, wanted, bounds, outcome, cost)

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
        `cycles`, or earlier if the network diverges.

        Raises BadOption for inputs outside the limits and for the positions of inner joints (x1, y1 ...), which are no variables
        of the network. `complete` accepts both.
        """
        bounds = self._limits(limits)
        begin, count = self._start(start), _count(cycles, "cycles", MOST_CYCLES)
        if start is None and bounds:
            begin = self.network.begin(held(self._measures, bounds, self.network.joints(begin)))
        if not callable(inputs):
            fixed = self._clamped(inputs, bounds)
            states = self._cycles(lambda _: fixed, begin, count)
        else:
            states = self._cycles(lambda k: self._clamped(inputs(k), bounds), begin, count)
        return filtered(states, output, share, self._output)

    def _cycles(self, inputs: Callable[[int], dict[str, Range]], start: Array, cycles: int) -> Iterator[Array]:
        yield start
        state = start
        for k in range(cycles):
            states, _, diverged = relaxed(self._measures, inputs(k), state, 1, first_cycle=k)
            if diverged:
                return
            state = states[-1]
            yield state

    def _clamped(self, given: Any, bounds: dict[str, Range]) -> dict[str, Range]:
        """Return inputs of the network alone, inside the limits."""
        wanted = self._inputs(given)
        for name in wanted:
            if name not in (*self.network.variables, "x", "y"):
                raise BadOption(f"'{name}' is no variable of the network, so steps() cannot clamp it; use complete()")
        every, outside = combinations(wanted, bounds, 0.0)
        if not every:
            raise BadOption(f"{outside}; give a value inside them, or limits=False")
        return every[0]

    def _output(self, cycle: int, state: Array, rests: bool) -> Output:
        joints = self.network.joints(state)
        points = self.network.points(self.network.directions(joints))
        return Output(cycle, self.network.variables, state, self._planar.q(joints), points, rests)

    # ---- inputs ------------------------------------------------------------------------------------------------------

    def _inputs(self, given: Any) -> dict[str, Range]:
        """Return inputs by the network's names; values of the arm's own joints are converted to the network's joint angles."""
        wanted = read_inputs(given, self.variables)
        out: dict[str, Range] = {}
        for name, r in wanted.items():
            if name in self._measures.names:
                key, value = name, r
                if self._measures.is_angle(name):
                    value = with_both_ends(name, r, self._interval(name))
            else:
                k = self.arm.joint_names.index(name)
                key, sign, offset = self.network.triangles.joints[k], self._planar.signs[k], self._planar.offsets[k]
                interval = reported_interval(_between(self.arm.lower[k], self.arm.upper[k]), HALVES)
                r = with_both_ends(name, r, interval)
                low, high = sorted((float(offset + sign * r.low), float(offset + sign * r.high)))
                value = Range(low, high)
            if key in out:
                raise BadOption(
                    f"{_pair(name, key, self.arm, self.network)} are one variable, given twice; leave one out"
                )
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
        names = self.network.triangles.joints
        return {names[k]: r for k, r in self._planar.limits} if limits else {}

    def _posture(self, q: Any) -> Array:
        values = numbers(q, f"a posture of '{self.arm.name}' is {self.arm.n} numbers")
        if values.shape != (self.arm.n,):
            raise ShapeError(f"a posture of '{self.arm.name}' is {self.arm.n} numbers; got shape {values.shape}")
        if not np.isfinite(values).all():
            raise NotFinite(f"a posture of '{self.arm.name}' holds NaN or infinity")
        return values

    def _start(self, given: Any) -> Array:
        if isinstance(given, Output):
            if given.names != self.network.variables:
                raise BadOption("this state belongs to a network with other variables")
            return np.array(given.values)
        if isinstance(given, Completion):
            if given.variables != self.network.variables:
                raise BadOption("this completion belongs to a network with other variables")
            return self.network.begin(given.joints)
        if given is None:
            return self._default_start({})
        if isinstance(given, Mapping):
            raise BadOption(
                "start= takes a posture q, a Completion or a state of steps(); complete() computes one from values"
            )
        return self.network.begin(self._planar.joints(self._posture(given)))

    def _default_start(self, best: Mapping[str, float]) -> Array:
        """Return a start state: joints at their angles of least cost, others at the defaults."""
        names = self.network.triangles.joints
        joints = np.array([best.get(name, UPWARD if name == "alpha" else INTERIOR) for name in names])
        return self.network.begin(joints)

    # ---- results -----------------------------------------------------------------------------------------------------

    def _completion(
        self, measures: Measures, inputs: dict[str, Range], limits: dict[str, Range], out: Outcome, cost: Cost | None
    ) -> Completion:
        joints = self._wrapped(inputs, limits, out.joints)
        q = self._planar.q(joints)
        # a solution is outside the limits by rounding only; any other posture is replaced by the closest one inside
        if limits and not self.arm.within_limits(q):
            q = self.arm.clamp(q)
            joints = self._planar.joints(q)
        state = measures.state(joints)
        for name, wanted in inputs.items():  # an angle is reported at the 2-pi copy given as input
            if measures.is_angle(name):
                state[name] = nearest_turn(state[name], wanted)
        known = defined(measures, inputs)
        misses = dict.fromkeys(inputs, 0.0) | measures.misses(known, joints)
        points = measures.posture(joints).points
        status = out.status
        tip = self._planar.flat(self.arm.forward(q)[:3, 3])
        if not float(np.abs(tip - points[-1]).max()) <= 1e-9 * math.fsum(self._planar.lengths):
            status = Status.NOT_FOUND
        if status == Status.SOLVED and not all_met(measures, misses):  # the final check, on the reported posture
            status = Status.NOT_FOUND if len(inputs) == 1 else Status.COMPROMISE
        left = free_directions(measures, inputs, {**limits, **measures.gap_ranges}, joints)
        return Completion(
            status,
            why(inputs, misses, out, status, left),
            self.network.variables,
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

    def _wrapped(self, inputs: dict[str, Range], limits: dict[str, Range], joints: Array) -> Array:
        """Return joint angles at the 2-pi copies that are reported.

        Joints with limits are inside them already and unchanged. Joints with inputs take the copies of their inputs. Of the
        others alpha is wrapped to [-pi, pi], and interior angles to [0, 2 pi).
        """
        out = np.array(joints)
        for k, name in enumerate(self.network.triangles.joints):
            given = inputs.get(name)
            if name in limits:
                continue
            if given is not None:
                out[k] = nearest_turn(float(out[k]), given)
                if given.fixed and abs(out[k] - given.low) <= 1e-12 * max(1.0, abs(given.low)):
                    out[k] = given.low
            else:
                out[k] = math.remainder(out[k], TURN) if k == 0 else out[k] % TURN
        return out


def _between(low: float, high: float) -> Range:
    return Range(float(low), float(high))


def _pair(name: str, key: str, arm: "Chain", network: AngleNetwork) -> str:
    joint = arm.joint_names[network.triangles.joints.index(key)]
    return f"'{joint}' and '{key}'" if name in (joint, key) else f"'{name}' and '{key}'"


def _count(given: Any, what: str, most: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or not 0 <= given <= most:
        raise BadOption(f"{what}={shown(given)}: give a whole number from 0 to {most}")
    return int(given)
