"""Shared parts of the browser tests: a studio on a free loopback port, one Chromium, and `Hands`, which drag, type and read.

Chromium needs `--enable-unsafe-swiftshader` to draw without a graphics card; without it there is no WebGL, and a suite that
only reads the document would be green on nothing. So `Hands.seen` returns what is drawn, and tests look at it.
"""

import io
import itertools
import os
import shutil
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import limbik as lk

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
# The device pixels per pixel of the page: half of them need a quarter of the rendering.
VIEW: dict[str, Any] = {"viewport": {"width": 1000, "height": 640}, "device_scale_factor": 0.5}
MARKS = itertools.count()
# The longest wait [s]; test machines may be loaded.
PATIENCE = float(os.environ.get("LIMBIK_PATIENCE", 180))


def why_not() -> str:
    """Return the reason why the browser tests cannot run here, if any."""
    for module in ("viser", "playwright"):
        try:
            __import__(module)
        except ImportError:
            return f"BROWSER TESTS DID NOT RUN: the package '{module}' is missing (pip install 'limbik[test]')"
    return "" if chromium() else "BROWSER TESTS DID NOT RUN: chromium is missing (apt-get install chromium)"


def chromium() -> str | None:
    """Return the system's browser."""
    return next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )


def until(what: Callable[[], Any], wanted: str, patience: float = PATIENCE) -> Any:
    """Wait until a condition is true, and return its value."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        found = what()
        if found is not None and found is not False:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {patience:.0f} s in vain: {wanted}")


class Hands:
    """A browser on a studio: the actions of a user, and what the page shows."""

    def __init__(self, studio: Any, page: Any) -> None:
        self.studio, self.page = studio, page
        self.outside: list[str] = []
        self.errors: list[str] = []
        page.set_default_timeout(1000 * PATIENCE)
        page.on("request", self._asked)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(studio.url)
        page.wait_for_selector("[data-limbik=status]", timeout=1000 * PATIENCE)
        self.desk = until(lambda: studio.desks[-1] if studio.desks else None, "a desk")
        page.add_style_tag(content=".mantine-Notifications-root {display: none !important}")

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.studio.site, "data:", "blob:", self.studio.site.replace("http", "ws"))):
            self.outside.append(request.url)

    @property
    def session(self) -> Any:
        """The session of this browser, on the server's side."""
        return self.desk.session

    def fresh(self, robot: lk.Chain | lk.Skeleton) -> None:
        """Begin anew."""
        from limbik.studio.session import Session

        self.desk.set_up(Session(robot))
        self.settle()

    def settle(self) -> None:
        """Wait until the page has taken in all that was sent to it, in order, and has drawn it."""
        mark = f"mark{next(MARKS)}"
        sent = self.desk.client.gui.add_html(f'<i data-limbik="{mark}"></i>')
        self.page.wait_for_selector(f"[data-limbik={mark}]", state="attached", timeout=1000 * PATIENCE)
        sent.remove()
        drawn = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        self.page.evaluate(drawn)

    # ---- doing -------------------------------------------------------------------------------------------------------

    def tab(self, name: str) -> None:
        """Open a tab."""
        self.page.get_by_role("tab", name=name, exact=True).click()

    def press(self, name: str, nth: int = 0) -> None:
        """Press a button."""
        self.page.get_by_role("button", name=name, exact=True).nth(nth).click()

    def box(self, label: str) -> Any:
        """The number or text box beside a label."""
        beside = "following::input[not(@type='hidden')][1]"
        return self.page.locator(f"xpath=//label[normalize-space(.)='{label}']/{beside}").first

    def type_number(self, label: str, value: float) -> None:
        """Type into the number box of a slider."""
        row = self.box(label)
        row.fill(str(value))
        row.press("Enter")

    def choose(self, label: str, option: str) -> None:
        """Choose from a dropdown."""
        self.page.get_by_role("combobox", name=label).first.click()
        self.page.get_by_role("option", name=option, exact=True).first.click()

    def pixel(self, point: Any) -> tuple[float, float]:
        """Where a point of the scene is on the screen [px]."""
        from limbik.studio.page.turning import pose_of

        camera = self.desk.client.camera
        canvas = self.canvas
        T = pose_of(camera.wxyz, camera.position)
        x, y, z = T[:3, :3].T @ (self.desk.stage.turn @ np.asarray(point, float) - T[:3, 3])
        f = canvas["height"] / 2 / np.tan(camera.fov / 2)
        return canvas["x"] + canvas["width"] / 2 + f * x / z, canvas["y"] + canvas["height"] / 2 + f * y / z

    def look(self, point: Any, eye: Any) -> None:
        """Look at a point of the robot from a direction, so that nothing hides its gizmo."""
        turn, camera = self.desk.stage.turn, self.desk.client.camera
        at, away = turn @ np.asarray(point, float), turn @ np.asarray(eye, float)
        camera.position = at + 2.2 * self.session.robot.reach * away / np.linalg.norm(away)
        camera.look_at = at
        self.settle()

    @property
    def canvas(self) -> dict[str, float]:
        """The box of the scene on the page."""
        boxes = [c.bounding_box() for c in self.page.locator("canvas").all()]
        return max((b for b in boxes if b), key=lambda b: b["width"] * b["height"])

    def drag(self, start: tuple[float, float], end: tuple[float, float], moves: int = 12) -> None:
        """Drag the mouse."""
        mouse = self.page.mouse
        mouse.move(*start)
        self.page.wait_for_timeout(150)
        mouse.down()
        for k in range(1, moves + 1):
            mouse.move(*(a + (b - a) * k / moves for a, b in zip(start, end, strict=True)))
            self.page.wait_for_timeout(10)
        mouse.up()

    # ---- seeing ------------------------------------------------------------------------------------------------------

    def seen(self) -> np.ndarray:
        """What is drawn in the scene, (height, width, 3) of 0 to 255."""
        from PIL import Image

        box = self.canvas
        clip = {key: box[key] for key in ("x", "y", "width", "height")}
        return np.asarray(Image.open(io.BytesIO(self.page.screenshot(clip=clip))).convert("RGB")).astype(int)

    def text(self, part: str) -> str:
        """The words of a part of the page that limbik wrote, by its name."""
        return str(self.page.locator(f"[data-limbik={part}]").first.text_content())

    def says(self, part: str, words: str) -> None:
        """Wait until a part of the page has some words: the page shows what the session has a moment later."""
        until(lambda: words in self.text(part), f"'{words}' in the page's part '{part}'")


def near(picture: np.ndarray, colour: tuple[int, int, int], within: int = 40) -> int:
    """Return the number of pixels with about the hue of a colour: with similar differences of the channels."""
    shade = picture - picture.mean(axis=2, keepdims=True)
    wanted = np.array(colour) - np.mean(colour)
    strength = (shade * wanted).sum(axis=2) / np.linalg.norm(wanted)
    off = np.linalg.norm(shade - strength[..., None] * wanted / np.linalg.norm(wanted), axis=2)
    return int(((strength > 25) & (off < within)).sum())


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium that renders without a graphics card."""
    reason = why_not()
    if reason:
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def studio() -> Iterator[Any]:
    """A studio with a robot that has eight postures."""
    reason = why_not()
    if reason:
        pytest.skip(reason)
    from limbik.studio.page.server import Studio

    with Studio(lk.load("ur5"), port=0, tour=False) as running:
        yield running


@pytest.fixture(scope="module")
def hands(studio: Any, browser: Any) -> Iterator[Hands]:
    """A page of the studio."""
    context = browser.new_context(accept_downloads=True, **VIEW)
    yield Hands(studio, context.new_page())
    context.close()
