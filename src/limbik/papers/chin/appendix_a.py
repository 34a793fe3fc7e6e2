"""Appendix A of the thesis, as printed: the entries of the matrix equations that lead to the closed form, and its errata.

    A.1  A2 A3 A4 A5 A6 = A1^-1 T        A.2  A3 A4 A5 A6 = A2^-1 A1^-1 T        A.3  A4^-1 A3^-1 A2^-1 A1^-1 T = A5 A6

T has the columns N, O, A, P. C23 is the cosine of t2 + t3. Entries are text, so that they can be read beside the print, evaluated
at any numbers, and checked symbolically. The 4th rows, 0 0 0 1, are left out, but for S_Lft[4,4], which is printed as 0.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.chin.arm import FOREARM, UPPER_ARM
from limbik.papers.claim import Claim, at_most, exactly
from limbik.papers.paper import Experiment, Findings, Setting

# The entries as printed, by matrix; row by row, columns N (or 1) to P (or 4).
PRINTED: Mapping[str, tuple[str, ...]] = {
    "R_Left": (
        "C4*C6 + S4*S5*S6", "-C4*S6 + S4*S5*C6", "S4*C5", "0",
        "S4*C6*S23 + S6*C5*C23 - S6*C4*S5*S23", "-S4*S6*S23 + C6*C5*C23 - C6*C4*S5*S23",
        "-S5*C2*C3 + S5*S2*S3 - C4*C5*S23", "-d4*C23 - C2*d3",
        "S4*C6*C23 + S6*C5*S23 + S6*C4*S5*C23", "S4*S6*C23 + C6*C5*S23 + C6*C4*S5*C23",
        "-S5*S6*C23 + C6*C5*S23 + C6*C4*S5*C23", "-d4*S23 - S2*d3",
    ),
    "R_Right": (
        "C1*Nx + S1*Ny", "C1*Ox + S1*Oy", "C1*Ax + S1*Ay", "C1*Px + S1*Py",
        "-S1*Nx + C1*Ny", "-S1*Ox + C1*Oy", "-S1*Ax + C1*Ay", "-S1*Px + C1*Py",
        "Nz", "Oz", "Az", "Pz",
    ),
    "S_Lft": (
        "C4*C6 + S4*S5*S6", "-C4*S6 + S4*S5*C6", "S4*C5", "0",
        "S3*S4*C6 + S6*C23", "-S3*S4*S6 + C6*C3*C5 - C6*S3*C4*S5", "-C3*S5 - S3*C4*C5", "-C3*d4 - d3",
        "-C3*S4*C6 + S6*S3*C5 + S6*C3*C4*S5", "C3*S4*S6 + C6*S3*C5 + C6*C3*C4*S5", "-S3*S5 + C3*C4*C5", "-S3*d4",
    ),
    "S_Rgt": (
        "C1*Nx + S1*Ny", "C1*Ox + S1*Oy", "C1*Ax + S1*Ay", "C1*Px + S1*Py",
        "-C2*S1*Nx + C2*C1*Ny + S2*Nz", "-C2*S1*Ox + C2*C1*Oy + S2*Oz", "-C2*S1*Ax + C2*C1*Ay + S2*Az",
        "-C2*S1*Px + C2*C1*Py + S2*Pz",
        "S2*S1*Nx - S2*C1*Ny + C2*Nz", "S2*S1*Ox - S2*C1*Oy + C2*Oz", "S2*S1*Ax - S2*C1*Ay + C2*Az",
        "S2*S1*Px - S2*C1*Py + C2*Pz",
    ),
    "Q_Lft": (
        "Ny*S4*C1*S23 - Nx*S4*S1*S23 - S4*Nz*C23 + Nx*C4*C1 + Ny*C4*S1",
        "-S4*Oz*C23 + Ox*C4*C1 + Oy*S4*S1 + Oy*S4*C1*S23 - Ox*S4*S1*S23",
        "Ay*C4*S1 + Ax*C4*C1 - S4*Az*C23 - Ax*S4*S1*S23 + Ay*S4*C1*S23",
        "Px*C4*C1 - Px*S4*S1*S23 + Py*S4*C1*S23 + S4*d3*S3 + Py*C4*S1 - S4*Pz*C23",
        "-S1*Nx*C23 + C1*Ny*C23 + Nz*S23", "-S1*Ox*C23 + C1*Oy*C23 + Oz*S23", "-S1*Ax*C23 + C1*Ay*C23 + Az*S23",
        "-S1*Px*C23 + C1*Py*C23 + Pz*S23 + d3*C3",
        "Nx*S4*C1 + Ny*S4*S1 + Nx*C4*S1*S23 - Ny*C4*C1*S23 + C4*Nz*C23",
        "Ox*S4*C1 + Ox*C4*S1*S23 - Oy*C4*C1*S23 + Oy*S4*S1 + C4*Oz*C23",
        "C4*Az*C23 + Ax*S4*C1 - Ay*C4*C1*S23 + Ax*C4*S1*S23 + Ay*S4*S1",
        "C4*(Px*S1*C2*S2 - Py*S23 + Px*S1*S3*C2) + S4*(Px*C1 + Py*S1) + C4*Pz*C23 - C4*d3*S3",
    ),
    "Q_Rgt": (
        "C6", "-S6", "0", "0",
        "C5*S6", "C5*C6", "-S5", "-d4",
        "S5*S6", "S5*C6", "C6", "0",
    ),
}  # fmt: skip
# The errata: the correct entry, by matrix, row and column, counted from 1.
ERRATA: Mapping[tuple[str, int, int], str] = {
    ("R_Left", 3, 1): "-S4*C6*C23 + S6*C5*S23 + S6*C4*S5*C23",
    ("R_Left", 3, 3): "-S5*S23 + C4*C5*C23",
    ("S_Lft", 2, 1): "S3*S4*C6 + S6*C3*C5 - S6*S3*C4*S5",
    ("Q_Lft", 1, 2): "-S4*Oz*C23 + Ox*C4*C1 + Oy*C4*S1 + Oy*S4*C1*S23 - Ox*S4*S1*S23",
    ("Q_Lft", 3, 4): "C4*S23*(Px*S1 - Py*C1) + S4*(Px*C1 + Py*S1) + C4*Pz*C23 - C4*d3*S3",
    ("Q_Rgt", 3, 3): "C5",
}
# Further errata: an entry of the 4th row, and labels that are printed twice.
OTHER_ERRATA = (
    "S_Lft[4,4] = 0 is 1",
    "the second R_Right[1,1] is R_Right[1,2]",
    "the second R_Right[1,3] is R_Right[1,4]",
)
COLUMNS = 4
# The planes in which A1 to A6 rotate, and their translations along -y.
PLANES = ((0, 1), (1, 2), (1, 2), (2, 0), (1, 2), (0, 1))
LENGTHS = (0.0, 0.0, UPPER_ARM, 0.0, FOREARM, 0.0)
POSTURES = 20
ROUNDING = 1e-9


@dataclass(frozen=True)
class Entry:
    """An entry of a matrix, row and column counted from 1. right: its correct text."""

    matrix: str
    row: int
    column: int
    printed: str

    @property
    def right(self) -> str:
        """The correct entry."""
        return ERRATA.get((self.matrix, self.row, self.column), self.printed)


def entries() -> Iterator[Entry]:
    """Yield every entry of the first three rows."""
    for matrix, texts in PRINTED.items():
        for k, text in enumerate(texts):
            yield Entry(matrix, k // COLUMNS + 1, k % COLUMNS + 1, text)


def link_matrices(q: Array) -> list[Array]:
    """Return A1 to A6 of section 5.1.2 at six angles [rad], lengths in units."""
    found = []
    for angle, (a, b), length in zip(q, PLANES, LENGTHS, strict=True):
        A = np.eye(4)
        A[a, a] = A[b, b] = np.cos(angle)
        A[b, a] = np.sin(angle)
        A[a, b] = -A[b, a]
        A[1, 3] = -length
        found.append(A)
    return found


def matrices(q: Array) -> dict[str, Array]:
    """Return both sides of the three equations at six angles, (4, 4) each."""
    A1, A2, A3, A4, A5, A6 = link_matrices(q)
    T = A1 @ A2 @ A3 @ A4 @ A5 @ A6
    first = np.linalg.inv(A1) @ T
    second = np.linalg.inv(A2) @ first
    third = np.linalg.inv(A4) @ np.linalg.inv(A3) @ second
    return {
        "R_Left": A2 @ A3 @ A4 @ A5 @ A6,
        "R_Right": first,
        "S_Lft": A3 @ A4 @ A5 @ A6,
        "S_Rgt": second,
        "Q_Lft": third,
        "Q_Rgt": A5 @ A6,
    }


def symbols(q: Array, T: Array) -> dict[str, float]:
    """Return the values of the symbols at six angles and the pose T that they reach."""
    found = {"d3": UPPER_ARM, "d4": FOREARM, "C23": float(np.cos(q[1] + q[2])), "S23": float(np.sin(q[1] + q[2]))}
    for k, angle in enumerate(q, 1):
        found |= {f"C{k}": float(np.cos(angle)), f"S{k}": float(np.sin(angle))}
    for column, name in enumerate("NOAP"):
        found |= {f"{name}{axis}": float(T[row, column]) for row, axis in enumerate("xyz")}
    return found


def differences(q: Array, *, corrected: bool) -> dict[tuple[str, int, int], float]:
    """Return |entry - its value by multiplication| for every entry at six angles [units]. corrected: with the errata."""
    sides = matrices(q)
    values = symbols(q, np.linalg.multi_dot(link_matrices(q)))
    found = {}
    for entry in entries():
        text = entry.right if corrected else entry.printed
        ours = eval(compile(text, entry.matrix, "eval"), {"__builtins__": {}}, values)  # the texts are those above
        found[entry.matrix, entry.row, entry.column] = abs(
            float(ours) - float(sides[entry.matrix][entry.row - 1, entry.column - 1])
        )
    return found


def measure(setting: Setting) -> Findings:
    """Evaluate every entry, as printed and corrected, at random angles."""
    rng = setting.rng()
    wrong: set[tuple[str, int, int]] = set()
    largest = 0.0
    for q in rng.uniform(-np.pi, np.pi, (POSTURES, 6)):
        wrong |= {place for place, off in differences(q, corrected=False).items() if off > ROUNDING}
        largest = max(largest, *differences(q, corrected=True).values())
    count = sum(1 for _ in entries())
    return Findings({
        "right": float(count - len(wrong)), "wrong": float(len(wrong ^ set(ERRATA))), "corrected": largest,
    })  # fmt: skip


EXPERIMENT = Experiment(
    name="Appendix A",
    claims=(
        Claim("right", "Appendix A: entries of the first three rows that are right as printed",
              f"of {sum(1 for _ in entries())}"),
        Claim("wrong", "Appendix A: entries that are wrong and not listed as errata, or the reverse", "entries", bar=exactly(0)),
        Claim("corrected", "Appendix A with the errata corrected: largest difference from the product of the matrices", "units",
              bar=at_most(ROUNDING)),
    ),
    measure=measure,
    notes=tuple(f"{matrix}[{row},{column}] should be {text}." for (matrix, row, column), text in ERRATA.items()),
)  # fmt: skip
