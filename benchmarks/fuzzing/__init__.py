"""What `benchmarks/fuzz.py` is made of: broken texts, random models, and the laws that both must obey."""
