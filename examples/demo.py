"""What limbik does, in a minute: every configuration of a robot and of a human arm for one target. Run by `make demo`."""

import argparse
from collections.abc import Iterator
from colorsys import hls_to_rgb
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Column, Table

import limbik as lk
from limbik.plots.overlay import Panel, Stroke, draw_over, limb
from limbik.plots.robot import draw

SHOWN = ("puma560", "ur5", "panda", "iiwa7", "jaco2", "k1207", "scara", "gantry", "human_arm_7", "human")
ROWS = 20_000
# Configurations that give the targets [deg].
PUMA = (35, -60, 25, 40, 50, 10)
HUMAN = (35, 55, 60, 20, 10, 5)
IIWA = (25, 45, -20, -95, 15, 60, 10)
# Swivels that are drawn, and characters of a range in the table.
SWIVELS, PLACES = 90, 18
# One colour for each arm that looks different.
COLOURS = ("#2b6cb0", "#d1495b", "#2e8b57", "#e08e1b")
# The column of the Puma, from the floor to its shoulder.
COLUMN = (np.array([(0, 0, -0.67), (0, 0, 0)]),)
# The body of the human arm, drawn beside it: polylines in its base frame, y up, the shoulder at the origin.
ROUND = np.linspace(0, 2 * np.pi, 40)
BODY = (
    np.array([(0, 0, 0), (-0.72, 0, 0)]),
    np.array([(-0.36, 0.12, 0), (-0.36, -0.9, 0)]),
    np.stack([-0.36 + 0.15 * np.cos(ROUND), 0.31 + 0.19 * np.sin(ROUND), 0 * ROUND], axis=1),
    np.array([(-0.55, -1.2, 0.06), (-0.53, -0.9, 0), (-0.19, -0.9, 0), (-0.17, -1.2, 0.06)]),
    np.array([(-0.72, 0, 0), (-0.76, -0.5, -0.02), (-0.74, -1.02, 0.1)]),
)


def main() -> None:
    """Print the tables, write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("pictures"))
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    console = Console()
    info = lk.build_info()
    console.print(
        f"[bold]limbik {lk.__version__}[/bold], core {info['level']}: {info['lanes']} postures at a time in one register\n"
    )
    panels = [
        every_posture(console, "puma560", PUMA, look=(14, -62), floor=-0.67, scenery=COLUMN),
        every_posture(console, "human_arm_6", HUMAN, up="y", look=(9, -126), scenery=BODY),
        every_swivel(console, "iiwa7", IIWA, look=(15, -34), floor=0.0),
    ]
    draw_over(panels, out / "every_posture.png", "One target, every posture that reaches it")
    speeds(console)
    look_up(console)
    learn(console)
    goals(console)
    motion(console, out)
    relax(console)
    pull(console)
    sentences(console)
    for name in track(SHOWN, "Drawing", console=console, transient=True):
        draw(lk.load(name), out / f"{name}.png")
    console.print(f"\nPictures: {out.resolve()}; begin with every_posture.png")
    console.print("Next: [bold].venv/bin/limbik show panda[/bold], or a URDF of your own")


def every_posture(console: Console, name: str, degrees: tuple[float, ...], **view) -> Panel:
    """Print every posture of an arm with six joints that reaches a target, and return its picture."""
    arm = lk.load(name)
    T = arm.forward(np.radians(degrees))
    answers, allowed = arm.solve_all(T, limits=False), set(arm.solve_all(T).branches)
    kept = [branch in allowed for branch in answers.branches]
    seconds = timed(arm.solve_all, T)
    console.print(
        f"[bold]{arm.model.mechanism.title}: {len(kept)} postures reach the target, {sum(kept)} inside the limits[/bold]"
    )
    numbers = [Column(header, justify="right", no_wrap=True) for header in (*"123456", "m", "rad")]
    table = Table(Column("branch", no_wrap=True), *numbers, "in", box=None, header_style="dim")
    for answer, inside in zip(answers, kept, strict=True):
        angles = [f"{x:.0f}" for x in np.degrees(answer.q)]
        errors = f"{answer.position_error:.0e}", f"{answer.rotation_error:.0e}"
        style = "" if inside else "dim"
        table.add_row(arm.branch_names[answer.branch], *angles, *errors, "yes" if inside else "no", style=style)
    console.print(table)
    console.print(
        f"[dim]joints in degrees, errors in m and rad, inside the limits or not; all in {seconds * 1e6:.1f} us[/dim]\n"
    )
    return Panel(
        arm, T, list(strokes(arm, answers, kept)), f"{arm.model.mechanism.title}: {len(kept)} postures", **view
    )


def strokes(arm: lk.Chain, answers: lk.Answers, kept: list[bool]) -> Iterator[Stroke]:
    """Yield a stroke for each arm that looks different: flipping the wrist leaves shoulder and elbow in place."""
    limbs: dict[bytes, list[int]] = {}
    for k, q in enumerate(answers.q):
        limbs.setdefault((limb(arm, q).round(6) + 0.0).tobytes(), []).append(k)
    for members, colour in zip(limbs.values(), COLOURS, strict=False):
        inside = sum(kept[k] for k in members)
        names = [arm.branch_names[answers.branches[k]].rpartition(" ")[0] for k in members]
        label = f"{' or '.join(dict.fromkeys(names))}: {inside} of {len(members)} in limits"
        yield Stroke(answers.q[members[0]], colour, label, "bold" if inside else "dashed")


def every_swivel(console: Console, name: str, degrees: tuple[float, ...], **view) -> Panel:
    """Print the swivel ranges of an arm with seven joints, and return its picture."""
    arm = lk.load(name)
    T = arm.forward(np.radians(degrees))
    ranges = arm.swivel_ranges(T)
    seconds = timed(arm.swivel_ranges, T)
    console.print(f"[bold]{arm.model.mechanism.title}: the tip stays fixed, the elbow swings[/bold]")
    table = Table(Column("branch", no_wrap=True), "degrees", "-180 to 180", box=None, header_style="dim")
    places = np.linspace(-np.pi, np.pi, PLACES, endpoint=False)
    for branch, arcs in ranges.items():
        text = ", ".join(f"{np.degrees(low):.0f}..{np.degrees(high):.0f}" for low, high in arcs) or "none"
        bar = "".join("█" if inside(arcs, place) else "·" for place in places)
        table.add_row(arm.branch_names[branch], text, bar)
    console.print(table)
    console.print(f"[dim]swivels inside the limits, exact and not sampled, in {seconds * 1e6:.1f} us[/dim]\n")
    branch = max(ranges, key=lambda b: sum(high - low for low, high in ranges[b]))
    swung = {s: q for s in np.linspace(-np.pi, np.pi, SWIVELS) if inside(ranges[branch], s)
             for q in [posture(arm, T, branch, s)] if q is not None}  # fmt: skip
    colours = np.array([hls_to_rgb(s / (2 * np.pi) + 0.58, 0.52, 0.62) for s in swung])
    barred = [q for s in np.linspace(-np.pi, np.pi, SWIVELS) if not inside(ranges[branch], s)
              for q in [posture(arm, T, branch, s, limits=False)] if q is not None]  # fmt: skip
    low, high = max(ranges[branch], key=lambda arc: arc[1] - arc[0])
    middle = min(swung, key=lambda s: abs((s - (low + high) / 2 + np.pi) % (2 * np.pi) - np.pi))
    shown = [
        Stroke(np.array(list(swung.values())), colours, "swivels inside the limits", "fine"),
        Stroke(np.array(barred), "#c9d1da", "swivels that a limit forbids", "fine"),
        Stroke(swung[middle], "#1f2d3d", f"a swivel of {np.degrees(middle) % 360:.0f} degrees", "bold"),
    ]
    return Panel(arm, T, shown, f"{arm.model.mechanism.title}: the tip stays fixed", **view)


def posture(arm: lk.Chain, T: np.ndarray, branch: int, swivel: float, limits: bool = True) -> np.ndarray | None:
    """Return the posture of one branch at a swivel, if there is one."""
    answers = arm.solve_all(T, swivel=swivel, limits=limits)
    return next((answer.q for answer in answers if answer.branch == branch), None)


def inside(arcs: list[tuple[float, float]], place: float) -> bool:
    """Return whether an angle lies in one of the arcs, modulo 2 pi."""
    return any((place - low) % (2 * np.pi) <= high - low for low, high in arcs)


def speeds(console: Console) -> None:
    """Print the speeds of forward kinematics and of solving random targets."""
    table = Table(
        Column("robot", no_wrap=True),
        "q",
        "FK + J, M/s",
        "solve, us",
        "near, us",
        "batch, k/s",
        "solved",
        "reach, m",
        box=None,
        header_style="bold",
    )
    rng = np.random.default_rng(0)
    for name in track(SHOWN, "Solving", console=console, transient=True):
        body = lk.load(name)
        arm = body if isinstance(body, lk.Chain) else body.chain("leftHand", base="spine")
        q = arm.sample(rng, ROWS)
        T = arm.forward(q)
        arm.solve_batch(T[:100])
        batch = arm.solve_batch(T)
        near = np.clip(q + rng.normal(0, 0.1, q.shape), arm.lower, arm.upper)
        cold, warm = (np.median([timed(arm.solve, t, s, rounds=1) for t, s in zip(T[:500], seeds, strict=False)])
                      for seeds in ([None] * 500, near))  # fmt: skip
        rates = f"{ROWS / timed(arm.forward_jacobian, q) / 1e6:.0f}", f"{cold * 1e6:.1f}", f"{warm * 1e6:.1f}"
        label = name if arm is body else "human arm"
        rate = ROWS / timed(arm.solve_batch, T, rounds=2) / 1e3
        table.add_row(label, str(arm.n), *rates, f"{rate:.0f}", f"{100 * batch.ok.mean():.2f} %", f"{arm.reach:.2f}")
    console.print(table)
    console.print(
        f"[dim]{ROWS} random poses each, inside the joint limits, every answer checked by forward kinematics[/dim]"
    )


def look_up(console: Console) -> None:
    """Print all postures of an arm without closed form: by a search, and by a table that is built here."""
    arm = lk.load("jaco2")
    T = arm.forward(np.radians([30, 200, 100, 20, 60, 10]))
    arm.solve_all(T)  # builds a table of starts
    searched = timed(arm.solve_all, T)
    table = lk.build_table(arm, samples=150_000, bins=5)
    quick = arm.with_table(table)
    console.print(f"\n[bold]{arm.model.mechanism.title}, which has no closed form:[/bold]")
    console.print(
        f"  {len(arm.solve_all(T))} postures by a search in {searched * 1e6:.0f} us, {len(quick.solve_all(T))} by a table of "
        f"{table.bytes / 1e3:.0f} KB in {timed(quick.solve_all, T) * 1e6:.0f} us"
    )


def learn(console: Console) -> None:
    """Print the success of a network that is trained here."""
    arm = lk.load("ur5")
    T = arm.forward(arm.sample(np.random.default_rng(2), 2000))
    start = perf_counter()
    able = arm.with_network(lk.train(arm, steps=500))
    spent = perf_counter() - start
    found, plain = able.solve_batch(T, method="neural"), able.solve_batch(T, method="lm")
    console.print(f"\n[bold]{arm.model.mechanism.title}, learned by a network in {spent:.1f} s:[/bold]")
    console.print(
        f"  {100 * (found.attempt < 0).mean():.1f} % of {len(T)} targets solved from its seeds, "
        f"{found.steps.mean():.1f} steps each ({plain.steps.mean():.1f} by lm)"
    )


def relax(console: Console) -> None:
    """Print what one MMC network completes: direct, inverse and mixed problems."""
    arm = lk.load("planar3_cruse")
    network = lk.relaxation.Mmc(arm)
    console.print("\n[bold]Three segments, by relaxation (the mean of multiple computations):[/bold]")
    for known in (
        {"alpha": 1.0, "beta": 2.0, "gamma": 2.2},
        {"x": 0.6, "y": 1.5},
        {"R": 1.7, "rho": 1.2, "alpha": 1.9},
    ):
        found = network.complete(known)
        given = ", ".join(f"{name} = {value:g}" for name, value in known.items())
        console.print(
            f"  {given}: {found.status.name} in {found.cycles} cycles, x = {found['x']:.3f}, y = {found['y']:.3f}"
        )


def pull(console: Console) -> None:
    """Print the muscle lengths that move the wrist of an artificial arm to a point."""
    arm = lk.load("maximum_one")
    answer = arm.muscles.solve_lengths([-0.10, 0.20, 0.15])
    lengths = ", ".join(f"{name} {100 * length:.1f}" for name, length in answer.by_name.items())
    console.print(f"\n[bold]{arm.model.mechanism.title}, driven by muscles:[/bold]")
    console.print(f"  {answer.why}; lengths in cm: {lengths}")


def goals(console: Console) -> None:
    """Show several goals: a figure's hands, feet and head at once, an obstacle, a moving target."""
    figure, arm = lk.load("human"), lk.load("panda")
    rng = np.random.default_rng(1)
    console.print("\n[bold]Several goals:[/bold]")
    q = figure.sample(rng)
    poses = {tip: figure.forward(q, tip) for tip in figure.tips}
    answer, near = figure.solve(poses), figure.clamp(figure.model.integrate(q, rng.normal(scale=0.03, size=figure.n)))
    warm = timed(lambda: figure.solve(poses, seed=near))
    console.print(f"  {figure.model.mechanism.title}, five poses: {answer.why}; a frame later in {warm * 1e6:.0f} us")
    T = arm.forward(arm.home)
    ball = lk.Sphere(arm.forward(arm.home, "link4")[:3, 3] + [0, 0.05, 0.05], 0.05)
    answer = arm.solve([lk.Pose(None, T), lk.Clearance([ball], distance=0.02)])
    gap = lk.collision.clearance(arm, answer.q, ball) * 100
    console.print(f"  {arm.model.mechanism.title} beside a ball: {answer.why}, {gap:.1f} cm away")
    steps, now = 0, arm.home
    goal = arm.forward(arm.home + 0.3)
    while steps < 5000 and not (step := arm.track(now, goal, dt=1e-3)).ok:
        steps, now = steps + 1, step.q
    console.print(
        f"  {arm.model.mechanism.title} follows: {step.why} after {steps} steps of 1 ms, within its speeds and limits"
    )


def motion(console: Console, out: Path) -> None:
    """Show motion: a circle followed on one branch, and a wave that is retargeted to a taller figure and saved."""
    arm, figure = lk.load("ur5"), lk.load("human")
    console.print("\n[bold]Over time:[/bold]")
    start = arm.forward([0.3, -1.2, 1.6, -1.9, -1.5, 0.2])
    circle = arm.follow(lk.Path.circle(start, radius=0.1).with_duration(5))
    step = np.degrees(circle.clip.largest_step)
    console.print(f"  {arm.model.mechanism.title}, a circle: {circle.why}, largest joint step {step:.2f} degrees")
    joint = {name: k for k, name in enumerate(figure.joint_names)}
    keys = np.tile(figure.clamp(np.zeros(figure.n)), (3, 1))
    for name, angle in (("rightUpperArm_z", 1.9), ("rightLowerArm_x", 1.0), ("spine_y", 0.3)):
        keys[1, joint[name]] = angle
    wave = lk.Clip(figure, keys, [0, 1, 2], interpolation="cubic").baked(60)
    tall = lk.retarget(wave, lk.human(height=1.9, legs=1.2))
    tall.save(out / "wave.glb")
    console.print(
        f"  a wave on longer legs: {len(tall)} frames, feet slide {tall.foot_slide * 1000:.1f} mm; {out / 'wave.glb'}"
    )


def sentences(console: Console) -> None:
    """Show the sentences about a solved target, one out of reach, and an invalid robot."""
    arm = lk.load("panda")
    T = np.array(arm.forward(arm.home))
    console.print(f"\n[bold]One target for the {arm.model.mechanism.title}:[/bold]")
    answer = arm.solve(T, seed=arm.home + 0.3)
    console.print(f"  {answer.why}: q = {answer.q.round(4).tolist()}, position error {answer.position_error:.1e} m")
    T[:3, 3] *= 3
    console.print(f"  three times as far: {arm.solve(T).why}")
    console.print("\n[bold]An invalid robot gives a sentence, not a crash:[/bold]")
    for broken in ("pandda", "<robot name='r'><link name='a'/><link name='b'/></robot>"):
        try:
            lk.load(broken)
        except lk.LimbikError as error:
            console.print(f"  {type(error).__name__}: {error}")
    console.print("\n[bold]The animator in your browser[/bold], for a figure or a robot: Ctrl-C ends it")
    console.print("  .venv/bin/limbik studio human        .venv/bin/limbik studio panda", highlight=False)


def timed(call, *arguments, rounds: int = 7) -> float:
    """Return the seconds of the fastest of a few calls."""
    best = float("inf")
    for _ in range(rounds):
        start = perf_counter()
        call(*arguments)
        best = min(best, perf_counter() - start)
    return best


if __name__ == "__main__":
    main()
