"""Playback: the playhead moves with the clock, at the frame rate that the page sustains."""

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

# The highest frame rate [1/s].
RATE = 30.0


class Player:
    """Moves the playhead of a desk; a whole playback is one step of undo."""

    def __init__(self, desk: "Desk") -> None:
        self._desk = desk
        self.loop = False
        self._task: Any = None

    @property
    def playing(self) -> bool:
        """Whether the playhead is moving."""
        return self._task is not None and not self._task.done()

    async def toggle(self) -> None:
        """Play, or stop."""
        if self.playing:
            self.stop()
        elif self._desk.session.state.timeline.duration > 0:
            self._task = asyncio.get_running_loop().create_task(self._run())
        else:
            self._desk.notify("Nothing to play", "Set two keys at different times first.", 4)

    def stop(self) -> None:
        """Stop at the present time."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        desk = self._desk
        session, duration = desk.session, desk.session.state.timeline.duration
        begin = session.state.time if session.state.time < duration - 1e-9 else 0.0
        start = monotonic() - begin
        try:
            while not desk.closed and desk.session is session:
                time = monotonic() - start
                if time >= duration:
                    if not self.loop:
                        desk.act(lambda: session.scrub(duration), "play", live=True, held=True)
                        break
                    start += duration * (time // duration)
                    time %= duration
                desk.act(lambda at=time: session.scrub(at), "play", live=True, held=True)  # type: ignore[misc]
                await asyncio.sleep(1 / RATE)
        finally:
            self._task = None
            if not desk.closed:
                desk.refresh()
