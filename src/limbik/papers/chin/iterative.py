"""The section "iterative methods": sections 5.2, 6.2 and 6.3 and appendix C of the thesis."""

from limbik.papers.chin import half_turn, jacobians, newton_steps, other_chains, six_joints
from limbik.papers.paper import Section

ITERATIVE = Section(
    name="iterative methods",
    experiments=(
        *six_joints.EXPERIMENTS,
        other_chains.EXPERIMENT,
        newton_steps.EXPERIMENT,
        jacobians.EXPERIMENT,
        half_turn.EXPERIMENT,
    ),
)
