"""Opening the studio: what it is given becomes a robot, perhaps with a motion, and a page is served until it is stopped."""

import contextlib
import time
import webbrowser
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limbik.errors import BadOption, shown
from limbik.formats.source import need
from limbik.robot.chain import Chain
from limbik.robot.clip import Clip
from limbik.robot.load import load
from limbik.robot.load_clip import FIGURES, load_clip
from limbik.robot.skeleton import Skeleton

if TYPE_CHECKING:
    from limbik.studio.page.server import Studio

LOOPBACK, PORT = "127.0.0.1", 8080


def open_studio(
    robot: Any = "human", *, host: str = LOOPBACK, port: int = PORT, browser: bool = True, wait: bool = True
) -> "Studio":
    """Open the animator in the browser: see every posture, drag the hand, keep keys, play, take the motion away.

    robot: a Chain, Skeleton or Clip; or a name of the catalogue or a file (.urdf .xacro .xml .toml .bvh .glb). host: where the
    page is served, this computer alone unless you say otherwise. port: the next free one is taken where it is in use, 0 takes
    any. browser: open it there. wait: return when it is stopped by Ctrl-C; False returns at once a Studio with `url` and `stop`.
    Needs the extra `studio`. Raises MissingExtra, BadOption, and what `load` raises.
    """
    need("viser", "studio", "the studio")
    body, clip, meshes = opened(robot)
    from limbik.studio.page.server import Studio

    studio = Studio(body, clip, host=host, port=port, meshes=meshes)
    if browser:
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(studio.url)
    if not wait:
        return studio
    print(f"limbik studio: {body.name} at {studio.url} (Ctrl-C ends it)")
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        print("limbik studio: ended")
    finally:
        studio.stop()
    return studio


def opened(source: Any) -> tuple[Chain | Skeleton, Clip | None, Any]:
    """Return the robot, its motion (None for none) and its meshes (None for none) in what a user gives."""
    if isinstance(source, Clip):
        return source.robot, source, None
    if isinstance(source, Chain | Skeleton):
        return source, None, None
    if not isinstance(source, str | PathLike):
        raise BadOption(f"the studio opens a Chain, Skeleton, Clip, name or file, not {shown(source)}")
    suffix = Path(source).suffix.lower()
    if suffix in FIGURES and Path(source).is_file():
        clip = load_clip(source)
        return clip.robot, clip, None
    robot = load(source)
    if suffix in (".urdf", ".xml"):
        from limbik.studio.page.visuals import visuals

        return robot, None, visuals(Path(source), robot) or None
    return robot, None, None
