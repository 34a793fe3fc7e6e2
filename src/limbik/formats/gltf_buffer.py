"""The buffer of a glTF document that is being written: consecutive arrays, each with its accessor."""

import base64
import json
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.errors import BadOption
from limbik.formats.gltf_document import BIN_CHUNK, JSON_CHUNK, MAGIC, VERSION

_CODES = {"f4": 5126, "u2": 5123, "u1": 5121}
_TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
# The target of buffer views with vertex attributes (ARRAY_BUFFER).
VERTICES = 34962


def single(values: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float32]:
    """Return numbers as float32. Raises BadOption if one is too large."""
    if (greatest := float(np.abs(values).max(initial=0.0))) > float(np.finfo(np.float32).max):
        raise BadOption(f"a number of {greatest:g} is too large for glTF, which stores float32; is the unit right?")
    return values.astype(np.float32)


class Buffer:
    """Bytes, views and accessors in order of addition; every view is aligned to four bytes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, rows: npt.NDArray[Any], *, bounds: bool = False, target: int | None = None) -> int:
        """Add rows (k, size) of float32, uint16 or uint8; return the index of their accessor. bounds: store minima and maxima."""
        data = np.ascontiguousarray(rows)
        raw = data.tobytes()
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self._size, "byteLength": len(raw)}
        if target is not None:
            view["target"] = target
        accessor: dict[str, Any] = {
            "bufferView": len(self.views),
            "componentType": _CODES[data.dtype.str[1:]],
            "count": len(data),
            "type": _TYPES[data.shape[1]],
        }
        if bounds:
            accessor["min"] = data.min(axis=0).astype(np.float64).tolist()
            accessor["max"] = data.max(axis=0).astype(np.float64).tolist()
        raw += b"\0" * (-len(raw) % 4)
        self._parts.append(raw)
        self._size += len(raw)
        self.views.append(view)
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def finished(self, root: dict[str, Any], binary: bool) -> bytes:
        """Return the file: a .glb, or a .gltf with the buffer as a data URI."""
        raw = b"".join(self._parts)
        if raw:
            buffer: dict[str, Any] = {"byteLength": len(raw)}
            if not binary:
                buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(raw).decode()
            root = {**root, "buffers": [buffer], "bufferViews": self.views, "accessors": self.accessors}
        text = json.dumps(root, ensure_ascii=False, allow_nan=False, separators=(",", ":") if binary else None)
        if not binary:
            return text.encode()
        head = text.encode()
        head += b" " * (-len(head) % 4)
        chunks = struct.pack("<II", len(head), JSON_CHUNK) + head
        if raw:
            chunks += struct.pack("<II", len(raw), BIN_CHUNK) + raw
        return struct.pack("<III", MAGIC, VERSION, 12 + len(chunks)) + chunks
