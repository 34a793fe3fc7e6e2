"""Examples of a redundant arm, chosen by a wish: of all postures that reach a target, the one that is liked best.

Guez and Ahmad leave this to the future: a network need not imitate whatever posture an example happens to have. Here each
target starts from several of its postures, and each of them slides along the directions in which the target stays reached,
the null space of the Jacobian, uphill in the wish: a step is tried both ways along every such direction, corrected back onto
the target by Newton's method, and kept where the wish has grown; else the next one is half as long. The best of the starts is
the example.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from limbik._core import pose_error
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.model.model import Model
from limbik.solvers.iterative.levenberg_marquardt import make_solver
from limbik.solvers.neural.content import scale_of
from limbik.solvers.neural.examples import BEGINNING, Drawn, Kept
from limbik.solvers.neural.settings import FEWEST, Settings

Wish = Callable[[Array], Any]
# Postures of a target that are looked at, how many of the best of them climb, steps along the family, and corrections after each.
STARTS, CLIMBED, STEPS, CORRECTIONS = 24, 3, 24, 3
# Steps towards a place from anywhere, and how much they are damped.
FLAT_STEPS, SOFT = 24, 1e-3
# The first step along a family, and the least worth taking [rad, or lengths].
FIRST_STEP, LEAST_STEP = 0.3, 2e-3
# A posture is on its target when what it lacks, in lengths and radians, is below this.
REACHED = 1e-6
# Directions whose singular value is below this part of the largest count as free; the damping of the corrections.
FREE, DAMPING = 1e-6, 1e-10


def wish_named(model: Model, wish: str | Wish, *, places: bool) -> tuple[str, Wish]:
    """Return a wish and what it is called. Raises BadOption."""
    if isinstance(wish, str):
        if wish != "manipulable":
            raise BadOption(f"wish={shown(wish)}: 'manipulable', or a function of q (k, n)")
        return wish, lambda q: manipulability(model, q, places=places)
    if not callable(wish):
        raise BadOption(f"wish={shown(wish)}: 'manipulable', or a function of q (k, n)")
    return str(getattr(wish, "__name__", "function")), wish


def manipulability(model: Model, q: Array, *, places: bool) -> Array:
    """Return Yoshikawa's measure: the product of the singular values that the arm has for its task, (k, n) -> (k,)."""
    values = np.linalg.svd(_jacobian(model, q, places), compute_uv=False)
    return np.asarray(values[:, : _freedom(model, places)].prod(-1))


def chosen(model: Model, source: Drawn, wish: Wish, name: str, settings: Settings, *, places: bool) -> Kept:
    """Return examples with the best postures that were found for their targets. Raises BadOption for an arm without choice."""
    free = model.n - _freedom(model, places)
    if free <= 0:
        raise BadOption(
            f"'{model.name}' has {model.n} joint values and its task takes as many: no choice is left to wish for"
            + ("" if places else "; for places alone, places=True")
        )
    T, q = source.draw(settings.seed, BEGINNING, 1, settings.examples)
    known = [q, *(_elsewhere(model, T, q, start, settings.seed, places) for start in range(1, STARTS))]
    order = np.argsort([-_valued(wish, one) for one in known], axis=0, kind="stable")[:CLIMBED]
    best, most = np.array(q), np.full(len(q), -np.inf)
    for which in order:
        begin = np.take_along_axis(np.array(known), which[None, :, None], axis=0)[0]
        found, value = _uphill(model, T, begin, wish, places, free)
        better = value > most
        best[better], most[better] = found[better], value[better]
    good = most > -np.inf
    if good.sum() < FEWEST:
        raise BadOption(f"the wish '{name}' is a number for hardly any posture of '{model.name}'")
    return Kept(T[good], best[good])


def _elsewhere(model: Model, T: Array, q: Array, start: int, seed: int, places: bool) -> Array:
    """Return other postures of the targets, as far as Newton's method finds them; where not, those that there are."""
    rng = np.random.default_rng([seed, BEGINNING, 2, start])
    tried = model.ranges.sample(rng, len(q), scale_of(model))
    if places:
        for _ in range(FLAT_STEPS):
            tried = _corrected(model, T, tried, places, SOFT)
        tried = _settled(model, T, tried, places)
    else:
        tried, _, _ = make_solver(model).attempt_from(T, tried)
    return np.where(_on_target(model, T, tried, places)[:, None], tried, q)


def _uphill(model: Model, T: Array, q: Array, wish: Wish, places: bool, free: int) -> tuple[Array, Array]:
    """Return postures of the same targets at which the wish has grown as far as it does nearby, and its values."""
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
                ahead = _settled(model, T[going], ahead, places)
                new = np.where(_on_target(model, T[going], ahead, places), _valued(wish, ahead), -np.inf)
                better = new > value[going]
                q, value = q.copy(), value.copy()
                q[going[better]], value[going[better]] = ahead[better], new[better]
                grown |= better
        step[going[~grown]] /= 2
    return q, value


def _settled(model: Model, T: Array, q: Array, places: bool) -> Array:
    for _ in range(CORRECTIONS):
        q = model.ranges.clamp(_corrected(model, T, q, places, DAMPING))
    return q


def _corrected(model: Model, T: Array, q: Array, places: bool, damping: float) -> Array:
    """Return postures one step of Newton's method nearer to their targets."""
    J, lack = _jacobian(model, q, places), _lack(model, T, q, places)
    JJ = J @ np.swapaxes(J, 1, 2) + damping * np.eye(J.shape[1])
    return q + (np.swapaxes(J, 1, 2) @ np.linalg.solve(JJ, lack[..., None]))[..., 0]


def _on_target(model: Model, T: Array, q: Array, places: bool) -> Any:
    return (np.abs(_lack(model, T, q, places)).max(-1) < REACHED) & model.ranges.within(q)


def _lack(model: Model, T: Array, q: Array, places: bool) -> Array:
    """Return what is missing, lengths in parts of the arm: (k, 6), or (k, 3)."""
    lack = pose_error(model.kernel.forward(q), T)
    lack[:, :3] /= scale_of(model)
    return lack[:, :3] if places else lack


def _jacobian(model: Model, q: Array, places: bool) -> Array:
    J = model.kernel.jacobian(q)
    J[:, :3] /= scale_of(model)
    return J[:, :3] if places else J


def _freedom(model: Model, places: bool) -> int:
    """Return in how many ways the tip can move: 2 for a place that a flat arm reaches, 6 for a pose in space."""
    q = model.ranges.sample(np.random.default_rng(0), 16, scale_of(model))
    values = np.linalg.svd(_jacobian(model, q, places), compute_uv=False)
    return int((values > FREE * values.max()).sum(-1).max(initial=0))


def _valued(wish: Wish, q: Array) -> Array:
    """Return the wish of each posture; one that is no number is the least. Raises BadOption."""
    try:
        found = np.asarray(wish(np.array(q)), np.float64)
    except (TypeError, ValueError) as error:
        raise BadOption(f"the wish must give a number for each posture (k, n): {error}") from None
    if found.shape != (len(q),):
        raise BadOption(f"the wish must give {len(q)} numbers for {len(q)} postures; it gave shape {found.shape}")
    return np.where(np.isnan(found), -np.inf, found)
