"""Tests of plugins/r_formula, which a fake host drives: r_formula_test.py FOLDER DATA, the folder of the plugin
as it is installed, and that of data files."""
import csv
import json
import os
import subprocess
import sys
import unittest

from host import Host, Reply, column

HERE = os.path.dirname(os.path.abspath(__file__))


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def read(name):
    """The features as columns, and the target: class numbers and classes, or numbers and None."""
    with open(os.path.join(DATA, name), newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    columns = []
    for j, title in enumerate(names[:-1]):
        entries = [None if row[j] in ("", "?", "NA") else row[j] for row in rows]
        known = [entry for entry in entries if entry is not None]
        if all(is_number(entry) for entry in known):
            columns.append(column(title, "f64", [e if e is None else float(e) for e in entries]))
        else:
            levels = sorted(set(known))
            codes = [None if e is None else levels.index(e) for e in entries]
            columns.append(column(title, "category", codes, levels=levels))
    target = [row[-1] for row in rows]
    if all(is_number(entry) for entry in target):
        return columns, [float(entry) for entry in target], None
    classes = sorted(set(target))
    return columns, [classes.index(entry) for entry in target], classes


def of_plain_r():
    """case -> fold -> entries"""
    lines = subprocess.run(["Rscript", os.path.join(HERE, "plain.R"), DATA], capture_output=True,
                           check=True, text=True).stdout.splitlines()
    cases = {}
    for line in lines:
        words = line.split()
        fold = next(i for i, word in enumerate(words) if word in "01234")
        cases.setdefault(" ".join(words[:fold]), {})[int(words[fold])] = words[fold + 1:]
    return cases


class FormulaTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        with open(os.path.join(FOLDER, "crossfold.json"), encoding="utf-8") as file:
            cls.described = json.load(file)
        cls.defaults = {p["name"]: p["default"] for p in cls.described["params"]}
        cls.host = Host(cls.described["start"], FOLDER)
        cls.environment = cls.host.hello()["environment"]
        cls.plain = of_plain_r()
        cls.data = {name: read(name + ".csv") for name in ("iris", "penguins", "diabetes_regr")}
        cls.numbers = {name: i + 1 for i, name in enumerate(cls.data)}
        for name, number in cls.numbers.items():
            cls.host.table(number, cls.data[name][0])
        cls.small = cls.host.describe_table([
            column("petal width (cm)", "f64", [1, 2, 4, 3, 5, 7, 6, 8]), column("if", "f64", [2, 1, 2, 2, 1, 1, 2, 1])])

    @classmethod
    def tearDownClass(cls):
        cls.host.__exit__()

    def setUp(self):
        self.host.logs.clear()

    def same_as_plain(self, case, fun, settings, data="iris", weights=False, **params):
        _, target, classes = self.data[data]
        params = {**self.defaults, "fun": fun, "settings": settings, **params}
        two = case in ("nnet probabilities", "multinom probabilities", "glmnet probabilities", "cv.glmnet", "glm")
        rows = [i for i in range(len(target)) if not two or classes[target[i]] != "setosa"]
        for fold in range(5):
            test = [row for i, row in enumerate(rows) if i % 5 == fold]
            train = [row for i, row in enumerate(rows) if i % 5 != fold]
            self.host.fit(1, self.numbers[data], [target[i] for i in train], classes, params, train,
                          weights=list(range(1, len(train) + 1)) if weights else None, seed=100 + fold)
            if "probabilities" in case:
                n = len(classes)
                found = self.host.predict(1, self.numbers[data], test, probabilities=n)["probabilities"]
                if two:
                    self.assertEqual(found[::3], [0] * len(test))
                    found = [p for i, p in enumerate(found) if i % 3 > 0]
                self.assertEqual(found, [float(word) for word in self.plain[case][fold]])
            elif classes is None:
                found = self.host.predict(1, self.numbers[data], test, values=1)["values"]
                self.assertEqual(found, [float(word) for word in self.plain[case][fold]])
            else:
                found = self.host.predict(1, self.numbers[data], test, labels=1)["labels"]
                self.assertEqual([classes[i] for i in found], self.plain[case][fold])

    def test_functions_are_as_in_plain_r(self):
        size, trees, penalty = {"size": 3}, {"ntree": 50}, {"predict_settings": {"s": 0.01}}
        regression = {"data": "diabetes_regr"}
        for case, fun, settings, more in (
                ("rpart", "rpart::rpart", {}, {}),
                ("rpart probabilities", "rpart::rpart", {}, {}),
                ("rpart regression", "rpart::rpart", {}, regression),
                ("rpart settings", "rpart::rpart", {"cp": 0.2, "method": "class"}, {}),
                ("rpart missing", "rpart::rpart", {}, {"data": "penguins"}),
                ("nnet", "nnet::nnet", size, {}),
                ("nnet probabilities", "nnet::nnet", size, {}),
                ("multinom", "nnet::multinom", {}, {}),
                ("multinom probabilities", "nnet::multinom", {}, {}),
                ("glmnet", "glmnet::glmnet", {}, penalty),
                ("glmnet probabilities", "glmnet::glmnet", {}, penalty),
                ("glmnet multinomial probabilities", "glmnet::glmnet", {}, penalty),
                ("glmnet regression", "glmnet::glmnet", {}, {**regression, "predict_settings": {"s": 0.5}}),
                ("cv.glmnet", "glmnet::cv.glmnet", {}, {}),
                ("randomForest", "randomForest::randomForest", trees, {}),
                ("randomForest probabilities", "randomForest::randomForest", trees, {}),
                ("randomForest matrix", "randomForest::randomForest", trees, {"interface": "xy"}),
                ("svm", "e1071::svm", {}, {}),
                ("svm probabilities", "e1071::svm", {"probability": True}, {}),
                ("naiveBayes", "e1071::naiveBayes", {}, {}),
                ("lda", "MASS::lda", {}, {}),
                ("lda probabilities", "MASS::lda", {}, {}),
                ("lm", "stats::lm", {}, regression),
                ("lm weights", "stats::lm", {}, {**regression, "weights": True}),
                ("lm formula", "stats::lm", {}, {**regression, "formula": "~ poly(bmi, 2) + sex"}),
                ("glm", "stats::glm", {}, {"formula": "~ `petal length (cm)`"})):
            with self.subTest(case):
                self.same_as_plain(case, fun, settings, **more)

    # ---- Small cases

    def fit_small(self, fun, target=(0, 0, 0, 1, 0, 1, 1, 1), classes=("a", "b"), weights=None, **params):
        self.host.fit(2, self.small, list(target), classes and list(classes),
                      {**self.defaults, "fun": fun, **params}, weights=weights)

    def refusal(self, *arguments, **named):
        with self.assertRaises(Reply) as caught:
            self.fit_small(*arguments, **named)
            self.host.predict(2, self.small, n=8, labels=1, probabilities=len(named.get("classes", "ab")))
        return caught.exception.status, caught.exception.message

    def test_names_that_are_not_names_of_r_work_with_every_function(self):
        settings = {"nnet::nnet": {"size": 2}, "e1071::svm": {"probability": True},
                    "randomForest::randomForest": {"ntree": 5}}
        for fun in ("rpart::rpart", "nnet::nnet", "nnet::multinom", "randomForest::randomForest", "e1071::svm",
                    "e1071::naiveBayes", "MASS::lda", "MASS::qda", "stats::glm", "glmnet::glmnet"):
            with self.subTest(fun):
                self.fit_small(fun, settings=settings.get(fun, {}), predict_settings=(
                    {"s": 0.01} if fun == "glmnet::glmnet" else {}))
                p = self.host.predict(2, self.small, n=8, labels=1, probabilities=2)["probabilities"]
                self.assertTrue(all(abs(a + b - 1) < 1e-9 for a, b in zip(p[::2], p[1::2])), p)

    def test_one_row_is_predicted(self):
        _, target, classes = self.data["iris"]
        for fun, settings in (("nnet::multinom", {}), ("MASS::lda", {}), ("nnet::nnet", {"size": 2}),
                              ("glmnet::glmnet", {}), ("e1071::svm", {"probability": True})):
            with self.subTest(fun):
                self.host.fit(1, 1, target, classes, {**self.defaults, "fun": fun, "settings": settings,
                                                      "predict_settings": {"s": 0.01} if "glmnet" in fun else {}})
                alone = self.host.predict(1, 1, rows=[140], probabilities=3, labels=1)
                both = self.host.predict(1, 1, rows=[140, 3], probabilities=3, labels=1)
                self.assertEqual(alone["probabilities"], both["probabilities"][:3])
                self.assertEqual(alone["labels"], both["labels"][:1])

    def test_a_class_without_rows_has_no_probability(self):
        for fun, settings in (("rpart::rpart", {}), ("nnet::multinom", {}), ("MASS::lda", {})):
            with self.subTest(fun):
                self.fit_small(fun, classes=("0", "a", "b"), target=(1, 1, 1, 2, 1, 2, 2, 2), settings=settings)
                found = self.host.predict(2, self.small, n=8, labels=1, probabilities=3)
                self.assertEqual(found["probabilities"][::3], [0] * 8)
                self.assertLessEqual(set(found["labels"]), {1, 2})

    def test_a_single_class_is_predicted_for_sure(self):
        self.fit_small("MASS::lda", target=[1] * 8)
        found = self.host.predict(2, self.small, n=8, labels=1, probabilities=2)
        self.assertEqual(found, {"labels": [1] * 8, "probabilities": [0, 1] * 8})

    def test_factors_become_dummy_variables_of_a_matrix(self):
        table = self.host.describe_table([
            column("x y", "f64", [1, 2, 4, 3, 5, 7, 6, 8]), column("flag", "bool", [1, 0, 0, 1, 1, 0, 0, 1]),
            column("kind", "category", [0, 1, 2, 0, 1, 2, 0, 1], levels=["l", "m", "n", "unused"])])
        target = [10.0 * x + 100 * k + 1000 * f for x, k, f in zip(
            (1, 2, 4, 3, 5, 7, 6, 8), (0, 1, 0, 0, 1, 0, 0, 1), (1, 0, 0, 1, 1, 0, 0, 1))]
        self.host.fit(2, table, target, None, {**self.defaults, "fun": "glmnet::glmnet", "predict_settings": {"s": 0},
                                               "settings": {"lambda": [0], "thresh": 1e-14}})
        found = self.host.predict(2, table, n=8, values=1)["values"]
        self.assertTrue(all(abs(a - b) < 1e-3 for a, b in zip(found, target)), found)

    def test_saved_models_are_small_and_predict_the_same(self):
        _, target, classes = self.data["iris"]
        for fun, settings in (("rpart::rpart", {}), ("nnet::nnet", {"size": 2}), ("e1071::svm", {}),
                              ("randomForest::randomForest", {"ntree": 20}), ("MASS::lda", {})):
            with self.subTest(fun):
                self.host.fit(1, 1, target * 20, classes, {**self.defaults, "fun": fun, "settings": settings},
                              rows=list(range(150)) * 20, seed=3)
                here = self.host.predict(1, 1, n=150, labels=1)
                blob = self.host.save(1)
                with Host(self.described["start"], FOLDER) as other:
                    other.hello()
                    other.load(1, blob, self.data["iris"][0], classes)
                    table = other.describe_table(self.data["iris"][0])
                    self.assertEqual(other.predict(1, table, n=150, labels=1), here)
                    self.assertEqual(other.save(1), blob)

    def test_the_environment_has_the_versions_of_known_packages(self):
        self.assertLessEqual({"R", "rpart", "nnet", "MASS", "glmnet", "randomForest", "e1071"}, set(self.environment))

    def test_an_svm_without_probabilities_predicts_classes_only(self):
        without = {"settings": {"probability": False}}
        self.fit_small("e1071::svm", **without)
        self.assertEqual(len(self.host.predict(2, self.small, n=8, labels=1)["labels"]), 8)
        self.assertEqual(self.refusal("e1071::svm", **without), (
            "unsupported", "e1071::svm was fitted without probabilities, which are needed here; leave out the setting "
            "probability = false"))

    def test_an_svm_has_probabilities_unless_it_is_told_otherwise(self):
        self.fit_small("e1071::svm")
        found = self.host.predict(2, self.small, n=8, labels=1, probabilities=2)["probabilities"]
        self.assertGreater(len(set(found)), 2)

    def test_a_function_that_only_has_classes_gives_them_the_probability_1(self):
        # The nearest neighbour of a training row is itself.
        self.fit_small("e1071::gknn", settings={"k": 1})
        found = self.host.predict(2, self.small, n=8, labels=1, probabilities=2)
        self.assertEqual(found["labels"], [0, 0, 0, 1, 0, 1, 1, 1])
        self.assertEqual(found["probabilities"], [1, 0] * 3 + [0, 1] + [1, 0] + [0, 1] * 3)

    # ---- Refusals

    def test_a_package_or_function_that_is_not_there(self):
        self.assertEqual(self.refusal("nosuch::fit"), (
            "invalid_param", "fun is 'nosuch::fit', but the package 'nosuch' is not installed; in R, "
            "install.packages(\"nosuch\") installs it"))
        self.assertEqual(self.refusal("stats::nosuch"),
                         ("invalid_param", "fun is 'stats::nosuch', but the package 'stats' has no such function"))
        self.assertEqual(self.refusal("rpart"), ("invalid_param", "fun is 'rpart'; write it as 'package::function'"))

    def test_another_version_of_the_package(self):
        version = self.environment["rpart"]
        self.fit_small("rpart::rpart", package_version=version)
        self.assertEqual(self.refusal("rpart::rpart", package_version="0.0.1"), (
            "invalid_param", f"package_version is '0.0.1', but version {version} of the package 'rpart' is installed"))

    def test_a_right_hand_side_that_is_none(self):
        for formula in ("a ~ b", "a +", "x"):
            self.assertEqual(self.refusal("stats::glm", formula=formula), (
                "invalid_param", f"formula is '{formula}', which is not a right-hand side; write it as '~ a + b'"))

    def test_weights_that_the_function_does_not_take(self):
        self.assertEqual(self.refusal("MASS::lda", weights=[1] * 8), ("unsupported_data", "MASS::lda takes no weights"))
        self.fit_small("nnet::nnet", weights=[1] * 8, settings={"size": 1})

    def test_functions_for_other_targets(self):
        self.assertEqual(self.refusal("stats::lm"), (
            "unsupported_data", "stats::lm predicts numbers, not classes; use stats::glm or MASS::lda"))
        self.assertEqual(self.refusal("stats::glm", classes="abc", target=(0, 0, 0, 1, 0, 1, 2, 1)), (
            "unsupported_data", "stats::glm takes two classes at most; nnet::multinom takes more"))

    def test_glmnet_without_a_penalty(self):
        self.assertEqual(self.refusal("glmnet::glmnet"), (
            "invalid_param", "glmnet::glmnet fits many penalties; predict_settings = { s = 0.01 } chooses the one "
            "that predicts"))

    def test_a_type_of_predictions_without_probabilities(self):
        self.assertEqual(self.refusal("rpart::rpart", predict_type="class"), (
            "invalid_param", "predict_type is 'class', for which predict() of rpart::rpart returns no probabilities"))

    def test_errors_of_the_function_have_its_call(self):
        self.assertEqual(self.refusal("stats::glm", settings={"family": "nosuch"}), (
            "unsupported_data", "get(family, mode = \"function\", envir = parent.frame()): object 'nosuch' of mode "
            "'function' was not found"))

    def test_missing_entries_that_the_function_does_not_predict(self):
        _, target, classes = self.data["penguins"]
        self.host.fit(1, 2, target, classes, {**self.defaults, "fun": "e1071::svm"})
        with self.assertRaises(Reply) as caught:
            self.host.predict(1, 2, n=len(target), labels=1)
        self.assertEqual((caught.exception.status, caught.exception.message), (
            "unsupported_data", "e1071::svm does not predict rows with missing entries"))


if __name__ == "__main__":
    FOLDER, DATA = (os.path.abspath(path) for path in sys.argv[1:3])
    del sys.argv[1:3]
    unittest.main()
