"""A few seconds of the fuzzer with a fixed seed; `make soak` runs it longer with a new seed."""

from benchmarks import fuzz as fuzzer
from benchmarks.fuzzing.laws import check

SEED = 1
# A case takes some milliseconds; the time limit is for slow machines.
CASES, SECONDS = 600, 20


def test_random_input_is_refused_or_lawful(tmp_path):
    tally = fuzzer.fuzz(SECONDS, SEED, tmp_path, CASES)
    assert not tally.findings, "\n".join(tally.findings)
    # Both outcomes must occur, or the cases test nothing.
    assert tally.refused > tally.cases / 10 and tally.accepted > tally.cases / 10, str(tally)


def test_a_broken_law_is_found_and_its_input_kept(tmp_path, monkeypatch, capsys):
    def broken(rng, body):
        check(False, "water flows uphill")

    monkeypatch.setattr(fuzzer, "obey", broken)
    tally = fuzzer.fuzz(SECONDS, SEED, tmp_path, 8)
    assert tally.findings and "water flows uphill" in tally.findings[0]
    assert f"seed {SEED}, case" in capsys.readouterr().out
    assert len(list(tmp_path.glob(f"seed{SEED}-case*.why"))) == len(tally.findings)


def test_a_case_is_the_same_on_every_run(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(fuzzer, "obey", lambda rng, body: seen.append((body.fingerprint, rng.random())))
    for _ in range(2):
        fuzzer.fuzz(SECONDS, SEED, tmp_path, 12)
    assert len(seen) > 4 and seen[: len(seen) // 2] == seen[len(seen) // 2 :]
