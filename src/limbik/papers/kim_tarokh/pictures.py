"""Pictures of the tables: errors of each solution, errors over a slice of the workspace, occupied cells."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from limbik.papers.kim_tarokh.arms import Truth, inside
from limbik.papers.kim_tarokh.scores import Score, of_places
from limbik.plots.style import GRID, begin, save
from limbik.solvers.table.cells.coverage import arm_postures
from limbik.solvers.table.cells.design import within_reach
from limbik.solvers.table.cells.fitting import place_level
from limbik.solvers.table.cells.settings import Settings, first_grid
from limbik.solvers.table.cells.split import PLACE, Split

COLOURS = ("#1f3a5f", "#d1495b", "#2e8b57", "#edae49")
TITLES = {
    "even": "linear, 100 mm, even coverage",
    "literal": "linear, 100 mm, random joints",
    "network": "network, 200 mm, even coverage",
}
TURN_TITLES = {"zyz": "model (7), ZYZ", "zyx": "model (7), ZYX", "network": "network N = 5, ZYZ"}
# The largest error in histograms [mm], and the number of points along each side of a slice.
MOST_ERROR, POINTS = 15.0, 241


def draw_histograms(scores: Mapping[str, Score], order: Sequence[int], path: Path) -> None:
    """Draw a histogram of the errors of each solution."""
    pyplot = begin()
    figure, panels = pyplot.subplots(
        1, len(scores), figsize=(4.6 * len(scores), 4.2), sharey=True, layout="constrained"
    )
    bins = np.linspace(0.0, MOST_ERROR, 61)
    for panel, (variant, score) in zip(np.atleast_1d(panels), scores.items(), strict=True):
        for k, label in enumerate(order):
            own = score.of(label)
            share, _ = np.histogram(own.errors, bins)
            text = f"{k + 1}: mean {own.mean:.2f}, beyond {MOST_ERROR:.0f}: {own.beyond(MOST_ERROR):.1f} %"
            panel.stairs(100.0 * share / max(1, len(own.errors)), bins, color=COLOURS[k], lw=1.8, label=text)
        panel.set(title=TITLES[variant], xlabel="position error [mm]", xlim=(0, MOST_ERROR))
        panel.legend(fontsize=8, frameon=False, title="solution", title_fontsize=8)
        panel.grid(color=GRID)
    np.atleast_1d(panels)[0].set_ylabel("share of targets [%]")
    figure.suptitle("Puma 560: position errors of the tables, by solution", fontsize=12)
    save(figure, path)


def draw_turns(scores: Mapping[str, Score], path: Path) -> None:
    """Draw the cumulative distribution of the errors, for each kind of orientation cells."""
    pyplot = begin()
    figure, panel = pyplot.subplots(figsize=(7, 4.4), layout="constrained")
    for (variant, score), colour in zip(scores.items(), COLOURS, strict=False):
        errors = np.sort(score.errors)
        text = f"{TURN_TITLES[variant]}: median {score.median:.2f}, mean {score.mean:.2f}"
        panel.plot(
            errors, 100.0 * np.arange(1, len(errors) + 1) / max(1, len(errors)), color=colour, lw=1.8, label=text
        )
    panel.set(xscale="log", xlim=(0.05, 180), ylim=(0, 100), xlabel="orientation error [deg]")
    panel.set(ylabel="solutions with at most this error [%]", title="Puma 560: orientation errors of the tables")
    panel.legend(fontsize=8, frameon=False)
    panel.grid(color=GRID)
    save(figure, path)


def draw_slice(split: Split, settings: Settings, path: Path) -> None:
    """Draw the mean error over a plane of constant small y: cells, the holes about the first axis, the edge of the workspace."""
    pyplot = begin()
    line = np.linspace(-settings.reach, settings.reach, POINTS)
    x, z = np.meshgrid(line, line, indexing="ij")
    u = np.stack([x.ravel(), np.full(x.size, 0.37 * settings.position_side), z.ravel()], axis=1)
    level = place_level(split, settings, None, np.unique(first_grid(split, settings).address(u)))
    truth = Truth(u, *inside(split, *arm_postures(split, u)))
    score = of_places(split, level.compiled(), truth)
    total, count, true = (np.zeros(len(u)) for _ in range(3))
    np.add.at(true, truth.row, 1)
    np.add.at(total, truth.row[score.found], score.errors)
    np.add.at(count, truth.row[score.found], 1)
    mean = np.where(count > 0, total / np.maximum(count, 1), np.nan).reshape(x.shape)
    lost = np.where(true > count, 1.0, np.nan).reshape(x.shape)
    figure, panel = pyplot.subplots(figsize=(7.4, 6), layout="constrained")
    image = panel.pcolormesh(1e3 * x, 1e3 * z, mean, vmin=0, vmax=10, cmap="viridis", rasterized=True)
    panel.scatter(
        1e3 * x[lost == 1], 1e3 * z[lost == 1], s=3, color=COLOURS[1], label="a true solution is missing", lw=0
    )
    figure.colorbar(image, ax=panel, label="mean error over the solutions [mm]", extend="max")
    panel.set(
        xlabel="x [mm]",
        ylabel="z [mm]",
        title="Puma 560: position error in a vertical slice, linear cells of 100 mm",
    )
    panel.set_aspect("equal")
    panel.legend(fontsize=8, loc="upper right")
    save(figure, path)


def draw_cells(split: Split, settings: Settings, path: Path) -> None:
    """Draw the number of solutions of each cell in horizontal slices."""
    pyplot = begin()
    level = place_level(split, settings, None, within_reach(split, settings))
    held = np.zeros(level.grid.divisions[:PLACE])
    parts = level.grid.parts_of(level.addresses)
    held[tuple(parts[:, :PLACE].T)] = np.diff(level.first)
    layers = np.linspace(parts[:, 2].min(), parts[:, 2].max(), 6).round().astype(int)
    figure, panels = pyplot.subplots(
        1, len(layers), figsize=(2.7 * len(layers) + 1, 3.3), layout="constrained", sharey=True
    )
    edges = 1e3 * (level.grid.low[0] + level.grid.side[0] * np.arange(held.shape[0] + 1))
    image: Any = None
    for panel, layer in zip(panels, layers, strict=True):
        shown = np.where(held[:, :, layer] > 0, held[:, :, layer], np.nan)
        image = panel.pcolormesh(edges, edges, shown.T, vmin=0.5, vmax=4.5, cmap=pyplot.get_cmap("viridis", 4))
        bottom = 1e3 * (level.grid.low[2] + level.grid.side[2] * layer)
        panel.set(title=f"z {bottom:.0f} to {bottom + 1e3 * level.grid.side[2]:.0f} mm", xlabel="x [mm]")
        panel.set_aspect("equal")
        panel.title.set_fontsize(9)
    panels[0].set_ylabel("y [mm]")
    figure.colorbar(image, ax=panels, ticks=(1, 2, 3, 4), label="solutions")
    figure.suptitle(f"Puma 560: {len(level.addresses)} cells of {level.grid.cells} hold a solution", fontsize=12)
    save(figure, path)
