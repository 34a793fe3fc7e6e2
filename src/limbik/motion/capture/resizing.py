"""Fast copies of a body with other bone lengths, for the steps of an estimate.

The constant poses in a kernel are linear in the factors of bones: each bone adds its own rotated translation. So one compiled
copy with each bone doubled gives the derivatives, and every other size is a sum. The model (links, shapes, ranges) is rebuilt
once, at the end of the estimate.
"""

from dataclasses import replace
from functools import cached_property

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.compiled import make_kernel, placements
from limbik.motion.capture.body import Body


class Resizing:
    """Fast copies of one body with bone factors. They compute like `Body.resized`, but keep the model of the body."""

    def __init__(self, body: Body) -> None:
        self.body = body
        _ = body.ranges, body.groups, body.columns, body.bones, body.beyond, body.rest  # the copies share them

    @cached_property
    def _derivatives(self) -> tuple[Array, Array]:
        """The numbers of the poses for factors of one, and their derivatives, (numbers,) and (bones, numbers)."""
        body = self.body
        base = _numbers(body)
        added = [_numbers(body.resized(1.0 + one, body.offsets)) - base for one in np.eye(len(body.bones))]
        return base, np.array(added).reshape(-1, len(base))

    def resized(self, factors: Array, offsets: Array) -> Body:
        """Return the body with its bones multiplied by (bones,) factors and other offsets."""
        out = replace(self.body, offsets=offsets)
        for name in ("compiled", "ranges", "groups", "columns", "bones", "beyond", "rest"):
            out.__dict__[name] = self.body.__dict__[name]
        if np.all(factors == 1.0):
            return out
        base, added = self._derivatives
        compiled = self.body.compiled
        numbers = (base + (factors - 1.0) @ added).tolist()
        split = 12 * len(compiled.elements)
        kernel = make_kernel(
            compiled.name,
            compiled.n,
            compiled.tip,
            compiled.elements,
            compiled.frames,
            numbers[:split],
            numbers[split:],
        )
        out.__dict__["compiled"] = replace(compiled, kernel=kernel)
        return out


def _numbers(body: Body) -> Array:
    of_elements, of_frames = placements(body.compiled.elements, body.compiled.frames)
    return np.array(of_elements + of_frames)
