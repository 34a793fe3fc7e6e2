"""A body with other bone lengths, many times over: what an estimate tries on its way, without a new model for each try.

The poses that a kernel is made of are linear in the factors of bones: each adds its own translation, turned by what stands
before it. So one compiled copy with each bone doubled tells how they change, and every other size is a sum. The model itself
(links, shapes, ranges) is made anew once, when the estimate is done.
"""

from dataclasses import replace
from functools import cached_property

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.compiled import make_kernel, mounts
from limbik.motion.capture.body import Body


class Resizing:
    """Quick copies of one body with factors on its bones. They compute as `Body.resized` does, but keep the model of the body."""

    def __init__(self, body: Body) -> None:
        self.body = body
        _ = body.ranges, body.groups, body.columns, body.bones, body.beyond, body.rest  # the copies share them

    @cached_property
    def _ways(self) -> tuple[Array, Array]:
        """What the poses are with factors of one, and what each bone adds, (numbers,) and (bones, numbers)."""
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
        base, added = self._ways
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
    of_elements, of_frames = mounts(body.compiled.elements, body.compiled.frames)
    return np.array(of_elements + of_frames)
