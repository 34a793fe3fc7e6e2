"""Results are not lost: outputs are checked before the computation, and a result that cannot be written is saved elsewhere."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from examples.walk import generated_walk

import limbik as lk
from limbik.cli.main import main
from limbik.formats import replacing
from limbik.motion import keeping
from limbik.motion.keeping import save_or_keep
from limbik.motion.saving import check_saving
from limbik.robot.retarget_library import retarget_library

UNEVEN = np.array([0.0, 0.01, 0.02, 0.05, 0.06])


def limbik(*arguments, cwd):
    command = [sys.executable, "-c", "from limbik.cli.main import main; main()", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)


@pytest.fixture
def uneven():
    arm = lk.load("ur5")
    return lk.Clip(arm, 0.1 * np.arange(5)[:, None] * np.ones(arm.n), UNEVEN)


def test_what_a_format_cannot_hold_is_kept_beside_it(uneven, tmp_path):
    with pytest.raises(lk.errors.FileUnwritable, match=r"a\.npz") as failed:
        save_or_keep(uneven.recording, tmp_path / "a.bvh")
    assert "not evenly spaced" in str(failed.value)
    assert [p.name for p in tmp_path.iterdir()] == ["a.npz"]
    assert lk.load_clip(tmp_path / "a.npz") == uneven


def test_nothing_that_is_there_is_written_over(uneven, tmp_path):
    for k in range(3):
        (tmp_path / ("a.npz" if k == 0 else f"a_{k + 1}.npz")).write_text("mine")
    with pytest.raises(lk.errors.FileUnwritable, match=r"a_4\.npz"):
        save_or_keep(uneven.recording, tmp_path / "a.bvh")
    assert (tmp_path / "a.npz").read_text() == "mine" and lk.load_clip(tmp_path / "a_4.npz") == uneven


def test_where_the_folder_is_gone_it_is_kept_among_temporary_files(uneven, tmp_path, monkeypatch):
    monkeypatch.setattr(keeping.tempfile, "gettempdir", lambda: str(tmp_path))
    with pytest.raises(lk.errors.FileUnwritable, match="saved to"):
        save_or_keep(uneven.recording, tmp_path / "gone" / "b.glb")
    assert lk.load_clip(tmp_path / "b.npz") == uneven
    monkeypatch.setattr(keeping.tempfile, "gettempdir", lambda: str(tmp_path / "gone"))
    with pytest.raises(lk.errors.FileUnwritable, match="the motion could not be saved elsewhere"):
        save_or_keep(uneven.recording, tmp_path / "gone" / "b.glb")


def test_a_disk_that_is_full_for_one_format_loses_nothing(uneven, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(keeping.save_recording.__globals__["WRITERS"], ".glb", (full, ("skin", "mesh")))
    with pytest.raises(lk.errors.FileUnwritable, match=r"No space.*c\.npz"):
        save_or_keep(uneven.recording, tmp_path / "c.glb")
    assert lk.load_clip(tmp_path / "c.npz") == uneven


@pytest.mark.parametrize(("name", "word"), [("gone/a.bvh", "no folder"), ("folder", "ends in"), ("a.xyz", "ends in"),
                                           ("b.bvh", "directory"), ("a\0.bvh", "NUL"), ("x" * 300 + ".bvh", "long")])  # fmt: skip
def test_an_output_is_tried_before_the_work(name, word, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "b.bvh").mkdir()
    before = sorted(p.name for p in tmp_path.rglob("*"))
    with pytest.raises(lk.LimbikError, match=word):
        check_saving(tmp_path / name)
    check_saving(tmp_path / "good.bvh", unit="cm")
    with pytest.raises(lk.BadOption, match="skin="):
        check_saving(tmp_path / "good.bvh", skin=True)
    with pytest.raises(lk.BadOption, match="evenly"):
        check_saving(tmp_path / "good.bvh", UNEVEN)
    check_saving(tmp_path / "good.glb", UNEVEN)
    assert sorted(p.name for p in tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_reported_before_the_work(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(lk.errors.FileUnwritable, match=r"[Pp]ermission"):
            check_saving(tmp_path / "a.bvh")
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_that_refuses_files_is_reported_before_the_work(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(replacing.Path, "open", refuse)
    with pytest.raises(lk.errors.FileUnwritable, match="Permission denied"):
        check_saving(tmp_path / "a.bvh")


# ---- the shell -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def walk_file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("walk")
    generated_walk(1.0, 30.0).save(folder / "walk.glb")
    return folder / "walk.glb"


@pytest.mark.parametrize("out", ["gone/a.bvh", "a.xyz"])
def test_commands_refuse_outputs_before_they_begin(out, walk_file, tmp_path, monkeypatch):
    """The sources do not exist: an output is refused before they are even looked for, so before any work."""
    for command in (["capture", "no.csv", "--out", out], ["follow", "nobody", "--line", "0.4,0,0.3", "0.4,0.1,0.3", "--out", out],
                    ["convert", "no.bvh", out]):  # fmt: skip
        done = limbik(*command, cwd=tmp_path)
        assert done.returncode == 2 and not done.stdout, (command, done)
        assert "gone" in done.stderr or "ends in" in done.stderr, (command, done.stderr)
        assert "no.csv" not in done.stderr and "nobody" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_followed_path_that_cannot_be_written_is_kept(tmp_path, monkeypatch, capsys):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    line = ["--line", "0.4,-0.2,0.3,180,0,0", "0.4,0.3,0.3,180,0,0"]
    monkeypatch.setitem(keeping.save_recording.__globals__["WRITERS"], ".glb", (full, ("skin", "mesh")))
    monkeypatch.setattr(
        sys, "argv", ["limbik", "follow", "ur5", *line, "--rate", "30", "--out", str(tmp_path / "b.glb")]
    )
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2 and "b.npz" in capsys.readouterr().err
    kept = lk.load_clip(tmp_path / "b.npz")
    np.testing.assert_allclose(kept.forward()[-1, :3, 3], [0.4, 0.3, 0.3], atol=1e-7)
    done = limbik("convert", "b.npz", "b.bvh", "--rate", "25", "--json", cwd=tmp_path)
    assert done.returncode == 0 and json.loads(done.stdout)["files"][0]["rate"] == pytest.approx(25)


@pytest.mark.parametrize("plot", ["gone/a.png", "a", "a.xyz"])
def test_pictures_are_tried_before_the_work(plot, tmp_path):
    for command in (["follow", "nobody", "--line", "0.4,0,0.3", "0.4,0.1,0.3", "--plot", plot],
                    ["table", "map", "nobody", "--out", plot]):  # fmt: skip
        done = limbik(*command, cwd=tmp_path)
        assert done.returncode == 2 and plot in done.stderr and "nobody" not in done.stderr


def test_a_conversion_that_does_not_fit_is_kept(uneven, tmp_path):
    uneven.save(tmp_path / "a.glb")
    done = limbik("convert", "a.glb", "b.bvh", cwd=tmp_path)
    assert done.returncode == 2 and "evenly" in done.stderr and "b.npz" in done.stderr
    np.testing.assert_allclose(lk.load_clip(tmp_path / "b.npz").times, UNEVEN, atol=1e-6)


def test_a_retargeted_clip_that_does_not_fit_is_kept(walk_file, tmp_path):
    walk = lk.load_clip(walk_file)
    times = np.cumsum(np.where(np.arange(len(walk)) % 2, 0.02, 0.05))
    lk.Clip(walk.robot, walk.q, times).save(tmp_path / "walk.glb")
    done = limbik("retarget", "walk.glb", "--to", "human", "--out", "b.bvh", cwd=tmp_path)
    assert done.returncode == 1 and "b.npz" in done.stderr and not (tmp_path / "b.bvh").exists()
    assert len(lk.load_clip(tmp_path / "b.npz")) == len(walk)


def test_a_library_tries_every_folder_before_it_begins(walk_file, tmp_path):
    (tmp_path / "file").write_text("no folder")
    outs = [tmp_path / "good" / "a.bvh", tmp_path / "file" / "b.bvh"]
    with pytest.raises(lk.errors.FileUnwritable, match="file"):
        retarget_library([walk_file, walk_file], outs, lk.load("human"))
    assert not list(tmp_path.rglob("*.bvh"))


def test_markers_with_uneven_times_are_reported_before_the_fit(tmp_path):
    from cases import capture_problems as problems

    markers = problems.human_problem(3, 1.0).markers
    times = np.cumsum(np.where(np.arange(len(markers)) % 2, 0.02, 0.05))
    lk.formats.save_markers(lk.Markers(markers.names, markers.positions, times), tmp_path / "a.csv")
    done = limbik("capture", "a.csv", "--figure", "nobody", "--out", "a.bvh", cwd=tmp_path)
    assert done.returncode == 2 and "evenly" in done.stderr and "nobody" not in done.stderr
