"""K. W. Chin's thesis on animating the human figure: a closed form for its arm, and seven iterative methods."""

from limbik.papers.chin.closed_form import CLOSED_FORM
from limbik.papers.chin.conclusions import CONCLUSIONS
from limbik.papers.chin.hypotheses import HYPOTHESES
from limbik.papers.chin.iterative import ITERATIVE
from limbik.papers.chin.swept import SWEEP
from limbik.papers.paper import Paper

PAPER = Paper(
    name="chin",
    title="K. W. Chin, Closed-form and Generalized Inverse Kinematic Solutions for Animating the Human Articulated Structure "
    "(Curtin University of Technology, 1996)",
    sections=(CLOSED_FORM, ITERATIVE, SWEEP, HYPOTHESES),
    conclusions=CONCLUSIONS,
)
