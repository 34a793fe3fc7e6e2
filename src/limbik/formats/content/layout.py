"""The layout of a safetensors file: eight bytes of length, a header in JSON, the bytes of the arrays without a gap.

The header names each array with its type, shape and place, and holds texts under `__metadata__`. Arrays with larger numbers
stand first and the header is filled up with blanks, so that each array begins at a multiple of the size of its numbers.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

Arrays = Mapping[str, npt.NDArray[np.generic]]

# What safetensors calls the types, all little-endian.
TYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
NAMES = {np.dtype(code): name for name, code in TYPES.items()}
TEXTS = "__metadata__"
LENGTH_BYTES = 8
# The arrays begin at a multiple of this: a line of the cache, which is also enough for any register [bytes].
ALIGNMENT = 64
# Headers hold names and statistics; a longer one is not a header but an attack or a mistake [bytes].
LONGEST_HEADER = 16 << 20
MOST_AXES = 32


class Malformed(Exception):
    """Why some bytes do not follow the layout, in a few words."""


class Place(NamedTuple):
    """Where an array stands: its type, shape, and first byte and the one after its last, counted from the end of the header."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    begin: int
    end: int


def head_of(texts: Mapping[str, str], arrays: Arrays) -> tuple[bytes, list[str]]:
    """Return the length and the header, and the names of the arrays in the order in which they stand."""
    order = sorted(arrays, key=lambda name: (-arrays[name].dtype.itemsize, name))
    entries: dict[str, Any] = {TEXTS: dict(sorted(texts.items()))}
    place = 0
    for name in order:
        array = arrays[name]
        entries[name] = {
            "dtype": NAMES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [place, place + array.nbytes],
        }
        place += array.nbytes
    header = json.dumps(entries, separators=(",", ":")).encode()
    header += b" " * (-(LENGTH_BYTES + len(header)) % ALIGNMENT)
    return len(header).to_bytes(LENGTH_BYTES, "little") + header, order


def read_head(start: bytes, size: int) -> int:
    """Return where the arrays begin, from the first bytes of a file of that size. Raises Malformed."""
    if size < LENGTH_BYTES or len(start) < LENGTH_BYTES:
        raise Malformed(f"it has {size} bytes, too few to hold anything")
    length = int.from_bytes(start[:LENGTH_BYTES], "little")
    if length > LONGEST_HEADER or start[LENGTH_BYTES : LENGTH_BYTES + 1] not in (b"{", b""):
        raise Malformed("it does not begin as one")
    if LENGTH_BYTES + length > size:
        raise Malformed(f"it ends at byte {size}, inside its header; it was cut short")
    return LENGTH_BYTES + length


def read_header(header: bytes, data: int) -> tuple[dict[str, str], dict[str, Place]]:
    """Return the texts and the places of the arrays, which take `data` bytes. Raises Malformed."""
    entries = strict_json(header)
    if not isinstance(entries, dict):
        raise Malformed("its header is no JSON object")
    texts = entries.pop(TEXTS, {})
    if not isinstance(texts, dict) or not all(isinstance(value, str) for value in texts.values()):
        raise Malformed("its header holds something else than texts where texts belong")
    places = {name: _place(name, entry) for name, entry in entries.items()}
    expected = 0
    for name, place in sorted(places.items(), key=lambda item: (item[1].begin, item[1].end)):
        if place.begin != expected:
            raise Malformed(f"array '{name}' begins at byte {place.begin}, not where the one before it ends")
        expected = place.end
    if expected != data:
        raise Malformed(f"its arrays take {expected} bytes, and it holds {data}; it was cut short or added to")
    return texts, places


def _place(name: str, entry: object) -> Place:
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise Malformed(f"array '{name}' is not described by dtype, shape and data_offsets")
    kind, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(kind, str) or kind not in TYPES:
        raise Malformed(f"array '{name}' has a type that limbik does not read")
    if not _are_counts(shape) or len(shape) > MOST_AXES or not _are_counts(offsets) or len(offsets) != 2:
        raise Malformed(f"array '{name}' has no proper shape or place")
    dtype, (begin, end) = np.dtype(TYPES[kind]), offsets
    if end - begin != math.prod(shape) * dtype.itemsize or begin % dtype.itemsize:
        raise Malformed(f"array '{name}' has a place that does not fit its type and shape")
    return Place(dtype, tuple(shape), begin, end)


def _are_counts(values: object) -> bool:
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 1 << 62 for value in values)


def strict_json(text: bytes | str) -> Any:
    """Return what a text in JSON says. Raises Malformed for what readers disagree about: names twice, NaN, infinity."""
    try:
        decoded = text.decode() if isinstance(text, bytes) else text
        found = json.loads(decoded, object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_finite)
        json.dumps(found, ensure_ascii=False).encode()  # half characters are read, and cannot be printed
    except (ValueError, RecursionError) as error:
        raise Malformed(f"its header is no proper JSON ({type(error).__name__})") from None
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed("its header has a name twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise Malformed(f"its header holds {name}")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise Malformed("its header holds a number that is too large")
    return value
