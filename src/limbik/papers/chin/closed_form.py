"""The section "closed form": sections 5.1, 6.1 and 6.5.2 of the thesis."""

from limbik.papers.chin import animator, appendix_a, branches, degenerate, example_1, ranges, speed
from limbik.papers.paper import Section

CLOSED_FORM = Section(
    name="closed form",
    experiments=(
        example_1.EXPERIMENT,
        branches.EXPERIMENT,
        ranges.EXPERIMENT,
        degenerate.EXPERIMENT,
        appendix_a.EXPERIMENT,
        animator.EXPERIMENT,
        speed.EXPERIMENT,
    ),
)
