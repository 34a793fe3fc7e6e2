"""The thesis' methods under the names of its tables, and the settings with which limbik's methods repeat them.

The thesis does not give its stopping criteria. Here a method ends when the sum of squares is below 1e-8, which corresponds to
1e-4 in each residual, the default of its Newton routine. POWELL also runs with its own criterion, a small decrease relative to
the value. Since the minimum is 0, that criterion stops only at rounding errors, at three times the cost of the answer.

Derivatives are counted as in the thesis. NEWTON and BROYDN difference the residuals: 22 evaluations are 1 + 3 (6 + 1) (Table
C.2). BFGS, FLETCHER and FRPRM have the gradient (5.31) from the Jacobian, which costs no evaluation: 47 evaluations in 9
iterations (Table C.2) leave no room for differences, which alone would need 10 x 6.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any

# The sum of squares [units and radians, squared] at which methods end.
STOP = 1e-8
# The weight of an angle beside a length for Levenberg-Marquardt: about the length of a link [units].
LINK = 50.0


@dataclass(frozen=True)
class Contestant:
    """A method under its name in the thesis' tables, and its settings; the defaults are those of the thesis.

    objective: the function to minimise. differences: whether derivatives are differenced. radian: the length that one radian
    counts as [units]. settings: those of the method. derivatives: whether the method uses any.
    """

    name: str
    method: str
    objective: str = "5.22"
    differences: bool = True
    radian: float = 1.0
    settings: Mapping[str, Any] = field(default_factory=lambda: {"value": STOP})
    derivatives: bool = True

    def at(self, stop: float, differences: bool) -> "Contestant":
        """Return the method with another sum of squares at which it ends, and with differenced or exact derivatives."""
        return replace(self, settings={**self.settings, "value": stop}, differences=differences)


LM = Contestant("LM", "marquardt", "log", differences=False, radian=LINK)
NEWTON = Contestant("NEWTON", "newton")
BFGS = Contestant("BFGS", "bfgs", differences=False)
FLETCHER = Contestant("FLETCHER", "fletcher", differences=False)
FRPRM = Contestant("FRPRM", "frprm", differences=False)
BROYDN = Contestant("BROYDN", "broyden")
BROYDN_BOX = Contestant("BROYDN without line search", "broyden_plain")
PSEUDOINVERSE = Contestant("NEWTON by pseudoinverse", "newton_pinv")
POWELL = Contestant("POWELL", "powell", settings={"value": 0.0}, derivatives=False)
POWELL_STOPPED = Contestant("POWELL ended as the others", "powell", derivatives=False)
# PRAXIS, or nothing where NLopt, which has it, is not installed.
PRAXIS: tuple[Contestant, ...] = (Contestant("PRAXIS", "praxis", derivatives=False),) if find_spec("nlopt") else ()
