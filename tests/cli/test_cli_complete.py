"""`limbik complete`: the state of a planar arm from some of its variables, checked by forward kinematics."""

import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

import limbik as lk
from limbik.cli.main import app

ARM = "planar3_cruse"


def run(*arguments):
    done = CliRunner().invoke(app, ["complete", *arguments])
    error = done.exception if isinstance(done.exception, lk.LimbikError) else None
    return done.exit_code, done.stdout, error


def test_the_direct_inverse_and_mixed_problems_agree_with_forward_kinematics():
    arm = lk.load(ARM)
    code, out, _ = run(ARM, "alpha=80", "beta=120", "gamma=140", "--json")
    facts = json.loads(out)
    assert code == 0 and facts["ok"] and facts["status"] == "SOLVED"
    q = np.radians([80, -60, -40])
    assert list(facts["q"].values()) == pytest.approx(q.tolist())
    assert [facts["state"][name] for name in "xy"] == pytest.approx(arm.forward(q)[:2, 3].tolist())
    for inputs in (["x=0.6", "y=1.5"], ["R=1.7", "rho=60", "alpha=110"], ["x=0.5..0.7", "y=1.4..", "beta=..100"]):
        facts = json.loads(run(ARM, *inputs, "--json")[1])
        x, y = arm.forward(np.array(list(facts["q"].values())))[:2, 3]
        assert facts["ok"] and (x, y) == pytest.approx([facts["state"][name] for name in "xy"], abs=1e-9)
    assert 0.5 - 1e-8 <= x <= 0.7 + 1e-8 and y >= 1.4 - 1e-8 and facts["state"]["beta"] <= math.radians(100) + 1e-8


def test_limb_lengths_are_inputs_and_unknowns():
    facts = json.loads(run(ARM, "x=3.4", "y=0.5", "L1=1.2", "L2=0.8..1.6", "--json")[1])
    assert facts["ok"] and facts["state"]["L1"] == 1.2 and 1.2 <= facts["state"]["L2"] <= 1.6
    lengths = [facts["state"][name] for name in ("L1", "L2", "L3")]
    other = lk.Chain.from_dh([(length, 0, 0, 0) for length in lengths])
    assert other.forward(np.array(list(facts["q"].values())))[:2, 3] == pytest.approx([3.4, 0.5], abs=1e-7)
    assert run(ARM, "x=3.4", "y=0.5")[0] == 1


def test_tables_for_people_have_degrees():
    code, out, _ = run(ARM, "alpha=80", "beta=120", "gamma=140")
    row = next(line.split() for line in out.splitlines() if line.split()[:1] == ["beta"])
    assert code == 0 and row == ["beta", "120.000000", "deg", "met"] and out.startswith("SOLVED: completed")
    code, out, _ = run(ARM, "x=5", "y=0")
    assert code == 1 and out.startswith("OUT_OF_REACH") and "missed by 2" in out


def test_the_variables_are_listed():
    code, out, _ = run(ARM, "--json")
    listed = {row["name"]: row for row in json.loads(out)["variables"]}
    assert code == 0 and tuple(listed) == lk.relaxation.Mmc(lk.load(ARM)).variables
    assert (
        listed["beta"] == {"name": "beta", "unit": "deg", "home": pytest.approx(180.0)} and listed["L1"]["unit"] == "m"
    )
    assert "joint3" in run(ARM)[1]


def test_seed_and_cost_decide_what_is_free():
    one, other = (
        json.loads(run(ARM, "R=1.7", "rho=60", f"--seed={s}", "--json")[1])["q"]["joint1"]
        for s in ("126,-75,-60", "75,-10,-120")
    )
    assert abs(one - other) > 0.05
    facts = json.loads(run(ARM, "x=0.9", "y=1.1", "--cost", "beta=110:3", "--json")[1])
    assert facts["ok"] and facts["state"]["beta"] == pytest.approx(math.radians(110), abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((ARM, "x"), "NAME=VALUE"),
        ((ARM, "x=a"), "no number"),
        ((ARM, "x=.."), "one end"),
        ((ARM, "x=1", "x=2"), "twice"),
        ((ARM, "epsilon=1"), "no variable"),
        ((ARM, "x=1", "--cost", "beta"), "WEIGHT"),
        ((ARM, "x=1", "--update", "both"), "not known"),
        (("panda", "x=1"), "not parallel"),
    ],
)
def test_mistakes_get_one_sentence(arguments, text):
    code, _, error = run(*arguments)
    assert code != 0 and error is not None and text in str(error) and "\n" not in str(error)


def test_help_has_examples():
    out = run("--help")[1]
    assert "Examples:" in out and "limbik complete planar3_cruse x=0.6 y=1.5" in out
