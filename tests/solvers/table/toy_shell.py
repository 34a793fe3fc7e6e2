"""The shell with the toy design: `python toy_shell.py table build ...`."""

from limbik.cli import main
from limbik.solvers.table.designs import DESIGNS, Design

DESIGNS["toy"] = Design("toy", "for tests", "toy_design")

if __name__ == "__main__":
    main()
