"""A glTF 2.0 document: its JSON and its buffers, with type-checked access to fields.

A .glb contains both in chunks. A .gltf is JSON; its buffers are data: URIs or files beside it. Only files in the
document's folder are read, nothing is downloaded, and declared sizes are checked against the bytes that exist.
"""

import base64
import binascii
import json
import math
import struct
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote

from limbik.errors import BadFile, shown
from limbik.formats.source import LARGEST_MOTION, read_bytes

MAGIC, VERSION = 0x46546C67, 2
JSON_CHUNK, BIN_CHUNK = 0x4E4F534A, 0x004E4942
# The largest JSON that is read [bytes]: it contains names and the tree, the numbers are in buffers.
LARGEST_JSON = 64 * 2**20


class Document:
    """The JSON of a file and its buffers. Methods raise BadFile if a field does not conform to glTF."""

    def __init__(self, path: Path) -> None:
        self.path = path
        data = read_bytes(path, LARGEST_MOTION)
        self._chunk: bytes | None = None
        self._buffers: dict[int, bytes] = {}
        self._lists: dict[str, list[dict[str, Any]]] = {}
        self._size = len(data)
        text = self._unpack(data) if data[:4] == b"glTF" else data
        if len(text) > LARGEST_JSON:
            self.refuse(f"has {len(text) / 2**20:.0f} MB of JSON; limbik reads at most {LARGEST_JSON >> 20} MB")
        try:
            root = json.loads(
                text.decode("utf-8-sig"), parse_constant=lambda word: self.refuse(f"contains the number {word}")
            )
        except UnicodeDecodeError:
            self.refuse("is neither a .glb nor JSON in UTF-8")
        except (json.JSONDecodeError, RecursionError, ValueError) as error:
            if isinstance(error, BadFile):
                raise
            self.refuse(f"is not glTF: its JSON is invalid ({error})")
        self.root: dict[str, Any] = (
            root if isinstance(root, dict) else self.refuse("is not glTF: its JSON is not an object")
        )
        asset = self.root.get("asset")
        version = asset.get("version") if isinstance(asset, dict) else None
        if not isinstance(version, str) or version.split(".")[0] != "2":
            self.refuse(f"has the version {shown(version)}; limbik reads glTF 2.0")

    @property
    def size(self) -> int:
        """The number of bytes read so far, of the file and of its buffers."""
        return self._size

    def refuse(self, sentence: str) -> NoReturn:
        """Raise BadFile: the file's name, then the sentence."""
        raise BadFile(f"'{self.path}' {' '.join(sentence.split())}")

    def _unpack(self, data: bytes) -> bytes:
        """Return the JSON of a .glb and store its binary chunk."""
        if len(data) < 20:
            self.refuse("is cut short: a .glb has a header of 20 bytes")
        _, version, length = struct.unpack_from("<III", data)
        if version != VERSION:
            self.refuse(f"is a .glb of version {version}; limbik reads {VERSION}")
        if length != len(data):
            self.refuse(f"declares {length} bytes and has {len(data)}: it is cut short, or bytes were added")
        at, chunks = 12, []
        while at < length:
            if at + 8 > length:
                self.refuse("is cut short inside the header of a chunk")
            size, kind = struct.unpack_from("<II", data, at)
            if size > length - at - 8:
                self.refuse(f"declares a chunk of {size} bytes and has {length - at - 8}")
            chunks.append((kind, data[at + 8 : at + 8 + size]))
            at += 8 + size
        if not chunks or chunks[0][0] != JSON_CHUNK:
            self.refuse("is a .glb that does not begin with JSON")
        if len(chunks) > 1 and chunks[1][0] == BIN_CHUNK:
            self._chunk = chunks[1][1]
        return chunks[0][1]

    # ---- fields ------------------------------------------------------------------------------------------------------

    def objects(self, name: str) -> list[dict[str, Any]]:
        """Return a list of objects of the document: nodes, accessors ..."""
        if name not in self._lists:  # checked once
            found = self.root.get(name, [])
            if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
                self.refuse(f"has a field '{name}' that is not a list of objects")
            self._lists[name] = found
        return self._lists[name]

    def index(self, holder: dict[str, Any], key: str, among: int, what: str) -> int | None:
        """Return an index below `among`, or None without the field."""
        value = holder.get(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < among:
            self.refuse(f"has {what} with {key} {shown(value)}; an index below {among} is expected")
        return value

    def count(self, holder: dict[str, Any], key: str, what: str, default: int = 0) -> int:
        """Return a whole number, 0 or more."""
        value = holder.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**53:
            self.refuse(f"has {what} with {key} {shown(value)}; a whole number is expected")
        return value

    def numbers(self, holder: dict[str, Any], key: str, size: int, what: str) -> list[float] | None:
        """Return `size` finite numbers, or None without the field."""
        value = holder.get(key)
        if value is None:
            return None
        plain = isinstance(value, list) and len(value) == size
        if not plain or not all(
            isinstance(x, int | float) and not isinstance(x, bool) and abs(x) < 1e30 for x in value
        ):
            self.refuse(f"has {what} with {key} {shown(value)}; {size} numbers are expected")
        found = [float(x) for x in value]
        return found if all(map(math.isfinite, found)) else self.refuse(f"has {what} whose {key} is not finite")

    def text(self, holder: dict[str, Any], key: str, default: str) -> str:
        """Return a text, or the default without the field."""
        value = holder.get(key)
        return value if isinstance(value, str) and value else default

    # ---- bytes -------------------------------------------------------------------------------------------------------

    def view(self, number: int) -> tuple[memoryview, int]:
        """Return the bytes of a buffer view and its stride (0 if it has none)."""
        views = self.objects("bufferViews")
        view, what = views[number], f"buffer view {number}"
        extensions = view.get("extensions")
        if not isinstance(extensions, dict | None):
            self.refuse(f"has {what} whose extensions are not an object")
        if "EXT_meshopt_compression" in (extensions or {}):
            self.refuse(
                "has compressed motion (EXT_meshopt_compression), which limbik does not read; export it without compression"
            )
        buffer = self.index(view, "buffer", len(self.objects("buffers")), what)
        if buffer is None:
            self.refuse(f"has {what} without a buffer")
        data = self._buffer(buffer)
        start, size = self.count(view, "byteOffset", what), self.count(view, "byteLength", what)
        if start + size > len(data):
            self.refuse(f"has {what} that ends at byte {start + size} of a buffer of {len(data)}")
        return memoryview(data)[start : start + size], self.count(view, "byteStride", what)

    def _buffer(self, number: int) -> bytes:
        if number not in self._buffers:
            buffer = self.objects("buffers")[number]
            data, size = self._bytes(buffer, number), self.count(buffer, "byteLength", f"buffer {number}")
            if size > len(data):
                self.refuse(f"declares {size} bytes of buffer {number} and has {len(data)}: it is cut short")
            self._buffers[number] = data[:size]
            self._size += size
        return self._buffers[number]

    def _bytes(self, buffer: dict[str, Any], number: int) -> bytes:
        uri = buffer.get("uri")
        if uri is None:
            if number or self._chunk is None:
                self.refuse(f"has a buffer {number} without bytes")
            return self._chunk
        if not isinstance(uri, str):
            self.refuse(f"has a buffer {number} with the uri {shown(uri)}")
        if uri.startswith("data:"):
            head, _, body = uri.partition(",")
            if not head.endswith(";base64"):
                self.refuse(f"has a buffer {number} in a data: uri that is not base64")
            try:
                return base64.b64decode(body, validate=True)
            except (binascii.Error, ValueError):
                self.refuse(f"has a buffer {number} whose base64 is invalid")
        return read_bytes(self._beside(uri), LARGEST_MOTION)

    def _beside(self, uri: str) -> Path:
        """Return the path of a file in the document's own folder."""
        name = unquote(uri)
        folder = self.path.resolve().parent
        try:
            found = (folder / name).resolve()
        except (OSError, ValueError, RuntimeError):
            self.refuse(f"names a buffer {shown(uri)}, which is not a file")
        if ":" in name or "\\" in name or not found.is_relative_to(folder):
            self.refuse(
                f"names a buffer {shown(uri)} outside its own folder; limbik does not read files from elsewhere"
            )
        return found
