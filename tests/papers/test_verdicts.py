"""Conclusions of a paper: a verdict follows from the measured values, has a sentence, and is a row for scripts."""

import math

import pytest

from limbik.papers.chin import PAPER, conclusions
from limbik.papers.claim import Claim, Row
from limbik.papers.paper import Experiment, Findings, Paper, Section, Setting
from limbik.papers.verdict import Conclusion, Finding, Holds


@pytest.fixture(scope="module")
def measured():
    return {e.name: e.run(Setting(quick=True))[0] for s in PAPER.sections for e in s.experiments}


@pytest.fixture
def figures(measured):
    return {name: {row.key: row.ours for row in rows} for name, rows in measured.items()}


def changed(figures, experiment, keys, figure):
    """Return the values with some of an experiment's set to another value."""
    assert any(key in figures[experiment] for key in keys)
    return {**figures, experiment: {**figures[experiment], **dict.fromkeys(keys, figure)}}


def test_experiments_have_names_of_their_own():
    names = [e.name for s in PAPER.sections for e in s.experiments]
    assert len(set(names)) == len(names)


def test_a_conclusion_sees_the_figures_of_every_section():
    def judge(figures):
        return Finding(
            Holds.PARTLY, f"{figures['one']['x']:g} and {figures['two']['y']:g}", (Row("z", None, 3.0, "", None),)
        )

    one = Experiment("one", (Claim("x", "x", "m"),), lambda s: Findings({"x": 1.0}))
    two = Experiment("two", (Claim("y", "y", "m"),), lambda s: Findings({"y": math.inf}))
    paper = Paper("p", "P", (Section("s", (one, two)),), (Conclusion("it is so", Holds.FULLY, judge),))
    (verdict,) = paper.verdicts({e.name: e.run(Setting())[0] for e in (one, two)})
    assert str(verdict) == "it is so: 1 and nan: holds in part"
    assert [(row.what, row.paper, row.ours, row.ok) for row in verdict.rows] == [
        ("z", None, 3.0, None),
        ("verdict: it is so", 1.0, 0.5, None),
    ]


def test_what_the_figures_say_of_the_thesis(measured):
    found = {v.claim.split(",")[0].split(" (")[0]: v.ours.holds.value for v in PAPER.verdicts(measured)}
    assert found == {
        "hypothesis 1": "holds in part",
        "hypothesis 2": "holds",
        "hypothesis 3": "holds",
        "hypothesis 4": "holds in part",
        "BFGS is the best all-rounder": "holds in part",
        "Newton by the pseudoinverse needs at least 200 iterations on 3 joints": "does not hold",
        "FRPRM and FLETCHER do not converge exactly": "does not hold",
    }


def test_other_figures_make_other_verdicts(figures):
    """Each judgement depends on the measured values."""
    starts, figure = conclusions.other_starts.EXPERIMENT.name, conclusions.segment.EXPERIMENT.name
    six, others = conclusions.SIX_4[0], conclusions.THREE[0]
    chains = conclusions.any_chain.EXPERIMENT.name
    turns = [key for key in figures[others] if key.endswith(" jump")]
    cases = [
        (conclusions.any_number_of_joints, changed(figures, chains, ["3 branches", "6 branches"], 0.0), Holds.FULLY),
        (conclusions.any_number_of_joints, changed(figures, chains, ["8 branches"], 4.0), Holds.NOT),
        (conclusions.one_posture, changed(figures, starts, ["closed form time"], 1e9), Holds.PARTLY),
        (conclusions.by_segments, changed(figures, figure, ["moved"], 1.0), Holds.PARTLY),
        (conclusions.no_sudden_change, changed(figures, others, turns, 5.0), Holds.FULLY),
        (conclusions.best_all_rounder, changed(figures, six, ["BFGS evaluations"], -1e4), Holds.FULLY),
        (conclusions.best_all_rounder, changed(figures, six, ["BFGS reached"], 9.0), Holds.NOT),
        (conclusions.slow_pseudoinverse, changed(figures, others, ["3 NEWTON by pseudoinverse iterations"], 250.0), Holds.FULLY),
        (conclusions.inexact_paths, changed(figures, six, ["FLETCHER error"], 0.1), Holds.PARTLY),
    ]  # fmt: skip
    for judge, other, verdict in cases:
        assert judge(other).holds is verdict, judge.__name__
        assert judge(figures).sentence != judge(other).sentence, judge.__name__
