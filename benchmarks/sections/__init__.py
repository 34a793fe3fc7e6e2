"""What `benchmarks/figures.py` measures: one module per family of figures."""
