#!/usr/bin/python3
"""Time of one fit, Crossfold beside scikit-learn, in one run: prints a table in Markdown.

usage: /usr/bin/python3 fit_speed.py CROSSFOLD_PROGRAM DATA_FOLDER [LEARNER...]

Both train on all rows of letter and spam but the last hundred, with one thread, five times in turn;
the ratio is scikit-learn's median time over Crossfold's (above 1 = Crossfold is faster), with the
smallest and largest ratio of the five rounds. Accuracies are those on the hundred rows left out:
they only show that the same was learnt.
"""
import csv
import os
import statistics
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import _testing

ROUNDS = 5
DATASETS = {"letter": "lettr", "spam": "type"}
LEARNERS = {
    "naive_bayes": lambda: GaussianNB(),
    "knn": lambda: KNeighborsClassifier(5, algorithm="brute"),
    "ridge": lambda: RidgeClassifier(alpha=1),
    "lda": lambda: LinearDiscriminantAnalysis(),
    "logistic": lambda: make_pipeline(StandardScaler(), LogisticRegression(C=1, max_iter=1000)),
    "decision_tree": lambda: DecisionTreeClassifier(random_state=0),
    "adaboost": lambda: AdaBoostClassifier(n_estimators=50, algorithm="SAMME", random_state=0),
    "random_forest": lambda: RandomForestClassifier(20, random_state=0),
    "mlp": lambda: MLPClassifier((100,), max_iter=5, batch_size=200, random_state=0),
    "libsvm": lambda: SVC(kernel="rbf", gamma=0.1, C=1),
}


def read(folder, name, target):
    with open(f"{folder}/{name}.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    x = np.array([[float(v) for k, v in row.items() if k != target] for row in rows])
    return x, np.array([row[target] for row in rows])


@_testing.ignore_warnings(category=ConvergenceWarning)
def time_peer(learner, x, y):
    began = time.perf_counter()
    learner.fit(x[:-100], y[:-100])
    return time.perf_counter() - began, learner.score(x[-100:], y[-100:])


def time_crossfold(program, folder, names):
    here = os.path.dirname(os.path.abspath(__file__))
    text = subprocess.run([program, "run", f"{here}/fit_speed.lua", folder, *names], check=True,
                          capture_output=True, text=True).stdout
    times = {}
    for line in text.splitlines():
        dataset, name, fit, _, accuracy = line.split()
        times[dataset, name] = float(fit), float(accuracy)
    return times


def main(program, folder, names):
    data = {d: read(folder, d, target) for d, target in DATASETS.items()}
    ours, theirs, accuracy = {}, {}, {}
    for _ in range(ROUNDS):
        for key, (seconds, score) in time_crossfold(program, folder, names).items():
            ours.setdefault(key, []).append(seconds)
            accuracy[key] = [score, None]
        for dataset, (x, y) in data.items():
            for name in names:
                seconds, score = time_peer(LEARNERS[name](), x, y)
                theirs.setdefault((dataset, name), []).append(seconds)
                accuracy[dataset, name][1] = score
    print("| dataset | learner | Crossfold, s | scikit-learn, s | ratio (min to max) | accuracies |")
    print("|---|---|---|---|---|---|")
    for key, mine in ours.items():
        ratios = [t / m for t, m in zip(theirs[key], mine)]
        a, b = statistics.median(mine), statistics.median(theirs[key])
        print(f"| {key[0]} | {key[1]} | {a:.4f} | {b:.4f} | {b / a:.2f} ({min(ratios):.2f} to "
              f"{max(ratios):.2f}) | {accuracy[key][0]:.2f}, {accuracy[key][1]:.2f} |")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:] or list(LEARNERS))
