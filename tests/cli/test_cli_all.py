"""`limbik solve --all` lists the postures that `solve_all` finds, and those that violate a joint limit."""

import csv
import json

import numpy as np
import pytest
from test_cli import limbik

import limbik as lk

TURN = 2 * np.pi


def target(robot, seed=1):
    """Return an arm, a reachable pose, and the pose as text."""
    arm = lk.load(robot)
    T = np.array(arm.forward(arm.sample(np.random.default_rng(seed))))
    return arm, T, text(T)


def text(T):
    return ",".join(map(repr, T.ravel().tolist()))


def values(facts):
    return np.array([list(p["q"].values()) for p in facts])


@pytest.mark.parametrize("robot", ["puma560", "ur5", "human_arm_6", "scara", "iiwa7"])
def test_the_postures_are_those_of_python(robot):
    arm, T, pose = target(robot)
    facts = json.loads(limbik("solve", robot, "--pose", pose, "--all", "--json").stdout)
    answers = arm.solve_all(T)
    assert facts["ok"] and facts["why"] == answers.why
    assert np.array_equal(values(facts["postures"]), answers.q)
    assert [p["branch"] for p in facts["postures"]] == answers.branches.tolist()
    assert all(p["name"] == arm.branch_names[p["branch"]] for p in facts["postures"])
    assert [p["distance"] for p in facts["postures"]] == np.abs(answers.q - arm.home).max(axis=1).tolist()


@pytest.mark.parametrize("robot", ["puma560", "kr6", "human_arm_6"])
@pytest.mark.parametrize("seed", range(3))
def test_what_a_limit_forbids_is_listed_with_the_limit(robot, seed):
    arm, T, pose = target(robot, seed)
    facts = json.loads(limbik("solve", robot, "--pose", pose, "--all", "--json").stdout)
    free = arm.solve_all(T, limits=False)
    assert len(facts["postures"]) + len(facts["outside"]) == len(free)
    for p in facts["outside"]:
        q = np.array(list(p["q"].values()))
        assert np.abs(arm.forward(q) - T).max() < 1e-9
        assert p["breaks"] and all(b["by"] > 0 for b in p["breaks"])
        for b in p["breaks"]:  # no whole turn brings the joint inside
            j = arm.joint_names.index(b["joint"])
            inside = (q[j] + TURN * np.arange(-3, 4) >= arm.lower[j]) & (q[j] + TURN * np.arange(-3, 4) <= arm.upper[j])
            assert not inside.any()
        kept = [j for j, name in enumerate(arm.joint_names) if name not in {b["joint"] for b in p["breaks"]}]
        assert (q[kept] >= arm.lower[kept]).all() and (q[kept] <= arm.upper[kept]).all()


def test_the_table_has_a_row_a_branch_and_ends_with_the_reason():
    arm, T, pose = target("puma560")
    done = limbik("solve", "puma560", "--pose", pose, "--all")
    lines = done.stdout.splitlines()
    rows = [line for line in lines if any(name in line for name in arm.branch_names)]
    answers = arm.solve_all(T)
    assert done.returncode == 0 and len(rows) == len(arm.solve_all(T, limits=False))
    assert sum("inside" in row for row in rows) == len(answers)
    assert lines[-1] == f"SOLVED: {answers.why}"
    assert all(f"{x:.2f}" in rows[0] for x in np.degrees(answers.q[0]))


def test_a_swinging_elbow_has_its_ranges_and_its_swivel():
    arm, T, pose = target("iiwa7")
    facts = json.loads(limbik("solve", "iiwa7", "--pose", pose, "--all", "--json").stdout)
    ranges = arm.swivel_ranges(T)
    assert facts["swivel_ranges"] == {str(b): [list(r) for r in found] for b, found in ranges.items()}
    assert "feasible swivels" in limbik("solve", "iiwa7", "--pose", pose, "--all").stdout
    middle = float(np.degrees(sum(next(r for r in ranges.values() if r)[0]) / 2))
    facts = json.loads(limbik("solve", "iiwa7", "--pose", pose, "--all", "--swivel", repr(middle), "--json").stdout)
    assert np.array_equal(values(facts["postures"]), arm.solve_all(T, swivel=np.radians(middle)).q)
    assert len(facts["postures"]) + len(facts["outside"]) == len(arm.branch_names)
    for word in ("limits", "manipulable"):
        facts = json.loads(limbik("solve", "iiwa7", "--pose", pose, "--all", "--swivel", word, "--json").stdout)
        assert np.array_equal(values(facts["postures"]), arm.solve_all(T, swivel=word).q)


def test_a_held_joint_takes_a_value_in_degrees():
    arm, T, pose = target("panda")
    q7 = 20.0
    facts = json.loads(limbik("solve", "panda", "--pose", pose, "--all", "--swivel", str(q7), "--json").stdout)
    assert np.array_equal(values(facts["postures"]).reshape(-1, arm.n), arm.solve_all(T, swivel=np.radians(q7)).q)


def test_whole_turns_are_listed_when_asked():
    arm, T, pose = target("ur5")
    facts = json.loads(limbik("solve", "ur5", "--pose", pose, "--all", "--turns", "all", "--json").stdout)
    assert len(facts["postures"]) == len(arm.solve_all(T, turns="all")) > len(arm.solve_all(T))


def test_a_target_that_cannot_be_reached_reads_well():
    arm, T, _ = target("puma560")
    T[:3, 3] *= 5
    done = limbik("solve", "puma560", "--pose", text(T), "--all")
    assert done.returncode == 1 and done.stdout == f"OUT_OF_REACH: {arm.solve_all(T).why}\n" and done.stderr == ""


def test_a_target_that_only_limits_forbid_shows_what_they_forbid():
    arm = lk.load("human_arm_6")
    free = arm.with_limits(np.full(6, -np.pi), np.full(6, np.pi))
    poses = free.forward(free.sample(np.random.default_rng(0), 100))
    T = next(T for T in poses if arm.solve_all(T).status == lk.Status.LIMITS)
    done = limbik("solve", "human_arm_6", "--pose", text(T), "--all")
    assert done.returncode == 1 and done.stdout.splitlines()[-1].startswith("LIMITS: ")
    assert "inside" not in done.stdout and ("below" in done.stdout or "above" in done.stdout)
    done = limbik("solve", "human_arm_6", "--pose", text(T), "--all", "--no-limits", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["outside"] == []


def test_a_file_gets_a_row_for_every_posture(tmp_path):
    arm = lk.load("puma560")
    T = np.array(arm.forward(arm.sample(np.random.default_rng(2), 6)))
    T[4, :3, 3] *= 9
    T[5, :3, :3] *= 2
    np.save(tmp_path / "poses.npy", T)
    done = limbik("solve", "puma560", "--targets", "poses.npy", "--all", "--out", "all.csv", cwd=tmp_path)
    assert done.returncode == 1 and "4 of 6 targets solved" in done.stderr
    rows = list(csv.DictReader((tmp_path / "all.csv").read_text().splitlines()))
    for k in range(4):
        q = [[float(row[name]) for name in arm.joint_names] for row in rows if row["row"] == str(k)]
        assert np.array_equal(q, arm.solve_all(T[k]).q)
    assert [row["status"] for row in rows[-2:]] == ["OUT_OF_REACH", "INVALID"]
    limbik("solve", "puma560", "--targets", "poses.npy", "--all", "--out", "all.npz", cwd=tmp_path)
    arrays = np.load(tmp_path / "all.npz")
    assert len(arrays["q"]) == len(rows) - 2 and len(arrays["status"]) == len(T)
    assert np.array_equal(arrays["q"][arrays["row"] == 3], arm.solve_all(T[3]).q)
    lines = limbik("solve", "puma560", "--targets", "poses.npy", "--all", "--json", cwd=tmp_path).stdout.splitlines()
    assert len(lines) == len(rows) and json.loads(lines[-1])["branch"] is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--swivel", "3"], "require --all"),
        (["--all", "--prefer", "limits"], "--all lists all of them"),
        (["--all", "--swivel", "3"], "is not redundant"),
        (["--all", "--swivel", "best"], "numbers"),
        (["--all", "--turns", "some"], "turns='some'"),
        (["--all", "--out", "a.csv"], "--out requires --targets"),
    ],
)
def test_mistakes_get_one_line(arguments, words):
    done = limbik("solve", "puma560", "--pose", "0.5,0.1,0.3,180,0,30", *arguments)
    assert done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1
