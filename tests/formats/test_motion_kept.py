"""Raw channels of parts of a clip, position channels, columns and symbolic links are kept; errors name shell options."""

import json
import os
import stat

import numpy as np
import pytest
from mocap import generated, written

import limbik as lk
from limbik.cli.main import main
from limbik.formats.bvh_text import Node
from limbik.formats.bvh_write import bvh_text
from limbik.model.joint import Joint, Kind, Link
from limbik.model.mechanism import Mechanism


@pytest.fixture
def walk(tmp_path):
    return written(tmp_path, generated(np.random.default_rng(1), frames=31), "walk.bvh")


def rows(path):
    return path.read_text().split("Frame Time:")[1].splitlines()[1:]


def test_parts_of_a_clip_are_written_with_the_numbers_they_were_read_with(walk, tmp_path):
    clip = lk.load_clip(walk)
    clip.save(tmp_path / "whole.bvh")
    whole = rows(tmp_path / "whole.bvh")
    clip.trimmed(clip.times[7], clip.times[20]).save(tmp_path / "part.bvh")
    assert rows(tmp_path / "part.bvh") == whole[7:21]
    clip.reversed().save(tmp_path / "back.bvh")
    assert rows(tmp_path / "back.bvh") == whole[::-1]
    clip.trimmed(clip.times[7], clip.times[20]).reversed().trimmed().save(tmp_path / "both.bvh")
    assert rows(tmp_path / "both.bvh") == whole[7:21][::-1]
    part = lk.load_clip(tmp_path / "part.bvh")
    assert part.recording.written.frame_time == clip.recording.written.frame_time


SIX = "HIERARCHY\nROOT hip\n{{\nOFFSET 0 0 0\nCHANNELS 6 {p} {r}\nJOINT knee\n{{\nOFFSET 0 -40 0\nCHANNELS 6 {p} {r}\nEnd Site\n{{\nOFFSET 0 -40 0\n}}\n}}\n}}\n"  # noqa: E501


@pytest.mark.parametrize("moves", [False, True])
def test_position_channels_make_joints_where_they_move_or_are_to_be_kept(moves, tmp_path):
    head = SIX.format(p="Xposition Yposition Zposition", r="Zrotation Xrotation Yrotation")
    lines = [f"0 90 0 0 0 0 0 {-40 - k * moves} 0 10 {k} 0" for k in range(3)]
    path = tmp_path / "six.bvh"
    path.write_text(head + "MOTION\nFrames: 3\nFrame Time: 0.1\n" + "\n".join(lines) + "\n")
    auto, kept = lk.load_clip(path), lk.load_clip(path, positions="keep")
    assert (auto.robot.n, kept.robot.n) == (10 if moves else 9, 12)  # one slide for the one that moves
    np.testing.assert_allclose(auto.forward("knee_end"), kept.forward("knee_end"), atol=1e-12)
    for clip in (auto, kept):
        clip.save(tmp_path / "again.bvh")
        assert [[float(x) for x in row.split()] for row in rows(tmp_path / "again.bvh")] == [
            [float(x) for x in row.split()] for row in lines
        ]
    with pytest.raises(lk.BadOption, match="keep"):
        lk.load_clip(path, positions="all")
    with pytest.raises(lk.BadOption, match="positions"):
        lk.load_clip(tmp_path / "x.glb", positions="keep")


def test_a_deep_tree_is_written_in_proportion_to_its_joints():
    def size(depth):
        nodes = [Node(f"n{k:05d}", k - 1, (0.0, 1.0, 0.0), ("Zrotation",)) for k in range(depth)]
        return len(bvh_text(tuple(nodes), np.zeros((1, depth)), 0.1))

    assert size(2000) < 3 * size(1000)


def arm_with_a_joint_called_time():
    joints = tuple(
        Joint(name, Kind.REVOLUTE, f"l{k}", f"l{k + 1}", np.eye(4), np.eye(3)[2], lower=-1.0, upper=1.0)
        for k, name in enumerate(("time", "elbow"))
    )
    return lk.Chain(Mechanism("clock", tuple(Link(f"l{k}") for k in range(3)), joints), "l0", "l2")


def test_a_joint_named_time_is_not_the_time(tmp_path):
    arm = arm_with_a_joint_called_time()
    clip = lk.Clip(arm, [[0.1, 0.2], [0.3, 0.4]], [0.0, 0.5])
    clip.save(tmp_path / "a.csv")
    assert lk.load_clip(tmp_path / "a.csv", robot=arm) == clip
    (tmp_path / "b.csv").write_text("elbow,time [rad],time [s]\n0.2,0.1,0\n0.4,0.3,0.5\n")
    assert lk.load_clip(tmp_path / "b.csv", robot=arm) == clip
    (tmp_path / "c.csv").write_text("time,elbow,time,time\n0,0,0,0\n")
    with pytest.raises(lk.BadFile, match="two columns"):
        lk.load_clip(tmp_path / "c.csv", robot=arm)


def test_a_table_with_semicolons_is_read(tmp_path):
    arm = lk.load("ur5")
    clip = lk.Clip(arm, arm.home + np.zeros((2, 1)), rate=1)
    clip.save(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text((tmp_path / "a.csv").read_text().replace(",", ";"))
    assert lk.load_clip(tmp_path / "b.csv", robot=arm) == clip


@pytest.mark.skipif(os.name == "nt", reason="links and modes of POSIX")
@pytest.mark.parametrize("ending", ["bvh", "glb", "csv", "npz"])
def test_saving_through_a_link_writes_its_target_and_keeps_the_mode(ending, tmp_path):
    clip = lk.Clip(lk.load("ur5"), np.zeros((2, 6)), rate=1)
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / f"a.{ending}", tmp_path / f"link.{ending}"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to(real)
    clip.save(link)
    assert link.is_symlink() and real.stat().st_size > 3
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert [path.name for path in real.parent.iterdir()] == [real.name]


def shell(monkeypatch, capsys, *words):
    monkeypatch.setattr("sys.argv", ["limbik", "convert", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        main()
    out, err = capsys.readouterr()
    return end.value.code or 0, out, err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["a.csv", "--skin"], "--skin"),
        (["a.glb", "--degrees"], "--degrees"),
        (["a.glb", "--unit-out", "cm"], "--unit-out"),
        (["a.glb", "--animation", "run"], "--animation"),
        (["a.glb", "--rest", "999"], "--rest"),
        (["a.glb", "--rate", "-1"], "--rate"),
        (["a.glb", "--up-in", "x"], "--up-in"),
        (["a.glb", "--up", "x"], "--up"),
    ],
)
def test_sentences_name_the_options_of_the_shell(words, named, walk, monkeypatch, capsys):
    monkeypatch.chdir(walk.parent)
    code, _, err = shell(monkeypatch, capsys, walk, *words)
    assert code == 2 and err.startswith(f"limbik: {named} ") and "=" not in err.split(":")[1]


def test_one_file_into_a_folder_and_kinds_in_capitals(walk, tmp_path, monkeypatch, capsys):
    assert shell(monkeypatch, capsys, walk, tmp_path / "clips", "--format", "GLB")[0] == 0
    assert shell(monkeypatch, capsys, walk, tmp_path / "clips", "--format", "csv")[0] == 0
    assert sorted(path.name for path in (tmp_path / "clips").iterdir()) == ["walk.csv", "walk.glb"]
    assert shell(monkeypatch, capsys, walk, tmp_path / "one.glb", "--format", "glb")[0] == 0
    assert (tmp_path / "one.glb").is_file()
    code, _, err = shell(monkeypatch, capsys, walk, tmp_path / "clips")
    assert code == 2 and "--format" in err


def test_of_several_files_those_that_cannot_be_converted_are_listed(walk, tmp_path, monkeypatch, capsys):
    (tmp_path / "bad.bvh").write_text("nonsense")
    words = [tmp_path / "bad.bvh", walk, tmp_path / "clips", "--format", "glb"]
    code, out, err = shell(monkeypatch, capsys, *words)
    assert (
        code == 1
        and "walk.glb" in out.replace("\n", "")
        and "bad.bvh" in err
        and (tmp_path / "clips" / "walk.glb").exists()
    )
    code, out, _ = shell(monkeypatch, capsys, *words, "--json")
    facts = json.loads(out)
    assert code == 1 and len(facts["files"]) == 1 and facts["errors"][0]["source"].endswith("bad.bvh")
    code, out, _ = shell(monkeypatch, capsys, tmp_path / "bad.bvh", tmp_path / "x.glb", "--json")
    assert code == 2 and json.loads(out)["errors"][0]["error"]
