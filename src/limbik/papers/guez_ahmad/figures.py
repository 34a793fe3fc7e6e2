"""The paper's figures 2 to 18, one file each, named by its number."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.guez_ahmad.quadrant import THIRD_AT_0, THIRD_AT_90, Quadrant, points
from limbik.plots.style import BONE, COLOURS, GRID, HAND, OUTSIDE, TEXT, begin, save, tidy
from limbik.solvers.neural.perceptron import Perceptron

Drawings = dict[str, Callable[[Path], None]]
# The number of lines of equal r and of equal phi in the mappings.
LINES = 20
# The smallest half height of a graph of theta3 [rad].
LEAST_ROOM = 1e-7
TRAINED = "5,000 epochs, first start"


def draw_sine(networks: Mapping[str, Perceptron], path: Path) -> None:
    """Draw figure 2: the sine, the networks' outputs, and their errors."""
    pyplot = begin()
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
    x = np.linspace(0.0, np.pi, 500)
    left.plot(x, np.sin(x), color=OUTSIDE, lw=6, label="sin x")
    for (name, network), colour in zip(networks.items(), COLOURS, strict=False):
        y = network(x[:, None])[:, 0]
        left.plot(x, y, color=colour, lw=1.3, label=name)
        right.plot(x, np.maximum(np.abs(y - np.sin(x)), 1e-8), color=colour, lw=1.3, label=name)
    left.set(xlabel="x [rad]", ylabel="output", title="desired and learned")
    right.set(xlabel="x [rad]", ylabel="|error|", yscale="log", title="error")
    left.legend(frameon=False)
    for panel in (left, right):
        tidy(panel)
    figure.suptitle("Figure 2: the sine, learned by 8 + 4 hidden units", fontsize=12)
    save(figure, path)


def of_two_links(quadrant: Quadrant, network: Perceptron, places: Array) -> Drawings:
    """Return the pictures of figures 3 and 5 to 10."""
    desired, found = quadrant.postures(places), network(places)
    return {
        "figure_03_two_links": partial(_draw_two_links, quadrant),
        "figure_05_desired_mapping": partial(_draw_mapping, quadrant, None),
        "figure_06_learned_mapping": partial(_draw_mapping, quadrant, network),
        "figure_07_error_against_x": partial(_draw_error, 7, quadrant, places, found, 0),
        "figure_08_error_against_y": partial(_draw_error, 8, quadrant, places, found, 1),
        "figure_09_theta1": partial(_draw_angles, 9, 0, desired, found),
        "figure_10_theta2": partial(_draw_angles, 10, 1, desired, found),
    }


def of_three_links(quadrant: Quadrant, network: Perceptron, places: Array, first: int) -> Drawings:
    """Return the pictures of figures 11 to 14 or 15 to 18, and of figure 4 with the first group."""
    found = network(places)
    drawn: Drawings = {"figure_04_three_links": _draw_three_links} if quadrant is THIRD_AT_90 else {}
    for axis, letter in enumerate("xy"):
        number = first + axis
        drawn[f"figure_{number}_error_against_{letter}"] = partial(_draw_error, number, quadrant, places, found, axis)
    for axis, letter in enumerate("xy"):
        number = first + 2 + axis
        drawn[f"figure_{number}_theta3_against_{letter}"] = partial(_draw_third, number, quadrant, places, found, axis)
    return drawn


def _draw_error(number: int, quadrant: Quadrant, places: Array, q: Array, axis: int, path: Path) -> None:
    letter = "XY"[axis]
    off_by = quadrant.missed(places, q)
    missed, apart = off_by[:, axis], np.linalg.norm(off_by, axis=1)
    pyplot = begin()
    figure, panel = pyplot.subplots(figsize=(7.2, 4.4), layout="constrained")
    dots = panel.scatter(
        points(places)[:, axis], missed, c=np.degrees(quadrant.bend(places)), s=3, cmap="viridis_r", lw=0
    )
    figure.colorbar(dots, ax=panel, label="theta2 as two links; 0: stretched [deg]")
    panel.set(xlabel=f"{letter} [m]", ylabel=f"error in {letter} [m]")
    panel.set_title(f"Figure {number}: error against the {letter} axis; {quadrant.name}, {TRAINED}", fontsize=10)
    lines = [f"{what}: mean {off.mean():.4f} m, largest {off.max():.3f} m"
             for what, off in ((f"in {letter}", np.abs(missed)), ("distance", apart))]  # fmt: skip
    panel.text(0.02, 0.96, "\n".join(lines), fontsize=9, va="top", color=TEXT, transform=panel.transAxes)
    tidy(panel)
    save(figure, path)


def _draw_third(number: int, quadrant: Quadrant, places: Array, q: Array, axis: int, path: Path) -> None:
    letter = "XY"[axis]
    pyplot = begin()
    figure, panel = pyplot.subplots(figsize=(7.2, 4.0), layout="constrained")
    panel.scatter(points(places)[:, axis], q[:, 2], color=BONE, s=3, lw=0)
    desired = quadrant.third or 0.0
    panel.axhline(desired, color=HAND, lw=1.2)
    off = q[:, 2] - desired
    room = max(1.4 * float(np.abs(off).max()), LEAST_ROOM)
    panel.set(xlabel=f"{letter} [m]", ylabel="theta3 [rad]", ylim=(desired - room, desired + room))
    panel.ticklabel_format(axis="y", useOffset=False)
    panel.set_title(f"Figure {number}: theta3 against the {letter} axis; {quadrant.name}, {TRAINED}", fontsize=10)
    panel.text(0.02, 0.96, f"mean error {off.mean():+.1e} rad, largest {np.abs(off).max():.1e} rad; orange: desired",
               fontsize=9, va="top", color=TEXT, transform=panel.transAxes)  # fmt: skip
    tidy(panel)
    save(figure, path)


def _draw_mapping(quadrant: Quadrant, network: Perceptron | None, path: Path) -> None:
    places = quadrant.places(LINES)
    q = np.degrees(quadrant.postures(places) if network is None else network(places)).reshape(LINES, LINES, -1)
    pyplot = begin()
    figure, panel = pyplot.subplots(figsize=(6.4, 5.2), layout="constrained")
    panel.plot(*q[..., :2].transpose(2, 1, 0), color=BONE, lw=0.9)
    panel.plot(*q[..., :2].transpose(2, 0, 1), color=HAND, lw=0.9)
    panel.plot([], [], color=BONE, label="along phi")
    panel.plot([], [], color=HAND, label="along r")
    number, what = (5, "desired mapping") if network is None else (6, f"mapping by the network, {TRAINED}")
    panel.set(xlabel="theta1 [deg]", ylabel="theta2 [deg]", xlim=(-75, 100), ylim=(-12, 190))
    panel.set_title(f"Figure {number}: {what}", fontsize=10)
    panel.legend(frameon=False, loc="lower left")
    tidy(panel)
    save(figure, path)


def _draw_angles(number: int, joint: int, desired: Array, found: Array, path: Path) -> None:
    x, y = np.degrees(desired[:, joint]), np.degrees(found[:, joint])
    pyplot = begin()
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
    ends = [min(x.min(), y.min()), max(x.max(), y.max())]
    left.plot(ends, ends, color=HAND, lw=1)
    left.scatter(x, y, color=BONE, s=3, lw=0)
    right.axhline(0.0, color=HAND, lw=1)
    right.scatter(x, y - x, color=BONE, s=3, lw=0)
    name = f"theta{joint + 1}"
    left.set(xlabel=f"desired {name} [deg]", ylabel=f"{name} by the network [deg]")
    right.set(xlabel=f"desired {name} [deg]", ylabel="difference [deg]")
    figure.suptitle(f"Figure {number}: desired {name}, and by the network, {TRAINED}", fontsize=11)
    for panel in (left, right):
        tidy(panel)
    save(figure, path)


def _draw_two_links(quadrant: Quadrant, path: Path) -> None:
    place = np.array([1.3, 0.75])
    q = quadrant.postures(place)
    turn = 2.0 * (place[1] - q[0])
    pyplot = begin()
    figure, panel = pyplot.subplots(figsize=(6.4, 5.4), layout="constrained")
    _workspace(panel, quadrant)
    _limb(panel, quadrant, np.array([q[0] + turn, -q[1]]), OUTSIDE)
    _limb(panel, quadrant, q, BONE)
    tip = points(place)
    panel.annotate("the other posture", (0.1, 1.06), color=TEXT, fontsize=9)
    panel.annotate("trained: smaller theta1", (1.08, 0.3), color=BONE, fontsize=9)
    panel.set(ylim=(-0.25, 2.1))
    panel.annotate("(r, phi)", tip, xytext=(8, 4), textcoords="offset points", color=HAND, fontsize=10)
    panel.set_title("Figure 3: two links, 1.0 and 0.9 m, first quadrant", fontsize=11)
    save(figure, path)


def _draw_three_links(path: Path) -> None:
    pyplot = begin()
    figure, panels = pyplot.subplots(1, 2, figsize=(11, 5.2), layout="constrained")
    for panel, quadrant in zip(panels, (THIRD_AT_90, THIRD_AT_0), strict=True):
        _workspace(panel, quadrant)
        for place, shade in (((0.7, 0.5), 0.5), ((1.2, 0.9), 0.75), ((1.8, 0.3), 1.0)):
            _limb(panel, quadrant, quadrant.postures(np.array(place)), BONE, shade)
        panel.set_title(quadrant.name, fontsize=11)
    figure.suptitle("Figure 4: three links, 1.0, 0.9 and 0.1 m, the third at a fixed angle", fontsize=12)
    save(figure, path)


def _workspace(panel: Any, quadrant: Quadrant) -> None:
    phi = np.linspace(0.0, np.pi / 2, 90)
    low, high = quadrant.reach
    edge = np.concatenate([high * np.exp(1j * phi), low * np.exp(1j * phi[::-1])])
    panel.fill(edge.real, edge.imag, color="#e3ecf5", lw=0)
    panel.set(xlabel="X [m]", ylabel="Y [m]", xlim=(-0.35, 2.1), ylim=(-0.95, 2.1))
    panel.set_aspect("equal")
    panel.grid(color=GRID)


def _limb(panel: Any, quadrant: Quadrant, q: Array, colour: str, shade: float = 1.0) -> None:
    turned = np.cumsum(q)
    joints = np.concatenate([[0.0], np.cumsum(np.array(quadrant.lengths) * np.exp(1j * turned))])
    panel.plot(joints.real, joints.imag, color=colour, lw=3.4, marker="o", ms=6, alpha=shade, solid_capstyle="round")
    panel.plot(joints.real[-1], joints.imag[-1], "o", color=HAND, ms=7, alpha=shade)
