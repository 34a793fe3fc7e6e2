"""Drawing for the examples: bodies made of capsules and spheres, in soft light, painted from back to front."""

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

import matplotlib
import numpy as np

import limbik as lk

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Polygon
from matplotlib.path import Path as Outline

BLUE, RED, GREEN, ORANGE, INK, PALE = "#4f7cac", "#d1495b", "#2e8b57", "#e08e1b", "#1f2d3d", "#c4cedb"
# The direction of light in the picture, and the layers that make a capsule look round: (share of the radius, brightness).
LIGHT = np.array([-0.45, 0.9])
LAYERS = ((1.0, -0.32), (0.88, -0.1), (0.7, 0.06), (0.45, 0.22), (0.18, 0.38))
# The orientation of a box along the coordinate axes.
UPRIGHT = np.eye(3)
# Dots up to this size have no rim [points].
SMALL = 5.0
# Colours of a written picture: enough for these drawings, and a third of the size.
COLOURS = 255


class Scene:
    """A view of space on some axes of matplotlib. up: the upward axis. look: elevation and azimuth of the eye [deg].

    Items are sorted by their depth when `show` is called; lines with `front`, dots and words are drawn in front.
    """

    def __init__(self, axes: Axes, up: str = "z", look: tuple[float, float] = (18.0, -60.0)) -> None:
        elevation, azimuth = np.radians(look)
        right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
        eye = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
        view = np.array([right, np.cross(eye, right), eye])
        self._view = view if up == "z" else view[:, [1, 2, 0]]
        self._items: list[tuple[float, Callable[[float], object]]] = []
        self.axes = axes

    def flat(self, points: Iterable) -> tuple[np.ndarray, np.ndarray]:
        """Return the projections of points, (..., 2), and their depths towards the eye, (...)."""
        seen = np.asarray(points, float) @ self._view.T
        return seen[..., :2], seen[..., 2]

    def body(self, robot: lk.Chain | lk.Skeleton, q: np.ndarray, colour: str = BLUE, alpha: float = 1.0) -> None:
        """Add every shape of a robot or figure in a posture."""
        for frame, shape in robot.model.shapes:
            self.shape(shape.moved(robot.forward(q, frame)), colour, alpha)

    def shape(self, shape: lk.Sphere | lk.Capsule | lk.Box, colour: str, alpha: float = 1.0) -> None:
        """Add a sphere, a capsule or a box; with alpha below 1 it is flat."""
        if isinstance(shape, lk.Box):
            self.box(shape.centre, shape.sides, colour, alpha, shape.rotation)
            return
        ends = (shape.centre,) * 2 if isinstance(shape, lk.Sphere) else (shape.start, shape.end)
        (a, b), depth = self.flat(ends)

        def paint(order: float) -> None:
            for part, brightness in LAYERS if alpha == 1 else LAYERS[1:2]:
                shift = (1 - part) * 0.55 * shape.radius * LIGHT
                outline = stadium(a + shift, b + shift, part * shape.radius)
                look = {"fc": lit(colour, brightness), "ec": "none", "alpha": alpha}
                self.axes.add_patch(PathPatch(outline, zorder=order, **look))

        self._items.append((float(depth.mean()), paint))

    def box(
        self, centre: Iterable, sides: Iterable, colour: str, alpha: float = 1.0, rotation: Iterable = UPRIGHT
    ) -> None:
        """Add the three visible faces of a box with sides along the columns of `rotation`."""
        half, R = np.asarray(sides) / 2, np.asarray(rotation, float)
        for axis in range(3):
            normal = R[:, axis] * np.sign(self._view[2] @ R[:, axis])
            one, other = (R[:, k] * half[k] for k in range(3) if k != axis)
            corners = normal * half[axis] + np.array([-one - other, one - other, one + other, other - one])
            light = 0.5 * float(self.flat(normal)[0] @ LIGHT)
            self.area(centre + corners, lit(colour, light), alpha, edge=lit(colour, -0.3))

    def area(self, points: Iterable, colour: str, alpha: float = 1.0, edge: str = "none", back: bool = False) -> None:
        """Add a polygon; `back` puts it behind everything."""
        corners, depth = self.flat(points)

        def paint(order: float) -> None:
            look = {"fc": (*to_rgb(colour), alpha), "ec": edge, "lw": 1.0, "joinstyle": "round"}
            self.axes.add_patch(Polygon(corners, zorder=order, **look))

        self._items.append((-np.inf if back else float(depth.mean()), paint))

    def line(self, points: Iterable, colour: str = INK, width: float = 2.0, front: bool = True, **look) -> None:
        """Add a polyline, (k, 3)."""
        corners, depth = self.flat(points)
        style = {"color": colour, "lw": width, "solid_capstyle": "round", "solid_joinstyle": "round"} | look
        paint = lambda order: self.axes.plot(*corners.T, zorder=order, **style)  # noqa: E731
        self._items.append((np.inf if front else float(depth.mean()), paint))

    def dot(self, point: Iterable, colour: str = ORANGE, size: float = 8.0) -> None:
        """Add a dot in front of everything."""
        self.line([point], colour, marker="o", ms=size, mec=INK, mew=1.0 if size > SMALL else 0.0)

    def arrow(self, start: Iterable, end: Iterable, colour: str = RED, width: float = 2.0) -> None:
        """Add an arrow in front of everything."""
        (a, b), _ = self.flat([start, end])
        look = {"arrowstyle": "-|>", "color": colour, "lw": width, "mutation_scale": 14, "shrinkA": 0, "shrinkB": 0}
        paint = lambda order: self.axes.annotate("", b, a, arrowprops=look, zorder=order)  # noqa: E731
        self._items.append((np.inf, paint))

    def floor(self, low: tuple[float, float], high: tuple[float, float], step: float, height: float = 0.0) -> None:
        """Add a grid on the ground between two corners, in the two coordinates that are not up."""
        upward = int(np.argmax(self._view[1]))
        sides = [k for k in range(3) if k != upward]
        for k in (0, 1):
            for place in np.arange(low[k], high[k] + step / 2, step):
                ends = np.full((2, 3), height)
                ends[:, sides[k]] = place
                ends[:, sides[1 - k]] = low[1 - k], high[1 - k]
                corners = self.flat(ends)[0]
                self._items.append(
                    (-np.inf, lambda order, c=corners: self.axes.plot(*c.T, c="#e3e8ee", lw=1, zorder=order))
                )

    def words(self, point: Iterable, text: str, shift: tuple[float, float] = (0, 8), **look) -> None:
        """Add words at a point, shifted in the picture [points]."""
        place = self.flat(point)[0]
        style = {"ha": "center", "fontsize": 10, "color": INK, "xytext": shift, "textcoords": "offset points"} | look
        self._items.append((np.inf, lambda order: self.axes.annotate(text, place, zorder=order, **style)))

    def show(self, title: str = "") -> None:
        """Draw all items."""
        for order, (_, paint) in enumerate(sorted(self._items, key=lambda item: item[0])):
            paint(order + 1)
        self.axes.set_aspect("equal")
        self.axes.autoscale_view()
        self.axes.margins(0.02)
        self.axes.set_axis_off()
        self.axes.set_title(title, fontsize=12, color=INK)


def stadium(a: np.ndarray, b: np.ndarray, radius: float) -> Outline:
    """Return the outline of a segment widened by a radius."""
    angle = np.arctan2(*(b - a)[::-1])
    bend = np.linspace(-np.pi / 2, np.pi / 2, 24)
    round_end = lambda centre, towards: centre + radius * np.stack([np.cos(bend + towards), np.sin(bend + towards)], 1)  # noqa: E731
    return Outline(np.concatenate([round_end(b, angle), round_end(a, angle + np.pi)]), closed=False)


def lit(colour: str, brightness: float) -> tuple[float, ...]:
    """Return a colour closer to white, or closer to black for a negative brightness."""
    rgb = np.array(to_rgb(colour))
    return tuple(rgb + (1 - rgb) * brightness if brightness > 0 else rgb * (1 + brightness))


def panels(count: int, size: tuple[float, float] = (5.0, 5.0)) -> tuple[Figure, list[Axes]]:
    """Return a matplotlib figure with axes beside each other."""
    figure, axes = pyplot.subplots(1, count, figsize=(size[0] * count, size[1]), layout="constrained", squeeze=False)
    return figure, list(axes[0])


def align(axes: Iterable[Axes], room: float = 0.02) -> None:
    """Give axes the same limits."""
    boxes = np.array([(axis.get_xlim(), axis.get_ylim()) for axis in axes])
    low, high = boxes[..., 0].min(axis=0), boxes[..., 1].max(axis=0)
    for axis in axes:
        axis.set(xlim=(low[0] - room, high[0] + room), ylim=(low[1] - room, high[1] + room))


def out_folder(doc: str | None) -> Path:
    """Return the folder for pictures that the command line names."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--out", type=Path, default=Path("pictures"))
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    return out


def save(figure: Figure, path: Path) -> None:
    """Write the picture and print its path."""
    from PIL import Image

    figure.set_dpi(100)
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())  # type: ignore[attr-defined]
    Image.fromarray(pixels).convert("RGB").quantize(COLOURS).save(path, optimize=True)
    pyplot.close(figure)
    print(f"picture: {path}")
