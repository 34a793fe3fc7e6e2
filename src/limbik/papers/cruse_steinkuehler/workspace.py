"""The number of cycles over the workspace.

"The exact relaxation time seems to depend on ... the position of the target point within the work space ... These dependencies
have to be further investigated" (section 5).
"""

import math
from pathlib import Path

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Claim
from limbik.papers.cruse_steinkuehler.arm import (
    BENT_BACK,
    COMFORTABLE,
    INVERSE,
    clamped,
    cycles_to_reach,
    errors,
    network,
)
from limbik.papers.cruse_steinkuehler.drawing import INK, arm
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.plots.style import begin, save

REACH, CYCLES = 3.0, 400
FULL, QUICK = 61, 21
USUAL = 30
PERCENT = 100.0
STARTS = (("comfortable start", COMFORTABLE), ("bent-back start", BENT_BACK))
UPDATES = ("sequential", "parallel")


def mapped(start: Array, update: str, cells: int) -> Array:
    """Return the cycles to targets on a square grid over the workspace, (cells, cells); NaN outside it, infinite if never."""
    net = network(update=update)
    begin_ = net.begin(start)
    axis = np.linspace(-REACH, REACH, cells)
    out = np.full((cells, cells), np.nan)
    for i, y in enumerate(axis):
        for j, x in enumerate(axis):
            R = math.hypot(x, y)
            if R > REACH:
                continue
            # R and rho are clamped as given; alpha approaches rho modulo whole turns
            rho = math.atan2(y, x)
            known = dict.fromkeys(net.variables, 0.0) | {"R": R, "rho": rho}
            run = net.run(begin_, clamped(net, INVERSE, known), cycles=CYCLES)
            out[i, j] = cycles_to_reach(errors(net, run.states, INVERSE, np.array([x, y])))
    return out


def measure(setting: Setting) -> Findings:
    """Compute the maps of both starts and both updates."""
    cells = setting.size(FULL, QUICK)
    maps = {(update, name): mapped(start, update, cells) for update in UPDATES for name, start in STARTS}
    values: dict[str, float] = {}
    for (update, name), cycles in maps.items():
        inside = cycles[~np.isnan(cycles)]
        values[f"{update}, {name}: median"] = float(np.median(inside))
        values[f"{update}, {name}: below {USUAL}"] = PERCENT * float(np.mean(inside < USUAL))
        values[f"{update}, {name}: never"] = PERCENT * float(np.mean(np.isinf(inside)))
    return Findings(values, (Picture("workspace", lambda path: draw(maps, path)),))


def draw(maps: dict[tuple[str, str], Array], path: Path) -> None:
    """Draw the maps, with the starting posture in each."""
    pyplot = begin()
    figure, panels = pyplot.subplots(2, 2, figsize=(8.6, 7.6), layout="constrained", sharex=True, sharey=True)
    net = network()
    image = None
    for row, update in zip(panels, UPDATES, strict=True):
        for panel, (name, start) in zip(row, STARTS, strict=True):
            cycles = np.where(np.isinf(maps[update, name]), CYCLES, maps[update, name])
            colours = pyplot.get_cmap("viridis_r").with_extremes(over="#7a0019")
            edge = REACH * (1 + 1 / (len(cycles) - 1))
            image = panel.imshow(
                cycles, origin="lower", extent=(-edge, edge, -edge, edge), cmap=colours, vmin=0, vmax=80
            )
            arm(panel, net.points(net.directions(start)), "white", 4.5)
            arm(panel, net.points(net.directions(start)), INK, 2.0)
            panel.set_title(f"{update}, {name}", fontsize=10)
    figure.colorbar(
        image,
        ax=panels,
        extend="max",
        label="cycles to an error below 0.01 (dark red: more than 80, or never)",
        shrink=0.8,
    )
    figure.suptitle("Inverse problem: cycles to each target", fontsize=11)
    save(figure, path)


EXPERIMENT = Experiment(
    name="cycles over the workspace",
    claims=tuple(
        Claim(f"{update}, {name}: {key}", f"{update}, {name}: {what}", unit)
        for update in UPDATES
        for name, _ in STARTS
        for key, what, unit in (
            ("median", "median cycles to targets over the workspace", "cycles"),
            (f"below {USUAL}", f"targets reached in less than {USUAL} cycles", "%"),
            ("never", f"targets not reached in {CYCLES} cycles", "%"),
        )
    ),
    measure=measure,
)
