"""`limbik studio`: the animator in the browser."""

from typing import Annotated

import typer

from limbik.studio.opening import LOOPBACK, PORT, open_studio

EXAMPLES = """Examples:

  limbik studio                       the human figure

  limbik studio panda --port 8090     a robot of the catalogue

  limbik studio cell.urdf             your own robot, with its meshes

  limbik studio walk.bvh              a motion, to view and edit

  limbik studio panda --no-browser    only print the page's address
"""


def studio(
    robot: Annotated[
        str, typer.Argument(help="A name of the catalogue, a robot's file or a motion (.bvh, .glb).")
    ] = "human",
    port: Annotated[int, typer.Option(help="Port to listen on; the next free one if it is in use; 0 for any.")] = PORT,
    host: Annotated[
        str, typer.Option(help="Address to listen on; default: this computer only; 0.0.0.0: the whole network.")
    ] = LOOPBACK,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Open the animator in the browser: drag the tip, choose a posture, set keys, play, export. Ctrl-C stops it."""
    open_studio(robot, host=host, port=port, browser=browser)


studio.__doc__ = f"{studio.__doc__}\n\n{EXAMPLES}"
