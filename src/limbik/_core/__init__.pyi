"""The compiled core. Written by benchmarks/stubs.py."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

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

def pose_error(actual: object, target: object) -> Array: ...
def shortest_way(points: object, sweeps: int) -> float: ...
def trigonometry(x: object) -> Array: ...
