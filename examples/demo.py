"""What limbik does, in a minute: robots and figures come in, their kinematics come out. Run by `make demo`."""

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

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

    table = Table("robot", "q", "reach, m", "FK, M/s", "FK + J, M/s", "structure", box=None, header_style="bold")
    rng = np.random.default_rng(0)
    for name in SHOWN:
        body = lk.load(name)
        frame = body.tip if isinstance(body, lk.Chain) else body.tips[0]
        q = body.sample(rng, ROWS)
        structure = str(body.structure) if isinstance(body, lk.Chain) else f"a tree with {len(body.tips)} tips"
        rates = [f"{ROWS / timed(call, q, frame) / 1e6:.1f}" for call in (body.forward, body.forward_jacobian)]
        table.add_row(name, str(body.n), f"{body.reach:.2f}", *rates, structure)
    console.print(table)

    arm = lk.load("panda")
    q = arm.home
    T, _ = arm.forward_jacobian(q)
    single = timed(lambda: [arm.forward_jacobian(q) for _ in range(1000)])
    console.print(
        f"\nOne call of forward_jacobian on the {arm.mechanism.title}: {single * 1e3:.2f} us. Its tip at home:"
    )
    console.print(np.array_str(T, precision=4, suppress_small=True))

    console.print("\n[bold]A broken robot gets a sentence, not a crash:[/bold]")
    for broken in ("pandda", "<robot name='r'><link name='a'/><link name='b'/></robot>"):
        try:
            lk.load(broken)
        except lk.LimbikError as error:
            console.print(f"  {type(error).__name__}: {error}")

    for name in track(SHOWN, "Drawing", console=console):
        draw(lk.load(name), out / f"{name}.png")
    console.print(f"\nPictures: {out.resolve()}\nNext: [bold].venv/bin/limbik show panda[/bold], or a URDF of your own")


def timed(call, *arguments) -> float:
    """Return the seconds of the fastest of a few calls."""
    best = float("inf")
    for _ in range(7):
        start = perf_counter()
        call(*arguments)
        best = min(best, perf_counter() - start)
    return best


if __name__ == "__main__":
    main()
