"""Small charts as SVG inside the panel: lines over time or steps, with the ends of the axes. Text is escaped."""

from collections.abc import Sequence
from html import escape

import numpy as np

from limbik.geometry.arrays import Array
from limbik.studio.page.colours import BLUE, GREEN, INK, ORANGE, PURPLE, SKY, VERMILION, css

# Line colours and dashes: lines can be distinguished without colours.
LINES = ((BLUE, ""), (VERMILION, "6 3"), (GREEN, "2 3"), (PURPLE, "8 3 2 3"), (ORANGE, "4 2"), (SKY, "1 2"))
WIDTH, HEIGHT, LEFT, BELOW, ABOVE = 340, 150, 40, 18, 8


def chart(
    x: Array,
    rows: Sequence[tuple[str, Array]],
    *,
    unit: str,
    along: str,
    logarithmic: bool = False,
    at: float | None = None,
    marks: Sequence[float] = (),
) -> str:
    """Return a chart of some rows over x. at: the position of the playhead. marks: the x of keys, drawn as diamonds."""
    if not len(x) or not rows:
        return ""
    values = np.array([row for _, row in rows], float)
    if logarithmic:
        values = np.log10(np.maximum(values, 1e-9))
    low, high = float(values.min()), float(values.max())
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    first, last = float(x[0]), float(max(x[-1], x[0] + 1e-9))
    inside = WIDTH - LEFT - 6

    def place(xs: Array, ys: Array) -> str:
        px = LEFT + (xs - first) / (last - first) * inside
        py = ABOVE + (high - ys) / (high - low) * (HEIGHT - BELOW - ABOVE)
        return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(px, py, strict=True))

    parts, legend = [], []
    for k, ((name, _), ys) in enumerate(zip(rows, values, strict=True)):
        colour, dash = LINES[k % len(LINES)]
        parts.append(
            f'<polyline points="{place(x, ys)}" fill="none" stroke="{css(colour)}" stroke-width="1.8" '
            f'stroke-dasharray="{dash}"/>'
        )
        legend.append(f'<span style="color:{css(colour)}">{"━" if not dash else "╍"} {escape(name)}</span>')
    for mark in marks:
        px = LEFT + (mark - first) / (last - first) * inside
        parts.append(f'<path d="M{px:.1f} {HEIGHT - BELOW - 5} l4 5 l-4 5 l-4 -5z" fill="{css(ORANGE)}"/>')
    if at is not None:
        px = LEFT + (min(max(at, first), last) - first) / (last - first) * inside
        parts.append(f'<path d="M{px:.1f} {ABOVE} V{HEIGHT - BELOW}" stroke="{css(INK)}" stroke-width="1.2"/>')
    label = 'font-size="10" fill="#555"'
    frame = (
        f'<path d="M{LEFT} {ABOVE} V{HEIGHT - BELOW} H{WIDTH - 6}" fill="none" stroke="#c4ced8"/>'
        f'<text x="{LEFT - 4}" y="{ABOVE + 8}" text-anchor="end" {label}>{_number(high, logarithmic)}</text>'
        f'<text x="{LEFT - 4}" y="{HEIGHT - BELOW}" text-anchor="end" {label}>{_number(low, logarithmic)}</text>'
        f'<text x="{LEFT}" y="{HEIGHT - 5}" {label}>{first:g}</text>'
        f'<text x="{WIDTH - 6}" y="{HEIGHT - 5}" text-anchor="end" {label}>{last:.4g} {escape(along)}</text>'
        f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 5}" text-anchor="middle" {label}>{escape(unit)}</text>'
    )
    return (
        f'<div data-limbik="chart" style="padding:.2rem .6rem;font-size:.75rem">'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" style="width:100%">{frame}{"".join(parts)}</svg>'
        f'<div style="display:flex;flex-wrap:wrap;gap:0 .8rem">{"".join(legend)}</div></div>'
    )


def _number(value: float, logarithmic: bool) -> str:
    return f"{10**value:.2g}" if logarithmic else f"{value:.4g}"
