"""What the drawings of this paper share."""

from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, one_line
from limbik.formats.source import need
from limbik.model.transform import Array

# Okabe and Ito's colours, which colour-blind readers can tell apart.
BLUE, ORANGE, GREEN, GREY, RED = "#0072b2", "#e69f00", "#009e73", "#8a8a8a", "#d55e00"
INK, GRID, PALE = "#1f2d3d", "#dddddd", "#c4cedb"
DOTS_PER_INCH, SHADES = 100, 128


def begin() -> Any:
    """Return pyplot, set to draw into files. Raises where matplotlib is missing."""
    need("matplotlib", "plot", "drawing")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def save(figure: Any, path: Path) -> None:
    """Write a figure, with few colours so that the file is small, and close it. Raises BadFile."""
    from matplotlib import pyplot
    from PIL import Image

    figure.set_dpi(DOTS_PER_INCH)
    figure.canvas.draw()
    image = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")
    try:
        image.quantize(SHADES, dither=Image.Dither.NONE).save(path, optimize=True)
    except OSError as error:
        raise BadFile(f"cannot write the picture '{path}': {one_line(error)}") from None
    finally:
        pyplot.close(figure)


def tidy(panel: Any) -> None:
    """Give a panel a grid, and no frame above and to the right."""
    panel.grid(color=GRID, lw=0.7)
    panel.spines[["top", "right"]].set_visible(False)


def arm(panel: Any, points: Array, colour: str = INK, width: float = 2.4, alpha: float = 1.0) -> None:
    """Draw an arm: limbs, joints, and its shoulder."""
    panel.plot(*points.T, color=colour, lw=width, alpha=alpha, solid_capstyle="round", zorder=3)
    panel.plot(*points[1:-1].T, "o", color="white", mec=colour, ms=5, alpha=alpha, zorder=4)
    panel.plot(*points[0], "o", color=colour, ms=7, alpha=alpha, zorder=4)
