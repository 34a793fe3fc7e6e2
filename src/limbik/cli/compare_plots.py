"""The plots of `limbik compare`: success against time, and the iterations of methods. Needs the extra `plot`."""

from pathlib import Path
from typing import Any

import numpy as np

from limbik.cli.units import in_metres
from limbik.errors import BadFile, one_line
from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.solvers.trace import Trace

# Errors below this are drawn at this value, since the axis is logarithmic.
LEAST_ERROR = 1e-12
# A trace with a final error below this reached the target, inside the limits or not [half spans of the arm, rad].
AT_THE_TARGET = 1e-7
LEGEND_COLUMNS = 5
# The smallest range of the success axis [%].
LEAST_SPAN = 20.0
_LINES = ("-", "--", ":", "-.")
_GOOD, _TEXT = "#2a6f97", "#333333"


def _pyplot() -> Any:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def _save(pyplot: Any, figure: Any, path: Path) -> None:
    try:
        figure.savefig(path, dpi=110)
    except (OSError, ValueError) as error:
        raise BadFile(f"cannot write the picture '{path}': {one_line(error)}") from None
    finally:
        pyplot.close(figure)


def _styles(names: list[str]) -> dict[str, tuple[Any, str]]:
    """Return a distinct colour and line style for each name."""
    pyplot = _pyplot()
    colours = pyplot.get_cmap("tab10").colors
    return {name: (colours[k % 10], _LINES[(k // 10) % len(_LINES)]) for k, name in enumerate(names)}


def draw_rows(rows: list[tuple[str, float, float]], title: str, path: Path) -> None:
    """Plot rows (method, success [%], time [ms]): bars of success, and success against time."""
    pyplot = _pyplot()
    height = max(4.5, 0.27 * len(rows) + 1.6)
    figure, (bars, field) = pyplot.subplots(1, 2, figsize=(13, height), width_ratios=(1, 1.35), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.08)
    figure.suptitle(title, fontsize=12)
    names, shares, times = zip(*rows, strict=True)
    places = np.arange(len(rows))[::-1]
    bars.barh(places, [100.0] * len(rows), color="#f1f4f6", height=0.72)
    bars.barh(places, shares, color=_GOOD, height=0.72)
    for place, share, ms in zip(places, shares, times, strict=True):
        bars.text(101.5, place, f"{share:.0f} %   {_time(ms)}", va="center", fontsize=8, color=_TEXT)
    bars.set(
        yticks=places, xlim=(0, 134), xticks=[0, 25, 50, 75, 100], xlabel="solved [%]", title="solved, median time"
    )
    bars.set_yticklabels(names, fontsize=9)
    bars.spines[["top", "right"]].set_visible(False)

    field.scatter(times, shares, color=_GOOD, s=34, zorder=3, edgecolors="white", linewidths=0.6)
    field.set_xscale("log")
    low, high = min(times), max(times)
    span = max(max(shares) - min(shares), LEAST_SPAN)
    bottom = min(shares) - 0.15 * span
    field.set(xlim=(low / 2, high * 4), ylim=(bottom, max(shares) + 0.2 * span))
    field.set(xlabel="median time per target [ms]", ylabel="solved [%]")
    field.set_yticks([tick for tick in field.get_yticks() if 0 <= tick <= 100])
    field.set_ylim(bottom, max(shares) + 0.2 * span)
    field.set_title("up and to the left is better", fontsize=10, pad=10)
    field.grid(color="#e3e3e3", which="major")
    field.spines[["top", "right"]].set_visible(False)
    _label(figure, field, list(zip(names, times, shares, strict=True)))
    _save(pyplot, figure, path)


def _time(ms: float) -> str:
    return f"{ms:.3g} ms" if ms >= 0.1 else f"{1e3 * ms:.3g} us"


def _label(figure: Any, field: Any, points: list[tuple[str, float, float]]) -> None:
    """Write each name beside its point, at the first position that overlaps neither another name nor a point."""
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    marks = [field.transData.transform((x, y)) for _, x, y in points]
    taken: list[Any] = []
    frame = field.get_window_extent(renderer)
    for (name, x, y), mark in zip(points, marks, strict=True):
        note = field.annotate(name, (x, y), xytext=(6, 4), textcoords="offset points", fontsize=8, color=_TEXT)
        for ring in range(1, 9):
            for right, up in ((6, 3), (6, -9), (-6, 3), (-6, -9), (4, 8 * ring), (4, -9 * ring), (-4, 8 * ring), (-4, -9 * ring),
                              (8 * ring, 3), (-8 * ring, -9), (12 * ring, 8 * ring), (12 * ring, -9 * ring)):  # fmt: skip
                note.set_position((right, up))
                note.set_horizontalalignment("left" if right > 0 else "right")
                box = note.get_window_extent(renderer).padded(1.0)
                free = not any(box.overlaps(other) for other in taken)
                clear = not any(box.x0 - 3 < px < box.x1 + 3 and box.y0 - 3 < py < box.y1 + 3 for px, py in marks)
                inside = box.x0 > frame.x0 and box.x1 < frame.x1 + 8 and box.y0 > frame.y0 - 2 and box.y1 < frame.y1 - 1
                if free and clear and inside:
                    break
            else:
                continue
            break
        box = note.get_window_extent(renderer)
        taken.append(box)
        far = np.hypot(max(box.x0 - mark[0], mark[0] - box.x1, 0), max(box.y0 - mark[1], mark[1] - box.y1, 0))
        if far > 14:
            field.annotate("", (x, y), xytext=note.get_position(), textcoords="offset points",
                           arrowprops={"arrowstyle": "-", "color": "#999999", "lw": 0.6})  # fmt: skip


def draw_paths(arm: Chain, paths: dict[str, Trace], truth: Array, path: Path) -> None:
    """Plot the iterations towards one target: in joint space, in Cartesian space, and the error by step."""
    pyplot = _pyplot()
    styles = _styles(list(paths))
    lines = -(-len(paths) // LEGEND_COLUMNS)
    below = 0.2 * lines + 0.3  # [inches]
    height = 5.8 + below
    figure = pyplot.figure(figsize=(16, height))
    low, tall = (below + 0.55) / height, 4.4 / height
    joints = figure.add_axes((0.055, low, 0.26, tall))
    space = figure.add_axes((0.33, low - 0.35 / height, 0.30, tall + 0.3 / height), projection="3d")
    errors = figure.add_axes((0.715, low, 0.265, tall))
    start = next(iter(paths.values())).q[0]
    target, begin = arm.forward(truth)[:3, 3], arm.forward(start)[:3, 3]
    axes, labels = _two_directions(arm, paths, start)
    shown = [target[None], begin[None]]
    for name, trace in paths.items():
        colour, line = styles[name]
        style = {"color": colour, "ls": line, "lw": 1.4, "alpha": 0.85}
        flat = (trace.q - start) @ axes.T
        joints.plot(*flat.T, **style)
        joints.plot(*flat[-1], "o" if trace.ok else "x", color=colour, ms=7, mew=1.8, zorder=4)
        tips = arm.forward(trace.q)[:, :3, 3]
        space.plot(*tips.T, **style)
        shown.append(tips if trace.ok else tips[-1:])
        error = np.hypot(trace.position_error / arm.model.length, trace.rotation_error)
        label = f"{name}: {len(trace)} step{'s' * (len(trace) != 1)}, {_ending(trace, float(error[-1]))}"
        errors.plot(np.maximum(error, LEAST_ERROR), label=label, **style)
    joints.plot(0, 0, "s", color="black", ms=8, zorder=5)
    joints.set(xlabel=labels[0], ylabel=labels[1])
    joints.set_title("joint space (square: start; disc: reached; cross: not)", fontsize=10)
    space.scatter(*begin, color="black", marker="s", s=40)
    space.scatter(*target, color="#d1495b", marker="*", s=180, zorder=6)
    _cube(space, np.concatenate(shown))
    space.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]")
    space.set_title("the tip in space (square: start; star: target)", fontsize=10)
    errors.set_yscale("log")
    errors.set_xscale("symlog", linthresh=10)
    errors.set(xlabel="step", ylabel="error [half spans of the arm, rad]", xlim=(0, None))
    errors.set_title("error by step", fontsize=10)
    for panel in (joints, errors):
        panel.grid(color="#e3e3e3")
        panel.spines[["top", "right"]].set_visible(False)
    handles = errors.get_legend_handles_labels()
    figure.legend(*handles, loc="lower center", ncols=LEGEND_COLUMNS, fontsize=8, frameon=False, handlelength=3)
    figure.suptitle(f"{arm.name}: iterations of {len(paths)} methods towards one target", fontsize=12)
    _save(pyplot, figure, path)


def _ending(trace: Trace, error: float) -> str:
    """Return the outcome of a trace as text."""
    if trace.ok:
        return "reached"
    return "reached outside the limits" if error < AT_THE_TARGET else "not reached"


def _two_directions(arm: Chain, paths: dict[str, Trace], start: Array) -> tuple[Array, tuple[str, str]]:
    """Return the two principal directions of the traces in joint space, (2, n), and their labels."""
    if arm.n <= 2:
        units = ["m" if metres else "rad" for metres in in_metres(arm)]
        labels = [f"{name}, from the start [{unit}]" for name, unit in zip(arm.joint_names, units, strict=True)]
        first, second = [*labels, "(one joint only)"][:2]
        return np.eye(2, arm.n), (first, second)
    # every trace has the same weight, whatever its number of steps
    moves = [(t.q - start) / np.sqrt(len(t.q)) for t in paths.values()]
    rows = np.concatenate([*moves, np.zeros((2, arm.n))])  # two directions, also of a trace that ends where it began
    _, s, V = np.linalg.svd(rows, full_matrices=False)
    shares = 100 * s**2 / max(float((s**2).sum()), 1e-300)
    V = V * np.where(np.take_along_axis(V, np.abs(V).argmax(axis=1)[:, None], 1) < 0, -1.0, 1.0)
    return V[:2], tuple(f"direction {k + 1}: {shares[k]:.0f} % of the motion" for k in range(2))  # type: ignore[return-value]


def _cube(panel: Any, points: Array) -> None:
    """Give the three axes the same scale around some points."""
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    centre, half = (low + high) / 2, max(float((high - low).max()) / 2, 1e-6) * 1.1
    spans = [(c - half, c + half) for c in centre]
    panel.set(xlim=spans[0], ylim=spans[1], zlim=spans[2])
    panel.set_box_aspect((1, 1, 1))
