"""An adapter from a model to the interface that table designs use."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.model import Model
from limbik.solvers.all_postures import all_postures, all_postures_batch, closed_form, redundancy, structure_of


@dataclass(frozen=True, eq=False)
class TableArm:
    """The interfaces `lookup_chain.Arm` and `cells.split.Arm`, implemented by a model."""

    model: Model

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def fingerprint(self) -> str:
        """The model's fingerprint."""
        return self.model.fingerprint

    @property
    def n(self) -> int:
        """The number of joint values."""
        return self.model.n

    @property
    def lower(self) -> Array:
        """(n,) the lower limits."""
        return self.model.ranges.lower

    @property
    def upper(self) -> Array:
        """(n,) the upper limits."""
        return self.model.ranges.upper

    @property
    def home(self) -> Array:
        """(n,) the middle of each range."""
        return self.model.ranges.home

    @property
    def branch_names(self) -> tuple[str, ...]:
        """The names of the branches of the closed form."""
        form = closed_form(self.model)
        return () if form is None else form.branch_names

    @property
    def redundancy(self) -> Any:
        """The free parameter of a redundant arm at a fixed tip pose."""
        return redundancy(self.model)

    @property
    def structure(self) -> Any:
        """The geometry report of the chain."""
        return structure_of(self.model)

    def forward(self, q: Any) -> Array:
        """Return the pose of the tip."""
        return self.model.kernel.forward(q)

    def forward_jacobian(self, q: Any) -> tuple[Array, Array]:
        """Return the pose of the tip and its Jacobian."""
        return self.model.kernel.forward_jacobian(q, -1, 0)

    def sample(self, rng: np.random.Generator, size: Any = ()) -> Array:
        """Return random configurations inside the limits."""
        return self.model.ranges.sample(rng, size, max(self.model.from_base, np.finfo(float).tiny))

    def solve_all(self, T: Any, *, limits: bool = True, swivel: Any = None) -> Any:
        """Return every configuration of a target."""
        return all_postures(self.model, T, limits=limits, swivel=swivel)

    def solve_all_batch(self, Ts: Any, *, threads: int | None = None, limits: bool = True) -> Any:
        """Return every configuration of many targets."""
        return all_postures_batch(self.model, Ts, threads=threads, limits=limits)
