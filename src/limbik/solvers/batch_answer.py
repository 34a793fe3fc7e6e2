"""The answers to a batch of N targets: arrays, and each row as an `Answer` on demand."""

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from limbik._core import Answer, PoseSolver, Status
from limbik.errors import UnknownRow, shown
from limbik.geometry.arrays import Array
from limbik.model.record import Record, restore
from limbik.model.results import ManyAnswers
from limbik.solvers.answer import explain
from limbik.solvers.closed_form.form import Form

# Fields that an `Answer` and a row share under the same name.
_PARTS = ("q", "position_error", "rotation_error", "attempt", "tried", "timed_out", "target", "steps")


@dataclass(frozen=True, eq=False, repr=False)
class BatchAnswer(ManyAnswers, Record):
    """The answers to N targets, one row each. Its arrays are read-only.

    q: (N, n). status: (N,) of `Status` codes. position_error [m], rotation_error [rad]: (N,), NaN for INVALID rows.
    attempt: (N,) the successful attempt, -1 for none; tried: (N,) number of attempts. timed_out: (N,) whether the deadline
    passed before all attempts. target: (N, 4, 4) the reference of the errors, NaN for INVALID rows. branch: (N,) branch
    number, -1 if unknown. flagged: (N,) whether the solver itself reports a self-motion (`family` is the complete test).
    closed: (N,) whether the closed form gave the answer; steps: (N,) iterations of all attempts up to the successful one; form:
    the closed form; method: the method of the attempts; sentences: `why` of each row, empty if it is derived from the other
    fields; solver: what tests for self-motions. Unsolved rows hold the closest configuration found.

    batch[k] is row k as an `Answer`; a slice, a mask or an array of row numbers gives a smaller batch.
    """

    q: Array
    status: npt.NDArray[np.uint8]
    position_error: Array
    rotation_error: Array
    attempt: npt.NDArray[np.int32]
    tried: npt.NDArray[np.int32]
    timed_out: npt.NDArray[np.bool_]
    target: Array
    branch: npt.NDArray[np.int32]
    flagged: npt.NDArray[np.bool_]
    closed: npt.NDArray[np.bool_]
    steps: npt.NDArray[np.int32]
    form: Form | None = None
    method: str = "lm"
    sentences: tuple[str, ...] = ()
    solver: PoseSolver | None = None

    @cached_property
    def family(self) -> npt.NDArray[np.bool_]:
        """(N,) whether a self-motion manifold passes through q: neighbouring configurations reach the target too."""
        return self._families(slice(None))

    @property
    def ok(self) -> npt.NDArray[np.bool_]:
        """(N,) which rows are solved."""
        return np.asarray(self.status == Status.SOLVED)

    def __len__(self) -> int:
        return len(self.status)

    def __iter__(self) -> Iterator[Answer]:
        return (self[k] for k in range(len(self)))

    @overload
    def __getitem__(self, rows: int | np.integer[Any]) -> Answer: ...
    @overload
    def __getitem__(self, rows: "slice | list[int] | npt.NDArray[Any]") -> "BatchAnswer": ...
    def __getitem__(self, rows: Any) -> "Answer | BatchAnswer":
        """Return one row as an Answer, or several as a BatchAnswer. Raises UnknownRow."""
        try:
            row = operator.index(rows)
        except TypeError:
            return self._several(rows)
        if not -len(self) <= row < len(self):
            raise UnknownRow(f"no row {row} in a batch of {len(self)}")
        sentence = self.sentences[row] if self.sentences else ""
        answer = self._answer(row, sentence)
        return answer if sentence or self.form is None else self._answer(row, explain_by(answer, self.form))

    def _answer(self, row: int, why: str = "") -> Answer:
        return Answer(self.q[row], int(self.status[row]), int(self.attempt[row]), int(self.tried[row]),
                      float(self.position_error[row]), float(self.rotation_error[row]), self.target[row],
                      "closed_form" if self.closed[row] else self.method, why, bool(self.timed_out[row]), int(self.branch[row]),
                      self._family(row), int(self.steps[row]))  # fmt: skip

    def _family(self, row: int) -> bool:
        """Return one row of `family`, without testing the others."""
        known = vars(self).get("family")
        return bool(self._families(slice(row, row + 1 or None))[0] if known is None else known[row])

    def _families(self, rows: slice) -> npt.NDArray[np.bool_]:
        flagged = self.flagged[rows]
        if self.solver is None:
            return flagged
        asked = self.ok[rows] & ~flagged
        found = flagged | self.solver.self_motions(self.q[rows], asked)
        found.setflags(write=False)
        return found

    def _parts(self) -> tuple[Any, ...]:
        return tuple(self._as_data().values())

    def _as_data(self) -> dict[str, Any]:
        """Return the fields as data alone: every row is tested for self-motions, and no solver is needed."""
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"flagged": self.family, "solver": None}

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (type(self), self._as_data())

    def _several(self, rows: Any) -> "BatchAnswer":
        chosen = rows if isinstance(rows, slice) else np.asarray(rows)
        try:
            if not isinstance(chosen, slice) and chosen.ndim != 1:
                raise IndexError("an index array has one axis")
            if not isinstance(chosen, slice) and chosen.size == 0 and chosen.dtype.kind != "b":
                chosen = chosen.astype(np.intp)  # NumPy reads an empty list as floats
            arrays: dict[str, Any] = {
                name: part[chosen].copy() for name, part in vars(self).items() if isinstance(part, np.ndarray)
            }
            arrays.pop("family", None)  # not a field
            sentences = tuple(np.array(self.sentences, object)[chosen]) if self.sentences else ()
            return replace(self, **arrays, sentences=sentences)
        except (IndexError, TypeError, ValueError) as error:
            raise UnknownRow(f"rows {shown(rows)} are not in a batch of {len(self)}: {error}") from None

    @classmethod
    def of(cls, answers: Sequence[Answer], n: int, method: str) -> "BatchAnswer":
        """Return a batch from single answers of one method. n: number of joint values."""
        count = len(answers)
        return cls(
            np.array([a.q for a in answers]).reshape(count, n),
            np.array([a.code for a in answers], np.uint8),
            np.array([a.position_error for a in answers], np.float64),
            np.array([a.rotation_error for a in answers], np.float64),
            np.array([a.attempt for a in answers], np.int32),
            np.array([a.tried for a in answers], np.int32),
            np.array([a.timed_out for a in answers], np.bool_),
            np.array([a.target for a in answers]).reshape(count, 4, 4),
            np.array([-1 if a.branch is None else a.branch for a in answers], np.int32),
            np.array([a.family for a in answers], np.bool_),
            np.array([a.closed for a in answers], np.bool_),
            np.array([a.steps for a in answers], np.int32),
            None,
            method,
            tuple(a.why for a in answers),
        )

    def replaced(self, rows: Mapping[int, Answer]) -> "BatchAnswer":
        """Return this batch with some rows replaced."""
        arrays: dict[str, Any] = {
            name: np.array(getattr(self, name)) for name in (*_PARTS, "status", "branch", "closed", "flagged")
        }
        for k, answer in rows.items():
            arrays["status"][k] = answer.code
            arrays["branch"][k] = -1 if answer.branch is None else answer.branch
            arrays["closed"][k] = answer.closed
            arrays["flagged"][k] = answer.family
            for name in _PARTS:
                arrays[name][k] = getattr(answer, name)
        before = self.sentences or [""] * len(self)
        sentences = tuple(rows[k].why if k in rows else why for k, why in enumerate(before))
        return replace(self, **arrays, sentences=sentences)

    def __repr__(self) -> str:
        codes, counts = np.unique(self.status, return_counts=True)
        found = ", ".join(f"{n} {Status(c).name}" for c, n in zip(codes, counts, strict=True))
        return f"BatchAnswer({len(self)}: {found})" if found else "BatchAnswer(0)"


def explain_by(answer: Answer, form: Form) -> str:
    """Return the sentence of an answer for a chain with this closed form."""
    if not answer.closed:
        return explain(answer)
    return explain(answer, form.how, "" if answer.branch is None else form.branch_names[answer.branch])
