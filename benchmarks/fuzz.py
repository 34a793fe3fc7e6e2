"""Random broken input, to look for anything but a LimbikError or a lawful answer.

    python benchmarks/fuzz.py --seconds 60 --seed 1

Three sorts of cases, in turn:
  urdf   a URDF text (by hand, or written from the catalogue) with bytes, words, numbers, attributes or elements changed
  toml   a file of the catalogue, changed likewise
  model  a random chain or tree of joints, with magnitudes from 1e-300 to 1e300

Each is either refused with a LimbikError in one line, or accepted; then every verb is called at random and extreme
postures. Shapes must be right; numbers finite while magnitudes are below HARMLESS; row i of a batch equal to that row
alone, bit for bit; a chain equal to its skeleton; and what is written as URDF must read back as the same motion.
Anything else is a finding: its seed, number and input are kept in a folder, and the exit code is 1.

Case k of a seed is the same on every run, whatever the time allowed: --case k runs it alone.
"""

import argparse
import contextlib
import math
import re
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import limbik
from limbik import Chain, Joint, Kind, LimbikError, Link, Mechanism, Mimic, Skeleton
from limbik.formats.toml import read_toml
from limbik.formats.urdf import read_urdf, write_urdf
from limbik.model.catalog import FOLDER, NAMES

# Below this magnitude of every length, limit, multiplier and joint value, nothing may overflow.
HARMLESS = 1e60
# Relative error allowed where two ways of computing must agree.
AGREEMENT = 1e-9
# Angles up to this still mean something: one unit in their last place is less than AGREEMENT [rad].
READABLE_ANGLE = 1e5
# A law that compares numbers is asked only of models this small.
MOST_JOINTS_COMPARED = 200

HAND_WRITTEN = (
    """<robot name="arm"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
<joint name="j1" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 0.3" rpy="0 0.5 0"/><axis xyz="0 0 1"/>
<limit lower="-1.5" upper="2" velocity="3" effort="10"/></joint>
<joint name="j2" type="prismatic"><parent link="b"/><child link="c"/><origin xyz="0.1 0 0"/><axis xyz="0 1 1"/>
<limit lower="-0.1" upper="0.2"/></joint>
<joint name="j3" type="continuous"><parent link="c"/><child link="d"/><axis xyz="1 0 0"/></joint></robot>""",
    """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE robot><!-- a hand --><robot name="hand"><link name="palm"><inertial>
<origin xyz="0 0 1"/><mass value="0.4"/></inertial></link><link name="f1"/><link name="f2"/><link name="f3"/>
<joint name="m" type="revolute"><parent link="palm"/><child link="f1"/><limit lower="0" upper="1"/></joint>
<joint name="n" type="revolute"><parent link="palm"/><child link="f2"/><axis xyz="0 1 0"/><limit lower="0" upper="1"/>
<mimic joint="m" multiplier="-1.5" offset="0.1"/></joint>
<joint name="o" type="fixed"><parent link="f2"/><child link="f3"/><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/></joint></robot>""",
    """<robot name="body"><link name="w"/><link name="h"/><link name="l"/><link name="r"/><link name="p"/>
<joint name="root" type="floating"><parent link="w"/><child link="h"/></joint>
<joint name="left" type="spherical"><parent link="h"/><child link="l"/><origin xyz="0 0.2 0"/></joint>
<joint name="right" type="planar"><parent link="h"/><child link="r"/><axis xyz="0 0 1"/></joint>
<joint name="slide" type="prismatic"><parent link="r"/><child link="p"/><limit lower="0" upper="0"/></joint></robot>""",
)

NASTY_WORDS = (
    "nan", "inf", "-inf", "1e999", "1e308", "-1e308", "1e-320", "0", "-0.0", "", " ", "abc", "1,2", "0x10", "1_0", "1e5",
    "9" * 400, "1e150", "-1e200", "3.141592653589793", "1.5707963267948966", "1.570796", "true", "0 0 0", "1 0", "\u00e9",
    "\u0000", "&#1;", "&amp;", "&bad;", "<", ">", '"', "'", "]]>", "<!--", "<![CDATA[", "revolute", "prismatic", "continuous",
    "fixed", "floating", "spherical", "planar", "ball", "world", "base", "[", "]", "{", "}", "=", "#",
    "\\u0001", "\\ud800", "[[joint]]",
    "[[dh]]", "mimic", "\ufeff", "\U0001f916",
)  # fmt: skip


@dataclass
class Tally:
    """What has happened so far."""

    cases: int = 0
    refused: int = 0
    accepted: int = 0
    findings: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.cases} cases, {self.refused} refused, {self.accepted} accepted, {len(self.findings)} findings"


class Broken(Exception):
    """A law does not hold."""


def check(holds: bool, law: str) -> None:
    """Raise Broken with the law's name where it does not hold."""
    if not holds:
        raise Broken(law)


# ---- changed texts ---------------------------------------------------------------------------------------------------


def pick(rng: np.random.Generator, things):
    """Return one of some things."""
    return things[int(rng.integers(len(things)))]


def changed_number(rng: np.random.Generator, text: str) -> str:
    """Replace one number by another."""
    found = list(re.finditer(r"-?\d+\.?\d*(?:e-?\d+)?", text))
    if not found:
        return text
    match = pick(rng, found)
    number = float(match[0])
    new = pick(rng, (
        lambda: repr(-number), lambda: repr(number * 10 ** float(rng.uniform(-20, 20))), lambda: repr(number + 1e-12),
        lambda: repr(10 ** float(rng.uniform(-300, 300))), lambda: str(int(rng.integers(-5, 6))), lambda: pick(rng, NASTY_WORDS),
    ))()  # fmt: skip
    return text[: match.start()] + new + text[match.end() :]


def changed_characters(rng: np.random.Generator, text: str) -> str:
    """Delete, repeat, insert or replace a few characters."""
    at = int(rng.integers(len(text) + 1))
    length = int(rng.integers(1, 9))
    return pick(rng, (
        lambda: text[:at] + text[at + length :], lambda: text[:at] + text[at : at + length] * 2 + text[at + length :],
        lambda: text[:at] + chr(int(rng.integers(32, 127))) + text[at + 1 :],
        lambda: text[:at] + pick(rng, NASTY_WORDS) + text[at:], lambda: text[:at],
    ))()  # fmt: skip


def changed_words(rng: np.random.Generator, text: str) -> str:
    """Replace a word by another of the same text, or by a nasty one."""
    found = list(re.finditer(r"[\w.\-]+", text))
    if not found:
        return text
    match = pick(rng, found)
    new = pick(rng, found)[0] if rng.random() < 0.7 else pick(rng, NASTY_WORDS)
    return text[: match.start()] + new + text[match.end() :]


def changed_pieces(rng: np.random.Generator, text: str, pattern: str) -> str:
    """Delete, repeat or swap pieces that match a pattern: elements, attributes, tables, lines."""
    found = list(re.finditer(pattern, text, re.DOTALL))
    if not found:
        return text
    a, b = sorted((pick(rng, found), pick(rng, found)), key=lambda m: m.start())
    act = int(rng.integers(4))
    if act == 0:
        return text[: a.start()] + text[a.end() :]
    if act == 1:
        return text[: a.end()] + a[0] + text[a.end() :]
    if act == 2 or a.end() > b.start():
        return text[: b.start()] + a[0] + text[b.end() :]
    return text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :]


XML_PIECES = (
    r"<(link|joint)\b.*?(?:/>|</\1>)",
    r"<(?:origin|axis|limit|mimic|parent|child)[^>]*/>",
    r'\b\w+="[^"]*"',
    r"<[^>]*>",
)
TOML_PIECES = (r"\[\[\w+\]\][^\[]*", r"[^\n]*\n", r"\[[^\]\n]*\]", r"\w+ = [^\n]*")


def mutated(rng: np.random.Generator, text: str, pieces: tuple[str, ...]) -> str:
    """Return the text with one to five changes."""
    for _ in range(int(rng.integers(1, 6))):
        act = rng.random()
        if act < 0.35:
            text = changed_number(rng, text)
        elif act < 0.5:
            text = changed_characters(rng, text)
        elif act < 0.7:
            text = changed_words(rng, text)
        else:
            text = changed_pieces(rng, text, pick(rng, pieces))
    return text


# ---- random models ---------------------------------------------------------------------------------------------------


def magnitude(rng: np.random.Generator, wild: float) -> float:
    """Return a signed number: of ordinary size, or of any size up to 10^wild where that is not 0."""
    if rng.random() < 0.1:
        return 0.0
    size = 10 ** float(rng.uniform(-300, wild) if wild else rng.uniform(-3, 1))
    return math.copysign(size, rng.uniform(-1, 1))


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """Return a rotation: any, by quarter turns, or a hair from a pitch of 90 degrees."""
    act = rng.random()
    if act < 0.3:
        angles = rng.integers(-2, 3, 3) * (math.pi / 2)
    elif act < 0.5:
        angles = np.array([rng.uniform(-3, 3), math.pi / 2 - 10 ** rng.uniform(-16, -2), rng.uniform(-3, 3)])
    else:
        angles = rng.uniform(-math.pi, math.pi, 3)
    (cr, cp, cy), (sr, sp, sy) = np.cos(angles), np.sin(angles)
    Rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    Ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    Rz = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return Rz @ Ry @ Rx


def random_mechanism(rng: np.random.Generator) -> Mechanism:
    """Return a random chain or tree; half of them with magnitudes of many sizes. May raise LimbikError."""
    wild = pick(rng, (0, 0, 0, 4, 25, 300))
    tree = rng.random() < 0.5
    scalar = rng.random() < 0.5
    kinds = [Kind.REVOLUTE, Kind.CONTINUOUS, Kind.PRISMATIC] + (
        [] if scalar else [Kind.FIXED, Kind.BALL, Kind.FLOATING]
    )
    joints: list[Joint] = []
    for k in range(int(rng.integers(1, 20))):
        kind = pick(rng, kinds)
        origin = np.eye(4)
        origin[:3, :3] = random_rotation(rng)
        origin[:3, 3] = [magnitude(rng, wild) for _ in range(3)]
        axis = np.array(
            pick(rng, [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0, -1, 0), tuple(rng.normal(size=3))]), dtype=float
        )
        axis *= 10 ** float(rng.uniform(-300, 300)) if wild and rng.random() < 0.1 else 1.0
        low, high = sorted((magnitude(rng, wild), magnitude(rng, wild)))
        mimic = None
        if kind.size == 1 and k > 0 and rng.random() < 0.2:
            mimic = Mimic(f"j{int(rng.integers(k))}", magnitude(rng, wild), magnitude(rng, wild))
        limited = kind in (Kind.REVOLUTE, Kind.PRISMATIC) and rng.random() < 0.8
        joints.append(
            Joint(
                f"j{k}", kind, f"l{int(rng.integers(k + 1)) if tree else k}", f"l{k + 1}", origin, axis,
                low if limited and rng.random() < 0.9 else -math.inf, high if limited and rng.random() < 0.9 else math.inf,
                swing=pick(rng, (0.0, math.pi, math.inf, math.inf, *rng.uniform(0, 3.2, 4).tolist())),
                twist=tuple(sorted(rng.uniform(-3.1, 3.1, 2).tolist())) if rng.random() < 0.5 else (-math.inf, math.inf),
                mimic=mimic,
            )
        )  # fmt: skip
    return Mechanism("fuzz", tuple(Link(f"l{k}") for k in range(len(joints) + 1)), tuple(joints))


def greatest_number(mechanism: Mechanism) -> float:
    """Return the greatest magnitude that a motion of the mechanism can meet, apart from q."""
    sizes = [1.0]
    for joint in mechanism.joints:
        sizes.append(float(np.abs(joint.origin[:3, 3]).max()))
        sizes += [abs(x) for x in (joint.lower, joint.upper) if math.isfinite(x)]
        if joint.mimic is not None:
            _, multiplier, offset = mechanism.driver(joint)
            sizes += [abs(multiplier), abs(offset)]
    return max(sizes) if not any(map(math.isnan, sizes)) else math.inf


# ---- laws ------------------------------------------------------------------------------------------------------------


def postures(rng: np.random.Generator, body) -> np.ndarray:
    """Return a batch of q: random, whole turns, zeros, the limits, and of any size; more rows than lanes."""
    n = body.n
    rows = [np.zeros(n), body.home, np.where(np.isfinite(body.lower), body.lower, 1.0),
            np.where(np.isfinite(body.upper), body.upper, -1.0), rng.integers(-4, 5, n) * (math.pi / 2)]  # fmt: skip
    rows += list(rng.uniform(-math.pi, math.pi, (9, n)))
    rows += [rng.choice([-1.0, 1.0], n) * 10 ** rng.uniform(-300, 59, n), 10 ** rng.uniform(-8, 5, n)]
    return np.clip(rows, -HARMLESS, HARMLESS)


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bit for bit, NaN beside NaN allowed."""
    return a.shape == b.shape and np.array_equal(a, b, equal_nan=True)


def near(a: np.ndarray, b: np.ndarray, scale: float = 1.0) -> bool:
    """Equal poses to AGREEMENT: rotations as they are, positions beside the size of the mechanism."""
    turned = np.abs(a[..., :3, :3] - b[..., :3, :3]).max(initial=0.0)
    moved = np.abs(a[..., :3, 3] - b[..., :3, 3]).max(initial=0.0)
    return bool(turned <= AGREEMENT and moved <= AGREEMENT * max(scale, 1.0))


def obey(rng: np.random.Generator, body) -> None:
    """Call every verb; raise Broken where a law does not hold."""
    mechanism, n = body.mechanism, body.n
    size = greatest_number(mechanism)
    frame = body.tip if isinstance(body, Chain) else pick(rng, body.frames)
    check(body.lower.shape == body.upper.shape == body.home.shape == (n,), "the limits have n numbers")
    check(bool(np.isfinite(body.home).all()), "home is finite")
    check(bool((body.lower <= body.home).all() and (body.home <= body.upper).all()), "home keeps the limits")
    q = postures(rng, body)
    rows = len(q)
    T, J, everything = body.forward(q, frame), body.jacobian(q, frame), body.forward_all(q)
    both = body.forward_jacobian(q, frame)
    check(T.shape == (rows, 4, 4) and J.shape == (rows, 6, n), "forward and jacobian have their shapes")
    check(everything.shape == (rows, len(body.frames), 4, 4), "forward_all has its shape")
    check(same(both[0], T) and same(both[1], J), "forward_jacobian is forward and jacobian")
    k = int(rng.integers(rows))
    check(same(body.forward(q[k], frame), T[k]), "a row of forward is that row alone")
    check(same(body.jacobian(q[k], frame), J[k]), "a row of jacobian is that row alone")
    check(same(body.forward_all(q[k]), everything[k]), "a row of forward_all is that row alone")
    check(same(body.forward(q, frame, threads=3), T), "threads change nothing")
    q2 = q[rng.permutation(rows)]
    moved, apart = body.integrate(q, q2), body.difference(q, q2)
    check(same(body.integrate(q[k], q2[k]), moved[k]), "a row of integrate is that row alone")
    check(same(body.difference(q[k], q2[k]), apart[k]), "a row of difference is that row alone")
    inside = body.clamp(q)
    check(inside.shape == q.shape and bool(np.isfinite(inside).all()), "clamp gives finite postures")
    check(bool(body.within_limits(inside).all()), "a clamped posture keeps the limits")
    check(same(body.clamp(inside), inside), "clamping twice changes nothing")
    drawn = body.sample(rng, 5)
    check(drawn.shape == (5, n) and bool(np.isfinite(drawn).all()), "samples are finite")
    check(bool(body.within_limits(drawn).all()), "samples keep the limits")
    check(bool(np.isfinite(body.reach)) or size > HARMLESS, "reach is finite")
    str(body), repr(body), body.fingerprint, getattr(body, "structure", None)
    extreme(rng, body, frame)

    reaching = np.abs(q).max(axis=-1, initial=0.0)
    harmless = (reaching < HARMLESS) & (size < HARMLESS)
    for name, values in (("forward", T), ("jacobian", J), ("forward_all", everything), ("integrate", moved)):
        check(bool(np.isfinite(values[harmless]).all()), f"{name} is finite")
    R = T[harmless][:, :3, :3]
    check(bool(np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(initial=0.0) < AGREEMENT), "rotations are rotations")
    check(
        same(T[harmless][:, 3], np.broadcast_to([0.0, 0.0, 0.0, 1.0], (int(harmless.sum()), 4))),
        "the last row is 0 0 0 1",
    )
    if size < READABLE_ANGLE and n <= MOST_JOINTS_COMPARED:
        plain = reaching < READABLE_ANGLE
        compare(body, frame, q[plain], T[plain], everything[plain])


def extreme(rng: np.random.Generator, body, frame: str) -> None:
    """Joint values of any size: refused, or answered without NaN in a rotation or in a clamped posture."""
    q = rng.choice([-1.0, 1.0], (3, body.n)) * 10 ** rng.uniform(-300, 308, (3, body.n))
    with contextlib.suppress(LimbikError):
        check(body.integrate(q, np.zeros_like(q)).shape == q.shape, "integrate keeps the shape of extreme postures")
        check(body.difference(q, q[::-1]).shape == q.shape, "difference keeps the shape of extreme postures")
        inside = body.clamp(q)
        check(bool(np.isfinite(inside).all()), "extreme postures are clamped to finite ones")
        check(bool(body.within_limits(inside).all()), "extreme postures are clamped into the limits")
        T = body.forward(q, frame)
        check(same(body.forward(q[1], frame), T[1]), "a row of extreme postures is that row alone")
        if greatest_number(body.mechanism) < HARMLESS and not any(joint.mimic for joint in body.mechanism.joints):
            check(bool(np.isfinite(T[:, :3, :3]).all()), "extreme postures have a rotation")


def compare(body, frame: str, q: np.ndarray, T: np.ndarray, everything: np.ndarray) -> None:
    """Hold two ways of computing the same thing against each other."""
    mechanism = body.mechanism
    lengths = sum(float(np.abs(joint.origin[:3, 3]).sum()) for joint in mechanism.joints)
    scale = lengths + body.n * float(np.abs(q).max(initial=1.0)) * max(1.0, greatest_number(mechanism))
    check(near(everything[:, body.frames.index(frame)], T, scale), "forward_all has forward's pose")
    skeleton = Skeleton(mechanism, body.base)
    columns = [skeleton.joint_names.index(name) for name in body.joint_names]
    whole = np.zeros((len(q), skeleton.n))
    whole[:, columns] = q
    check(near(skeleton.forward(whole, frame), T, scale), "a chain moves as in its skeleton")
    written = write_urdf(mechanism)
    again = read_urdf(written)
    back = Chain(again, body.base, frame) if isinstance(body, Chain) else Skeleton(again, body.base)
    check(back.joint_names == body.joint_names, "joint names survive writing")
    check(near(back.forward(q, frame), T, scale), "the motion survives writing")


def bodies(mechanism: Mechanism):
    """Yield what a user would hold: the whole, and a chain to one end."""
    body = limbik.load(mechanism)
    yield body
    if isinstance(body, Skeleton):
        yield body.chain(body.tips[-1])


# ---- running ---------------------------------------------------------------------------------------------------------


class Fuzzer:
    """Makes case k of a seed, runs it, and keeps what is found."""

    def __init__(self, seed: int, out: Path | None = None) -> None:
        self.seed = seed
        self.out = out
        self.tally = Tally()
        written = [write_urdf(limbik.load(name).mechanism) for name in NAMES if name != "human"]
        self.urdfs = (*HAND_WRITTEN * 4, *written)
        self.tomls = [(FOLDER / f"{name}.toml").read_text() for name in NAMES]

    def run(self, number: int) -> None:
        """Run one case."""
        rng = np.random.default_rng([self.seed, number])
        sort = ("urdf", "model", "toml", "model")[number % 4]
        kept: str = ""
        self.tally.cases += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
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

    def found(self, number: int, sort: str, kept: str, what: str, trace: str = "") -> None:
        """Keep a finding: a line on the screen, the input in the folder."""
        if self.out is None:
            self.out = Path(tempfile.mkdtemp(prefix="limbik-fuzz-"))
        self.out.mkdir(parents=True, exist_ok=True)
        ending = {"urdf": "urdf", "toml": "toml", "model": "txt"}[sort]
        path = self.out / f"seed{self.seed}-case{number}.{ending}"
        path.write_text(kept, errors="surrogatepass")
        path.with_suffix(".why").write_text(f"seed {self.seed}, case {number}: {what}\n{trace}", errors="replace")
        line = f"seed {self.seed}, case {number} ({sort}): {what.splitlines()[0][:200]}; kept in {path}"
        self.tally.findings.append(line)
        print(line, flush=True)


def fuzz(seconds: float, seed: int, out: Path | None = None, most_cases: int | None = None) -> Tally:
    """Run cases 0, 1, 2, ... until the time is over or there are enough."""
    fuzzer = Fuzzer(seed, out)
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
    options = parser.parse_args(arguments)
    if options.case is not None:
        fuzzer = Fuzzer(options.seed, options.out)
        fuzzer.run(options.case)
        tally = fuzzer.tally
    else:
        tally = fuzz(options.seconds, options.seed, options.out, options.cases)
    print(f"seed {options.seed}: {tally}")
    return 1 if tally.findings else 0


if __name__ == "__main__":
    sys.exit(main())
