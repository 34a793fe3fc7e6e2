"""The panels of the page, in tabs: Pose, Reach, Animate, Methods, Measure, Files; and the timeline beside them."""

from typing import TYPE_CHECKING

from limbik.studio.page.files_panel import FilesPanel
from limbik.studio.page.goniometry_panel import GoniometryPanel
from limbik.studio.page.history_bar import HistoryBar
from limbik.studio.page.layers_panel import LayersPanel
from limbik.studio.page.look_panel import LookPanel
from limbik.studio.page.methods_panel import MethodsPanel
from limbik.studio.page.motions_panel import MotionsPanel
from limbik.studio.page.reach_panel import ReachPanel
from limbik.studio.page.shortcuts import add_shortcuts
from limbik.studio.page.sliders import Sliders
from limbik.studio.page.swivel_panel import SwivelPanel
from limbik.studio.page.timeline_panel import TimelinePanel
from limbik.studio.page.tour import Tour
from limbik.studio.page.verbs import Verbs

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk


def add_panels(desk: "Desk") -> None:
    """Build every panel of a desk."""
    gui = desk.client.gui
    history = HistoryBar(desk)
    tabs = gui.add_tab_group()
    with tabs.add_tab("Reach"):
        reach, swivel, look = ReachPanel(desk), SwivelPanel(desk), LookPanel(desk)
    with tabs.add_tab("Pose"):
        sliders = Sliders(desk)
    with tabs.add_tab("Animate"):
        motions = MotionsPanel(desk)
    with tabs.add_tab("Methods"):
        methods, layers = MethodsPanel(desk), LayersPanel(desk)
    with tabs.add_tab("Measure"):
        goniometry = GoniometryPanel(desk)
    with tabs.add_tab("Files"):
        files = FilesPanel(desk)
    timeline = TimelinePanel(desk)
    tour = Tour(desk)
    desk.panels += [history, reach, swivel, look, sliders, motions, methods, layers, goniometry, files, timeline]
    desk.reach, desk.timeline, desk.methods, desk.files, desk.tour = reach, timeline, methods, files, tour
    add_shortcuts(desk, Verbs(desk, history, reach, timeline, files, tour))
