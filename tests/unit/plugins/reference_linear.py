#!/usr/bin/env python3
"""Predictions of scikit-learn for the tests of ridge, logistic_regression and discriminant.

usage: reference_linear.py FOLDER_OF_CSV_FILES > reference_linear.csv

The stored file was written with scikit-learn 1.2.1, numpy 1.24.2 and scipy 1.10.1 (Debian 12).
A line is: case, file, fold, row, values. Row i of a file belongs to fold i modulo 10; a case was
fitted on the other folds. Values are the prediction, or the probabilities in the order of the sorted
classes. There are the first, the middle and the last row of the first two folds. (The labels of the ridge
classifier, and all rows with few of the settings, are compared by tests/bench/parity.)

The logistic cases are fitted with newton-cg to the end of its precision; Newton steps with the full
matrix of second derivatives then remove what is left of the gradient (on digits as it comes from
newton-cg it is 1e-8).
"""
import csv
import sys
import warnings

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as LDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as QDA
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.preprocessing import StandardScaler

FOLDS = 10


def read(path):
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))[1:]
    return np.array([[float(v) for v in r[:-1]] for r in rows]), np.array([r[-1] for r in rows])


def derivatives(x, y, p, w, l2):
    """Gradient and second derivatives at coefficients w: columns of x (intercept last) x outputs."""
    n, k = len(x), w.shape[1]
    penalty = np.full(x.shape[1], l2)
    penalty[-1] = 0
    gradient = x.T @ (p - y) + penalty[:, None] * w
    second = np.zeros((x.shape[1], k, x.shape[1], k))
    for a in range(k):
        for b in range(k):
            h = p[:, a] * ((a == b) - p[:, b])
            second[:, a, :, b] = x.T @ (h[:, None] * x) + (np.diag(penalty) if a == b else 0)
    return gradient, second.reshape(w.size, w.size)


class Polished:
    """LogisticRegression with Newton steps at the end."""

    def __init__(self, l2):
        self.l2 = l2
        self.model = LogisticRegression(solver="newton-cg", C=1 / l2, tol=1e-10, max_iter=500)

    def fit(self, x, y):
        m = self.model.fit(x, y)
        ones = np.hstack([x, np.ones((len(x), 1))])
        target = (y[:, None] == m.classes_[None, :]).astype(float)
        binary = len(m.classes_) == 2
        for _ in range(3):
            w = np.vstack([m.coef_.T, m.intercept_])
            p = m.predict_proba(x)
            if binary:
                p, chosen = p[:, 1:], target[:, 1:]
            else:
                chosen = target
            gradient, second = derivatives(ones, chosen, p, w, self.l2)
            # A number added to every intercept changes nothing: the least step of them all.
            step = np.linalg.lstsq(second, gradient.ravel(), rcond=1e-15)[0].reshape(w.shape)
            m.coef_ = (w - step)[:-1].T
            m.intercept_ = (w - step)[-1]
        print("gradient left:", abs(gradient).max(), "last step:", abs(step).max(), file=sys.stderr)
        return self

    def predict_proba(self, x):
        return self.model.predict_proba(x)


class PolishedL1:
    """LogisticRegression with saga and a penalty on absolute values, and Newton steps over the
    coefficients that are not 0 at the end. It comes after a StandardScaler if `scaled`."""

    def __init__(self, l1, scaled):
        self.l1, self.scaler = l1, StandardScaler() if scaled else None
        self.model = LogisticRegression(penalty="l1", solver="saga", C=1 / l1, tol=1e-11,
                                        max_iter=1000000, random_state=1)

    def scale(self, x):
        return self.scaler.transform(x) if self.scaler else x

    def fit(self, x, y):
        if self.scaler:
            self.scaler.fit(x)
        x = self.scale(x)
        m = self.model.fit(x, y)
        ones = np.hstack([x, np.ones((len(x), 1))])
        target = (y[:, None] == m.classes_[None, :]).astype(float)
        w = np.vstack([m.coef_.T, m.intercept_])
        signs = np.sign(w)
        signs[-1] = 0
        free = (w != 0).ravel()
        free[-w.shape[1]:] = True
        for _ in range(4):
            m.coef_, m.intercept_ = w[:-1].T, w[-1]
            gradient, second = derivatives(ones, target, m.predict_proba(x), w, 0)
            slope = (gradient + self.l1 * signs).ravel()[free]
            step = np.zeros(w.size)
            step[free] = np.linalg.lstsq(second[np.ix_(free, free)], slope, rcond=1e-13)[0]
            w = w - step.reshape(w.shape)
        m.coef_, m.intercept_ = w[:-1].T, w[-1]
        assert (np.sign(w[:-1]) == signs[:-1]).all()
        zero = gradient[:-1][signs[:-1] == 0]
        assert (abs(zero) <= self.l1 * (1 + 1e-9)).all()
        print("slope left:", abs(slope).max(), "last step:", abs(step).max(), "iterations:",
              m.n_iter_, file=sys.stderr)
        return self

    def predict_proba(self, x):
        return self.model.predict_proba(self.scale(x))


SMALL = ["iris.csv", "wine.csv", "breast_cancer.csv"]
CASES = [
    ("ridge 1", ["diabetes_regr.csv"], lambda: Ridge(alpha=1.0)),
    ("ridge 0.01", ["diabetes_regr.csv"], lambda: Ridge(alpha=0.01)),
    ("ridge no intercept", ["diabetes_regr.csv"], lambda: Ridge(alpha=1.0, fit_intercept=False)),
    ("least squares", ["diabetes_regr.csv"], LinearRegression),
    ("logistic 1", SMALL + ["digits.csv"], lambda: Polished(1)),
    ("logistic 0.01", ["iris.csv"], lambda: Polished(0.01)),
    ("logistic l1 1", ["iris.csv"], lambda: PolishedL1(1, False)),
    ("logistic l1 1 scaled", ["wine.csv"], lambda: PolishedL1(1, True)),
    ("logistic l1 0.1 scaled", ["iris.csv", "wine.csv"], lambda: PolishedL1(0.1, True)),
    ("lda", SMALL + ["digits.csv"], LDA),
    ("lda 0.3", SMALL + ["digits.csv"], lambda: LDA(solver="lsqr", shrinkage=0.3)),
    ("qda", SMALL, QDA),
    ("qda 0.1", SMALL + ["digits.csv"], lambda: QDA(reg_param=0.1)),
]


def values_of(model, rows):
    if hasattr(model, "predict_proba"):
        return model.predict_proba(rows)
    return model.predict(rows)[:, None]


def main(folder):
    warnings.simplefilter("ignore")
    for case, files, make in CASES:
        for file in files:
            x, y = read(f"{folder}/{file}")
            if file == "diabetes_regr.csv":
                y = y.astype(float)
            fold_of = np.arange(len(y)) % FOLDS
            for fold in range(2):
                test = np.flatnonzero(fold_of == fold)
                test = test[[0, len(test) // 2, -1]]
                model = make().fit(x[fold_of != fold], y[fold_of != fold])
                for row, values in zip(test, values_of(model, x[test])):
                    print(case, file, fold, row, *map(repr, values.tolist()), sep=",")


main(sys.argv[1])
