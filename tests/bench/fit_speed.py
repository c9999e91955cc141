#!/usr/bin/python3
"""Time of one fit, Crossfold beside scikit-learn, in one run: prints a table in Markdown.

usage: /usr/bin/python3 fit_speed.py CROSSFOLD_PROGRAM DATA_FOLDER [LEARNER...]

Both train on all rows of letter and spam but the last hundred, with one thread, five times in turn
(libsvm once). The ratio is scikit-learn's median time over Crossfold's (above 1 = Crossfold is
faster), with the smallest and largest ratio of the rounds. The time of knn, which leaves the work
to prediction, is that of the fit and the prediction of the hundred rows. Accuracies are those on
the hundred rows: they only show that the same was learnt. See FIT_SPEED.md.
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
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
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
ROUNDS_OF = {"libsvm": 1}
WITH_PREDICTION = {"knn"}
DATASETS = {"letter": "lettr", "spam": "type"}


def standardized(learner):
    return make_pipeline(StandardScaler(), learner)


# The same method and size as in fit_speed.lua.
LEARNERS = {
    "adaboost": lambda: AdaBoostClassifier(n_estimators=50, algorithm="SAMME", random_state=0),
    "decision_tree": lambda: DecisionTreeClassifier(random_state=0),
    "decision_tree_entropy": lambda: DecisionTreeClassifier(criterion="entropy", random_state=0),
    "knn": lambda: KNeighborsClassifier(5),
    "lda": lambda: LinearDiscriminantAnalysis(),
    "liblinear": lambda: standardized(LogisticRegression(C=1, solver="liblinear")),
    "libsvm": lambda: standardized(SVC(kernel="rbf", gamma=0.1, C=1)),
    "logistic": lambda: standardized(LogisticRegression(C=1, max_iter=1000)),
    "mlp": lambda: standardized(MLPClassifier((100,), max_iter=5, batch_size=200, random_state=0)),
    "naive_bayes": lambda: GaussianNB(),
    "qda": lambda: QuadraticDiscriminantAnalysis(reg_param=1e-6),
    "random_forest": lambda: RandomForestClassifier(20, random_state=0),
    "ridge": lambda: RidgeClassifier(alpha=1),
}


def read(folder, name, target):
    """Features, and the classes as numbers, which is how Crossfold holds them."""
    with open(f"{folder}/{name}.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    x = np.array([[float(v) for k, v in row.items() if k != target] for row in rows])
    return x, np.unique([row[target] for row in rows], return_inverse=True)[1]


@_testing.ignore_warnings(category=ConvergenceWarning)
def time_peer(name, x, y):
    learner = LEARNERS[name]()
    began = time.perf_counter()
    learner.fit(x[:-100], y[:-100])
    fitted = time.perf_counter()
    predicted = learner.predict(x[-100:])
    ended = time.perf_counter()
    seconds = (ended if name in WITH_PREDICTION else fitted) - began
    return seconds, np.mean(predicted == y[-100:])


def time_crossfold(program, folder, name):
    """Time and accuracy on each dataset."""
    here = os.path.dirname(os.path.abspath(__file__))
    text = subprocess.run([program, "run", f"{here}/fit_speed.lua", folder, name], check=True,
                          capture_output=True, text=True).stdout
    results = {}
    for line in text.splitlines():
        dataset, _, fit, predict, accuracy = line.split()
        seconds = float(fit) + (float(predict) if name in WITH_PREDICTION else 0)
        results[dataset] = seconds, float(accuracy)
    return results


def measure(program, folder, data, name):
    """Prints the table's lines of one learner."""
    ours, theirs = {d: [] for d in data}, {d: [] for d in data}
    for _ in range(ROUNDS_OF.get(name, ROUNDS)):
        for dataset, result in time_crossfold(program, folder, name).items():
            ours[dataset].append(result)
        for dataset, (x, y) in data.items():
            theirs[dataset].append(time_peer(name, x, y))
    for dataset in data:
        ratios = [t[0] / m[0] for t, m in zip(theirs[dataset], ours[dataset])]
        a = statistics.median(seconds for seconds, _ in ours[dataset])
        b = statistics.median(seconds for seconds, _ in theirs[dataset])
        print(f"| {name} | {dataset} | {a:.4f} | {b:.4f} | {b / a:.2f} ({min(ratios):.2f} to "
              f"{max(ratios):.2f}) | {ours[dataset][-1][1]:.2f}, {theirs[dataset][-1][1]:.2f} |",
              flush=True)


def main(program, folder, names):
    data = {d: read(folder, d, target) for d, target in DATASETS.items()}
    print("| learner | dataset | Crossfold, s | scikit-learn, s | ratio (min to max) | accuracies |")
    print("|---|---|---|---|---|---|")
    for name in names:
        measure(program, folder, data, name)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:] or list(LEARNERS))
