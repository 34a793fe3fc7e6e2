"""Accessors of glTF: typed views of bytes, as float64 rows.

A `normalized` integer c of b bits represents a fraction: max(c / (2^(b-1) - 1), -1) if signed, c / (2^b - 1) if unsigned
(glTF 2.0, 3.11). A sparse accessor replaces some rows of a buffer view, or of zeros.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.formats.gltf_document import Document
from limbik.geometry.arrays import Array

COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
# The most rows of an accessor without a buffer view (zeros): the file size does not bound them.
MOST_ZEROS = 10**6


def read_accessor(document: Document, number: int, kind: str, what: str) -> Array:
    """Return the rows of an accessor, (count, size) float64. kind: the required type ("SCALAR", "VEC3" ...). Raises BadFile."""
    accessor = document.objects("accessors")[number]
    if accessor.get("type") != kind:
        document.refuse(f"has {what} of type {accessor.get('type')!r:.40}; {kind} is expected")
    count = document.count(accessor, "count", what)
    dtype = _dtype(document, accessor, what)
    size = SIZES[kind]
    view = document.index(accessor, "bufferView", len(document.objects("bufferViews")), what)
    if view is None:
        if count > MOST_ZEROS:
            document.refuse(f"has {what} with {count} rows and no bytes")
        rows: npt.NDArray[Any] = np.zeros((count, size), dtype)
    else:
        rows = _rows(document, view, document.count(accessor, "byteOffset", what), count, size, dtype, what)
    if (sparse := accessor.get("sparse")) is not None:
        rows = _with_sparse(document, sparse, rows, what)
    with np.errstate(invalid="ignore"):  # signalling NaNs are refused below, without a warning
        out = rows.astype(np.float64)
    if dtype.kind in "iu" and accessor.get("normalized") is True:
        out = np.maximum(out / np.iinfo(dtype).max, -1.0)
    if not np.isfinite(out).all():
        document.refuse(f"has {what} with NaN or infinity in row {int(np.argwhere(~np.isfinite(out))[0, 0])}")
    return out


def _dtype(document: Document, holder: dict[str, Any], what: str) -> np.dtype[Any]:
    code = holder.get("componentType")
    if not isinstance(code, int) or code not in COMPONENTS:
        document.refuse(f"has {what} with numbers of type {code!r:.40}, which glTF does not define")
    return np.dtype(COMPONENTS[code])


def _rows(
    document: Document, view: int, offset: int, count: int, size: int, dtype: np.dtype[Any], what: str
) -> npt.NDArray[Any]:
    data, stride = document.view(view)
    width = size * dtype.itemsize
    step = stride or width
    if step < width:
        document.refuse(f"has {what} whose rows of {width} bytes begin {step} apart")
    if count and offset + (count - 1) * step + width > len(data):
        document.refuse(f"declares {count} rows for {what}, but has fewer bytes: is it cut short?")
    if not count:
        return np.zeros((0, size), dtype)
    return np.ndarray((count, size), dtype, data, offset, (step, dtype.itemsize))


def _with_sparse(document: Document, sparse: Any, rows: npt.NDArray[Any], what: str) -> npt.NDArray[Any]:
    parts: list[Any] = [sparse.get(key) for key in ("indices", "values")] if isinstance(sparse, dict) else []
    if len(parts) != 2 or not all(isinstance(part, dict) for part in parts):
        document.refuse(f"has {what} with an invalid sparse part")
    views = len(document.objects("bufferViews"))
    count = document.count(sparse, "count", what)
    found = []
    for part, size, dtype in ((parts[0], 1, _dtype(document, parts[0], what)), (parts[1], rows.shape[1], rows.dtype)):
        view = document.index(part, "bufferView", views, what)
        if view is None:
            document.refuse(f"has {what} with a sparse part without bytes")
        found.append(_rows(document, view, document.count(part, "byteOffset", what), count, size, dtype, what))
    where = found[0].ravel()
    if where.dtype.kind != "u" or (count and int(where.max()) >= len(rows)):
        document.refuse(f"has {what} with a sparse row past its end")
    out = rows.copy()
    out[where] = found[1]
    return out
