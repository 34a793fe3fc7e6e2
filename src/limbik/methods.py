"""The methods, with their settings as fields.

>>> import limbik as lk
>>> arm = lk.load("ur5")
>>> arm.solve(arm.forward(arm.home + 0.2), method=lk.methods.Dls(damping=0.05)).ok
True

A method may also be given by name, `method="dls"`, or by name with settings, `method="dls:damping=0.05"`. To add a
method, derive a class from `Iterative` (with `iterate`) or from `Method` (with `prepare`), and `register` an object of
it. It is then available in `solve`, the shell and the contract tests. CONTRIBUTING.md has the steps.
"""

from typing import Any, Protocol

from limbik.model.model import Model
from limbik.solvers.closed_form.method import ClosedForm
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
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.pseudoinverse import Pseudoinverse
from limbik.solvers.iterative.rosen import Rosen
from limbik.solvers.iterative.sqp import Sqp
from limbik.solvers.iterative.sr_inverse import SrInverse
from limbik.solvers.iterative.steepest import Steepest
from limbik.solvers.iterative.transpose import Transpose
from limbik.solvers.iterative.trf import Trf
from limbik.solvers.iterative.tsai_orin import TsaiOrin
from limbik.solvers.method import Candidate, Method, Proof, Solver
from limbik.solvers.neural.method import Neural
from limbik.solvers.query import Options, Query, make_query
from limbik.solvers.registry import register
from limbik.solvers.relaxation.method import Mmc
from limbik.solvers.solve import trace as _trace
from limbik.solvers.table.method import Table
from limbik.solvers.trace import Trace

__all__ = [
    "Bfgs", "Broyden", "BroydenPlain", "Candidate", "Ccd", "CcdBfgs", "ClosedForm", "Dfp", "Dls", "Fabrik", "Fletcher",
    "FletcherReeves", "Frprm", "Goldenberg", "Iterative", "Lm", "Marquardt", "Method", "Mmc", "Neural", "Newton", "NewtonPinv",
    "Options", "Powell", "Praxis", "Problem", "Proof", "Pseudoinverse", "Query", "Rosen", "Solver", "Sqp", "SrInverse",
    "Steepest", "Table", "Trace", "Transpose", "Trf", "TsaiOrin", "register", "trace",
]  # fmt: skip


class _Robot(Protocol):
    @property
    def model(self) -> Model: ...


def trace(
    arm: _Robot, T: Any, seed: Any = None, method: str | Method = "bfgs", *, limits: bool = True, objective: str = "log"
) -> Trace:
    """Return the iterations of a method from the seed until it stops: every configuration, error and count.

    arm: a chain. T: (4, 4), or a Position goal. objective: the residual, "log", or "5.22" or "5.26" of Chin's thesis. One
    attempt, no restarts: `lk.methods.trace(arm, T, method="ccd").position_error`.
    """
    return _trace(arm.model, make_query(arm.model, T, seed, limits=limits), method, objective)
