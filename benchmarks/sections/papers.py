"""The claims of the papers that have a bar."""

import math
from pathlib import Path

from benchmarks.measurement import Measurement
from limbik.papers.claim import Row
from limbik.papers.paper import Setting
from limbik.papers.registry import PAPERS, paper


def papers(out: Path) -> list[Measurement]:
    """Measure every claim of the papers that has a bar, as `limbik reproduce all` does, and write the pictures."""
    measured = []
    for name in PAPERS:
        (out / name).mkdir(parents=True, exist_ok=True)
        for section in paper(name).sections:
            for experiment in section.experiments:
                rows, pictures = experiment.run(Setting())
                for picture in pictures:
                    picture.draw(out / name / f"{picture.name}.png")
                measured += [_measurement_of(name, row) for row in rows if row.bar is not None]
    return measured


def _measurement_of(name: str, row: Row) -> Measurement:
    note = str(row.bar) if row.paper is None else f"{row.bar}; the paper prints {row.paper:.7g}"
    ours = math.nan if row.ours is None else row.ours
    bar = row.bar.high if math.isfinite(row.bar.high) else row.bar.low
    note = f"{note}; {row.cause}" if row.ok is False and row.cause else note
    return Measurement(f"{name}: {row.what}", ours, bar, row.unit, not row.failed, note)
