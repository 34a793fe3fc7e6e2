"""Shared parts of plots: colours, creation and saving. Needs the extra `plot`."""

from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, one_line
from limbik.formats.replacing import check_writable
from limbik.formats.source import need

# Okabe and Ito's colour-blind safe colours, with a marker each for print without colours.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
DOTS_PER_INCH, SHADES = 110, 256
# The file formats of plots.
PICTURES = (".png", ".svg", ".pdf")
HINT = "use a name that ends in .png, .svg or .pdf"
BONE, HAND, GRID, OUTSIDE, RANGE, TEXT = "#1f3a5f", "#d55e00", "#dddddd", "#9db4ce", "#e3ecf5", "#555555"


def tidy(panel: Any) -> None:
    """Add a grid to a panel, and remove its top and right borders."""
    panel.grid(color=GRID)
    panel.spines[["top", "right"]].set_visible(False)


def begin() -> Any:
    """Return pyplot with the backend Agg, which draws to files and needs no screen; it is set for the whole process.

    Raises MissingExtra without matplotlib.
    """
    need("matplotlib", "plot", "drawing")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def check_picture(path: Path) -> None:
    """Check early that `save` can write a plot. Raises MissingExtra, BadFile, FileUnwritable."""
    need("matplotlib", "plot", "drawing")
    if path.is_dir():
        raise BadFile(f"'{path}' is a folder: name a file in it, as in '{path / 'picture.png'}'")
    if not path.suffix:
        raise BadFile(f"'{path}' has no file format: {HINT}")
    if path.suffix.lower() not in PICTURES:
        raise BadFile(f"cannot write the picture '{path}': {HINT}")
    check_writable(path)


def save(figure: Any, path: Path) -> None:
    """Write a plot and close it; a .png with a reduced palette for a small file. Raises BadFile."""
    from matplotlib import pyplot
    from PIL import Image

    figure.set_dpi(DOTS_PER_INCH)
    try:
        if path.is_dir():
            raise BadFile(f"'{path}' is a folder: name a file in it, as in '{path / 'picture.png'}'")
        if not path.suffix:
            raise BadFile(f"'{path}' has no file format: {HINT}")
        if path.suffix.lower() != ".png":
            figure.savefig(path)
            return
        figure.canvas.draw()
        image = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")
        image.quantize(SHADES, dither=Image.Dither.NONE).save(path, optimize=True)
    except (OSError, ValueError) as error:
        if isinstance(error, BadFile):
            raise
        raise BadFile(f"cannot write the picture '{path}': {one_line(error)}; {HINT}") from None
    finally:
        pyplot.close(figure)
