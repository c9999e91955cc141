"""Results: what they say about experiments, in rows, tables and DataFrames."""
import os
import subprocess
import tempfile
import threading
import unittest

import crossfold
import numpy as np
import pandas as pd
from crossfold.library import program
from lua_program import data
from refusal import refusal

LEARNERS = {"knn": "knn{k=5}", "bayes": "naive_bayes"}


def iris():
    return pd.read_csv(data("iris.csv"))


class ResultTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = crossfold.evaluate(iris(), "class", learners=LEARNERS, metrics=["accuracy", "log_loss"], seed=42,
                                        name="flowers")

    def test_scores_are_rows_of_learner_split_and_metric(self):
        rows = self.result.scores()
        self.assertEqual(len(rows), 2 * 10 * 2)
        self.assertEqual(rows[0].keys(), {"learner", "repeat", "fold", "metric", "value", "undefined"})
        self.assertEqual({row["learner"] for row in rows}, {"bayes", "knn"})

    def test_a_summary_is_that_of_the_scores(self):
        values = [s["value"] for s in self.result.scores() if (s["learner"], s["metric"]) == ("knn", "log_loss")]
        row = next(r for r in self.result.summary() if (r["learner"], r["metric"]) == ("knn", "log_loss"))
        self.assertAlmostEqual(row["mean"], np.mean(values), places=14)
        self.assertAlmostEqual(row["sd"], np.std(values, ddof=1), places=14)
        self.assertEqual((row["n_folds"], row["n_defined"], row["n_failed"]), (10, 10, 0))

    def test_predictions_have_the_labels_that_were_given(self):
        frame = iris()
        p = self.result.predictions("knn")
        self.assertEqual(sorted(p.rows), list(range(150)))
        self.assertEqual(p.truth.tolist(), frame["class"].iloc[p.rows].tolist())
        self.assertEqual(p.probabilities.shape, (150, 3))
        codes = frame["class"].astype("category").cat.codes.to_numpy()
        numbers = crossfold.evaluate(frame.iloc[:, :4].to_numpy(), codes, learners=LEARNERS, seed=42, keep="labels")
        q = numbers.predictions("knn")
        self.assertEqual(q.predicted.dtype.kind, "i")
        self.assertIsNone(q.probabilities)
        self.assertEqual([p.classes[c] for c in q.predicted], p.predicted.tolist())

    def test_names_do_not_matter_and_equal_learners_differ_only_by_seeds(self):
        forest = "random_forest{trees=3}"
        found = crossfold.evaluate(iris(), "class", learners={"a": forest, "b": forest, "c": forest}, seeds={"b": 2})
        p = {name: found.predictions(name).probabilities.tolist() for name in "abc"}
        self.assertEqual(p["a"], p["c"])
        self.assertNotEqual(p["a"], p["b"])
        other = crossfold.evaluate(iris(), "class", learners={"z": forest, "y": "knn"})
        self.assertEqual(other.predictions("z").probabilities.tolist(), p["a"])

    def test_a_confusion_counts_rows_by_truth(self):
        confusion = self.result.confusion("knn")
        p = self.result.predictions("knn")
        expected = pd.crosstab(p.truth, p.predicted).to_numpy()
        self.assertEqual(confusion.counts.tolist(), expected.tolist())
        self.assertEqual(confusion.to_pandas().loc["setosa", "setosa"], 50)

    def test_frames_have_a_row_per_score_summary_and_prediction(self):
        self.assertEqual(self.result.to_pandas().shape, (40, 6))
        self.assertEqual(self.result.to_pandas("summary").shape, (4, 12))
        self.assertEqual(self.result.to_pandas("failures").shape, (0, 5))
        frame = self.result.to_pandas("predictions")
        self.assertEqual(list(frame.columns), ["learner", "repeat", "fold", "row", "truth", "predicted", "p(setosa)",
                                               "p(versicolor)", "p(virginica)"])
        self.assertEqual(len(frame), 300)

    def test_it_is_shown_as_a_table(self):
        self.assertEqual(repr(self.result).splitlines()[:2], [
            "flowers: 150 rows, 10 splits",
            "learner  accuracy mean  accuracy sd  log_loss mean  log_loss sd"])
        self.assertTrue(self.result._repr_html_().startswith("<table><caption>flowers: 150 rows, 10 splits</caption>"))

    def test_markup_in_names_is_escaped(self):
        result = crossfold.evaluate(iris(), "class", learners={"<b>": "featureless"}, splitter="holdout", name="a<b")
        self.assertIn("a&lt;b: 150 rows", result._repr_html_())
        self.assertIn("<td>&lt;b&gt;</td>", result._repr_html_())

    def test_a_comparison_names_the_better_learner_or_says_that_none_was_shown(self):
        comparison = self.result.compare()
        self.assertEqual(comparison.rows()[0]["better"], None)
        self.assertEqual(comparison._caption(), "accuracy, corrected resampled t: a - b")
        self.assertEqual(comparison.to_pandas().shape[0], 1)
        self.assertTrue(repr(comparison).splitlines()[2].endswith("neither"))
        worse = crossfold.evaluate(iris(), "class", learners={**LEARNERS, "floor": "featureless"}, seed=42)
        rows = worse.compare(control="floor").rows()
        self.assertEqual([(r["a"], r["b"], r["better"]) for r in rows],
                         [("bayes", "floor", "bayes"), ("knn", "floor", "knn")])

    def test_a_comparison_that_cannot_be_is_refused(self):
        for options, message in (
                ({"metric": "acc"}, "cannot find metric 'acc': "),
                ({"control": "floor"}, "cannot compare the learners: 'control' is 'floor'; known: bayes, knn"),
                ({"learners": ["knn"]},
                 "cannot compare the learners: a comparison needs two learners; name another one"),
                ({"alpha": 2}, "cannot compare the learners: alpha = 2 is outside (0, 1); use a number between them"),
                ({"test": "mcnemar", "metric": "log_loss"},
                 "cannot compare the learners: test 'mcnemar' is not valid: it counts right and wrong labels, which "
                 "'log_loss' does not; use the metric 'accuracy'")):
            self.assertTrue(refusal(self.result.compare, **options).startswith(message), options)

    def test_a_curve_is_of_one_class_against_the_rest(self):
        curve = self.result.curve("roc", "bayes", positive="virginica")
        self.assertEqual(curve.columns, ["threshold", "fpr", "tpr", "tp", "fp", "tn", "fn"])
        self.assertEqual((curve["tpr"][0], curve["tpr"][-1]), (0, 1))
        self.assertEqual(curve.to_pandas().shape, curve.values.shape)
        folds = [self.result.curve("roc", "bayes", positive="virginica", repeat=0, fold=f) for f in range(10)]
        mean = self.result.curve("roc", "bayes", positive="virginica", aggregation="vertical")
        self.assertAlmostEqual(mean.figures["mean_auc"], np.mean([f.figures["auc"] for f in folds]), places=14)

    def test_a_curve_that_cannot_be_is_refused(self):
        curve = self.result.curve
        self.assertEqual(refusal(curve, "roc"),
                         "cannot find learner 'None': the result has bayes, knn; name one of them")
        self.assertEqual(refusal(curve, "roc", "knn"),
                         "cannot find the positive class: there are 3 classes (setosa, versicolor, virginica); name "
                         "one of them, as in positive = \"virginica\"")
        self.assertEqual(refusal(curve, "rok", "knn"),
                         "cannot draw a curve: 'kind' is 'rok'; did you mean 'roc'? known: calibration, cost, "
                         "decision, det, lift, precision_recall, reliability, roc, thresholds")
        self.assertEqual(refusal(curve, "roc", "knn", positive="setosa", repeat=0, fold=10),
                         "cannot draw a curve: there is no fold 10 in a repeat 0; they count from 0")
        labels = crossfold.evaluate(iris(), "class", learners=LEARNERS, keep="labels")
        self.assertEqual(refusal(labels.curve, "roc", "knn", positive="setosa"),
                         "cannot draw a curve: no probabilities were kept; run the experiment with keep "
                         "'probabilities'")

    def test_values_of_a_regression_are_numbers(self):
        frame = pd.read_csv(data("diabetes_regr.csv"))
        result = crossfold.evaluate(frame.drop(columns="target"), frame["target"].astype(float), ["ridge"])
        p = result.predictions()
        self.assertEqual(result.metrics, ["rmse"])
        self.assertTrue(np.array_equal(p.truth, frame["target"].to_numpy()[p.rows]))
        fold = p.folds == 0
        first = result.scores()[0]["value"]
        self.assertAlmostEqual(first, np.sqrt(np.mean((p.truth - p.predicted)[fold] ** 2)), places=10)
        self.assertEqual(refusal(result.confusion), "cannot count a confusion: the target is not categorical")

    def test_a_cell_that_fails_is_data(self):
        result = crossfold.evaluate(iris(), "class", {"bad": "debug{action=throw_in_predict,when_row=20}"},
                                    splitter="kfold{folds=10,shuffle=false}")
        self.assertEqual([(f["fold"], f["stage"]) for f in result.failures()], [(0, "predict debug")])
        self.assertIsNone(result.scores()[0]["value"])
        self.assertTrue(result.scores()[0]["undefined"].startswith("failed at predict debug: "))
        self.assertNotIn(20, result.predictions().rows)
        self.assertEqual(repr(result).splitlines()[0], "data: 150 rows, 10 splits; failed cells: 1")

    def test_a_plugin_that_crashes_loses_its_cells_only(self):
        result = crossfold.evaluate(iris(), "class", {"bad": "debug{action=abort,when_row=20}", "good": "naive_bayes"},
                                    splitter="kfold{folds=10,shuffle=false}", isolate="worker", workers=2)
        failed = {(f["learner"], f["fold"]) for f in result.failures()}
        self.assertTrue(failed)
        self.assertNotIn("good", {learner for learner, _ in failed})
        self.assertEqual(len([s for s in result.scores() if s["learner"] == "good" and s["value"] is not None]), 10)

    def test_results_without_predictions_say_so(self):
        result = crossfold.evaluate(iris(), "class", LEARNERS, keep="none")
        self.assertEqual(refusal(result.predictions, "knn"), "cannot give predictions: none were kept; evaluate with "
                                                             "keep=\"labels\" or \"probabilities\"")

    def test_errors_are_those_of_the_library(self):
        with self.assertRaises(crossfold.Error) as raised:
            crossfold.evaluate(iris(), "class", ["knn{kk=5}"])
        self.assertEqual(str(raised.exception),
                         "cannot make learner 'knn': unknown parameter 'kk'; did you mean 'k'? known: distance, k, p, "
                         "weights")
        self.assertEqual(raised.exception.kind, "invalid argument")


class StoreTest(unittest.TestCase):
    def test_a_later_call_uses_the_cells_of_the_store(self):
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "iris.cfdb")
            first = crossfold.evaluate(iris(), "class", LEARNERS, store=store)
            again = crossfold.evaluate(iris(), "class", LEARNERS, store=store)
            self.assertEqual((first.n_found, again.n_found), (0, 20))
            self.assertEqual(first.scores(), again.scores())

    def test_a_report_is_written_of_the_store(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.html")
            result = crossfold.evaluate(iris(), "class", LEARNERS, store=os.path.join(folder, "iris.cfdb"))
            result.report(path, title="Flowers")
            with open(path, encoding="utf-8") as file:
                page = file.read()
            self.assertIn("<title>Flowers</title>", page)
            self.assertIn("knn", page)

    def test_without_a_store_there_is_no_report(self):
        result = crossfold.evaluate(iris(), "class", LEARNERS, splitter="holdout")
        self.assertEqual(refusal(result.report, "out.html"),
                         "cannot write a report: the result has no store; evaluate with store=\"FILE.cfdb\"")


class ContextTest(unittest.TestCase):
    def test_a_lock_leaves_out_plugins_that_are_not_in_it(self):
        plugins = os.environ["CROSSFOLD_PLUGIN_PATH"]
        with tempfile.TemporaryDirectory() as folder:
            lock = os.path.join(folder, "crossfold.lock")
            names = ("naive_bayes", "kfold", "label_metrics")
            files = [os.path.join(plugins, name + ".crossfold.so") for name in names]
            subprocess.run([program(), "plugin", "trust", "--lock", lock, *files], check=True, capture_output=True)
            self.assertEqual(len(crossfold.evaluate(iris(), "class", ["naive_bayes"], lock=lock).scores()), 10)
            message = refusal(crossfold.evaluate, iris(), "class", ["knn"], lock=lock)
            self.assertIn("'crossfold.knn' with SHA-256 ", message)
            self.assertIn(f"is not in lock '{lock}'; if you trust it: crossfold plugin trust ", message)
            self.assertTrue(refusal(crossfold.Context, lock=lock + "x").startswith(f"cannot read lock '{lock}x': "))

    def test_calls_of_several_threads_with_one_context_wait_for_each_other(self):
        context = crossfold.Context(workers=1)
        flowers = crossfold.dataset(iris(), "class", context=context)
        found = []

        def evaluate():
            found.append(crossfold.evaluate(flowers, learners=LEARNERS, context=context).scores())
        threads = [threading.Thread(target=evaluate) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 4)
        self.assertTrue(all(scores == found[0] for scores in found))

    def test_messages_of_plugins_are_logged(self):
        with self.assertLogs("crossfold", "INFO") as logged:
            crossfold.evaluate(iris(), "class", {"d": "debug{action=log}"}, splitter="holdout")
        self.assertEqual(logged.output, ["INFO:crossfold:fit on 100 rows"])


class PositiveClassTest(unittest.TestCase):
    def test_metrics_and_curves_are_of_it_and_tables_name_it(self):
        rng = np.random.default_rng(5)
        X = rng.normal(size=(60, 2))
        y = np.where(X[:, 0] + rng.normal(size=60) > 0.5, "bad", "good")

        def run(**more):
            return crossfold.evaluate(X, y, ["naive_bayes"], "kfold{folds=3}", ["recall", "accuracy"], **more)
        given, plain = run(positive="bad"), run()
        found, truth = given.predictions().predicted, given.predictions().truth
        folds = given.predictions().folds
        expected = [np.mean(found[(folds == f) & (truth == "bad")] == "bad") for f in range(3)]
        self.assertEqual([s["value"] for s in given.scores() if s["metric"] == "recall"], expected)
        self.assertNotEqual([s["value"] for s in plain.scores() if s["metric"] == "recall"], expected)
        self.assertEqual(given.metric_classes, {"recall": "bad", "accuracy": None})
        self.assertEqual(plain.metric_classes, {"recall": "good", "accuracy": None})
        self.assertIn("recall (bad) mean", repr(given))
        self.assertEqual((given.curve("roc").positive, plain.curve("roc").positive), ("bad", "good"))


if __name__ == "__main__":
    unittest.main()
