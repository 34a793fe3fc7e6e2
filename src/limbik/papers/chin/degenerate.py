"""The degenerate cases of the arm, in which there are not eight isolated postures, and their flags.

The thesis (section 6.1) names only the stretched arm, claims infinitely many solutions for it, and sets angles to 0. In fact the
elbow's two postures coincide there. Infinitely many postures exist where the shoulder or the wrist is singular: there limbik
keeps the caller's angle.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from limbik._core import Answers, Status
from limbik.geometry.arrays import Array
from limbik.papers.chin.arm import UPPER_ARM, a_chain, appendix_b, in_units, turn_gap
from limbik.papers.claim import Claim, at_most, exactly
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain

TARGETS, QUICK_TARGETS = 1_000, 100
PERCENT = 100.0
POSE_BAR = 1e-9
# The largest change of an angle that counts as kept [rad].
KEPT = 1e-9
# The tolerance for a posture [rad]: at a double root the square root of rounding errors.
FOUND = 1e-6
# The indices of elbow X and wrist X in q.
ELBOW, WRIST = 2, 4
# The number of postures where the elbow's two coincide: shoulder times wrist.
HALF = 4
# The distance of a target out of reach [lengths of the arm].
FAR = 1.5


MAKES: tuple[Callable[..., Chain], ...] = (appendix_b, a_chain)


@dataclass(frozen=True)
class Case:
    """A degenerate case.

    target: returns the pose of the case for a random posture, which it changes in place. right: whether the answers are right.
    forearm: its length [units] if the case needs another than the thesis'.
    """

    name: str
    target: Callable[[Chain, Array], Array]
    right: Callable[[Answers, Array], bool]
    forearm: float | None = None

    @property
    def merged(self) -> bool:
        """Whether the case is an arm that is straight or folded."""
        return self.right is _merged


def _bent(joint: int, angle: float) -> Callable[[Chain, Array], Array]:
    def target(arm: Chain, q: Array) -> Array:
        q[joint] = angle
        return arm.forward(q)

    return target


def _far(arm: Chain, q: Array) -> Array:
    q[ELBOW] = 0.0
    T = np.array(arm.forward(q))
    T[:3, 3] *= FAR
    return T


def _above(arm: Chain, q: Array) -> Array:
    """Return the pose with the hand moved onto the shoulder's axis, at its distance from the shoulder."""
    T = np.array(arm.forward(q))
    T[:3, 3] = (0.0, 0.0, np.linalg.norm(T[:3, 3]))
    return T


def _merged(answers: Answers, q: Array) -> bool:
    found = turn_gap(answers.q, q).max(axis=-1).min() <= FOUND
    return bool(len(answers) == HALF and answers.doubled.all() and not answers.families.any() and found)


def _none(answers: Answers, q: Array) -> bool:
    return len(answers) == 0 and answers.status == Status.OUT_OF_REACH


def _free_shoulder(answers: Answers, q: Array) -> bool:
    kept = turn_gap(answers.q[:, 0], q[0]) <= KEPT
    return bool(len(answers) and answers.families.all() and kept.any())


def _free_wrist(answers: Answers, q: Array) -> bool:
    singular = np.abs(np.cos(answers.q[:, WRIST])) <= FOUND
    found = turn_gap(answers.q, q).max(axis=-1) <= FOUND
    return bool((answers.families == singular).all() and (found & singular).any())


def _free_both(answers: Answers, q: Array) -> bool:
    kept = turn_gap(answers.q[:, :2], q[:2]).max(axis=-1) <= KEPT
    return bool(len(answers) and answers.families.all() and kept.any())


CASES = (
    Case("elbow straight: two postures coincide", _bent(ELBOW, 0.0), _merged),
    Case("elbow folded: two postures coincide", _bent(ELBOW, np.pi), _merged),
    Case("out of reach: none", _far, _none),
    Case("hand on the shoulder's axis: angle 1 free, the caller's is kept", _above, _free_shoulder),
    Case("wrist at a right angle: angles 4, 6 free, the caller's are kept", _bent(WRIST, np.pi / 2), _free_wrist),
    Case("hand at the shoulder (d3 = d4): angles 1, 2 free, the caller's are kept", _bent(ELBOW, np.pi), _free_both, UPPER_ARM),
)  # fmt: skip


def examine(
    case: Case, make: Callable[..., Chain], rng: np.random.Generator, targets: int
) -> tuple[list[Array], float]:
    """Solve random targets of a case, each with its generating posture as the seed.

    Return the postures whose targets have a wrong answer, and the largest |FK - T| [entries, units].
    """
    arm = make() if case.forearm is None else make(forearm=case.forearm)
    wrong: list[Array] = []
    worst = 0.0
    for q in rng.uniform(-np.pi, np.pi, (targets, arm.n)):
        T = case.target(arm, q)
        answers = arm.solve_all(T, seed=q, limits=False)
        if not case.right(answers, q):
            wrong.append(q)
        if len(answers):
            worst = max(worst, float(np.abs(in_units(arm.forward(answers.q)) - in_units(T)).max()))
    return wrong, worst


def measure(setting: Setting) -> Findings:
    """Examine every case with both chains."""
    targets = setting.size(TARGETS, QUICK_TARGETS)
    values: dict[str, float] = {}
    errors = [0.0]
    for case in CASES:
        found = [examine(case, make, setting.rng(), targets) for make in MAKES]
        values[case.name] = PERCENT * (1.0 - sum(len(wrong) for wrong, _ in found) / (targets * len(MAKES)))
        errors += [worst for _, worst in found]
    return Findings(values | {"fk": max(errors)})


EXPERIMENT = Experiment(
    name="degenerate cases",
    claims=(
        *(Claim(case.name, f"correctly flagged: {case.name}", "%", None, exactly(PERCENT)) for case in CASES),
        Claim("fk", "degenerate cases: largest |FK - T|", "units", None, at_most(POSE_BAR)),
    ),
    measure=measure,
)
