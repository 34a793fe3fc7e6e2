"""The papers' experiments, behind `limbik reproduce`: the value that each paper prints, the value measured now, and its bar.

A paper is a folder of experiments. `registry` lists the papers; `paper`, `claim` and `verdict` define their parts.
"""
