"""The thesis' closed form of the arm of section 5.1.2: its equations in its order, corrected.

The problem: T = A1 ... A6 is given, with columns N, O, A, P; t1 ... t6 are unknown. Two axes intersect at the shoulder, one is at
the elbow, and three intersect at the wrist. So P determines the first three angles, and N, O and A determine the others. C and S
are cosine and sine; S23 is the sine of t2 + t3.

1. (5.5) The position in row 1 of A1^-1 T is 0: C1 Px + S1 Py = 0, t1 = atan2(Px, -Py) or atan2(-Px, Py).
2. (5.12) In the plane of the arm, u = -S1 Px + C1 Py and Pz are the coordinates of the end of two links: with a = 2 d3 u,
   b = 2 d3 Pz and c = d4^2 - u^2 - Pz^2 - d3^2, a C2 + b S2 = c, so t2 = atan2(b, a) +- atan2(sqrt(a^2 + b^2 - c^2), c).
3. (5.14) t3 = atan2(-S2 S1 Px + S2 C1 Py - C2 Pz, C2 S1 Px - C2 C1 Py - S2 Pz - d3).
4. (5.17) a4 = Ax C1 + Ay S1, b4 = Ay C1 S23 - Ax S1 S23 - Az C23: t4 = atan2(a4, -b4) or atan2(-a4, b4).
5. (5.20) With h(V) = C4 (Vx C1 + Vy S1) + S4 (Vy C1 S23 - Vx S1 S23 - Vz C23): t6 = atan2(-h(O), h(N)).
6. t5 = atan2(S1 Ax C23 - C1 Ay C23 - Az S23, C4 Az C23 + S4 (Ax C1 + Ay S1) + C4 S23 (Ax S1 - Ay C1)): column 3 of
   A5 A6, without a root and without a sign to choose. It replaces (5.21).

So there are 2 x 2 x 2 = 8 postures: shoulder, elbow, wrist. Exceptions:

- a^2 + b^2 < c^2: out of reach, no posture. (The thesis sets t2 to 0 here, which does not reach the pose.)
- a^2 + b^2 = c^2: the elbow is straight or folded, and its two postures coincide. (Section 6.1 claims infinitely many solutions,
  because axes 1 and 2 are aligned; but they are z and x and never align.)
- Px = Py = 0: t1 is free; the caller's is kept. With P = 0, which needs d3 = d4, t2 is free as well.
- cos t5 = 0: only t4 + t6 or t4 - t6 is determined; the caller's t4 is kept.

Errata of the thesis' print. (5.3) Pz should be Py. (5.4), (5.11): the general solution is atan2(b, a) +- ..., as (5.12) has it,
not atan2(a, b), and the right side named d is solved as c. (5.12) b = S2 (2 Pz d3) should be 2 Pz d3. (5.16) is
element [1,3], not [1,4]. (5.18) Ny S1 - Nx C1 should be Ny S1 + Nx C1. (5.19) "O - z" should be Oz, and + Oy C1 S23 should be
- Oy C1 S23. (5.20), (5.21): C5 (S6 S5 S23) should be C5 (S6 S23), the right side Nz + S4 C6 C23, atan2(a, b) should be
atan2(b, a). Even so the equation is undefined at S6 = 0 and has a false root, so that its +- would give 16 postures, half of
them wrong.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array

# The number of postures; with shoulder, elbow and wrist 0 or 1, the branch number is 4 shoulder + 2 elbow + wrist.
BRANCHES = 8
# A radicand up to this fraction of its terms is a double root: rounding changes the radicand by about 1e-15 of them.
DOUBLE_ROOT = 1e-13
# A vector shorter than this fraction of the arm's length (or of 1, for the wrist) has no direction.
NO_DIRECTION = 1e-10


@dataclass(frozen=True)
class Postures:
    """The postures that reach poses (..., 4, 4).

    q: (..., 8, 6) [rad] in the order of the branch numbers, NaN where out of reach. reached, doubled, shoulder_free: (...).
    wrist_free: (..., 8).
    """

    q: Array
    reached: npt.NDArray[np.bool_]
    doubled: npt.NDArray[np.bool_]
    shoulder_free: npt.NDArray[np.bool_]
    wrist_free: npt.NDArray[np.bool_]


def postures(T: Array, upper_arm: float, forearm: float, seed: Array | None = None) -> Postures:
    """Return every posture of the A chain that reaches poses (..., 4, 4), with lengths in the unit of their positions.

    seed: (6,) or (..., 6) [rad], the values of angles that a pose leaves free; zeros by default.
    """
    d3, d4 = upper_arm, forearm
    kept = np.zeros(6) if seed is None else np.asarray(seed, dtype=float)
    kept = np.broadcast_to(kept, (*T.shape[:-2], 6))[..., None, :]
    # one axis more than the poses, for the 8 branches
    N, O, A, P = ([T[..., row, column][..., None] for row in range(3)] for column in range(4))  # noqa: E741
    branch = np.arange(BRANCHES)
    first_shoulder, elbow_sign, first_wrist = branch < 4, np.where(branch & 2, -1.0, 1.0), branch % 2 == 0

    Px, Py, Pz = P
    negligible = NO_DIRECTION * (d3 + d4)
    shoulder_free = np.hypot(Px, Py) <= negligible
    t1 = np.where(first_shoulder, np.arctan2(Px, -Py), np.arctan2(-Px, Py))
    t1 = np.where(shoulder_free, kept[..., 0] + np.where(first_shoulder, 0.0, np.pi), t1)
    C1, S1 = np.cos(t1), np.sin(t1)

    u = -S1 * Px + C1 * Py
    a, b, c = 2 * d3 * u, 2 * d3 * Pz, d4**2 - u**2 - Pz**2 - d3**2
    square = a**2 + b**2 - c**2
    noise = DOUBLE_ROOT * (a**2 + b**2 + c**2)
    reached, doubled = square >= -noise, np.abs(square) <= noise
    at_shoulder = np.hypot(u, Pz) <= negligible
    t2 = np.arctan2(b, a) + elbow_sign * np.arctan2(np.sqrt(np.maximum(square, 0.0)), c)
    t2 = np.where(at_shoulder, np.where(first_shoulder, kept[..., 1], np.pi - kept[..., 1]), t2)
    C2, S2 = np.cos(t2), np.sin(t2)

    t3 = np.arctan2(-S2 * S1 * Px + S2 * C1 * Py - C2 * Pz, C2 * S1 * Px - C2 * C1 * Py - S2 * Pz - d3)
    C23, S23 = np.cos(t2 + t3), np.sin(t2 + t3)

    def across(V: list[Any]) -> Any:
        return V[0] * C1 + V[1] * S1

    def along(V: list[Any]) -> Any:
        return V[1] * C1 * S23 - V[0] * S1 * S23 - V[2] * C23

    a4, b4 = across(A), along(A)
    wrist_free = np.hypot(a4, b4) <= NO_DIRECTION
    t4 = np.where(first_wrist, np.arctan2(a4, -b4), np.arctan2(-a4, b4))
    t4 = np.where(wrist_free, kept[..., 3] + np.where(first_wrist, 0.0, np.pi), t4)
    C4, S4 = np.cos(t4), np.sin(t4)

    t6 = np.arctan2(-C4 * across(O) - S4 * along(O), C4 * across(N) + S4 * along(N))
    t5 = np.arctan2(
        S1 * A[0] * C23 - C1 * A[1] * C23 - A[2] * S23,
        C4 * A[2] * C23 + S4 * across(A) + C4 * S23 * (A[0] * S1 - A[1] * C1),
    )
    q = np.stack(np.broadcast_arrays(t1, t2, t3, t4, t5, t6), axis=-1)
    q = np.where(reached[..., None], q, np.nan)
    return Postures(
        q,
        np.asarray(reached.all(-1)),
        np.asarray((doubled & reached).any(-1)),
        np.asarray((shoulder_free & reached).any(-1)),
        wrist_free & reached,
    )
