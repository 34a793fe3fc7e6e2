"""Kim and Tarokh's tables: cells of the workspace with a small model per solution, for a Puma 560 and a human arm."""

from limbik.papers.kim_tarokh import (
    animation,
    arm,
    classification,
    full_tables,
    modern,
    no_closed_form,
    online,
    orientation,
    position,
    sizes,
    storage,
    whole,
)
from limbik.papers.kim_tarokh.conclusions import CONCLUSIONS
from limbik.papers.paper import Paper, Section

PAPER = Paper(
    name="kim_tarokh",
    title="M. Kim and M. Tarokh, Information-based Inverse Kinematics Modeling for Animation and Robotics",
    sections=(
        Section("Puma 560", (position.EXPERIMENT, orientation.EXPERIMENT, whole.EXPERIMENT)),
        Section("human arm", (arm.EXPERIMENT,)),
        Section("design choices", (classification.EXPERIMENT, sizes.EXPERIMENT, storage.EXPERIMENT)),
        Section("time", (online.EXPERIMENT, full_tables.EXPERIMENT, no_closed_form.EXPERIMENT, animation.EXPERIMENT)),
        Section("tables of postures", (modern.EXPERIMENT,)),
    ),
    conclusions=CONCLUSIONS,
)
