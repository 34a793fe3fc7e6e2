"""Figures 3 to 10 of the paper from our own runs: the parallel network of the paper, with the sequential one beside it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.cruse_steinkuehler.arm import (
    BENT_BACK,
    COMFORTABLE,
    DIRECT,
    HELD_IN_FIGURES,
    INVERSE,
    MIXED_1,
    MIXED_2,
    REACHED,
    network,
    targets,
    tour,
)
from limbik.papers.cruse_steinkuehler.drawing import BLUE, GREEN, GREY, INK, ORANGE, PALE, arm
from limbik.papers.paper import Picture
from limbik.plots.style import begin, save, tidy

# The point whose slow approach the paper shows on a longer scale, and that scale.
POINT, LONGER = 4, 120
LINES = (("parallel", BLUE), ("sequential", ORANGE))
NAMES = {"alpha": "alpha [rad]", "beta": "beta [rad]", "gamma": "gamma [rad]", "rho": "rho [rad]", "R": "R"}


def pictures() -> tuple[Picture, ...]:
    """Return the pictures in the order of the figures."""
    return (
        Picture("figure_3", draw_targets),
        Picture(
            "figure_4", lambda path: draw_variables(path, DIRECT, BENT_BACK, ("alpha", "beta", "gamma", "rho", "R"), 4)
        ),
        Picture("figure_5", lambda path: draw_longer(path, DIRECT, BENT_BACK, 5)),
        Picture(
            "figure_6", lambda path: draw_variables(path, INVERSE, BENT_BACK, ("rho", "R", "alpha", "beta", "gamma"), 6)
        ),
        Picture("figure_7", lambda path: draw_longer(path, INVERSE, BENT_BACK, 7)),
        Picture("figure_8", draw_comfortable),
        Picture("figure_9", lambda path: draw_variables(path, MIXED_1, BENT_BACK, ("beta", "gamma"), 9)),
        Picture("figure_10", lambda path: draw_variables(path, MIXED_2, BENT_BACK, ("R", "alpha"), 10)),
    )


def draw_targets(path: Path) -> None:
    """Draw the nine targets with the starting position, and the postures chosen for them (figure 3)."""
    pyplot = begin()
    figure, panels = pyplot.subplots(1, 4, figsize=(12, 3.6), layout="constrained", sharex=True, sharey=True)
    net, nine = network(), targets()
    arm(panels[0], net.points(net.directions(BENT_BACK)), BLUE)
    for panel, first in zip(panels[1:], (0, 3, 6), strict=True):
        for k, shade in zip(range(first, first + 3), (BLUE, GREEN, ORANGE), strict=True):
            arm(panel, net.points(net.directions(nine[k].posture)), shade)
        panel.set_title(
            f"{'bcd'[first // 3]}  points {first + 1}, {first + 2} and {first + 3}", loc="left", fontsize=10
        )
    panels[0].set_title("a  nine targets and the start", loc="left", fontsize=10)
    for panel in panels:
        for k, target in enumerate(nine):
            panel.plot(*target.place, "x", color=INK, ms=6, zorder=5)
            panel.annotate(str(k + 1), target.place, xytext=(4, 4), textcoords="offset points", fontsize=8, color=INK)
        panel.set_aspect("equal")
        tidy(panel)
    save(figure, path)


def draw_variables(path: Path, problem: str, start: Array, names: Sequence[str], number: int) -> None:
    """Draw variables and the target error over the cycles of the nine targets, 30 each (figures 4, 6, 9, 10)."""
    pyplot = begin()
    rows = len(names) + 1
    figure, panels = pyplot.subplots(rows, 1, figsize=(8.6, 1.15 * rows + 1.2), layout="constrained", sharex=True)
    for update, colour in LINES:
        net = network(update=update)
        run = tour(problem, start, HELD_IN_FIGURES, net=net)
        states = run.states
        for panel, name in zip(panels, names, strict=False):
            panel.plot(states[:, net.variables.index(name)], color=colour, lw=1.4, label=update)
        error = np.concatenate([run.errors[0][:1], *(e[1:] for e in run.errors)])
        panels[-1].plot(error, color=colour, lw=1.4, label=update)
    for k, (panel, name) in enumerate(zip(panels, (*names, "error"), strict=True)):
        panel.set_ylabel(NAMES.get(name, "error"), fontsize=9)
        panel.set_title("abcdef"[k], loc="left", fontsize=10, pad=2)
        _targets_marked(panel)
    panels[-1].axhline(REACHED, color=GREY, lw=0.9, ls="--")
    panels[-1].set_ylim(-0.05, 2.0)
    panels[-1].set_xlabel("cycles; the numbers above are the targets")
    _numbered(panels[0])
    panels[-1].legend(fontsize=8, loc="upper right", ncols=2, framealpha=0.9)
    figure.suptitle(f"Figure {number}: {problem}", fontsize=11)
    save(figure, path)


def _targets_marked(panel: Any) -> None:
    tidy(panel)
    for k in range(1, 9):
        panel.axvline(k * HELD_IN_FIGURES, color=PALE, lw=0.8)
    panel.margins(x=0)


def _numbered(panel: Any) -> None:
    for k in range(9):
        panel.annotate(str(k + 1), ((k + 0.5) * HELD_IN_FIGURES, 1.02), xycoords=("data", "axes fraction"), ha="center",
                       fontsize=9, color=INK)  # fmt: skip


def draw_longer(path: Path, problem: str, start: Array, number: int) -> None:
    """Draw the error at point 4 on a longer scale (figures 5 and 7), and at the slowest point if it is another one."""
    pyplot = begin()
    figure, panel = pyplot.subplots(figsize=(6.4, 3.2), layout="constrained")
    for update, colour in LINES:
        run = tour(problem, start, update=update)
        cycles = run.cycles
        panel.semilogy(
            run.errors[POINT - 1][: LONGER + 1] + 1e-9, color=colour, lw=1.8, label=f"{update}, point {POINT}"
        )
        slowest = int(np.argmax(cycles))
        if slowest != POINT - 1:
            panel.semilogy(run.errors[slowest][: LONGER + 1] + 1e-9, color=colour, lw=1.2, ls=":",
                           label=f"{update}, slowest: point {slowest + 1}")  # fmt: skip
    panel.axhline(REACHED, color=GREY, lw=1.0, ls="--")
    panel.set_ylim(1e-5, 4)
    panel.set(xlabel="cycles", ylabel="target error")
    panel.set_title(f"Figure {number}: {problem}", fontsize=10)
    panel.legend(fontsize=8)
    tidy(panel)
    save(figure, path)


def draw_comfortable(path: Path) -> None:
    """Draw the comfortable start, and the error of the inverse problem from there (figure 8)."""
    pyplot = begin()
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 3.4), layout="constrained", width_ratios=(1, 2.6))
    net = network()
    arm(left, net.points(net.directions(COMFORTABLE)), BLUE)
    arm(left, net.points(net.directions(BENT_BACK)), PALE)
    left.set_aspect("equal")
    left.set_title("a  comfortable start (pale: bent-back start)", loc="left", fontsize=9)
    tidy(left)
    for update, colour in LINES:
        run = tour(INVERSE, COMFORTABLE, HELD_IN_FIGURES, update=update)
        right.plot(
            np.concatenate([run.errors[0][:1], *(e[1:] for e in run.errors)]), color=colour, lw=1.4, label=update
        )
    right.axhline(REACHED, color=GREY, lw=0.9, ls="--")
    right.set_title("b", loc="left", fontsize=10, pad=2)
    right.set_ylabel("target error")
    right.set_xlabel("cycles; the numbers above are the targets")
    right.legend(fontsize=8, loc="upper right")
    _targets_marked(right)
    _numbered(right)
    figure.suptitle(f"Figure 8: {INVERSE}", fontsize=11)
    save(figure, path)
