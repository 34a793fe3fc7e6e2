"""`limbik show --frames`: the joint frames of a Denavit-Hartenberg table, in numbers and drawn."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import limbik as lk
from limbik.cli import show_frames
from limbik.cli.main import app

# Appendix B of Chin's thesis: theta offset [deg], a, alpha [deg], d.
TABLE_B_1 = ((-90, 0, 90, 0), (0, 0.5, 0, 0), (90, 0, 90, 0), (0, 0, -90, 0.6), (-90, 0, 90, 0), (90, 0, 90, 0))


def dh_frames():
    """The frames 0 to 6 of appendix B at zero, multiplied out; joint i rotates about z of frame i - 1."""
    T, found = np.eye(4), [np.eye(4)]
    for theta, a, alpha, d in TABLE_B_1:
        t, f = np.radians(theta), np.radians(alpha)
        T = T @ np.array([
            [np.cos(t), -np.sin(t) * np.cos(f), np.sin(t) * np.sin(f), a * np.cos(t)],
            [np.sin(t), np.cos(t) * np.cos(f), -np.cos(t) * np.sin(f), a * np.sin(t)],
            [0, np.sin(f), np.cos(f), d], [0, 0, 0, 1],
        ])  # fmt: skip
        found.append(T)
    return found


def test_the_frames_have_the_origins_and_axes_of_the_table():
    arm = lk.load("human_arm_6")
    shown = show_frames.joint_frames(arm)
    assert list(shown) == [*arm.joint_names, "tip"]
    dh = dh_frames()
    for k, name in enumerate(arm.joint_names):
        assert np.allclose(shown[name][:3, 2:], dh[k][:3, 2:]), name  # z and origin of frame i - 1
    assert np.allclose(shown["tip"], dh[-1])


def test_the_shell_prints_and_draws_them(tmp_path):
    pytest.importorskip("matplotlib")
    runner = CliRunner()
    facts = json.loads(runner.invoke(app, ["show", "human_arm_6", "--frames", "--json"]).stdout)
    assert np.allclose(facts["joint_frames"]["tip"], dh_frames()[-1])
    assert "joint_frames" not in json.loads(runner.invoke(app, ["show", "human_arm_6", "--json"]).stdout)
    path = tmp_path / "dh.png"
    done = runner.invoke(app, ["show", "human_arm_6", "--frames", "--picture", str(path)])
    assert done.exit_code == 0 and "frame of" in done.stdout and path.read_bytes()[:4] == b"\x89PNG"
    other = tmp_path / "figure.png"
    assert runner.invoke(app, ["show", "human", "--frames", "--picture", str(other)]).exit_code == 0
    assert runner.invoke(app, ["show", "human", "--frames", "--picture", str(tmp_path)]).exit_code != 0
