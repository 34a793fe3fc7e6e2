"""Record the answers of limbik, and compare two recordings: `python benchmarks/recorder.py record answers.npz`.

A recording holds the numbers of answers to fixed queries: every catalogue robot x forward, solve, solve_all, batches, swivels
and tracking, at ordinary, degenerate and unreachable targets; every method; every kind of goal; paths; tables; networks; limbs;
muscles; relaxation; a body with pins. A pure refactoring must not change a bit:

    LIMBIK_ISA=v3 python benchmarks/recorder.py record before.npz
    LIMBIK_ISA=v3 python benchmarks/recorder.py record after.npz
    python benchmarks/recorder.py compare before.npz after.npz

`compare` lists every difference and its size, and exits with 1 if there is one; --within 1e-9 allows that difference of numbers
if statuses, counts and branches are equal. Recordings of different instruction levels differ: set LIMBIK_ISA.
"""

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import limbik as lk

sys.path[:0] = [str(Path(__file__).parent.parent), str(Path(__file__).parent.parent / "tests")]

SEED = 20261118
Recording = dict[str, Any]
# Targets of a robot; targets of each method; targets of each kind of goal.
TARGETS, METHOD_TARGETS, GOAL_TARGETS = 60, 3, 3
# The method that uses each attachment.
METHOD = {"table": "table", "wrist table": "table", "network": "neural"}
# Random postures that a table is built from.
SMALL_TABLE = 5000
# Attributes of answers that are recorded, if present.
SCALARS = ("status", "position_error", "rotation_error", "branch", "family", "attempt", "tried", "steps", "complete")
ARRAYS = (
    "q",
    "branches",
    "families",
    "count",
    "swivels",
    "lengths",
    "pressures",
    "times",
    "jumps",
    "elbow",
    "end",
    "bend",
    "rows",
)
# A difference in these is never due to rounding.
DISCRETE = ("status", "branch", "count", "family", "families", "complete", "ok")


def parts(answer: Any) -> Iterator[tuple[str, Any]]:
    """Yield the numbers of an answer by name."""
    for name in (*SCALARS, *ARRAYS):
        value = getattr(answer, name, None)
        if value is not None and not callable(value):
            yield name, np.asarray(value)


def keep(out: Recording, key: str, answer: Any) -> None:
    """Record an answer, a list of answers, or numbers."""
    if isinstance(answer, list):
        for name in {name: None for one in answer for name, _ in parts(one)}:
            values = [dict(parts(one)).get(name, np.zeros(0)) for one in answer]
            out[f"{key}/{name}"] = np.concatenate([np.ravel(value) for value in values]).astype(float)
            out[f"{key}/{name} count"] = np.array([value.size for value in values])
    elif isinstance(answer, np.ndarray | tuple | float | int):
        out[key] = np.asarray(answer, float)
    else:
        for name, value in parts(answer):
            out[f"{key}/{name}"] = value.astype(float)


def tried(call: Callable[[], Any]) -> Any:
    """Return the result of a call, or a digest of its error: refusals are recorded too."""
    try:
        return call()
    except lk.LimbikError as error:
        return float(int(hashlib.sha256(f"{type(error).__name__}: {error}".encode()).hexdigest()[:8], 16))


def targets_of(arm: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return postures and targets: ordinary, home, on a grid of pi/4, at limits, nearly singular, and out of reach."""
    low, high = np.clip(arm.lower, -np.pi, np.pi), np.clip(arm.upper, -np.pi, np.pi)
    q = arm.sample(rng, TARGETS)
    q[20:30] = np.clip(np.round(q[20:30] * 4 / np.pi) * np.pi / 4, low, high)
    q[30:36] = np.where(rng.random((6, arm.n)) < 0.4, np.where(rng.random((6, arm.n)) < 0.5, low, high), q[30:36])
    q[36:42] = np.clip(np.round(q[36:42] * 2 / np.pi) * np.pi / 2 + rng.choice([1e-9, 1e-6, 1e-4], (6, 1)), low, high)
    q[42] = arm.home
    q = arm.clamp(q)
    T = arm.forward(q)
    T[48:54, :3, 3] *= rng.uniform(1.0, 1.4, (6, 1))
    T[54:60, :3, 3] *= 50
    return q, T


def record_robot(out: Recording, name: str) -> None:
    """Record the answers of one catalogue robot."""
    robot: Any = lk.load(name)
    rng = np.random.default_rng([SEED, *name.encode()])
    if not isinstance(robot, lk.Chain):
        q = robot.sample(rng, 20)
        for frame in robot.frames[:: max(1, len(robot.frames) // 6)]:
            keep(out, f"{name}/forward {frame}", robot.forward(q, frame))
            keep(out, f"{name}/jacobian {frame}", robot.jacobian(q, frame))
        tips = [frame for frame in ("leftHand", "rightFoot", "head") if frame in robot.frames] or [robot.frames[-1]]
        for k in range(8):
            goals = {frame: robot.forward(q[k], frame) for frame in tips[: 1 + k % len(tips)]}
            keep(out, f"{name}/goals {k}", tried(lambda goals=goals: robot.solve(goals, seed=robot.home)))
        return
    q, T = targets_of(robot, rng)
    near = robot.clamp(q + rng.uniform(-0.1, 0.1, q.shape))
    keep(out, f"{name}/forward", robot.forward(q))
    keep(out, f"{name}/jacobian", robot.jacobian(q))
    keep(out, f"{name}/forward one", np.array([robot.forward(row) for row in q]))
    keep(out, f"{name}/forward_jacobian one", np.array([robot.forward_jacobian(row)[1] for row in q]))
    for method in (None, "lm"):
        keep(out, f"{name}/solve {method}", [robot.solve(t, method=method) for t in T])
        keep(
            out, f"{name}/solve {method} warm", [robot.solve(t, s, method=method) for t, s in zip(T, near, strict=True)]
        )
        keep(out, f"{name}/solve {method} free", [robot.solve(t, limits=False, method=method) for t in T])
        keep(out, f"{name}/batch {method}", robot.solve_batch(T, threads=2, method=method))
        keep(out, f"{name}/batch {method} warm", robot.solve_batch(T, near, threads=1, method=method))
    keep(out, f"{name}/weighted", [robot.solve(t, weights=(1.0, 0.1)) for t in T[48:]])
    loose = [tried(lambda t=t: robot.solve(t, position_tolerance=1e-4, rotation_tolerance=1e-3)) for t in T[::5]]
    keep(out, f"{name}/loose", loose if not isinstance(loose[0], float) else np.array(loose))
    for label, more in (
        ("all", {}),
        ("all free", {"limits": False}),
        ("all turns", {"turns": "all"}),
        ("all swivel", {"swivel": 0.3}),
    ):
        found = [tried(lambda t=t, more=more: robot.solve_all(t, **more)) for t in T]
        keep(out, f"{name}/{label}", found if not isinstance(found[0], float) else np.array(found))
    keep(out, f"{name}/all batch", tried(lambda: robot.solve_all_batch(T, threads=2)))
    ranges = [tried(lambda t=t: robot.swivel_ranges(t)) for t in T]
    flat = [[b, *r] for one in ranges if isinstance(one, dict) for b, rs in one.items() for r in rs]
    keep(out, f"{name}/swivel ranges", np.array(flat))
    step, steps = robot.home, []
    for k in range(20):
        moved = tried(lambda step=step, k=k: robot.track(step, T[k // 10], 0.01))
        if isinstance(moved, float):
            break
        step = moved.q
        steps.append(step)
    keep(out, f"{name}/track", np.array(steps))
    between = np.linspace(0.0, 1.0, 5)[:, None]
    poses = [robot.forward(robot.clamp(q[0] + s * 0.3 * (q[1] - q[0]))) for s in between]
    keep(out, f"{name}/follow", tried(lambda: robot.follow(lk.Path.through(poses), seed=q[0], rate=50)))


def record_methods(out: Recording) -> None:
    """Record every method of the registry on arms that most of them accept."""
    for name in ("planar3_chin", "puma560", "human_arm_7", "scara"):
        arm: Any = lk.load(name)
        rng = np.random.default_rng([SEED, 1])
        q = arm.sample(rng, METHOD_TARGETS)
        T, near = arm.forward(q), arm.clamp(q + rng.uniform(-0.1, 0.1, q.shape))
        for method in lk.METHODS:
            for k in range(METHOD_TARGETS):
                answer = tried(lambda t=T[k], s=near[k], method=method, arm=arm: arm.solve(t, s, method=method))
                keep(out, f"methods/{name} {method} {k}", answer)


def record_goals(out: Recording) -> None:
    """Record every kind of goal, alone and with a posture."""
    from goal_examples import EXAMPLES, example, fits

    for name in ("ur5", "panda", "human", "human_balls"):
        body: Any = lk.load(name)
        for kind in EXAMPLES:
            if not fits(kind, body):
                continue
            rng = np.random.default_rng([SEED, 2])
            for k in range(GOAL_TARGETS):
                q = body.sample(rng)
                goal = example(kind, body, q, rng)
                keep(out, f"goals/{name} {kind} {k}", tried(lambda goal=goal, body=body: body.solve([goal])))
                pair = [goal, lk.Posture(body.home, weight=0.01)]
                keep(out, f"goals/{name} {kind} {k} rest", tried(lambda pair=pair, body=body: body.solve(pair)))


def record_families(out: Recording) -> None:
    """Record tables, networks, limbs, muscles, relaxation and a body with pins."""
    rng = np.random.default_rng([SEED, 3])
    jaco: Any = lk.load("jaco2")
    puma: Any = lk.load("puma560")
    for label, able in {
        "table": jaco.with_table(lk.build_table(jaco, samples=SMALL_TABLE)),
        "wrist table": puma.with_table(lk.build_table(puma, samples=SMALL_TABLE)),
        "network": jaco.with_network(lk.train(jaco, steps=30, check=30)),
    }.items():
        T = able.forward(able.sample(rng, 200))
        keep(out, f"{label}/solve", [able.solve(t, method=METHOD[label]) for t in T[:40]])
        keep(out, f"{label}/batch", able.solve_batch(T, method=METHOD[label]))
        keep(out, f"{label}/all", [able.solve_all(t) for t in T[:20]])
        keep(out, f"{label}/all batch", able.solve_all_batch(T[:40]))
    limb = lk.Limb(0.33, 0.26)
    ends, poles = rng.normal(scale=0.3, size=(300, 3)), rng.normal(size=(300, 3))
    keep(out, "limbs/batch", limb.solve_batch(ends, poles))
    figure: Any = lk.load("human")
    body = lk.Body(figure, [lk.Planted("leftFoot"), lk.Planted("rightFoot"), lk.Pin("leftHand")])
    posed = body.at(figure.home)
    for k in range(10):
        goal = figure.forward(posed.q, "leftHand").copy()
        goal[:3, 3] += rng.normal(scale=0.02, size=3)
        posed = posed.drag({"leftHand": goal})
        keep(out, f"body/{k}", posed.q)
    muscular: Any = lk.load("maximum_one")
    points = muscular.forward(muscular.sample(rng, 30))[:, :3, 3]
    lengths, q, status = muscular.muscles.solve_lengths_batch(points)
    keep(out, "muscles/lengths", lengths)
    keep(out, "muscles/q", q)
    keep(out, "muscles/status", np.asarray(status, float))
    keep(out, "muscles/back", [tried(lambda x=x: muscular.muscles.posture_from_lengths(x)) for x in lengths[:10]])
    plane: Any = lk.load("planar3_cruse")
    for k in range(6):
        keep(out, f"mmc/{k}", plane.solve(plane.forward(plane.sample(rng)), method="mmc"))


def record(path: Path) -> None:
    """Write a recording."""
    out: Recording = {}
    for name in lk.CATALOGUE:
        record_robot(out, name)
        print(f"{name:20} {len(out)} entries", flush=True)
    for part in (record_methods, record_goals, record_families):
        part(out)
        print(f"{part.__name__:20} {len(out)} entries", flush=True)
    info = lk.build_info()
    out["level"] = np.array(str(info["level"]))
    np.savez_compressed(path, **out)
    print(f"{len(out)} entries, digest {digest(out)}")


def digest(recording: Recording) -> str:
    """Return a digest of all bits of a recording."""
    total = hashlib.sha256()
    for key in sorted(recording):
        total.update(key.encode())
        total.update(np.ascontiguousarray(recording[key]).tobytes())
    return total.hexdigest()[:16]


def compare(before: Path, after: Path, within: float) -> int:
    """Print the differences; return how many entries differ by more than is allowed."""
    one, two = np.load(before), np.load(after)
    if str(one["level"]) != str(two["level"]):
        raise SystemExit(f"recordings of different instruction levels: {one['level']} and {two['level']}")
    bad = same = 0
    for key in sorted(set(one.files) | set(two.files)):
        if key not in one.files or key not in two.files:
            print(f"{key}: only {'after' if key in two.files else 'before'}")
            bad += 1
            continue
        a, b = one[key], two[key]
        if a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes():
            same += 1
            continue
        if a.shape != b.shape:
            print(f"{key}: shape {a.shape} became {b.shape}")
            bad += 1
            continue
        gap = float(np.nanmax(np.abs(a - b))) if np.array_equal(np.isnan(a), np.isnan(b)) else np.inf
        discrete = key.rsplit("/", 1)[-1].removesuffix(" count") in DISCRETE or key.endswith(" count")
        allowed = not discrete and gap <= within
        bad += not allowed
        print(
            f"{key}: {np.count_nonzero(a != b)} of {a.size} numbers differ, by {gap:.3g} at most{' (allowed)' if allowed else ''}"
        )
    print(f"{same} entries equal to the bit, {bad} differ")
    return bad


def main() -> None:
    """Record or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("record").add_argument("path", type=Path)
    comparing = verbs.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--within", type=float, default=0.0)
    given = parser.parse_args()
    if given.verb == "record":
        return record(given.path)
    raise SystemExit(1 if compare(given.before, given.after, given.within) else 0)


if __name__ == "__main__":
    main()
