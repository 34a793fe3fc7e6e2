"""In browsers: tour, swivel, traces of methods, goniometer; two browsers are independent; other sites are refused."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from studio_page import VIEW, Hands, browser, until, why_not  # noqa: F401

import limbik as lk


@pytest.fixture(scope="module")
def studio() -> Iterator[Any]:
    """A studio with the tour and an arm with an elbow swivel."""
    if why_not():
        pytest.skip(why_not())
    from limbik.studio.page.server import Studio

    with Studio(lk.load("iiwa7"), port=0) as running:
        yield running


@pytest.fixture(scope="module")
def hands(studio: Any, browser: Any) -> Iterator[Hands]:  # noqa: F811
    """A page that has seen the tour."""
    context = browser.new_context(**VIEW)
    yield Hands(studio, context.new_page())
    context.close()


def end_tour(hands: Hands) -> None:
    """Close the tour if it is open."""
    close = hands.page.get_by_role("button", name="Close", exact=True)
    if close.count():
        close.first.click()
        until(lambda: not close.count(), "the tour is closed")


def test_a_new_visitor_sees_three_steps_and_the_shortcuts_once(studio: Any, browser: Any) -> None:  # noqa: F811
    context = browser.new_context(**VIEW)
    page = context.new_page()
    hands = Hands(studio, page)
    for words in ("1 of 3", "2 of 3", "3 of 3"):
        page.get_by_text(words).wait_for()
        page.get_by_role("button", name="Shortcuts" if words[0] == "3" else "Next", exact=True).last.click()
    page.get_by_text("Play or stop").wait_for()
    page.get_by_role("button", name="Close", exact=True).click()
    page.reload()
    page.wait_for_selector("[data-limbik=status]")
    page.wait_for_timeout(1500)
    assert page.get_by_text("1 of 3").count() == 0
    assert hands.errors == []
    context.close()


def test_the_swivel_moves_the_elbow_and_holds_the_hand(hands: Hands) -> None:
    end_tour(hands)
    arm = lk.load("iiwa7")
    hands.fresh(arm)
    T, q = hands.session.target("tip"), hands.session.q
    hands.says("swivel", "free from")
    wanted = np.degrees(arm.swivel(q)) + 12
    hands.type_number("Swivel", round(float(wanted), 1))
    until(lambda: not np.array_equal(hands.session.q, q), "the elbow turns")
    assert np.abs(arm.forward(hands.session.q) - T).max() < 1e-7
    assert arm.within_limits(hands.session.q)
    assert abs(np.degrees(arm.swivel(hands.session.q)) - wanted) < 0.2


def test_a_method_is_watched_step_by_step(hands: Hands) -> None:
    end_tour(hands)
    hands.fresh(lk.load("iiwa7"))
    T = hands.session.target("tip")
    T[:3, 3] += [0.1, 0.2, -0.1]
    hands.desk.act(lambda: hands.session.drag("tip", T))
    before = hands.seen()
    hands.tab("Methods")
    hands.press("Watch")
    hands.says("method", "evaluations")
    until(lambda: (np.abs(hands.seen() - before).max(axis=2) > 40).sum() > 25, "the steps are drawn")
    assert hands.page.locator("[data-limbik=chart] polyline").count() == 2


def test_the_goniometer_reads_a_named_motion_and_counts_an_exercise(hands: Hands) -> None:
    end_tour(hands)
    figure = lk.load("human")
    hands.fresh(figure)
    hands.tab("Measure")
    hands.choose("Motion", "left elbow flexion")
    hands.press("Begin")
    hands.says("reading", "0 of 3 done")
    for angle in (0, 70, 0, 70, 0, 70, 0):
        hands.desk.act(lambda a=angle: hands.session.set_joint("leftLowerArm_x", np.radians(a)))
    hands.says("reading", "done: 3 times left elbow flexion")


def test_two_browsers_do_not_disturb_each_other(hands: Hands, browser: Any, studio: Any) -> None:  # noqa: F811
    end_tour(hands)
    hands.fresh(lk.load("iiwa7"))
    context = browser.new_context(**VIEW)
    other = Hands(studio, context.new_page())
    end_tour(other)
    assert other.desk is not hands.desk
    before = hands.session.state
    other.tab("Pose")
    other.type_number(other.session.robot.joint_names[0], 33.0)
    until(lambda: abs(np.degrees(other.session.q[0]) - 33) < 1e-9, "the other moves")
    assert hands.session.state == before
    hands.settle()
    hands.tab("Pose")
    assert float(hands.box(other.session.robot.joint_names[0]).input_value()) != 33.0
    count = len(studio.desks)
    context.close()
    until(lambda: len(studio.desks) == count - 1, "the other's desk is cleared")


def test_memory_does_not_grow_in_a_short_soak(hands: Hands) -> None:
    """A short run of the soak test in benchmarks/studio_page.py, which takes an hour there."""
    from benchmarks.studio_page import soaked

    end_tour(hands)
    found = soaked(hands, 5.0, warm_up=60)
    assert found["soak_actions"] > 60
    assert found["growth_mb"] < 40
    assert hands.errors == []
