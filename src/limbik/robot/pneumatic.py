"""Pneumatic muscles: pressures that hold a posture with a wanted stiffness, and the posture that pressures hold.

A muscle pulls with F = P g(L) (`model/mckibben.py`), which turns the joints by -G' F with G = dL/dq. A posture is in balance
where G' F = load, the torques that act on the joints from outside. Its stiffness is the derivative of that,

    K = G' diag(dF/dL) G + sum F d2L/dq2  -  d load/dq,

and both are linear in the pressures. So pressures for a wanted stiffness are a small bounded least squares problem: balance
as a condition, the stiffness of each joint as near as it gets, pressures between 0 and their greatest. More stiffness means
more pull against each other, antagonist against antagonist. Tendons only pull: a joint whose muscles, and the load, all act
on one side cannot be held, and a joint without antagonist has no stiffness. MaximumOne's shoulder, whose three muscles begin
on one side of it, is held by them only where its own weight pulls the other way.
"""

import math
from dataclasses import replace
from typing import Any, Self

import numpy as np

from limbik._core import Status
from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import Array, numbers
from limbik.model.mckibben import McKibben
from limbik.muscle.balance import LEFT_OVER, Balance, bounded, even, strength
from limbik.robot.gravity import Weighed

# A step for the derivative of moment arms [rad or m].
STEP = 1e-5
# Steps of the search for a posture, and how far one goes [rad or m].
STEPS, LONGEST = 200, 0.2
# A muscle is no longer than its thread but for this part of it.
ROUNDING = 1e-12


class Pneumatic(Weighed):
    """The verbs about pressures."""

    def with_mckibben(self, **settings: Any) -> Self:
        """Return this chain with a McKibben actuator on every muscle: its own with these settings, or one that fits its range.

        settings: those of `McKibben`: turns, highest, hysteresis, tendon, thread. Raises BadOption where a range is too wide.
        """
        known = ("thread", "turns", "highest", "hysteresis", "tendon")
        for name in settings:
            if name not in known:
                raise BadOption(f"a McKibben muscle has no {name!r}; it has {', '.join(known)}")

        def fitted(muscle: Any) -> Any:
            own = muscle.actuator
            if own is not None:
                made = replace(own, **settings)
            elif "thread" in settings:
                made = McKibben(**{"turns": 3.0, **settings})
            else:
                made = McKibben.for_range(muscle.lower, muscle.upper, **settings)
            return replace(muscle, actuator=made)

        return self.with_muscles(tuple(fitted(m) for m in self.model.mechanism.muscles))

    def pressures(self, lengths: Any, stiffness: Any, load: Any = None, seed: Any = None) -> Balance:
        """Return pressures that hold these lengths with a stiffness of the joints. lengths: as in `posture_from_lengths`.

        Where they hold several postures the first counts. The rest is as in `pressures_at`.
        """
        found = self.posture_from_lengths(lengths, seed)
        if not found.ok:
            raise BadOption(f"no posture has these lengths: {found.why}")
        return self.pressures_at(found.q[0], stiffness, load)

    def pressures_at(self, q: Any, stiffness: Any, load: Any = None) -> Balance:
        """Return pressures that hold a posture with a stiffness of the joints, one number or n [Nm/rad]; as near as it gets.

        load: (n,) torques on the joints from outside [Nm], or "gravity" for the weight of the links. Status LIMITS where no
        pressures hold the posture.
        """
        posture = np.array(self.model.kernel.checked(q))
        if posture.shape != (self.n,):
            raise ShapeError(f"q must have shape ({self.n},); got {posture.shape}")
        wanted = np.broadcast_to(self._joint_numbers(stiffness, "stiffness"), (self.n,))
        if (wanted < 0).any():
            raise BadOption(f"stiffness={shown(stiffness)}: it is not negative")
        outer, bend = self._load(load, posture)
        actuators = self._actuators()
        L, G = self._muscle_problem.core.both(posture)
        gain, rise = self._gains(actuators, L)
        curve = self._curvature(posture)
        stiff = rise[:, None, None] * G[:, :, None] * G[:, None, :] + gain[:, None, None] * curve
        most = np.array([a.highest for a in actuators])
        diagonal = np.einsum("mjj->jm", stiff)
        P = bounded(diagonal, wanted + np.diag(bend), G.T * gain, outer, most)
        if not even(G.T * gain, P, outer, most):
            P = bounded(
                0.0 * diagonal, 0.0 * wanted, G.T * gain, outer, most
            )  # balance alone: what is left now is proven
        return self._balance(posture, P, load, "pressures by bounded least squares")

    def posture_from_pressures(self, pressures: Any, load: Any = None, seed: Any = None) -> Balance:
        """Return the posture that pressures hold [Pa], from a posture nearby (home): where the torques are in balance.

        Joints that the muscles press against a limit stay there. NOT_FOUND where no balance is found, for example without
        pressure.
        """
        actuators = self._actuators()
        P = numbers(pressures, f"pressures must be {len(actuators)} numbers")
        if P.shape != (len(actuators),):
            raise ShapeError(f"pressures must be {len(actuators)} numbers, one for each muscle; got shape {P.shape}")
        if not np.isfinite(P).all():
            raise NotFinite("pressures hold NaN or infinity")
        if (P < 0).any():
            raise BadOption("pressures are not negative")
        for a, p, muscle in zip(actuators, P, self.muscles, strict=True):
            if p > a.highest * (1 + 1e-12):
                raise BadOption(f"'{muscle.name}' stands {a.highest:g} Pa at most; got {p:g}")
        q = np.array(self.home if seed is None else self.clamp(seed), float)
        if q.shape != (self.n,):
            raise ShapeError(f"seed must have shape ({self.n},); got {q.shape}")
        damping = 1e-3
        left, K = self._torques(q, P, load)
        for _ in range(STEPS):
            free = ~((q <= self.lower) & (left > 0) | (q >= self.upper) & (left < 0))
            scale = max(float(np.abs(np.diag(K)).max(initial=0.0)), 1e-12)
            if not free.any() or np.abs(left[free]).max() < 1e-13 * scale:
                break
            H = K[np.ix_(free, free)] + damping * scale * np.eye(int(free.sum()))
            eigenvalues, vectors = np.linalg.eigh(0.5 * (H + H.T))
            step = np.zeros(self.n)
            step[free] = -vectors @ ((vectors.T @ left[free]) / np.maximum(np.abs(eigenvalues), 1e-9 * scale))
            step *= min(1.0, LONGEST / max(float(np.abs(step).max()), 1e-300))
            moved = np.clip(q + step, self.lower, self.upper)
            left_there, K_there = self._torques(moved, P, load)
            if np.linalg.norm(left_there[free]) < np.linalg.norm(left[free]):
                q, left, K, damping = moved, left_there, K_there, max(damping * 0.2, 1e-14)
            else:
                damping *= 4.0
                if damping > 1e8:
                    break
        return self._balance(q, P, load, "the posture of these pressures")

    # ---- parts -----------------------------------------------------------------------------------------------------

    def _actuators(self) -> tuple[McKibben, ...]:
        self._muscular()
        for muscle in self.muscles:
            if muscle.actuator is None:
                raise BadOption(f"muscle '{muscle.name}' has no actuator; with_mckibben() gives every muscle one")
        return tuple(muscle.actuator for muscle in self.muscles if muscle.actuator is not None)

    def _joint_numbers(self, given: Any, what: str) -> Array:
        values = numbers(given, f"{what} must be one number or {self.n}")
        if values.shape not in ((), (self.n,)):
            raise ShapeError(f"{what} must be one number or {self.n}; got shape {values.shape}")
        if not np.isfinite(values).all():
            raise NotFinite(f"{what} holds NaN or infinity")
        return values

    def _load(self, load: Any, q: Array) -> tuple[Array, Array]:
        """Return the torques from outside in a posture, and how they change with it, (n,) and (n, n)."""
        if load is None:
            return np.zeros(self.n), np.zeros((self.n, self.n))
        if isinstance(load, str):
            if load != "gravity":
                raise BadOption(f"load={load!r}: give torques [Nm], or 'gravity'")
            ahead, behind = (
                np.array([self.gravity_torques(self.model.kernel.integrate(q, by * e)) for e in np.eye(self.n)])
                for by in (STEP, -STEP)
            )
            bend = (ahead - behind).reshape(self.n, self.n).T / (2 * STEP)
            return self.gravity_torques(q), 0.5 * (bend + bend.T)
        return np.array(np.broadcast_to(self._joint_numbers(load, "load"), (self.n,))), np.zeros((self.n, self.n))

    @staticmethod
    def _gains(actuators: tuple[McKibben, ...], L: Array) -> tuple[Array, Array]:
        """Return pull and stiffness per unit of pressure, 0 where a muscle is too short to pull."""
        gain = np.array([float(a.gain(x)) for a, x in zip(actuators, L, strict=True)])
        rise = np.array([float(a.stiffness(x, 1.0)) for a, x in zip(actuators, L, strict=True)])
        return np.maximum(gain, 0.0), np.where(gain > 0, rise, 0.0)

    def _curvature(self, q: Array) -> Array:
        """Return the second derivatives of the lengths, (m, n, n), by differences of the moment arms."""
        core, n = self._muscle_problem.core, self.n
        if n == 0:
            return np.zeros((len(self.muscles), 0, 0))
        ahead = core.arms(np.array([self.model.kernel.integrate(q, STEP * e) for e in np.eye(n)]))
        behind = core.arms(np.array([self.model.kernel.integrate(q, -STEP * e) for e in np.eye(n)]))
        curve = np.moveaxis((ahead - behind) / (2 * STEP), 0, 2)
        return np.asarray(0.5 * (curve + curve.transpose(0, 2, 1)))

    def _torques(self, q: Array, P: Array, load: Any) -> tuple[Array, Array]:
        """Return what is left over of the torques, and the stiffness."""
        outer, bend = self._load(load, q)
        L, G = self._muscle_problem.core.both(q)
        gain, rise = self._gains(self._actuators(), L)
        K = np.einsum("m,mi,mj->ij", rise * P, G, G) + np.einsum("m,mij->ij", gain * P, self._curvature(q))
        return G.T @ (gain * P) - outer, K - bend

    def _balance(self, q: Array, P: Array, load: Any, what: str) -> Balance:
        actuators = self._actuators()
        L, G = self._muscle_problem.core.both(q)
        gain, _ = self._gains(actuators, L)
        forces = gain * P
        left, K = self._torques(q, P, load)
        could = strength(G.T * gain, np.array([a.highest for a in actuators]))
        held = (q <= self.lower) & (left > 0) | (q >= self.upper) & (left < 0)
        free = ~held
        balanced = bool((np.abs(left[free]) <= LEFT_OVER * could).all())
        try:
            own = np.linalg.eigvalsh(0.5 * (K + K.T)[np.ix_(free, free)])
            soft = own.min(initial=math.inf) <= 1e-9 * max(float(own.max(initial=0.0)), 1e-12)
        except np.linalg.LinAlgError:
            soft = True
        inside = bool(self.admissible(q))
        taut = [m.name for m, a, x in zip(self.muscles, actuators, L, strict=True) if x > a.longest * (1 + ROUNDING)]
        q_off, tip_off = self._uncertain(q, G, forces, K, free)
        if not balanced:
            status = Status.LIMITS if what.startswith("pressures") else Status.NOT_FOUND
            why = f"{what}: not in balance, {np.abs(left[free]).max():.3g} Nm are left over"
        elif soft:
            loose = [name for name, k in zip(self.joint_names, np.diag(K), strict=True) if k <= 0] or list(
                self.joint_names
            )
            status = Status.NOT_FOUND
            why = f"{what}: in balance but not stable; nothing holds {', '.join(loose)} from both sides"
        elif taut:
            status, why = (
                Status.LIMITS,
                f"{what}: in balance, but {', '.join(taut)} would be longer than the thread of its braid",
            )
        elif not inside:
            status, why = Status.LIMITS, f"{what}: in balance, but a muscle is out of its range"
        else:
            at_limit = f", {int(held.sum())} joints at a limit" if held.any() else ""
            status, why = Status.SOLVED, f"{what}: in balance and stable{at_limit}"
        return Balance(q, L, P, forces, K, np.where(held, 0.0, left), q_off, tip_off, self.muscle_names, status, why)

    def _uncertain(self, q: Array, G: Array, forces: Array, K: Array, free: Any) -> tuple[Array, Array]:
        """Return the standard deviations of q and of the tip where each force is uncertain by its hysteresis."""
        away = np.array([a.hysteresis for a in self._actuators()]) * forces
        dq = np.zeros((self.n, len(forces)))
        if free.any():
            dq[free] = -np.linalg.pinv(K[np.ix_(free, free)]) @ (G.T * away)[free]
        J = self.model.kernel.jacobian(q, -1, 0)[:3]
        return np.sqrt((dq**2).sum(axis=1)), np.sqrt(((J @ dq) ** 2).sum(axis=1))
