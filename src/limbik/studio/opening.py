"""`open_studio`: load a robot, optionally with a motion, and serve the page until it is stopped."""

import contextlib
import time
import webbrowser
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limbik.errors import BadOption, shown
from limbik.formats.source import need
from limbik.motion.clip import Clip
from limbik.motion.motion_result import clip_of
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.robot.load_clip import FIGURES, load_clip
from limbik.robot.skeleton import Skeleton

if TYPE_CHECKING:
    from limbik.studio.page.server import Studio

LOOPBACK, PORT = "127.0.0.1", 8080


def open_studio(
    robot: Any = "human", *, host: str = LOOPBACK, port: int = PORT, browser: bool = True, wait: bool = True
) -> "Studio":
    """Open the animator in the browser: show all postures, drag the tip, set keys, play, export the motion.

    robot: a Chain, Skeleton or Clip; or a name of the catalogue or a file (.urdf .xacro .xml .toml .bvh .glb). host: the
    address of the page; default: this computer only. port: the next free one is used if it is taken; 0 takes any. browser:
    open the page. wait: return after Ctrl-C; False returns immediately a Studio with `url` and `stop`. Needs the extra
    `studio`. Raises MissingExtra, BadOption, and the errors of `load`.
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
    print(f"limbik studio: {body.name} at {studio.url} (Ctrl-C stops it)")
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        print("limbik studio: stopped")
    finally:
        studio.stop()
    return studio


def opened(source: Any) -> tuple[Chain | Skeleton, Clip | None, Any]:
    """Return the robot, its motion or None, and its meshes or None."""
    source = clip_of(source)
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
