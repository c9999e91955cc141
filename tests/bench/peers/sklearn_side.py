"""scikit-learn's side of the rows. Every function takes data in memory, n_jobs and the settings of
the row, and times what a user of scikit-learn would write; index pairs of folds are made before.
"""
import itertools
import os
import sys
import time

# One thread a process: parallel is what n_jobs says, and nothing else.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import joblib
import numpy as np
import sklearn
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import AdaBoostClassifier
from sklearn.metrics import accuracy_score
from sklearn.model_selection import (GridSearchCV, LeaveOneGroupOut, LeaveOneOut, PredefinedSplit,
                                     cross_val_predict, cross_validate)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from crossfold_side import time_process
from measured import Measured

WEIGHTS = ["uniform", "distance"]
IMPORTS = "import sklearn.model_selection, sklearn.naive_bayes, sklearn.neighbors"


def versions():
    return (f"scikit-learn {sklearn.__version__}, numpy {np.__version__}, joblib "
            f"{joblib.__version__}, Python {sys.version.split()[0]}")


def warm_up(jobs):
    """Starts the processes of n_jobs = 2 and lets them import scikit-learn."""
    joblib.Parallel(n_jobs=jobs)(joblib.delayed(clone)(GaussianNB()) for _ in range(4 * jobs))


def numbers(text):
    return [int(number) for number in text.split(",")]


def timed(work):
    began = time.perf_counter()
    found = work()
    return time.perf_counter() - began, found


def run_grid(data, jobs, group, learner, grid, key):
    search = GridSearchCV(learner, grid, cv=PredefinedSplit(data.fold), n_jobs=jobs,
                          scoring="accuracy", error_score="raise")
    seconds, _ = timed(lambda: search.fit(data.x, data.y))
    means = zip(search.cv_results_["params"], search.cv_results_["mean_test_score"])
    return Measured(seconds, {(group, key(params)): mean for params, mean in means})


def knn_key(params):
    return f"{params['n_neighbors']},{params['weights']}"


def knn_grid(data, jobs, k):
    grid = {"n_neighbors": numbers(k), "weights": WEIGHTS}
    return run_grid(data, jobs, "knn", KNeighborsClassifier(), grid, knn_key)


def knn_nested(data, jobs, k):
    # The column `fold` reaches the inner split as groups.
    search = GridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": numbers(k), "weights": WEIGHTS}, n_jobs=jobs,
        cv=LeaveOneGroupOut(), scoring="accuracy", error_score="raise")
    seconds, found = timed(lambda: cross_validate(
        search, data.x, data.y, cv=PredefinedSplit(data.outer), scoring="accuracy",
        fit_params={"groups": data.fold}, return_estimator=True, error_score="raise"))
    scores = {}
    for fold, (score, fitted) in enumerate(zip(found["test_score"], found["estimator"]), 1):
        scores["outer", str(fold)] = score
        means = zip(fitted.cv_results_["params"], fitted.cv_results_["mean_test_score"])
        scores |= {("inner", f"{fold}:{knn_key(params)}"): mean for params, mean in means}
    return Measured(seconds, scores)


def tree_grid(data, jobs, depths, leaves):
    grid = {"max_depth": [*numbers(depths), None], "min_samples_leaf": numbers(leaves),
            "criterion": ["gini", "entropy"]}

    def key(params):
        depth = params["max_depth"]
        return (f"{'nil' if depth is None else depth},{params['min_samples_leaf']},"
                f"{params['criterion']}")
    return run_grid(data, jobs, "tree", DecisionTreeClassifier(random_state=0), grid, key)


def adaboost_grid(data, jobs, rounds):
    learner = AdaBoostClassifier(algorithm="SAMME", random_state=0)
    return run_grid(data, jobs, "adaboost", learner, {"n_estimators": numbers(rounds)},
                    lambda params: str(params["n_estimators"]))


def naive_bayes(data, jobs, repeats):
    pairs = data.repeated_folds(int(repeats))
    seconds, found = timed(lambda: cross_validate(
        GaussianNB(), data.x, data.y, cv=pairs, scoring="accuracy", n_jobs=jobs,
        error_score="raise"))
    return Measured(seconds, {("naive_bayes", f"{i // 10 + 1}:{i % 10 + 1}"): score
                              for i, score in enumerate(found["test_score"])})


def label_scores(labels):
    return {("label", str(row)): label for row, label in enumerate(labels, 1)}


def leave_one_out(data, jobs, learner):
    assert learner == "naive_bayes"

    def work():
        labels = cross_val_predict(GaussianNB(), data.x, data.y, cv=LeaveOneOut(), n_jobs=jobs)
        return labels, accuracy_score(data.y, labels)
    seconds, (labels, accuracy) = timed(work)
    return Measured(seconds, label_scores(labels) | {("accuracy", "all"): accuracy})


def leave_one_out_extrapolated(data, jobs, learner, fits=500):
    """The first `fits` fits of leave-one-out, their time multiplied up to all rows. With two
    processes half the time is taken, which scikit-learn cannot better."""
    assert learner == "naive_bayes"
    fits = min(fits, len(data.y))

    def work():
        labels = []
        for train, test in itertools.islice(LeaveOneOut().split(data.x), fits):
            fitted = clone(GaussianNB()).fit(data.x[train], data.y[train])
            labels.append(fitted.predict(data.x[test])[0])
        return labels
    seconds, labels = timed(work)
    return Measured(seconds * len(data.y) / fits / jobs, label_scores(labels),
                    f"peer extrapolated from {fits} measured fits"
                    + (f", divided by {jobs}" if jobs > 1 else ""))


def learning_curve(data, jobs, sizes, trials):
    # Not learning_curve(), which would score the training rows, too.
    drawn = data.trials(max(numbers(sizes)), int(trials))
    pairs = [(train[:size], test) for size in numbers(sizes) for train, test in drawn]
    learners = {"naive_bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    seconds, found = timed(lambda: {name: cross_validate(
        learner, data.x, data.y, cv=pairs, scoring="accuracy", n_jobs=jobs,
        error_score="raise")["test_score"] for name, learner in learners.items()})
    scores = {}
    for name, values in found.items():
        means = values.reshape(-1, int(trials)).mean(axis=1)
        scores |= {(name, str(size)): mean for size, mean in zip(numbers(sizes), means)}
    return Measured(seconds, scores)


def overhead(data, jobs, candidates):
    search = GridSearchCV(DummyClassifier(), {"random_state": list(range(int(candidates)))},
                          cv=PredefinedSplit(data.fold), n_jobs=jobs, scoring="accuracy",
                          refit=False, error_score="raise")
    seconds, _ = timed(lambda: search.fit(data.x, data.y))
    return Measured(seconds, {("accuracy", "all"): search.cv_results_["mean_test_score"].mean()})


def start():
    return time_process([sys.executable, "-c", IMPORTS])


def memory():
    """Peak resident memory after the imports, as the kernel counts it."""
    from subprocess import run
    code = f"{IMPORTS}\nprint(open('/proc/self/status').read())"
    text = run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    line = next(line for line in text.splitlines() if line.startswith("VmHWM:"))
    return Measured(int(line.split()[1]) / 1000)
