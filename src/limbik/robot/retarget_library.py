"""Many clips onto one figure: a file each, by this process, several, or the workers of a cluster.

What is done is there as a file, so a run that was ended goes on from there. Workers get the bytes of a clip and send back joint
values, so those of a cluster need not see the disk.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from limbik.errors import BadOption, FileUnwritable, LimbikError, one_line, shown
from limbik.formats.source import LARGEST_MOTION, read_bytes
from limbik.robot.clip import Clip
from limbik.robot.keeping import save_or_keep
from limbik.robot.load_clip import FIGURES, load_clip
from limbik.robot.retarget import retarget
from limbik.robot.saving import WRITERS, check_saving
from limbik.robot.skeleton import Skeleton
from limbik.solvers.table.crew import hired
from limbik.solvers.table.layout import Arrays
from limbik.solvers.table.parts import claimed
from limbik.solvers.table.task import Task
from limbik.solvers.table.work import Progress, make_pieces

# What is told of a clip that went wrong [characters].
LONGEST = 500


@dataclass(frozen=True)
class Done:
    """What became of one clip. why: a sentence, or several.

    status: "done", "doubtful" (written, but bones are turned away from the source's or the hips' way is lost), "there" (it was,
    and was left alone) or "failed". ok: as `Retargeted.ok`. slide, hand_error: the greatest [m]. reported: how often a hand
    missed its target, or a standing foot its place, by more than the tolerance.
    """

    clip: str
    out: str
    status: str
    why: str = ""
    frames: int = 0
    slide: float = 0.0
    hand_error: float = 0.0
    reported: int = 0
    ok: bool = False


@dataclass(frozen=True)
class Retargeting:
    """What is done with each clip. how: options of `retarget`; reading: of `load_clip`."""

    clips: tuple[str, ...]
    figure: Skeleton
    how: Mapping[str, Any]
    reading: Mapping[str, Any]
    name: str = "retargeting"

    @property
    def pieces(self) -> int:
        """How many clips there are."""
        return len(self.clips)

    def make(self, piece: int, before: Arrays) -> Arrays:
        """Retarget a clip; before: the bytes of its file. What goes wrong is an answer."""
        if "problem" in before:
            return {"problem": before["problem"]}
        with TemporaryDirectory(prefix="limbik_") as folder:
            file = Path(folder) / Path(self.clips[piece]).name
            try:
                file.write_bytes(before["data"].tobytes())
                clip = load_clip(file, **self.reading)
                result = retarget(clip, self.figure, **self.how)
            except LimbikError as error:
                return {"problem": _bytes(one_line(str(error).replace(str(file), self.clips[piece]), LONGEST))}
            except Exception as error:
                return {"problem": _bytes(one_line(f"{type(error).__name__}: {error}", LONGEST))}
        told = {
            "why": result.why,
            "frames": len(result),
            "slide": result.foot_slide,
            "hand_error": max((float(e.max()) for e in result.hand_error.values()), default=0.0),
            "reported": len(result.reported),
            "ok": result.ok,
            "status": "done" if result.faithful else "doubtful",
        }
        return {"q": np.array(result.q), "times": np.array(result.times), "told": _bytes(json.dumps(told))}


@dataclass(frozen=True)
class Files(Task):
    """The work, and where its results go: joint values into a clip's file, the rest beside them until all is done."""

    outs: tuple[str, ...] = ()
    saving: tuple[tuple[str, Any], ...] = ()
    todo: tuple[int, ...] = ()

    def keep(self, piece: int, arrays: Arrays) -> None:
        """Write the clip, then what is told of it."""
        told = {name: value for name, value in arrays.items() if name in ("problem", "told")}
        if "q" in arrays:
            assert isinstance(self.stage, Retargeting)
            out = Path(self.outs[piece])
            try:
                out.parent.mkdir(parents=True, exist_ok=True)
                save_or_keep(Clip(self.stage.figure, arrays["q"], arrays["times"]).recording, out, **dict(self.saving))
            except (LimbikError, OSError) as error:
                told = {"problem": _bytes(one_line(error, LONGEST))}
        self.parts.keep(self.name(piece), told)

    def missing(self) -> list[int]:
        """Return the clips that are to be done."""
        return list(self.todo)


def retarget_library(
    clips: Sequence[str | PathLike[str]],
    outs: Sequence[str | PathLike[str]],
    figure: Skeleton,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    force: bool = False,
    progress: Progress | None = None,
    reading: Mapping[str, Any] | None = None,
    saving: Mapping[str, Any] | None = None,
    **how: Any,
) -> list[Done]:
    """Retarget files of motion into files, one for each; what went wrong with one is told and does not stop the others.

    outs: where each goes, by its ending .bvh, .glb, .gltf, .csv or .npz; one that is there is left alone unless `force`. workers:
    processes, 1 by default; cluster: "local", or the address of a dask scheduler (extra `cluster`). reading: options of
    `load_clip` (unit=, up= ...); saving: of `Clip.save`; how: of `retarget`. progress: called with the clips done, their number,
    and what is going on. Raises BadOption, FileUnwritable, MissingExtra, WorkerLost.
    """
    if not isinstance(figure, Skeleton):
        raise BadOption(f"retarget_library needs a Skeleton to put the clips on, not {shown(figure)}")
    sources, targets = _checked(clips, "clips", FIGURES), _checked(outs, "outs", WRITERS)
    if len(sources) != len(targets) or len(set(targets)) != len(targets):
        raise BadOption(f"{len(sources)} clips need as many files to go to, all different; got {len(set(targets))}")
    resolved = {Path(path).resolve() for path in sources}
    for out in targets:
        if Path(out).resolve() in resolved:
            raise BadOption(f"'{out}' is a clip to be read, too; name another file to write")
    if not sources:
        return []
    there = {k for k, out in enumerate(targets) if not force and Path(out).exists()}
    todo = tuple(k for k in range(len(sources)) if k not in there)
    rows = [Done(clip, out, "there") for clip, out in zip(sources, targets, strict=True)]
    if not todo:
        return rows
    stage = Retargeting(sources, figure, dict(how), dict(reading or {}))
    common = Path(targets[todo[0]]).parent
    for k in todo:
        _check_target(Path(targets[k]), dict(saving or {}))
    identity = {"figure": figure.fingerprint, "clips": list(sources), "outs": list(targets), "todo": list(todo)}
    with claimed(common / "retarget", identity, fresh=True) as parts, hired(workers, cluster) as crew:
        task = Files(stage, 0, parts, targets, tuple(sorted((saving or {}).items())), todo)
        make_pieces(task, crew, progress, lambda piece: _read(sources[piece]))
        for k in todo:
            told = parts.get(task.name(k))
            if "problem" in told:
                rows[k] = Done(sources[k], targets[k], "failed", told["problem"].tobytes().decode())
            else:
                rows[k] = Done(sources[k], targets[k], **json.loads(told["told"].tobytes()))
        parts.remove()
    return rows


def _checked(given: Any, what: str, known: Mapping[str, Any]) -> tuple[str, ...]:
    if isinstance(given, str | bytes | PathLike) or not isinstance(given, Sequence):
        raise BadOption(f"{what}={shown(given)} must be a list of paths")
    for path in given:
        if not isinstance(path, str | PathLike):
            raise BadOption(f"{what}: {shown(path)} is no path")
        if Path(path).suffix.lower() not in known:
            raise BadOption(f"{what}: '{path}' must end in one of {', '.join(known)}")
    return tuple(str(path) for path in given)


def _check_target(out: Path, saving: dict[str, Any]) -> None:
    """Make the folder of a file and try whether it can be written. Raises FileUnwritable, BadFile, BadOption."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileUnwritable(f"cannot make the folder '{out.parent}': {one_line(error)}") from None
    check_saving(out, **saving)


def _read(path: str) -> Arrays:
    try:
        return {"data": np.frombuffer(read_bytes(Path(path), LARGEST_MOTION), np.uint8)}
    except LimbikError as error:
        return {"problem": _bytes(one_line(error, LONGEST))}


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode() or b" ", np.uint8)
