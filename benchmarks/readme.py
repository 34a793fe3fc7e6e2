"""Write the speed table of README.md from what `make figures` measured: `python benchmarks/readme.py [figures]`."""

import json
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- measured: benchmarks/readme.py -->", "<!-- end -->"
ROBOT = "panda"
PEERS = ("limbik", "pinocchio", "roboticstoolbox", "TRAC-IK", "ikpy")


def table(folder: Path) -> str:
    """Return the table in Markdown, from bench_fk.json and bench_solve.json."""
    kinematics = json.loads((folder / "bench_fk.json").read_text())[ROBOT]
    solving = json.loads((folder / "bench_solve.json").read_text())[ROBOT]

    def time(us: float) -> str:
        return f"{us / 1000:.1f} ms" if us >= 1000 else f"{us:.3f} us" if us < 0.1 else f"{us:.3g} us"

    def work(begins: str, who: str) -> str:
        return next((time(r["us"]) for r in kinematics if r["work"].startswith(begins) and r["who"] == who), "")

    def solve(start: str, who: str, *keys: str) -> str:
        row = next(
            (r for r in solving if r["start"] == start and r["who"].split()[0] == who and who != "pinocchio"), None
        )
        if row is None:
            return ""
        return ", ".join(f"{row[key]:.2f} %" if key == "solved" else time(row[key]) for key in keys)

    rows = {
        "FK + Jacobian": [work("FK + Jacobian, one call", who) for who in PEERS],
        "FK, batch of 1000, one thread, a pose": [work("FK, batch", who) for who in PEERS],
        "solve from home (peers: a random start): median, 99th percentile": [
            solve("cold", w, "median", "p99") for w in PEERS
        ],
        "of these solved, inside the limits": [solve("cold", who, "solved") for who in PEERS],
        "solve from 0.1 rad away: median": [solve("warm", who, "median") for who in PEERS],
    }
    head = f"| {ROBOT}, 7 joints | {' | '.join(PEERS)} |\n|{'---|' * (len(PEERS) + 1)}\n"
    return head + "\n".join(f"| {what} | {' | '.join(cells)} |" for what, cells in rows.items())


def main() -> None:
    """Replace what stands between the marks."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("figures")
    before, rest = README.read_text().split(BEGIN)
    README.write_text(f"{before}{BEGIN}\n{table(folder)}\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
