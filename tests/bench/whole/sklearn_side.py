#!/usr/bin/python3
"""scikit-learn's side of the whole experiment: cross_validate for every learner and data set, then
the corrected t test of every pair and the mean ranks.

usage: sklearn_side.py FOLDER JOBS SCORES.csv NAME=FOLDS ...
Reads FOLDER/NAME.csv and runs the first FOLDS folds of FOLDER/NAME.folds. Writes a line a fold,
with its part of the time that cross_validate took.
"""
import csv
import itertools
import os
import sys
import time
import warnings

# One thread a process: parallel is what n_jobs says, and nothing else.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import joblib
import numpy as np
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler
from sklearn.tree import DecisionTreeClassifier


class OneR(BaseEstimator, ClassifierMixin):
    """The most frequent class of each of ten bins with about as many rows, of the one feature whose
    bins have the fewest errors. scikit-learn has no OneR."""

    def fit(self, x, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.bins_ = KBinsDiscretizer(10, encode="ordinal", strategy="quantile").fit(x)
        binned = self.bins_.transform(x).astype(int)
        most = -1
        for j in range(x.shape[1]):
            counts = np.zeros((10, len(self.classes_)), dtype=int)
            np.add.at(counts, (binned[:, j], codes), 1)
            if counts.max(axis=1).sum() > most:
                most = counts.max(axis=1).sum()
                self.feature_, self.rule_ = j, counts.argmax(axis=1)
        return self

    def predict(self, x):
        return self.classes_[self.rule_[self.bins_.transform(x)[:, self.feature_].astype(int)]]


def learners():
    knn = make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=5))
    return {
        "adaboost": AdaBoostClassifier(n_estimators=50, algorithm="SAMME", random_state=1),
        "c45": DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=1),
        "forest": RandomForestClassifier(n_estimators=100, random_state=1),
        "knn": knn,
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(C=1.0, max_iter=1000)),
        "naive_bayes": GaussianNB(),
        "one_r": OneR(),
        "tuned_knn": GridSearchCV(
            knn, {"kneighborsclassifier__n_neighbors": [1, 3, 5, 7, 9]}, scoring="accuracy",
            cv=StratifiedKFold(5, shuffle=True, random_state=1)),
    }


def compare(scores, share):
    """Prints p of the corrected resampled t test of every pair on every data set, mean ranks, and
    Friedman's test."""
    names = list(learners())
    for a, b in itertools.combinations(names, 2):
        row = []
        for by_learner in scores.values():
            d = np.array(by_learner[a]) - np.array(by_learner[b])
            scale = np.sqrt((1 / len(d) + share) * d.var(ddof=1)) if len(d) > 1 else 0
            row.append(2 * stats.t.sf(abs(d.mean()) / scale, len(d) - 1) if scale > 0 else np.nan)
        print(a, b, *(f"{p:.4f}" for p in row))
    means = np.array([[-np.mean(s[name]) for name in names] for s in scores.values()])
    ranks = np.array([stats.rankdata(row) for row in means])
    print("mean ranks", dict(zip(names, ranks.mean(axis=0).round(2))))
    if len(means) > 1:
        print("Friedman", stats.friedmanchisquare(*means.T))


def main(folder, jobs, output, *wanted):
    # Small classes make the inner folds warn.
    warnings.filterwarnings("ignore")
    os.environ["PYTHONWARNINGS"] = "ignore"
    jobs = int(jobs)
    if jobs > 1:
        joblib.Parallel(n_jobs=jobs)(joblib.delayed(clone)(GaussianNB()) for _ in range(4 * jobs))
    scores, lines = {}, []
    for name, folds in (text.split("=") for text in wanted):
        with open(f"{folder}/{name}.csv", newline="", encoding="utf-8") as file:
            rows = np.array(list(csv.reader(file))[1:])
        x, y = rows[:, :-1].astype(float), rows[:, -1]
        with open(f"{folder}/{name}.folds", encoding="ascii") as file:
            fold = np.array(file.readline().split(), dtype=int)
        pairs = [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(int(folds))]
        scores[name] = {}
        for learner, model in learners().items():
            began = time.perf_counter()
            found = cross_validate(model, x, y, cv=pairs, scoring="accuracy", n_jobs=jobs,
                                   error_score="raise")["test_score"]
            seconds = (time.perf_counter() - began) / len(pairs)
            scores[name][learner] = found
            lines += [(learner, name, f + 1, value, seconds) for f, value in enumerate(found)]
    compare(scores, 1 / 9)
    with open(output, "w", newline="", encoding="ascii") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
