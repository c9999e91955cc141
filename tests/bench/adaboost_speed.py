#!/usr/bin/python3
"""A grid over the rounds of AdaBoost with stumps, Crossfold beside scikit-learn, in one run.

usage: /usr/bin/python3 adaboost_speed.py ADABOOST_BENCH DATA_FOLDER [spam]

Rounds 50, 100, 200 and 400 on the same ten folds (row i is in fold i modulo 10), one thread.
scikit-learn fits every setting separately, as its GridSearchCV does. Times are CPU seconds of the
process; Crossfold's is the least of three runs of adaboost_bench. `right` counts the rows that were
predicted right, of all folds, for each number of rounds.
"""
import csv
import json
import os
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

ROUNDS = (50, 100, 200, 400)
FOLDS = 10
DATASETS = {"breast_cancer": "class", "spam": "type"}


def read(folder, name):
    with open(os.path.join(folder, name + ".csv"), newline="") as file:
        rows = list(csv.reader(file))
    target = rows[0].index(DATASETS[name])
    x = np.array([[float(v) for j, v in enumerate(r) if j != target] for r in rows[1:]])
    return x, np.array([r[target] for r in rows[1:]])


def sklearn_grid(x, y):
    fold = np.arange(len(y)) % FOLDS
    right = []
    start = time.process_time()
    for rounds in ROUNDS:
        right.append(0)
        for f in range(FOLDS):
            learner = AdaBoostClassifier(
                DecisionTreeClassifier(max_depth=1), n_estimators=rounds, algorithm="SAMME",
                random_state=0)
            learner.fit(x[fold != f], y[fold != f])
            right[-1] += int((learner.predict(x[fold == f]) == y[fold == f]).sum())
    return time.process_time() - start, right


def crossfold_grid(program, folder, name):
    output = subprocess.run(
        [program, folder, "--benchmark_filter=path/" + name, "--benchmark_repetitions=3",
         "--benchmark_format=json"], check=True, capture_output=True, text=True).stdout
    runs = [b for b in json.loads(output)["benchmarks"] if b["run_type"] == "iteration"]
    right = [int(runs[0]["correct_%d" % rounds]) for rounds in ROUNDS]
    return min(b["cpu_time"] for b in runs) / 1000, right


def main():
    program, folder = sys.argv[1:3]
    print("| data | scikit-learn, s | Crossfold, s | ratio | right, scikit-learn | right, Crossfold |")
    print("|---|---|---|---|---|---|")
    for name in sys.argv[3:] or sorted(DATASETS):
        theirs, theirs_right = sklearn_grid(*read(folder, name))
        ours, ours_right = crossfold_grid(program, folder, name)
        print("| %s | %.2f | %.3f | %.0f | %s | %s |" % (
            name, theirs, ours, theirs / ours, theirs_right, ours_right), flush=True)


main()
