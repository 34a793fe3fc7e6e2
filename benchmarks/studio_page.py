"""The studio's page under measurement: round trip, acknowledged updates, a soak. Run by benchmarks/sections/studio.py.

Round trip: from a mouse move inside a drag to the change of the status line, both by the browser's clock.
Acknowledged updates: the figure's arm is moved, and a request is sent to the browser after each update; it handles messages in
order, so its answer acknowledges the update. Soak: drags, keys, undo, scrubbing and other robots, repeatedly.
"""

import argparse
import json
import sys
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "studio"))

from studio_page import FLAGS, Hands, chromium  # of the browser tests

import limbik as lk
from limbik.studio.page.gizmos import GIZMO
from limbik.studio.page.server import Studio
from limbik.studio.session import Session

ROUND_TRIPS, UPDATES = 120, 150
# Robots of the soak, and the actions before memory is first measured.
ROBOTS, WARM_UP = ("ur5", "human", "iiwa7"), 400

# In the page: the time of each mouse move, and of the status line's change that follows.
WATCH = """() => {
  window.trips = []; let moved = null;
  window.addEventListener('pointermove', () => { if (moved === null) moved = performance.now(); }, true);
  new MutationObserver(() => { if (moved !== null) { window.trips.push(performance.now() - moved); moved = null; } })
    .observe(document.body, {subtree: true, childList: true, characterData: true, attributes: false});
}"""


def main() -> int:
    """Measure, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--soak", type=float, default=60.0)
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with Studio(lk.load("human"), port=0, tour=False) as studio, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_context(viewport={"width": 1000, "height": 640}).new_page()
        hands = Hands(studio, page)
        trips = round_trips(hands)
        rate = acknowledged(hands)
        soak = soaked(hands, options.soak)
        browser.close()
    found = {"round_trip_ms": float(np.median(trips)), "round_trips": len(trips), "acknowledged_per_s": rate, **soak}
    options.out.write_text(json.dumps(found, indent=1))
    print(json.dumps(found))
    return 0


def round_trips(hands: Hands) -> list[float]:
    """Return the times [ms] from a mouse move in a drag to the page's response."""
    hands.desk.choose_tip("leftHand")
    hands.page.wait_for_timeout(1500)
    hands.page.evaluate(WATCH)
    T = hands.session.target("leftHand")
    grip = T[:3, 3] + 0.93 * GIZMO * hands.session.robot.reach * T[:3, 0]
    x, y = hands.pixel(grip)
    mouse = hands.page.mouse
    mouse.move(x, y)
    hands.page.wait_for_timeout(300)
    mouse.down()
    for k in range(ROUND_TRIPS):
        mouse.move(x + 25 * np.sin(k / 7), y)
        hands.page.wait_for_timeout(60)
    mouse.up()
    trips = [float(t) for t in hands.page.evaluate("() => window.trips")]
    if len(trips) < ROUND_TRIPS // 3:
        raise SystemExit(f"only {len(trips)} answers to {ROUND_TRIPS} moves: the gizmo was not hit")
    return trips


def acknowledged(hands: Hands) -> float:
    """Return how many updates of the figure's arm the browser acknowledges per second."""
    desk, session = hands.desk, hands.session
    start = session.robot.forward(session.q, "leftHand")
    begin = perf_counter()
    for k in range(UPDATES):
        T = np.array(start)
        T[:3, 3] += 0.04 * np.sin([k / 9, k / 11, k / 13])
        desk.act(lambda T=T: session.drag("leftHand", T), "drag leftHand", live=True, held=True)
        acknowledge(desk.client)
    return UPDATES / (perf_counter() - begin)


def acknowledge(client: Any) -> None:
    """Send the browser a request after all earlier messages, and wait for its answer."""
    import threading
    import uuid

    from viser import _messages

    answered, question = threading.Event(), str(uuid.uuid4())

    def got(_: int, message: Any) -> None:
        if message.request_uuid == question:
            answered.set()

    connection = client._websock_connection
    connection.register_handler(_messages.LocalStorageGetItemResponseMessage, got)
    connection.queue_message(_messages.LocalStorageGetItemRequestMessage(key="limbik", request_uuid=question))
    client.flush()
    try:
        if not answered.wait(30):
            raise SystemExit("the browser does not answer")
    finally:
        connection.unregister_handler(_messages.LocalStorageGetItemResponseMessage, got)


def soaked(hands: Hands, seconds: float, warm_up: int = WARM_UP) -> dict[str, float]:
    """Act for some time; return the growth of the server's memory after a warm-up."""
    desk, rng = hands.desk, np.random.default_rng(0)
    begin, actions, early = monotonic(), 0, 0.0
    while monotonic() - begin < seconds or actions <= warm_up:
        if actions % 200 == 0:
            desk.set_up(Session(lk.load(ROBOTS[actions // 200 % len(ROBOTS)])))
        one_action(desk, rng)
        acknowledge(desk.client)
        actions += 1
        if actions == warm_up:
            early = resident()
        if actions > warm_up and monotonic() - begin < min(0.2 * seconds, 600):
            early = max(early, resident())
    return {"soak_seconds": monotonic() - begin, "soak_actions": actions, "growth_mb": resident() - early}


def one_action(desk: Any, rng: np.random.Generator) -> None:
    """Do one random action of a user."""
    session = desk.session
    tip = session.tips[rng.integers(len(session.tips))]
    kind = rng.integers(8)
    if kind < 3:
        T = session.target(tip)
        T[:3, 3] += rng.normal(scale=0.02, size=3)
        desk.act(lambda: session.drag(tip, T), "drag", live=True)
    elif kind == 3:
        desk.choose_tip(tip)
        desk.reach.step(1)
    elif kind == 4:
        desk.act(lambda: session.set_key(float(rng.uniform(0, 5))))
    elif kind == 5:
        desk.act(lambda: session.scrub(float(rng.uniform(0, 5))), live=True)
    elif kind == 6:
        desk.act(session.undo)
    else:
        desk.act(lambda: session.random(int(rng.integers(1000))))


def resident() -> float:
    """Return the resident memory of this process [MB]."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


if __name__ == "__main__":
    raise SystemExit(main())
