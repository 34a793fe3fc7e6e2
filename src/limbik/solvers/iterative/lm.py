"""Method "lm": Levenberg-Marquardt in the compiled core, for poses and for any goals."""

from dataclasses import dataclass

from limbik.model.model import Model
from limbik.solvers.compiled import AttemptSolver
from limbik.solvers.method import Method
from limbik.solvers.query import Options


@dataclass(frozen=True)
class Lm(Method):
    """Attempts from the seed and from a table of starts, verified; see `levenberg_marquardt.py` for the theory."""

    name = "lm"
    title = "Levenberg-Marquardt in lanes, verified, with a table of starts"
    family = "iterative"
    goals = ("*",)

    def prepare(self, model: Model, options: Options) -> AttemptSolver:
        """Return the solver."""
        return AttemptSolver(model, options)
