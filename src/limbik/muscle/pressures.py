"""Pneumatic muscles: pressures that hold a posture (configuration) with a desired stiffness, and the equilibrium of pressures.

A muscle has the tension F = P g(L) (`model/mckibben.py`) and gives the joint torques -G' F with G = dL/dq. A posture is
in equilibrium if G' F = load, the external joint torques. Its stiffness is the derivative,

    K = G' diag(dF/dL) G + sum F d2L/dq2  -  d load/dq,

and both are linear in the pressures. Pressures for a desired stiffness are the solution of a small bounded
least-squares problem: the equilibrium is a constraint, the error of the joint stiffnesses is minimised, and pressures
are between 0 and their maxima. A higher stiffness needs more co-contraction of antagonists. Tendons only pull: a joint
whose muscles and load all act in one direction cannot be held, and a joint without antagonists has no stiffness.
MaximumOne's shoulder, whose three muscles are on one side, is held by them only where its own weight acts the other
way.
"""

import math
from typing import Any

import numpy as np

from limbik._core import Status
from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import Array, numbers
from limbik.model.masses import gravity_torques
from limbik.model.mckibben import McKibben
from limbik.model.model import Model
from limbik.muscle.balance import RESIDUAL, Balance, bounded, even, strength
from limbik.muscle.lengths import admissible
from limbik.muscle.postures import posture_from_lengths
from limbik.muscle.problem import muscle_problem, require_muscles
from limbik.muscle.validation import joint_numbers, one_posture, seed_posture

# Step of the central differences of moment arms and of gravity torques [rad or m].
STEP = 1e-5
# Largest number of steps of the search for an equilibrium, and largest change of a joint value per step [rad or m].
STEPS, LONGEST = 200, 0.2
# Rounding of a muscle's length relative to its thread.
ROUNDING = 1e-12


def pressures(model: Model, lengths: Any, stiffness: Any, load: Any = None, seed: Any = None) -> Balance:
    """Return pressures that hold these lengths with a stiffness of the joints; the first posture counts."""
    found = posture_from_lengths(model, lengths, seed)
    if not found.ok:
        raise BadOption(f"no posture has these lengths: {found.why}")
    return pressures_at(model, found.q[0], stiffness, load)


def pressures_at(model: Model, q: Any, stiffness: Any, load: Any = None) -> Balance:
    """Return pressures that hold a posture with the closest joint stiffness, one number or n [Nm/rad]."""
    posture = one_posture(model, q)
    wanted = joint_numbers(model, stiffness, "stiffness")
    if (wanted < 0).any():
        raise BadOption(f"stiffness={shown(stiffness)}: it must not be negative")
    outer, bend = _load(model, load, posture)
    actuators = _actuators(model)
    L, G = muscle_problem(model).core.both(posture)
    gain, rise = _gains(actuators, L)
    curve = _curvature(model, posture)
    stiff = rise[:, None, None] * G[:, :, None] * G[:, None, :] + gain[:, None, None] * curve
    most = np.array([a.highest for a in actuators])
    diagonal = np.einsum("mjj->jm", stiff)
    P = bounded(diagonal, wanted + np.diag(bend), G.T * gain, outer, most)
    if not even(G.T * gain, P, outer, most):
        # The equilibrium alone: a residual that remains is proven.
        P = bounded(0.0 * diagonal, 0.0 * wanted, G.T * gain, outer, most)
    return _balance(model, posture, P, load, "pressures by bounded least squares")


def posture_from_pressures(model: Model, given: Any, load: Any = None, seed: Any = None) -> Balance:
    """Return the equilibrium posture of pressures [Pa], by a damped Newton search from a posture nearby (home)."""
    actuators = _actuators(model)
    P = _checked_pressures(model, actuators, given)
    start = seed_posture(model, seed)
    q = start if seed is None else model.ranges.clamp(start)
    lower, upper = model.ranges.lower, model.ranges.upper
    damping = 1e-3
    residual, K = _torques(model, q, P, load)
    for _ in range(STEPS):
        free = ~((q <= lower) & (residual > 0) | (q >= upper) & (residual < 0))
        scale = max(float(np.abs(np.diag(K)).max(initial=0.0)), 1e-12)
        if not free.any() or np.abs(residual[free]).max() < 1e-13 * scale:
            break
        H = K[np.ix_(free, free)] + damping * scale * np.eye(int(free.sum()))
        eigenvalues, vectors = np.linalg.eigh(0.5 * (H + H.T))
        step = np.zeros(model.n)
        step[free] = -vectors @ ((vectors.T @ residual[free]) / np.maximum(np.abs(eigenvalues), 1e-9 * scale))
        step *= min(1.0, LONGEST / max(float(np.abs(step).max()), 1e-300))
        moved = np.clip(q + step, lower, upper)
        new_residual, new_K = _torques(model, moved, P, load)
        if np.linalg.norm(new_residual[free]) < np.linalg.norm(residual[free]):
            q, residual, K, damping = moved, new_residual, new_K, max(damping * 0.2, 1e-14)
        else:
            damping *= 4.0
            if damping > 1e8:
                break
    return _balance(model, q, P, load, "the posture of these pressures")


# ---- parts ---------------------------------------------------------------------------------------------------------------


def _actuators(model: Model) -> tuple[McKibben, ...]:
    require_muscles(model)
    for muscle in model.compiled.muscles:
        if muscle.actuator is None:
            raise BadOption(
                f"muscle '{muscle.name}' has no actuator; arm.with_muscles(arm.muscles.as_mckibben()) gives every muscle one"
            )
    return tuple(muscle.actuator for muscle in model.compiled.muscles if muscle.actuator is not None)


def _checked_pressures(model: Model, actuators: tuple[McKibben, ...], given: Any) -> Array:
    """Return one pressure for each muscle, (m,) [Pa]. Raises ShapeError, NotFinite, NotNumeric, BadOption."""
    P = numbers(given, f"pressures must be {len(actuators)} numbers")
    if P.shape != (len(actuators),):
        raise ShapeError(f"pressures must be {len(actuators)} numbers, one for each muscle; got shape {P.shape}")
    if not np.isfinite(P).all():
        raise NotFinite("pressures hold NaN or infinity")
    if (P < 0).any():
        raise BadOption("pressures must not be negative")
    for a, p, muscle in zip(actuators, P, model.compiled.muscles, strict=True):
        if p > a.highest * (1 + 1e-12):
            raise BadOption(f"'{muscle.name}' takes at most {a.highest:g} Pa; got {p:g}")
    return P


def _load(model: Model, load: Any, q: Array) -> tuple[Array, Array]:
    """Return the external torques in a posture, (n,), and their derivatives, (n, n)."""
    n = model.n
    if load is None:
        return np.zeros(n), np.zeros((n, n))
    if isinstance(load, str):
        if load != "gravity":
            raise BadOption(f"load={load!r}: give torques [Nm], or 'gravity'")
        ahead, behind = (
            np.array([gravity_torques(model, model.kernel.integrate(q, by * e)) for e in np.eye(n)])
            for by in (STEP, -STEP)
        )
        bend = (ahead - behind).reshape(n, n).T / (2 * STEP)
        return gravity_torques(model, q), 0.5 * (bend + bend.T)
    return joint_numbers(model, load, "load"), np.zeros((n, n))


def _gains(actuators: tuple[McKibben, ...], L: Array) -> tuple[Array, Array]:
    """Return tension and stiffness per unit of pressure, (m,) each; 0 for a muscle that is too short to pull."""
    gain = np.array([float(a.gain(x)) for a, x in zip(actuators, L, strict=True)])
    rise = np.array([float(a.stiffness(x, 1.0)) for a, x in zip(actuators, L, strict=True)])
    return np.maximum(gain, 0.0), np.where(gain > 0, rise, 0.0)


def _curvature(model: Model, q: Array) -> Array:
    """Return the second derivatives of the lengths, (m, n, n), by central differences of the moment arms."""
    core, n = muscle_problem(model).core, model.n
    if n == 0:
        return np.zeros((len(model.compiled.muscles), 0, 0))
    ahead = core.arms(np.array([model.kernel.integrate(q, STEP * e) for e in np.eye(n)]))
    behind = core.arms(np.array([model.kernel.integrate(q, -STEP * e) for e in np.eye(n)]))
    curve = np.moveaxis((ahead - behind) / (2 * STEP), 0, 2)
    return np.asarray(0.5 * (curve + curve.transpose(0, 2, 1)))


def _torques(model: Model, q: Array, P: Array, load: Any) -> tuple[Array, Array]:
    """Return the residual torques, (n,), and the stiffness, (n, n)."""
    outer, bend = _load(model, load, q)
    L, G = muscle_problem(model).core.both(q)
    gain, rise = _gains(_actuators(model), L)
    K = np.einsum("m,mi,mj->ij", rise * P, G, G) + np.einsum("m,mij->ij", gain * P, _curvature(model, q))
    return G.T @ (gain * P) - outer, K - bend


def _balance(model: Model, q: Array, P: Array, load: Any, what: str) -> Balance:
    actuators = _actuators(model)
    problem = muscle_problem(model)
    L, G = problem.core.both(q)
    gain, _ = _gains(actuators, L)
    forces = gain * P
    residual, K = _torques(model, q, P, load)
    capacity = strength(G.T * gain, np.array([a.highest for a in actuators]))
    held = (q <= model.ranges.lower) & (residual > 0) | (q >= model.ranges.upper) & (residual < 0)
    free = ~held
    balanced = bool((np.abs(residual[free]) <= RESIDUAL * capacity).all())
    try:
        own = np.linalg.eigvalsh(0.5 * (K + K.T)[np.ix_(free, free)])
        soft = own.min(initial=math.inf) <= 1e-9 * max(float(own.max(initial=0.0)), 1e-12)
    except np.linalg.LinAlgError:
        soft = True
    inside = bool(admissible(model, q))
    taut = [m.name for m, a, x in zip(problem.muscles, actuators, L, strict=True) if x > a.longest * (1 + ROUNDING)]
    q_off, tip_off = _uncertain(model, q, G, forces, K, free)
    if not balanced:
        status = Status.LIMITS if what.startswith("pressures") else Status.NOT_FOUND
        why = f"{what}: not in balance, the residual torque is {np.abs(residual[free]).max():.3g} Nm"
    elif soft:
        names = model.joint_names
        loose = [name for name, k in zip(names, np.diag(K), strict=True) if k <= 0] or list(names)
        status = Status.NOT_FOUND
        why = f"{what}: in balance but not stable; no antagonists hold {', '.join(loose)}"
    elif taut:
        status = Status.LIMITS
        why = f"{what}: in balance, but {', '.join(taut)} would be longer than its braid thread"
    elif not inside:
        status, why = Status.LIMITS, f"{what}: in balance, but a muscle is out of its range"
    else:
        at_limit = f", {int(held.sum())} joints at a limit" if held.any() else ""
        status, why = Status.SOLVED, f"{what}: in balance and stable{at_limit}"
    return Balance(q, L, P, forces, K, np.where(held, 0.0, residual), q_off, tip_off, problem.names, status, why)


def _uncertain(model: Model, q: Array, G: Array, forces: Array, K: Array, free: Any) -> tuple[Array, Array]:
    """Return the standard deviations of q and of the tip if each force is uncertain by its hysteresis."""
    away = np.array([a.hysteresis for a in _actuators(model)]) * forces
    dq = np.zeros((model.n, len(forces)))
    if free.any():
        dq[free] = -np.linalg.pinv(K[np.ix_(free, free)]) @ (G.T * away)[free]
    J = model.kernel.jacobian(q, -1, 0)[:3]
    return np.sqrt((dq**2).sum(axis=1)), np.sqrt(((J @ dq) ** 2).sum(axis=1))
