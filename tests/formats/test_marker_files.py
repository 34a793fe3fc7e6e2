"""Files of markers: written atomically; errors of reading name the line."""

import csv

import numpy as np
import pytest

import limbik as lk


def markers(frames=5):
    rng = np.random.default_rng(3)
    positions = rng.normal(size=(frames, 2, 3))
    positions[1, 0] = np.nan
    return lk.Markers(("links, oben", "Ärmel"), positions, np.arange(frames) / 100)


@pytest.mark.parametrize("suffix", (".csv", ".npz"))
def test_markers_go_round(tmp_path, suffix):
    lk.formats.save_markers(markers(), tmp_path / f"a{suffix}")
    found = lk.formats.load_markers(tmp_path / f"a{suffix}")
    assert found.names == markers().names and np.array_equal(found.times, markers().times)
    assert np.array_equal(found.positions, markers().positions, equal_nan=True)
    assert [p.name for p in tmp_path.iterdir()] == [f"a{suffix}"]


@pytest.mark.parametrize(("suffix", "writer"), ((".csv", "csv.writer"), (".npz", "numpy.savez_compressed")))
def test_what_ends_a_write_leaves_the_old_file(tmp_path, suffix, writer, monkeypatch):
    path = tmp_path / f"a{suffix}"
    lk.formats.save_markers(markers(), path)
    before = path.read_bytes()

    class Ended(Exception):
        pass

    def ended(file, *args, **options):
        file.write(b"half" if suffix == ".npz" else "half")
        raise Ended

    monkeypatch.setattr(writer, ended)
    with pytest.raises(Ended):
        lk.formats.save_markers(markers(9), path)
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_missing_folder_is_reported(tmp_path):
    with pytest.raises(lk.errors.FileUnwritable):
        lk.formats.save_markers(markers(), tmp_path / "no" / "a.csv")
    with pytest.raises(lk.BadFile, match="ends in"):
        lk.formats.save_markers(markers(), tmp_path / "a.txt")


@pytest.mark.parametrize(
    ("text", "line"),
    (
        ("time,a.x,a.y,a.z\n0,1,2,3\n0.1,1,\r2,3\n", 3),
        ("time,a.x,a.y,a.z\n0,1,2,3\n\n0.1,1,2\n", 4),
        ("time,a.x,a.y,a.z\n0,1,2,3\n\n\n0.1,1,2,word\n", 5),
        ("time,a.x,a.y,a.z\n0,1,2," + "3" * (csv.field_size_limit() + 1) + "\n", 2),
    ),
)
def test_errors_of_a_table_name_the_line(tmp_path, text, line):
    path = tmp_path / "a.csv"
    path.write_bytes(text.encode())
    with pytest.raises(lk.BadFile, match=f"line {line}"):
        lk.formats.load_markers(path)


@pytest.mark.parametrize("end", ("\n", "\r\n", "\r"))
def test_lines_end_in_any_of_three_ways(tmp_path, end):
    path = tmp_path / "a.csv"
    path.write_bytes(end.join(("time,a.x,a.y,a.z", "0,1,2,3", "0.1,4,5,6", "")).encode())
    assert lk.formats.load_markers(path).positions.ravel().tolist() == [1, 2, 3, 4, 5, 6]


def test_a_trc_file_that_is_cut_off_is_refused(tmp_path):
    path = tmp_path / "a.trc"
    head = [
        "PathFileType\t4\t(X/Y/Z)\ta.trc",
        "DataRate\tNumFrames\tUnits",
        "100\t4\tmm",
        "Frame#\tTime\tA\t\t",
        "\t\tX1\tY1\tZ1",
    ]
    rows = [f"{k + 1}\t{k / 100}\t1\t2\t{k + 1}" for k in range(4)]
    path.write_text("\n".join([*head, *rows]) + "\n")
    assert len(lk.formats.load_markers(path)) == 4
    path.write_text("\n".join([*head, *rows[:2]]) + "\n")
    with pytest.raises(lk.BadFile, match="declares 4 frames and has 2"):
        lk.formats.load_markers(path)


def test_names_on_several_lines_are_not_put_into_a_table(tmp_path):
    odd = lk.Markers(("a\nb",), np.zeros((1, 1, 3)))
    with pytest.raises(lk.BadOption, match="one line"):
        lk.formats.save_markers(odd, tmp_path / "a.csv")
    assert not list(tmp_path.iterdir())
    lk.formats.save_markers(odd, tmp_path / "a.npz")
    assert lk.formats.load_markers(tmp_path / "a.npz").names == odd.names
