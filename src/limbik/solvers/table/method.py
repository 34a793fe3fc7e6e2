"""Method "table": candidates from a precomputed table, then Levenberg-Marquardt from them."""

from collections.abc import Iterator
from dataclasses import dataclass

from limbik._core import Answer
from limbik.errors import BadOption
from limbik.model.model import Model
from limbik.solvers.attachments import TABLE, attached
from limbik.solvers.compiled import AttemptSolver, by_distance, one_pose
from limbik.solvers.method import Found, Method
from limbik.solvers.query import Options, Query
from limbik.solvers.solver_set import solver_set
from limbik.solvers.wording import explain_attempts


@dataclass(frozen=True)
class Table(Method):
    """Look-up in the attached table."""

    name = "table"
    title = "look-up in a precomputed table, then lm from its candidates, verified"
    family = "table"

    def prepare(self, model: Model, options: Options) -> "TableLookup":
        """Return the solver. Raises BadOption for a chain without table."""
        table = None if model.is_tree else solver_set(model, *options).table
        if table is None and attached(model, TABLE) is None:
            raise BadOption(f"method='table': '{model.name}' has no table; attach one: arm.with_table(file)")
        if table is None:
            raise BadOption("method='table' with limits=False: the table holds postures inside the limits only")
        return TableLookup(model, options, name=self.name, starts=table)

    def explain(self, answer: Answer, how: str, branch: str) -> str:
        """Return one sentence about an answer. If no candidate of the table converges, attempts follow."""
        if answer.ok and answer.attempt < 0:
            return f"solved by look-up in the table, then lm from candidate {answer.tried}, {answer.steps} steps in all"
        if answer.ok and answer.attempt == 0:
            return "solved by lm from the seed, without look-up in the table"
        return explain_attempts(answer, "lm (no candidate of the table converged)")

    def basis(self, how: str) -> str:
        """Return the basis of a list of all configurations."""
        return "look-up in the table, so there may be more"


@dataclass(frozen=True, eq=False)
class TableLookup(AttemptSolver):
    """Attempts from the table's candidates; all solutions from the table if the caller chooses among several."""

    trusted = True

    def unfit(self, query: Query) -> str | None:
        """Return why a query is not acceptable: it takes one pose."""
        return one_pose(self.name) if query.goals else super().unfit(query)

    def candidates(self, query: Query) -> Iterator[Found]:
        """Yield the solutions from the table, the closest first; attempts if no candidate converges."""
        table = self.solvers.table
        if query.preference.chooses and table is not None:
            seed = self.model.ranges.home if query.seed is None else query.seed
            every = by_distance(table.solve_all(query.target, query.seed), seed)
            if every:
                yield from every
                return
        yield from super().candidates(query)
