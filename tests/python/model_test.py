"""Models: fitted on all rows, saved, loaded, and their predictions."""
import os
import tempfile
import unittest

import crossfold
import numpy as np
import pandas as pd
from lua_program import DATA, data, exact, lines
from refusal import refusal


def iris():
    return pd.read_csv(data("iris.csv"))


class ModelTest(unittest.TestCase):
    def test_labels_are_those_that_were_given(self):
        frame = iris()
        X = frame.iloc[:, :4].to_numpy()
        numbers = frame["class"].astype("category").cat.codes.to_numpy().astype(np.int64)
        model = crossfold.fit(X, numbers, "knn{k=1}")
        self.assertEqual(model.learner, "knn{k=1}")
        self.assertEqual(model.predict(X[::50]).tolist(), [0, 1, 2])
        flags = crossfold.fit(X, numbers == 2, "knn{k=1}")
        self.assertEqual(flags.classes, [False, True])
        self.assertEqual(flags.predict(X[::50]).tolist(), [False, False, True])

    def test_probabilities_are_rows_by_classes(self):
        frame = iris()
        model = crossfold.fit(frame, "class", "naive_bayes")
        p = model.predict_proba(frame)
        self.assertEqual(p.shape, (150, 3))
        self.assertTrue(np.allclose(p.sum(axis=1), 1))
        self.assertEqual(np.array(model.classes)[p.argmax(axis=1)].tolist(), model.predict(frame).tolist())

    def test_columns_are_found_by_name_and_others_do_not_matter(self):
        frame = iris()
        model = crossfold.fit(frame, "class", ["standardize", "knn{k=5}"])
        expected = model.predict(frame).tolist()
        shuffled = frame[frame.columns[::-1]].assign(more="x")
        self.assertEqual(model.predict(shuffled).tolist(), expected)
        self.assertEqual(model.predict(frame.iloc[:, :4].to_numpy()).tolist(), expected)

    def test_a_column_that_lacks_is_named(self):
        frame = iris()
        model = crossfold.fit(frame, "class", "knn")
        self.assertIn(frame.columns[1], refusal(model.predict, frame.drop(columns=frame.columns[1])))
        self.assertTrue(refusal(model.predict, np.ones((2, 3))).startswith(
            "cannot use X: it has 3 columns, not 4; give "))

    def test_a_saved_model_predicts_the_same(self):
        frame = iris()
        model = crossfold.fit(frame, "class", "decision_tree", seed=3)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "iris.cfm")
            model.save(path)
            again = crossfold.load(path)
        self.assertEqual((again.learner, again.features, again.classes), (model.learner, model.features, model.classes))
        self.assertEqual(again.predict(frame).tolist(), model.predict(frame).tolist())

    def test_values_of_a_regression_are_numbers(self):
        frame = pd.read_csv(data("diabetes_regr.csv"))
        y = frame.pop("target").astype(float)
        model = crossfold.fit(frame, y, "least_squares")
        self.assertIsNone(model.classes)
        A = np.column_stack([np.ones(len(frame)), frame.to_numpy(dtype=float)])
        expected = A @ np.linalg.lstsq(A, y.to_numpy(), rcond=None)[0]
        self.assertTrue(np.allclose(model.predict(frame), expected, rtol=1e-8))
        self.assertEqual(refusal(model.predict_proba, frame),
                         "cannot give probabilities: 'least_squares' gives none; use predict")

    def test_models_of_ensembles_predict_what_they_predict_in_lua(self):
        frames = {n: crossfold.read(data(f), t) for n, f, t in (
            ("iris", "iris.csv", "class"), ("cancer", "breast_cancer.csv", "class"),
            ("diabetes", "diabetes_regr.csv", "target"))}
        rows_of = {"platt": "cancer", "threshold": "cancer", "mean": "diabetes", "bagged_values": "diabetes",
                   "stacked_values": "diabetes", "intervals": "diabetes"}
        with tempfile.TemporaryDirectory() as folder:
            expected = {}
            for name, *fields in lines("ensembles.lua", DATA, folder):
                expected.setdefault(name, []).append(fields)
            self.assertEqual(len(expected), 15)
            for name, fields in expected.items():
                rows = frames[rows_of.get(name, "iris")]
                model = crossfold.load(os.path.join(folder, name + ".cfm"))
                model.save(os.path.join(folder, "again.cfm"))
                for loaded in (model, crossfold.load(os.path.join(folder, "again.cfm"))):
                    predicted = loaded.predict(rows)
                    if loaded.classes is None:
                        found = [[exact(value)] for value in predicted]
                    else:
                        found = [[label, *map(exact, p)] for label, p in zip(predicted, loaded.predict_proba(rows))]
                    self.assertEqual(found, fields, name)

    def test_a_damaged_model_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.cfm")
            crossfold.fit(iris(), "class", "knn").save(path)
            with open(path, "rb") as file:
                content = file.read()
            with open(path, "wb") as file:
                file.write(content[:-1])
            self.assertEqual(refusal(crossfold.load, path),
                             f"cannot load model '{path}': it is damaged or cut short; save it again")

    def test_a_fit_that_fails_says_why(self):
        with self.assertRaises(crossfold.Error) as raised:
            crossfold.fit(iris(), "class", "debug{action=throw_in_fit}")
        self.assertEqual(raised.exception.kind, "failed")


if __name__ == "__main__":
    unittest.main()
