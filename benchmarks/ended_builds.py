"""Build a table, kill the build at random moments, resume it, and compare the files byte for byte.

python benchmarks/ended_builds.py puma560 --moments 10 --workers 2
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, sleep

MOMENTS = 10
# A build that takes longer than this hangs [s].
LONGEST_BUILD = 3600
SHELL = (sys.executable, "-c", "import sys; from limbik.cli import main; sys.argv[0] = 'limbik'; main()")


@dataclass(frozen=True)
class Ended:
    """One build that was killed and resumed.

    moment: when it was killed, as a share of the time of a whole build. parts: the number of parts saved by then. same: whether
    the file equals that of a whole build. tidy: whether no parts are left.
    """

    moment: float
    parts: int
    same: bool
    tidy: bool


def ended_builds(
    robot: str, options: Sequence[str] = (), *, moments: int = MOMENTS, seed: int = 1, shell: Sequence[str] = SHELL
) -> tuple[float, list[Ended]]:
    """Return the time of a whole build [s], and the builds that were killed. options: of `limbik table build`."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.table"
        start = perf_counter()
        subprocess.run(
            _command(shell, robot, whole, options), check=True, timeout=LONGEST_BUILD, stdout=subprocess.DEVNULL
        )
        seconds = perf_counter() - start
        expected = whole.read_bytes()
        found = []
        for number in range(moments):
            path = Path(folder) / f"{number}.table"
            moment = rng.random()
            parts = _killed(_command(shell, robot, path, options), path, moment * seconds)
            subprocess.run(
                _command(shell, robot, path, options), check=True, timeout=LONGEST_BUILD, stdout=subprocess.DEVNULL
            )
            tidy = not path.with_name(f"{path.name}.parts").exists()
            found.append(Ended(moment, parts, path.read_bytes() == expected, tidy))
            path.unlink()
    return seconds, found


def _command(shell: Sequence[str], robot: str, path: Path, options: Sequence[str]) -> list[str]:
    return [*shell, "table", "build", robot, "-o", str(path), *options]


def _killed(command: list[str], path: Path, seconds: float) -> int:
    """Start a build, kill it after some seconds, and return how many parts it has saved."""
    build = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    sleep(seconds)
    build.kill()
    build.wait()
    return len(list(path.with_name(f"{path.name}.parts").glob("*.part")))


def main() -> int:
    """Print the results as JSON; return 1 if a resumed build differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("robot")
    parser.add_argument("--moments", type=int, default=MOMENTS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--design")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    options = ["--workers", str(given.workers), *(["--design", given.design] if given.design else [])]
    seconds, found = ended_builds(given.robot, options, moments=given.moments, seed=given.seed)
    print(json.dumps({"seconds": seconds, "builds": [asdict(e) for e in found]}, indent=1))
    return 0 if all(e.same and e.tidy for e in found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
