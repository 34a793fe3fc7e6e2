"""Broken and hostile glTF files: each raises an error of one sentence."""

import json
import struct

import numpy as np
import pytest

import limbik as lk
from limbik.formats.gltf_document import BIN_CHUNK, JSON_CHUNK, MAGIC


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    path = tmp_path_factory.mktemp("gltf") / "a.glb"
    lk.Clip(lk.load("ur5"), np.linspace(0, 1, 18).reshape(3, 6)).save(path)
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20 : 20 + size])
    document.pop("extras")
    return document, data[28 + size :]


def glb(document, raw):
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), JSON_CHUNK) + text + struct.pack("<II", len(raw), BIN_CHUNK) + raw
    return struct.pack("<III", MAGIC, 2, 12 + len(chunks)) + chunks


def put(*way, value):
    def change(document):
        holder = document
        for key in way[:-1]:
            holder = holder[key]
        holder[way[-1]] = value

    return change


CHANGES = {
    "a loop": (put("nodes", 7, "children", value=[1]), "node"),
    "a node of its own": (put("nodes", 3, "children", value=[3]), "node"),
    "two parents": (put("nodes", 0, "children", value=[1, 2]), "two parents"),
    "a child that is not there": (put("nodes", 0, "children", value=[99]), "99"),
    "children a word": (put("nodes", 0, "children", value="all"), "children"),
    "nodes a word": (put("nodes", value="all"), "nodes"),
    "no nodes": (put("nodes", value=[]), "no nodes"),
    "a rotation of three": (put("nodes", 1, "rotation", value=[0, 0, 1]), "4 numbers"),
    "a rotation of none": (put("nodes", 1, "rotation", value=[0, 0, 0, 0]), "zero"),
    "a translation of words": (put("nodes", 1, "translation", value=["x", 0, 0]), "translation"),
    "a sheared matrix": (put("nodes", 1, "matrix", value=[1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]), "shear"),
    "a flat matrix": (put("nodes", 1, "matrix", value=[0] * 15 + [1]), "matrix"),
    "a scene of children": (put("scenes", 0, "nodes", value=[1]), "not a root"),
    "a scene that is not there": (put("scene", value=5), "scene"),
    "version 1": (put("asset", "version", value="1.0"), "2.0"),
    "no version": (put("asset", value={}), "version"),
    "an accessor of a billion": (put("accessors", 1, "count", value=10**9), "cut short"),
    "a billion zeros": (put("accessors", 1, value={"componentType": 5126, "count": 10**9, "type": "VEC4"}), "no bytes"),
    "an accessor of minus one": (put("accessors", 1, "count", value=-1), "whole number"),
    "an accessor of another type": (put("accessors", 1, "type", value="VEC3"), "VEC4"),
    "an accessor of nothing known": (put("accessors", 1, "componentType", value=1), "type"),
    "an accessor past its view": (put("accessors", 1, "byteOffset", value=10**6), "fewer bytes"),
    "fewer values than times": (put("accessors", 1, "count", value=2), "times"),
    "a view past its buffer": (put("bufferViews", 1, "byteLength", value=10**9), "ends at byte"),
    "a view of no buffer": (put("bufferViews", 1, "buffer", value=3), "buffer"),
    "a stride too short": (put("bufferViews", 1, "byteStride", value=4), "apart"),
    "a buffer of a billion": (put("buffers", 0, "byteLength", value=10**9), "cut short"),
    "a buffer on the net": (put("buffers", 0, "uri", value="https://example.org/a.bin"), "outside"),
    "a buffer above": (put("buffers", 0, "uri", value="../secret.bin"), "outside"),
    "a buffer at the root": (put("buffers", 0, "uri", value="/etc/passwd"), "outside"),
    "a buffer in hidden dots": (put("buffers", 0, "uri", value="%2e%2e/secret.bin"), "outside"),
    "a buffer that is not there": (put("buffers", 0, "uri", value="no.bin"), "no.bin"),
    "broken base64": (put("buffers", 0, "uri", value="data:application/octet-stream;base64,???"), "base64"),
    "a sampler that is not there": (put("animations", 0, "channels", 0, "sampler", value=99), "99"),
    "a node twice": (put("animations", 0, "channels", 0, "target", "node", value=2), "two channels"),
    "an unknown interpolation": (put("animations", 0, "samplers", 0, "interpolation", value="MAGIC"), "MAGIC"),
    "times for values": (put("animations", 0, "samplers", 0, "input", value=1), "SCALAR"),
    "no animation": (put("animations", value=[]), "limbik.load"),
    "a skin of nothing": (put("skins", value=[{"joints": [1000]}]), "skin"),
}  # fmt: skip


@pytest.mark.parametrize("case", CHANGES)
def test_a_broken_document_is_refused_in_a_sentence(sound, tmp_path, case):
    change, word = CHANGES[case]
    document, raw = json.loads(json.dumps(sound[0])), sound[1]
    change(document)
    path = tmp_path / "a.glb"
    path.write_bytes(glb(document, raw))
    with pytest.raises(lk.LimbikError) as refused:
        lk.load_clip(path)
    assert word in str(refused.value) and "\n" not in str(refused.value)


def test_every_cut_is_refused(sound, tmp_path):
    data = glb(*sound)
    path = tmp_path / "a.glb"
    for cut in [*range(0, 60, 3), *range(60, len(data), 997)]:
        path.write_bytes(data[:cut])
        with pytest.raises(lk.LimbikError):
            lk.load_clip(path)


@pytest.mark.parametrize(
    "number",
    [np.float32(np.nan).tobytes(), np.float32(np.inf).tobytes(), b"\x01\x00\xa0\x7f"],
    ids=["nan", "inf", "snan"],
)
def test_numbers_that_are_none_are_refused(sound, tmp_path, number):
    document, raw = sound
    broken = bytearray(raw)
    broken[16:20] = number
    path = tmp_path / "a.glb"
    path.write_bytes(glb(document, bytes(broken)))
    with pytest.raises(lk.BadFile, match="NaN or infinity"):
        lk.load_clip(path)


def test_json_that_is_none_is_refused(sound, tmp_path):
    path = tmp_path / "a.glb"
    for text in (
        b"[]",
        b"{",
        b"\xff\xfe",
        b'{"asset": {"version": "2.0"}, "x": NaN}',
        b"[" * 100_000,
        b'{"a":' * 50_000,
    ):
        for data in (glb(text, b""), text):
            path.write_bytes(data)
            with pytest.raises(lk.BadFile):
                lk.load_clip(path)
    for head in (
        struct.pack("<III", MAGIC, 1, 20),
        struct.pack("<III", MAGIC, 2, 2**31),
        struct.pack("<IIIII", MAGIC, 2, 20, 2**30, 5),
    ):
        path.write_bytes(head + b"\0" * (20 - len(head)))
        with pytest.raises(lk.BadFile):
            lk.load_clip(path)


def test_links_out_of_the_folder_are_not_followed(sound, tmp_path):
    document, raw = json.loads(json.dumps(sound[0])), sound[1]
    (tmp_path / "secret.bin").write_bytes(raw)
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link.bin").symlink_to(tmp_path / "secret.bin")
    document["buffers"][0]["uri"] = "link.bin"
    (inside / "a.gltf").write_text(json.dumps(document))
    with pytest.raises(lk.BadFile, match="outside"):
        lk.load_clip(inside / "a.gltf")


def test_a_rotation_of_no_length_is_refused(sound, tmp_path):
    document, raw = sound
    number = next(
        k for k, accessor in enumerate(document["accessors"]) if accessor["type"] == "VEC4" and accessor["count"] == 3
    )
    view = document["bufferViews"][document["accessors"][number]["bufferView"]]
    start = view.get("byteOffset", 0) + document["accessors"][number].get("byteOffset", 0)
    broken = bytearray(raw)
    broken[start + 16 : start + 32] = bytes(16)
    path = tmp_path / "a.glb"
    path.write_bytes(glb(document, bytes(broken)))
    with pytest.raises(lk.BadFile, match="length 0 in row 1"):
        lk.load_clip(path)
