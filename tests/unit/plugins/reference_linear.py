#!/usr/bin/env python3
"""Predictions of scikit-learn for the tests of ridge, logistic_regression and discriminant.

usage: reference_linear.py FOLDER_OF_CSV_FILES > reference_linear.csv

The stored file was written with scikit-learn 1.2.1, numpy 1.24.2 and scipy 1.10.1 (Debian 12).
A line is: case, file, fold, row, values. Row i of a file belongs to fold i modulo 10; a case was
fitted on the other folds. Values are the prediction, or the probabilities in the order of the sorted
classes. Of each fold there are the first, the middle and the last row.

The logistic cases are fitted far beyond the default tolerance. What is left of the gradient of the
objective is printed on stderr, as a share of the number of rows.
"""
import csv
import sys
import warnings

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as LDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as QDA
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge

FOLDS = 10


def read(path):
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))[1:]
    return np.array([[float(v) for v in r[:-1]] for r in rows]), np.array([r[-1] for r in rows])


def logistic(scale=None, **options):
    return lambda: LogisticRegression(max_iter=1000000, tol=1e-13, **options)


NEWTON = {"solver": "newton-cg"}
CASES = [
    ("ridge l2=1", ["diabetes_regr.csv"], lambda: Ridge(alpha=1.0)),
    ("ridge l2=0.01", ["diabetes_regr.csv"], lambda: Ridge(alpha=0.01)),
    ("ridge no intercept", ["diabetes_regr.csv"], lambda: Ridge(alpha=1.0, fit_intercept=False)),
    ("least squares", ["diabetes_regr.csv"], LinearRegression),
    ("logistic l2=1", ["iris.csv", "breast_cancer.csv", "wine.csv", "digits.csv"], None),
    ("logistic l2=0.01", ["iris.csv"], None),
    ("logistic none", ["spam4.csv"], None),
    ("lda", ["iris.csv", "wine.csv", "breast_cancer.csv", "digits.csv"], LDA),
    ("lda shrinkage=0.3", ["iris.csv", "wine.csv", "breast_cancer.csv"],
     lambda: LDA(solver="lsqr", shrinkage=0.3)),
    ("qda", ["iris.csv", "wine.csv", "breast_cancer.csv"], QDA),
    ("qda reg=0.1", ["iris.csv", "wine.csv", "breast_cancer.csv", "digits.csv"],
     lambda: QDA(reg_param=0.1)),
]
