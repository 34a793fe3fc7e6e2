"""`limbik table map`: the share of orientations that a robot reaches at the points of a plane, as a picture."""

import json
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer

from limbik.cli.console import plain_console
from limbik.cli.one_arm import one_arm
from limbik.cli.options import AsJson, Base, Robot, Tip, Unit, ZeroLimits
from limbik.errors import FileUnwritable, one_line
from limbik.plots.style import check_picture
from limbik.solvers.reach_map import ORIENTATIONS, POINTS, ReachMap, reach_map

PERCENT = 100.0

EXAMPLES = """Examples:

  limbik table map panda -o panda.png

  limbik table map jaco2 --table jaco2.table -o jaco2.png --points 100 --orientations 200
"""


def map_(
    robot: Robot,
    out: Annotated[Path, typer.Option("--out", "-o", help="The picture, PNG.")],
    table: Annotated[Path | None, typer.Option(help="A table of the robot, for the look-up.")] = None,
    points: Annotated[int, typer.Option(help="Points along each side.")] = POINTS,
    orientations: Annotated[int, typer.Option(help="Orientations tried at each point.")] = ORIENTATIONS,
    y: Annotated[float, typer.Option(help="The y coordinate of the plane [m].")] = 0.0,
    base: Base = None,
    tip: Tip = None,
    unit: Unit = None,
    zero_limits: ZeroLimits = None,
    as_json: AsJson = False,
) -> None:
    """Draw the share of orientations in which the tip reaches each point of a vertical plane."""
    check_picture(out)
    arm = one_arm(robot, base, tip, unit, zero_limits=zero_limits)
    if table is not None:
        arm = arm.with_table(table)
    start = perf_counter()
    found = reach_map(arm, points, orientations, y=y)
    seconds = perf_counter() - start
    draw(found, arm.name, out)
    facts: dict[str, Any] = {
        "robot": arm.name,
        "picture": str(out),
        "poses": int(found.share.size * orientations),
        "reached_percent": PERCENT * float(found.share.mean()),
        "best_point_percent": PERCENT * float(found.share.max()),
        "seconds": round(seconds, 3),
    }
    if as_json:
        print(json.dumps(facts))
        return
    plain_console().print(
        f"{arm.name}: {facts['reached_percent']:.1f} % of {facts['poses']:,} poses reached in {seconds:.1f} s, at the best point "
        f"{facts['best_point_percent']:.0f} % of the orientations; picture: {out}",
        soft_wrap=True,
    )


map_.__doc__ = f"{map_.__doc__}\n\n{EXAMPLES}"


def draw(found: ReachMap, name: str, path: Path) -> None:
    """Write the picture. Raises FileUnwritable."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panel = pyplot.subplots(figsize=(6.4, 5.4), layout="constrained")
    image = panel.imshow(
        np.where(found.share > 0, PERCENT * found.share, np.nan).T, origin="lower", cmap="viridis", vmin=0, vmax=PERCENT,
        extent=(found.x[0], found.x[-1], found.z[0], found.z[-1]),
    )  # fmt: skip
    figure.colorbar(image, ax=panel, label=f"of {found.orientations} orientations reached [%]")
    panel.plot([0], [0], marker="+", color="black", ms=10)
    panel.set(xlabel="x [m]", ylabel="z [m]", title=f"{name}: reachable orientations at y = {found.y:g} m")
    try:
        figure.savefig(path, dpi=110)
    except (OSError, ValueError) as error:
        raise FileUnwritable(f"cannot write the picture '{path}': {one_line(error)}") from None
    finally:
        pyplot.close(figure)
