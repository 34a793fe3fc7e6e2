"""The papers that can be reproduced, one row each. Modules are imported on demand, so that the shell starts fast."""

from collections.abc import Mapping
from importlib import import_module

from limbik.errors import UnknownPaper, shown, suggest
from limbik.papers.paper import Paper

# The name in the shell, and the module whose PAPER it is.
PAPERS: Mapping[str, str] = {
    "chin": "limbik.papers.chin",
    "guez_ahmad": "limbik.papers.guez_ahmad",
    "cruse_steinkuehler": "limbik.papers.cruse_steinkuehler",
    "gini": "limbik.papers.gini",
    "kim_tarokh": "limbik.papers.kim_tarokh",
}


def paper(name: str) -> Paper:
    """Return a paper by its name. Raises UnknownPaper."""
    if name not in PAPERS:
        raise UnknownPaper(f"no paper {shown(name)} in limbik; {suggest(name, [*PAPERS, 'all'])}")
    found: Paper = import_module(PAPERS[name]).PAPER
    return found
