"""Cruse and Steinkühler's network: the mean of multiple computations completes the state of an arm from some inputs."""

from limbik.papers.cruse_steinkuehler import (
    earlier_state,
    forms,
    limb_lengths,
    nine,
    random_problems,
    remedies,
    robustness,
    search,
    singular,
    stability,
    standing,
    workspace,
)
from limbik.papers.cruse_steinkuehler.conclusions import CONCLUSIONS
from limbik.papers.paper import Paper, Section

PAPER = Paper(
    name="cruse_steinkuehler",
    title="H. Cruse and U. Steinkühler, Solution of the direct and inverse kinematic problems by a common algorithm based on "
    "the mean of multiple computations (Biological Cybernetics, 1993)",
    sections=(
        Section("nine targets", (nine.EXPERIMENT, search.EXPERIMENT, earlier_state.EXPERIMENT)),
        Section(
            "convergence", (random_problems.EXPERIMENT, workspace.EXPERIMENT, stability.EXPERIMENT, singular.EXPERIMENT)
        ),
        Section("errors and oscillations", (robustness.EXPERIMENT, remedies.EXPERIMENT)),
        Section("beyond the paper's arm", (limb_lengths.EXPERIMENT, forms.EXPERIMENT, standing.EXPERIMENT)),
    ),
    conclusions=CONCLUSIONS,
)
