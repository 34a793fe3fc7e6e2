"""A picture of a table of postures: the number of sheets in each cell, and the errors of the candidates."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.formats.content.content import Content
from limbik.solvers.table.picture import page

# Points of the picture along each of its two coordinates.
FINE = 256


def draw(content: Content, path: Path) -> None:
    """Write the picture. Raises FileUnwritable, MissingExtra."""
    with page(content, path) as panel:
        _cells(panel, content)


def _cells(panel: Any, content: Content) -> None:
    """Draw the number of sheets over the first two coordinates, averaged over any others."""
    s = content.settings
    low, high = np.array(s["low"]), np.array(s["high"])
    counts = sheet_map(content)
    image = panel.imshow(
        np.where(counts > 0, counts, np.nan).T, origin="lower", extent=(low[0], high[0], low[1], high[1]), aspect="equal",
        cmap="viridis", interpolation="nearest",
    )  # fmt: skip
    panel.figure.colorbar(image, ax=panel, label="sheets in a cell" if len(low) == 2 else "sheets in a cell, mean")
    panel.set(xlabel="first coordinate of a target [m]", ylabel="second coordinate [m]", title="cells")


def sheet_map(content: Content) -> npt.NDArray[np.float64]:
    """Return the number of sheets at (FINE, FINE) points of the first two coordinates, averaged over the others."""
    bins = [int(x) for x in content.settings["bins"]]
    nodes, begin = content.arrays["nodes"].astype(np.int64), content.arrays["begin"].astype(np.int64)
    sheets = np.diff(begin)
    place = (np.arange(FINE) + 0.5) / FINE
    x, y = np.meshgrid(place * bins[0], place * bins[1], indexing="ij")
    root = (x.astype(int) * bins[1] + y.astype(int)) * int(np.prod(bins[2:]))
    if len(bins) > 2:
        each = np.array([_mean_sheets(nodes, sheets, node, 2 ** len(bins)) for node in nodes[: int(np.prod(bins))]])
        mean = each.reshape(bins[0] * bins[1], -1).mean(axis=1)
        return np.asarray(mean[root // int(np.prod(bins[2:]))])
    inside = np.stack([x % 1, y % 1])
    node = nodes[root]
    while (node < 0).any():
        upper = (inside >= 0.5) & (node < 0)
        part = 2 * upper[0] + upper[1]
        inside = np.where(node < 0, 2 * inside - upper, inside)
        node = np.where(node < 0, nodes[np.where(node < 0, -(node + 1) + part, 0)], node)
    return np.asarray(sheets[node], float)


def _mean_sheets(nodes: npt.NDArray[np.int64], sheets: npt.NDArray[np.int64], node: int, parts: int) -> float:
    if node >= 0:
        return float(sheets[node])
    first = -(node + 1)
    return float(np.mean([_mean_sheets(nodes, sheets, int(child), parts) for child in nodes[first : first + parts]]))
