"""Find private names that are read across modules: `thing._name` where `_name` is not the reader's own.

    python tools/private_names.py [FOLDER ...]

A name with one leading underscore belongs to the module that defines it. A method may read those of its own object and, through
`self` or `cls`, those of its base classes. Everything else is a finding. Names of other libraries that have no public form are
listed below, with the reason.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

# The public methods of named tuples begin with an underscore.
PUBLIC = {"_replace", "_asdict", "_fields", "_make"}
# Names of other libraries that have no public form.
FOREIGN = {
    "_event_loop": "NiceGUI's running loop",
    "_websock_connection": "websockets",
    "_websock_server": "websockets",
    "_current_file_upload_states": "Starlette's upload parser",
    "_impl": "the pandas-like file of NiceGUI's upload",
}
OWN = {"self", "cls", "super"}


def defined(tree: ast.Module) -> set[str]:
    """Return every private name that a module defines: functions, classes, attributes, fields, globals."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.id if isinstance(node, ast.Name) else node.attr)
        elif isinstance(node, ast.Call) and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            names.add(str(node.args[1].value))  # object.__setattr__(self, "_name", value)
    return names


def own(node: ast.expr) -> bool:
    """Return whether an expression is the reader's own object: self, cls, super()."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "super"
    return isinstance(node, ast.Name) and node.id in OWN


def findings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of every private name that is read from another module."""
    tree = ast.parse(path.read_text())
    known = defined(tree) | PUBLIC | set(FOREIGN)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            name = node.attr
            if name.startswith("_") and not name.startswith("__") and name not in known and not own(node.value):
                yield node.lineno, name
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("limbik"):
            for alias in node.names:
                if alias.name.startswith("_") and alias.name != "_core":
                    yield node.lineno, alias.name


def main(folders: list[str]) -> int:
    """Print the findings; return their number."""
    count = 0
    for folder in folders or ["src/limbik"]:
        for path in sorted(Path(folder).rglob("*.py")):
            if "_core" in path.parts:
                continue
            for line, name in findings(path):
                print(f"{path}:{line}: {name} is private to another module")
                count += 1
    print(f"{count} private names are read across modules")
    return count


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
