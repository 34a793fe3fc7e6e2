"""Result files for many targets: .npy, .npz or .csv, written in pieces, so that results may exceed the memory.

Row i is the answer to target i. .npy holds records and can be memory-mapped: np.load(F, mmap_mode="r")["q"]; .npz holds one
array per field; .csv one line per row.
"""

import csv
import io
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from limbik._core import Status
from limbik.errors import BadFile
from limbik.formats.content.layout import Arrays

# The fields of a result, in radians and metres.
FIELDS = ("q", "status", "position_error", "rotation_error")


def record(n: int) -> np.dtype[Any]:
    """Return the record type of one row: q (n), status, errors; with aligned numbers."""
    return np.dtype(
        [("q", "<f8", (n,)), ("position_error", "<f8"), ("rotation_error", "<f8"), ("status", "u1")], align=True
    )


def checked_suffix(out: Path) -> str:
    """Return the suffix of a result file. Raises BadFile for an unknown one."""
    suffix = out.suffix.lower()
    if suffix not in WRITERS:
        raise BadFile(f"'{out}' ends in {suffix or 'nothing'!r}; results are written to .npy, .npz or .csv")
    return suffix


def _write_records(file: BinaryIO, pieces: Sequence[Arrays], counts: list[int], joints: Sequence[str]) -> None:
    kind = record(len(joints))
    _write_header(file, kind, (sum(counts),))
    for piece, count in zip(pieces, counts, strict=True):
        rows = np.zeros(count, kind)
        for field in FIELDS:
            rows[field] = piece[field]
        file.write(rows.data)


def _write_arrays(file: BinaryIO, pieces: Sequence[Arrays], counts: list[int], joints: Sequence[str]) -> None:
    kind = record(len(joints))
    with zipfile.ZipFile(file, "w") as archive:
        for field in FIELDS:
            part = kind[field]
            # a member made from its name has no date, so equal results give equal bytes
            with archive.open(zipfile.ZipInfo(f"{field}.npy"), "w", force_zip64=True) as member:
                _write_header(member, part.base, (sum(counts), *part.shape))
                for piece in pieces:
                    member.write(np.ascontiguousarray(piece[field]).data)


def _write_lines(file: BinaryIO, pieces: Sequence[Arrays], counts: list[int], joints: Sequence[str]) -> None:
    text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
    writer = csv.writer(text)
    writer.writerow(["row", "status", "position_error", "rotation_error", *joints])
    first = 0
    for piece in pieces:
        columns = (piece[field].tolist() for field in ("status", "position_error", "rotation_error", "q"))
        for row, (status, position, rotation, q) in enumerate(zip(*columns, strict=True), start=first):
            writer.writerow([row, Status(status).name, position, rotation, *q])
        first += len(piece["status"])
    text.detach()


def _write_header(file: Any, kind: np.dtype[Any], shape: tuple[int, ...]) -> None:
    description = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_2_0(file, description)


Writer = Callable[[BinaryIO, Sequence[Arrays], list[int], Sequence[str]], None]
WRITERS: dict[str, Writer] = {".npy": _write_records, ".npz": _write_arrays, ".csv": _write_lines}
