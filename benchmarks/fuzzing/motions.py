"""Slightly broken motion files: BVH texts, and glTF whose JSON, bytes or length are changed."""

import contextlib
import copy
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

import limbik as lk
from benchmarks.fuzzing.laws import HARMLESS, check
from benchmarks.fuzzing.texts import mutated, pick
from limbik.formats.bvh import Written

BVH_WORDS = (
    "HIERARCHY", "ROOT", "JOINT", "End Site", "{", "}", "OFFSET", "OFFSET 0 0 0", "CHANNELS 3", "CHANNELS 6", "Xposition",
    "Zrotation", "Yrotation Xrotation Zrotation", "MOTION", "Frames:", "Frames: 1000000000", "Frames: -3", "Frames: 0",
    "Frame Time:", "Frame Time: 0", "Frame Time: nan", "nan", "inf", "-inf", "1.#QNAN", "1e309", "1e-320", "+1", "--1", "1,5",
    "\r\n", "\t", "\0", "\ufeff", "CHANNELS 0", "CHANNELS 99999999999", "\n\n\n",
)  # fmt: skip
BVH_PIECES = (r"[^\n]*\n", r"OFFSET[^\n]*", r"CHANNELS[^\n]*", r"[{}]", r"JOINT[^{}]*\{", r"MOTION.*", r"[XYZ]\w+")
VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 3, 10**9, 2**63, -(2**31), 1e308, 1e-300, 0.5, "", "x", "LINEAR", "CUBICSPLINE", "STEP",
    "VEC3", "VEC4", "SCALAR", "MAT4", [], {}, [0], [1, 2, 3], [0, 0, 0, 0], [0.0] * 16, 5120, 5121, 5123, 5125, 5126,
    "data:application/octet-stream;base64,AAAA", "../../etc/passwd", "https://example.org/a.bin", {"limbik": {}},
)  # fmt: skip


CHANNEL_SETS = (
    "", "Zrotation Yrotation Xrotation", "Xrotation Yrotation Zrotation", "Zrotation", "Xrotation Zrotation", "Yposition",
    "Zrotation Xrotation Zrotation", "Xposition Yposition Zposition Zrotation Xrotation Yrotation",
)  # fmt: skip


def random_bvh(rng: np.random.Generator) -> str:
    """Return a valid BVH text: a tree of joints with channels in many orders."""
    out = ["HIERARCHY"]
    channels = 0

    def node(kind: str, depth: int) -> None:
        nonlocal channels
        chosen = CHANNEL_SETS[-1] if kind == "ROOT" else pick(rng, CHANNEL_SETS)
        count = len(chosen.split())
        channels += count
        out.extend([f"{kind} j{len(out)}", "{", f"OFFSET {' '.join(f'{x:.4f}' for x in rng.normal(size=3))}"])
        if count:
            out.append(f"CHANNELS {count} {chosen}")
        for _ in range(int(rng.integers(0, 3)) if depth < 4 else 0):
            node("JOINT", depth + 1)
        if rng.random() < 0.5:
            out.extend(["End Site", "{", "OFFSET 0 1 0", "}"])
        out.append("}")

    node("ROOT", 0)
    frames = int(rng.integers(1, 5))
    out.extend(["MOTION", f"Frames: {frames}", f"Frame Time: {rng.uniform(0.001, 0.1):.6f}"])
    out.extend(" ".join(f"{x:.5f}" for x in rng.uniform(-200, 200, channels)) for _ in range(frames))
    return "\n".join(out) + "\n"


def broken_bvh(rng: np.random.Generator) -> str:
    """Return a random BVH text with one to five changes, or a word of the format where it does not belong."""
    text = random_bvh(rng)
    if rng.random() < 0.5:
        return mutated(rng, text, BVH_PIECES)
    words = text.split(" ")
    at = int(rng.integers(len(words)))
    words[at : at + int(rng.integers(2))] = [pick(rng, BVH_WORDS)]
    return " ".join(words)


def split_glb(data: bytes) -> tuple[Any, bytes]:
    """Return the JSON and the bytes of a valid .glb."""
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + size]), data[28 + size :]


def joined_glb(document: Any, raw: bytes) -> bytes:
    """Return a .glb of JSON and bytes, valid or not."""
    head = json.dumps(document).encode()
    head += b" " * (-len(head) % 4)
    chunks = struct.pack("<II", len(head), 0x4E4F534A) + head + struct.pack("<II", len(raw), 0x004E4942) + raw
    return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks


def key_paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of keys to every value inside some JSON."""
    found = [path] if path else []
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        found += key_paths(part, (*path, key))
    return found


def broken_glb(rng: np.random.Generator, document: Any, raw: bytes) -> bytes:
    """Return a .glb with a few fields, bytes or lengths changed; half of them without limbik's extras."""
    changed = copy.deepcopy(document)
    if rng.random() < 0.5:
        changed.pop("extras", None)
    data = bytearray(raw)
    for _ in range(int(rng.integers(1, 4))):
        sort = rng.random()
        if sort < 0.7:
            _change_field(rng, changed)
        elif sort < 0.9 and len(data) > 4:
            at = 4 * int(rng.integers(len(data) // 4))
            bad = pick(rng, (np.nan, np.inf, 1e38, -1.0, 0.0))
            data[at : at + 4] = np.float32(bad).tobytes()
        else:
            del data[int(rng.integers(len(data) + 1)) :]
    out = bytearray(joined_glb(changed, bytes(data)))
    if rng.random() < 0.2:
        del out[int(rng.integers(len(out))) :]
    if rng.random() < 0.1:
        out[int(rng.integers(min(len(out), 28) or 1)) % max(len(out), 1)] = int(rng.integers(256))
    return bytes(out)


def _change_field(rng: np.random.Generator, document: Any) -> None:
    """Replace, remove or double one field. The top-level key is drawn first, so that limbik's long extras do not dominate."""
    start = pick(rng, list(document)) if document else None
    if start is None:
        return
    paths = [(start, *path) for path in key_paths(document[start])] or [(start,)]
    path = pick(rng, paths)
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    sort = rng.random()
    if sort < 0.15:
        del holder[path[-1]]
    elif sort < 0.3 and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[path[-1]]))
    elif sort < 0.5 and isinstance(holder[path[-1]], int):
        holder[path[-1]] = int(rng.integers(-2, 40))
    else:
        holder[path[-1]] = copy.deepcopy(pick(rng, VALUES))


def obey_motion(clip: Any, folder: Path) -> None:
    """Check the laws of a clip that was read: it is finite, and the same after it is written and read again."""
    check(bool(np.isfinite(clip.q).all() and np.isfinite(clip.times).all()), "a clip is finite")
    check(bool((np.diff(clip.times) > 0).all()), "times increase")
    poses = clip.robot.model.forward_all(clip.q)
    size = float(np.abs(poses[..., :3, 3]).max(initial=0.0))
    if not size < HARMLESS or float(np.abs(clip.q).max(initial=0.0)) > 1e6:
        return
    check(bool(np.isfinite(poses).all()), "forward kinematics of a clip is finite")
    if isinstance(clip.recording.written, Written):
        clip.save(folder / "again.bvh")
        again = lk.load_clip(folder / "again.bvh", unit=clip.recording.written.unit)
        check(np.array_equal(again.q, clip.q) and np.array_equal(again.times, clip.times), "BVH reads back as it was")
        check(again.recording.written == clip.recording.written, "BVH keeps what was written")
    with contextlib.suppress(lk.BadOption):  # frames too close for float32
        clip.save(folder / "again.glb")
        again = lk.load_clip(folder / "again.glb")
        if len(again) == len(clip) and again.robot == clip.robot:
            apart = np.abs(again.robot.model.forward_all(again.q) - poses).max(initial=0.0)
            check(bool(apart <= 1e-4 * max(1.0, size)), f"glTF reads back to the same poses, not {apart:.2g} off")
