"""What limbik does, in a minute: robots and figures come in, postures that reach a target come out. Run by `make demo`."""

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Column, Table

import limbik as lk
from limbik.robot.picture import draw

SHOWN = ("puma560", "ur5", "panda", "iiwa7", "jaco2", "k1207", "scara", "gantry", "human_arm_7", "human")
ROWS = 20_000


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

    arm = lk.load("panda")
    T = np.array(arm.forward(arm.home))
    console.print(f"\n[bold]One target for the {arm.mechanism.title}:[/bold]")
    answer = arm.solve(T, seed=arm.home + 0.3)
    console.print(f"  {answer.why}: q = {answer.q.round(4).tolist()}, position error {answer.position_error:.1e} m")
    T[:3, 3] *= 3
    console.print(f"  three times as far: {arm.solve(T).why}")

    console.print("\n[bold]A broken robot gets a sentence, not a crash:[/bold]")
    for broken in ("pandda", "<robot name='r'><link name='a'/><link name='b'/></robot>"):
        try:
            lk.load(broken)
        except lk.LimbikError as error:
            console.print(f"  {type(error).__name__}: {error}")

    for name in track(SHOWN, "Drawing", console=console):
        draw(lk.load(name), out / f"{name}.png")
    console.print(f"\nPictures: {out.resolve()}\nNext: [bold].venv/bin/limbik show panda[/bold], or a URDF of your own")


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
