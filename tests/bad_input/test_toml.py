"""TOML that is broken, misspelt, or holds values of a wrong kind."""

import pytest
from hostile import HUGE, load_apart, refused

import limbik
from limbik import BadFile, BadModel, BadOption, NotFinite

ROW = 'convention = "standard"\n[[dh]]\n'
TREE = '[[joint]]\nname = "j"\nparent = "a"\nchild = "b"\n'
FOLLOWER = TREE + '[[joint]]\nname = "k"\nparent = "b"\nchild = "c"\n'
SHAPE = "[[shape]]\n"
BALL = SHAPE + "link = 'b'\ncentre = [0, 0, 0]\n"
BROKEN_TOML = {
    "no table": ("a = ", BadFile, ("not TOML",)),
    "text": ("hello", BadFile, ("not TOML",)),
    "double key": ("name = 'a'\nname = 'b'", BadFile, ("not TOML",)),
    "deep": ("dh = " + "[" * 100_000, BadFile, ("not TOML",)),
    "nothing": ("name = 'a'", BadModel, ("[[dh]]", "[[joint]]")),
    "both": (ROW + TREE, BadModel, ("either",)),
    "misspelt head": ("convntion = 'standard'\n" + ROW, BadModel, ("convntion", "did you mean 'convention'")),
    "misspelt row": (ROW + "alpa = 1", BadModel, ("row 1", "alpa", "did you mean 'alpha'")),
    "misspelt joint": (TREE + "lwer_deg = 1", BadModel, ("'j'", "lwer_deg", "did you mean 'lower_deg'")),
    "misspelt mimic": (
        FOLLOWER + "mimic = { joint = 'j', multplier = 1 }",
        BadModel,
        ("multplier", "did you mean 'multiplier'"),
    ),
    "no convention": ("[[dh]]\na = 1", BadModel, ("convention", "modified")),
    "unknown convention": (ROW.replace("standard", "craig"), BadModel, ("convention", "modified")),
    "unknown unit": ("unit = 'parsec'\n" + ROW, BadOption, ("parsec", "mm")),
    "unit a number": ("unit = 0.001\n" + ROW, BadOption, ("mm",)),
    "rows a number": ("dh = 5", BadModel, ("[[dh]]",)),
    "rows a table": ("[dh]\na = 1", BadModel, ("[[dh]]",)),
    "rows of numbers": ("dh = [1]", BadModel, ("[[dh]]",)),
    "no joints": ("joint = []", BadModel, ("[[joint]]",)),
    "length a text": (ROW + "a = '1'", BadModel, ("row 1", "a", "number")),
    "length a truth": (ROW + "a = true", BadModel, ("row 1", "a", "number")),
    "length a list": (ROW + "a = [1]", BadModel, ("row 1", "one number")),
    "length a date": (ROW + "a = 2020-01-01", BadModel, ("row 1", "number")),
    "length too great": (ROW + f"a = {HUGE}", BadModel, ("row 1",)),
    "length NaN": (ROW + "a = nan", BadModel, ("row 1", "NaN")),
    "length infinite": (ROW + "d = inf", BadModel, ("row 1", "infinity")),
    "angle twice": (ROW + "alpha = 1\nalpha_deg = 2", BadModel, ("alpha", "alpha_deg")),
    "degrees of a prismatic row": (
        ROW + "kind = 'prismatic'\nlower_deg = 3",
        BadModel,
        ("row 1", "lower_deg", "prismatic"),
    ),
    "degrees of a prismatic joint": (
        TREE + "kind = 'prismatic'\nupper_deg = 3",
        BadModel,
        ("'j'", "upper_deg", "prismatic"),
    ),
    "unknown kind": (ROW + "kind = 'helical'", BadModel, ("row 1", "helical", "prismatic")),
    "unknown kind of joint": (TREE + "kind = 'helical'", BadModel, ("'j'", "helical", "prismatic")),
    "kind a list": (TREE + "kind = []", BadModel, ("'j'", "kind")),
    "crossed": (ROW + "lower = 2\nupper = 1", BadModel, ("joint1", "above")),
    "limit NaN": (TREE + "lower = nan", BadModel, ("'j'", "NaN")),
    "limit a text": (TREE + "lower = 'low'", BadModel, ("'j'", "lower", "number")),
    "limit infinite": (TREE + "lower = inf", BadModel, ("'j'",)),
    "speed negative": (TREE + "speed = -1", BadModel, ("'j'", "speed")),
    "joint unnamed": ("[[joint]]\nparent = 'a'\nchild = 'b'", BadModel, ("name", "parent", "child")),
    "joint named by a number": ("[[joint]]\nname = 5\nparent = 'a'\nchild = 'b'", BadModel, ("name",)),
    "zero axis": (TREE + "axis = [0, 0, 0]", BadModel, ("'j'", "axis")),
    "short axis": (TREE + "axis = [0, 1]", BadModel, ("'j'", "axis", "3 numbers")),
    "axis of text": (TREE + "axis = ['0', '0', '1']", BadModel, ("'j'", "axis")),
    "axis too great": (TREE + f"axis = [{HUGE}, 0, 0]", BadModel, ("'j'", "axis")),
    "turned without end": (TREE + "rpy = [inf, 0, 0]", (BadModel, NotFinite), ("'j'",)),
    "shifted without end": (TREE + "xyz = [inf, 0, 0]", (BadModel, NotFinite), ("'j'",)),
    "twist crossed": (TREE + "kind = 'ball'\ntwist = [1, -1]", BadModel, ("'j'", "twist")),
    "twist short": (TREE + "kind = 'ball'\ntwist = [1]", BadModel, ("'j'", "twist", "2 numbers")),
    "swing negative": (TREE + "kind = 'ball'\nswing = -1", BadModel, ("'j'", "swing")),
    "shapes a number": ("shape = 5\n" + TREE, BadModel, ("[[shape]]",)),
    "shape of no link": (TREE + SHAPE + "radius = 1", BadModel, ("shape 1", "link")),
    "shape of an unknown link": (
        TREE + SHAPE + "link = 'z'",
        BadModel,
        ("shape 1", "'z'", "does not exist", "it has a, b"),
    ),
    "shape without radius": (TREE + BALL, BadModel, ("shape 1", "radius")),
    "shape without end": (TREE + SHAPE + "link = 'b'\nstart = [0, 0, 0]\nradius = 1", BadModel, ("shape 1", "end")),
    "shape of two kinds": (TREE + BALL + "start = [0, 0, 0]\nradius = 1", BadModel, ("shape 1", "start")),
    "misspelt shape": (TREE + BALL + "radus = 1", BadModel, ("shape 1", "radus", "did you mean 'radius'")),
    "radius zero": (TREE + BALL + "radius = 0", BadModel, ("shape 1", "radius", "positive")),
    "radius negative": (TREE + BALL + "radius = -1", BadModel, ("shape 1", "radius", "positive")),
    "radius NaN": (TREE + BALL + "radius = nan", BadModel, ("shape 1", "radius", "positive")),
    "radius infinite": (TREE + BALL + "radius = inf", BadModel, ("radius",)),
    "radius a text": (TREE + BALL + "radius = 'x'", BadModel, ("shape 1", "radius", "number")),
    "radius too great": (TREE + BALL + f"radius = {HUGE}", BadModel, ("shape 1", "radius")),
    "centre short": (
        TREE + BALL.replace("[0, 0, 0]", "[0, 0]") + "radius = 1",
        BadModel,
        ("shape 1", "centre", "3 numbers"),
    ),
    "centre NaN": (
        TREE + BALL.replace("[0, 0, 0]", "[nan, 0, 0]") + "radius = 1",
        BadModel,
        ("shape 1", "centre", "NaN"),
    ),
    "mass of no link": (TREE + "[[link]]\nmass = 1", BadModel, ("link 1", "name")),
    "mass of an unknown link": (TREE + "[[link]]\nname = 'z'", BadModel, ("'z'", "does not exist")),
    "mass negative": (TREE + "[[link]]\nname = 'b'\nmass = -1", BadModel, ("'b'", "mass", "negative")),
    "mass NaN": (TREE + "[[link]]\nname = 'b'\nmass = nan", (BadModel, NotFinite), ("'b'", "mass")),
    "mass a text": (TREE + "[[link]]\nname = 'b'\nmass = 'x'", BadModel, ("'b'", "mass", "number")),
    "mass twice": (TREE + "[[link]]\nname = 'b'\n[[link]]\nname = 'b'", BadModel, ("'b'", "twice")),
    "centre of mass short": (TREE + "[[link]]\nname = 'b'\ncentre_of_mass = [1]", BadModel, ("'b'", "3 numbers")),
    "mimic a text": (FOLLOWER + "mimic = 'j'", BadModel, ("'k'", "mimic")),
    "mimic of nobody": (FOLLOWER + "mimic = { joint = 'z' }", BadModel, ("'k'", "'z'")),
    "mimic by a text": (FOLLOWER + "mimic = { joint = 'j', multiplier = 'x' }", BadModel, ("'k'", "multiplier")),
    "mimic by a list": (FOLLOWER + "mimic = { joint = 'j', offset = [] }", BadModel, ("'k'", "offset")),
    "mimic too great": (FOLLOWER + f"mimic = {{ joint = 'j', offset = {HUGE} }}", BadModel, ("'k'",)),
    "base a number": ("base = 5\n" + ROW, BadModel, ("base", "xyz")),
    "base turned without end": (ROW + "[base]\nrpy = [inf, 0, 0]", (BadModel, NotFinite), ()),
    "tool NaN": (ROW + "[tool]\nxyz = [nan, 0, 0]", (BadModel, NotFinite), ()),
    "tool misspelt": (ROW + "[tool]\nxzy = [0, 0, 0]", BadModel, ("tool", "xzy", "did you mean 'xyz'")),
    "tool on a tree": (TREE + "[tool]\nxyz = [0, 0, 0]", BadModel, ("tool", "[[dh]]")),
    "notes a number": ("notes = 5\n" + ROW, BadModel, ("notes",)),
    "notes a text": ("notes = 'one'\n" + ROW, BadModel, ("notes",)),
    "two roots": (TREE + '[[joint]]\nname = "k"\nparent = "x"\nchild = "y"\n', BadModel, ("2 roots",)),
}


@pytest.mark.parametrize("broken", BROKEN_TOML)
def test_broken_toml_is_refused(broken, tmp_path):
    text, kind, words = BROKEN_TOML[broken]
    path = tmp_path / "robot.toml"
    path.write_text(text)
    with refused(kind, *words):
        limbik.load(path)


def test_toml_with_an_endless_key_does_not_hang(tmp_path):
    path = tmp_path / "robot.toml"
    path.write_text("a." * 200_000 + "a = 1")
    assert load_apart(path) in ("BadFile", "BadModel")
