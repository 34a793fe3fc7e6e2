"""The muscle methods of a chain, `arm.muscles`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array, frozen
from limbik.model.model import Model
from limbik.model.muscle import Muscle
from limbik.model.muscle_set import ranges_of
from limbik.muscle import assembly, descent, lengths, muscle_map, postures, solving
from limbik.muscle import pressures as pneumatic
from limbik.muscle.answer import MuscleAnswer, MusclePostures
from limbik.muscle.balance import Balance
from limbik.muscle.fast_gradient import Descent, FastGradient
from limbik.muscle.problem import require_muscles
from limbik.solvers.preference import Valid


@dataclass(frozen=True, repr=False)
class MuscleArm:
    """The muscles of a chain: a sequence of `Muscle` in the order of lengths, with their kinematics.

    Made by `arm.muscles`. Raises BadOption for a model without muscles; `model.compiled.muscles` is the plain tuple.
    """

    model: Model

    def __post_init__(self) -> None:
        require_muscles(self.model)

    # ---- what they are -----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.model.compiled.muscles)

    def __iter__(self) -> Iterator[Muscle]:
        return iter(self.model.compiled.muscles)

    @overload
    def __getitem__(self, place: int) -> Muscle: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Muscle, ...]: ...

    def __getitem__(self, place: int | slice) -> Muscle | tuple[Muscle, ...]:
        return self.model.compiled.muscles[place]

    def __repr__(self) -> str:
        return f"<MuscleArm '{self.model.name}': {', '.join(self.names)}>"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each muscle, in the order of lengths."""
        return tuple(muscle.name for muscle in self)

    @cached_property
    def ranges(self) -> tuple[Array, Array]:
        """The least and greatest length of each muscle, (m,) each [m]; inf for no upper limit."""
        low, high = ranges_of(self.model.compiled.muscles)
        return frozen(low), frozen(high)

    @cached_property
    def independent(self) -> tuple[str, ...]:
        """The muscles whose lengths determine the posture (configuration), as the model defines them."""
        return tuple(muscle.name for muscle in self if muscle.independent)

    def as_mckibben(self, **settings: Any) -> tuple[Muscle, ...]:
        """Return the muscles with a McKibben actuator each: the existing one with these settings, or one that fits the range.

        Use `arm.with_muscles(arm.muscles.as_mckibben(...))`. settings: those of `McKibben`: turns, highest,
        hysteresis, tendon, thread. Raises BadOption if a range is too wide.
        """
        return assembly.as_mckibben(self.model.mechanism.muscles, settings)

    # ---- from postures to lengths ------------------------------------------------------------------------------------

    def lengths(self, q: Any, *, threads: int = 0) -> Array:
        """Return the length of each muscle, (..., n) -> (..., m) [m]. Raises as `forward` does."""
        return lengths.lengths_of(self.model, q, threads)

    def moment_arms(self, q: Any, *, threads: int = 0) -> Array:
        """Return the moment arms dL/dq, (..., n) -> (..., m, n) [m/rad, or m/m].

        Negative if a muscle shortens as the joint's value increases; the torque of a tension F is -F dL/dq. For balls
        and floating joints the columns are those of `jacobian`.
        """
        return lengths.moment_arms(self.model, q, threads)

    def admissible(self, q: Any) -> Any:
        """Return whether a posture (configuration) is inside the joint limits and the ranges of all muscles, shape (...)."""
        return lengths.admissible(self.model, q)

    def sample_admissible(self, rng: np.random.Generator, size: int) -> Array:
        """Return random `admissible` postures, (size, n), by rejection sampling, uniform in the joints' ranges.

        Raises BadOption if almost none is admissible.
        """
        return lengths.sample_admissible(self.model, rng, size)

    def map(
        self,
        plane: str = "yz",
        at: float = 0.0,
        points: int = muscle_map.POINTS,
        *,
        samples: int = muscle_map.SAMPLES,
        seed: int = 0,
    ) -> muscle_map.MuscleMap:
        """Return the share of postures admissible in muscle space, on a plane through the workspace. Raises BadOption.

        plane: "xy", "xz" or "yz". at: its position on the third axis [m]. points: number of points along each side.
        samples, seed: number and seed of the random postures that are counted for arms without a swivel.
        """
        return muscle_map.muscle_map(self.model, plane, at, points, samples=samples, seed=seed)

    # ---- from lengths to postures ------------------------------------------------------------------------------------

    def posture_from_lengths(
        self, lengths: Any, seed: Any = None, limits: bool = True, *, tolerance: float | None = None
    ) -> MusclePostures:
        """Return the postures in which muscles have these lengths: all of them, if there is a closed form.

        lengths: {muscle: length}, one for every muscle, or one for each of `independent` [m]. Redundant lengths must
        agree to `tolerance` [m]; None means 1e-6 m for an arm with a reach of 0.7 m, in proportion to the reach. seed:
        the posture near which 2-pi copies are chosen, and the start of the search for an arm without a closed form;
        None means `home`. limits: whether postures must be inside the joint limits and the ranges of muscles.

        If the lengths do not determine a joint within the tolerance (an upper arm along the first axis of the
        shoulder), the posture takes the seed's value of that joint, and `family` and `why` report it. Without a seed it
        takes the value for exact lengths, as far as rounding determines one.

        Impossible lengths give an answer with the reason: a length that violates the triangle inequality with the bones, a
        length outside its range, contradictory antagonists. Raises ShapeError, NotFinite, NotNumeric or BadOption.
        """
        return postures.posture_from_lengths(self.model, lengths, seed, limits, tolerance)

    # ---- from targets to lengths -------------------------------------------------------------------------------------

    def solve_lengths(
        self,
        T: Any,
        seed: Any = None,
        method: str | None = None,
        limits: bool = True,
        valid: Valid | None = None,
        prefer: str = solving.CENTRE,
        *,
        swivel: float | None = None,
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
        **settings: Any,
    ) -> MuscleAnswer:
        """Return verified muscle lengths that bring the tip to T, all in range, with the posture; or the closest ones.

        T: a point (3,), a pose (4, 4) or an orientation (3, 3) of the tip, in the base frame. seed: the posture near
        which 2-pi copies are chosen, and the start of searches; None means `home`. method: a name of
        `limbik.muscle.MUSCLE_METHODS`; None means the closed form if there is one, else least squares. limits: whether
        the joint limits hold; the ranges of muscles always do. valid: a function of q that returns whether a posture
        may be used. prefer: "centre", muscles near the middle of their ranges, or "nearest" to the seed. swivel: the
        elbow's angle [rad], for methods with a swivel. settings: those of `FastGradient` for the gradient methods;
        steps and centring for "gauss_newton".

        An unreached T is an answer, not an error. Raises NotRigid, ShapeError, NotFinite or BadOption for invalid arguments.
        """
        return solving.solve_lengths(
            self.model, T, seed, method, limits, valid, prefer, swivel, position_tolerance, rotation_tolerance, settings
        )

    def solve_lengths_batch(
        self, points: Any, seed: Any = None, *, threads: int | None = None
    ) -> tuple[Array, Array, npt.NDArray[np.int64]]:
        """Return lengths, postures and statuses for many points, (N, 3): (N, m), (N, n), (N,) of Status numbers.

        Row i equals `solve_lengths` of that point if it is solved; otherwise lengths and posture are NaN. Fast for arms
        with a closed form over the swivel; other arms are solved point by point.
        """
        return solving.solve_lengths_batch(self.model, points, seed, threads)

    def track_lengths(self, q: Any, T: Any, steps: int = 1, *, centring: float = 0.0) -> MuscleAnswer:
        """Return the result of a few Gauss-Newton steps in muscle space from q, for each control step along a path.

        q: a posture inside limits and ranges, that of the last answer. T: as in `solve_lengths`. Each step is the one
        towards T that changes the muscle lengths least; centring weights an additional motion towards the middle of
        their ranges. The result is inside limits and ranges.
        """
        return self.solve_lengths(T, q, "gauss_newton", steps=steps, centring=centring)

    def descend_lengths(
        self,
        point: Any,
        lengths: Any = None,
        seed: Any = None,
        settings: FastGradient | None = None,
        *,
        moved: Sequence[str] | None = None,
        side: int = 0,
        **changes: Any,
    ) -> Descent:
        """Move the tip to a point by the descent of Gini et al. over the lengths of some muscles, with a report.

        lengths: the start, one for each moved muscle [m]; None takes those of the seed. seed: the start posture (home);
        an arm without a closed form is followed from it. moved: the names of the muscles to move; None takes
        `independent`. side: 0 or 1, which of the two postures with the same lengths. settings, changes: those of
        `FastGradient`.
        """
        return descent.descend_lengths(self.model, point, lengths, seed, settings, moved, side, changes)

    # ---- pressures ---------------------------------------------------------------------------------------------------

    def pressures(self, lengths: Any, stiffness: Any, load: Any = None, seed: Any = None) -> Balance:
        """Return pressures that hold these lengths with a stiffness of the joints. lengths: as in `posture_from_lengths`.

        If several postures have these lengths, the first is used. Other options as in `pressures_at`.
        """
        return pneumatic.pressures(self.model, lengths, stiffness, load, seed)

    def pressures_at(self, q: Any, stiffness: Any, load: Any = None) -> Balance:
        """Return pressures that hold a posture with the closest joint stiffness, one number or n [Nm/rad].

        load: (n,) torques on the joints from outside [Nm], or "gravity" for the weight of the links. The status is
        LIMITS if no pressures hold the posture.
        """
        return pneumatic.pressures_at(self.model, q, stiffness, load)

    def posture_from_pressures(self, pressures: Any, load: Any = None, seed: Any = None) -> Balance:
        """Return the equilibrium posture of pressures [Pa], searched from a nearby posture (home by default).

        pressures: (m,) one for each muscle. Joints that the muscles press against a limit stay there. The status is
        NOT_FOUND if no equilibrium is found, for example without pressure.
        """
        return pneumatic.posture_from_pressures(self.model, pressures, load, seed)
