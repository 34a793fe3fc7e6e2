"""The methods, one row each: choices of the shell, tables of the documents and contract tests are computed from it."""

from typing import Any

from limbik.errors import BadOption, shown, suggest
from limbik.model.model import Model
from limbik.solvers.closed_form.method import ClosedForm
from limbik.solvers.compiled import AttemptSolver, ClosedFormSolver
from limbik.solvers.iterative.bfgs import Bfgs
from limbik.solvers.iterative.broyden import Broyden
from limbik.solvers.iterative.broyden_plain import BroydenPlain
from limbik.solvers.iterative.ccd import Ccd
from limbik.solvers.iterative.ccd_bfgs import CcdBfgs
from limbik.solvers.iterative.dfp import Dfp
from limbik.solvers.iterative.dls import Dls
from limbik.solvers.iterative.fabrik import Fabrik
from limbik.solvers.iterative.fletcher import Fletcher
from limbik.solvers.iterative.fletcher_reeves import FletcherReeves
from limbik.solvers.iterative.frprm import Frprm
from limbik.solvers.iterative.goldenberg import Goldenberg
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.lm import Lm
from limbik.solvers.iterative.marquardt import Marquardt
from limbik.solvers.iterative.newton import Newton
from limbik.solvers.iterative.newton_pinv import NewtonPinv
from limbik.solvers.iterative.powell import Powell
from limbik.solvers.iterative.praxis import Praxis
from limbik.solvers.iterative.pseudoinverse import Pseudoinverse
from limbik.solvers.iterative.rosen import Rosen
from limbik.solvers.iterative.sqp import Sqp
from limbik.solvers.iterative.sr_inverse import SrInverse
from limbik.solvers.iterative.steepest import Steepest
from limbik.solvers.iterative.transpose import Transpose
from limbik.solvers.iterative.trf import Trf
from limbik.solvers.iterative.tsai_orin import TsaiOrin
from limbik.solvers.method import Method, Solver
from limbik.solvers.neural.method import Neural
from limbik.solvers.query import Options, Query
from limbik.solvers.relaxation.method import Mmc
from limbik.solvers.solver_set import solver_set
from limbik.solvers.table.method import Table

METHODS: dict[str, Method] = {}


def register(method: Method) -> Method:
    """Add a method to the registry, under its name, and return it. Raises BadOption for a name that is taken."""
    if not isinstance(method, Method):
        raise BadOption(f"{shown(method)} is no Method; derive a class from limbik.methods.Method and give an object")
    if method.name in METHODS:
        raise BadOption(f"there is a method {method.name!r} already; give the new one another name")
    METHODS[method.name] = method
    return method


for _method in (
    ClosedForm(), Lm(), Table(), Neural(), Marquardt(), Newton(), NewtonPinv(), Broyden(), BroydenPlain(), Bfgs(), Dfp(),
    Fletcher(), Frprm(), FletcherReeves(), Steepest(), Powell(), Praxis(), Transpose(), Pseudoinverse(), Dls(), SrInverse(),
    Ccd(), CcdBfgs(), Goldenberg(), Rosen(), TsaiOrin(), Fabrik(), Mmc(), Sqp(), Trf(),
):  # fmt: skip
    register(_method)


def method_named(given: Any) -> Method:
    """Return a method: itself, by its name, or by name and settings ("dls:damping=0.05"). Raises BadOption."""
    if isinstance(given, Method):
        return given
    name, _, settings = given.partition(":") if isinstance(given, str) else (given, "", "")
    if not isinstance(name, str) or name not in METHODS:
        raise BadOption(f"no method {given!r}; {suggest(str(name), METHODS).replace('it has', 'there are', 1)}")
    return METHODS[name].from_text(settings) if settings else METHODS[name]


def iterative(given: Any) -> Iterative:
    """Return an iterative method, by name or as it is. Raises BadOption for another."""
    method = method_named(given)
    if not isinstance(method, Iterative):
        names = {name: row for name, row in METHODS.items() if row.iterative}
        raise BadOption(f"method={method.name!r} is not iterative; {suggest(method.name, names)}")
    return method


def automatic(model: Model, query: Query) -> Solver:
    """Return the solver where no method is named: the closed form; where there is none, attempts by lm.

    A table leads to all configurations, but the first one is found sooner without: it is used where the caller chooses among
    several.
    """
    if query.goals or model.is_tree:
        return AttemptSolver(model, query.options)
    solvers = solver_set(model, *query.options)
    if solvers.form is not None:
        return ClosedFormSolver(model, query.options)
    if query.preference.chooses and solvers.table is not None:
        return Table().prepare(model, query.options)
    return AttemptSolver(model, query.options)


def prepared(model: Model, query: Query, method: Any) -> Solver:
    """Return the solver of a method for a query; None chooses one. Raises BadOption."""
    return automatic(model, query) if method is None else method_named(method).prepare(model, query.options)


__all__ = ["METHODS", "Method", "Options", "automatic", "iterative", "method_named", "prepared", "register"]
