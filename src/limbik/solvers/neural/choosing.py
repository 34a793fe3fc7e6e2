"""Examples of a redundant arm, chosen by a secondary objective among the postures (configurations) of a target.

A redundant arm reaches a target in infinitely many postures, and a network need not imitate the one that an example happens to
have; Guez and Ahmad leave the choice to future work. Here several postures of each target move in the null space of the Jacobian
to increase the objective. A step is tried in both senses along every null-space direction, projected back onto the target by
Newton's method, and accepted if the objective has increased; if no direction increases it, the next step is half as long. The
best result is the example. It is a local maximum, not proven to be the global one.
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
from limbik.solvers.neural.examples import INITIAL, Drawn, Kept
from limbik.solvers.neural.settings import FEWEST, Settings

Objective = Callable[[Array], Any]
# Postures considered per target, number of best ones that are improved, steps in the null space, corrections after each.
STARTS, IMPROVED, STEPS, CORRECTIONS = 24, 3, 24, 3
# Newton steps from a random posture to a target position, and their damping.
POSITION_STEPS, POSITION_DAMPING = 24, 1e-3
# The first and the smallest step in the null space [rad or m].
FIRST_STEP, LEAST_STEP = 0.3, 2e-3
# Tolerance of a posture at its target [relative to the reach, rad].
REACHED = 1e-6
# Directions with a singular value below this part of the largest count as free; the damping of the corrections.
FREE, DAMPING = 1e-6, 1e-10


def objective_named(model: Model, prefer: str | Objective, *, places: bool) -> tuple[str, Objective]:
    """Return the name and function of a secondary objective. Raises BadOption."""
    if callable(prefer):
        return str(getattr(prefer, "__name__", "function")), prefer
    if not isinstance(prefer, str) or prefer != "manipulable":
        raise BadOption(f"prefer={shown(prefer)}: give 'manipulable', or a function of q (k, n)")
    return prefer, lambda q: manipulability(model, q, places=places)


def manipulability(model: Model, q: Array, *, places: bool) -> Array:
    """Return Yoshikawa's manipulability: the product of the singular values for the task, (k, n) -> (k,)."""
    values = np.linalg.svd(_jacobian(model, q, places), compute_uv=False)
    return np.asarray(values[:, : _freedom(model, places)].prod(-1))


def chosen(model: Model, source: Drawn, objective: Objective, name: str, settings: Settings, *, places: bool) -> Kept:
    """Return examples with the best postures found for their targets. Raises BadOption for an arm that is not redundant."""
    free = model.n - _freedom(model, places)
    if free <= 0:
        raise BadOption(
            f"'{model.name}' has {model.n} joint values and its task takes as many, so no secondary objective is possible"
            + ("" if places else "; for positions alone, places=True")
        )
    T, q = source.draw(settings.seed, INITIAL, 1, settings.examples)
    postures = [q, *(_other_postures(model, T, q, start, settings.seed, places) for start in range(1, STARTS))]
    order = np.argsort([-_values(objective, each) for each in postures], axis=0, kind="stable")[:IMPROVED]
    best, greatest = np.array(q), np.full(len(q), -np.inf)
    for which in order:
        begin = np.take_along_axis(np.array(postures), which[None, :, None], axis=0)[0]
        found, value = _improved(model, T, begin, objective, places, free)
        better = value > greatest
        best[better], greatest[better] = found[better], value[better]
    good = greatest > -np.inf
    if good.sum() < FEWEST:
        raise BadOption(f"the objective '{name}' is finite for hardly any posture of '{model.name}'")
    return Kept(T[good], best[good])


def _other_postures(model: Model, T: Array, q: Array, start: int, seed: int, places: bool) -> Array:
    """Return other postures of the targets, solved from random ones; the given ones where that fails."""
    rng = np.random.default_rng([seed, INITIAL, 2, start])
    tried = model.ranges.sample(rng, len(q), scale_of(model))
    if places:
        for _ in range(POSITION_STEPS):
            tried = _corrected(model, T, tried, places, POSITION_DAMPING)
        tried = _corrected_onto(model, T, tried, places)
    else:
        tried, _, _ = make_solver(model).attempt_from(T, tried)
    return np.where(_on_target(model, T, tried, places)[:, None], tried, q)


def _improved(model: Model, T: Array, q: Array, objective: Objective, places: bool, free: int) -> tuple[Array, Array]:
    """Return postures of the same targets with a locally maximal objective, and its values."""
    value = _values(objective, q)
    step = np.full(len(q), FIRST_STEP)
    for _ in range(STEPS):
        active = np.flatnonzero(step > LEAST_STEP)
        if not len(active):
            break
        J = _jacobian(model, q[active], places)
        directions = np.swapaxes(np.linalg.svd(J)[2][:, -free:], 1, 2)  # (k, n, free)
        increased = np.zeros(len(active), np.bool_)
        for column in range(free):
            for sign in (1.0, -1.0):
                ahead = q[active] + (sign * step[active])[:, None] * directions[:, :, column]
                ahead = _corrected_onto(model, T[active], ahead, places)
                new = np.where(_on_target(model, T[active], ahead, places), _values(objective, ahead), -np.inf)
                better = new > value[active]
                q, value = q.copy(), value.copy()
                q[active[better]], value[active[better]] = ahead[better], new[better]
                increased |= better
        step[active[~increased]] /= 2
    return q, value


def _corrected_onto(model: Model, T: Array, q: Array, places: bool) -> Array:
    for _ in range(CORRECTIONS):
        q = model.ranges.clamp(_corrected(model, T, q, places, DAMPING))
    return q


def _corrected(model: Model, T: Array, q: Array, places: bool, damping: float) -> Array:
    """Return postures after one Newton step towards their targets."""
    J, errors = _jacobian(model, q, places), _errors(model, T, q, places)
    JJ = J @ np.swapaxes(J, 1, 2) + damping * np.eye(J.shape[1])
    return q + (np.swapaxes(J, 1, 2) @ np.linalg.solve(JJ, errors[..., None]))[..., 0]


def _on_target(model: Model, T: Array, q: Array, places: bool) -> Any:
    return (np.abs(_errors(model, T, q, places)).max(-1) < REACHED) & model.ranges.within(q)


def _errors(model: Model, T: Array, q: Array, places: bool) -> Array:
    """Return the errors, lengths relative to the arm's reach: (k, 6), or (k, 3) for positions."""
    errors = pose_error(model.kernel.forward(q), T)
    errors[:, :3] /= scale_of(model)
    return errors[:, :3] if places else errors


def _jacobian(model: Model, q: Array, places: bool) -> Array:
    J = model.kernel.jacobian(q)
    J[:, :3] /= scale_of(model)
    return J[:, :3] if places else J


def _freedom(model: Model, places: bool) -> int:
    """Return the degrees of freedom of the task: 2 for a position of a planar arm, 6 for a pose in space."""
    q = model.ranges.sample(np.random.default_rng(0), 16, scale_of(model))
    values = np.linalg.svd(_jacobian(model, q, places), compute_uv=False)
    return int((values > FREE * values.max()).sum(-1).max(initial=0))


def _values(objective: Objective, q: Array) -> Array:
    """Return the objective of each posture; NaN counts as the least value. Raises BadOption."""
    try:
        found = np.asarray(objective(np.array(q)), np.float64)
    except (TypeError, ValueError) as error:
        raise BadOption(f"the objective must give a number for each posture (k, n): {error}") from None
    if found.shape != (len(q),):
        raise BadOption(f"the objective must give {len(q)} numbers for {len(q)} postures; it gave shape {found.shape}")
    return np.where(np.isnan(found), -np.inf, found)
