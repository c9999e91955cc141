#!/usr/bin/python3
"""Out-of-fold predictions of scikit-learn, for parity.lua to compare with.

usage: /usr/bin/python3 reference.py DATA_FOLDER OUTPUT_FOLDER [--rows N]

Row i of a dataset belongs to fold i mod 10, and every learner is fitted on the other nine. Writes
digests.csv with a line for each dataset and learner: the number of rows, the rows whose label or
probabilities depend on how equal distances or votes are ordered (`ties`), and checksums of the labels
and of the probabilities of all other rows; and predictions.csv with the labels and probabilities of
these rows. --rows N writes the N least certain ones of each dataset and learner (the stored files).
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


def predict(name, learner, x, y):
    """Rows (row, label, tie, probabilities) in the order of the dataset."""
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
            probabilities = np.empty((len(rows), 0))
        for i, row in enumerate(rows):
            out[row] = row, labels[i], ties[i], probabilities[i].tolist()
    return out


def digest(rows, classes):
    """Number of rows, ties, and the checksums; weights keep errors of rows from cancelling out."""
    labels, probabilities = 0, 0.0
    for row, label, tie, p in rows:
        if not tie:
            for byte in classes[label].encode():
                labels = (labels * 31 + byte) % 2147483647
            probabilities += sum(v * ((row + 2 * c) % 7 + 1) for c, v in enumerate(p))
    return len(rows), " ".join(str(row[0]) for row in rows if row[2]), labels, repr(probabilities)


def mean_tree_accuracy(x, y):
    """Mean over folds and seeds of CART (gini, unpruned)."""
    accuracies = []
    for seed in range(TREE_SEEDS):
        for fold in range(FOLDS):
            test = np.arange(len(y)) % FOLDS == fold
            tree = DecisionTreeClassifier(random_state=seed).fit(x[~test], y[~test])
            accuracies.append(np.mean(tree.predict(x[test]) == y[test]))
    return float(np.mean(accuracies))


def main(data_folder, output_folder, n_rows):
    trees = [["dataset", "accuracy"]]
    digests = [["dataset", "learner", "rows", "ties", "labels", "probabilities"]]
    predictions = [["dataset", "learner", "row", "label", "probabilities"]]
    for dataset in DATASETS:
        x, y, classes = read(data_folder, dataset)
        for name, learner in learners().items():
            rows = predict(name, learner, x, y)
            digests.append([dataset, name, *digest(rows, classes)])
            clear = [row for row in rows if not row[2]]
            if n_rows:
                clear = sorted(clear, key=lambda row: max(row[3], default=1))[:n_rows]
            for row, label, _, p in clear:
                predictions.append([dataset, name, row, classes[label], " ".join(map(repr, p))])
        trees.append([dataset, repr(mean_tree_accuracy(x, y))])
    for name, table in [("cart", trees), ("digests", digests), ("predictions", predictions)]:
        with open(f"{output_folder}/{name}.csv", "w", newline="") as f:
            csv.writer(f, lineterminator="\n").writerows(table)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[4]) if "--rows" in sys.argv else None)
