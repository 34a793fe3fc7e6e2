"""Goals: partial ones on every kind of arm, figures with five poses, obstacles, tracking beside a peer."""

from pathlib import Path
from time import perf_counter

import numpy as np
from cases import goal_problems as problems
from cases import other_models

import limbik as lk
from benchmarks.measurement import SEED, Measurement, at_least, at_most

# Reachable targets of each kind and arm.
TARGETS = 10_000
ARMS = (
    "scara",
    "planar3_chin",
    "gantry",
    "puma560",
    "ur5",
    "jaco2",
    "kr6",
    "human_arm_6",
    "panda",
    "iiwa7",
    "human_arm_7",
)
# Sets of five poses, and seconds of the warm motion.
SETS, WARM_SECONDS = 10_000, 30.0
# Problems with obstacles, and the distance that is kept [m].
PROBLEMS, DISTANCE = 1000, 0.01
# Tracking: seconds at a thousand steps a second.
TRACK_SECONDS, RATE = 60.0, 1000
TRACKED = ("panda", "ur5", "puma560", "iiwa7")


def five_joints() -> lk.Chain:
    """Return an arm of five joints: a six-jointed one whose last wrist joint is fixed."""
    arm = lk.load("kr6")
    assert isinstance(arm, lk.Chain)
    return arm.with_frozen({arm.joint_names[3]: 0.3})


def partial_goals(_: Path) -> list[Measurement]:
    """Measure position, axis and look-at goals, made from random postures, on arms of three to seven joints."""
    arms = {name: lk.load(name) for name in ARMS} | {"kr6 with joint 4 fixed": five_joints()}
    measured = []
    for name, arm in arms.items():
        assert isinstance(arm, lk.Chain)
        rng = np.random.default_rng(SEED)
        for kind in ("Position", "Axis", "LookAt"):
            count = TARGETS if kind == "Position" else TARGETS // 10
            unsolved = wrong = 0
            times = []
            for T in arm.forward(arm.sample(rng, count)):
                goal = (
                    lk.Position(None, T[:3, 3])
                    if kind == "Position"
                    else lk.Axis(None, T[:3, 2])
                    if kind == "Axis"
                    else lk.LookAt(None, T[:3, 3] + 0.5 * T[:3, 2])
                )
                start = perf_counter()
                answer = arm.solve(goal)
                times.append(perf_counter() - start)
                unsolved += not answer.ok
                wrong += answer.ok and not _right(arm, kind, T, answer.q)
            note = f"{arm.n} joints, median {np.median(times) * 1e6:.0f} us"
            measured.append(at_most(f"{name}, {kind}: not solved of {count}", unsolved, 0, "", note))
            measured.append(at_most(f"{name}, {kind}: wrong by forward kinematics or limits", wrong, 0, ""))
    return measured


def _right(arm: lk.Chain, kind: str, T: np.ndarray, q: np.ndarray) -> bool:
    """Check an answer by forward kinematics and limits alone."""
    X = arm.forward(q)
    inside = bool(((q >= arm.lower) & (q <= arm.upper)).all())
    near = max(1e-8, 1e-9 * arm.reach) * 1.01
    if kind == "Position":
        return inside and float(np.linalg.norm(X[:3, 3] - T[:3, 3])) <= near
    along = T[:3, 2] if kind == "Axis" else T[:3, 3] + 0.5 * T[:3, 2] - X[:3, 3]
    across = np.linalg.norm(np.cross(X[:3, 2], along)) / np.linalg.norm(along)
    return inside and float(across) <= 2e-8 and float(X[:3, 2] @ along) > 0


def figure_poses(_: Path) -> list[Measurement]:
    """Measure the human figure with full poses of head, hands and feet: cold, and warm at 60 Hz."""
    figure = lk.load("human")
    assert isinstance(figure, lk.Skeleton)
    rng = np.random.default_rng(SEED)
    solved = wrong = 0
    cold = []
    for q in figure.sample(rng, SETS):
        targets = {tip: figure.forward(q, tip) for tip in problems.TIPS}
        start = perf_counter()
        answer = figure.solve(targets)
        cold.append(perf_counter() - start)
        solved += answer.ok
        wrong += answer.ok and not (_reached(figure, targets, answer.q, 1e-8) and figure.within_limits(answer.q))
    note = f"cold median {np.median(cold) * 1e3:.2f} ms, p99 {np.percentile(cold, 99) * 1e3:.1f} ms"
    measured = [
        at_least(f"human, five poses, cold: part solved of {SETS}", solved / SETS, 0.99, "", note),
        at_most("human, five poses, cold: wrong by forward kinematics or limits", wrong, 0, ""),
    ]
    path = problems.smooth_motion(figure, rng, WARM_SECONDS)
    q, times, missed = path[0], [], 0
    for posture in path[1:]:
        goals = {tip: lk.Pose(tip, figure.forward(posture, tip), tolerance=1e-6) for tip in problems.TIPS}
        start = perf_counter()
        answer = figure.solve(goals, seed=q)
        q = answer.q
        times.append(perf_counter() - start)
        missed += not answer.ok
    note = f"p99 {np.percentile(times, 99) * 1e6:.0f} us, {missed} of {len(times)} frames not solved"
    measured.append(
        at_most("human, five poses, 60 Hz warm start to 1e-6: median", np.median(times) * 1e6, 100, "us", note)
    )
    measured.append(at_most("human, five poses, 60 Hz warm start: frames not solved", missed, 0, ""))
    return measured


def _reached(figure: lk.Skeleton, targets: dict[str, np.ndarray], q: np.ndarray, near: float) -> bool:
    errors = np.array([lk.pose_error(figure.forward(q, tip), T) for tip, T in targets.items()])
    return bool(
        np.linalg.norm(errors[:, :3], axis=1).max() <= near * max(1, 0.1 * figure.reach)
        and np.linalg.norm(errors[:, 3:], axis=1).max() <= near * 1.01
    )


def obstacles(_: Path) -> list[Measurement]:
    """Measure full poses of the panda among spheres and capsules, for which a posture at the distance is known."""
    arm = lk.load("panda")
    assert isinstance(arm, lk.Chain)
    solved = touching = wrong = 0
    times = []
    for T, things in problems.among_obstacles(arm, np.random.default_rng(SEED), PROBLEMS, DISTANCE):
        start = perf_counter()
        answer = arm.solve([lk.Pose(None, T), lk.Clearance(things, distance=DISTANCE)])
        times.append(perf_counter() - start)
        solved += answer.ok
        if answer.ok:
            near = problems.gaps(arm, answer.q, things) < DISTANCE - 1e-9
            touching += near or problems.self_gap(arm, answer.q, DISTANCE) < -1e-9
            wrong += bool(np.abs(lk.pose_error(arm.forward(answer.q), T)).max() > 1.5e-8)
    note = f"median {np.median(times) * 1e3:.2f} ms, p99 {np.percentile(times, 99) * 1e3:.1f} ms"
    return [
        at_least(f"panda among four obstacles: part solved of {PROBLEMS}", solved / PROBLEMS, 0.99, "", note),
        at_most("panda among four obstacles: too near by an independent check", touching, 0, ""),
        at_most("panda among four obstacles: wrong by forward kinematics", wrong, 0, ""),
    ]


def tracking(_: Path) -> list[Measurement]:
    """Measure a minute of tracking at 1 kHz, with targets at rest, out of reach and singular; beside pink in the same run."""
    measured = []
    for name in TRACKED:
        arm = lk.load(name)
        assert isinstance(arm, lk.Chain)
        speed = np.where(np.isfinite(arm.velocity), arm.velocity, 3.0)
        dt = 1.0 / RATE
        home = problems.roomy_posture(arm, np.random.default_rng(SEED))
        q, times, fast, lost, off = home, [], 0.0, 0, []
        for k in range(int(TRACK_SECONDS * RATE)):
            T = problems.wandering_target(arm, home, k * dt)
            start = perf_counter()
            step = arm.track(q, T, dt, speed=speed)
            times.append(perf_counter() - start)
            fast = max(fast, float((np.abs(step.q - q) / (speed * dt)).max()))
            lost += not (np.isfinite(step.q).all() and arm.within_limits(step.q))
            q = step.q
            if 1 <= (k * dt) % 20 < 5:  # the target moves within reach
                off.append(step.position_error)
        note = (
            f"median {np.median(times) * 1e6:.1f} us, p99.9 {np.percentile(times, 99.9) * 1e6:.0f} us; "
            f"median {np.median(off) * 1e6:.2f} um off while the target moves within reach"
        )
        measured.append(at_most(f"{name}, {len(times)} steps: speed against its limit", fast, 1.0, "x", note))
        measured.append(at_most(f"{name}: steps with NaN or outside the limits", lost, 0, ""))
    return measured + _beside_pink()


def _beside_pink() -> list[Measurement]:
    """Time one step of pink and of limbik on the panda of example-robot-data, on the same targets, alternately.

    pink also moves the two fingers, at little cost; its solver is the fastest of those that it installs.
    """
    try:
        import pink
        import pinocchio

        urdf = other_models.installed("example-robot-data", "panda_description/urdf/panda.urdf")
    except (ImportError, other_models.NotInstalled) as error:
        return [Measurement("track beside pink", 0.0, 0.0, "", False, f"not measured: {error}")]
    model = pinocchio.buildModelFromUrdf(str(urdf))
    arm = lk.load(str(urdf), tip="panda_link8")
    assert isinstance(arm, lk.Chain)
    dt = 1.0 / RATE
    home = problems.roomy_posture(arm, np.random.default_rng(SEED))
    fingers = np.full(model.nq - arm.n, 0.02)
    configuration = pink.Configuration(model, model.createData(), np.concatenate([home, fingers]))
    task = pink.tasks.FrameTask(arm.tip, position_cost=1.0, orientation_cost=1.0, gain=1.0, lm_damping=1e-3)
    q, ours, theirs, refused = home, [], [], 0
    count = int(TRACK_SECONDS * RATE) // 6
    for k in range(count):
        T = problems.wandering_target(arm, home, k * dt * 6)
        start = perf_counter()
        q = arm.track(q, T, dt).q
        ours.append(perf_counter() - start)
        task.set_target(pinocchio.SE3(T[:3, :3], T[:3, 3]))
        start = perf_counter()
        try:
            velocity = pink.solve_ik(configuration, [task], dt, solver="proxqp", safety_break=False)
            configuration.integrate_inplace(velocity, dt)
        except pink.exceptions.PinkError:  # a refused step is timed too
            refused += 1
        theirs.append(perf_counter() - start)
    note = (
        f"p99.9 {np.percentile(ours, 99.9) * 1e6:.0f} us against {np.percentile(theirs, 99.9) * 1e6:.0f}; "
        f"medians {np.median(ours) * 1e6:.1f} and {np.median(theirs) * 1e6:.0f} us, {count} steps each in turn, "
        f"of which pink refused {refused}"
    )
    ratio = float(np.percentile(theirs, 99.9) / np.percentile(ours, 99.9))
    return [at_least("panda: p99.9 time of a step, pink's against ours", ratio, 1.0, "x", note)]
