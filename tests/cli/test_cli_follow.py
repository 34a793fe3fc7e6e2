"""`limbik follow`: output, files and errors."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import limbik as lk
from limbik.cli.main import app

LINE = ["--line", "0.4,-0.2,0.3,180,0,0", "0.4,0.3,0.3,180,0,0"]


def run(*words):
    return CliRunner().invoke(app, ["follow", *words])


def test_a_line_is_followed_and_written(tmp_path):
    out, plot = tmp_path / "motion.csv", tmp_path / "joints.png"
    done = run("ur5", *LINE, "--rate", "50", "--out", str(out), "--plot", str(plot))
    assert done.exit_code == 0 and "SOLVED" in done.output and plot.stat().st_size > 1000
    arm = lk.load("ur5")
    q = lk.load_clip(out, robot=arm).q
    assert np.allclose(arm.forward(q)[[0, -1], :3, 3], [(0.4, -0.2, 0.3), (0.4, 0.3, 0.3)], atol=1e-9)
    for other in ("m.npz", "m.glb", "m.bvh"):
        assert run("ur5", *LINE, "--out", str(tmp_path / other)).exit_code == 0
    assert np.load(tmp_path / "m.npz")["q"].shape[1] == 6
    assert lk.load_clip(tmp_path / "m.glb").robot.n == 6


def test_json_says_all(tmp_path):
    done = run("panda", "--circle", "0.5,0,0.4,180,0,0", "--radius", "0.1", "--speed", "0.2", "--rate", "30", "--json")
    facts = json.loads(done.output)
    assert (
        done.exit_code == 0
        and facts["ok"]
        and facts["failed"] is None
        and len(facts["q"]) == facts["frames"] == len(facts["times"])
    )
    file = tmp_path / "poses.csv"
    file.write_text("x,y,z,roll,pitch,yaw\n0.5,0,0.5,180,0,0\n0.5,0.2,0.5,180,0,0\n0.4,0.2,0.4,180,0,0\n")
    facts = json.loads(run("kr6", "--csv", str(file), "--corner", "0.02", "--duration", "2", "--json").output)
    assert facts["ok"] and facts["duration"] == pytest.approx(2.0)


def test_what_cannot_be_followed_exits_with_one_and_says_why():
    done = run("ur5", "--line", "0.4,-0.2,0.3,180,0,0", "2,0,0.3,180,0,0")
    assert done.exit_code == 1 and "OUT_OF_REACH: frame" in done.output
    wound = [
        "ur5",
        "--circle",
        "0.4,0.1,0.3,180,0,0",
        "--radius",
        "0.05",
        "--turning",
        "--repeat",
        "4",
        "--rate",
        "30",
        "--json",
    ]
    refused, allowed = json.loads(run(*wound).output), json.loads(run(*wound, "--jumps").output)
    assert not refused["ok"] and "limit" in refused["why"] and allowed["ok"] and allowed["jumps"]


@pytest.mark.parametrize(
    "words",
    [
        ["ur5"],
        ["ur5", *LINE, "--circle", "0,0,0,0,0,0"],
        ["ur5", "--circle", "0.4,0,0.4,180,0,0"],
        ["ur5", *LINE, "--speed", "1", "--duration", "2"],
        ["ur5", *LINE, "--out", "motion.txt"],
        ["ur5", *LINE, "--seed", "1,2"],
        ["ur5", "--csv", "no such file.csv"],
        ["ur5", "--through", "0.4,0,0.4,180,0,0"],
        ["ur5", "--line", "a", "b"],
        ["ur5", *LINE, "--rate", "0"],
        ["human", *LINE],
        ["ur5", *LINE, "--radius", "0.1"],
        ["ur5", *LINE, "--angle", "90"],
        ["ur5", *LINE, "--turning"],
        ["ur5", *LINE, "--smooth"],
        ["ur5", "--circle", "0.4,0,0.4,180,0,0", "--radius", "0.1", "--corner", "0.1"],
    ],
    ids=" ".join,
)
def test_misuse_is_an_error_of_limbik(words):
    done = run(*words)
    assert isinstance(done.exception, lk.LimbikError), done.output


def test_help_has_examples():
    done = run("--help")
    assert done.exit_code == 0 and "limbik follow ur5" in done.output


def test_a_bvh_figure_is_as_large_as_elsewhere(tmp_path):
    """Without --unit a file is read as by `load`."""
    figure = lk.load("human")
    lk.Clip(figure, figure.home[None].repeat(2, axis=0), rate=30).save(tmp_path / "figure.bvh")
    read = lk.load(tmp_path / "figure.bvh")
    T = read.forward(read.home, "leftHand")
    x, y, z = T[:3, 3]
    done = run(
        str(tmp_path / "figure.bvh"),
        "--tip",
        "leftHand",
        "--line",
        f"{x},{y},{z},0,0,0",
        f"{x},{y + 0.01},{z},0,0,0",
        "--json",
    )
    assert done.exit_code == 0, done.output
    q = np.array(json.loads(done.stdout)["q"])
    assert np.abs(read.chain("leftHand").forward(q)[..., :3, 3] - T[:3, 3]).max() < 0.02
