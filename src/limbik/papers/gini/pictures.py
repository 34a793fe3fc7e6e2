"""Pictures of the paper's experiments. Only drawing needs the extra `plot`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.muscle.muscle_map import MuscleMap
from limbik.papers.gini.arm import CM, LAP, arm
from limbik.papers.gini.printed import CENTRES, DIAMETER, STEPS
from limbik.papers.gini.tracking import Tracked
from limbik.plots.style import BONE, COLOURS, GRID, HAND, TEXT, begin, save, tidy

# Colours of 3, 7 and 11 steps in Figure 11: the paper's green, blue and red, made easier to distinguish.
BY_STEPS = {3: "#009e73", 7: "#0072b2", 11: "#d55e00"}


def descents(path: Path, histories: Mapping[str, Mapping[str, Array]]) -> None:
    """Draw the error over the sweeps by both methods: every start, and the median."""
    pyplot = begin()
    figure, panels = pyplot.subplots(1, 2, figsize=(9.5, 3.8), layout="constrained", sharey=True)
    for panel, (point, by) in zip(panels, histories.items(), strict=True):
        for (method, history), colour in zip(by.items(), COLOURS, strict=False):
            shown = np.maximum(history, 1e-9)
            panel.semilogy(shown.T, color=colour, lw=0.4, alpha=0.18)
            panel.semilogy(np.median(shown, axis=0), color=colour, lw=2.4, label=f"{method}, median of {len(history)}")
        panel.axhline(1.0, color=TEXT, lw=0.9, ls=(0, (4, 3)))
        panel.annotate(
            "the desired 1 cm",
            (0.98, 1.0),
            xycoords=("axes fraction", "data"),
            ha="right",
            va="bottom",
            fontsize=8,
            color=TEXT,
        )
        panel.set(xlabel="sweeps", title=point)
        tidy(panel)
    panels[0].set_ylabel("distance from the target [cm]")
    panels[0].legend(loc="lower left", fontsize=8, framealpha=0.9)
    save(figure, path)


def length_curves(path: Path, name: str, way: str, run: Tracked) -> None:
    """Draw the lengths of all muscles over the laps, as fractions of their ranges (Figures 8 and 9). way: the method."""
    pyplot = begin()
    low, high = arm().muscles.ranges
    share = (run.lengths - low) / (high - low)
    figure, panel = pyplot.subplots(figsize=(8.6, 3.9), layout="constrained")
    laps = np.arange(len(share)) / LAP
    for k, muscle in enumerate(arm().muscles.names):
        style = "-" if arm().muscles[k].independent else (0, (5, 2))
        panel.plot(laps, share[:, k], color=COLOURS[k], ls=style, lw=1.8, label=muscle)
    panel.set(
        ylim=(0, 1), xlabel="laps", ylabel="length, fraction of its range", title=f"circle with centre {name} cm, {way}"
    )
    panel.set_xticks(range(int(laps[-1]) + 2))
    panel.legend(
        loc="center left",
        bbox_to_anchor=(1.01, 0.5),
        fontsize=8,
        frameon=False,
        title="dashed: dependent muscles",
        title_fontsize=8,
    )
    tidy(panel)
    save(figure, path)


def circles_by_steps(path: Path, runs: Mapping[str, Mapping[int, Tracked]], desired: Mapping[str, Array]) -> None:
    """Draw the path of the wrist by 3, 7 and 11 steps of the descent (Figure 11)."""
    pyplot = begin()
    figure, panels = pyplot.subplots(1, len(runs), figsize=(4.6 * len(runs), 4.4), layout="constrained")
    for panel, (name, by) in zip(panels, runs.items(), strict=True):
        ring = np.vstack([desired[name], desired[name][:1]]) / CM
        panel.plot(ring[:, 1], ring[:, 2], color="black", lw=1.0, ls=(0, (2, 2)), label="desired", zorder=5)
        for steps in STEPS:
            tips = by[steps].tips[-LAP:] / CM
            closed = np.vstack([tips, tips[:1]])
            panel.plot(
                closed[:, 1],
                closed[:, 2],
                color=BY_STEPS[steps],
                lw=1.8,
                label=f"{steps} steps, mean {by[steps].mean:.2g} cm",
            )
        panel.set(xlabel="y [cm]", ylabel="z [cm]", title=f"centre {name}, last lap")
        panel.set_aspect("equal")
        panel.legend(loc="center", fontsize=8, frameon=False)
        tidy(panel)
    save(figure, path)


def arm_on_circle(path: Path, run: Tracked, desired: Array) -> None:
    """Draw the arm with its muscles at four moments of a lap (Figure 12), from the side and from the front."""
    pyplot = begin()
    figure, panels = pyplot.subplots(2, 4, figsize=(10.5, 4.9), layout="constrained", sharex="row", sharey=True)
    for row, (across, label) in enumerate(((1, "y [cm], forward"), (0, "x [cm]"))):
        for panel, k in zip(panels[row], range(0, LAP, LAP // 4), strict=True):
            ring = np.vstack([desired, desired[:1]]) / CM
            panel.plot(ring[:, across], ring[:, 2], color=HAND, lw=1.2)
            _draw_arm(panel, run.q[k], across)
            panel.set_aspect("equal")
            panel.grid(color=GRID)
            panel.set(xlim=(-22, 50) if row == 0 else (-36, 36), ylim=(-42, 8))
            if row == 0:
                panel.set_title(f"after {k / LAP:g} of a lap", fontsize=9)
            panel.set_xlabel(label, fontsize=8)
        panels[row][0].set_ylabel("z [cm]", fontsize=8)
    panels[1][3].legend(fontsize=7, loc="lower right", framealpha=0.9)
    save(figure, path)


def _draw_arm(panel: Any, q: Array, across: int) -> None:
    robot = arm()
    frames = dict(zip(robot.frames, robot.model.forward_all(q), strict=True))
    bones = np.array([frames[name][:3, 3] for name in ("torso", "forearm", "wrist")]) / CM
    panel.plot(
        bones[:, across], bones[:, 2], color=BONE, lw=4.5, solid_capstyle="round", solid_joinstyle="round", zorder=3
    )
    for k, muscle in enumerate(robot.muscles):
        if not muscle.path:
            continue
        line = np.array([frames[p.link][:3, :3] @ np.array(p.xyz) + frames[p.link][:3, 3] for p in muscle.path]) / CM
        panel.plot(line[:, across], line[:, 2], color=COLOURS[k], lw=1.8, marker="o", ms=3, zorder=4, label=muscle.name)
    panel.plot(bones[-1, across], bones[-1, 2], "o", color=HAND, ms=6, zorder=5)


def cost(path: Path, links: Sequence[int], times: Sequence[float], slope: float) -> None:
    """Draw the time of the descent against the number of links (Figure 10)."""
    pyplot = begin()
    figure, panel = pyplot.subplots(figsize=(5.2, 3.8), layout="constrained")
    ms = 1e3 * np.array(times)
    panel.loglog(links, ms, "o-", color=COLOURS[0], lw=1.8, label=f"20 iterations, slope {slope:.2f}")
    n = np.array(links, float)
    panel.loglog(n, ms[-1] * n * (n + 1) / (n[-1] * (n[-1] + 1)), color=TEXT, lw=1.0, ls=(0, (4, 3)), label="n (n + 1)")
    panel.set(xlabel="links", ylabel="time [ms]", xticks=list(links), xticklabels=[str(k) for k in links])
    panel.minorticks_off()
    panel.legend(fontsize=8, frameon=False)
    tidy(panel)
    save(figure, path)


def scatter(path: Path, desired: Array, tips: Array, hysteresis: float) -> None:
    """Draw the positions of the wrist at 200 points with simulated hysteresis (Figure 13)."""
    pyplot = begin()
    figure, panels = pyplot.subplots(1, 2, figsize=(9.2, 4.2), layout="constrained")
    for panel, (a, b) in zip(panels, ((1, 2), (0, 2)), strict=True):
        panel.plot(desired[:, a] / CM, desired[:, b] / CM, color=TEXT, lw=1.0)
        panel.plot(tips[:, a] / CM, tips[:, b] / CM, ".", color=COLOURS[0], ms=5, alpha=0.8)
        panel.set(xlabel=f"{'xyz'[a]} [cm]", ylabel=f"{'xyz'[b]} [cm]")
        panel.set_aspect("equal")
        tidy(panel)
    spread = (tips - desired).std(axis=0) / CM * 10
    figure.suptitle(
        f"200 points, hysteresis of {100 * hysteresis:g} %: scatter {spread[0]:.1f}, {spread[1]:.1f}, {spread[2]:.1f} mm",
        fontsize=10,
    )
    save(figure, path)


def workspace(path: Path, maps: Mapping[str, MuscleMap]) -> None:
    """Draw the share of joint-space solutions that are admissible for the muscles, on the plane of the circles."""
    pyplot = begin()
    figure, panels = pyplot.subplots(1, len(maps), figsize=(4.2 * len(maps), 4.4), layout="constrained", sharey=True)
    image = None
    for panel, (title, found) in zip(panels, maps.items(), strict=True):
        extent = (found.across[0] / CM, found.across[-1] / CM, found.up[0] / CM, found.up[-1] / CM)
        image = panel.imshow(100 * found.share.T, origin="lower", extent=extent, cmap="viridis", vmin=0, vmax=100)
        for centre in CENTRES:
            panel.add_patch(pyplot.Circle(centre[1:], DIAMETER / 2, fill=False, color="white", lw=2.6))
            panel.add_patch(pyplot.Circle(centre[1:], DIAMETER / 2, fill=False, color=HAND, lw=1.4))
        panel.plot(0, 0, marker="+", color="black", ms=10)
        panel.set(xlabel="y [cm], forward", title=title)
    panels[0].set_ylabel("z [cm]")
    figure.colorbar(image, ax=panels, label="joint-space solutions that are admissible [%]")
    save(figure, path)
