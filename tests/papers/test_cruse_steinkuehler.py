"""Cruse and Steinkühler's experiments: small runs meet their bars, verdicts follow from the values, figures are drawn."""

import math

import pytest

from limbik.papers.cruse_steinkuehler import conclusions, nine
from limbik.papers.cruse_steinkuehler.arm import PROBLEMS, STARTS, convex_posture, network, targets
from limbik.papers.paper import Setting
from limbik.papers.registry import paper

PAPER = paper("cruse_steinkuehler")
EXPERIMENTS = {e.name: e for section in PAPER.sections for e in section.experiments}


def test_a_quick_run_meets_every_bar_and_draws_every_figure(tmp_path):
    """One test, so that the experiments run once."""
    measured = {name: experiment.run(Setting(quick=True)) for name, experiment in EXPERIMENTS.items()}
    rows = {name: found for name, (found, _) in measured.items()}
    assert [row.what for found in rows.values() for row in found if row.ok is False] == []
    verdicts_follow(rows)
    pytest.importorskip("matplotlib")
    pictures = [p for _, drawn in measured.values() for p in drawn]
    assert {p.name for p in pictures} == {*(f"figure_{k}" for k in range(3, 11)), "workspace"}
    for picture in pictures:
        picture.draw(tmp_path / f"{picture.name}.png")
        assert (tmp_path / f"{picture.name}.png").stat().st_size > 5000


def test_the_chosen_postures_have_their_tips_at_the_targets():
    net = network()
    for target in targets():
        assert net.points(net.directions(target.posture))[-1] == pytest.approx(target.place, abs=1e-12)
        assert all(0 < angle < math.pi for angle in target.posture[1:])
    assert convex_posture(2.0, 0.0, 0.0)[0] == pytest.approx(math.pi / 3)


def verdicts_follow(rows):
    """Verdicts follow from the measured values, and other values give other verdicts."""
    verdicts = {v.claim: v.ours.holds.value for v in PAPER.verdicts(rows)}
    assert len(verdicts) == len(conclusions.CONCLUSIONS) == 9
    assert verdicts["the network was never found not to converge"] == "holds in part"
    assert verdicts["what the inputs leave free is influenced by the earlier state"] == "holds"
    figures = {
        name: {row.key: row.ours if row.ours is not None else math.nan for row in found} for name, found in rows.items()
    }
    lost = dict(figures[nine.EXPERIMENT.name])
    for problem in PROBLEMS:
        for start in STARTS:
            lost[f"sequential, {problem}, {start}: worst"] = lost[f"parallel, {problem}, {start}: worst"] = 500.0
    judged = conclusions.never_more_than_sixty(figures | {nine.EXPERIMENT.name: lost})
    assert judged.holds.value == "does not hold"
