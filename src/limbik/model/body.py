"""A collision shape of a model, as the core takes it."""

from typing import NamedTuple

from limbik.model.shape import Shape, solid


class Body(NamedTuple):
    """A shape that moves with an element (-1: the base), in the element's frame.

    covers: the kind of body that it encloses, such as "cylinder"; "" if the shape is exact.
    """

    link: str
    element: int
    shape: Shape
    covers: str = ""

    @property
    def numbers(self) -> tuple[float, ...]:
        """The fourteen numbers that the core takes."""
        return (float(self.element), *solid(self.shape))
