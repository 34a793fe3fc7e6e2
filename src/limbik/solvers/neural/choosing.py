"""Examples of a redundant arm, chosen by a secondary objective among the postures (configurations) of a target.

Guez and Ahmad leave this to future work: a network need not imitate the posture that an example happens to have. Here several
postures of each target move in the null space of the Jacobian to increase the objective. A step is tried in both senses along
every null-space direction, projected back onto the target by Newton's method, and accepted if the objective has increased;
otherwise the next step is half as long. The best result is the example.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from limbik._core import pose_error
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.model.model import Model
from limbik.solvers.levenberg_marquardt import make_solver
from limbik.solvers.neural.content import scale_of
from limbik.solvers.neural.examples import BEGINNING, Drawn, Kept
from limbik.solvers.neural.settings import FEWEST, Settings

Objective = Callable[[Array], Any]
# Postures considered per target, number of best ones that are improved, steps in the null space, corrections after each.
STARTS, CLIMBED, STEPS, CORRECTIONS = 24, 3, 24, 3
# Steps towards a target from any start, and their damping.
FLAT_STEPS, SOFT = 24, 1e-3
# The first and the smallest step in the null space [rad, or lengths].
FIRST_STEP, LEAST_STEP = 0.3, 2e-3
# Tolerance of a posture at its target [lengths, rad].
REACHED = 1e-6
# Directions with a singular value below this part of the largest count as free; the damping of the corrections.
FREE, DAMPING = 1e-6, 1e-10


def objective_named(model: Model, wish: str | Objective, *, places: bool) -> tuple[str, Objective]:
    """Return the name and function of a secondary objective. Raises BadOption."""
    if isinstance(wish, str):
        if wish != "manipulable":
            raise BadOption(f"wish={shown(wish)}: 'manipulable', or a function of q (k, n)")
        return wish, lambda q: manipulability(model, q, places=places)
    if not callable(wish):
        raise BadOption(f"wish={shown(wish)}: 'manipulable', or a function of q (k, n)")
    return str(getattr(wish, "__name__", "function")), wish


def manipulability(model: Model, q: Array, *, places: bool) -> Array:
    """Return Yoshikawa's manipulability: the product of the singular values for the task, (k, n) -> (k,)."""
    values = np.linalg.svd(_jacobian(model, q, places), compute_uv=False)
    return np.asarray(values[:, : _freedom(model, places)].prod(-1))


def chosen(model: Model, source: Drawn, wish: Objective, name: str, settings: Settings, *, places: bool) -> Kept:
    """Return examples with the best postures found for their targets. Raises BadOption for an arm that is not redundant."""
    free = model.n - _freedom(model, places)
    if free <= 0:
        raise BadOption(
            f"'{model.name}' has {model.n} joint values and its task takes as many, so no secondary objective is possible"
            + ("" if places else "; for positions alone, places=True")
        )
    T, q = source.draw(settings.seed, BEGINNING, 1, settings.examples)
    known = [q, *(_elsewhere(model, T, q, start, settings.seed, places) for start in range(1, STARTS))]
    order = np.argsort([-_valued(wish, one) for one in known], axis=0, kind="stable")[:CLIMBED]
    best, most = np.array(q), np.full(len(q), -np.inf)
    for which in order:
        begin = np.take_along_axis(np.array(known), which[None, :, None], axis=0)[0]
        found, value = _ascended(model, T, begin, wish, places, free)
        better = value > most
        best[better], most[better] = found[better], value[better]
    good = most > -np.inf
    if good.sum() < FEWEST:
        raise BadOption(f"the objective '{name}' is finite for hardly any posture of '{model.name}'")
    return Kept(T[good], best[good])


def _elsewhere(model: Model, T: Array, q: Array, start: int, seed: int, places: bool) -> Array:
    """Return other postures of the targets found by Newton's method; the given ones where it fails."""
    rng = np.random.default_rng([seed, BEGINNING, 2, start])
    tried = model.ranges.sample(rng, len(q), scale_of(model))
    if places:
        for _ in range(FLAT_STEPS):
            tried = _corrected(model, T, tried, places, SOFT)
        tried = _corrected_onto(model, T, tried, places)
    else:
        tried, _, _ = make_solver(model).attempt_from(T, tried)
    return np.where(_on_target(model, T, tried, places)[:, None], tried, q)


def _ascended(model: Model, T: Array, q: Array, wish: Objective, places: bool, free: int) -> tuple[Array, Array]:
    """Return postures of the same targets with a locally maximal objective, and its values."""
    value = _valued(wish, q)
    step = np.full(len(q), FIRST_STEP)
    for _ in range(STEPS):
        going = np.flatnonzero(step > LEAST_STEP)
        if not len(going):
            break
        J = _jacobian(model, q[going], places)
        directions = np.swapaxes(np.linalg.svd(J)[2][:, -free:], 1, 2)  # (k, n, free)
        grown = np.zeros(len(going), np.bool_)
        for column in range(free):
            for sign in (1.0, -1.0):
                ahead = q[going] + (sign * step[going])[:, None] * directions[:, :, column]
                ahead = _corrected_onto(model, T[going], ahead, places)
                new = np.where(_on_target(model, T[going], ahead, places), _valued(wish, ahead), -np.inf)
                better = new > value[going]
                q, value = q.copy(), value.copy()
                q[going[better]], value[going[better]] = ahead[better], new[better]
                grown |= better
        step[going[~grown]] /= 2
    return q, value


def _corrected_onto(model: Model, T: Array, q: Array, places: bool) -> Array:
    for _ in range(CORRECTIONS):
        q = model.ranges.clamp(_corrected(model, T, q, places, DAMPING))
    return q


def _corrected(model: Model, T: Array, q: Array, places: bool, damping: float) -> Array:
    """Return postures after one Newton step towards their targets."""
    J, lack = _jacobian(model, q, places), _lack(model, T, q, places)
    JJ = J @ np.swapaxes(J, 1, 2) + damping * np.eye(J.shape[1])
    return q + (np.swapaxes(J, 1, 2) @ np.linalg.solve(JJ, lack[..., None]))[..., 0]


def _on_target(model: Model, T: Array, q: Array, places: bool) -> Any:
    return (np.abs(_lack(model, T, q, places)).max(-1) < REACHED) & model.ranges.within(q)


def _lack(model: Model, T: Array, q: Array, places: bool) -> Array:
    """Return the errors, lengths relative to the arm: (k, 6), or (k, 3)."""
    lack = pose_error(model.kernel.forward(q), T)
    lack[:, :3] /= scale_of(model)
    return lack[:, :3] if places else lack


def _jacobian(model: Model, q: Array, places: bool) -> Array:
    J = model.kernel.jacobian(q)
    J[:, :3] /= scale_of(model)
    return J[:, :3] if places else J


def _freedom(model: Model, places: bool) -> int:
    """Return the degrees of freedom of the task: 2 for a position of a planar arm, 6 for a pose in space."""
    q = model.ranges.sample(np.random.default_rng(0), 16, scale_of(model))
    values = np.linalg.svd(_jacobian(model, q, places), compute_uv=False)
    return int((values > FREE * values.max()).sum(-1).max(initial=0))


def _valued(wish: Objective, q: Array) -> Array:
    """Return the objective of each posture; NaN counts as the least value. Raises BadOption."""
    try:
        found = np.asarray(wish(np.array(q)), np.float64)
    except (TypeError, ValueError) as error:
        raise BadOption(f"the objective must give a number for each posture (k, n): {error}") from None
    if found.shape != (len(q),):
        raise BadOption(f"the objective must give {len(q)} numbers for {len(q)} postures; it gave shape {found.shape}")
    return np.where(np.isnan(found), -np.inf, found)
