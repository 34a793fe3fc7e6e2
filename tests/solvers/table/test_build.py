"""Builds: the same bytes for any executor, and only intact parts are used."""

import logging
import os
import pickle

import numpy as np
import pytest
import toy_design

import limbik as lk
from limbik import BadFile, BadOption
from limbik.errors import FileUnwritable, WorkerLost
from limbik.formats import replacing
from limbik.formats.content import file
from limbik.solvers.building.parts import claimed, digest, folder_of
from limbik.solvers.building.work import build

ARM = lk.load("planar3_chin")


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    path = tmp_path_factory.mktemp("expected") / "arm.table"
    build(toy_design.plan(ARM), path)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "arm [x].table"


def half_built(path):
    """Leave the parts of a build that fails in the last piece of the first stage."""
    with pytest.raises(ValueError, match="fails"):
        build(toy_design.plan(ARM, nasty="fail"), path)
    return sorted(folder_of(path).glob("*.part"))


def test_a_table_is_built_and_returned(path, expected):
    seen = []
    content = build(toy_design.plan(ARM), path, progress=lambda *a: seen.append(a))
    assert path.read_bytes() == expected and [p.name for p in path.parent.iterdir()] == [path.name]
    assert content.arrays["q"].shape == (300, ARM.n) and not content.arrays["q"].flags.writeable
    assert seen == [(k, 6, stage) for stage in ("draw", "place") for k in range(7)]
    assert np.array_equal(content.arrays["p"], ARM.forward(content.arrays["q"])[:, :3, 3])


def test_two_processes_give_the_same_bytes(path, expected):
    build(toy_design.plan(ARM), path, workers=2)
    assert path.read_bytes() == expected and [p.name for p in path.parent.iterdir()] == [path.name]


def test_an_interrupted_build_resumes(path, expected):
    parts = half_built(path)
    assert len(parts) == 5 and not path.exists()
    before = {part: part.stat().st_mtime_ns for part in parts}
    seen = []
    build(toy_design.plan(ARM), path, progress=lambda *a: seen.append(a))
    assert seen[0] == (5, 6, "draw") and path.read_bytes() == expected and before


def test_a_build_interrupted_between_stages_resumes(path, expected, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(toy_design.Place, "join", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            build(toy_design.plan(ARM), path)
    seen = []
    build(toy_design.plan(ARM), path, progress=lambda *a: seen.append(a))
    assert seen == [(6, 6, "place")] and path.read_bytes() == expected


@pytest.mark.parametrize("damage", ["cut", "changed", "emptied", "removed", "swapped"])
def test_damaged_parts_are_made_again(path, expected, damage):
    first, second = half_built(path)[:2]
    data = bytearray(first.read_bytes())
    if damage == "cut":
        first.write_bytes(data[:-10])
    elif damage == "changed":
        data[-5] ^= 1
        first.write_bytes(data)
    elif damage == "emptied":
        first.write_bytes(b"")
    elif damage == "removed":
        first.unlink()
    else:
        first.write_bytes(second.read_bytes())
    build(toy_design.plan(ARM), path)
    assert path.read_bytes() == expected


def test_parts_of_another_plan_are_not_used(path, expected):
    half_built(path)
    other = toy_design.plan(lk.load("planar3_guez"))
    seen = []
    content = build(other, path, progress=lambda *a: seen.append(a))
    assert seen[0] == (0, 6, "draw") and content.robot == "planar3_guez"
    half_built(path)
    seen.clear()
    build(toy_design.plan(ARM), path, fresh=True, progress=lambda *a: seen.append(a))
    assert seen[0] == (0, 6, "draw") and path.read_bytes() == expected


def test_a_worker_that_dies_is_replaced(path, expected, caplog):
    mark = path.parent / "mark"
    with caplog.at_level(logging.WARNING):
        build(toy_design.plan(ARM, nasty="die_once", mark=str(mark)), path, workers=2)
    assert mark.exists() and path.read_bytes() == expected
    assert "died" in caplog.text and "piece 5 of stage 'draw'" in caplog.text


def test_a_piece_that_kills_its_workers_ends_the_build(path):
    with pytest.raises(WorkerLost, match="piece 5 of stage 'draw'"):
        build(toy_design.plan(ARM, nasty="die"), path, workers=2)
    assert len(list(folder_of(path).glob("*.part"))) == 5


def test_an_error_of_a_piece_comes_from_its_process(path):
    with pytest.raises(ValueError, match="a piece that fails") as caught:
        build(toy_design.plan(ARM, nasty="fail"), path, workers=2)
    assert "piece 5 of stage 'draw'" in caught.value.__notes__[0]


def test_a_full_disk_keeps_the_parts_and_the_old_table(path, expected, monkeypatch):
    path.write_bytes(b"old")

    def full(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(replacing.os, "fsync", full)  # only the table itself is made to last
        with pytest.raises(FileUnwritable, match="No space left"):
            build(toy_design.plan(ARM), path)
    assert path.read_bytes() == b"old" and not list(folder_of(path).glob(".*.tmp"))
    build(toy_design.plan(ARM), path)
    assert path.read_bytes() == expected


def test_two_builds_of_one_file_at_once_are_refused(path):
    with claimed(path, {}) as parts:
        with pytest.raises(BadOption, match="another process"):
            build(toy_design.plan(ARM), path)
        parts.keep("a", {})  # the first one is not disturbed
    parts.remove()
    assert not list(path.parent.iterdir())


def test_the_folder_of_parts_keeps_files_of_others(path, expected):
    folder_of(path).mkdir()
    (folder_of(path) / "notes.txt").write_text("mine")
    build(toy_design.plan(ARM), path)
    assert path.read_bytes() == expected and [p.name for p in folder_of(path).iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("workers", [0, -1, True, 1.5, "2", 10**9])
def test_workers_are_a_number(path, workers):
    with pytest.raises(BadOption, match="workers"):
        build(toy_design.plan(ARM), path, workers=workers)


def test_unwritable_places_are_refused(tmp_path):
    for place in (tmp_path / "gone" / "t", tmp_path):
        with pytest.raises(FileUnwritable):
            build(toy_design.plan(ARM), place)
    assert not list(tmp_path.iterdir())


def test_the_identity_of_parts_covers_all_that_determines_them():
    assert digest({"a": 1}) == digest({"a": 1}) != digest({"a": 2})


def test_a_part_lost_during_the_build_is_reported(path, monkeypatch):
    def join(self, parts, before):
        for part in folder_of(path).glob("*.part"):
            os.remove(part)  # noqa: PTH107
        return {"q": parts[0]["q"]}

    monkeypatch.setattr(toy_design.Draw, "join", join)
    with pytest.raises(BadFile, match="lost or damaged"):
        build(toy_design.plan(ARM), path)


def test_a_stage_is_small_when_it_is_pickled():
    """Stages go to every worker, so they hold only a chain and settings."""
    assert len(pickle.dumps(toy_design.plan(ARM).stages)) < 10_000 and file.TABLE.schema == 1
