"""Colours and the arm in the pictures of this paper."""

from typing import Any

from limbik.geometry.arrays import Array

# Okabe and Ito's colours, which colour-blind readers can distinguish.
BLUE, ORANGE, GREEN, GREY = "#0072b2", "#e69f00", "#009e73", "#8a8a8a"
INK, PALE = "#1f2d3d", "#c4cedb"


def arm(panel: Any, points: Array, colour: str = INK, width: float = 2.4, alpha: float = 1.0) -> None:
    """Draw an arm: segments, joints, and its shoulder."""
    panel.plot(*points.T, color=colour, lw=width, alpha=alpha, solid_capstyle="round", zorder=3)
    panel.plot(*points[1:-1].T, "o", color="white", mec=colour, ms=5, alpha=alpha, zorder=4)
    panel.plot(*points[0], "o", color=colour, ms=7, alpha=alpha, zorder=4)
