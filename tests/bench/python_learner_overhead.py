#!/usr/bin/python3
"""What a cell of a Python learner costs more than the same fit and prediction in Python, in microseconds.

usage: python_learner_overhead.py PROGRAM [CSV TARGET]

100 cells of GaussianNB: in crossfold the time of 11 repetitions of 10 folds less that of 1 repetition, so that the
start of the program and of the learner's process does not count; in Python `fit` and `predict` on rows of the matrix,
as in cross_validate. Both several times, one after the other; the fastest counts. Without a file the data are 20,000
rows of 16 integers and 26 classes, as in the dataset letter."""

import csv
import os
import subprocess
import sys
import tempfile
import time

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_name] = "1"

import numpy as np
from sklearn.metrics import accuracy_score
from sklearn.naive_bayes import GaussianNB

TRIALS = 7
SCRIPT = os.path.splitext(os.path.abspath(__file__))[0] + ".lua"


def write_data(file):
    draws = np.random.RandomState(1)
    y = draws.randint(0, 26, 20000)
    X = np.clip(np.rint(draws.normal(7 + 3 * np.sin(np.outer(y, np.arange(1, 17))), 2)), 0, 15).astype(int)
    writer = csv.writer(file)
    writer.writerow([f"x{j}" for j in range(16)] + ["class"])
    writer.writerows([*row, chr(65 + label)] for row, label in zip(X.tolist(), y))
    file.flush()


def read_data(path, target):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    X = np.array([[float(value) for name, value in row.items() if name != target] for row in rows])
    return X, np.unique([row[target] for row in rows], return_inverse=True)[1]


def crossfold_seconds(program, path, target, repeats, workers):
    environment = {**os.environ, "PATH": "/usr/bin:" + os.environ["PATH"]}
    began = time.perf_counter()
    subprocess.run([program, "--quiet", "run", SCRIPT, path, target, str(repeats), str(workers)], check=True,
                   stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - began


def python_seconds(X, y):
    fold = np.random.RandomState(0).permutation(len(y)) % 10
    parts = [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(10)]
    began = time.perf_counter()
    for train, test in parts * 10:
        accuracy_score(y[test], GaussianNB().fit(X[train], y[train]).predict(X[test]))
    return time.perf_counter() - began


def main(program, path, target):
    X, y = read_data(path, target)
    plain, ours, one, two = [], [], [], []
    for _ in range(TRIALS):
        plain.append(python_seconds(X, y))
        one.append(crossfold_seconds(program, path, target, 1, 1))
        ours.append(crossfold_seconds(program, path, target, 11, 1))
        two.append(crossfold_seconds(program, path, target, 11, 2))
    cell, python = (min(ours) - min(one)) / 100, min(plain) / 100
    print(f"per cell: {python * 1e6:.0f} us in Python, {cell * 1e6:.0f} us in crossfold, {(cell - python) * 1e6:.0f} us more")
    print(f"start and 10 cells: {min(one):.2f} s; 110 cells with one worker {min(ours):.2f} s, with two {min(two):.2f} s")


if __name__ == "__main__":
    if len(sys.argv) == 4:
        main(*sys.argv[1:])
    else:
        with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="") as data:
            write_data(data)
            main(sys.argv[1], data.name, "class")
