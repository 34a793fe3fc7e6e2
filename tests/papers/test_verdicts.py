"""Verdicts on claims of papers: they follow from the readings in which a claim holds, and are rows for scripts."""

import math

import pytest

from limbik.errors import LimbikError
from limbik.papers.claim import Claim, Row, at_most
from limbik.papers.paper import Experiment, Findings, Paper, Section, Setting
from limbik.papers.registry import PAPERS, paper
from limbik.papers.verdict import Conclusion, Finding


@pytest.mark.parametrize("name", PAPERS)
def test_experiments_and_claims_have_names_of_their_own(name):
    each = paper(name)
    names = [e.name for s in each.sections for e in s.experiments]
    assert len(set(names)) == len(names)
    claims = [conclusion.claim for conclusion in each.conclusions]
    assert claims and len(set(claims)) == len(claims)


@pytest.mark.parametrize("name", PAPERS)
def test_a_bar_can_be_missed(name):
    """Some finite value, or none at all, misses each bar."""
    for claim in (c for s in paper(name).sections for e in s.experiments for c in e.claims if c.bar is not None):
        assert math.isfinite(claim.bar.low) or math.isfinite(claim.bar.high), claim.what
        assert not claim.judged(math.nan).ok
        assert not (claim.bar.low <= 0.0 and claim.bar.high == math.inf and claim.unit.startswith("%")), claim.what


def test_a_conclusion_sees_the_values_of_every_section():
    def judge(values):
        sentence = f"{values['one']['x']:g} and {values['two']['y']:g}."
        return Finding(sentence, {"a": True, "b": False}, (Row("z", None, 3.0, "", None),))

    one = Experiment("one", (Claim("x", "x", "m"),), lambda s: Findings({"x": 1.0}))
    two = Experiment("two", (Claim("y", "y", "m"),), lambda s: Findings({"y": math.inf}))
    found = Paper("p", "P", (Section("s", (one, two)),), (Conclusion("it is so", judge),))
    (verdict,) = found.verdicts({e.name: e.run(Setting())[0] for e in (one, two)})
    assert str(verdict) == "it is so: depends (holds for a; fails for b). 1 and nan."
    assert [(row.what, row.paper, row.ours, row.ok, row.verdict) for row in verdict.rows] == [
        ("z", None, 3.0, None, None),
        ("verdict: it is so", None, 0.5, None, "depends"),
    ]


@pytest.mark.parametrize(
    "readings, verdict, share, where",
    [
        ({"x": True}, "holds", 1.0, ""),
        ({"x": False}, "fails", 0.0, ""),
        ({"x": True, "y": True}, "holds", 1.0, "in all 2 readings"),
        (dict.fromkeys("abc", False), "fails", 0.0, "in all 3 readings"),
        ({"x": True, "y": False, "z": False}, "depends", 1 / 3, "holds for x; fails for y, z"),
        (dict.fromkeys(range(9), True) | {9: False}, "depends", 0.9, "holds in 9 of 10 readings"),
    ],
)
def test_the_readings_make_the_verdict(readings, verdict, share, where):
    found = Finding("s", readings)
    assert (found.verdict, found.where) == (verdict, where) and found.share == pytest.approx(share)


def test_a_finding_without_readings_is_refused():
    with pytest.raises(LimbikError, match="at least one reading"):
        Finding("s", {})


def test_a_known_cause_is_a_miss_but_no_failure():
    known = Claim("x", "x", "m", bar=at_most(1.0), cause="the paper's arm is longer").judged(2.0)
    unknown = Claim("x", "x", "m", bar=at_most(1.0)).judged(2.0)
    met = Claim("x", "x", "m", bar=at_most(1.0), cause="never mind").judged(0.5)
    assert [(row.ok, row.failed) for row in (known, unknown, met)] == [(False, False), (False, True), (True, False)]
