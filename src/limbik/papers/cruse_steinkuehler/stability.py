"""Local convergence: the spectral radius of a cycle at its fixed points.

"Each geometrically possible point ... as an attractor" (section 2). A posture is an attractor if a small disturbance of the
variables that are not clamped dies out: if all eigenvalues of the derivative of a cycle by these variables lie inside the unit
circle. In the inverse problem one direction is free: the postures with the tip in place are a curve of fixed points, so one
eigenvalue is 1. It is left out; the radius is the largest of the others. An error then falls by the factor of the radius in each
cycle, and to a hundredth in ln 100 / -ln radius cycles. Runs from disturbed postures check the derivative and the rate.
"""

import math
from pathlib import Path

import numpy as np

from limbik.geometry.angles import wrap
from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim, at_most
from limbik.papers.cruse_steinkuehler.arm import COMFORTABLE, INVERSE, KINDS, clamped, network
from limbik.papers.cruse_steinkuehler.drawing import INK, PALE, arm
from limbik.papers.cruse_steinkuehler.random_problems import BOTH_WAYS, ONE_WAY, drawn, is_convex
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.plots.style import begin, save
from limbik.solvers.relaxation.angle_network import AngleNetwork

UPDATES = ("parallel", "sequential")
POSTURES = ("convex", "not convex")
FULL, QUICK = 300, 40
CELLS = (61, 17)
# The step of the central differences [rad, segments], and the change in a cycle up to which a state counts as a fixed point.
DIFFERENCE, FIXED = 1e-6, 1e-8
# A small disturbance [rad, segments], and the number of cycles that the derivative predicts.
SMALL, PREDICTED = 1e-6, 10
# Cycles to a fixed point; the disturbance of runs whose rate is measured, and the changes between which it is [rad, segments].
SETTLING, DISTURBED, RATED = 3000, 1e-2, (1e-9, 1e-13)
REACH, PERCENT = 3.0, 100.0
# Closer to straight than this, the derivative of an arc cosine exceeds a thousand [rad]; the mark of such points.
STRAIGHT, NO_DERIVATIVE = 1e-3, -1.0
# Every posture keeps this distance from limits of the arc cosine and from short sides, where a cycle has no derivative.
CLEAR = 0.15


def derivative(net: AngleNetwork, state: Array, held: Array) -> Array:
    """Return the derivative of a cycle by the variables that are not clamped. held: clamped values, NaN for free ones."""
    loose = np.flatnonzero(np.isnan(held))
    J = np.empty((len(loose), len(loose)))
    for column, v in enumerate(loose):
        step = np.zeros(len(state))
        step[v] = DIFFERENCE
        J[:, column] = ((_cycle(net, state + step, held) - _cycle(net, state - step, held)) / (2 * DIFFERENCE))[loose]
    return J


def spectral_radius(net: AngleNetwork, state: Array, held: Array, free: int) -> float:
    """Return the largest absolute eigenvalue of a cycle's derivative, without the `free` eigenvalues closest to 1.

    Infinite at a state that is not a fixed point.
    """
    if not np.abs(_cycle(net, state, held) - state).max() <= FIXED:
        return math.inf
    eigenvalues = np.linalg.eigvals(derivative(net, state, held))
    others = eigenvalues[np.argsort(np.abs(eigenvalues - 1.0))][free:]
    return float(np.abs(others).max())


def nonlinear_part(net: AngleNetwork, state: Array, held: Array, rng: np.random.Generator) -> float:
    """Return the share of a small disturbance that the derivative does not predict after some cycles of the network."""
    loose = np.isnan(held)
    disturbed = SMALL * rng.uniform(-1, 1, len(state)) * loose
    real = net.run(state + disturbed, held, cycles=PREDICTED).states[-1] - state
    J = np.linalg.matrix_power(derivative(net, state, held), PREDICTED)
    predicted = J @ disturbed[loose]
    return float(np.linalg.norm(real[loose] - predicted) / np.linalg.norm(predicted))


def _cycle(net: AngleNetwork, state: Array, held: Array) -> Array:
    return np.asarray(net.run(state, held, cycles=1).states[-1])


def rate(net: AngleNetwork, state: Array, held: Array, rng: np.random.Generator) -> float:
    """Return the factor by which a disturbance of a fixed point really falls in a cycle; NaN if it does not die out."""
    loose = np.isnan(held)
    changes = net.run(state + DISTURBED * rng.uniform(-1, 1, len(state)) * loose, held, cycles=SETTLING).change
    inside = np.flatnonzero((changes < RATED[0]) & (changes > RATED[1]))
    if len(inside) < 4:
        return math.nan
    # the slope of a line through the changes, which swing where eigenvalues are complex
    return float(math.exp(np.polyfit(inside, np.log(changes[inside]), 1)[0]))


def _clear(net: AngleNetwork, state: Array) -> bool:
    """Return whether a posture is away from straight, folded and short triangles."""
    angles = [state[k] for k, name in enumerate(net.variables) if name in net.triangles.angles]
    sides = [state[k] for k, name in enumerate(net.variables) if name in net.triangles.distances]
    return min(sides) > CLEAR and all(CLEAR < abs(wrap(a)) < math.pi - CLEAR for a in angles)


def measure(setting: Setting) -> Findings:
    """Compute the radius at random postures in every kind of problem, and over the workspace where the inverse problem ends."""
    values: dict[str, float] = {}
    worst, rates = 0.0, []
    for update in UPDATES:
        net = network(update=update)
        for kind in KINDS:
            for posture in POSTURES:
                rng = setting.rng()
                radii: list[float] = []
                while len(radii) < setting.size(FULL, QUICK):
                    state = net.state(drawn(rng, ONE_WAY if posture == "convex" else BOTH_WAYS))
                    if not _clear(net, state) or (posture == "convex") != is_convex(net, state):
                        continue
                    held = clamped(net, kind, dict(zip(net.variables, state.tolist(), strict=True)))
                    free = int(kind == INVERSE)
                    radii.append(spectral_radius(net, state, held, free))
                    if posture == "convex" and radii[-1] < 1.0 and len(radii) <= QUICK // 2:
                        worst = max(worst, nonlinear_part(net, state, held, rng))
                        rates.append(abs(math.log(rate(net, state, held, rng)) / math.log(radii[-1]) - 1.0))
                values |= _summary(f"{update}, {kind}, {posture}", np.array(radii))
    values |= {"rate": PERCENT * float(np.nanmedian(rates)), "compared": float(len(rates)), "linear": PERCENT * worst}
    maps = {update: over_workspace(update, setting.size(*CELLS)) for update in UPDATES}
    for update, drawn_radii in maps.items():
        inside = drawn_radii[~np.isnan(drawn_radii)]
        smooth = inside[inside != NO_DERIVATIVE]
        values[f"{update}, workspace: median"] = float(np.median(smooth))
        values[f"{update}, workspace: attractors"] = PERCENT * float(np.mean(smooth < 1.0))
        values[f"{update}, workspace: straight"] = PERCENT * (1.0 - len(smooth) / len(inside))
    return Findings(values, (Picture("spectral_radius", lambda path: draw(maps, path)),))


def _summary(name: str, radii: Array) -> dict[str, float]:
    stable = radii[radii < 1.0]
    median = float(np.median(stable)) if len(stable) else math.nan
    return {
        f"{name}: attractors": PERCENT * float(np.mean(radii < 1.0)),
        f"{name}: median": median,
        f"{name}: cycles": math.log(100.0) / -math.log(median) if len(stable) else math.nan,
    }


def over_workspace(update: str, cells: int) -> Array:
    """Return the radius at the states in which the inverse problem ends, from the comfortable start, (cells, cells).

    NaN outside the workspace, infinite where the network does not come to rest, NO_DERIVATIVE where a triangle is straight.
    """
    net = network(update=update)
    start, axis = net.begin(COMFORTABLE), np.linspace(-REACH, REACH, cells)
    out = np.full((cells, cells), np.nan)
    for i, y in enumerate(axis):
        for j, x in enumerate(axis):
            R = math.hypot(x, y)
            if R > REACH:
                continue
            known = dict.fromkeys(net.variables, 0.0) | {"R": R, "rho": math.atan2(y, x)}
            held = clamped(net, INVERSE, known)
            end = net.run(start, held, cycles=SETTLING, tolerance=FIXED / 100).states[-1]
            out[i, j] = spectral_radius(net, end, held, 1) if _smooth(net, end) else NO_DERIVATIVE
    return out


def _smooth(net: AngleNetwork, state: Array) -> bool:
    """Return whether no triangle is straight or folded, where an arc cosine has no derivative, and no side is at the guard."""
    angles = np.array([state[k] for k, name in enumerate(net.variables) if name in net.triangles.angles])
    sides = [state[k] for k, name in enumerate(net.variables) if name in net.triangles.distances]
    return bool((angles > STRAIGHT).all() and (angles < math.pi - STRAIGHT).all() and min(sides) > net.least_side)


def draw(maps: dict[str, Array], path: Path) -> None:
    """Draw the radius over the workspace, with the start."""
    pyplot = begin()
    figure, panels = pyplot.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained", sharey=True)
    net, image = network(), None
    for panel, (update, radii) in zip(panels, maps.items(), strict=True):
        colours = pyplot.get_cmap("viridis_r").with_extremes(over="#7a0019", under=PALE)
        edge = REACH * (1 + 1 / (len(radii) - 1))
        image = panel.imshow(
            np.where(np.isinf(radii), 2.0, radii), origin="lower", extent=(-edge, edge, -edge, edge), cmap=colours,
            vmin=0.4, vmax=1.0,
        )  # fmt: skip
        arm(panel, net.points(net.directions(COMFORTABLE)), "white", 4.5)
        arm(panel, net.points(net.directions(COMFORTABLE)), INK, 2.0)
        panel.set_title(update, fontsize=10)
    figure.colorbar(
        image,
        ax=panels,
        extend="both",
        label="spectral radius (dark red: 1 or more, or no rest;\npale: a straight triangle, no derivative)",
        shrink=0.9,
    )
    figure.suptitle("Inverse problem: local convergence where the network comes to rest", fontsize=11)
    save(figure, path)


def _claims() -> tuple[Claim, ...]:
    claims = []
    for update in UPDATES:
        for kind in KINDS:
            for posture in POSTURES:
                name = f"{update}, {kind}, {posture}"
                for what, column, unit in (
                    ("attractors", "attractors", "%"),
                    ("median", "median radius", ""),
                    ("cycles", "cycles to a hundredth", "cycles"),
                ):
                    claims.append(Claim(f"{name}: {what}", f"local convergence, {name}: {column}", unit,
                                        cell=Cell("local convergence at random postures (radius and cycles: of attractors)",
                                                  name, column)))  # fmt: skip
        for what, text, unit in (
            ("median", "median spectral radius", ""),
            ("attractors", "share of the points with a derivative that have a radius below 1", "%"),
            ("straight", "points that end with a straight, folded or short triangle, without a derivative", "%"),
        ):
            claims.append(
                Claim(f"{update}, workspace: {what}", f"inverse problem over the workspace, {update}: {text}", unit)
            )
    claims += [
        # a law: the derivative predicts small disturbances, up to their squares
        Claim("linear", f"derivative of a cycle: share of a disturbance that it does not predict after {PREDICTED} cycles", "%",
              bar=at_most(1.0)),
        Claim("rate", "rate of real runs beside the spectral radius: median difference of the logarithms", "%"),
        Claim("compared", "runs whose rate was compared", "runs"),
    ]  # fmt: skip
    return tuple(claims)


EXPERIMENT = Experiment(
    name="local convergence",
    claims=_claims(),
    measure=measure,
    notes=(
        "the paper calls a proof of convergence work in progress; the radius decides it at a fixed point, for small disturbances",
    ),
)
