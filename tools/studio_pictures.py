"""Screenshots of the studio in a browser for docs/studio.md: `python tools/studio_pictures.py [NAME ...]`."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "studio"))

from studio_page import FLAGS, Hands, chromium, until

import limbik as lk

OUT = Path(__file__).parents[1] / "docs" / "pictures"
SIZE = {"width": 1120, "height": 690}
# Colours of a written picture: enough for these, and a third of the size.
COLOURS = 200


def figure(hands: Hands) -> None:
    """Show a figure whose hand was dragged."""
    robot = lk.load("human")
    hands.fresh(robot)
    q = hands.session.q
    for name, value in (("UpperArm_x", 0.9), ("UpperArm_z", 0.35), ("UpperArm_y", 0.2), ("LowerArm_x", 1.0)):
        q[robot.joint_names.index(f"left{name}")] = value
    drag(hands, "leftHand", robot.forward(q, "leftHand"))


def swivel(hands: Hands) -> None:
    """Show a redundant arm."""
    arm = lk.load("iiwa7")
    hands.fresh(arm)
    drag(hands, "tip", arm.forward([0.0, 0.9, 0.0, -1.7, 0.0, 0.6, 0.0]))
    camera = hands.desk.client.camera
    camera.position, camera.look_at = (0.9, 1.5, 1.1), (0.2, 0.0, 0.12)


def timeline(hands: Hands) -> None:
    """Show four keys, curves and onion skin."""
    arm = lk.load("ur5")
    hands.fresh(arm)
    start = hands.session.target("tip")
    for k, by in enumerate([(0, 0, 0), (0.0, -0.25, 0.05), (-0.1, 0.0, -0.25), (0.0, 0.2, 0.05)]):
        T = np.array(start)
        T[:3, 3] += by
        drag(hands, "tip", T)
        hands.desk.act(lambda k=k: hands.session.set_key(float(k)))
    hands.page.get_by_role("tab", name="Between keys").click()
    hands.page.get_by_role("checkbox", name="Onion skin").check()
    hands.desk.act(lambda: hands.session.scrub(1.5))
    hands.page.get_by_role("tab", name="Curves").click()
    hands.tab("Animate")


def method(hands: Hands) -> None:
    """Show the steps of a method and its error."""
    hands.fresh(lk.load("ur5"))
    T = hands.session.target("tip")
    T[:3, 3] += [-0.1, -0.45, -0.2]
    drag(hands, "tip", T)
    hands.tab("Methods")
    hands.press("Watch")
    hands.page.wait_for_timeout(4000)


def goniometer(hands: Hands) -> None:
    """Show an exercise during measurement."""
    hands.fresh(lk.load("human"))
    hands.desk.choose_tip("rightFoot")
    hands.desk.act(lambda: hands.session.set_joint("leftUpperArm_z", 0.35))
    camera = hands.desk.client.camera
    camera.position, camera.look_at = (1.1, 2.4, 1.4), (0.0, 0.1, 0.95)
    hands.tab("Measure")
    hands.choose("Motion", "left elbow flexion")
    hands.press("Begin")
    hands.page.wait_for_timeout(500)
    for angle in (0, 70, 0, 70, 0, 48):
        hands.desk.act(lambda a=angle: hands.session.set_joint("leftLowerArm_x", np.radians(a)))


def cells(hands: Hands) -> None:
    """Show the cells of a table around the wrist."""
    hands.fresh(lk.load("puma560"))
    hands.tab("Methods")
    hands.page.get_by_role("checkbox", name="Table cells").check()
    until(lambda: "cells" in hands.text("cells"), "a table", 120)


PICTURES: dict[str, Callable[[Hands], None]] = {
    "figure": figure,
    "swivel": swivel,
    "timeline": timeline,
    "method": method,
    "goniometer": goniometer,
    "cells": cells,
}


def drag(hands: Hands, frame: str, T: np.ndarray) -> None:
    """Move a gizmo and print the result."""
    hands.desk.choose_tip(frame)
    hands.desk.act(lambda: hands.session.drag(frame, T))
    print(f"  {hands.session.report.headline}")


def main() -> None:
    """Write the named pictures, or all."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    from limbik.studio.page.server import Studio

    with Studio(lk.load("human"), port=0, tour=False) as studio, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        hands = Hands(studio, browser.new_context(viewport=SIZE).new_page())
        for name in sys.argv[1:] or PICTURES:
            PICTURES[name](hands)
            hands.page.mouse.move(500, 5)
            hands.page.wait_for_timeout(2500)
            seen = Image.open(io.BytesIO(hands.page.screenshot())).convert("RGB")
            path = OUT / f"studio_{name}.png"
            seen.quantize(COLOURS, kmeans=2, dither=Image.Dither.NONE).save(path, optimize=True)
            print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()
