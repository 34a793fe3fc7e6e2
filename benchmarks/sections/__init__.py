"""The sections of `benchmarks/figures.py`: one module per family of measurements."""
