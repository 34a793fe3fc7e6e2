"""Gini, Folgheraiter and Cavallari's MaximumOne: inverse kinematics in muscle space for an arm with seven artificial muscles."""

from limbik.papers.gini import (
    annealing,
    camera,
    circles,
    direct,
    lines,
    links,
    repeatability,
    steps,
    table_2,
    table_3,
    workspace,
)
from limbik.papers.gini.conclusions import CONCLUSIONS
from limbik.papers.paper import Paper, Section

PAPER = Paper(
    name="gini",
    title="G. Gini, M. Folgheraiter and M. Cavallari, Efficient Inverse Kinematic Algorithm for a Truly Anthropomorphous "
    "Artificial Arm",
    sections=(
        Section("direct kinematics", (direct.EXPERIMENT, table_2.EXPERIMENT)),
        Section("inverse kinematics", (table_3.EXPERIMENT, annealing.EXPERIMENT, links.EXPERIMENT)),
        Section("trajectories", (lines.EXPERIMENT, steps.EXPERIMENT, circles.EXPERIMENT, repeatability.EXPERIMENT)),
        Section("outlook", (workspace.EXPERIMENT, camera.EXPERIMENT)),
    ),
    conclusions=CONCLUSIONS,
)
