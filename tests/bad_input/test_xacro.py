"""Xacro that does not expand, or that runs code or reads other files."""

import pytest
from hostile import refused, xacro

import limbik
from limbik import BadFile, BadOption
from limbik.errors import NotNumeric

BROKEN_XACRO = {
    "unknown macro": ("<xacro:nothing/>", "nothing"),
    "unknown property": ('<link name="${nothing}"/>', "nothing"),
    "unknown argument": ('<link name="$(arg nothing)"/>', "nothing"),
    "unknown variable": ('<link name="$(env LIMBIK_NOTHING)"/>', "LIMBIK_NOTHING"),
    "macro without end": ('<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/>', "without end"),
    "include of itself": ('<xacro:include filename="robot.xacro"/>', "without end"),
    "missing include": ('<xacro:include filename="nowhere.xacro"/>', "nowhere.xacro"),
    "include of a folder": ('<xacro:include filename="/"/>', ""),
    "missing package": ('<xacro:include filename="$(find no_such_package)/x.xacro"/>', "no_such_package"),
    "expression": ('<link name="${1 +}"/>', "1 +"),
    "division": ('<link name="${1 / 0}"/>', "division"),
    "condition": ('<xacro:if value="perhaps"><link name="z"/></xacro:if>', "perhaps"),
    "open": ("<link name=\"${open('/etc/passwd').read()}\"/>", "open"),
    "open by eval": ("<link name=\"$(eval open('/etc/passwd').read())\"/>", ""),
    "import": ("<link name=\"${__import__('os').system('touch TOUCHED')}\"/>", "__import__"),
    "import by eval": ("<link name=\"$(eval __import__('os').system('touch TOUCHED'))\"/>", ""),
    "classes": ('<link name="${().__class__.__base__.__subclasses__()}"/>', "__class__"),
    "attributes": ("<link name=\"${getattr(str, 'mro')()}\"/>", "getattr"),
    "exec": ("<link name=\"${exec('import os')}\"/>", "exec"),
    "exit": ('<link name="${exit(3)}"/>', "exit"),
    "prefix": ("<nobody:knows/>", "prefix"),
}


@pytest.mark.parametrize("broken", BROKEN_XACRO)
def test_broken_xacro_is_refused(broken, tmp_path, monkeypatch):
    pytest.importorskip("xacro")
    monkeypatch.chdir(tmp_path)
    inside, word = BROKEN_XACRO[broken]
    path = tmp_path / "robot.xacro"
    path.write_text(xacro(inside))
    with refused(BadFile, "robot.xacro", word):
        limbik.load(path)
    assert [p.name for p in tmp_path.iterdir()] == ["robot.xacro"]


@pytest.mark.parametrize("arguments", [5, "abc", [1]])
def test_xacro_arguments_are_a_mapping(arguments, tmp_path):
    pytest.importorskip("xacro")
    path = tmp_path / "robot.xacro"
    path.write_text(xacro(""))
    with refused((BadOption, NotNumeric), "arguments"):
        limbik.load(path, arguments=arguments)


def test_xacro_entities_do_not_explode(tmp_path):
    pytest.importorskip("xacro")
    path = tmp_path / "robot.xacro"
    laughs = '<!ENTITY e0 "haha">' + "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, 12))
    path.write_text(f"<!DOCTYPE r [{laughs}]>" + xacro('<link name="&e11;"/>'))
    with refused(BadFile, "robot.xacro"):
        limbik.load(path)
    path.write_text('<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + xacro("<link name='z'/>&e;"))
    with refused(BadFile, "robot.xacro"):
        limbik.load(path)
