"""Parse the text of a BVH file: its hierarchy as a list of nodes. Errors name the line.

HIERARCHY contains nested nodes: ROOT or JOINT with a name, OFFSET and CHANNELS, and End Site with an OFFSET. MOTION
contains the number of frames, the frame time, and a row of numbers per frame. The format has no standard. This parser
accepts keywords in any case, names with spaces and colons up to the end of the line, several roots, and nodes without
channels.
"""

import re
from dataclasses import dataclass
from typing import NoReturn

from limbik.errors import BadFile, shown
from limbik.formats.source import LARGEST_FILE
from limbik.geometry.arrays import LARGEST
from limbik.model.units import text_number

CHANNELS = ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")
# The most nodes of a file: far above any figure.
MOST_NODES = 10_000

_CHANNEL_OF = {name.lower(): name for name in CHANNELS}
_WORD = re.compile(r"[{}]|[^\s{}]+")
_REST_OF_LINE = re.compile(r"[^{}\r\n]*")
_MOTION = re.compile(rb"(?:^|[\r\n])[ \t]*motion\b", re.IGNORECASE)
_COUNTS = re.compile(rb"\s*frames\s*:\s*(\S+)\s+frame\s*time\s*:\s*(\S+)", re.IGNORECASE)


@dataclass(frozen=True)
class Node:
    """A ROOT, JOINT or End Site as written. parent: the index of its parent node, -1 for a root. offset: in the file's unit."""

    name: str
    parent: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    channels: tuple[str, ...] = ()
    is_end: bool = False


@dataclass(frozen=True)
class Head:
    """The content of a file before the numbers. frames: as declared. frame_time: [s].

    numbers_at: the byte offset of the numbers, -1 if the file has no motion.
    """

    nodes: tuple[Node, ...]
    frames: int
    frame_time: float
    numbers_at: int
    encoding: str


def read_head(data: bytes, what: str) -> Head:
    """Return the nodes and counts before the numbers of a BVH file. Raises BadFile."""
    motion = _MOTION.search(data)
    head = data[: motion.start()] if motion else data
    if len(head) > LARGEST_FILE:
        raise BadFile(
            f"{what} has {len(head) / 2**20:.0f} MB before MOTION; limbik reads hierarchies of at most {LARGEST_FILE >> 20} MB"
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
        raise BadFile(f"{what} has the Frame Time {shown(counts[2].decode('latin-1'))}; give seconds above 0")
    return Head(nodes, frames, frame_time, counts.end(), encoding)


def _frames(word: str, what: str) -> int:
    digits = word.removeprefix("+")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        raise BadFile(f"{what} declares {shown(word)} frames; a whole number, 0 or more, is expected")
    return int(digits)


class _Hierarchy:
    """One pass over the text before MOTION."""

    def __init__(self, text: str, what: str) -> None:
        self.text, self.what, self.at = text, what, 0

    def nodes(self) -> tuple[Node, ...]:
        if self._word().lower() != "hierarchy":
            raise BadFile(f"{self.what} does not begin with HIERARCHY; is it a BVH file?")
        done: list[Node] = []
        open_: list[int] = []  # the indices of nodes that are not closed yet
        while word := self._word():
            low = word.lower()
            if low == "}":
                if not open_:
                    self._refuse("closes a node that is not opened")
                open_.pop()
            elif low == "root" and not open_:
                self._begin(done, open_, "ROOT")
            elif low == "joint" and open_ and not done[open_[-1]].is_end:
                self._begin(done, open_, "JOINT")
            elif low == "end" and open_ and not done[open_[-1]].is_end:
                self._begin(done, open_, "End Site")
            else:
                self._refuse(f"has {shown(word)} where ROOT, JOINT, End Site or a bracket is expected")
        if open_:
            raise BadFile(f"{self.what} ends inside the node '{done[open_[-1]].name}': it is cut short")
        if not done:
            raise BadFile(f"{self.what} has no ROOT")
        return tuple(done)

    def _begin(self, done: list[Node], open_: list[int], kind: str) -> None:
        if len(done) == MOST_NODES:
            raise BadFile(f"{self.what} has more than {MOST_NODES} joints; is it the skeleton of a character?")
        is_end = kind == "End Site"
        name = self._rest_of_line()
        if is_end and name.lower().startswith("site"):
            name = name[4:].strip()
        label = f"{kind} '{name}'" if name else f"a {kind}"
        self._expect("{", f"{label} must be followed by {{")
        self._expect("offset", f"{label} must begin with its OFFSET")
        offset = (self._number(label), self._number(label), self._number(label))
        channels = () if is_end else self._channels(label)
        done.append(Node(name, open_[-1] if open_ else -1, offset, channels, is_end))
        open_.append(len(done) - 1)

    def _channels(self, label: str) -> tuple[str, ...]:
        before = self.at
        if self._word().lower() != "channels":
            self.at = before
            return ()
        count = self._word()
        if not (count.isascii() and count.isdigit() and len(count) < 3 and int(count) <= len(CHANNELS)):
            self._refuse(f"gives {label} {shown(count)} channels; 0 to {len(CHANNELS)} are expected")
        words = [self._word() for _ in range(int(count))]
        for word in words:
            if word.lower() not in _CHANNEL_OF:
                self._refuse(f"gives {label} the channel {shown(word)}; use {', '.join(CHANNELS)}")
        found = tuple(_CHANNEL_OF[word.lower()] for word in words)
        positions = [name for name in found if name.endswith("position")]
        if len(positions) != len(set(positions)):
            self._refuse(f"gives {label} the channel {positions[0]} twice")
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

    def _expect(self, keyword: str, sentence: str) -> None:
        if self._word().lower() != keyword:
            self._refuse(f"is malformed: {sentence}")

    def _number(self, label: str) -> float:
        word = self._word()
        value = text_number(word)
        if value is None or not abs(value) <= LARGEST:
            self._refuse(f"gives {label} the offset {shown(word)}; three numbers are expected")
        return value

    def _refuse(self, sentence: str) -> NoReturn:
        line = self.text.count("\n", 0, max(self.at - 1, 0)) + 1
        raise BadFile(f"{self.what}: line {line} {sentence}")
