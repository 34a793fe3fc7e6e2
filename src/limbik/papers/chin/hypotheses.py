"""The section "hypotheses": measurements for section 4.1 of the thesis that no other section makes."""

from limbik.papers.chin import any_chain, other_starts, segment
from limbik.papers.paper import Section

HYPOTHESES = Section(
    name="hypotheses (section 4.1)", experiments=(any_chain.EXPERIMENT, other_starts.EXPERIMENT, segment.EXPERIMENT)
)
