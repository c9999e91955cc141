#!/usr/bin/python3
"""scikit-learn's time for the experiments of knn_bench.cpp, with one thread, in processor seconds.

usage: /usr/bin/python3 knn_speed.py DATA_FOLDER [letter] [digits] [nested]

Ten settings (k = 1, 3, 5, 7, 9, both weights) in ten folds, each setting and fold fitted and
predicted by KNeighborsClassifier(n_jobs=1), as GridSearchCV does; `nested`: the same within five
outer folds. The folds are those of knn_bench.cpp: the rows of each class dealt in turn. Prints the
correct answers of the best setting, too. See KNN_SPEED.md.
"""
import csv
import os
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

TARGETS = {"letter": "lettr", "digits": "class"}
SETTINGS = [(k, weights) for weights in ("uniform", "distance") for k in (1, 3, 5, 7, 9)]


def read(folder, name):
    with open(os.path.join(folder, name + ".csv"), newline="") as file:
        header, *rows = csv.reader(file)
    target = header.index(TARGETS[name])
    y = np.array([row[target] for row in rows])
    x = np.array([row[:target] + row[target + 1:] for row in rows], dtype=float)
    return x, y


def stratified(y, n_folds):
    folds = np.empty(len(y), dtype=int)
    for label in np.unique(y):
        mine = np.flatnonzero(y == label)
        folds[mine] = np.arange(len(mine)) % n_folds
    return folds


def correct(x, y, folds, fold, k, weights):
    train, test = folds != fold, folds == fold
    model = KNeighborsClassifier(k, weights=weights, n_jobs=1).fit(x[train], y[train])
    return np.sum(model.predict(x[test]) == y[test])


def ten_folds(x, y):
    folds = stratified(y, 10)
    counts = [sum(correct(x, y, folds, fold, *setting) for fold in range(10))
              for setting in SETTINGS]
    return max(counts)


def nested(x, y):
    outer = stratified(y, 5)
    for fold in range(5):
        ten_folds(x[outer != fold], y[outer != fold])
    return sum(correct(x, y, outer, fold, *SETTINGS[0]) for fold in range(5))


def timed(name, experiment, x, y):
    start = time.process_time()
    best = experiment(x, y)
    print(f"{name}: {time.process_time() - start:.3f} s, {best} correct", flush=True)


folder, *wanted = sys.argv[1:]
for dataset in ("digits", "letter"):
    if dataset in wanted:
        data = read(folder, dataset)
        timed(dataset, ten_folds, *data)
        if "nested" in wanted:
            timed(dataset + ", nested", nested, *data)
