"""The thesis' closed form on small samples: every claim with a bar meets it."""

import numpy as np
import pytest

from limbik.papers.chin import animator, degenerate
from limbik.papers.chin.arm import appendix_b
from limbik.papers.chin.closed_form import CLOSED_FORM
from limbik.papers.paper import Setting

LAWS = [e for e in CLOSED_FORM.experiments if e.name not in ("time", "degenerate cases")]


@pytest.mark.parametrize("experiment", LAWS, ids=lambda e: e.name)
def test_every_bar_is_met(experiment):
    rows, _ = experiment.run(Setting(quick=True))
    assert not [row for row in rows if row.ok is False]


@pytest.mark.parametrize("case", degenerate.CASES, ids=lambda c: c.name.split(":")[0])
@pytest.mark.parametrize("make", degenerate.MAKES)
def test_degenerate_cases_are_flagged(case, make, rng):
    wrong, worst = degenerate.examine(case, make, rng, 100)
    assert worst <= degenerate.POSE_BAR and not wrong


@pytest.mark.parametrize("film", animator.FILMS, ids=lambda f: f.name)
def test_a_film_moves_as_asked_inside_the_limits(film):
    arm = appendix_b()
    q = animator.run(arm, film.step)
    places = arm.forward(q)
    assert arm.within_limits(q).all()
    assert np.allclose(np.diff(places[:, :3, 3], axis=0), 0.01 * np.array(film.step), atol=1e-9)
    assert np.allclose(places[:, :3, :3], places[0, :3, :3], atol=1e-9)


def test_a_film_ends_at_the_range_of_the_wrist():
    arm = appendix_b()
    for film, joint, end in zip(animator.FILMS, (4, 5), (arm.lower[4], arm.upper[5]), strict=True):
        last = animator.run(arm, film.step)[-1]
        assert abs(last[joint] - end) <= np.radians(1.0)
