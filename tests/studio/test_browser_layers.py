"""In a browser: layers over the scene, motions along drawn paths, and panels that are up to date when a drag pauses."""

import numpy as np
import pytest
from studio_page import Hands, browser, hands, near, studio, until  # noqa: F401

import limbik as lk
from limbik.studio.page.colours import PURPLE
from limbik.studio.page.layers_panel import _MANY

PUMA, HUMAN = lk.load("puma560"), lk.load("human")


def toggled(hands: Hands, box: str, part: str) -> str:  # noqa: F811
    """Switch a layer on, and return its text once it is shown."""
    hands.tab("Methods")
    hands.page.get_by_role("checkbox", name=box).check()
    return str(until(lambda: (said := hands.text(part)) and "computing" not in said and said, box, 120))


def test_table_cells_are_drawn_and_removed(hands: Hands) -> None:  # noqa: F811
    hands.fresh(PUMA)
    yellow = tuple(int(x) for x in _MANY)
    before = near(hands.seen(), yellow)
    said = toggled(hands, "Table cells", "cells")
    assert "the wrist's cell has" in said and "before refinement" in said
    until(lambda: near(hands.seen(), yellow) > before + 300, "cells in the picture")
    hands.page.get_by_role("checkbox", name="Table cells").uncheck()
    until(lambda: near(hands.seen(), yellow) < before + 100, "cells are gone")
    hands.fresh(lk.load("ur5"))
    assert "do not intersect in a wrist" in toggled(hands, "Table cells", "cells")
    assert hands.errors == []


def test_the_goniometers_arc_is_at_the_joint(hands: Hands) -> None:  # noqa: F811
    hands.fresh(HUMAN)
    hands.desk.choose_tip("rightFoot")
    hands.tab("Measure")
    hands.desk.act(lambda: hands.session.set_joint("leftLowerArm_x", np.radians(80)))
    elbow = hands.desk.stage.turn @ HUMAN.forward(hands.session.q, "leftLowerArm")[:3, 3]
    hands.desk.client.camera.position = elbow + np.array([0.5, 0.9, 0.1])
    hands.desk.client.camera.look_at = elbow
    hands.settle()
    hands.choose("Motion", "left elbow flexion")
    hands.says("reading", "80 of 150")
    hands.settle()
    there = near(hands.seen(), PURPLE)
    hands.page.get_by_role("checkbox", name="Arc").uncheck()
    until(lambda: near(hands.seen(), PURPLE) < there - 100, "no arc")
    without = near(hands.seen(), PURPLE)
    hands.page.get_by_role("checkbox", name="Arc").check()
    until(lambda: near(hands.seen(), PURPLE) > without + 60, "an arc again")


@pytest.mark.parametrize("name", ["ur5", "human"])
def test_a_circle_is_followed_and_a_path_out_of_reach_has_a_reason(hands: Hands, name: str) -> None:  # noqa: F811
    robot = lk.load(name)
    hands.fresh(robot)
    session, tip = hands.session, hands.desk.tip
    if name == "human":
        tip = "leftHand"
        hands.desk.choose_tip(tip)
        for joint, value in (("UpperArm_x", 0.9), ("UpperArm_z", 0.35), ("LowerArm_x", 1.0)):
            hands.desk.act(lambda joint=joint, value=value: session.set_joint(f"left{joint}", value))
    start = session.target(tip)
    hands.tab("Animate")
    hands.press("Circle")
    hands.says("motion", "complete")
    clip = session.clip()
    assert np.abs(clip.forward(tip)[-1] - start).max() < 1e-6
    assert clip.largest_step < 0.5
    far = np.array(start)
    far[:3, 3] *= 9
    hands.desk.act(lambda: session.drag(tip, far))
    hands.press("Place")
    hands.says("motion", "1 pose is placed")
    hands.desk.act(lambda: session.drag(tip, start))
    hands.press("Line")
    hands.says("motion", "out of reach")
    assert hands.errors == []


def test_every_panel_is_up_to_date_when_a_drag_pauses(hands: Hands) -> None:  # noqa: F811
    """A drag without an end: when it pauses, the panels must be up to date."""
    robot = lk.load("iiwa7")
    hands.fresh(robot)
    session, desk = hands.session, hands.desk
    start = session.target("tip")
    for k in range(12):
        T = np.array(start)
        T[:3, 3] += 0.01 * k * np.array([0.5, 0.5, -0.5])
        desk.act(lambda T=T: session.drag("tip", T), "drag tip", live=True, held=True)
    assert not desk.up_to_date
    until(lambda: desk.up_to_date, "the panels are up to date")
    hands.tab("Pose")
    shown = until(lambda: _numbers(hands.box("Values").input_value(), robot.n), "values")
    assert np.abs(np.radians(shown) - session.q).max() < 1e-5
    for joint, value in zip(robot.joint_names, np.degrees(session.q), strict=True):
        assert float(hands.box(joint).input_value()) == pytest.approx(value, abs=0.06), joint
    hands.tab("Reach")
    hands.says("swivel", f"elbow {np.degrees(robot.swivel(session.q)):.1f}")
    found = desk.reach.found
    hands.says("ghosts", f"{found.present + 1} of {len(found)} postures")
    assert ("reached" in hands.text("status")) == session.report.ok


def _numbers(text: str, count: int) -> np.ndarray | None:
    values = [float(word) for word in text.split(",") if word.strip()]
    return np.array(values) if len(values) == count else None
