"""Chosen postures, swivels and the initial posture, without a page."""

import numpy as np
import pytest

import limbik as lk
from limbik.studio.ghosts import ghosts
from limbik.studio.page.swivel_panel import nearest_end
from limbik.studio.project import from_project, to_project
from limbik.studio.rest import DEAD_END, dexterity, rest_of
from limbik.studio.session import Session
from limbik.studio.swivels import at_swivel, has_swivel, swivel_of, towards

CHAINS = [name for name in lk.CATALOGUE if isinstance(lk.load(name), lk.Chain)]


@pytest.mark.parametrize("name", ["ur5", "puma560", "iiwa7"])
def test_every_ghost_can_be_chosen_and_holds_the_tip(name: str) -> None:
    session = Session(lk.load(name))
    tip = session.tips[0]
    T = session.target(tip)
    found = ghosts(session, tip)
    assert len(found) > 1
    for q in found.q:
        report = session.choose(tip, q)
        assert report.ok and report.status is lk.Status.SOLVED
        assert np.abs(session.robot.forward(session.q) - T).max() < 1e-6
        assert np.array_equal(session.target(tip), T)
    session.undo()
    assert np.array_equal(session.q, found.q[-2])


def test_a_choice_that_misses_the_target_is_reported() -> None:
    session = Session(lk.load("ur5"))
    q = session.q
    q[0] += 0.1
    T = session.target("tip")
    session.drag("tip", T)
    report = session.choose("tip", q)
    assert not report.ok and report.position_error > 1e-3
    assert "does not reach the target" in report.why


@pytest.mark.parametrize("name", ["iiwa7", "human_arm_7", "panda"])
def test_the_swivel_moves_inside_its_arcs_and_holds_the_hand(name: str) -> None:
    session = Session(lk.load(name))
    tip = session.tips[0]
    assert has_swivel(session, tip)
    session.drag(tip, session.target(tip))
    swivel = swivel_of(session, tip)
    assert swivel is not None and swivel.arcs
    T = session.target(tip)
    for low, high in swivel.arcs:
        for part in (0.25, 0.75):
            q = at_swivel(session, tip, low + part * (high - low))
            assert np.abs(session.robot.forward(q) - T).max() < 1e-7
            assert session.robot.within_limits(q)
    assert swivel.exact == (name != "panda")


@pytest.mark.parametrize("name", lk.CATALOGUE)
def test_ghosts_and_swivels_work_for_every_robot(name: str) -> None:
    session = Session(lk.load(name))
    for tip in session.tips:
        session.drag(tip, session.target(tip))
        assert ghosts(session, tip).why
        swivel = swivel_of(session, tip)
        assert swivel is None or has_swivel(session, tip)


def test_a_figure_swivels_its_elbow_and_holds_its_hand() -> None:
    figure = lk.load("human")
    session = Session(figure)
    for name, value in (("UpperArm_x", 0.8), ("UpperArm_z", 0.3), ("LowerArm_x", 1.0)):
        session.set_joint(f"left{name}", value)
    T = session.target("leftHand")
    session.drag("leftHand", T)
    swivel = swivel_of(session, "leftHand")
    assert swivel is not None and swivel.arcs and not swivel.exact and swivel.note
    low, high = swivel.arcs[0]
    for part in (0.3, 0.7):
        assert session.choose("leftHand", at_swivel(session, "leftHand", low + part * (high - low))).ok
        assert np.abs(figure.forward(session.q, "leftHand") - T).max() < 1e-7
    assert not has_swivel(session, "head")


def test_a_pole_attracts_the_elbow_and_holds_the_hand() -> None:
    session = Session(lk.load("iiwa7"))
    T = session.target("tip")
    session.drag("tip", T)
    elbow = [session.robot.forward(towards(session, "tip", pole))[:3, 3] for pole in ([2, 0, 0.5], [-2, 0, 0.5])]
    assert np.abs(elbow - T[:3, 3]).max() < 1e-7
    a, b = (towards(session, "tip", pole) for pole in ([0, 2, 0.5], [0, -2, 0.5]))
    assert (
        session.robot.forward(a, session.robot.frames[4])[1, 3]
        > session.robot.forward(b, session.robot.frames[4])[1, 3]
    )


def test_limbs_without_a_swivel_raise() -> None:
    session = Session(lk.load("ur5"))
    assert not has_swivel(session, "tip") and swivel_of(session, "tip") is None
    for call in (lambda: at_swivel(session, "tip", 0.1), lambda: towards(session, "tip", [0, 0, 1])):
        with pytest.raises(lk.BadOption):
            call()
    with pytest.raises(lk.BadOption):
        at_swivel(Session(lk.load("iiwa7")), "tip", np.nan)


def test_the_nearest_end_of_an_arc_is_found_modulo_2_pi() -> None:
    assert nearest_end(np.pi - 0.1, ((-np.pi + 0.2, 0.0),)) == -np.pi + 0.2


@pytest.mark.parametrize("name", CHAINS)
def test_the_initial_posture_is_inside_the_limits_and_regular(name: str) -> None:
    arm = lk.load(name)
    q = rest_of(arm)
    assert arm.within_limits(q)
    assert np.array_equal(q, rest_of(arm))
    if name != "planar2_guez":  # two joints that may not bend
        assert dexterity(arm, q[None])[0] > DEAD_END


def test_a_project_is_opened_as_one_step() -> None:
    session = Session(lk.load("ur5"))
    before = session.state
    session.random(3)
    session.set_key(1.0)
    state = from_project(to_project(session), session.robot)
    other = Session(lk.load("ur5"))
    other.take_state(state)
    assert other.state == session.state
    other.undo()
    assert other.state == before
    with pytest.raises(lk.BadOption):
        other.take_state(Session(lk.load("panda")).state)
