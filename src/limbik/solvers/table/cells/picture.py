"""A picture of a table of cells: the number of solutions in the cells of one slice."""

from pathlib import Path

import numpy as np

from limbik.formats.content.content import Content
from limbik.solvers.table.cells.level import read_grid
from limbik.solvers.table.picture import page


def draw(content: Content, path: Path) -> None:
    """Write the picture: the cells over x and y, at the most frequent index along every other axis.

    Raises FileUnwritable, MissingExtra.
    """
    grid = read_grid(content.settings["levels"]["place"]["grid"])
    address = content.arrays["place.addresses"].astype(np.int64)
    records = np.diff(content.arrays["place.first"])
    with page(content, path) as panel:
        index = np.floor((grid.corner(address) - np.array(grid.low)) / np.array(grid.side) + 0.5).astype(int)
        densest = [np.bincount(index[:, k]).argmax() for k in range(2, index.shape[1])]
        inside = (index[:, 2:] == densest).all(axis=1)
        counts = np.full((int(grid.divisions[0]), int(grid.divisions[1])), np.nan)
        counts[index[inside, 0], index[inside, 1]] = records[inside]
        high = np.array(grid.low[:2]) + np.array(grid.side[:2]) * np.array(grid.divisions[:2])
        image = panel.imshow(
            counts.T, origin="lower", extent=(grid.low[0], high[0], grid.low[1], high[1]), cmap="viridis"
        )
        panel.figure.colorbar(image, ax=panel, label="solutions in a cell")
        panel.set(xlabel="x [m]", ylabel="y [m]", title="cells of the slice with most of them")
