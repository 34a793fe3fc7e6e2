"""The methods, one row each: choices of the shell, tables of the documents and contract tests are computed from it."""

from dataclasses import dataclass

from limbik.errors import BadOption, suggest


@dataclass(frozen=True)
class Method:
    """One method: its name, what it is in a few words, its family, and the goals that it takes, by name; "*" is any number
    of any goals.
    """

    name: str
    title: str
    family: str
    goals: tuple[str, ...] = ("Pose",)
    # The module of a method that goes step by step (see stepping.py); none for the two that the core holds.
    module: str = ""
    # Whether it ends within the tolerances from a start nearby; some methods of the past do not get that far.
    exact: bool = True


def _stepping(
    name: str, title: str, goals: tuple[str, ...] = ("Pose", "Position"), *, exact: bool = True, file: str | None = None
) -> Method:
    """Return the row of a method that goes step by step, in the file of its name or another."""
    return Method(name, title, "iterative", goals, f"limbik.solvers.iterative.{file or name}", exact)


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("closed_form", "every posture from the geometry, where the chain comes apart", "closed_form"),
        Method("lm", "Levenberg-Marquardt in lanes, verified, with a table of starts", "iterative", ("*",)),
        Method("table", "look-up in a table made beforehand, then lm from there, verified", "table"),
        Method(
            "neural",
            "a network that has learned the arm says where to begin, then Levenberg-Marquardt, verified",
            "neural",
        ),
        _stepping("marquardt", "Levenberg-Marquardt, step by step"),
        _stepping("newton", "Newton's method with LU and a line search"),
        _stepping("newton_pinv", "Newton's method by the pseudoinverse, whole steps"),
        _stepping("broyden", "Broyden's method: Newton's with a derivative kept up to date"),
        # nothing bounds its steps: about 1 start in 500 nearby, where the arm is nearly singular, is lost
        _stepping("broyden_plain", "Broyden's method with whole steps, as in Chin's thesis", exact=False),
        _stepping("bfgs", "Broyden-Fletcher-Goldfarb-Shanno: quasi-Newton with a line search"),
        _stepping("dfp", "Davidon-Fletcher-Powell: the first quasi-Newton method"),
        _stepping("fletcher", "Fletcher's switch between DFP and BFGS"),
        _stepping("frprm", "conjugate gradients, Polak-Ribiere"),
        _stepping("fletcher_reeves", "conjugate gradients, Fletcher-Reeves"),
        # it zigzags: two in five starts nearby are short of the tolerance after 300 steps
        _stepping("steepest", "steepest descent", exact=False),
        _stepping("powell", "Powell's directions, no derivatives"),
        _stepping("praxis", "Brent's principal axes, no derivatives; by NLopt"),
        # the share of the error that a step leaves is set by the square of the condition number: 1000 steps are often too few
        _stepping("transpose", "Jacobian transpose with the step length of Buss", exact=False),
        _stepping("pseudoinverse", "resolved motion: pseudoinverse of the Jacobian, bounded steps"),
        _stepping("dls", "damped least squares with a constant damping"),
        _stepping("sr_inverse", "singularity-robust inverse: damping by manipulability"),
        # joints that pull against each other zigzag: the last digits come slowly, or not at all in a corner of limits
        _stepping("ccd", "cyclic coordinate descent, each joint in closed form inside its limits", exact=False),
        _stepping("ccd_bfgs", "cyclic coordinate descent until near, then BFGS"),
        _stepping("goldenberg", "modified Newton with step reduction at the limits"),
        _stepping("rosen", "Rosen's gradient projection with limits as constraints, as in Jack"),
        _stepping("tsai_orin", "integration of joint rates with feedback"),
        # points know nothing of axes: the fit to hinges undoes a part of each round
        _stepping("fabrik", "forward and backward reaching, then angles hinge by hinge", exact=False),
        Method(
            "mmc",
            "relaxation of points (MMC), then angles hinge by hinge and an exact finish",
            "relaxation",
            ("Pose", "Position"),
            "limbik.solvers.relaxation.method",
        ),
        _stepping("sqp", "sequential quadratic programming inside the limits (SLSQP)"),
        _stepping("trf", "trust region inside the limits, by reflection (TRF)"),
    )
}


def choose(name: str | None, *, closed: bool, table: bool = False) -> Method:
    """Return the method of that name; none chooses the best there is. closed, table: what the chain has. Raises BadOption."""
    if name is None:
        return METHODS["closed_form" if closed else "table" if table else "lm"]
    if not isinstance(name, str) or name not in METHODS:
        raise BadOption(f"no method {name!r}; {suggest(str(name), METHODS).replace('it has', 'there are', 1)}")
    if name == "closed_form" and not closed:
        raise BadOption(
            "method='closed_form': this chain has none (see its `structure`); leave method out, or use 'lm'"
        )
    return METHODS[name]
