"""The methods, one row each: choices of the shell, tables of the documents and contract tests are computed from it."""

from dataclasses import dataclass

from limbik.errors import BadOption, suggest


@dataclass(frozen=True)
class Method:
    """One method: its name, what it is in a few words, and what it needs of a mechanism."""

    name: str
    title: str
    family: str


METHODS: dict[str, Method] = {
    method.name: method
    for method in (Method("lm", "Levenberg-Marquardt in lanes, verified, with a table of starts", "iterative"),)
}


def choose(name: str | None) -> Method:
    """Return the method of that name; none chooses the best there is. Raises BadOption."""
    if name is None:
        return METHODS["lm"]
    if not isinstance(name, str) or name not in METHODS:
        raise BadOption(f"no method {name!r}; {suggest(str(name), METHODS).replace('it has', 'there are', 1)}")
    return METHODS[name]
