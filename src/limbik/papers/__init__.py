"""The papers' experiments, behind `limbik reproduce`: what each paper printed, what is measured now, and the bar between.

A paper is a folder of experiments; `registry` names them, `paper` and `claim` say what one is made of.
"""
