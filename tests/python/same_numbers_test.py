"""The numbers of the package are those of Lua scripts, bit for bit: the expected values are what the program prints."""
import unittest

import crossfold
import pandas
from lua_program import data, exact, lines

PAIR_NUMBERS = ("mean_a", "mean_b", "difference", "low", "high", "statistic", "df", "p", "p_adjusted", "rope",
                "p_worse", "p_alike", "p_better")
CLASSIFIERS = {"knn": "knn{k=5}", "nb": "naive_bayes", "floor": "featureless"}
REGRESSORS = {"ridge": "ridge", "tree": "decision_tree", "floor": "featureless"}


def score_lines(result):
    return [["score", s["learner"], str(s["repeat"]), str(s["fold"]), exact(s["value"])] for s in result.scores()]


def prediction_lines(result):
    found = []
    for name in result.learners:
        p = result.predictions(name)
        for i in range(len(p)):
            label = p.predicted[i] if p.classes is not None else exact(p.predicted[i])
            more = [] if p.probabilities is None else [exact(x) for x in p.probabilities[i]]
            found.append(["prediction", name, *(str(a[i]) for a in (p.repeats, p.folds, p.rows)), str(label), *more])
    return found


def pair_lines(result, **options):
    try:
        rows = result.compare(**options).rows()
    except crossfold.Error:
        return [["refused"]]
    return [["pair", r["a"], r["b"], r["test"], str(r["splits"]), str(r["splits_of"]),
             *(exact(r[name]) for name in PAIR_NUMBERS),
             *("-" if r[name] is None else str(r[name]) for name in ("better", "rows", "only_a", "only_b"))]
            for r in rows]


class SameNumbersTest(unittest.TestCase):
    maxDiff = 2000

    def check(self, file, target, splitter, params, metric, test=None):
        """`params` is the same text in a spec and in Lua."""
        expected = lines("numbers.lua", data(file), target, splitter, params, metric, *([test] if test else []))
        learners = REGRESSORS if file == "diabetes_regr.csv" else CLASSIFIERS
        result = crossfold.evaluate(crossfold.read(data(file), target), learners=learners,
                                    splitter=splitter + params, metrics=[metric], seed=42, workers=2)
        of = {kind: [line for line in expected if line[0] == kind] for kind in ("score", "prediction")}
        self.assertEqual(score_lines(result), of["score"])
        self.assertEqual(prediction_lines(result), of["prediction"])
        self.assertTrue(of["prediction"])
        pairs = [line for line in expected if line[0] in ("pair", "refused")]
        self.assertEqual(pair_lines(result, test=test), pairs)

    def test_of_folds(self):
        self.check("iris.csv", "class", "kfold", "{folds=10}", "accuracy")

    def test_of_repeated_folds_with_a_metric_of_probabilities(self):
        self.check("breast_cancer.csv", "class", "kfold", "{folds=5,repeats=3}", "log_loss")

    def test_of_one_split(self):
        self.check("breast_cancer.csv", "class", "holdout", "{}", "accuracy")
        self.check("breast_cancer.csv", "class", "holdout", "{}", "error_rate")
        self.check("breast_cancer.csv", "class", "holdout", "{}", "log_loss")

    def test_of_leave_one_out(self):
        self.check("iris.csv", "class", "leave_one_out", "{}", "accuracy")
        self.check("iris.csv", "class", "leave_one_out", "{}", "accuracy", "mcnemar")

    def test_of_random_splits(self):
        self.check("iris.csv", "class", "holdout", "{repeats=8}", "error_rate")
        self.check("iris.csv", "class", "bootstrap", "{repeats=6}", "accuracy")

    def test_of_five_times_two_folds(self):
        for test in ("five_by_two_t", "five_by_two_f", "corrected_t"):
            self.check("breast_cancer.csv", "class", "kfold", "{folds=2,repeats=5}", "accuracy", test)

    def test_of_a_test_that_is_not_valid(self):
        self.check("iris.csv", "class", "kfold", "{folds=10}", "accuracy", "five_by_two_t")
        self.check("iris.csv", "class", "holdout", "{}", "accuracy", "corrected_t")

    def test_of_missing_entries_and_categories(self):
        self.check("house_votes_84.csv", "Class", "kfold", "{folds=4}", "accuracy")

    def test_of_a_regression(self):
        self.check("diabetes_regr.csv", "target", "kfold", "{folds=5}", "rmse")

    def test_of_a_metric_without_a_value_in_some_folds(self):
        for metric in ("precision", "matthews_correlation", "roc_auc"):
            self.check("breast_cancer.csv", "class", "kfold", "{folds=120}", metric)

    def test_of_a_frame_with_the_same_columns(self):
        file = crossfold.read(data("iris.csv"), "class")
        frame = crossfold.dataset(pandas.read_csv(data("iris.csv")), "class")
        self.assertEqual(frame.content_hash, file.content_hash)

    def test_of_any_number_of_workers(self):
        found = [prediction_lines(crossfold.evaluate(crossfold.read(data("iris.csv"), "class"), learners=CLASSIFIERS,
                                                     workers=workers, seed=5)) for workers in (1, 3)]
        self.assertEqual(found[0], found[1])

    def test_of_every_curve(self):
        result = crossfold.evaluate(crossfold.read(data("breast_cancer.csv"), "class"), learners={"nb": "naive_bayes"},
                                    splitter="kfold{folds=5}", seed=3)
        cases = [("roc", {}), ("roc", {"points": "corners"}), ("roc", {"points": "hull"}), ("precision_recall", {}),
                 ("det", {}), ("calibration", {"bins": 7, "binning": "quantile", "confidence": 0.9}), ("lift", {}),
                 ("cost", {}), ("thresholds", {"costs": [[0, 1], [5, 0.5]]}),
                 ("roc", {"aggregation": "vertical", "grid": 21}),
                 ("roc", {"aggregation": "vertical", "grid": 11, "interval": "bootstrap", "samples": 200, "seed": 9})]
        found = []
        for i, (kind, options) in enumerate(cases):
            curve = result.curve(kind, positive="malignant", **options)
            found += [[str(i), "figure", name, exact(curve.figures[name])] for name in sorted(curve.figures)]
            found += [[str(i), "row", *map(exact, row)] for row in curve.values]
        expected = lines("curve_numbers.lua", data("breast_cancer.csv"), "class", "malignant")
        self.assertEqual(len(found), len(expected))
        for ours, theirs in zip(found, expected):
            self.assertEqual(ours, theirs)


if __name__ == "__main__":
    unittest.main()
