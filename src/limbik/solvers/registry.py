"""The registry of methods, one row each. The shell, the tables in the documents and the contract tests use it."""

import importlib
from collections.abc import Iterator, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any

from limbik.errors import BadOption, shown, suggest
from limbik.model.model import Model
from limbik.solvers.compiled import AttemptSolver, ClosedFormSolver
from limbik.solvers.method import Method, Solver
from limbik.solvers.query import Options, Query
from limbik.solvers.solver_set import solver_set

if TYPE_CHECKING:
    from limbik.solvers.iterative.iterative import Iterative

# The name of each method, and its class in `limbik.solvers`. The object is created on first access.
ROWS = {
    "closed_form": "closed_form.method.ClosedForm",
    "lm": "iterative.lm.Lm",
    "table": "table.method.Table",
    "neural": "neural.method.Neural",
    "marquardt": "iterative.marquardt.Marquardt",
    "newton": "iterative.newton.Newton",
    "newton_pinv": "iterative.newton_pinv.NewtonPinv",
    "broyden": "iterative.broyden.Broyden",
    "broyden_plain": "iterative.broyden_plain.BroydenPlain",
    "bfgs": "iterative.bfgs.Bfgs",
    "dfp": "iterative.dfp.Dfp",
    "fletcher": "iterative.fletcher.Fletcher",
    "frprm": "iterative.frprm.Frprm",
    "fletcher_reeves": "iterative.fletcher_reeves.FletcherReeves",
    "steepest": "iterative.steepest.Steepest",
    "powell": "iterative.powell.Powell",
    "praxis": "iterative.praxis.Praxis",
    "transpose": "iterative.transpose.Transpose",
    "pseudoinverse": "iterative.pseudoinverse.Pseudoinverse",
    "dls": "iterative.dls.Dls",
    "sr_inverse": "iterative.sr_inverse.SrInverse",
    "ccd": "iterative.ccd.Ccd",
    "ccd_bfgs": "iterative.ccd_bfgs.CcdBfgs",
    "goldenberg": "iterative.goldenberg.Goldenberg",
    "rosen": "iterative.rosen.Rosen",
    "tsai_orin": "iterative.tsai_orin.TsaiOrin",
    "fabrik": "iterative.fabrik.Fabrik",
    "mmc": "relaxation.method.Mmc",
    "sqp": "iterative.sqp.Sqp",
    "trf": "iterative.trf.Trf",
}


class Registry(Mapping[str, Method]):
    """The methods by name."""

    def __init__(self) -> None:
        self._rows: dict[str, str | Method] = dict(ROWS)
        self._lock = Lock()

    def __getitem__(self, name: str) -> Method:
        row = self._rows[name]
        if isinstance(row, Method):
            return row
        module, _, kind = row.rpartition(".")
        made = getattr(importlib.import_module(f"limbik.solvers.{module}"), kind)()
        with self._lock:  # two simultaneous first accesses return the same object
            row = self._rows[name]
            if isinstance(row, str):
                row = self._rows[name] = made
        return row

    def __contains__(self, name: object) -> bool:
        return name in self._rows  # without creating the object

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, method: Method) -> None:
        """Add a method under its name."""
        self._rows[method.name] = method


METHODS = Registry()


def register(method: Method) -> Method:
    """Add a method to the registry, under its name, and return it. Raises BadOption for a name that is taken."""
    if not isinstance(method, Method):
        raise BadOption(f"{shown(method)} is no Method; derive a class from limbik.methods.Method and pass an object")
    if not isinstance(method.name, str) or not method.name.isidentifier():
        raise BadOption(f"the name of a method is a word such as 'my_newton'; got {shown(method.name)}")
    if method.name in METHODS:
        raise BadOption(f"there is a method {method.name!r} already; give the new one another name")
    METHODS.add(method)
    return method


def method_named(given: Any) -> Method:
    """Return a method: itself, by its name, or by name and settings ("dls:damping=0.05"). Raises BadOption."""
    if isinstance(given, Method):
        return given
    name, colon, settings = given.partition(":") if isinstance(given, str) else (given, "", "")
    if not isinstance(name, str) or name not in METHODS:
        raise BadOption(f"no method {given!r}; {suggest(str(name), METHODS).replace('it has', 'there are', 1)}")
    return METHODS[name].from_text(settings) if colon else METHODS[name]


def traceable() -> tuple[str, ...]:
    """Return the names of the methods whose steps can be traced: the iterative ones."""
    from limbik.solvers.iterative.iterative import Iterative

    return tuple(name for name, method in METHODS.items() if isinstance(method, Iterative))


def iterative(given: Any) -> "Iterative":
    """Return an iterative method: itself, or by its name. Raises BadOption if the method is not iterative."""
    from limbik.solvers.iterative.iterative import Iterative

    method = method_named(given)
    if not isinstance(method, Iterative):
        others = suggest(method.name, traceable()).replace("it has", "there are", 1)
        raise BadOption(f"method={method.name!r} is not iterative, so it has no trace; {others}")
    return method


def automatic(model: Model, query: Query) -> Solver:
    """Return the default solver: the closed form if there is one, else attempts by lm.

    A table gives all configurations, but attempts find the first one sooner. It is used if the caller chooses among several.
    """
    if query.goals or model.is_tree:
        return AttemptSolver(model, query.options)
    solvers = solver_set(model, *query.options)
    if solvers.form is not None:
        return ClosedFormSolver(model, query.options)
    if query.preference.chooses and solvers.table is not None:
        return METHODS["table"].prepare(model, query.options)
    return AttemptSolver(model, query.options)


def prepared(model: Model, query: Query, method: Any) -> Solver:
    """Return the solver of a method for a query; None chooses one. Raises BadOption."""
    if method is None:
        return automatic(model, query)
    chosen = method_named(method)
    solver = chosen.prepare(model, query.options)
    if not isinstance(solver, Solver):
        raise BadOption(f"`prepare` of method {chosen.name!r} returns a Solver, not {shown(solver)}")
    return solver


__all__ = [
    "METHODS",
    "Method",
    "Options",
    "automatic",
    "iterative",
    "method_named",
    "prepared",
    "register",
    "traceable",
]
