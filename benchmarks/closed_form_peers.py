"""Compare the solutions of limbik and EAIK: does each find every posture (configuration) that the other finds?

Limits are off; the arms are those of the catalogue and random ones of every structure that both solve. EAIK's rows that miss
the target by more than ACCEPTED are dropped. Its least-squares flag is ignored, since it also marks exact rows in some classes.
A posture that only one side has is corrected by Newton steps on NumPy's forward kinematics. The result explains the difference:

- "limbik only": it is a solution that EAIK does not find;
- "EAIK only": it is a solution that limbik does not find: **a posture is missing**;
- "same": it converges to a posture that the other side has: a double root, split by rounding;
- "family": it lies on a self-motion manifold, of which each side has chosen another member;
- "limbik wrong", "EAIK wrong": it does not converge: a row near the target that is not a solution.
"""

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from cases.random_arms import STRUCTURES

import limbik as lk
from limbik.cli.closed_form_peers import EaikRobot, eaik_robot
from limbik.cli.contest import apart, numpy_forward, pose_errors

Array = np.ndarray

ROBOTS = ("puma560", "ur5", "kr6", "human_arm_6")
# The largest error of an accepted posture of a peer, and the largest difference of two postures that count as one [m, rad].
ACCEPTED, SAME = 1e-6, 1e-6
# The largest error of a corrected posture that is a solution [m, rad], and the number of Newton steps.
EXACT, STEPS = 1e-11, 30
# Newton steps end below this error [m, rad].
CONVERGED = 1e-13
# The step of central differences [rad].
STEP = 1e-6
# A posture whose Jacobian has a singular value below this can move while the tip stays: it belongs to a family.
SINGULAR = 1e-7
# A corrected posture that ends closer than this to one of the other side is the same: near a double root an error of the
# target moves a joint by its square root [rad].
NEAR_DOUBLE_ROOT = 1e-4
# Targets that are solved at a time.
PORTION = 20_000


@dataclass(frozen=True)
class Difference:
    """A posture that one side has and the other has not."""

    robot: str
    seed: tuple[int, ...]
    row: int
    made_by: Array
    posture: Array
    kind: str
    error: float

    def __str__(self) -> str:
        target = f"{self.robot}, seed {self.seed}, target {self.row}, made by {self.made_by.tolist()}"
        return f"{self.kind}: {target}: {self.posture.tolist()}, corrected to {self.error:.0e}"


@dataclass
class Tally:
    """The result of the comparison for one robot or structure."""

    targets: int = 0
    equal: int = 0
    differences: list[Difference] = field(default_factory=list)

    def of(self, kind: str) -> list[Difference]:
        """Return the differences of one kind."""
        return [d for d in self.differences if d.kind == kind]

    def add(self, other: "Tally") -> None:
        """Add the counts of another."""
        self.targets += other.targets
        self.equal += other.equal
        self.differences += other.differences

    def __str__(self) -> str:
        kinds = ", ".join(
            f"{count} {kind}" for kind, count in sorted(Counter(d.kind for d in self.differences).items())
        )
        return f"{self.equal} of {self.targets} targets alike" + (f"; {kinds}" if kinds else "")


def compare(arm: lk.Chain, seed: tuple[int, ...], count: int) -> Tally | None:
    """Compare both sides on random targets; None where EAIK or limbik has no closed form of the arm."""
    robot = eaik_robot(arm)
    if robot is None or not arm.branch_names or arm.redundancy is not None:
        return None
    if "Unknown" in robot.robot.get_kinematic_family():  # it accepts the arm, but finds no solution
        return None
    tally, made_by = Tally(), arm.sample(np.random.default_rng(seed), count)
    for first in range(0, count, PORTION):
        Q = made_by[first : first + PORTION]
        tally.add(_portion(arm, robot, seed, first, Q))
    return tally


def _portion(arm: lk.Chain, robot: EaikRobot, seed: tuple[int, ...], first: int, Q: Array) -> Tally:
    T = numpy_forward(arm, Q)
    ours = arm.solve_all_batch(T, limits=False)
    found = [robot.rows(one, least_squares=True) for one in robot.robot.calculate_IK_batched(list(T), 1)]
    theirs = _accepted(arm, _padded(found, arm.n), T)
    mine = np.asarray(ours.q)
    gap = apart(arm, mine[:, :, None], theirs[:, None])  # (N, ours, theirs), NaN where there is none
    near = np.where(np.isnan(gap), np.inf, gap) <= SAME
    extra = ~np.isnan(mine[..., 0]) & ~near.any(axis=2)
    missing = ~np.isnan(theirs[..., 0]) & ~near.any(axis=1)
    differs = extra.any(axis=1) | missing.any(axis=1)
    tally = Tally(len(Q), int((~differs).sum()))
    for row in np.flatnonzero(differs):
        for only, others, who in (
            (mine[row][extra[row]], theirs[row], "limbik"),
            (theirs[row][missing[row]], mine[row], "EAIK"),
        ):
            for q in only:
                kind, error = _explained(arm, q, others[~np.isnan(others[:, 0])], T[row], who)
                tally.differences.append(Difference(arm.name, seed, first + int(row), Q[row], q, kind, error))
    return tally


def _padded(rows: list[Array], n: int) -> Array:
    """Return (N, most, n), padded with NaN."""
    out = np.full((len(rows), max(1, *map(len, rows)), n), np.nan)
    for k, q in enumerate(rows):
        out[k, : len(q)] = q
    return out


def _accepted(arm: lk.Chain, q: Array, T: Array) -> Array:
    """Return the postures (N, k, n) with NaN for those that do not reach their targets."""
    flat = np.where(np.isnan(q), 0.0, q).reshape(-1, arm.n)
    errors = np.maximum(*pose_errors(arm, flat, np.repeat(T, q.shape[1], axis=0))).reshape(q.shape[:2])
    return np.where((errors <= ACCEPTED)[..., None], q, np.nan)


def _explained(arm: lk.Chain, q: Array, others: Array, T: Array, who: str) -> tuple[str, float]:
    """Return the kind of a difference, and the error of its posture after correction."""
    fixed, error, movable = corrected(arm, q, T)
    if not error <= EXACT:
        return f"{who} wrong", error
    if movable:
        return "family", error
    same = len(others) > 0 and bool((apart(arm, others, fixed) <= NEAR_DOUBLE_ROOT).any())
    return ("same" if same else f"{who} only"), error


def corrected(arm: lk.Chain, q: Array, T: Array) -> tuple[Array, float, bool]:
    """Return q after Newton steps towards T, its error [m, rad], and whether it can move while the tip stays."""
    moves = STEP * np.eye(arm.n)
    best, least, J = q, np.inf, np.zeros((6, arm.n))
    for _ in range(STEPS):
        error = float(np.maximum(*pose_errors(arm, q[None], T[None]))[0])
        if error < least:
            best, least = q, error
        poses = numpy_forward(arm, np.concatenate([[q], q + moves, q - moves]))
        change = (poses[1 : arm.n + 1] - poses[arm.n + 1 :]) / (2 * STEP)
        J = np.array([np.r_[c[:3, 3], _axis(c[:3, :3] @ poses[0, :3, :3].T)] for c in change]).T
        twist = np.r_[T[:3, 3] - poses[0, :3, 3], _axis(T[:3, :3] @ poses[0, :3, :3].T)]
        if least <= CONVERGED:
            break
        q = q + np.linalg.lstsq(J, twist, rcond=SINGULAR)[0]
    movable = bool(np.linalg.svd(J, compute_uv=False).min() < SINGULAR)
    return best, least, movable


def _axis(R: Array) -> Array:
    """Return the vector of the skew-symmetric part of a matrix."""
    return 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])


def closed_form_peers(seed: int, targets: int, arms: int, each: int) -> dict[str, Tally]:
    """Compare on catalogue robots and on random arms of every structure.

    targets: for each robot. arms: random arms of each structure. each: targets for each random arm.
    """
    tallies: dict[str, Tally] = {}
    for k, name in enumerate(ROBOTS):
        arm = lk.load(name)
        assert isinstance(arm, lk.Chain)
        found = compare(arm, (seed, k), targets)
        if found is not None:
            tallies[name] = found
    for k, (name, make) in enumerate(STRUCTURES.items()):
        for a in range(arms):
            key = (seed, len(ROBOTS) + k, a)
            found = compare(make(np.random.default_rng(key)), key, each)
            if found is not None:
                tallies.setdefault(name, Tally()).add(found)
    return tallies


def main() -> int:
    """Print the results; return 1 if limbik misses a posture or has a wrong one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--targets", type=int, default=20_000, help="targets for each robot of the catalogue")
    parser.add_argument("--arms", type=int, default=10, help="random arms of each structure")
    parser.add_argument("--each", type=int, default=200, help="targets for each random arm")
    options = parser.parse_args()
    tallies = closed_form_peers(options.seed, options.targets, options.arms, options.each)
    for name, tally in tallies.items():
        print(f"{name}: {tally}")
        for difference in tally.differences:
            print(f"  {difference}")
    return 1 if any(t.of("EAIK only") or t.of("limbik wrong") for t in tallies.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
