"""What the drawings of the thesis share: colours, the names of the joints, and how a picture is begun and written."""

from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, one_line
from limbik.formats.source import need

JOINTS = ("1 shoulder Z", "2 shoulder X", "3 elbow X", "4 elbow Y", "5 wrist X", "6 wrist Z")
# Okabe and Ito's colours, which colour-blind readers can tell apart, and a mark each for print without colours.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
DOTS_PER_INCH, SHADES = 110, 256
BONE, HAND, GRID, OUTSIDE, RANGE, TEXT = "#1f3a5f", "#d55e00", "#dddddd", "#9db4ce", "#e3ecf5", "#555555"


def joint_names(n: int) -> tuple[str, ...]:
    """Return what the joints of a chain are called in a legend."""
    return JOINTS if n == len(JOINTS) else tuple(f"joint {k + 1}" for k in range(n))


def tidy(panel: Any) -> None:
    """Give a panel a grid, and no frame above and to the right."""
    panel.grid(color=GRID)
    panel.spines[["top", "right"]].set_visible(False)


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
