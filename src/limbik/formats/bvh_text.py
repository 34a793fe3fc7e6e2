"""The text of a BVH file: its hierarchy as a list of nodes, and a sentence with the line where it breaks off.

HIERARCHY holds nested nodes (ROOT or JOINT with a name, OFFSET, CHANNELS; End Site with an OFFSET), MOTION a count of frames,
the time of one, and a row of numbers for each. The format has no standard: keywords are taken in any case, names run to the end
of their line (they hold blanks and colons), a file may have several roots, a node no channels.
"""

import re
from dataclasses import dataclass
from typing import NoReturn

from limbik.errors import BadFile, shown
from limbik.formats.source import LARGEST_FILE
from limbik.geometry.arrays import LARGEST
from limbik.model.units import text_number

CHANNELS = ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")
# Nodes past which a file is not a figure.
MOST_NODES = 10_000

_CHANNEL_OF = {name.lower(): name for name in CHANNELS}
_WORD = re.compile(r"[{}]|[^\s{}]+")
_REST_OF_LINE = re.compile(r"[^{}\r\n]*")
_MOTION = re.compile(rb"(?:^|[\r\n])[ \t]*motion\b", re.IGNORECASE)
_COUNTS = re.compile(rb"\s*frames\s*:\s*(\S+)\s+frame\s*time\s*:\s*(\S+)", re.IGNORECASE)


@dataclass(frozen=True)
class Node:
    """A ROOT, JOINT or End Site as written. parent: its number among the nodes, -1 for a root. offset: in the file's unit."""

    name: str
    parent: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    channels: tuple[str, ...] = ()
    is_end: bool = False


@dataclass(frozen=True)
class Head:
    """What stands before the numbers: the nodes, the frames announced, the time of one [s], where the numbers begin.

    numbers_at is -1 where the file has no motion.
    """

    nodes: tuple[Node, ...]
    frames: int
    frame_time: float
    numbers_at: int
    encoding: str


def read_head(data: bytes, what: str) -> Head:
    """Return what stands before the numbers of a BVH file. Raises BadFile."""
    motion = _MOTION.search(data)
    head = data[: motion.start()] if motion else data
    if len(head) > LARGEST_FILE:
        raise BadFile(
            f"{what} has {len(head) / 2**20:.0f} MB before MOTION; a hierarchy has less than {LARGEST_FILE >> 20}"
        )
    try:
        text, encoding = head.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        text, encoding = head.decode("latin-1"), "latin-1"
    nodes = _Hierarchy(text, what).nodes()
    if motion is None:
        return Head(nodes, 0, 0.0, -1, encoding)
    counts = _COUNTS.match(data, motion.end())
    line = data.count(b"\n", 0, motion.end()) + 1
    if counts is None:
        raise BadFile(f"{what}: MOTION in line {line} must be followed by 'Frames: N' and 'Frame Time: seconds'")
    frames = _frames(counts[1].decode("latin-1"), what)
    frame_time = text_number(counts[2].decode("latin-1"))
    if frame_time is None or not 0 <= frame_time <= LARGEST or (frame_time == 0 and frames > 1):
        raise BadFile(f"{what} says the Frame Time {shown(counts[2].decode('latin-1'))}; seconds above 0 are meant")
    return Head(nodes, frames, frame_time, counts.end(), encoding)


def _frames(word: str, what: str) -> int:
    digits = word.removeprefix("+")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        raise BadFile(f"{what} announces {shown(word)} frames; a whole number, 0 or more, is meant")
    return int(digits)


class _Hierarchy:
    """One pass over the text before MOTION."""

    def __init__(self, text: str, what: str) -> None:
        self.text, self.what, self.at = text, what, 0

    def nodes(self) -> tuple[Node, ...]:
        if self._word().lower() != "hierarchy":
            raise BadFile(f"{self.what} does not begin with HIERARCHY; is it a BVH file?")
        done: list[Node] = []
        open_: list[int] = []  # the nodes that have not been closed, by number
        while word := self._word():
            low = word.lower()
            if low == "}":
                if not open_:
                    self._refuse("closes a node that was not opened")
                open_.pop()
            elif low == "root" and not open_:
                self._begin(done, open_, "ROOT")
            elif low == "joint" and open_ and not done[open_[-1]].is_end:
                self._begin(done, open_, "JOINT")
            elif low == "end" and open_ and not done[open_[-1]].is_end:
                self._begin(done, open_, "End Site")
            else:
                self._refuse(f"has {shown(word)} where ROOT, JOINT, End Site or a bracket is meant")
        if open_:
            raise BadFile(f"{self.what} ends inside the node '{done[open_[-1]].name}': it is cut short")
        if not done:
            raise BadFile(f"{self.what} has no ROOT")
        return tuple(done)

    def _begin(self, done: list[Node], open_: list[int], kind: str) -> None:
        if len(done) == MOST_NODES:
            raise BadFile(f"{self.what} has more than {MOST_NODES} joints; is it a figure?")
        is_end = kind == "End Site"
        name = self._rest_of_line()
        if is_end and name.lower().startswith("site"):
            name = name[4:].strip()
        called = f"{kind} '{name}'" if name else f"a {kind}"
        self._expect("{", f"{called} must be followed by {{")
        self._expect("offset", f"{called} must begin with its OFFSET")
        offset = (self._number(called), self._number(called), self._number(called))
        channels = () if is_end else self._channels(called)
        done.append(Node(name, open_[-1] if open_ else -1, offset, channels, is_end))
        open_.append(len(done) - 1)

    def _channels(self, called: str) -> tuple[str, ...]:
        before = self.at
        if self._word().lower() != "channels":
            self.at = before
            return ()
        count = self._word()
        if not (count.isascii() and count.isdigit() and len(count) < 3 and int(count) <= len(CHANNELS)):
            self._refuse(f"gives {called} {shown(count)} channels; 0 to {len(CHANNELS)} are meant")
        words = [self._word() for _ in range(int(count))]
        for word in words:
            if word.lower() not in _CHANNEL_OF:
                self._refuse(f"gives {called} the channel {shown(word)}; these are known: {', '.join(CHANNELS)}")
        found = tuple(_CHANNEL_OF[word.lower()] for word in words)
        slides = [name for name in found if name.endswith("position")]
        if len(slides) != len(set(slides)):
            self._refuse(f"gives {called} the channel {slides[0]} twice")
        return found

    # ---- words -------------------------------------------------------------------------------------------------------

    def _word(self) -> str:
        match = _WORD.search(self.text, self.at)
        self.at = match.end() if match else len(self.text)
        return match[0] if match else ""

    def _rest_of_line(self) -> str:
        match = _REST_OF_LINE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match[0].strip() if match else ""

    def _expect(self, wanted: str, sentence: str) -> None:
        if self._word().lower() != wanted:
            self._refuse(f"is not as it should be: {sentence}")

    def _number(self, called: str) -> float:
        word = self._word()
        value = text_number(word)
        if value is None or not abs(value) <= LARGEST:
            self._refuse(f"gives {called} the offset {shown(word)}; three numbers are meant")
        return value

    def _refuse(self, sentence: str) -> NoReturn:
        line = self.text.count("\n", 0, max(self.at - 1, 0)) + 1
        raise BadFile(f"{self.what}: line {line} {sentence}")
