"""Files of tables: a bitwise round trip, and atomic writing."""

import os
import pickle
import stat
import subprocess
import sys

import numpy as np
import pytest
from table_content import SEED, content, same

from limbik import BadFile, BadOption
from limbik.errors import FileUnwritable
from limbik.formats import replacing
from limbik.formats.content import archive, file
from limbik.formats.content.layout import TYPES


@pytest.fixture
def path(tmp_path):
    return tmp_path / "arm.table"


@pytest.fixture
def written(path):
    file.write(content(), path)
    return path


# ---- laws ------------------------------------------------------------------------------------------------------------


def test_what_is_written_is_read(written):
    same(content(), file.read(written))
    same(content(), file.read(str(written), fingerprint="ab" * 32))


def test_the_same_content_has_the_same_bytes(written, tmp_path):
    other = content()
    shuffled = content(
        arrays=dict(reversed(other.arrays.items())),
        settings=dict(reversed(other.settings.items())),
    )
    file.write(shuffled, tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == written.read_bytes()
    file.write(file.read(written), written)  # over itself
    assert (tmp_path / "again").read_bytes() == written.read_bytes()


@pytest.mark.parametrize("code", TYPES.values())
def test_every_type_survives_a_round_trip(path, code):
    values = np.random.default_rng(SEED).integers(0, 2 if code == "|b1" else 100, (3, 7)).astype(code)
    for array in (values, values.T, values[::2, ::-1], values.astype(values.dtype.newbyteorder(">"))):
        file.write(content(arrays={"x": array}), path)
        found = file.read(path).arrays["x"]
        assert np.array_equal(found, array) and found.dtype == np.dtype(code)


def test_arrays_are_read_only_and_aligned(written):
    arrays = file.read(written).arrays
    for array in arrays.values():
        assert not array.flags.writeable and array.flags.c_contiguous and array.flags.aligned
        with pytest.raises(ValueError, match=r"read-only|WRITEABLE"):
            array.flags.writeable = True
    assert np.array_equal(pickle.loads(pickle.dumps(arrays["q"])), arrays["q"])


def test_safetensors_reads_it_too(written):
    numpy = pytest.importorskip("safetensors.numpy")
    found = numpy.load_file(written)
    for name, array in content().arrays.items():
        assert np.array_equal(found[name], array) and found[name].dtype == array.dtype


def test_large_arrays_are_hashed_in_blocks(path, monkeypatch):
    file.write(content(), path)
    monkeypatch.setattr(archive, "BLOCK", 8)
    with pytest.raises(BadFile, match="damaged"):  # blocks are a part of the format
        file.read(path)
    file.write(content(), path)
    same(content(), file.read(path))


def test_a_table_of_numbers_from_numpy(path):
    file.write(content(statistics={"mean": np.float64(2.5), "counts": np.arange(3)}), path)
    assert file.read(path).statistics == {"mean": 2.5, "counts": [0, 1, 2]}


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"statistics": {"mean": float("nan")}}, "statistics"),
        ({"settings": {"step": object()}}, "settings"),
        ({"arrays": {"x": np.zeros(2, complex)}}, "complex"),
        ({"arrays": {"x": np.array(["a"])}}, "type"),
        ({"arrays": {"x": [1.0]}}, "NumPy"),
        ({"arrays": {"__metadata__": np.zeros(2)}}, "__metadata__"),
        ({"arrays": {"": np.zeros(2)}}, "names"),
    ],
)
def test_content_that_a_file_cannot_hold_is_refused(path, changes, words):
    with pytest.raises(BadOption, match=words):
        file.write(content(**changes), path)
    assert not list(path.parent.iterdir())


# ---- writing ---------------------------------------------------------------------------------------------------------


def test_a_full_disk_leaves_no_half_file(written, monkeypatch):
    before = written.read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(replacing.os, "fsync", full)
    with pytest.raises(FileUnwritable, match="No space left"):
        file.write(content(design="other"), written)
    assert [p.name for p in written.parent.iterdir()] == [written.name] and written.read_bytes() == before


def test_a_full_disk_in_the_middle_of_a_write(tmp_path):
    code = f"""
import resource, signal, sys
import numpy as np
from limbik.errors import FileUnwritable
from limbik.formats.content import file
from limbik.formats.content.content import Content
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    file.write(Content("toy", "arm", "ab", arrays={{"x": np.ones(1 << 20)}}), {str(tmp_path / "t")!r})
except FileUnwritable as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert "cannot write" in done.stdout and "File too large" in done.stdout
    assert not list(tmp_path.iterdir())


def test_write_failures_are_reported(tmp_path):
    for place in (tmp_path / "gone" / "t", tmp_path):
        with pytest.raises(FileUnwritable, match="cannot write"):
            file.write(content(), place)
    assert not list(tmp_path.iterdir())


def test_an_interrupt_leaves_nothing(path):
    with pytest.raises(KeyboardInterrupt), replacing.replacing(path) as stream:
        stream.write(b"half")
        raise KeyboardInterrupt
    assert not list(path.parent.iterdir())


def test_others_may_read_it_as_the_umask_says(written):
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(written.stat().st_mode) == 0o666 & ~mask
