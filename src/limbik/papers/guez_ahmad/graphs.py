"""Graphs for sentences without a figure: errors over the workspace, theta2, epochs, examples and faults."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.guez_ahmad.printed import MAX_PERCENT, MEAN_PERCENT
from limbik.papers.guez_ahmad.quadrant import points
from limbik.plots.style import BONE, COLOURS, HAND, TEXT, begin, save, tidy

UNIT = "[% of 1.9 m]"


def draw_singularity(places: Array, bend: Array, curves: Mapping[str, tuple[Array, Array]], path: Path) -> None:
    """Draw errors over the quadrant for each training method, and over theta2."""
    pyplot = begin()
    figure, panels = pyplot.subplots(1, len(curves) + 1, figsize=(5.0 * (len(curves) + 1), 4.4), layout="constrained")
    side = round(len(places) ** 0.5)
    x, y = points(places).reshape(side, side, 2).transpose(2, 0, 1)
    for panel, (training, (missed, _)) in zip(panels, curves.items(), strict=False):
        image = panel.pcolormesh(x, y, missed.reshape(side, side), cmap="viridis", vmin=0.0, shading="gouraud")
        figure.colorbar(image, ax=panel, label=f"error {UNIT}")
        panel.set(xlabel="X [m]", ylabel="Y [m]")
        panel.set_title(training, fontsize=11)
        panel.set_aspect("equal")
    angles = np.degrees(bend.reshape(side, side)[:, 0])
    last = panels[-1]
    for (training, (missed, theta2)), colour in zip(curves.items(), COLOURS, strict=False):
        last.plot(
            angles, missed.reshape(side, side).mean(axis=1), color=colour, lw=1.8, label=f"{training}: position {UNIT}"
        )
        off = np.degrees(theta2.reshape(side, side).mean(axis=1))
        last.plot(angles, off, color=colour, lw=1.2, ls=":", label=f"{training}: theta2 [deg]")
    last.set(yscale="log", xlabel="theta2 [deg]; 0: stretched, 180: folded", ylabel="mean error over phi")
    last.legend(frameon=False, fontsize=8)
    tidy(last)
    figure.suptitle("Two links: the error by theta2", fontsize=12)
    save(figure, path)


def draw_training(epochs: Sequence[int], curves: Mapping[int, Array], path: Path) -> None:
    """Draw mean and largest error over epochs, with the range over the starts, and the paper's values."""
    pyplot = begin()
    figure, panels = pyplot.subplots(
        1, len(curves), figsize=(5.4 * len(curves), 4.4), sharey=True, layout="constrained"
    )
    for panel, (side, table) in zip(panels, curves.items(), strict=True):
        for name, column, low, high, colour in (("greatest", 1, 4, 5, HAND), ("mean", 0, 2, 3, BONE)):
            panel.fill_between(epochs, table[:, low], table[:, high], color=colour, alpha=0.2, lw=0)
            panel.plot(epochs, table[:, column], color=colour, lw=1.8, label=f"{name} error")
        for printed, colour in ((MAX_PERCENT, HAND), (MEAN_PERCENT, BONE)):
            panel.axhline(printed, color=colour, lw=1, ls="--")
        panel.set(xscale="log", yscale="log", xlabel="epochs", title=f"{side} x {side} examples")
        tidy(panel)
    for printed, text, colour in ((MAX_PERCENT, "paper's\nmaximum", HAND), (MEAN_PERCENT, "paper's\nmean", BONE)):
        panels[-1].annotate(
            text, (1.02, printed), xycoords=("axes fraction", "data"), fontsize=8, va="center", color=colour
        )
    panels[0].set_ylabel(f"error {UNIT}")
    panels[0].legend(frameon=False, loc="lower left")
    figure.suptitle("Two links: error against epochs; shaded: all starts", fontsize=12)
    save(figure, path)


def draw_refinement(counted: Mapping[str, Array], path: Path) -> None:
    """Draw the distribution of Newton steps from each initial guess, with failures as the last bar."""
    pyplot = begin()
    figure, grid = pyplot.subplots(2, 3, figsize=(12, 6.2), sharex=True, sharey=True, layout="constrained")
    most = 13
    for panel, (name, steps), colour in zip(grid.ravel(), counted.items(), COLOURS, strict=False):
        share = 100.0 * np.bincount(np.minimum(steps, most), minlength=most + 1) / len(steps)
        panel.bar(np.arange(most + 1), share, color=colour, width=0.8)
        panel.set_title(name, fontsize=10)
        mean = steps[steps < steps.max()].mean() if share[most] else steps.mean()
        panel.text(
            0.97, 0.93, f"mean {mean:.2f}", ha="right", va="top", fontsize=9, color=TEXT, transform=panel.transAxes
        )
        tidy(panel)
    for panel in grid[-1]:
        panel.set(xlabel=f"Newton steps to 1e-6 m ({most}+: more, or never)")
        panel.set_xticks(range(most + 1), [str(k) if k < most else f"{most}+" for k in range(most + 1)], fontsize=8)
    for panel in grid[:, 0]:
        panel.set_ylabel("targets [%]")
    figure.suptitle(f"Two links, {len(steps):,} targets: Newton steps by initial guess", fontsize=12)
    save(figure, path)


def draw_scarce(counts: Sequence[int], curves: Mapping[str, Sequence[tuple[float, float]]], path: Path) -> None:
    """Draw the errors over the number of examples."""
    pyplot = begin()
    figure, panel = pyplot.subplots(figsize=(7, 4.4), layout="constrained")
    for (training, rows), colour in zip(curves.items(), COLOURS, strict=False):
        means, most = np.array(rows).T
        panel.plot(counts, most, color=colour, lw=1.4, ls="--", marker="s", ms=4, label=f"{training}, largest")
        panel.plot(counts, means, color=colour, lw=1.8, marker="o", ms=5, label=f"{training}, mean")
    panel.set(xscale="log", yscale="log", xlabel="examples", ylabel=f"error {UNIT}")
    panel.set_xticks(counts, [str(count) for count in counts])
    panel.minorticks_off()
    panel.set_title("Two links: error against the number of examples", fontsize=11)
    panel.legend(frameon=False, fontsize=9)
    tidy(panel)
    save(figure, path)


def draw_adaptation(looks: Sequence[int], curves: Mapping[str, Sequence[float]], adapted: float, path: Path) -> None:
    """Draw the error for the changed arm over epochs, for networks whose training continues and for new ones."""
    pyplot = begin()
    figure, panel = pyplot.subplots(figsize=(7, 4.4), layout="constrained")
    titles = {"trained": "continued, 400 examples", "new": "new, 400 examples",
              "few": "continued, 36 examples", "few new": "new, 36 examples"}  # fmt: skip
    for (name, means), colour, line in zip(curves.items(), (BONE, HAND, BONE, HAND), ("-", "-", ":", ":"), strict=True):
        panel.plot(means, color=colour, ls=line, lw=1.8, marker="o", ms=3.5, label=titles[name])
    panel.axhline(adapted, color=TEXT, lw=1, ls="--")
    panel.set(xlabel="epochs after the change", ylabel=f"mean error {UNIT}", yscale="log")
    panel.set_xticks(range(len(looks)), [str(look) for look in looks])
    panel.minorticks_off()
    panel.set_title("Second link 0.9 m -> 0.8 m: training continues, or a new network starts", fontsize=11)
    panel.legend(frameon=False, fontsize=9)
    tidy(panel)
    save(figure, path)


def draw_faults(curves: Mapping[str, Mapping[int, Array]], path: Path) -> None:
    """Draw the errors of networks without some weights: median, and range from the 10th to the 90th percentile."""
    pyplot = begin()
    figure, panel = pyplot.subplots(figsize=(7, 4.4), layout="constrained")
    for (training, rows), colour in zip(curves.items(), COLOURS, strict=False):
        removed = list(rows)
        low, middle, high = np.array([np.percentile(found, [10, 50, 90]) for found in rows.values()]).T
        panel.fill_between(removed, low, high, color=colour, alpha=0.2, lw=0)
        panel.plot(removed, middle, color=colour, lw=1.8, marker="o", ms=5, label=training)
    panel.axhline(MEAN_PERCENT, color=TEXT, lw=1, ls="--")
    panel.text(
        removed[-1],
        MEAN_PERCENT * 0.94,
        "the paper's mean with all weights",
        fontsize=8,
        ha="right",
        va="top",
        color=TEXT,
    )
    panel.set(xscale="log", yscale="log", xlabel="weights removed, of 162", ylabel=f"mean error {UNIT}")
    panel.set_xticks(removed, [str(count) for count in removed])
    panel.minorticks_off()
    panel.set_title("Two links: weights set to 0 at random; shaded: 10 to 90 % of the trials", fontsize=11)
    panel.legend(frameon=False)
    tidy(panel)
    save(figure, path)
