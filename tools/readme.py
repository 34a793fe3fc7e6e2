"""Write the speed tables of README.md from the results of `make figures`: `python tools/readme.py [figures]`."""

import json
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- measured: tools/readme.py -->", "<!-- end -->"
ROBOT = "panda"
PEERS = ("limbik", "pinocchio", "roboticstoolbox", "TRAC-IK", "ikpy")


# The arms and libraries of the second table.
ALL_ROBOTS = ("puma560", "ur5")
ALL_PEERS = ("limbik", "EAIK", "ik-geo", "py-opw-kinematics", "ssik")


def time(us: float) -> str:
    """Return a time in a suitable unit."""
    return f"{us / 1000:.1f} ms" if us >= 1000 else f"{us:.3f} us" if us < 0.1 else f"{us:.3g} us"


def markdown(title: str, peers: tuple[str, ...], rows: dict[str, list[str]]) -> str:
    """Return a table with a column for each peer."""
    head = f"| {title} | {' | '.join(peers)} |\n|{'---|' * (len(peers) + 1)}\n"
    return head + "\n".join(f"| {what} | {' | '.join(cells)} |" for what, cells in rows.items())


def all_postures(folder: Path) -> str:
    """Return the table of `solve_all`, from bench_all.json."""
    rows = {}
    for robot, measured in json.loads((folder / "bench_all.json").read_text()).items():
        if robot not in ALL_ROBOTS:
            continue
        found = {(r["work"], r["who"]): r for r in measured}
        one, batch = "one call", next(r["work"] for r in measured if r["work"].startswith("batch"))
        single = [found.get((one, who)) for who in ALL_PEERS]
        many = [found.get((batch, who)) for who in ALL_PEERS]
        rows[f"{robot}, one call: median, 99th percentile"] = [
            "" if r is None else f"{time(r['median'])}, {time(r['p99'])}" for r in single
        ]
        rows[f"{robot}, {batch}, poses per second"] = ["" if r is None else f"{r['rate']:,.0f}" for r in many]
        rows[f"{robot}, joint limits checked within that time"] = [
            "" if r is None else "yes" if r["limits"] else "no" for r in single
        ]
        rows[f"{robot}, generating posture found; worst error"] = [
            "" if r is None else f"{r['recall']:.2f} %; {r['fk_error']:.0e}" for r in single
        ]
    return markdown("all postures", ALL_PEERS, rows)


def table(folder: Path) -> str:
    """Return the table in Markdown, from bench_fk.json and bench_solve.json."""
    kinematics = json.loads((folder / "bench_fk.json").read_text())[ROBOT]
    solving = json.loads((folder / "bench_solve.json").read_text())[ROBOT]

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
        "FK, batch of 1000, one thread, per pose": [work("FK, batch", who) for who in PEERS],
        "solve from home (peers: a random start): median, 99th percentile": [
            solve("cold", w, "median", "p99") for w in PEERS
        ],
        "of these solved, inside the limits": [solve("cold", who, "solved") for who in PEERS],
        "solve from 0.1 rad away: median": [solve("warm", who, "median") for who in PEERS],
    }
    return markdown(f"{ROBOT}, 7 joints", PEERS, rows)


def main() -> None:
    """Replace the text between the marks."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("figures")
    before, rest = README.read_text().split(BEGIN)
    README.write_text(f"{before}{BEGIN}\n{table(folder)}\n\n{all_postures(folder)}\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
