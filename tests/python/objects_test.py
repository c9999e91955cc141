"""Estimators of scikit-learn as objects: predictions equal those of scikit-learn on the same folds."""
import unittest

import crossfold
import numpy as np
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

X, CODES = load_iris(return_X_y=True)
Y = load_iris().target_names[CODES]
SPLITTER = "kfold{folds=5,stratify=true}"


def expected(estimator, rows):
    """What the estimator predicts for rows, trained on all others."""
    train = np.setdiff1d(np.arange(len(Y)), rows)
    return list(estimator.fit(X[train], CODES[train]).predict(X[rows]))


class ObjectsTest(unittest.TestCase):
    def test_predictions_are_those_of_the_object_on_the_same_folds(self):
        objects = {
            "bayes": GaussianNB(),
            "forest": RandomForestClassifier(n_estimators=10, random_state=5),
            "bagging": BaggingClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=5, random_state=5),
            "pipeline": Pipeline([("scale", StandardScaler()), ("svm", SVC(C=2.0))]),
        }
        result = crossfold.evaluate(X, Y, learners=objects, splitter=SPLITTER, metrics=["accuracy"], seed=1)
        for name, estimator in objects.items():
            found = result.predictions(name)
            for fold in range(5):
                tested = found.folds == fold
                self.assertEqual(list(found.codes[tested]), expected(estimator, found.rows[tested]), (name, fold))


if __name__ == "__main__":
    unittest.main()
