"""The panels of the page, in tabs: Pose, Reach, Animate, Methods, Measure, Files."""

from typing import TYPE_CHECKING

from limbik.studio.page.history_bar import HistoryBar
from limbik.studio.page.sliders import Sliders

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk


def add_panels(desk: "Desk") -> None:
    """Build every panel of a desk."""
    gui = desk.client.gui
    desk.panels.append(HistoryBar(desk))
    tabs = gui.add_tab_group()
    with tabs.add_tab("Pose"):
        desk.panels.append(Sliders(desk))
