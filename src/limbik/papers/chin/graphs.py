"""Graphs of runs along the line: counts per target (appendix C), joint angles (Figure 6.1, appendix F), paths (appendix G)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from limbik.papers.chin.drawing import joint_names
from limbik.papers.chin.printed import TABLE_C_1, TABLE_C_2
from limbik.papers.chin.trajectory import REACHED, LineRun
from limbik.plots.style import BONE, COLOURS, HAND, MARKS, OUTSIDE, TEXT, begin, save, tidy

# Smaller values are drawn here, because a logarithmic axis has no 0 [deg; units, rad].
LEAST = 1e-7
# The number of columns by the number of panels; without an entry all panels are in one row.
PANEL_COLUMNS = {5: 3, 6: 3}
TARGET_TICKS = (0, 2, 4, 6, 8, 10)


def draw_counts(runs: Mapping[str, LineRun], path: Path) -> None:
    """Draw Tables C.1 and C.2 beside limbik's counts: iterations and evaluations of each method per target."""
    pyplot = begin()
    names = [name for name in TABLE_C_2 if name in runs]
    figure, rows = pyplot.subplots(2, len(names), figsize=(2.1 * len(names) + 1, 5.4), layout="constrained",
                                   sharex=True, sharey="row")  # fmt: skip
    for name, (above, below) in zip(names, rows.T, strict=True):
        ours = runs[name]
        targets = np.arange(1, len(ours.iterations) + 1)
        if name in TABLE_C_1:
            above.plot(targets, TABLE_C_1[name], color=OUTSIDE, lw=2)
            above.plot(targets, ours.iterations, color=BONE, lw=2)
        else:
            above.text(0.5, 0.5, "not printed", fontsize=8, color=TEXT, ha="center", transform=above.transAxes)
        below.plot(targets, TABLE_C_2[name], color=OUTSIDE, lw=2)
        below.plot(targets, ours.evaluations, color=BONE, lw=2)
        above.set_title(name, fontsize=10)
        below.set(xlabel="target", yscale="log", xticks=(1, 5, 10))
        for panel in (above, below):
            tidy(panel)
    rows[0, 0].set_ylabel("iterations")
    rows[1, 0].set_ylabel("evaluations")
    figure.suptitle("Ten targets on a line, residual 4. Dark: limbik; light: the thesis (Tables C.1, C.2)", fontsize=12)
    save(figure, path)


def draw_angles(title: str, runs: Mapping[str, LineRun], path: Path) -> None:
    """Draw the joint angles of runs along one line in a panel each, and their largest difference in a last panel."""
    pyplot = begin()
    q = np.degrees([run.q for run in runs.values()])
    count = len(runs) + 1
    columns = PANEL_COLUMNS.get(count, count)
    lines = -(-count // columns)
    figure, grid = pyplot.subplots(lines, columns, figsize=(4.3 * columns, 3.6 * lines + 0.9), layout="constrained",
                                   squeeze=False)  # fmt: skip
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.08)
    panels = grid.ravel()
    for panel, name, angles in zip(panels, runs, q, strict=False):
        _lines(panel, angles, name)
        panel.set(ylim=_span(q))
    for panel in grid[:, 0]:
        panel.set_ylabel("joint angle [deg]")
    last = panels[len(runs)]
    apart = np.maximum(np.ptp(q, axis=0), LEAST)
    apart[0] = np.nan  # all runs have the same start
    _lines(last, apart, "largest difference between them")
    last.set(yscale="log", ylabel="difference [deg]")
    for panel in panels[count:]:
        panel.set_axis_off()
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=q.shape[2], frameon=False)
    figure.suptitle(title, fontsize=12)
    save(figure, path)


def _lines(panel: Any, angles: Any, title: str) -> None:
    for k, name in enumerate(joint_names(angles.shape[1])):
        # each line is a little thinner than the one before, so that both remain visible
        panel.plot(angles[:, k], color=COLOURS[k], marker=MARKS[k], ms=7.0 - 0.45 * k, lw=2.7 - 0.2 * k, label=name)
    panel.set(xlabel="target (0: start)", xticks=TARGET_TICKS)
    panel.set_title(title, fontsize=10)
    tidy(panel)


def _span(q: Any) -> tuple[float, float]:
    low, high = float(q.min()), float(q.max())
    room = 0.06 * (high - low)
    return low - room, high + room


def draw_path(title: str, run: LineRun, path: Path) -> None:
    """Draw the desired and the reached path of the hand in the x-y plane, and the errors at each target."""
    pyplot = begin()
    figure, (plane, gap) = pyplot.subplots(1, 2, figsize=(11, 4.9), width_ratios=(1, 1.2), layout="constrained")
    plane.plot(*run.desired[:, :2].T, color=OUTSIDE, marker="o", ms=11, mfc="none", mew=2, lw=2, label="D_EE, desired")
    plane.plot(*run.calculated[:, :2].T, color=BONE, marker="x", ms=6, mew=1.6, lw=0.8, label="S_EE, reached")
    plane.set(xlabel="x [units]", ylabel="y [units]", title="path of the hand")
    plane.set_aspect("equal", adjustable="datalim")
    plane.legend(frameon=False, loc="upper left")
    apart = np.linalg.norm(run.calculated - run.desired, axis=1)[1:]
    targets = np.arange(1, len(apart) + 1)
    gap.plot(targets, np.maximum(apart, LEAST), color=BONE, marker="x", lw=1.6, label="|D_EE - S_EE| [units]")
    gap.plot(targets, np.maximum(run.error, LEAST), color=COLOURS[4], marker="D", ms=4, lw=1.2, ls="--",
             label="pose error [units, rad]")  # fmt: skip
    gap.axhline(REACHED, color=HAND, lw=1.2, ls=":")
    gap.text(1, REACHED * 1.15, "below: target reached", fontsize=8, color=HAND, va="bottom")
    gap.set(yscale="log", xlabel="target", xticks=targets, title="error at each target",
            ylim=(LEAST, max(10 * REACHED, 2 * float(run.error.max()))))  # fmt: skip
    gap.legend(frameon=False, loc="upper right", ncols=2, fontsize=9)
    for panel in (plane, gap):
        tidy(panel)
    figure.suptitle(f"{title}: {run.reached} of {len(targets)} targets reached", fontsize=12)
    save(figure, path)
