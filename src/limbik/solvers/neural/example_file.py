"""Examples in a file: configurations (postures) and the tip targets that they reach."""

from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, FileUnreadable, one_line
from limbik.geometry.arrays import Array
from limbik.geometry.se3 import from_quaternion
from limbik.geometry.so3 import real_part_last
from limbik.model.model import Model
from limbik.solvers.neural.examples import Kept, kept

# Largest text file of examples [bytes].
LARGEST = 1 << 30


def read_examples(model: Model, path: Path, *, places: bool) -> Kept:
    """Return examples from a file: .npz with arrays T (N, 4, 4) or (N, 3) and q (N, n), or .csv with an example a line.

    A line of a .csv holds the n numbers of q, then a position (3 numbers), a position and a quaternion w x y z (7), or a matrix
    row by row (16); a header line is skipped. Raises BadFile, FileUnreadable, and the errors of `kept`.
    """
    suffix = path.suffix.lower()
    if suffix not in (".npz", ".csv"):
        raise BadFile(f"'{path}' ends in {suffix or 'nothing'!r}; examples come from .npz (arrays T and q) or .csv")
    try:
        if path.exists() and not path.is_file():
            raise BadFile(f"'{path}' is not a regular file")
        T, q = _from_archive(path) if suffix == ".npz" else _from_lines(path, model.n)
    except OSError as error:
        raise FileUnreadable(f"cannot read '{path}': {error.strerror or error}") from None
    return kept(model, T, q, places=places)


def _from_archive(path: Path) -> tuple[Any, Any]:
    try:
        found = np.load(path, allow_pickle=False)
        if not isinstance(found, np.lib.npyio.NpzFile):
            raise BadFile(f"'{path}' is one array; examples are an archive (np.savez) of arrays T and q")
        with found:
            if missing := {"T", "q"} - set(found.files):
                raise BadFile(f"'{path}' has no array {', '.join(sorted(missing))}; examples are arrays T and q")
            return found["T"], found["q"]
    except (OSError, BadFile):
        raise
    except Exception as error:  # a damaged archive may raise any error
        raise BadFile(f"cannot read '{path}': {one_line(error) or type(error).__name__}") from None


def _from_lines(path: Path, n: int) -> tuple[Array, Array]:
    if path.stat().st_size > LARGEST:
        raise BadFile(f"'{path}' is larger than {LARGEST >> 20} MB; write that many examples as .npz")
    try:
        lines = path.read_bytes().decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise BadFile(f"'{path}' is not text in UTF-8") from None
    rows: list[list[float]] = []
    for number, line in enumerate(lines, 1):
        words = line.replace(",", " ").replace(";", " ").split()
        try:
            row = [float(word) for word in words]
        except ValueError:
            if number == 1:
                continue  # a line that names the columns
            raise BadFile(f"'{path}', line {number}: not all entries are numbers") from None
        if not row:
            continue
        if len(row) not in (n + 3, n + 7, n + 16) or (rows and len(row) != len(rows[0])):
            raise BadFile(
                f"'{path}', line {number} has {len(row)} numbers; each line needs {n} joint values, then a position (3 numbers), "
                "a position and a quaternion (7), or a matrix (16)"
            )
        rows.append(row)
    if not rows:
        raise BadFile(f"'{path}' holds no examples")
    table = np.array(rows)
    return _targets(table[:, n:], path), table[:, :n]


def _targets(pose: Array, path: Path) -> Array:
    if pose.shape[1] == 3:
        return pose
    if pose.shape[1] == 16:
        return pose.reshape(-1, 4, 4)
    if not (np.linalg.norm(pose[:, 3:], axis=1) > 0).all():
        raise BadFile(f"'{path}': a quaternion is zero, or no number")
    return np.stack([from_quaternion(row[:3], real_part_last(row[3:])) for row in pose])
