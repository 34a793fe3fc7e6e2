"""The thesis' closed form on small samples: every bar is met. The Human Arm Animator moves, and ends at a limit."""

import numpy as np
import pytest

from limbik.papers.chin import animator, degenerate, segment
from limbik.papers.chin.arm import UNIT, appendix_b
from limbik.papers.chin.closed_form import CLOSED_FORM
from limbik.papers.chin.figure import HAND, SHOULDER, animator_figure
from limbik.papers.paper import Setting
from limbik.studio.limbs import limb_of

LAWS = [e for e in CLOSED_FORM.experiments if e.name not in ("time", "degenerate cases")]
# The frames of the films, and the joint whose limit ends each.
LENGTHS = {"flexion": (166, "leftHand_x"), "abduction": (161, "leftHand_z")}


@pytest.mark.parametrize("experiment", LAWS, ids=lambda e: e.name)
def test_every_bar_is_met(experiment):
    rows, _ = experiment.run(Setting(quick=True))
    assert not [row for row in rows if row.ok is False]


@pytest.mark.parametrize("case", degenerate.CASES, ids=lambda c: c.name.split(":")[0])
@pytest.mark.parametrize("make", degenerate.MAKES)
def test_degenerate_cases_are_flagged(case, make, rng):
    wrong, worst = degenerate.examine(case, make, rng, 100)
    assert worst <= degenerate.POSE_BAR and not wrong


def test_the_left_arm_of_the_figure_is_the_arm_of_the_thesis(rng):
    figure = animator_figure()
    limb = limb_of(figure, HAND)
    assert "closed form" in str(limb.chain.structure) and len(limb.chain.branch_names) == 8
    shoulder = figure.forward(np.zeros(figure.n), SHOULDER)[:3, 3]
    arm = appendix_b()
    q = rng.uniform(arm.lower, arm.upper, (50, 6))
    for part in q:
        whole = limb.put(np.zeros(figure.n), part)
        T = figure.forward(whole, HAND)
        T[:3, 3] -= shoulder
        assert np.allclose(T, arm.forward(part), atol=1e-12)
    assert np.allclose([limb.chain.lower, limb.chain.upper], [arm.lower, arm.upper])


def test_the_figure_stands_upright_at_the_scale_of_the_thesis():
    figure = animator_figure()
    places = {frame: figure.forward(np.zeros(figure.n), frame)[:3, 3] / UNIT for frame in figure.frames}
    assert figure.model.mechanism.up == "y"
    assert np.allclose(places[HAND] - places[SHOULDER], (0, -110, 0))
    other = places["rightHand"] - places["rightUpperArm"]
    assert np.allclose(other, (0, -110, 0)), "both arms are as long"
    assert places["head"][1] > places[SHOULDER][1] > places["hips"][1] > places["leftFoot"][1] >= 0
    assert places[SHOULDER][0] == pytest.approx(-places["rightUpperArm"][0]) and places[SHOULDER][0] > 0


@pytest.mark.parametrize("film", animator.FILMS, ids=lambda f: f.name)
def test_a_film_of_the_figure_moves_as_asked_and_names_the_limit_that_ends_it(film):
    figure = animator_figure()
    made = animator.in_session(figure, HAND, film.name)
    frames, joint = LENGTHS[film.name]
    places = made.clip.forward(HAND)
    assert len(made.clip) - 1 == frames
    assert made.limits == (joint,) and f"{joint} would need" in made.why
    assert np.allclose(np.diff(places[:, :3, 3], axis=0), UNIT * film.step, atol=1e-9)
    assert np.allclose(places[:, :3, :3], places[0, :3, :3], atol=1e-9)
    assert figure.within_limits(made.clip.q).all()
    k = figure.joint_names.index(joint)
    assert min(abs(made.clip.q[-1, k] - figure.lower[k]), abs(made.clip.q[-1, k] - figure.upper[k])) < np.radians(1.0)


@pytest.mark.parametrize("film", animator.FILMS, ids=lambda f: f.name)
def test_the_thesis_equations_make_the_same_film(film):
    figure = animator_figure()
    ours = limb_of(figure, HAND).part(animator.in_session(figure, HAND, film.name).clip.q)
    theirs = animator.by_equations(film.step)
    assert len(ours) == len(theirs) == LENGTHS[film.name][0] + 1
    assert np.abs(ours - theirs).max() < 1e-9
    assert len(animator.by_equations(film.step, inside=False)) - 1 == 440


def test_a_segment_that_does_not_move_follows_no_film():
    values = {"x frames": 10.0, "x limit": 1.0, "x off": 1e-9}
    assert segment.follows(values, "x")
    for key, value in (("x frames", 0.0), ("x limit", 0.0), ("x off", 1.0)):
        assert not segment.follows(values | {key: value}, "x")
