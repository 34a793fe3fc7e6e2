"""Pictures of the thesis' arm: a film as the moving arm beside its angles, and the postures of one pose."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.motion.clip import Clip
from limbik.papers.chin.arm import TABLE_5_2, UNIT, appendix_b
from limbik.papers.chin.drawing import JOINTS
from limbik.plots.style import BONE, COLOURS, GRID, HAND, OUTSIDE, RANGE, TEXT, begin, save, tidy
from limbik.robot.chain import Chain

VIEWS = {"zy": "from the side", "xy": "from the front"}
# The number of figures drawn per film.
SHOWN_FIGURES = 4
# The number of arms drawn per film, and the length of the drawn hand [units].
SHOWN_ARMS, HAND_LENGTH = 9, 12.0
# Angles that differ by less look equal in a picture: a joint at a limit, two coinciding lines [degrees].
INDISTINCT = 1.0


def draw_run(arm: Chain, name: str, views: Sequence[str], q: Array, path: Path) -> None:
    """Draw a film: the moving arm in each view (two axes, such as "zy"), and its joint angles over frames."""
    pyplot = begin()
    widths = (*(1.0 for _ in views), 0.8 + 0.6 * len(views))
    figure, panels = pyplot.subplots(1, len(widths), figsize=(3.4 * sum(widths) + 2, 5.6), width_ratios=widths,
                                     layout="constrained")  # fmt: skip
    for panel, view in zip(panels, views, strict=False):
        _motion(panel, arm, view, q)
    _graphs(panels[-1], np.degrees(q))
    every = round((len(q) - 1) / (SHOWN_ARMS - 1))
    figure.suptitle(
        f"{name.capitalize()}: {len(q) - 1} frames inside Table 5.2; closed form, constant orientation of the hand",
        fontsize=12,
    )
    figure.supxlabel(
        f"arms: every {every} frames, later ones darker; orange: hand; dotted: its path", fontsize=8, color=TEXT
    )
    save(figure, path)


def draw_figure(name: str, clip: Clip, hand: str, path: Path) -> None:
    """Draw frames of a film with the whole figure, from the side and from the front, and the path of its hand."""
    pyplot = begin()
    figure, panels = pyplot.subplots(1, len(VIEWS), figsize=(9.5, 6.4), layout="constrained", sharey=True)
    links = clip.robot.model.mechanism.joints
    for panel, (view, title) in zip(panels, VIEWS.items(), strict=True):
        pick = ["xyz".index(letter) for letter in view]
        frames = np.unique(np.linspace(0, len(clip) - 1, SHOWN_FIGURES).round().astype(int))
        for shade, k in zip(np.linspace(0.25, 1.0, len(frames)), frames, strict=True):
            place = {f: clip.robot.forward(clip.q[k], f)[:3, 3] / UNIT for f in clip.robot.frames}
            for joint in links:
                if joint.parent in place and joint.child in place and joint.parent != clip.robot.model.mechanism.root:
                    both = np.array([place[joint.parent], place[joint.child]])[:, pick]
                    panel.plot(*both.T, color=BONE, lw=2.4, alpha=float(shade), solid_capstyle="round")
        panel.plot(*(clip.forward(hand)[:, pick, 3].T / UNIT), color=HAND, lw=1.6)
        panel.set(xlabel=f"{view[0]} [units]", ylabel=f"{view[1]} [units]", title=title)
        panel.set_aspect("equal", adjustable="datalim")
        panel.grid(color=GRID)
    figure.suptitle(
        f"The Human Arm Animator, {name}: {len(clip) - 1} frames; orange: path of the left hand", fontsize=12
    )
    save(figure, path)


def _motion(panel: Any, arm: Chain, view: str, q: Array) -> None:
    pick = ["xyz".index(letter) for letter in view]
    tips = arm.forward(q)[:, :3, 3] / UNIT
    panel.plot(*tips[:, pick].T, color=HAND, lw=1.2, ls=":")
    frames = np.unique(np.linspace(0, len(q) - 1, SHOWN_ARMS).round().astype(int))
    for shade, k in zip(np.linspace(0.25, 1.0, len(frames)), frames, strict=True):
        _arm(panel, limb(arm, q[k])[:, pick], float(shade))
    panel.set(xlabel=f"{view[0]} [units]", ylabel=f"{view[1]} [units]", title=VIEWS[view])
    panel.set_aspect("equal", adjustable="datalim")
    panel.margins(0.08)
    panel.grid(color=GRID)


def _graphs(panel: Any, degrees: Array) -> None:
    last = len(degrees) - 1
    for k, colour in enumerate(COLOURS[: degrees.shape[1]]):
        panel.plot(degrees[:, k], color=colour, lw=2)
        for end, side in zip(TABLE_5_2[k], ("top", "bottom"), strict=True):
            if abs(degrees[-1, k] - end) <= INDISTINCT < abs(degrees[0, k] - end):
                panel.plot([0, last], [end, end], color=colour, lw=1, ls="--")
                panel.annotate(f"limit of {JOINTS[k]}: {end} deg", (last / 3, end), va=side, fontsize=8,
                               color=colour, xytext=(0, -3 if side == "top" else 3), textcoords="offset points")  # fmt: skip
    for group in _coinciding(degrees):
        panel.text(last * 1.02, degrees[-1, group[0]], "\n".join(JOINTS[k] for k in group), color=COLOURS[group[-1]],
                   fontsize=9, va="center")  # fmt: skip
    panel.set(xlabel="frame", ylabel="joint angle [deg]", xlim=(0, 1.22 * last), title="joint angles")
    tidy(panel)


def _coinciding(degrees: Array) -> list[list[int]]:
    """Return groups of joints whose lines coincide."""
    groups: list[list[int]] = []
    for k in range(degrees.shape[1]):
        for group in groups:
            if np.abs(degrees[:, k] - degrees[:, group[0]]).max() <= INDISTINCT:
                group.append(k)
                break
        else:
            groups.append([k])
    return groups


def draw_postures(q: Array, path: Path) -> None:
    """Draw all postures with the same pose of the hand as a posture: the position of the elbow, and every angle beside its range.

    All of them lie in the plane of z and the hand. The elbow has one of two positions.
    """
    pyplot = begin()
    arm = appendix_b()
    every = arm.solve_all(arm.forward(q), limits=False)
    T = arm.forward(q)
    figure = pyplot.figure(figsize=(13, 5.4), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1, 2.3))
    plane = left.add_subplot()
    outward = np.array([*T[:2, 3], 0.0]) / np.hypot(*T[:2, 3])
    for answer in every:
        points = limb(arm, answer.q)
        good = bool(arm.within_limits(answer.q))
        _arm(plane, np.column_stack([points @ outward, points[:, 2]]), 1.0, BONE if good else OUTSIDE, 2 + good)
    plane.set(xlabel="across z, towards the hand [units]", ylabel="z [units]", title="in the plane of the arm")
    plane.set_aspect("equal", adjustable="datalim")
    plane.margins(0.12)
    plane.grid(color=GRID)
    panels = right.subplots(1, arm.n, sharey=True)
    order = np.argsort(every.branches)
    for k, panel in enumerate(panels):
        low, high = TABLE_5_2[k]
        panel.axvspan(low, high, color=RANGE, lw=0)
        wrapped = np.remainder(np.degrees(every.q[order, k]) + 180.0, 360.0) - 180.0
        inside = (wrapped >= low) & (wrapped <= high)
        panel.scatter(wrapped, np.arange(len(order)), s=46, color=[BONE if x else HAND for x in inside], zorder=3)
        panel.set(xlim=(-190, 190), xticks=(-180, 0, 180), title=JOINTS[k], xlabel="deg")
        panel.tick_params(labelsize=8)
        panel.grid(color=GRID, axis="y")
        panel.title.set_fontsize(9)
    panels[0].set_yticks(np.arange(len(order)), [arm.branch_names[every.branches[row]] for row in order], fontsize=9)
    panels[0].invert_yaxis()
    for label, row in zip(panels[0].get_yticklabels(), order, strict=True):
        if arm.within_limits(every.q[row]):
            label.set_fontweight("bold")
    inside_all = sum(bool(arm.within_limits(row)) for row in every.q)
    figure.suptitle(f"One pose of the hand: {len(every)} postures, {inside_all} inside Table 5.2", fontsize=12)
    key = "shaded: range of the joint; orange: outside it; bold: the posture inside all ranges"
    right.supxlabel(key, fontsize=8, color=TEXT)
    save(figure, path)


def limb(arm: Chain, q: Array) -> Array:
    """Return the positions of shoulder, elbow, wrist and the end of the drawn hand, (4, 3) [units]."""
    frames = arm.model.forward_all(q)
    points = [np.zeros(3)]
    for T in frames:
        if np.abs(T[:3, 3] - points[-1]).max() > 0.5 * UNIT:
            points.append(T[:3, 3])
    hand = frames[-1] @ np.array([0, 0, HAND_LENGTH * UNIT, 1])
    return np.array([*points, hand[:3]]) / UNIT


def _arm(panel: Any, points: Array, shade: float, colour: str = BONE, layer: int = 2) -> None:
    panel.plot(
        *points[:-1].T, color=colour, lw=3.2, alpha=shade, solid_capstyle="round", marker="o", ms=4.5, zorder=layer
    )
    panel.plot(*points[-2:].T, color=HAND, lw=3.2, alpha=shade, solid_capstyle="round", zorder=layer)
