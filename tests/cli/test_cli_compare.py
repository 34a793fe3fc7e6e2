"""`limbik compare`, run in a process of its own."""

import json
import sys

import numpy as np
import pytest
from shipped import SHIPPED
from test_cli import limbik

import limbik as lk
from limbik.cli import compare_runs
from limbik.cli.compare_runs import applicable, jump, problems
from limbik.cli.units import in_metres
from limbik.solvers.query import make_query
from limbik.solvers.registry import prepared, traceable

FAST = "closed_form,lm,pseudoinverse,ccd"


def test_help_has_examples():
    done = limbik("compare", "--help")
    assert done.returncode == 0 and "Examples" in done.stdout and "--near" in done.stdout


def test_a_table_sorted_by_success_and_time():
    done = limbik("compare", "puma560", "--targets", "5", "--near", "0.1", "--methods", FAST)
    assert done.returncode == 0, done.stderr
    assert "puma560: 5 targets, starts within 0.1 rad of the answer" in done.stdout
    facts = json.loads(
        limbik("compare", "puma560", "--targets", "5", "--near", "0.1", "--methods", FAST, "--json").stdout
    )
    rows = facts["rows"]
    assert [r["method"] for r in rows] == [
        r["method"] for r in sorted(rows, key=lambda r: (-r["success"], r["median_ms"]))
    ]
    assert {r["method"] for r in rows} == set(FAST.split(",")) and facts["left_out"] == {}
    exact = {r["method"]: r for r in rows}
    for name in ("closed_form", "lm", "pseudoinverse"):
        assert exact[name]["success"] == 100.0 and exact[name]["targets"] == 5
    assert exact["lm"]["steps"] is None and exact["pseudoinverse"]["steps"] >= 1
    assert exact["pseudoinverse"]["evaluations"] >= exact["pseudoinverse"]["steps"]
    assert exact["pseudoinverse"]["largest_jump_deg"] < 20


def test_everything_on_a_small_arm_by_default():
    facts = json.loads(limbik("compare", "planar3_chin", "--targets", "2", "--near", "0.1", "--json").stdout)
    assert {r["method"] for r in facts["rows"]} | set(facts["left_out"]) == set(SHIPPED)


def test_what_does_not_apply_is_left_out_with_a_sentence():
    done = limbik("compare", "k1207", "--targets", "2", "--near", "0.05", "--methods", "closed_form,lm")
    assert (
        done.returncode == 0 and "not applicable: closed_form: " in done.stdout and "this chain has none" in done.stdout
    )


def test_a_figure_needs_a_tip_and_a_ball_leaves_steps_out():
    said = limbik("compare", "human").stderr
    assert "--tip head" in said and "leftHand" in said and "rightFoot" in said
    arm = lk.load("human", tip="leftHand")
    fit, left_out = applicable(arm, ["lm", "ccd"], arm.home)
    assert "lm" in fit and ("ccd" in fit or "ball or floating" in left_out["ccd"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--methods", "cccd"), "did you mean 'ccd'"),
        (("--methods", ","), "empty"),
        (("--targets", "0"), "at least one"),
        (("--near", "-1"), "0 or more"),
        (("--near", "nan"), "0 or more"),
        (("--seed", "-3"), "below 0"),
    ],
)
def test_mistakes_get_one_sentence(arguments, words):
    done = limbik("compare", "planar3_chin", *arguments)
    assert done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1


def test_pictures(tmp_path):
    pytest.importorskip("matplotlib")
    done = limbik("compare", "scara", "--targets", "3", "--methods", FAST + ",rosen", "--trace", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for name in ("scara_methods.png", "scara_paths.png"):
        assert (tmp_path / "compared" / name).stat().st_size > 10_000 and name in done.stdout
    (tmp_path / "file").write_text("")
    done = limbik("compare", "scara", "--targets", "1", "--methods", "lm", "--out", "file", cwd=tmp_path)
    assert done.returncode == 2 and "--out file" in done.stderr
    done = limbik("compare", "scara", "--targets", "1", "--methods", "lm", "--trace", cwd=tmp_path)
    assert done.returncode == 2 and "iterative" in done.stderr


def test_nothing_to_run_or_to_draw_is_reported_before_the_work(tmp_path):
    pytest.importorskip("matplotlib")
    done = limbik("compare", "k1207", "--methods", "closed_form", "--out", "pictures", cwd=tmp_path)
    assert done.returncode == 2 and "is applicable; closed_form: " in done.stderr and done.stderr.count("\n") == 1
    done = limbik("compare", "human", "--tip", "leftHand", "--trace", cwd=tmp_path)
    assert done.returncode == 2 and "ball or floating" in done.stderr and done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_column_for_what_moves_only():
    done = limbik("compare", "gantry", "--targets", "2", "--methods", "lm")
    assert "jump [deg]" in done.stdout and "jump [m]" in done.stdout
    assert "jump [m]" not in limbik("compare", "scara", "--targets", "2", "--methods", "lm", "--tip", "link2").stdout


def test_metres_are_not_angles():
    """A figure that floats moves by metres and by radians; each is reported in its unit, and `near` bounds both."""
    arm = lk.load("human", tip="leftHand")
    metres = [name in ("root.px", "root.py", "root.pz") for name in arm.joint_names]
    assert in_metres(arm).tolist() == metres
    start = np.zeros(arm.n)
    end = start.copy()
    end[0], end[6] = 2.0, 0.1
    assert jump(arm, end, start) == pytest.approx((np.degrees(0.1), 2.0))
    truth, starts = problems(arm, 20, 0, 0.01)
    gap = np.abs(arm.model.difference(truth, starts)).max(axis=0)
    assert gap[metres].max() <= 0.01 * arm.model.length + 1e-12 and gap.max() > 0


def test_times_leave_the_first_use_out(monkeypatch):
    """Imports and tables are not part of the measured time: the first run of a method is not counted."""
    arm = lk.load("planar3_chin")
    spent = iter([1e3, 1.0, 1.0, 1.0])
    monkeypatch.setattr(compare_runs, "_try", lambda *_: compare_runs.Try(True, next(spent), 1, 1, 0.0, 0.0))
    (row,) = compare_runs.measure(arm, ["sqp"], *problems(arm, 3, 0, 0.1))
    assert row.targets == 3 and row.p95_ms == pytest.approx(1e3)
    monkeypatch.setattr(compare_runs, "_try", lambda *_: compare_runs.Try(True, next(spent), None, None, 0.0, 0.0))
    spent = iter([1e3, 1e3, 1e3, 1.0, 1.0, 1.0])  # any target may be the first that needs lm's table
    (row,) = compare_runs.measure(arm, ["lm"], *problems(arm, 3, 0, 0.1))
    assert row.targets == 3 and row.p95_ms == pytest.approx(1e3)


def test_without_matplotlib_it_says_what_to_install(monkeypatch):
    from limbik.cli.compare import compare
    from limbik.errors import MissingExtra
    from limbik.formats import source

    monkeypatch.setattr(source, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"limbik\[plot\]"):
        compare("scara", trace=True)
    assert sys.modules["limbik.cli.compare"]


def test_problems_are_inside_the_limits_and_repeat():
    for name in ("panda", "gantry", "planar3_chin"):
        arm = lk.load(name)
        truth, starts = problems(arm, 50, 3, 0.2)
        assert arm.within_limits(truth).all() and arm.within_limits(starts).all()
        assert np.array_equal(starts, problems(arm, 50, 3, 0.2)[1])
        assert np.abs(starts - truth)[:, arm.model.revolute].max(initial=0.0) <= 0.2 + 1e-12


def test_an_attempt_is_verified():
    arm = lk.load("panda")
    q, start = (x[0] for x in problems(arm, 1, 0, 0.1))
    query = make_query(arm.model, arm.forward(q), start)
    ok, found, steps, evaluations = prepared(arm.model, query, "dls").attempt(query)
    assert ok and steps > 0 and evaluations > steps and np.abs(arm.forward(found) - arm.forward(q)).max() < 1e-7


URDF = """<robot name="lift_and_turn"><link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/>
<joint name="lift" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="0" upper="0.6" velocity="1" effort="1"/></joint>
<joint name="turn" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/></joint>
<joint name="bend" type="revolute"><parent link="c"/><child link="d"/><origin xyz="0.4 0 0"/><axis xyz="0 1 0"/>
<limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
<joint name="follow" type="revolute"><parent link="d"/><child link="e"/><origin xyz="0.3 0 0"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" velocity="1" effort="1"/><mimic joint="bend" multiplier="0.5"/></joint></robot>"""


def test_a_file_with_slides_and_followers(tmp_path):
    (tmp_path / "lift.urdf").write_text(URDF)
    done = limbik("compare", "lift.urdf", "--targets", "3", "--near", "0.05", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = {r["method"]: r for r in json.loads(done.stdout)["rows"]}
    assert rows["lm"]["success"] == 100.0 and rows["lm"]["largest_jump_m"] > 0
    assert all(rows[name]["success"] == 100.0 for name in rows if name in traceable() and lk.METHODS[name].exact)


def test_a_trace_that_ends_where_it_began_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    from limbik.cli.compare_plots import draw_paths

    arm = lk.load("ur5")
    path = lk.methods.trace(arm, arm.forward(arm.home), arm.home, "newton")
    assert len(path.q) == 1
    draw_paths(arm, {"newton": path}, arm.home, tmp_path / "one.png")
    assert (tmp_path / "one.png").stat().st_size > 1000
