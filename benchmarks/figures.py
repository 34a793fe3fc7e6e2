"""Measure every published number at full size: `make figures`. Tables on the screen, JSON into --out.

Each measurement has a bar; the run ends with how many are missed. Times are for the machine it runs on: compare ratios.
"""

import argparse
import json
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import limbik as lk
from benchmarks.measurement import SEED, Measurement
from benchmarks.sections import (
    capturing,
    closed_forms,
    endurance,
    following,
    formats,
    full_body,
    goals,
    kinematics,
    limbs,
    muscles,
    neural,
    papers,
    perceptrons,
    relaxation,
    retargeting,
    solving,
    studio,
    table_builds,
    tables,
    truth,
    unreachable,
)

SECTIONS: dict[str, Callable[[Path], list[Measurement]]] = {
    "oracles": kinematics.oracles,
    "laws": kinematics.laws,
    "speed": kinematics.speed,
    "solving": solving.solving,
    "reference": unreachable.reference,
    "solving_speed": solving.solving_speed,
    "closed_form": closed_forms.closed_forms,
    "singularities": closed_forms.singularities,
    "swivels": closed_forms.swivels,
    "truth": truth.truth,
    "closed_form_speed": closed_forms.closed_form_speed,
    "closed_form_peers": closed_forms.closed_form_counts,
    "partial_goals": goals.partial_goals,
    "figure_poses": goals.figure_poses,
    "full_body": full_body.full_body,
    "obstacles": goals.obstacles,
    "tracking": goals.tracking,
    "robustness": endurance.robustness,
    "endurance": endurance.lasting,
    "tables": tables.tables,
    "general_arms": tables.general_arms,
    "table_builds": table_builds.table_builds,
    "neural": neural.neural,
    "perceptrons": perceptrons.perceptrons,
    "relaxation": relaxation.relaxation,
    "retargeting": retargeting.retargeting,
    "muscles": muscles.muscles,
    "formats": formats.formats,
    "limbs": limbs.limbs,
    "following": following.following,
    "capturing": capturing.capturing,
    "papers": papers.papers,
    "studio": studio.studio,
}


def main() -> int:
    """Run the sections, print and write the measurements; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("figures"))
    parser.add_argument("--only", choices=list(SECTIONS), action="append")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    console = Console(width=160)
    report: dict[str, Any] = {
        "machine": platform.processor() or platform.machine(),
        "core": lk.build_info(),
        "seed": SEED,
        "sections": {},
    }
    missed = 0
    for name in options.only or SECTIONS:
        start = perf_counter()
        measured = SECTIONS[name](options.out)
        report["sections"][name] = [asdict(m) for m in measured]
        table = Table(
            "",
            "measurement",
            "measured",
            "bar",
            "unit",
            "note",
            box=None,
            header_style="bold",
            title=f"{name} ({perf_counter() - start:.0f} s)",
        )
        for m in measured:
            table.add_row("ok" if m.ok else "MISSED", m.what, f"{m.measured:.3g}", f"{m.bar:.3g}", m.unit, m.note)
        console.print(table)
        missed += sum(not m.ok for m in measured)
    (options.out / "figures.json").write_text(json.dumps(report, indent=1))
    console.print(f"{missed} bar(s) missed" if missed else "every measurement met its bar")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
