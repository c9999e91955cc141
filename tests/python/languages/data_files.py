"""Columns of the files in scripts/data, as Crossfold reads them."""

import csv
import os

import numpy as np

from fake_host import ROOT, Category


def read(name, target):
    """Columns by name, masks of missing entries, the target (class numbers or values), and the classes."""
    with open(os.path.join(ROOT, "scripts", "data", name), newline="") as file:
        rows = list(csv.DictReader(file))
    columns, missing = {}, {}
    for column in rows[0]:
        if column == target:
            continue
        texts = [row[column] for row in rows]
        gone = np.array([text in ("", "NA", "?") for text in texts])
        try:
            columns[column] = np.array([np.nan if m else float(t) for t, m in zip(texts, gone)])
        except ValueError:
            levels = sorted({t for t, m in zip(texts, gone) if not m})
            columns[column] = Category([-1 if m else levels.index(t) for t, m in zip(texts, gone)], levels)
        if gone.any():
            missing[column] = gone
    texts = [row[target] for row in rows]
    try:
        return columns, missing, np.array([float(text) for text in texts]), []
    except ValueError:
        classes = sorted(set(texts))
        return columns, missing, np.array([classes.index(text) for text in texts]), classes


def folds(n_rows, n_folds, seed):
    """Pairs of training and test rows."""
    fold = np.random.RandomState(seed).permutation(n_rows) % n_folds
    return [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(n_folds)]
