"""A toy analytic method, in one file: the planar arm with two revolute joints, its two configurations and a proof.

The second axis is at the distance a from the first, and the tip at b from the second. The distance d of the tip from the first
axis determines the angle between the links, cos = (d^2 - a^2 - b^2) / 2ab: two solutions, or none.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import limbik as lk
from limbik import methods
from limbik.geometry.arrays import Array
from limbik.model.model import Model


@dataclass(frozen=True)
class ToyPlanar(methods.Method):
    """Both elbows of a planar arm with two joints."""

    name = "toy_planar"
    title = "a toy: the planar arm with two revolute joints"
    family = "toy"

    def prepare(self, model: Model, options: methods.Options) -> "ToyPlanarSolver":
        """Return the solver. Raises BadOption for any other arm."""
        kinds = [v.joint.kind.is_revolute and v.joint.kind.size == 1 for v in model.compiled.variables]
        if model.is_tree or kinds != [True, True]:
            raise lk.BadOption(f"method='toy_planar': '{model.name}' is no planar arm with two revolute joints")
        if np.linalg.norm(np.cross(*model.kernel.jacobian(model.ranges.home)[3:].T)) > 1e-9:
            raise lk.BadOption(f"method='toy_planar': the axes of '{model.name}' are not parallel")
        return ToyPlanarSolver(model)


@dataclass(frozen=True, eq=False)
class ToyPlanarSolver(methods.Solver):
    """Elbow up and elbow down."""

    model: Model
    name: str = "toy_planar"

    def unfit(self, query: methods.Query) -> str | None:
        """Return why a query is not acceptable: it takes one pose."""
        return "method='toy_planar' takes one pose" if query.goals else None

    def candidates(self, query: methods.Query) -> Iterator[methods.Candidate]:
        """Yield both configurations."""
        radii, phases, at = self._geometry(query)
        d = np.linalg.norm(at)
        cosine = (d**2 - radii[0] ** 2 - radii[1] ** 2) / (2 * radii[0] * radii[1])
        if abs(cosine) > 1 + 1e-9:
            return
        bend = np.arccos(np.clip(cosine, -1.0, 1.0))
        for b in (bend, -bend):
            swing = np.angle(complex(*at)) - np.angle(radii[0] + radii[1] * np.exp(1j * b))
            yield methods.Candidate(np.array([swing - phases[0], b - phases[1]]) * self._signs)

    def proof(self, query: methods.Query) -> methods.Proof | None:
        """Return a proof if the target is closer or farther than the two links reach."""
        radii, _, at = self._geometry(query)
        d, room = float(np.linalg.norm(at)), 1e-6 * sum(radii)
        if d > sum(radii) + room or d < abs(radii[0] - radii[1]) - room:
            return methods.Proof(lk.Status.OUT_OF_REACH, f"the target is {d:.3g} m from the first axis")
        return None

    @property
    def _signs(self) -> Array:
        """The sign of each joint's rotation about the first axis."""
        w = self.model.kernel.jacobian(np.zeros(2))[3:]
        return np.array([1.0, np.sign(w[:, 0] @ w[:, 1])])

    def _geometry(self, query: methods.Query) -> tuple[tuple[float, float], tuple[float, float], Array]:
        """Return the link lengths, the angles of the links at q = 0, and the target from the first axis, in the plane."""
        kernel = self.model.kernel
        J, tip = kernel.jacobian(np.zeros(2)), kernel.forward(np.zeros(2))[:3, 3]
        w = J[3:, 0]
        x = np.linalg.svd(w[None])[2][1]
        frame = np.array([x, np.cross(w, x)])
        axes = [frame @ (tip + np.cross(J[3:, k], J[:3, k])) for k in range(2)]  # v = w x (tip - axis)
        upper, lower = axes[1] - axes[0], frame @ tip - axes[1]
        swing = np.angle(complex(*upper))
        phases = swing, np.angle(complex(*lower)) - swing
        at = frame @ np.asarray(query.target)[:3, 3] - axes[0]
        return (float(np.hypot(*upper)), float(np.hypot(*lower))), phases, at


methods.register(ToyPlanar())
