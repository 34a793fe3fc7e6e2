"""The methods of muscle space, a row each: what `solve_lengths(method=...)` takes."""

from dataclasses import dataclass

from limbik.errors import BadOption, suggest


@dataclass(frozen=True)
class MuscleMethod:
    """One method: its name, what it is in a few words, which targets it takes, and whether it ends within the tolerances."""

    name: str
    title: str
    targets: tuple[str, ...] = ("point", "pose", "orientation")
    exact: bool = True


MUSCLE_METHODS: dict[str, MuscleMethod] = {
    method.name: method
    for method in (
        MuscleMethod(
            "closed_form",
            "every posture from the geometry, the swivel with the muscles best centred",
            ("point", "pose"),
        ),
        MuscleMethod("least_squares", "bounded least squares from many starts, then centring along the family"),
        MuscleMethod(
            "gauss_newton", "Gauss-Newton in muscle space from the seed, inside limits and ranges: for tracking"
        ),
        # it ends by its budget
        MuscleMethod(
            "fast_gradient", "Gini's fast gradient following with annealing and reheating", ("point",), exact=False
        ),
        MuscleMethod(
            "classical_gradient", "the gradient with a constant step, as Gini compares it", ("point",), exact=False
        ),
    )
}


def muscle_method(name: object) -> MuscleMethod:
    """Return a method by its name. Raises BadOption."""
    if not isinstance(name, str) or name not in MUSCLE_METHODS:
        raise BadOption(
            f"no muscle method {name!r}; {suggest(str(name), MUSCLE_METHODS).replace('it has', 'there are', 1)}"
        )
    return MUSCLE_METHODS[name]
