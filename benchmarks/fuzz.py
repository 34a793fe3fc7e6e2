"""Test limbik with random broken input: each case must end with a LimbikError or with an answer that obeys the laws.

    python benchmarks/fuzz.py --seconds 60 --seed 1

Five kinds of cases, in turn (--kinds bvh,glb runs only these):
  urdf   a URDF text (by hand, or written from the catalogue) with bytes, words, numbers, attributes or elements changed
  toml   a file of the catalogue, changed likewise
  model  a random chain or tree of joints, with magnitudes from 1e-300 to 1e300
  bvh    a random BVH text, changed like a URDF
  glb    a .glb that limbik wrote, with fields, numbers, bytes or its length changed

Each input is either refused by a LimbikError with a message of one line, or accepted. If it is accepted, every method is called
at random and extreme configurations. Array shapes must be right; values finite while magnitudes are below HARMLESS; row i of a
batch equal to that row alone, bit for bit; a chain equal to its skeleton; a URDF written and read again must have the same
motion and shapes. Anything else is a finding: its seed, number and input are saved in a folder, and the exit code is 1.

Case k of a seed is the same in every run, whatever the time limit: --case k runs it alone.
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
    """The counts so far."""

    cases: int = 0
    refused: int = 0
    accepted: int = 0
    findings: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.cases} cases, {self.refused} refused, {self.accepted} accepted, {len(self.findings)} findings"


def bodies(mechanism: Mechanism):
    """Yield the whole robot, and the chain to one tip."""
    body = limbik.load(mechanism)
    yield body
    if isinstance(body, Skeleton):
        yield body.chain(body.tips[-1])


KINDS = ("urdf", "model", "toml", "model", "bvh", "glb")


class Fuzzer:
    """Makes case k of a seed, runs it, and saves findings."""

    def __init__(self, seed: int, out: Path | None = None, kinds: tuple[str, ...] = KINDS) -> None:
        self.seed, self.kinds = seed, kinds
        self.out = out
        self.tally = Tally()
        written = [write_urdf(limbik.load(name).model.mechanism) for name in CATALOGUE if name != "human"]
        self.urdfs = (*HAND_WRITTEN * 4, *written)
        self.glbs: list[tuple[Any, bytes]] = []
        self.tomls = [(FOLDER / f"{name}.toml").read_text() for name in CATALOGUE]

    def run(self, number: int) -> None:
        """Run one case."""
        rng = np.random.default_rng([self.seed, number])
        kind = self.kinds[number % len(self.kinds)]
        source: str | bytes = ""
        self.tally.cases += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                if kind in ("bvh", "glb"):
                    source = self.motion(rng, kind)
                    self.from_motion(rng, source, kind)
                    self.tally.accepted += 1
                    return
                if kind == "urdf":
                    source = mutated(rng, pick(rng, self.urdfs), XML_PIECES)
                    mechanism = read_urdf(source)
                elif kind == "toml":
                    source = mutated(rng, pick(rng, self.tomls), TOML_PIECES)
                    mechanism = self.from_toml(source)
                else:
                    mechanism = random_mechanism(rng)
                    source = repr(mechanism)
                for body in bodies(mechanism):
                    obey(rng, body)
            self.tally.accepted += 1
        except LimbikError as error:
            self.tally.refused += 1
            if "\n" in str(error) or not str(error):
                self.found(number, kind, source, f"a message that is not one line: {error!r}")
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f" ({Path(place.filename).name}:{place.lineno})" if not isinstance(error, Broken) else ""
            self.found(number, kind, source, f"{type(error).__name__}: {error}{where}", traceback.format_exc())

    def from_toml(self, text: str) -> Mechanism:
        """Read a TOML text from a file, as users do."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "robot.toml"
            path.write_text(text, errors="surrogatepass")
            return read_toml(path)

    def motion(self, rng: np.random.Generator, kind: str) -> str | bytes:
        """Make a broken motion file."""
        if kind == "bvh":
            return broken_bvh(rng)
        if not self.glbs:
            with tempfile.TemporaryDirectory() as folder:
                for name, options in (("ur5", {}), ("human", {"skin": True}), ("gantry", {"mesh": False})):
                    body = limbik.load(name)
                    q = np.linspace(0, 0.3, 3 * body.n).reshape(3, body.n)
                    for interpolation in ("linear", "cubic"):
                        path = Path(folder) / "a.glb"
                        limbik.Clip(body, q, interpolation=interpolation).save(path, **options)
                        self.glbs.append(split_glb(path.read_bytes()))
        return broken_glb(rng, *pick(rng, self.glbs))

    def from_motion(self, rng: np.random.Generator, source: str | bytes, kind: str) -> None:
        """Read a motion file, as users do, and check its laws."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            path = folder / f"motion.{kind}"
            path.write_bytes(source if isinstance(source, bytes) else source.encode(errors="surrogatepass"))
            obey_motion(limbik.load_clip(path), folder)
            limbik.load(path)

    def found(self, number: int, kind: str, source: str | bytes, what: str, trace: str = "") -> None:
        """Report a finding: print a line, and save the input in the folder."""
        if self.out is None:
            self.out = Path(tempfile.mkdtemp(prefix="limbik-fuzz-"))
        self.out.mkdir(parents=True, exist_ok=True)
        ending = "txt" if kind == "model" else kind
        path = self.out / f"seed{self.seed}-case{number}.{ending}"
        path.write_bytes(source if isinstance(source, bytes) else source.encode(errors="surrogatepass"))
        path.with_suffix(".why").write_text(f"seed {self.seed}, case {number}: {what}\n{trace}", errors="replace")
        line = f"seed {self.seed}, case {number} ({kind}): {what.splitlines()[0][:200]}; saved in {path}"
        self.tally.findings.append(line)
        print(line, flush=True)


def fuzz(
    seconds: float, seed: int, out: Path | None = None, most_cases: int | None = None, kinds: tuple[str, ...] = KINDS
) -> Tally:
    """Run cases 0, 1, 2, ... until the time or the number of cases is reached."""
    fuzzer = Fuzzer(seed, out, kinds)
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end and (most_cases is None or number < most_cases):
        fuzzer.run(number)
        number += 1
    return fuzzer.tally


def main(arguments: list[str] | None = None) -> int:
    """Run from the shell; return 1 if there are findings."""
    parser = argparse.ArgumentParser(description="Random broken input for limbik.")
    parser.add_argument("--seconds", type=float, default=60.0, help="stop after this time")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same cases")
    parser.add_argument("--cases", type=int, default=None, help="stop after this many cases")
    parser.add_argument("--case", type=int, default=None, help="run this case alone")
    parser.add_argument("--out", type=Path, default=None, help="folder for findings (default: a new temporary folder)")
    parser.add_argument("--kinds", default=",".join(KINDS), help="kinds of cases, separated by commas")
    options = parser.parse_args(arguments)
    kinds = tuple(options.kinds.split(","))
    if unknown := set(kinds) - set(KINDS):
        parser.error(f"no kind {', '.join(sorted(unknown))}; there are {', '.join(sorted(set(KINDS)))}")
    if options.case is not None:
        fuzzer = Fuzzer(options.seed, options.out, kinds)
        fuzzer.run(options.case)
        tally = fuzzer.tally
    else:
        tally = fuzz(options.seconds, options.seed, options.out, options.cases, kinds)
    print(f"seed {options.seed}: {tally}")
    return 1 if tally.findings else 0


if __name__ == "__main__":
    sys.exit(main())
