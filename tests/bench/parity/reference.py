#!/usr/bin/python3
"""Out-of-fold predictions of scikit-learn, for parity.lua to compare with.

usage: /usr/bin/python3 reference.py DATA_FOLDER OUTPUT_FOLDER [--every N]

Row i of a dataset belongs to fold i mod 10, and every learner is fitted on the other nine. Writes
DATASET.LEARNER.csv with the columns row, label, tie and one probability a class; `tie` is 1 where
the label or the probabilities depend on how equal distances or votes are ordered. --every N keeps
every N-th row of a dataset of more than 1000 rows (for the files that are stored here).
Written with Debian 12's python3-sklearn 1.2.1 and python3-numpy 1.24.2.
"""
import csv
import sys

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

DATASETS = ["iris", "wine", "breast_cancer", "digits"]
FOLDS = 10
NEIGHBOURS = 5
TREE_SEEDS = 10


def read(folder, name):
    """Features and class indices; classes in the order of their bytes (digits: of their value)."""
    with open(f"{folder}/{name}.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    x = np.array([[float(v) for k, v in row.items() if k != "class"] for row in rows])
    classes = sorted({row["class"] for row in rows})
    return x, np.array([classes.index(row["class"]) for row in rows]), classes


class ConvergedLogisticRegression(LogisticRegression):
    """newton-cg stops with a gradient of about 1e-9, where its line search ends. From there, a few
    exact Newton steps on the same objective (log loss summed over rows + |w|^2 / 2)."""

    def fit(self, x, y):
        super().fit(x, y)
        k = len(self.classes_)
        ones = np.column_stack([x, np.ones(len(x))])
        d = ones.shape[1]
        target = (y[:, None] == self.classes_).astype(float)
        penalty = np.append(np.ones(d - 1), 0.0)
        columns = range(k) if k > 2 else [1]
        w = np.column_stack([self.coef_, self.intercept_])
        for _ in range(5):
            scores = ones @ w.T
            p = self._softmax(scores if k > 2 else np.column_stack([0 * scores, scores]))
            gradient = (p - target)[:, columns].T @ ones + penalty * w
            m = len(w)
            hessian = np.zeros((m * d, m * d))
            for a in range(m):
                for b in range(m):
                    weight = p[:, columns[a]] * ((a == b) - p[:, columns[b]])
                    block = (ones * weight[:, None]).T @ ones
                    hessian[a * d:(a + 1) * d, b * d:(b + 1) * d] = block
            hessian += np.diag(np.tile(penalty, m))
            w = w - np.linalg.lstsq(hessian, gradient.ravel(), rcond=1e-13)[0].reshape(m, d)
        self.coef_, self.intercept_ = w[:, :-1], w[:, -1]
        return self

    @staticmethod
    def _softmax(scores):
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)


def learners():
    logistic = ConvergedLogisticRegression(C=1, solver="newton-cg", tol=1e-8, max_iter=1000)
    return {
        "naive_bayes": GaussianNB(),
        "knn": KNeighborsClassifier(NEIGHBOURS, algorithm="brute"),
        "ridge": RidgeClassifier(alpha=1, solver="cholesky"),
        "lda": LinearDiscriminantAnalysis(),
        "logistic": make_pipeline(StandardScaler(), logistic),
    }


def knn_ties(x_train, y_train, x_test):
    """Rows whose k-th and next neighbour are equally far, or whose largest vote is shared."""
    ties = []
    for row in x_test:
        distances = np.sum((x_train - row) ** 2, axis=1)
        order = np.argsort(distances, kind="stable")
        last, after = distances[order[NEIGHBOURS - 1]], distances[order[NEIGHBOURS]]
        votes = np.sort(np.bincount(y_train[order[:NEIGHBOURS]], minlength=2))
        ties.append(abs(last - after) <= 1e-9 * last or votes[-1] == votes[-2])
    return ties


def predict(name, learner, x, y, n_classes):
    """Rows (row, label, tie, probabilities...) in the order of the dataset."""
    out = [None] * len(y)
    for fold in range(FOLDS):
        test = np.arange(len(y)) % FOLDS == fold
        learner.fit(x[~test], y[~test])
        labels = learner.predict(x[test])
        rows = np.flatnonzero(test)
        ties = knn_ties(x[~test], y[~test], x[test]) if name == "knn" else [False] * len(rows)
        if hasattr(learner, "predict_proba"):
            probabilities = learner.predict_proba(x[test])
        else:
            probabilities = np.full((len(rows), 0), np.nan)
        for i, row in enumerate(rows):
            out[row] = [row, labels[i], int(ties[i])] + [repr(float(p)) for p in probabilities[i]]
    return out


def mean_tree_accuracy(x, y):
    """Mean over folds and seeds of CART (gini, unpruned)."""
    accuracies = []
    for seed in range(TREE_SEEDS):
        for fold in range(FOLDS):
            test = np.arange(len(y)) % FOLDS == fold
            tree = DecisionTreeClassifier(random_state=seed).fit(x[~test], y[~test])
            accuracies.append(np.mean(tree.predict(x[test]) == y[test]))
    return float(np.mean(accuracies))


def main(data_folder, output_folder, every):
    trees = []
    for dataset in DATASETS:
        x, y, classes = read(data_folder, dataset)
        for name, learner in learners().items():
            rows = predict(name, learner, x, y, len(classes))
            if len(rows) > 1000:
                rows = rows[::every]
            with open(f"{output_folder}/{dataset}.{name}.csv", "w", newline="") as f:
                out = csv.writer(f, lineterminator="\n")
                out.writerow(["row", "label", "tie"] + classes[: len(rows[0]) - 3])
                for row in rows:
                    out.writerow([row[0], classes[row[1]]] + row[2:])
        trees.append([dataset, repr(mean_tree_accuracy(x, y))])
    with open(f"{output_folder}/cart.csv", "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows([["dataset", "accuracy"]] + trees)


if __name__ == "__main__":
    step = int(sys.argv[sys.argv.index("--every") + 1]) if "--every" in sys.argv else 1
    main(sys.argv[1], sys.argv[2], step)
