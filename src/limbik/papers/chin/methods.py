"""The thesis' methods under the names of its tables, and the settings with which limbik's methods repeat them.

The thesis does not give its stopping criteria. Here a method ends when the sum of squares is below 1e-8, which corresponds to
1e-4 in each residual, the default of its Newton routine. POWELL also runs with its own criterion, a small decrease relative to
the value. Since the minimum is 0, that criterion stops only at rounding errors, at three times the cost of the answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    counts as [units]. settings: those of the method. iterates: whether it reports the iterations that the thesis counts.
    """

    name: str
    method: str
    objective: str = "5.22"
    differences: bool = True
    radian: float = 1.0
    settings: Mapping[str, Any] = field(default_factory=lambda: {"value": STOP})
    iterates: bool = True


LM = Contestant("LM", "marquardt", "log", differences=False, radian=LINK)
NEWTON = Contestant("NEWTON", "newton")
BFGS = Contestant("BFGS", "bfgs")
FLETCHER = Contestant("FLETCHER", "fletcher")
FRPRM = Contestant("FRPRM", "frprm")
BROYDN = Contestant("BROYDN", "broyden")
BROYDN_BOX = Contestant("BROYDN without line search", "broyden_plain")
PSEUDOINVERSE = Contestant("NEWTON by pseudoinverse", "newton_pinv")
POWELL = Contestant("POWELL", "powell", settings={"value": 0.0})
POWELL_STOPPED = Contestant("POWELL ended as the others", "powell")
# PRAXIS, or nothing where NLopt, which has it, is not installed.
PRAXIS: tuple[Contestant, ...] = (Contestant("PRAXIS", "praxis", iterates=False),) if find_spec("nlopt") else ()
