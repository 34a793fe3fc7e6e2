"""The layout of a safetensors file: eight bytes with the header's length, a JSON header, the arrays without gaps.

The header gives each array's name, type, shape and offsets, and texts under `__metadata__`. Arrays are sorted by item
size, largest first, and the header is padded with spaces, so that each array is aligned to its item size.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

Arrays = Mapping[str, npt.NDArray[np.generic]]

# Names of the types in safetensors, all little-endian.
TYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
NAMES = {np.dtype(code): name for name, code in TYPES.items()}
TEXTS = "__metadata__"
LENGTH_BYTES = 8
# The alignment of the first array: a cache line, which is enough for any SIMD register [bytes].
ALIGNMENT = 64
# The longest header: far above that of any table [bytes].
LONGEST_HEADER = 16 << 20
MOST_AXES = 32


class Malformed(Exception):
    """The bytes do not follow the layout; the text gives the reason."""


class Place(NamedTuple):
    """The type and shape of an array, its first byte and the byte after its last, counted from the end of the header."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    begin: int
    end: int


def head_of(texts: Mapping[str, str], arrays: Arrays) -> tuple[bytes, list[str]]:
    """Return the bytes of length and header, and the names of the arrays in file order."""
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
        raise Malformed(f"it has {size} bytes, fewer than a header has")
    length = int.from_bytes(start[:LENGTH_BYTES], "little")
    if length > LONGEST_HEADER or start[LENGTH_BYTES : LENGTH_BYTES + 1] not in (b"{", b""):
        raise Malformed("it does not begin with a header")
    if LENGTH_BYTES + length > size:
        raise Malformed(f"it ends at byte {size}, inside its header: it is cut short")
    return LENGTH_BYTES + length


def read_header(header: bytes, data: int) -> tuple[dict[str, str], dict[str, Place]]:
    """Return the texts and the array places of a header. data: the bytes of all arrays. Raises Malformed."""
    entries = strict_json(header)
    if not isinstance(entries, dict):
        raise Malformed("its header is not a JSON object")
    texts = entries.pop(TEXTS, {})
    if not isinstance(texts, dict) or not all(isinstance(value, str) for value in texts.values()):
        raise Malformed("the metadata in its header are not texts")
    places = {name: _place(name, entry) for name, entry in entries.items()}
    expected = 0
    for name, place in sorted(places.items(), key=lambda item: (item[1].begin, item[1].end)):
        if place.begin != expected:
            raise Malformed(f"array '{name}' begins at byte {place.begin}, not at the end of the previous array")
        expected = place.end
    if expected != data:
        raise Malformed(
            f"its arrays take {expected} bytes, but it contains {data}: it is cut short, or bytes were added"
        )
    return texts, places


def _place(name: str, entry: object) -> Place:
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise Malformed(f"array '{name}' is not described by dtype, shape and data_offsets")
    kind, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(kind, str) or kind not in TYPES:
        raise Malformed(f"array '{name}' has a type that limbik does not support")
    if not _are_counts(shape) or len(shape) > MOST_AXES or not _are_counts(offsets) or len(offsets) != 2:
        raise Malformed(f"array '{name}' has an invalid shape or invalid offsets")
    dtype, (begin, end) = np.dtype(TYPES[kind]), offsets
    if end - begin != math.prod(shape) * dtype.itemsize or begin % dtype.itemsize:
        raise Malformed(f"array '{name}' has offsets that do not match its type and shape")
    return Place(dtype, tuple(shape), begin, end)


def _are_counts(values: object) -> bool:
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 1 << 62 for value in values)


def strict_json(text: bytes | str) -> Any:
    """Parse JSON strictly. Raises Malformed for duplicate names, NaN and infinity, on which parsers disagree."""
    try:
        decoded = text.decode() if isinstance(text, bytes) else text
        found = json.loads(decoded, object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_finite)
        json.dumps(found, ensure_ascii=False).encode()  # lone surrogates can be parsed but not printed
    except (ValueError, RecursionError) as error:
        raise Malformed(f"its header is not valid JSON ({type(error).__name__})") from None
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed("its header has a duplicate name")
    return found


def _no_constant(name: str) -> NoReturn:
    raise Malformed(f"its header contains {name}")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise Malformed("its header contains a number that is too large")
    return value
