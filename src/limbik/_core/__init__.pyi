"""The compiled core. Written by tools/stubs.py."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core.status import Status as Status

Array = npt.NDArray[np.float64]

def build_info() -> dict[str, object]: ...

LEVEL: str

WIDTH: int

COMPILER: str

POSITION_TOLERANCE: float = 1e-08

RELATIVE_TOLERANCE: float = 1e-09

ROTATION_TOLERANCE: float = 1e-08

LENGTH_SHARE: float = 0.5

FARTHEST_LIMIT: float = 1000000000.0

class Kernel:
    """
    A mechanism compiled for computing. Its methods take q of shape (..., n).
    """

    def __init__(
        self,
        name: str,
        n: int,
        tip: int,
        parents: Sequence[int],
        kinds: Sequence[int],
        first: Sequence[int],
        scale: Sequence[float],
        offset: Sequence[float],
        wraps: Sequence[bool],
        placements: Sequence[float],
        frame_elements: Sequence[int],
        frame_placements: Sequence[float],
    ) -> None: ...
    def forward(self, q: object, frame: int = -1, threads: int = 0) -> Array: ...
    def jacobian(self, q: object, frame: int = -1, threads: int = 0) -> Array: ...
    def forward_jacobian(self, q: object, frame: int = -1, threads: int = 0) -> tuple[Array, Array]: ...
    def forward_all(self, q: object, threads: int = 0) -> Array: ...
    def checked(self, q: object) -> Array: ...
    def integrate(self, q: object, dq: object) -> Array: ...
    def difference(self, q0: object, q1: object) -> Array: ...
    def reach(
        self, frame: int, lower: Sequence[float], upper: Sequence[float]
    ) -> tuple[float, float, tuple[float, float, float]]: ...
    def goes_anywhere(self, frame: int, lower: Sequence[float], upper: Sequence[float]) -> bool: ...
    @property
    def is_scalar_chain(self) -> bool: ...

class Answer:
    """
    The result of one solve, immutable. It compares, prints and pickles like a frozen dataclass.
    """

    def __init__(
        self,
        q: object,
        status: int,
        attempt: int,
        tried: int,
        position_error: float,
        rotation_error: float,
        target: object,
        method: str,
        why: str,
        timed_out: bool = False,
        branch: int = -1,
        family: bool = False,
        steps: int = 0,
    ) -> None: ...
    @property
    def ok(self) -> bool:
        """
        True when q is verified: it reaches the target by forward kinematics, inside the limits.
        """

    @property
    def status(self) -> Status:
        """The outcome."""

    @property
    def code(self) -> int:
        """The status as an integer, 0 to 6."""

    @property
    def q(self) -> Array:
        """
        The configuration, (n,) [rad or m]; the closest one known where the target is not reached.
        """

    @property
    def target(self) -> Array:
        """The target of the tip in the base frame, (4, 4)."""

    @property
    def position_error(self) -> float:
        """The distance of the tip at q from the target's position [m]."""

    @property
    def rotation_error(self) -> float:
        """The angle between the tip's orientation at q and the target's [rad]."""

    @property
    def attempt(self) -> int:
        """
        The attempt that succeeded: 0 starts at the seed; below 0: closed form, table, network or none.
        """

    @property
    def tried(self) -> int:
        """The number of attempts that were made."""

    @property
    def steps(self) -> int:
        """The iterations of all attempts that were made."""

    @property
    def timed_out(self) -> bool:
        """True when `seconds` ended the solve before every attempt was made."""

    @property
    def method(self) -> str:
        """The name of the method that gave q."""

    @property
    def closed(self) -> bool:
        """True when the closed form gave the outcome, not an attempt."""

    @property
    def branch(self) -> int | None:
        """The branch of the closed form; None where there is none."""

    @property
    def family(self) -> bool:
        """
        True when a self-motion manifold passes through q: neighbouring configurations reach the target too.
        """

    @property
    def why(self) -> str:
        """The outcome and its reason in one sentence."""

    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[object, ...]: ...

class Answers:
    """
    The postures (configurations) that reach one target: an immutable sequence of `Answer`s.
    """

    def __init__(
        self,
        q: object,
        branches: object,
        families: object,
        doubled: object,
        position_error: object,
        rotation_error: object,
        swivels: object,
        status: int,
        target: object,
        method: str,
        outside: int,
        why: str,
        complete: bool = False,
    ) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Answer: ...
    def __iter__(self) -> Iterator[Answer]: ...
    @property
    def ok(self) -> bool:
        """True when at least one posture reaches the target inside the limits."""

    @property
    def status(self) -> Status:
        """The outcome."""

    @property
    def q(self) -> Array:
        """The postures, (k, n) [rad or m]."""

    @property
    def branches(self) -> npt.NDArray[np.int32]:
        """The branch of each posture, (k,); -1 where there is none."""

    @property
    def families(self) -> npt.NDArray[np.bool_]:
        """Whether a self-motion manifold passes through each posture, (k,)."""

    @property
    def doubled(self) -> npt.NDArray[np.bool_]:
        """Whether each posture is a double root of the equations, (k,)."""

    @property
    def swivels(self) -> Array | None:
        """
        The swivel of each posture, or the value of its free joint, (k,) [rad or m]; None for other arms.
        """

    @property
    def position_error(self) -> Array:
        """The distance of the tip from the target's position, (k,) [m]."""

    @property
    def rotation_error(self) -> Array:
        """The angle between the tip's orientation and the target's, (k,) [rad]."""

    @property
    def target(self) -> Array:
        """The target of the tip in the base frame, (4, 4)."""

    @property
    def method(self) -> str:
        """The name of the method that gave the postures."""

    @property
    def outside(self) -> int:
        """The number of postures that reach the target outside the limits."""

    @property
    def complete(self) -> bool:
        """
        True when it is proven that no posture is missing; for an arm with a swivel, no branch and no feasible range.
        """

    @property
    def why(self) -> str:
        """The outcome and its reason in one sentence."""

    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[object, ...]: ...

class PostureSolver:
    """
    All postures that reach a target of a chain's tip, in closed form where the chain has one.
    """

    def __init__(
        self,
        kernel: Kernel,
        lower: Sequence[float],
        upper: Sequence[float],
        home: Sequence[float],
        scale: float,
        position_tolerance: float,
        rotation_tolerance: float,
    ) -> None: ...
    @property
    def exists(self) -> bool: ...
    @property
    def form(self) -> dict[str, Any] | None: ...
    def describe(self, how: str, branches: Sequence[str], ask: str) -> None: ...
    def solve_all(
        self, target: object, seed: object, swivel: float | None = None, preferred: float | None = None
    ) -> Answers: ...
    def at_swivels(
        self, target: object, seed: object, branches: Sequence[int], swivels: Sequence[float]
    ) -> Answers: ...
    def swing(self, target: object, seed: object, swivels: object) -> Array: ...
    def swivel_ranges(self, target: object) -> dict[int, list[tuple[float, float]]]: ...
    def swivel_of(self, q: object) -> float: ...
    def swivel_towards(self, target: object, point: object) -> float: ...
    def solve_all_batch(
        self, targets: object, seeds: object, threads: int
    ) -> tuple[
        Array,
        npt.NDArray[np.int32],
        npt.NDArray[np.int32],
        npt.NDArray[np.int32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
    ]: ...

class Starts:
    """Starts of attempts, proposed by a table or a network."""

ATTEMPTS: int = 256

class SeedTable:
    """A table of starts for the attempts on a chain, built on first use."""

    def __init__(self, kernel: Kernel, low: Sequence[float], high: Sequence[float]) -> None: ...
    @property
    def key(self) -> bytes:
        """The bytes that determine the table: equal keys, equal tables."""

    def make(self) -> None:
        """Build the table now, unless it is built already."""

    @property
    def made(self) -> bool:
        """True when the table is built."""

class PoseSolver:
    """
    The solver for the tip of one mechanism: closed form, bound on the reach, attempts, closest configuration.
    """

    def __init__(
        self,
        kernel: Kernel,
        table: SeedTable | None,
        postures: PostureSolver | None,
        lower: Sequence[float],
        upper: Sequence[float],
        draw_low: Sequence[float],
        draw_high: Sequence[float],
        cones: Sequence[Sequence[float]],
        home: Sequence[float],
        position_tolerance: float,
        rotation_tolerance: float,
        attempts: int,
        centre: Sequence[float],
        span: float,
    ) -> None: ...
    @staticmethod
    def in_lanes(kernel: Kernel) -> bool: ...
    def warm_up(self) -> None:
        """Build the tables now that the first difficult target would build."""

    @property
    def warm(self) -> bool:
        """True when every table is built."""

    def solve(
        self,
        target: object,
        seed: object,
        first: int = 0,
        seconds: float = ...,
        closed: bool = True,
        position_weight: float = 0.0,
        rotation_weight: float = 0.0,
        starts: Starts | None = None,
    ) -> Answer: ...
    def solve_by_attempts(self, target: object, seed: object) -> Answer: ...
    def solve_batch(
        self,
        targets: object,
        seeds: object,
        threads: int,
        mark: bool,
        seconds: float = ...,
        closed: bool = True,
        position_weight: float = 0.0,
        rotation_weight: float = 0.0,
        starts: Starts | None = None,
    ) -> tuple[
        Array,
        npt.NDArray[np.uint8],
        Array,
        Array,
        npt.NDArray[np.int32],
        npt.NDArray[np.int32],
        npt.NDArray[np.bool_],
        Array,
        npt.NDArray[np.int32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        npt.NDArray[np.int32],
    ]: ...
    def self_motions(self, q: object, asked: object) -> npt.NDArray[np.bool_]:
        """
        Whether a self-motion manifold passes through each configuration (N, n) that is asked for.
        """

    def test_self_motions(self, answers: Answers) -> None:
        """
        Let answers found by attempts test for self-motions when their families are asked for.
        """

    def attempt_from(
        self, targets: object, starts: object, threads: int = 0
    ) -> tuple[Array, npt.NDArray[np.bool_], npt.NDArray[np.int32]]: ...
    def least_positions(self, targets: Array, starts: int, threads: int) -> Array: ...

def rigid_pose(T: object) -> Array | None: ...
def solid_distance(one: Sequence[float], other: Sequence[float]) -> float: ...

class GoalList:
    """Goals for one mechanism, added one by one."""

    def __init__(self, kernel: Kernel) -> None: ...
    def sight(
        self,
        kind: str,
        frame: int,
        at: Sequence[float],
        seen_from: int,
        axis: Sequence[float],
        parts: Sequence[float],
        level: int,
        required: bool,
    ) -> None: ...
    def posture(self, elements: Sequence[int], parts: Sequence[float], level: int, required: bool) -> None: ...
    def manipulability(
        self,
        frame: int,
        position: bool,
        rotation: bool,
        length: float,
        part: Sequence[float],
        level: int,
        required: bool,
    ) -> None: ...
    def balance(
        self,
        masses: Sequence[float],
        ground: int,
        up: Sequence[float],
        corners: int,
        part: Sequence[float],
        level: int,
        required: bool,
    ) -> None: ...
    def clearance(
        self,
        bodies: Sequence[float],
        obstacles: int,
        pairs: Sequence[int],
        apart: Sequence[float],
        part: Sequence[float],
        level: int,
        required: bool,
    ) -> None: ...

class GoalPlan:
    """The solver of a list of goals. It empties the list."""

    def __init__(
        self,
        goals: GoalList,
        lower: Sequence[float],
        upper: Sequence[float],
        draw_low: Sequence[float],
        draw_high: Sequence[float],
        cones: Sequence[Sequence[float]],
        frozen: Sequence[bool],
        length: float,
        stiffness: Sequence[float] = [],
    ) -> None: ...
    def drag(self, aims: Array, q: object, most: Array) -> tuple[Array, Array, bool]: ...
    def solve(
        self, aims: Array, seed: object, first: int, last: int, seconds: float
    ) -> tuple[Array, Array, bool, int, int, bool]: ...
    def errors(self, aims: Array, q: object) -> Array: ...
    def look(self, aims: Array, q: object) -> tuple[Array, Array]: ...

class TrackPlan:
    """Control steps towards a list of moving goals. It empties the list."""

    def __init__(
        self,
        goals: GoalList,
        lower: Sequence[float],
        upper: Sequence[float],
        cones: Sequence[Sequence[float]],
        frozen: Sequence[bool],
        speed: Sequence[float],
        length: float,
    ) -> None: ...
    def step(self, aims: Array, q: object, time: float) -> tuple[Array, Array, bool]: ...

class Candidates:
    """Approximate configurations of a target, to be corrected and verified."""

class TableLayout:
    """
    The reduced coordinates of a chain's targets, and the inner joints of its tables.
    """

    def __init__(self, kernel: Kernel, scale: float) -> None: ...
    @property
    def numbers(self) -> int: ...
    @property
    def inner(self) -> int: ...
    @property
    def revolute_first(self) -> bool: ...
    @property
    def tail(self) -> str: ...
    def is_angle(self, number: int) -> bool: ...
    def reduced(self, target: object) -> list[float]: ...

class PostureTable(Candidates):
    """A table of postures; its arrays are read in place."""

    def __init__(
        self,
        kernel: Kernel,
        scale: float,
        bins: Sequence[int],
        low: Sequence[float],
        high: Sequence[float],
        order: int,
        nodes: object,
        begin: object,
        models: object,
    ) -> None: ...

class SeedCandidates(Candidates):
    """Candidates from a chain's table of starts, and random ones."""

    def __init__(
        self, kernel: Kernel, seeds: SeedTable, scale: float, low: Sequence[float], high: Sequence[float]
    ) -> None: ...

class PostureTableBuilder:
    """Draws random postures and builds the cells of a table from them."""

    def __init__(
        self,
        kernel: Kernel,
        scale: float,
        low: Sequence[float],
        high: Sequence[float],
        seed: int,
        order: int,
        deepest: int,
        tolerance: float,
        look: int,
    ) -> None: ...
    @property
    def numbers(self) -> int: ...
    def draw(self, first: int, count: int) -> Array: ...
    def places(self, first: int, count: int) -> Array: ...
    def cells(
        self, bins: Sequence[int], low: Sequence[float], high: Sequence[float], first: int, count: int
    ) -> npt.NDArray[np.int32]: ...
    def build_cells(
        self, bins: Sequence[int], low: Sequence[float], high: Sequence[float], begin: object, numbers: object
    ) -> tuple[
        npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint32], npt.NDArray[np.float32], int, int, int
    ]: ...

class TableSolver(Starts):
    """
    All postures to which the candidates of a table converge, verified; and starts of attempts.
    """

    def __init__(
        self,
        kernel: Kernel,
        table: Candidates,
        lower: Sequence[float],
        upper: Sequence[float],
        home: Sequence[float],
        scale: float,
        position_tolerance: float,
        rotation_tolerance: float,
        method: str,
    ) -> None: ...
    def look_up(self, target: object) -> Array: ...
    def look_up_and_step(self, target: object) -> Array: ...
    def look_up_batch(
        self, targets: object, steps: int, tolerance: float
    ) -> tuple[Array, Array, npt.NDArray[np.int64]]: ...
    def solve_all(self, target: object, seed: object) -> Answers: ...
    def solve_all_batch(
        self, targets: object, seeds: object, threads: int
    ) -> tuple[Array, npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...

class CellLevel:
    """
    A grid of cells over a few coordinates, and the models of the solutions in each cell.
    """

    def __init__(
        self,
        low: Sequence[float],
        side: Sequence[float],
        divisions: Sequence[int],
        joints: int,
        terms: Sequence[Sequence[int]],
        hidden: int,
        addresses: object,
        first: object,
        kinds: object,
        words: object,
        by_index: bool = False,
    ) -> None: ...
    def look(self, u: object) -> tuple[Array, npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
    @property
    def most(self) -> int: ...

class CellTable:
    """
    Kim and Tarokh's table: cells that give candidate postures for targets of the tip.
    """

    def __init__(
        self,
        kernel: Kernel,
        first: CellLevel,
        second: CellLevel | None,
        whole: bool,
        inclined: bool,
        zyz: bool,
        centre: Sequence[float],
        wrist_axes: Sequence[float],
        middle: Sequence[float],
        radius: float,
        home: Sequence[float],
        turning: Sequence[bool],
    ) -> None: ...
    def find(
        self, targets: object, inclinations: object = None
    ) -> tuple[Array, npt.NDArray[np.int32], npt.NDArray[np.int32], list[float]]: ...
    def candidates(self, target: object) -> Array: ...
    @property
    def offers(self) -> Candidates: ...
    @property
    def most(self) -> int: ...

class TargetView:
    """
    The inputs of a network for a target, and the outputs it is trained on.
    """

    def __init__(self, kernel: Kernel, scale: float, places: bool = False, sided: bool = False) -> None: ...
    def look(self, targets: object, threads: int = 0) -> Array: ...
    @property
    def inputs(self) -> int: ...
    @property
    def outputs(self) -> int: ...
    @property
    def first(self) -> int: ...

class NetworkStarts(Starts):
    """A network's candidate postures for a target, smallest error first."""

    def __init__(
        self,
        kernel: Kernel,
        view: TargetView,
        weights: Sequence[Array],
        biases: Sequence[Array],
        heads: int,
        lower: Sequence[float],
        upper: Sequence[float],
        cones: Sequence[Sequence[float]],
        home: Sequence[float],
        length: float,
    ) -> None: ...
    def propose(self, targets: object, seeds: object = None, threads: int = 0) -> Array: ...
    def settled(self, q: object, seed: object) -> Array: ...
    @property
    def most(self) -> int: ...

class PerceptronKernel:
    """
    Perceptrons of one shape: their outputs, and the training of several at a time.
    """

    def __init__(self, layers: Sequence[int], linear: bool = False) -> None: ...
    def outputs(self, weights: object, x: object) -> Array: ...
    def back_propagate(
        self,
        weights: object,
        changes: object,
        x: object,
        y: object,
        keys: Sequence[int],
        first: int,
        epochs: int,
        rate: float,
        momentum: float,
        shuffled: bool,
        threads: int = 0,
    ) -> tuple[Array, Array]: ...
    def marquardt(
        self,
        weights: object,
        damping: object,
        x: object,
        y: object,
        iterations: int,
        easier: float,
        harder: float,
        least: float,
        most: float,
        threads: int = 0,
    ) -> tuple[Array, Array, Array]: ...
    def slope(self, weights: object, x: object, y: object) -> tuple[float, Array]: ...
    @property
    def weights(self) -> int: ...

class AngleNetwork:
    """The mean of multiple computations (MMC) over angles and distances."""

    def __init__(
        self, rows: Sequence[float], instead: Sequence[int], angular: Sequence[bool], lengths: Sequence[float]
    ) -> None: ...
    def run(
        self,
        start: Array,
        clamped: Array,
        low: Array,
        high: Array,
        removed: str,
        noisy: str,
        cycles: int,
        tolerance: float,
        parallel: bool,
        mean: int,
        nearest: bool,
        least_side: float,
        damping: float,
        noise: float,
        seed: int,
        first_cycle: int,
    ) -> tuple[Array, Array, int, float]: ...
    def disagreement(self, state: Array, nearest: bool, least_side: float) -> float: ...

class PointNetwork:
    """The mean of multiple computations (MMC) over the points of segments."""

    def __init__(self, segments: Sequence[float], clamped: Sequence[int], planar: bool) -> None: ...
    def run(
        self,
        points: Array,
        targets: Array,
        step: Array,
        regions: Array,
        cycles: int,
        tolerance: float,
        pull: float,
        fading: float,
        patience: int,
        progress: float,
        kick: float,
        record: bool,
    ) -> tuple[Array, Array, Array, Array, Array, int, int, float, float, bool]: ...
    def finish(
        self,
        rest: Array,
        start: Array,
        targets: Array,
        regions: Array,
        steps: int,
        tolerance: float,
        scattered: int,
        seed: int,
        record: bool,
    ) -> tuple[Array, Array, int, float, float]: ...

class DescentSettings:
    """Settings of the descent in muscle space."""

    def __init__(
        self,
        alpha: float,
        much: float,
        little: float,
        worse: float,
        cooling: float,
        heat: float,
        still: float,
        goal: float,
        far: float,
        probe: float,
        part: float,
        kick: float,
        rise: float,
        velocity: bool,
        annealing: bool,
        reheating: bool,
        sweeps: int,
        seconds: float,
        seed: int,
    ) -> None: ...

class MuscleSet:
    """The muscles of a mechanism, ready for computing."""

    def __init__(
        self,
        kernel: Kernel,
        points: Sequence[Sequence[float]],
        pulleys: Sequence[Sequence[float]],
        rest: Sequence[float],
        least: Sequence[float],
        most: Sequence[float],
        lower: Sequence[float],
        upper: Sequence[float],
        size: float,
        down: Sequence[float],
    ) -> None: ...
    def lengths(self, q: object, threads: object = 0) -> Array: ...
    def arms(self, q: object, threads: object = 0) -> Array: ...
    def both(self, q: object, threads: object = 0) -> tuple[Array, Array]: ...
    @property
    def has_swivel(self) -> bool: ...
    @property
    def exact(self) -> bool: ...
    @property
    def has_direct(self) -> bool: ...
    def shell(self) -> tuple[list[float], float, float]: ...
    def solve_point(
        self, point: object, seed: object, nearest: bool, only: float | None = None, tolerance: float = 0.0
    ) -> tuple[int, int, Array, float, float, int, Array, int, float, Array]: ...
    def solve_points(
        self, points: object, seed: object, nearest: bool, threads: object = 0, tolerance: float = 0.0
    ) -> tuple[Array, Array, Array, Array, Array]: ...
    def direct(
        self, lengths: object, tolerance: float, limited: bool, seed: object, seeded: bool = False
    ) -> tuple[Array, list[int], Array, int, int, int, float, float, tuple[int, int], float, list[bool]]: ...
    def match(self, lengths: object, seeds: object, limited: bool) -> tuple[Array, Array]: ...
    def search(
        self, target: object, seeds: object, position: float, rotation: float, centred: bool
    ) -> tuple[bool, Array, float, float, float, int, int, int]: ...
    def track(
        self, target: object, q: object, steps: int, centring: float, position: float, rotation: float
    ) -> tuple[bool, Array, float, float, float, int, int, int]: ...
    def nearest(
        self, target: object, seeds: object, steps: int
    ) -> tuple[bool, Array, float, float, float, int, int, int]: ...
    def descend(
        self,
        point: object,
        moved: Sequence[int],
        lengths: object,
        q: object,
        side: int,
        subsets: Sequence[Sequence[int]],
        settings: DescentSettings,
    ) -> tuple[Array, float, Array, int, int, int, bool, Array]: ...
    @staticmethod
    def descend_by(
        measure: object,
        lengths: object,
        least: Sequence[float],
        most: Sequence[float],
        subsets: Sequence[Sequence[int]],
        settings: DescentSettings,
    ) -> tuple[Array, float, Array, int, int, int, bool, Array]: ...

def read_numbers(
    text: bytes, start: int, columns: int, most: int, largest: float
) -> tuple[Array, int, int, int, int]: ...
def euler_to_vectors(channels: object, places: Sequence[int], size: int, unit: float) -> Array: ...
def vectors_to_euler(vectors: object, angles: object, known: object, before: object, axes: Sequence[int]) -> Array: ...
def family_postures(
    solver: PostureSolver, targets: object, values: object, seed: object
) -> tuple[Array, npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.bool_]]: ...
def best_trajectory(
    postures: object,
    first: object,
    key: object,
    keys: int,
    round: bool,
    window: int,
    distance: object,
    bound: object,
    opposite: object,
    branch: object,
    held: object,
    weight: object,
    pace: object,
    wraps: Sequence[bool],
    begin: object,
    end: object,
) -> tuple[npt.NDArray[np.int64], float, Array]: ...
def time_path(s: object, slope: object, bend: object, speed: object, acceleration: object, most: object) -> Array: ...
def solve_two_bones(
    roots: object,
    targets: object,
    lengths: object,
    poles: object,
    swivels: object,
    previous: object,
    rest: Sequence[float],
    pole_is_point: bool,
    soft: float,
    start: float,
    most: float,
    threads: int,
) -> Array: ...
def two_bone_rotations(
    roots: object, answers: object, rest: Sequence[float], axis: Sequence[float], least: bool
) -> Array: ...
def register(**objects: object) -> None:
    """
    Register objects of the layers above: statuses, sentences, readers of poses, types of errors.
    """

def pose_error(actual: object, target: object) -> Array: ...
def home_of(lower: Sequence[float], upper: Sequence[float], cones: Sequence[Sequence[float]]) -> Array: ...
def draw_ranges(lower: Sequence[float], upper: Sequence[float], span: Sequence[float]) -> tuple[Array, Array]: ...
def clamp_rotations(rotations: object, axis: Sequence[float], swing: float, low: float, high: float) -> Array: ...
def trigonometry(x: object) -> Array: ...
