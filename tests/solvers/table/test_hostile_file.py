"""Files of tables: damaged bytes, foreign files and forged headers are refused with one sentence."""

import hashlib
import json
import os
import random
import struct

import numpy as np
import pytest
from table_content import SEED, content, same

from limbik import BadFile
from limbik.errors import FileUnreadable
from limbik.formats.content import archive, file


@pytest.fixture
def path(tmp_path):
    return tmp_path / "arm.table"


@pytest.fixture
def written(path):
    file.write(content(), path)
    return path


# ---- damage ----------------------------------------------------------------------------------------------------------


def refused(path, *words):
    with pytest.raises(BadFile) as caught:
        file.read(path)
    text = str(caught.value)
    assert "\n" not in text and str(path) in text and all(word in text for word in words), text
    assert len(text) < 400


def test_every_changed_byte_is_noticed(written):
    data = bytearray(written.read_bytes())
    for k in range(len(data)):
        for change in (0x01, 0x20, 0x80, 0xFF):
            data[k] ^= change
            written.write_bytes(data)
            refused(written)
            data[k] ^= change
    written.write_bytes(data)
    same(content(), file.read(written))


def test_every_truncation_is_noticed(written):
    data = written.read_bytes()
    for k in range(len(data)):
        written.write_bytes(data[:k])
        refused(written)
    written.write_bytes(data + b"\0")
    refused(written, "bytes were added")


def test_another_robot_is_named(written):
    with pytest.raises(BadFile, match=r"ärm.*abababababab.*limbik table build"):
        file.read(written, fingerprint="cd" * 32)


@pytest.mark.parametrize("schema", [0, 2])
def test_other_schemas_are_refused(path, schema):
    other = archive.Kind(file.TABLE.format, schema, "", "")
    file.write(content(), path, kind=other)
    refused(path, f"schema '{schema}'", "reads schema 1", "build it again")


def test_files_of_others_are_refused(path, tmp_path):
    numpy = pytest.importorskip("safetensors.numpy")
    numpy.save_file({"x": np.zeros(3)}, path)
    refused(path, "another program")
    for text in (b"", b"hello", b"\x80\x04\x95" * 50, b"PK\x03\x04" + b"\0" * 100, b"{" * 100, bytes(1000)):
        path.write_bytes(text)
        refused(path, "not a table of limbik")
    with pytest.raises(BadFile, match="directory"):
        file.read(tmp_path)
    with pytest.raises(FileUnreadable):
        file.read(tmp_path / "gone")
    with pytest.raises(FileUnreadable):
        file.read("a\0b")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadFile, match="regular"):
        file.read(tmp_path / "pipe")


# ---- hostile headers -------------------------------------------------------------------------------------------------


def forged(path, text, data=b""):
    """Write a file with this header and a checksum that matches it."""
    head = text if isinstance(text, bytes) else text.encode()
    head = struct.pack("<Q", len(head)) + head
    spans = [data] if data else []
    total = hashlib.sha256(head)
    for span in spans:
        total.update(hashlib.sha256(span).digest())
    path.write_bytes(head.replace(b"0" * 64, total.hexdigest().encode(), 1) + data)


def header(arrays=None, **texts):
    facts = {"format": "limbik table", "schema": "1", "checksum": "0" * 64, "design": "toy", "robot": "arm"}
    facts |= {"fingerprint": "ab", "settings": "{}", "statistics": "{}", **texts}
    return {"__metadata__": facts, **(arrays or {})}


def entry(dtype="F64", shape=(2,), offsets=(0, 16)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def test_the_forger_can_forge(path):
    forged(path, json.dumps(header({"x": entry()})), bytes(16))
    assert file.read(path).arrays["x"].tolist() == [0, 0]


HOSTILE = {
    "holes": {"x": entry(shape=(1,), offsets=(8, 16))},
    "overlap": {"x": entry(), "y": entry(shape=(1,), offsets=(8, 16))},
    "beyond": {"x": entry(shape=(20,), offsets=(0, 160))},
    "backwards": {"x": entry(offsets=(16, 0))},
    "negative": {"x": entry(shape=(-2,), offsets=(0, 16))},
    "negative offsets": {"x": entry(offsets=(-16, 0))},
    "shape and size": {"x": entry(shape=(3,))},
    "huge shape": {"x": entry(shape=(1 << 61, 1 << 61))},
    "overflowing shape": {"x": entry(shape=(1 << 32, 1 << 32, 0), offsets=(0, 0)), "y": entry()},
    "many axes": {"x": entry(shape=(1,) * 60 + (2,))},
    "type": {"x": entry(dtype="BF16", shape=(8,))},
    "type of type": {"x": entry(dtype=8)},
    "list of types": {"x": entry(dtype=["F64"])},
    "float shape": {"x": entry(shape=(2.0,))},
    "boolean shape": {"x": entry(shape=(True, 2))},
    "more keys": {"x": {**entry(), "more": 1}},
    "fewer keys": {"x": {"dtype": "F64", "shape": [2]}},
    "no object": {"x": [1]},
    "one offset": {"x": entry(offsets=(0,))},
    "misaligned": {"a": entry("U8", (8,), (0, 8)), "b": entry("U8", (4,), (8, 12)), "c": entry("F64", (0,), (12, 12)),
                   "d": entry("U8", (4,), (12, 16))},
}  # fmt: skip


@pytest.mark.parametrize("arrays", HOSTILE.values(), ids=HOSTILE)
def test_hostile_places_are_refused(path, arrays):
    forged(path, json.dumps(header(arrays)), bytes(16))
    refused(path)


def test_booleans_are_true_or_false(path):
    forged(path, json.dumps(header({"x": entry("BOOL", (2,), (0, 2))})), b"\x01\x02")
    refused(path, "other than 0 and 1")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(header(settings="[]")),
        json.dumps(header(settings="{")),
        json.dumps(header(statistics='{"a": NaN}')),
        json.dumps(header(statistics='{"a": 1e999}')),
        json.dumps(header(statistics='{"a": 1, "a": 2}')),
        json.dumps(header(statistics="[" * 100_000)),
        json.dumps(header(statistics='{"a": ' + "9" * 5000 + "}")),
        json.dumps(header(robot="\ud800")),
        json.dumps(header(schema="01")),
        json.dumps(header(format="pt")),
        json.dumps({**header(), "__metadata__": []}),
        json.dumps({**header(), "__metadata__": {"format": 1}}),
        json.dumps({"__metadata__": {k: v for k, v in header()["__metadata__"].items() if k != "robot"}}),
        json.dumps(header()).replace('"robot"', '"design"', 1),
        json.dumps(header())[:-1] + ', "x": NaN}',
        json.dumps(header())[:-1] + ', "x": {}, "x": {}}',
        "{" + '"a":{' * 50_000,
        b"{\xff}",
        "[]",
        "{}",
        "",
    ],
)
def test_hostile_texts_are_refused(path, text):
    forged(path, text)
    refused(path)


def test_a_huge_header_is_not_read(path):
    for length in (1 << 63, (1 << 64) - 1, 1 << 40, (16 << 20) + 1):
        path.write_bytes(struct.pack("<Q", length) + b"{" * 100)
        refused(path)


def test_random_headers_never_break_it(path):
    seed = SEED
    rng = random.Random(seed)
    text = json.dumps(header({"x": entry(), "y": entry("U8", (0,), (16, 16))}))
    pool = [
        *'{}[]",:0123456789eE+-. ',
        "null",
        "true",
        "NaN",
        "\\ud800",
        "1e999",
        "[" * 2000,
        '"x":',
        "\0",
        "é",
        "18446744073709551616",
    ]
    for _ in range(1500):
        chars = list(text)
        for _ in range(rng.randint(1, 4)):
            k = rng.randrange(len(chars))
            chars[k : k + rng.randint(0, 3)] = [rng.choice(pool)]
        forged(path, "".join(chars), bytes(16))
        try:
            found = file.read(path)
        except BadFile as error:
            assert "\n" not in str(error), seed
        else:  # a change that means nothing, or changes a text
            assert all(array.nbytes in (0, 16) for array in found.arrays.values()), seed
