"""Parts of `benchmarks/fuzz.py`: broken texts, random models, and the laws that accepted input must obey."""
