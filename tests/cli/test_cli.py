"""The command-line interface, run in processes of its own."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import limbik as lk


def limbik(*arguments, cwd=None):
    program = Path(sys.executable).parent / "limbik"
    return subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False, cwd=cwd, timeout=600)


def test_help_has_an_example_each():
    commands = (
        ["show"],
        ["solve"],
        ["table"],
        ["table", "build"],
        ["table", "info"],
        ["table", "query"],
        ["reproduce"],
        ["retarget"],
        ["compare"],
        ["complete"],
        ["convert"],
        ["bench"],
        ["bench", "fk"],
        ["bench", "solve"],
        ["bench", "all"],
    )
    for command in ([], *commands):
        done = limbik(*command, "--help")
        assert done.returncode == 0 and "Example" in done.stdout, command


def test_show_a_chain_and_a_figure():
    done = limbik("show", "puma560")
    assert done.returncode == 0 and "structure: spherical wrist; axes 2, 3 parallel" in done.stdout
    assert "-170 deg" in done.stdout and "source:" in done.stdout
    assert "42 joint values" in limbik("show", "human").stdout


def test_show_lists_the_catalogue():
    listed = json.loads(limbik("show", "--json").stdout)
    assert [row["name"] for row in listed] == list(lk.CATALOGUE)
    assert "panda" in limbik("show").stdout


def test_show_as_json_is_complete():
    facts = json.loads(limbik("show", "ur5", "--json").stdout)
    arm = lk.load("ur5")
    assert facts["joints"] == list(arm.joint_names) and facts["upper"] == arm.upper.tolist()
    assert facts["fingerprint"] == arm.fingerprint and facts["structure"] == str(arm.structure)
    assert json.loads(limbik("show", "planar2_guez", "--json").stdout)["lower"] == [None, None]


def test_show_draws(tmp_path):
    pytest.importorskip("matplotlib")
    for robot, file in (("panda", "a.png"), ("human", "b.svg"), ("gantry", "c.pdf")):
        done = limbik("show", robot, "--picture", file, cwd=tmp_path)
        assert done.returncode == 0 and (tmp_path / file).stat().st_size > 5000
    done = limbik("show", "panda", "--picture", "a.nonsense", cwd=tmp_path)
    assert done.returncode == 2 and "ends in .png" in done.stderr


@pytest.mark.parametrize(
    ("argument", "words"), [("pandda", "did you mean 'panda'"), ("/", "directory"), ("gone.urdf", "does not exist")]
)
def test_mistakes_get_one_line(argument, words):
    done = limbik("show", argument)
    assert done.returncode == 2 and words in done.stderr
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


def test_bench_compares_in_one_run():
    done = limbik("bench", "fk", "--robot", "ur5", "--rounds", "1", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert {"limbik"} <= {row["who"] for row in rows} and all(row["us"] > 0 for row in rows if row["us"] is not None)
    assert limbik("bench", "fk", "--robot", "human").returncode == 2


def test_solve_prefers_as_python_does(tmp_path):
    arm = lk.load("puma560")
    T = arm.forward(arm.sample(np.random.default_rng(1), 5))
    np.save(tmp_path / "poses.npy", T)
    done = limbik("solve", "puma560", "--targets", "poses.npy", "--prefer", "limits", "--out", "a.npz", cwd=tmp_path)
    assert done.returncode == 0 and "5 of 5 targets solved" in done.stderr
    assert np.array_equal(np.load(tmp_path / "a.npz")["q"], arm.solve_batch(T, prefer="limits").q)
    pose = ",".join(map(repr, T[0].ravel().tolist()))
    done = limbik("solve", "puma560", "--pose", pose, "--prefer", "manipulable", "--json")
    assert list(json.loads(done.stdout)["q"].values()) == arm.solve(T[0], prefer="manipulable").q.tolist()
    done = limbik("solve", "puma560", "--pose", pose, "--prefer", "best")
    assert done.returncode == 2 and "prefer='best'" in done.stderr and done.stderr.count("\n") == 1


def test_version():
    assert limbik("--version").stdout.startswith(f"limbik {lk.__version__} (core v")
