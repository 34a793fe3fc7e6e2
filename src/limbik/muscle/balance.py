"""A posture (configuration) held by pressures, and the least-squares problem for the pressures.

Pressures P enter linearly: balance @ P = load, stiffness = stiff @ P (`muscle/pressures.py`). The balance is a condition,
the stiffness is met as nearly as it can be, pressures lie between 0 and their greatest: bounded least squares with heavy rows for
the balance, which is then made exact on the pressures that are at no end.
"""

from dataclasses import dataclass

import numpy as np

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.model.results import OneAnswer

# What the balance weighs beside the stiffness, before it is made exact.
BALANCE = 1e4
# Torques that are left over count as none below this part of what the muscles could give.
LEFT_OVER = 1e-9
# A stiffness counts up to this times what the muscles could give.
BEYOND = 1e3


@dataclass(frozen=True, eq=False, repr=False)
class Balance(OneAnswer, Record):
    """A posture (configuration) held by pressures. q: (n,); lengths, pressures [Pa], forces [N]: (m,); stiffness: (n, n)
    [Nm/rad].

    torques: (n,) what is left over [Nm]; 0 in balance. q_uncertainty: (n,) and tip_uncertainty: (3,) [m] how far hysteresis
    may hold the posture away, one standard deviation where the forces are uncertain by their hysteresis, each for itself.
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
    """Return a torque that the muscles could give [Nm]: what others are small beside."""
    return max(float((np.abs(balance) * most).sum(axis=1).max(initial=0.0)), 1e-12)


def even(balance: Array, P: Array, load: Array, most: Array) -> bool:
    """Tell whether pressures balance a load, to rounding."""
    return bool((np.abs(balance @ P - load) <= LEFT_OVER * strength(balance, most)).all())


def bounded(stiff: Array, wanted: Array, balance: Array, load: Array, most: Array) -> Array:
    """Return pressures between 0 and `most` with balance @ P = load and stiff @ P nearest to wanted, in parts of that."""
    from scipy.optimize import lsq_linear

    unit = most.copy()
    could = (np.maximum(stiff, 0.0) * most).sum(axis=1)
    # what is far beyond all that the muscles could give is as good as a good deal beyond
    wanted = np.minimum(wanted, BEYOND * np.where(could > 0, could, max(float(could.max(initial=0.0)), 1e-12)))
    weight = 1.0 / np.maximum(wanted, 1e-9 * max(float(wanted.max(initial=0.0)), 1e-9))
    scale = np.abs(balance * unit).sum(axis=1)
    rows = BALANCE / np.where(scale > 0, scale, 1.0)
    # a touch of everything keeps the answer unique
    A = np.vstack([stiff * unit * weight[:, None], balance * unit * rows[:, None], 1e-6 * np.eye(len(unit))])
    b = np.concatenate([wanted * weight, load * rows, np.zeros(len(unit))])
    x = lsq_linear(A, b, (0.0, 1.0), method="bvls", tol=1e-14).x
    # on the pressures that are not at an end the balance is made exact
    for _ in range(8):
        free = (x > 1e-12) & (x < 1 - 1e-12)
        missing = load - (balance * unit) @ x
        if not free.any():
            break
        x[free] += np.linalg.lstsq((balance * unit)[:, free], missing, rcond=1e-12)[0]
        x = np.clip(x, 0.0, 1.0)
    return np.asarray(x * unit)
