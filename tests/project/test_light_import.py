"""`import limbik` is quick: heavy packages are imported where they are used."""

import subprocess
import sys

HEAVY = ("scipy", "matplotlib", "viser", "torch", "dask", "rich", "trimesh", "pandas")


def test_nothing_heavy_is_imported():
    code = f"import limbik, sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
