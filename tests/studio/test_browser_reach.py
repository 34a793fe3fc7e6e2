"""In a browser: open, drag the gizmo until the tip is there; choose another posture; targets out of reach are reported."""

import itertools
from typing import Any

import numpy as np
import pytest
from studio_page import Hands, browser, hands, near, studio, until  # noqa: F401

import limbik as lk
from limbik.studio.page.colours import LINK, SHORT
from limbik.studio.page.gizmos import GIZMO

UR5 = lk.load("ur5")


@pytest.fixture
def ur5(hands: Hands) -> Hands:  # noqa: F811
    hands.fresh(UR5)
    return hands


def drag_arrow(hands: Hands, axis: int, by: float) -> np.ndarray:  # noqa: F811
    """Drag the tip's arrow along an axis of its own; return its position before."""
    T = hands.session.target(hands.desk.tip)
    size = GIZMO * UR5.reach
    hands.look(T[:3, 3], T[:3, :3] @ [1.0, 1.1, 0.9])
    along = T[:3, axis] * next(sign for sign in (1, -1) if reaches(T, axis, 1.5 * sign * by))
    hold = T[:3, 3] + 0.93 * size * T[:3, axis]
    hands.drag(hands.pixel(hold), hands.pixel(hold + by * along))
    return T


def reaches(T: np.ndarray, axis: int, by: float) -> bool:
    """Return whether the tip can move a distance along its own axis, and half of it."""
    ends = [np.array(T), np.array(T)]
    for part, end in zip((0.5, 1.0), ends, strict=True):
        end[:3, 3] += part * by * T[:3, axis]
    return all(UR5.solve(end).ok for end in ends)


def test_the_page_opens_draws_the_robot_and_asks_no_other_host(ur5: Hands) -> None:
    picture = ur5.seen()
    assert near(picture, LINK) > 400, "the arm is not drawn"
    assert picture.std() > 5
    assert ur5.outside == []
    assert ur5.errors == []


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_tip_follows_a_dragged_gizmo(ur5: Hands, axis: int) -> None:
    before, picture, q = ur5.session.target("tip"), ur5.seen(), ur5.session.q
    drag_arrow(ur5, axis, 0.08)
    until(lambda: ur5.desk.gizmos.dragged is None and not np.array_equal(ur5.session.q, q), "the arm follows")
    after = ur5.session.target("tip")
    moved = before[:3, :3].T @ (after[:3, 3] - before[:3, 3])
    assert abs(moved[axis]) > 0.02
    assert np.abs(np.delete(moved, axis)).max() < 1e-3
    assert ur5.session.report.ok
    assert np.abs(UR5.forward(ur5.session.q) - after).max() < 1e-7
    ur5.says("status", "reached")
    until(lambda: np.abs(ur5.seen() - picture).max() > 60, "the picture changes")
    assert ur5.session.undo() == "drag tip"
    assert np.array_equal(ur5.session.q, q)


def test_out_of_reach_is_shown_by_text_and_colour(ur5: Hands) -> None:
    T = ur5.session.target("tip")
    T[:3, 3] *= 3 / np.linalg.norm(T[:3, 3])
    ur5.desk.act(lambda: ur5.session.drag("tip", T))
    ur5.says("status", "out of reach")
    ur5.says("status", "mm")
    until(lambda: near(ur5.seen(), SHORT) > 150, "the arm changes its colour")


def test_another_posture_is_chosen_by_button_by_key_and_by_click(ur5: Hands) -> None:
    drag_arrow(ur5, 0, 0.03)
    until(lambda: ur5.desk.gizmos.dragged is None and ur5.desk.reach.found is not None, "ghosts")
    T, seen = ur5.session.target("tip"), {tuple(np.round(ur5.session.q, 6))}
    count = len(ur5.desk.reach.found)
    assert count >= 4
    ur5.says("ghosts", f"of {count} postures")

    def changed(q: Any) -> bool:
        return not np.array_equal(ur5.session.q, q)

    for act in (lambda: ur5.press("Next"), lambda: ur5.page.keyboard.press("g"), lambda: click_a_ghost(ur5)):
        q = ur5.session.q
        act()
        until(lambda q=q: changed(q), "another posture")
        assert np.abs(UR5.forward(ur5.session.q) - T).max() < 1e-6
        assert ur5.session.report.ok
        seen.add(tuple(np.round(ur5.session.q, 6)))
    assert len(seen) >= 3


def click_a_ghost(hands: Hands) -> None:  # noqa: F811
    """Click the middle of a ghost's bone, away from the gizmo and clear of the timeline's panel."""
    hands.desk.stage.look("Home")
    hands.settle()
    found, canvas = hands.desk.reach.found, hands.canvas
    tip = hands.pixel(hands.session.target("tip")[:3, 3])
    places = []
    for k, q in enumerate(found.q):
        origins = UR5.model.forward_all(q)[:, :3, 3]
        for a, b in itertools.pairwise(origins):
            if k != found.present and np.linalg.norm(b - a) > 0.3:
                places.append(hands.pixel((a + b) / 2))
    clear = [(x, y) for x, y in places if 0 < x < canvas["width"] and 0 < y < canvas["height"] - 230]
    x, y = max(clear, key=lambda p: np.hypot(p[0] - tip[0], p[1] - tip[1]))
    hands.page.mouse.click(x, y)
