"""Method "closed_form": every configuration from the geometry, where the chain decouples."""

from dataclasses import dataclass

from limbik._core import Answer
from limbik.errors import BadOption
from limbik.model.model import Model
from limbik.solvers.compiled import ClosedFormSolver
from limbik.solvers.method import Method
from limbik.solvers.query import Options
from limbik.solvers.solver_set import solver_set
from limbik.solvers.wording import explain_closed_form


@dataclass(frozen=True)
class ClosedForm(Method):
    """The closed form, then attempts where it is inconclusive.

    For a chain with one free joint, configurations at the seed's value of that joint come first; by default they do not.
    """

    name = "closed_form"
    title = "all postures from the geometry, if the chain decouples"
    family = "closed_form"

    def prepare(self, model: Model, options: Options) -> ClosedFormSolver:
        """Return the solver. Raises BadOption for a chain without closed form."""
        if model.is_tree or solver_set(model, *options).form is None:
            raise BadOption(
                "method='closed_form': this chain has none (see its `structure`); leave method out, or use 'lm'"
            )
        return ClosedFormSolver(model, options, listed=True)

    def explain(self, answer: Answer, how: str, branch: str) -> str:
        """Return one sentence about an answer."""
        return explain_closed_form(answer, how, branch)

    def basis(self, how: str) -> str:
        """Return the basis of a list of all configurations."""
        return f"closed form ({how})"
