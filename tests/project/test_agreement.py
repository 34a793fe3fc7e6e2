"""Agreement with Pinocchio and MuJoCo on a sample of the models that packages ship; `make figures` compares all."""

import pytest
from benchmarks import agreement


def check(rows, at_least):
    compared = [row for row in rows if not row.skipped]
    assert [row for row in rows if not row.ok] == []
    assert len(compared) >= at_least


def test_pinocchio():
    pytest.importorskip("pinocchio")
    files = [(n, p) for n, p in agreement.urdf_files() if "random_urdfs" not in n]
    if not files:
        pytest.skip("no package with URDF files is installed")
    import numpy as np

    rng = np.random.default_rng(3)
    check([agreement.compare_with_pinocchio(n, p, rng, 1) for n, p in files], at_least=len(files) // 2)


def test_mujoco():
    pytest.importorskip("mujoco")
    files = list(agreement.mjcf_files())[::3]
    if not files:
        pytest.skip("no package with MJCF files is installed")
    import numpy as np

    rng = np.random.default_rng(3)
    check([agreement.compare_with_mujoco(n, p, rng, 1) for n, p in files], at_least=len(files) // 3)
