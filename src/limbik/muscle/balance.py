"""A posture (configuration) held by pressures, and the least-squares problem for the pressures.

Pressures P enter linearly: balance @ P = load, stiffness = stiff @ P (`muscle/pressures.py`). The equilibrium is a
constraint, the stiffness is approximated in the least-squares sense, and pressures are between 0 and their maxima. This
is a bounded least-squares problem with large weights for the equilibrium, which is then solved exactly for the
pressures that are not at a bound.
"""

from dataclasses import dataclass

import numpy as np

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.model.results import OneAnswer

# Weight of the equilibrium relative to the stiffness, before it is made exact.
BALANCE = 1e4
# Largest residual torque of an equilibrium, relative to the strength of the muscles.
RESIDUAL = 1e-9
# A desired stiffness is clipped to this multiple of the largest that the muscles can give.
BEYOND = 1e3


@dataclass(frozen=True, eq=False, repr=False)
class Balance(OneAnswer, Record):
    """A posture (configuration) held by pressures. q: (n,); lengths, pressures [Pa], forces [N]: (m,); stiffness: (n, n)
    [Nm/rad].

    torques: (n,) the residual torques [Nm], 0 in equilibrium. q_uncertainty: (n,) and tip_uncertainty: (3,) [m]
    standard deviations of posture and tip if each force is independently uncertain by its hysteresis.
    """

    q: Array
    lengths: Array
    pressures: Array
    forces: Array
    stiffness: Array
    torques: Array
    q_uncertainty: Array
    tip_uncertainty: Array
    names: tuple[str, ...]
    status: Status
    why: str

    def __repr__(self) -> str:
        return f"<Balance {self.status.name}: {self.why}>"


def strength(balance: Array, most: Array) -> float:
    """Return the largest torque that the muscles can give at a joint [Nm], the scale of torques."""
    return max(float((np.abs(balance) * most).sum(axis=1).max(initial=0.0)), 1e-12)


def even(balance: Array, P: Array, load: Array, most: Array) -> bool:
    """Return whether pressures balance a load, to rounding."""
    return bool((np.abs(balance @ P - load) <= RESIDUAL * strength(balance, most)).all())


def bounded(stiff: Array, wanted: Array, balance: Array, load: Array, most: Array) -> Array:
    """Return pressures in [0, most] with balance @ P = load and the least error of stiff @ P relative to `wanted`."""
    from scipy.optimize import lsq_linear

    unit = most.copy()
    could = (np.maximum(stiff, 0.0) * most).sum(axis=1)
    # Clip unreachable values, which would spoil the scaling of the problem.
    wanted = np.minimum(wanted, BEYOND * np.where(could > 0, could, max(float(could.max(initial=0.0)), 1e-12)))
    weight = 1.0 / np.maximum(wanted, 1e-9 * max(float(wanted.max(initial=0.0)), 1e-9))
    scale = np.abs(balance * unit).sum(axis=1)
    rows = BALANCE / np.where(scale > 0, scale, 1.0)
    # A small ridge makes the solution unique.
    A = np.vstack([stiff * unit * weight[:, None], balance * unit * rows[:, None], 1e-6 * np.eye(len(unit))])
    b = np.concatenate([wanted * weight, load * rows, np.zeros(len(unit))])
    x = lsq_linear(A, b, (0.0, 1.0), method="bvls", tol=1e-14).x
    # Make the equilibrium exact with the pressures that are not at a bound.
    for _ in range(8):
        free = (x > 1e-12) & (x < 1 - 1e-12)
        missing = load - (balance * unit) @ x
        if not free.any():
            break
        x[free] += np.linalg.lstsq((balance * unit)[:, free], missing, rcond=1e-12)[0]
        x = np.clip(x, 0.0, 1.0)
    return np.asarray(x * unit)
