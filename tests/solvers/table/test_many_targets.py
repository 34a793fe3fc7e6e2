"""`limbik solve --targets --out`: any size, any executor, the same rows as solve_batch, bit for bit."""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import typer

import limbik as lk
from limbik import BadFile, BadOption
from limbik.cli import solve_many, target_file
from limbik.cli.results import FIELDS, record
from limbik.cli.target_file import line_offsets, open_targets, poses_of
from limbik.solvers.building.parts import folder_of

SHELL = Path(__file__).parent / "toy_shell.py"
ARM = lk.load("puma560")
COUNT = 300


def shell(*words, cwd):
    run = [sys.executable, str(SHELL), "solve", "puma560", *map(str, words)]
    return subprocess.run(run, capture_output=True, text=True, check=False, cwd=cwd, timeout=300)


@pytest.fixture(scope="module")
def poses():
    T = np.array(ARM.forward(ARM.sample(np.random.default_rng(3), COUNT)))
    T[5, :3, 3] *= 10  # out of reach
    T[6] = np.nan
    return T


@pytest.fixture(scope="module")
def expected(poses):
    return ARM.solve_batch(poses, invalid="mark")


@pytest.fixture
def here(tmp_path, poses, monkeypatch):
    np.save(tmp_path / "poses.npy", poses)
    lines = ["a header", *(",".join(map(repr, T[:3].ravel().tolist())) for T in poses)]
    lines.insert(9, "")
    (tmp_path / "poses.csv").write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    monkeypatch.setattr(solve_many, "ROWS", 64)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def solved(out, targets="poses.npy", **options):
    how = {"seeds": None, "method": None, "limits": True, "prefer": "nearest"}
    assert not solve_many.solve_many(ARM, Path(targets), Path(out), how, **options)


def same(found, expected):
    for field in FIELDS:
        assert np.array_equal(found[field], getattr(expected, field), equal_nan=field != "status"), field


@pytest.mark.parametrize("targets", ["poses.npy", "poses.csv"])
def test_every_form_of_results_is_solve_batch(here, expected, targets, capsys):
    for out in ("a.npy", "a.npz"):
        solved(out, targets)
        same(np.load(out), expected)
    assert np.load("a.npy", mmap_mode="r").dtype == record(ARM.n)
    solved("a.csv", targets, as_json=True)
    rows = [line.split(",") for line in Path("a.csv").read_text().splitlines()]
    assert rows[0] == ["row", "status", "position_error", "rotation_error", *ARM.joint_names]
    assert [int(row[0]) for row in rows[1:]] == list(range(COUNT)) and rows[6][1] == "OUT_OF_REACH"
    assert np.array_equal(np.array([row[4:] for row in rows[1:]], float), expected.q)
    out, errors = capsys.readouterr()
    assert json.loads(out) == {"file": "a.csv", "targets": COUNT, "solved": COUNT - 2}
    assert f"{COUNT - 2} of {COUNT} targets solved" in errors
    assert not list(here.glob("*.parts"))


def test_the_same_targets_give_the_same_bytes(here):
    for out in ("a.npz", "b.npz"):
        solved(out)
    assert Path("a.npz").read_bytes() == Path("b.npz").read_bytes()


def test_several_processes_and_clusters_give_the_same_bytes(here):
    solved("a.npy")
    solved("b.npy", workers=2)
    assert Path("a.npy").read_bytes() == Path("b.npy").read_bytes()
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed: pip install 'limbik[cluster]'")
    solved("c.npy", "poses.csv", cluster="local", workers=1)
    assert Path("a.npy").read_bytes() == Path("c.npy").read_bytes()


def test_an_interrupted_run_resumes(here, expected, monkeypatch):
    make, calls = solve_many.Solving.make, []

    def counted(self, piece, before):
        calls.append(piece)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return make(self, piece, before)

    monkeypatch.setattr(solve_many.Solving, "make", counted)
    with pytest.raises(typer.Exit):
        solved("a.npy")
    assert len(list(folder_of(Path("a.npy")).glob("*.part"))) == 2 and not Path("a.npy").exists()
    solved("a.npy")
    assert calls == [0, 1, 2, 2, 3, 4]
    same(np.load("a.npy"), expected)


def test_changed_targets_are_solved_anew(here, poses, monkeypatch):
    monkeypatch.setattr(solve_many, "WRITERS", {".npy": lambda *_: 1 / 0})
    with pytest.raises(ZeroDivisionError):
        solved("a.npy")
    monkeypatch.undo()
    monkeypatch.chdir(here)
    np.save("poses.npy", poses[::-1])
    changed = Path("poses.npy").stat().st_mtime_ns + 1_000_000  # clocks of some file systems are coarse
    os.utime("poses.npy", ns=(changed, changed))
    solved("a.npy")
    same(np.load("a.npy"), ARM.solve_batch(poses[::-1], invalid="mark"))


def test_the_shell_solves_a_file(here, expected):
    done = shell("--targets", "poses.npy", "-o", "a.npy", "--workers", "2", cwd=here)
    assert done.returncode == 1 and f"{COUNT - 2} of {COUNT} targets solved" in done.stderr, done.stderr
    same(np.load(here / "a.npy"), expected)
    for words, said in (
        (("--targets", "poses.npy", "-o", "a.txt"), ".npy, .npz or .csv"),
        (("--targets", "poses.npy", "-o", "gone/a.npy"), "no folder"),
        (("--targets", "poses.npy", "--workers", "2"), "--out"),
        (("--targets", "poses.npy", "-o", "a.csv", "--all", "--workers", "2"), "--all"),
        (("--targets", "gone.npy", "-o", "a.npy"), "no such file"),
    ):
        done = shell(*words, cwd=here)
        assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_no_targets_at_all(here):
    np.save("none.npy", np.zeros((0, 4, 4)))
    Path("none.csv").write_text("x,y,z\n\n\n")
    how = {"seeds": None, "method": None, "limits": True, "prefer": "nearest"}
    for targets in ("none.npy", "none.csv"):
        for out in ("a.npy", "a.npz", "a.csv"):
            assert solve_many.solve_many(ARM, Path(targets), Path(out), how)
        assert len(np.load("a.npy")) == 0 and np.load("a.npz")["q"].shape == (0, 6)


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
@pytest.mark.parametrize("rows", [1, 2, 3, 100])
def test_lines_are_cut_where_they_end(tmp_path, monkeypatch, block, rows):
    monkeypatch.setattr(target_file, "BLOCK", block)
    for text in ("a\nbb\n\nccc\nd", "a\n", "a", "\n\n\n\n\n", "a\nb\nc\n"):
        path = tmp_path / "t.csv"
        path.write_text(text)
        offsets = line_offsets(path, rows)
        pieces = [text[i:j] for i, j in pairwise(offsets)]
        assert "".join(pieces) == text and all(piece.count("\n") == rows for piece in pieces[:-1])
        assert 0 < pieces[-1].count("\n") + (not pieces[-1].endswith("\n")) <= rows


@pytest.mark.parametrize(
    "name, data, words",
    [
        ("a.csv", b"", "empty"),
        ("a.csv", b"1,2,3\n", "line 1"),
        ("a.csv", b"0,0,0,0,0,0\n\n1,x,3\n", "line 3"),
        ("a.csv", b"0,0,0,0,0,0\n\xff\n", "UTF-8"),
        ("a.csv", b"1" * 6_000_000, "4096 characters"),
        ("a.npy", b"junk", "cannot read"),
        ("a.npy", b"", "cannot read"),
        ("a.txt", b"", ".csv or .npy"),
    ],
)
def test_broken_files_are_refused(tmp_path, name, data, words):
    (tmp_path / name).write_bytes(data)
    with pytest.raises((BadFile, BadOption), match=words):
        file = open_targets(tmp_path / name, 1000)
        poses_of(file.raw(0), file.path)
