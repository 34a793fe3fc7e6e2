"""The compiled core. Written by benchmarks/stubs.py."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from limbik.solvers.answer import Status

Array = npt.NDArray[np.float64]

def build_info() -> dict[str, object]: ...

LEVEL: str

WIDTH: int

COMPILER: str

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
        mounts: Sequence[float],
        frame_elements: Sequence[int],
        frame_mounts: Sequence[float],
    ) -> None: ...
    def forward(self, q: object, frame: int = -1, threads: int = 0) -> Array: ...
    def jacobian(self, q: object, frame: int = -1, threads: int = 0) -> Array: ...
    def forward_jacobian(self, q: object, frame: int = -1, threads: int = 0) -> tuple[Array, Array]: ...
    def forward_all(self, q: object, threads: int = 0) -> Array: ...
    def checked(self, q: object) -> Array: ...
    def integrate(self, q: object, dq: object) -> Array: ...
    def difference(self, q0: object, q1: object) -> Array: ...
    @property
    def is_scalar_chain(self) -> bool: ...

class Answer:
    """
    What a solve found. Frozen: compares, prints and pickles like a dataclass.
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
    ) -> None: ...
    @property
    def ok(self) -> bool:
        """
        True when the target is reached: checked by forward kinematics and limits.
        """

    @property
    def status(self) -> Status: ...
    @property
    def code(self) -> int: ...
    @property
    def q(self) -> Array: ...
    @property
    def target(self) -> Array: ...
    @property
    def position_error(self) -> float: ...
    @property
    def rotation_error(self) -> float: ...
    @property
    def attempt(self) -> int: ...
    @property
    def tried(self) -> int: ...
    @property
    def timed_out(self) -> bool:
        """True when `seconds` were over before all was tried."""

    @property
    def method(self) -> str: ...
    @property
    def branch(self) -> int | None: ...
    @property
    def family(self) -> bool: ...
    @property
    def why(self) -> str: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[object, ...]: ...

class SeedTable:
    """Postures to start from, made when first needed."""

    def __init__(self, kernel: Kernel, low: Sequence[float], high: Sequence[float]) -> None: ...
    @property
    def key(self) -> bytes:
        """Every bit that the table depends on."""

    @property
    def made(self) -> bool: ...

class PoseSolver:
    """Levenberg-Marquardt for the tip of one mechanism, ready to run."""

    def __init__(
        self,
        kernel: Kernel,
        table: SeedTable | None,
        lower: Sequence[float],
        upper: Sequence[float],
        draw_low: Sequence[float],
        draw_high: Sequence[float],
        cones: Sequence[Sequence[float]],
        home: Sequence[float],
        length: float,
        position_tolerance: float,
        rotation_tolerance: float,
        attempts: int,
        centre: Sequence[float],
        span: float,
    ) -> None: ...
    @staticmethod
    def in_lanes(kernel: Kernel) -> bool: ...
    def solve(self, target: object, seed: object, first: int = 0, seconds: float = ...) -> Answer: ...
    def solve_batch(
        self, targets: object, seeds: object, threads: int, mark: bool, seconds: float = ...
    ) -> tuple[
        Array,
        npt.NDArray[np.uint8],
        Array,
        Array,
        npt.NDArray[np.int32],
        npt.NDArray[np.int32],
        npt.NDArray[np.bool_],
        Array,
    ]: ...

def pose_error(actual: object, target: object) -> Array: ...
def shortest_way(points: object, sweeps: int) -> tuple[float, tuple[float, float, float]]: ...
def trigonometry(x: object) -> Array: ...
