"""Benchmarks verify results before they time them, by forward kinematics that shares no code with the core."""

import json

import numpy as np
import pytest
from test_cli import limbik

import limbik as lk
from limbik.cli.closed_form_peers import axes_and_offsets, closed_form_peers, with_meeting_points
from limbik.cli.contest import apart, distinct, inside_limits, numpy_forward, pose_errors
from limbik.cli.opw import opw_model

SIX = ("puma560", "ur5", "kr6", "human_arm_6")


@pytest.mark.parametrize("robot", [*SIX, "scara", "iiwa7"])
def test_the_independent_kinematics_agree_with_the_core(robot):
    arm = lk.load(robot)
    q = arm.sample(np.random.default_rng(0), 50)
    assert np.abs(numpy_forward(arm, q) - arm.forward(q)).max() < 1e-12
    assert np.maximum(*pose_errors(arm, q, arm.forward(q))).max() < 1e-12
    assert inside_limits(arm, q).all()


def test_a_wrong_posture_is_seen():
    arm = lk.load("puma560")
    q = arm.sample(np.random.default_rng(0), 10)
    position, rotation = pose_errors(arm, q + np.eye(6)[5] * 1e-3, arm.forward(q))
    assert np.allclose(rotation, 1e-3, atol=1e-9) and position.max() < 1e-12
    assert not inside_limits(arm, np.broadcast_to(arm.upper + 1e-3, (1, 6))).any()


def test_whole_turns_make_no_difference():
    arm = lk.load("ur5")
    q = arm.sample(np.random.default_rng(0), 4)
    assert apart(arm, q, q + 2 * np.pi).max() < 1e-12
    assert len(distinct(arm, np.concatenate([q, q + 2 * np.pi, q + 1e-9]), 1e-6)) == 4


@pytest.mark.parametrize("robot", SIX)
def test_axes_and_offsets_are_the_arm(robot):
    """The product of exponentials of the axes and offsets given to peers is the arm's forward kinematics."""
    arm = lk.load(robot)
    axes, offsets, tip = axes_and_offsets(arm)
    for P in (offsets, with_meeting_points(axes, offsets)):
        q = arm.sample(np.random.default_rng(1))
        R, p = np.eye(3), np.zeros(3)
        for h, offset, x in zip(axes, P, q, strict=False):
            p = p + R @ offset
            K = np.array([[0, -h[2], h[1]], [h[2], 0, -h[0]], [-h[1], h[0], 0]])
            R = R @ (np.eye(3) + np.sin(x) * K + (1 - np.cos(x)) * K @ K)
        T = arm.forward(q)
        assert np.allclose(p + R @ P[-1], T[:3, 3], atol=1e-12) and np.allclose(R @ tip, T[:3, :3], atol=1e-12)


def test_seven_lengths_only_where_the_arm_has_them():
    lengths = opw_model(*axes_and_offsets(lk.load("puma560"))[:2]).lengths
    assert (
        np.isclose(lengths["c2"], 0.4318) and np.isclose(lengths["c3"], 0.43307) and np.isclose(lengths["b"], 0.14909)
    )
    assert opw_model(*axes_and_offsets(lk.load("ur5"))[:2]) is None


@pytest.mark.parametrize("robot", SIX)
def test_installed_peers_solve_the_same_arm(robot):
    arm = lk.load(robot)
    truth = arm.sample(np.random.default_rng(2), 20)
    for peer in closed_form_peers(arm):
        for T, q in zip(numpy_forward(arm, truth), truth, strict=True):
            assert (apart(arm, peer.read(peer.work(*peer.prepare(T, q))), q) < 1e-6).any(), peer.who


def test_bench_all_holds_every_contestant_to_its_postures():
    done = limbik("bench", "all", "ur5", "iiwa7", "--targets", "20", "--no-peers", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert {row["work"] for row in rows} == {"one call", "batch, 2 threads", "at a swivel", "swivel ranges"}
    assert all(row["recall"] == 100 for row in rows) and all((row["fk_error"] or 0) < 1e-10 for row in rows)
    assert "limbik" in limbik("bench", "all", "puma560", "--targets", "10", "--no-peers").stdout
    for arguments in (["human"], ["panda"], ["ur5", "--targets", "3"]):
        done = limbik("bench", "all", *arguments)
        assert done.returncode == 2 and done.stderr.count("\n") == 1
