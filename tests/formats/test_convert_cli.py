"""`limbik convert`, run in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from mocap import generated, written

import limbik as lk
from limbik.cli.main import main


def limbik(*arguments, cwd):
    program = Path(sys.executable).parent / "limbik"
    return subprocess.run(
        [str(program), *map(str, arguments)], capture_output=True, text=True, check=False, cwd=cwd, timeout=600
    )


@pytest.fixture
def walk(tmp_path):
    return written(tmp_path, generated(np.random.default_rng(1), frames=61), "walk.bvh")


def test_to_glb_and_back(walk, tmp_path):
    done = limbik("convert", walk, "walk.glb", "--unit", "0.05", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (facts,) = json.loads(done.stdout)["files"]
    assert facts["frames"] == 61 and facts["joints"] == lk.load(walk).n and Path(tmp_path / facts["file"]).exists()
    done = limbik("convert", "walk.glb", "again.bvh", "--unit-out", "0.05", cwd=tmp_path)
    assert done.returncode == 0 and "61 frames" in done.stdout
    one, other = lk.load_clip(walk, unit=0.05), lk.load_clip(tmp_path / "again.bvh", unit=0.05)
    for frame in ("joint3", "joint7"):
        assert np.abs(one.forward(frame)[:, :3, 3] - other.forward(frame)[:, :3, 3]).max() < 1e-4


def test_conventions_rates_and_tables(walk, tmp_path):
    assert (
        limbik("convert", walk, "b.bvh", "--to", "blender", "--rest", "0", "--rate", "30", cwd=tmp_path).returncode == 0
    )
    one, other = lk.load_clip(walk), lk.load_clip(tmp_path / "b.bvh", unit="m", up="z")
    assert len(other) == 15 and other.robot.model.mechanism.up == "z"
    x, y, z = one.forward("joint5")[0, :3, 3]
    assert np.abs(other.forward("joint5")[0, :3, 3] - [x, -z, y]).max() < 1e-9
    assert limbik("convert", walk, "c.bvh", "--up", "z", cwd=tmp_path).returncode == 0
    assert np.abs(lk.load_clip(tmp_path / "c.bvh", up="z").forward("joint5")[0, :3, 3] - [x, -z, y]).max() < 1e-9
    assert limbik("convert", walk, "w.csv", "--degrees", cwd=tmp_path).returncode == 0
    assert limbik("convert", "w.csv", "w.glb", "--robot", walk, "--skin", cwd=tmp_path).returncode == 0
    assert lk.load_clip(tmp_path / "w.glb").robot == one.robot


def test_many_files_and_robots(walk, tmp_path):
    second = written(tmp_path, generated(np.random.default_rng(2)), "run.bvh")
    done = limbik("convert", walk, second, "panda", "out", "--format", "glb", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["panda.glb", "run.glb", "walk.glb"]
    assert lk.load(tmp_path / "out" / "panda.glb") == lk.load("panda")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["walk.bvh"], "a source and a target"),
        (["none.bvh", "a.glb"], "none.bvh"),
        (["walk.bvh", "walk.bvh"], "also a source"),
        (["walk.bvh", "a.fbx"], ".fbx"),
        (["walk.bvh", "a.glb", "--to", "blendr"], "blender"),
        (["walk.bvh", "a.glb", "--to", "ros", "--up", "z"], "--up"),
        (["walk.bvh", "a.glb", "--from", "ros"], "--to"),
        (["walk.bvh", "a.glb", "--rest", "99"], "99"),
        (["walk.bvh", "a.glb", "--rate", "0"], "rate"),
        (["walk.bvh", "a.glb", "--unit", "parsec"], "parsec"),
        (["walk.bvh", "a.glb", "--robot", "panda"], "--robot"),
        (["walk.bvh", "a.glb", "--degrees"], "degrees"),
        (["walk.bvh", "walk.bvh", "out", "--format", "glb"], "the same file"),
        (["walk.bvh", "walk.bvh", "out"], "--format"),
        (["walk.bvh", "out", "--format", "fbx"], "fbx"),
    ],
)
def test_misuse_is_one_sentence(walk, tmp_path, arguments, word, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["limbik", "convert", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr().err
    assert ended.value.code == 2 and word in said and len(said.splitlines()) == 1, said
