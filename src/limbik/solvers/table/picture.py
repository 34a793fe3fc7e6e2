"""The common layout of table pictures: two panels, with the errors of candidates on the right."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import FileUnwritable, one_line
from limbik.formats.content.content import Content
from limbik.formats.source import need

MILLI = 1e3


@contextmanager
def page(content: Content, path: Path) -> Iterator[Any]:
    """Open a picture and yield its left panel, for the cells; save it at the end. Raises FileUnwritable, MissingExtra."""
    need("matplotlib", "plot", "drawing")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
    try:
        yield left
        _errors(right, content)
        found = content.statistics.get("random postures found [%]")
        known = "" if found is None else f", {found:.2f} % of random postures found"
        figure.suptitle(f"{content.robot}: {content.bytes / 1e3:.0f} KB{known}", fontsize=12)
        figure.savefig(path, dpi=110)
    except (OSError, ValueError) as error:
        raise FileUnwritable(f"cannot write the picture '{path}': {one_line(error)}") from None
    finally:
        pyplot.close(figure)


def _errors(panel: Any, content: Content) -> None:
    errors = content.statistics.get("position error of candidates [m]")
    if not isinstance(errors, dict):
        panel.set_axis_off()
        return
    edges, counts = np.array(errors["edges"]) * MILLI, np.array(errors["counts"], float)
    names = [f"{a:g} to {b:g}" for a, b in pairwise(edges)]
    panel.barh(names, 100 * counts / max(1.0, counts.sum()), color="#0072B2")
    panel.invert_yaxis()
    panel.set(xlabel="candidates [%]", ylabel="position error before correction [mm]", title="candidates")
