"""The actions of the shortcuts."""

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from limbik.studio.page.files_panel import FilesPanel
from limbik.studio.page.history_bar import HistoryBar
from limbik.studio.page.reach_panel import ReachPanel
from limbik.studio.page.timeline_panel import TimelinePanel
from limbik.studio.page.tour import Tour

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk


class Verbs:
    """One method per shortcut."""

    def __init__(
        self,
        desk: "Desk",
        history: HistoryBar,
        reach: ReachPanel,
        timeline: TimelinePanel,
        files: FilesPanel,
        tour: Tour,
    ) -> None:
        self._desk, self._history, self._reach = desk, history, reach
        self._timeline, self._files, self._tour = timeline, files, tour

    def undo(self) -> None:
        """Undo the last step."""
        self._history.step("Undo")

    def redo(self) -> None:
        """Redo the last undone step."""
        self._history.step("Redo")

    def play(self) -> Awaitable[None]:
        """Play or stop."""
        return self._timeline.player.toggle()

    def set_key(self) -> None:
        """Set a key at the playhead."""
        self._timeline.set_key()

    def key_before(self) -> None:
        """Go to the previous key."""
        self._timeline.step(-1)

    def key_after(self) -> None:
        """Go to the next key."""
        self._timeline.step(1)

    def next_posture(self) -> None:
        """Take the next ghost."""
        self._reach.step(1)

    def previous_posture(self) -> None:
        """Take the previous ghost."""
        self._reach.step(-1)

    def next_tip(self) -> None:
        """Select the next tip."""
        tips = self._desk.session.tips
        self._desk.choose_tip(tips[(tips.index(self._desk.tip) + 1) % len(tips)])

    def reset(self) -> None:
        """Return to the rest posture."""
        self._desk.act(self._desk.session.reset)

    def view_home(self) -> None:
        """Reset the view."""
        self._desk.stage.look("Home")

    def save(self) -> None:
        """Save the project."""
        self._files.save()

    def help(self) -> None:
        """Show the tour."""
        self._tour.show(0)
