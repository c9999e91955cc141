"""Estimators through the engine, `exec` and the folder sklearn predict what they predict in a process of their own,
on the same folds. Arguments: the program crossfold, the script engine.lua."""

import collections
import os
import subprocess
import sys
import unittest

from fake_host import ROOT, VARIABLES
from data_files import read
import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

CLASSIFIERS = [
    GaussianNB(), LogisticRegression(max_iter=2000), KNeighborsClassifier(n_neighbors=7),
    DecisionTreeClassifier(random_state=5), RandomForestClassifier(random_state=5, n_estimators=20),
    HistGradientBoostingClassifier(random_state=5, max_iter=10), SVC(random_state=5, probability=True),
    LinearDiscriminantAnalysis()]
REGRESSORS = [Ridge(alpha=2.5), HistGradientBoostingRegressor(random_state=5, max_iter=20)]


class EngineTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        environment = {**os.environ, "PATH": "/usr/bin:" + os.environ["PATH"]}  # Debian's python3
        for name in VARIABLES:
            environment.pop(name, None)
        lines = subprocess.run([PROGRAM, "--quiet", "run", SCRIPT, os.path.join(ROOT, "scripts", "data")], check=True,
                               text=True, stdout=subprocess.PIPE, env=environment).stdout.splitlines()
        cls.predicted = collections.defaultdict(dict)  # learner: {row: (fold, prediction)}
        for learner, fold, row, prediction in (line.split("\t") for line in lines):
            cls.predicted[learner][int(row) - 1] = int(fold), prediction

    def expect_same(self, estimator, X, y, name=None):
        found = self.predicted[name or type(estimator).__name__]
        self.assertEqual(sorted(found), list(range(len(y))))
        fold = np.array([found[row][0] for row in range(len(y))])
        expected = np.empty(len(y), y.dtype)
        for f in range(1, 6):
            expected[fold == f] = estimator.fit(X[fold != f], y[fold != f]).predict(X[fold == f])
        self.assertEqual([type(made)(found[row][1]) for row, made in enumerate(expected)], list(expected))

    def test_labels_are_equal(self):
        columns, _, y, classes = read("iris.csv", "class")
        for estimator in CLASSIFIERS:
            with self.subTest(type(estimator).__name__):
                self.expect_same(estimator, np.column_stack(list(columns.values())), np.array(classes, object)[y])

    def test_learners_of_the_readme_are_what_it_says(self):
        columns, _, y, classes = read("iris.csv", "class")
        named = {"boosting": HistGradientBoostingClassifier(max_iter=50, learning_rate=0.2),
                 "careful": LogisticRegression(max_iter=2000, class_weight={0: 1, 1: 3, 2: 1}),
                 "scaled": make_pipeline(StandardScaler(), SVC(C=10))}
        for name, estimator in named.items():
            with self.subTest(name):
                found = {row: (fold, str(classes.index(label))) for row, (fold, label) in self.predicted[name].items()}
                self.predicted[name + " codes"] = found
                self.expect_same(estimator, np.column_stack(list(columns.values())), y, name + " codes")
        self.assertEqual(len(self.predicted["bagged"]), 150)

    def test_values_are_equal(self):
        columns, _, y, _ = read("diabetes_regr.csv", "target")
        for estimator in REGRESSORS:
            with self.subTest(type(estimator).__name__):
                self.expect_same(estimator, np.column_stack(list(columns.values())), y)


if __name__ == "__main__":
    PROGRAM, SCRIPT = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
