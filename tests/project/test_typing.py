"""The documents' examples pass a user's `mypy --strict`, and types say what `load` returns."""

from importlib.util import find_spec
from typing import get_args

import pytest
from tools import typed_documents

import limbik as lk
from limbik.model.catalog.kinds import ChainName, SkeletonName


def test_types_of_the_catalogue_are_what_load_returns():
    arms, figures = set(get_args(ChainName)), set(get_args(SkeletonName))
    assert arms | figures == set(lk.CATALOGUE) and not arms & figures
    assert all(type(lk.load(name)) is lk.Chain for name in arms)
    assert all(type(lk.load(name)) is lk.Skeleton for name in figures)


def test_chain_load_names_the_tips_of_a_figure():
    with pytest.raises(lk.BadOption, match=r"name one as tip="):
        lk.Chain.load("human")
    assert lk.Chain.load("human", tip="leftHand") == lk.load("human", tip="leftHand")
    assert lk.Chain.load("ur5") == lk.load("ur5") and lk.Skeleton.load("human") == lk.load("human")
    assert type(lk.Skeleton.load("ur5")) is lk.Skeleton
    with pytest.raises(lk.BadOption, match="nothing moves between them"):
        lk.Chain.load("ur5", tip=lk.load("ur5").base)


def test_the_documents_pass_mypy_strict():
    if find_spec("mypy") is None:
        pytest.skip("mypy is not installed (pip install 'limbik[lint]'): the documents' types were NOT checked")
    pages = typed_documents.pages()
    assert {"page_readme", "page_goals", "page_limbs", "page_figures"} < set(pages)
    wrong = {
        "page_wrong": 'import limbik as lk\n\nlk.load("human").solve_all(3)\n',
        "page_misspelt": 'import limbik as lk\n\narm = lk.load("ur5")\narm.solve(arm.forward(arm.home), obstacle=[])\n',
        "page_no_shape": 'import limbik as lk\n\narm = lk.load("ur5")\narm.solve(arm.forward(arm.home), obstacles=[3.0])\n',
    }
    found = typed_documents.complaints(pages | wrong)
    accused = {line.split(":")[0] for line in found if ": error:" in line}
    assert accused == {f"{name}.py" for name in wrong}, "\n".join(found)
