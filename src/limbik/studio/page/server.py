"""The studio's server: a page on loopback, with a separate desk for every browser.

viser listens on every network by default, opens a public tunnel when a page asks for it, and takes messages from pages of any
site. Here it listens on the given address (default: 127.0.0.1), opens no tunnel, and accepts only its own page (gate.py).
"""

import contextlib
import io
import threading
from collections.abc import Mapping
from typing import Any

from limbik.errors import BadOption, shown
from limbik.formats.source import need
from limbik.motion.clip import Clip
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.page.colours import BLUE
from limbik.studio.page.desk import Desk
from limbik.studio.page.gate import Gate
from limbik.studio.page.sites import check_host, is_loopback
from limbik.studio.page.solids import Solid
from limbik.studio.page.upload_limit import limit_uploads
from limbik.studio.session import Session

LOOPBACK, PORT = "127.0.0.1", 8080
# The width of the panel [px].
PANEL = 430


class Studio:
    """A running studio. `url` is its address and `stop` ends it. It is also a context manager."""

    def __init__(
        self,
        robot: Chain | Skeleton,
        clip: Clip | None = None,
        *,
        host: str = LOOPBACK,
        port: int = PORT,
        meshes: Mapping[str, Solid] | None = None,
        tour: bool = True,
    ) -> None:
        """Start the server. tour: show the tour to new browsers.

        port: if it is taken, the next free one is used; 0 takes any free one. Raises MissingExtra, BadOption.
        """
        need("viser", "studio", "the studio")
        if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
            raise BadOption(f"port={shown(port)}: give a whole number from 0 to 65535")
        if not isinstance(host, str) or not host:
            raise BadOption(f"host={shown(host)}: give a name or address, such as '{LOOPBACK}'")
        check_host(host)
        import viser

        Session(robot)  # raises BadOption if this is not a robot
        self._robot, self._clip, self._meshes, self._tour = robot, clip, meshes, tour
        self._desks: dict[int, Desk] = {}
        self._lock = threading.Lock()
        self._gate = Gate(only_loopback=is_loopback(host))
        with contextlib.redirect_stdout(io.StringIO()), self._gate.guarding():
            self._server = viser.ViserServer(host=host, port=port, label="limbik studio", verbose=False)
        self._host = host
        self._close_tunnels()
        self._server.gui.configure_theme(
            control_layout="floating", control_width="large", show_logo=False, show_share_button=False, brand_color=BLUE
        )
        self._server.gui.main_panel.dock_right()
        self._server.gui.main_panel.set_width(PANEL)
        self._server.scene.world_axes.visible = False
        self._server.on_client_connect(self._welcome)
        self._server.on_client_disconnect(self._leave)

    @property
    def url(self) -> str:
        """The address of the page with its key."""
        return f"{self.site}/?key={self._gate.key}"

    @property
    def site(self) -> str:
        """The host and port that serve the page."""
        name = "127.0.0.1" if self._host in ("0.0.0.0", "::", "") else self._host
        return f"http://{name}:{self.port}"

    @property
    def port(self) -> int:
        """The port of the server."""
        return int(self._server.get_port())

    @property
    def desks(self) -> tuple[Desk, ...]:
        """The desks of the connected browsers, in the order of their connection."""
        with self._lock:
            return tuple(self._desks.values())

    def stop(self) -> None:
        """Stop the server and disconnect all browsers."""
        with contextlib.redirect_stdout(io.StringIO()):
            self._server.stop()

    def __enter__(self) -> "Studio":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _welcome(self, client: Any) -> None:
        session = Session(self._robot)
        if self._clip is not None:
            session.take_clip(self._clip)
        desk = Desk(client, session, self._meshes)
        limit_uploads(desk)
        with self._lock:
            here = client.client_id in self._server.get_clients()  # it may have left while its desk was built
            if here:
                self._desks[client.client_id] = desk
        if not here:
            desk.closed = True
        elif self._tour:
            desk.tour.begin()

    def _leave(self, client: Any) -> None:
        with self._lock:
            desk = self._desks.pop(client.client_id, None)
        if desk is not None:
            desk.closed = True

    def _close_tunnels(self) -> None:
        """Prevent pages from opening a public tunnel to this server."""
        from viser import _messages

        for message in (_messages.ShareUrlRequest, _messages.ShareUrlDisconnect):
            with contextlib.suppress(AssertionError, KeyError):
                self._server._websock_server.unregister_handler(message)
