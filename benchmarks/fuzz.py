"""Random broken input, to look for anything but a LimbikError or a lawful answer.

    python benchmarks/fuzz.py --seconds 60 --seed 1

Five sorts of cases, in turn (--sorts bvh,glb runs some of them alone):
  urdf   a URDF text (by hand, or written from the catalogue) with bytes, words, numbers, attributes or elements changed
  toml   a file of the catalogue, changed likewise
  model  a random chain or tree of joints, with magnitudes from 1e-300 to 1e300
  bvh    a random BVH text, changed like a URDF
  glb    a .glb that limbik wrote, with fields, numbers, bytes or its length changed

Each is either refused with a LimbikError in one line, or accepted; then every verb is called at random and extreme
postures. Shapes must be right; numbers finite while magnitudes are below HARMLESS; row i of a batch equal to that row
alone, bit for bit; a chain equal to its skeleton; and what is written as URDF must read back as the same motion and shapes.
Anything else is a finding: its seed, number and input are kept in a folder, and the exit code is 1.

Case k of a seed is the same on every run, whatever the time allowed: --case k runs it alone.
"""

import argparse
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import limbik
from benchmarks.fuzzing.laws import Broken, obey
from benchmarks.fuzzing.models import random_mechanism
from benchmarks.fuzzing.motions import broken_bvh, broken_glb, obey_motion, split_glb
from benchmarks.fuzzing.texts import HAND_WRITTEN, TOML_PIECES, XML_PIECES, mutated, pick
from limbik import LimbikError, Skeleton
from limbik.formats.toml import read_toml
from limbik.formats.urdf import read_urdf, write_urdf
from limbik.model import Mechanism
from limbik.model.catalog import CATALOGUE, FOLDER


@dataclass
class Tally:
    """What has happened so far."""

    cases: int = 0
    refused: int = 0
    accepted: int = 0
    findings: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.cases} cases, {self.refused} refused, {self.accepted} accepted, {len(self.findings)} findings"


def bodies(mechanism: Mechanism):
    """Yield what a user would hold: the whole, and a chain to one end."""
    body = limbik.load(mechanism)
    yield body
    if isinstance(body, Skeleton):
        yield body.chain(body.tips[-1])


SORTS = ("urdf", "model", "toml", "model", "bvh", "glb")


class Fuzzer:
    """Makes case k of a seed, runs it, and keeps what is found."""

    def __init__(self, seed: int, out: Path | None = None, sorts: tuple[str, ...] = SORTS) -> None:
        self.seed, self.sorts = seed, sorts
        self.out = out
        self.tally = Tally()
        written = [write_urdf(limbik.load(name).model.mechanism) for name in CATALOGUE if name != "human"]
        self.urdfs = (*HAND_WRITTEN * 4, *written)
        self.glbs: list[tuple[Any, bytes]] = []
        self.tomls = [(FOLDER / f"{name}.toml").read_text() for name in CATALOGUE]

    def run(self, number: int) -> None:
        """Run one case."""
        rng = np.random.default_rng([self.seed, number])
        sort = self.sorts[number % len(self.sorts)]
        kept: str | bytes = ""
        self.tally.cases += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                if sort in ("bvh", "glb"):
                    kept = self.motion(rng, sort)
                    self.from_motion(rng, kept, sort)
                    self.tally.accepted += 1
                    return
                if sort == "urdf":
                    kept = mutated(rng, pick(rng, self.urdfs), XML_PIECES)
                    mechanism = read_urdf(kept)
                elif sort == "toml":
                    kept = mutated(rng, pick(rng, self.tomls), TOML_PIECES)
                    mechanism = self.from_toml(kept)
                else:
                    mechanism = random_mechanism(rng)
                    kept = repr(mechanism)
                for body in bodies(mechanism):
                    obey(rng, body)
            self.tally.accepted += 1
        except LimbikError as error:
            self.tally.refused += 1
            if "\n" in str(error) or not str(error):
                self.found(number, sort, kept, f"a message that is not one line: {error!r}")
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f" ({Path(place.filename).name}:{place.lineno})" if not isinstance(error, Broken) else ""
            self.found(number, sort, kept, f"{type(error).__name__}: {error}{where}", traceback.format_exc())

    def from_toml(self, text: str) -> Mechanism:
        """Read a TOML text by way of a file, as users do."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "robot.toml"
            path.write_text(text, errors="surrogatepass")
            return read_toml(path)

    def motion(self, rng: np.random.Generator, sort: str) -> str | bytes:
        """Make a broken file of motion."""
        if sort == "bvh":
            return broken_bvh(rng)
        if not self.glbs:
            with tempfile.TemporaryDirectory() as folder:
                for name, options in (("ur5", {}), ("human", {"skin": True}), ("gantry", {"mesh": False})):
                    body = limbik.load(name)
                    q = np.linspace(0, 0.3, 3 * body.n).reshape(3, body.n)
                    for kind in ("linear", "cubic"):
                        path = Path(folder) / "a.glb"
                        limbik.Clip(body, q, interpolation=kind).save(path, **options)
                        self.glbs.append(split_glb(path.read_bytes()))
        return broken_glb(rng, *pick(rng, self.glbs))

    def from_motion(self, rng: np.random.Generator, kept: str | bytes, sort: str) -> None:
        """Read a file of motion, as users do, and hold it to its laws."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            path = folder / f"motion.{sort}"
            path.write_bytes(kept if isinstance(kept, bytes) else kept.encode(errors="surrogatepass"))
            obey_motion(limbik.load_clip(path), folder)
            limbik.load(path)

    def found(self, number: int, sort: str, kept: str | bytes, what: str, trace: str = "") -> None:
        """Keep a finding: a line on the screen, the input in the folder."""
        if self.out is None:
            self.out = Path(tempfile.mkdtemp(prefix="limbik-fuzz-"))
        self.out.mkdir(parents=True, exist_ok=True)
        ending = "txt" if sort == "model" else sort
        path = self.out / f"seed{self.seed}-case{number}.{ending}"
        path.write_bytes(kept if isinstance(kept, bytes) else kept.encode(errors="surrogatepass"))
        path.with_suffix(".why").write_text(f"seed {self.seed}, case {number}: {what}\n{trace}", errors="replace")
        line = f"seed {self.seed}, case {number} ({sort}): {what.splitlines()[0][:200]}; kept in {path}"
        self.tally.findings.append(line)
        print(line, flush=True)


def fuzz(
    seconds: float, seed: int, out: Path | None = None, most_cases: int | None = None, sorts: tuple[str, ...] = SORTS
) -> Tally:
    """Run cases 0, 1, 2, ... until the time is over or there are enough."""
    fuzzer = Fuzzer(seed, out, sorts)
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end and (most_cases is None or number < most_cases):
        fuzzer.run(number)
        number += 1
    return fuzzer.tally


def main(arguments: list[str] | None = None) -> int:
    """Run from the shell; 1 when something was found."""
    parser = argparse.ArgumentParser(description="Random broken input for limbik.")
    parser.add_argument("--seconds", type=float, default=60.0, help="stop after this time")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same cases")
    parser.add_argument("--cases", type=int, default=None, help="stop after this many cases")
    parser.add_argument("--case", type=int, default=None, help="run this case alone")
    parser.add_argument(
        "--out", type=Path, default=None, help="folder for what is found (default: a new one under /tmp)"
    )
    parser.add_argument(
        "--sanitized", action="store_true", help="the core was built with sanitizers: nothing else changes"
    )
    parser.add_argument("--sorts", default=",".join(SORTS), help="which sorts of cases, with commas between them")
    options = parser.parse_args(arguments)
    sorts = tuple(options.sorts.split(","))
    if unknown := set(sorts) - set(SORTS):
        parser.error(f"no sort {', '.join(sorted(unknown))}; there are {', '.join(sorted(set(SORTS)))}")
    if options.case is not None:
        fuzzer = Fuzzer(options.seed, options.out, sorts)
        fuzzer.run(options.case)
        tally = fuzzer.tally
    else:
        tally = fuzz(options.seconds, options.seed, options.out, options.cases, sorts)
    print(f"seed {options.seed}: {tally}")
    return 1 if tally.findings else 0


if __name__ == "__main__":
    sys.exit(main())
