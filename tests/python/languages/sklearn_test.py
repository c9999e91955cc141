"""The folder plugins/sklearn: predictions equal those of the same estimators without Crossfold."""

import os
import unittest

from fake_host import ROOT, Category, FakeHost, Reply  # before NumPy
import numpy as np
import pandas

from data_files import folds, read

FOLDER = os.path.join(ROOT, "plugins", "sklearn")


def params(estimator, settings=None, columns="auto", labels="auto"):
    return {"estimator": estimator, "settings": settings or {}, "columns": columns, "labels": labels}


def class_of(estimator):
    module, name = estimator.split(":")
    return getattr(__import__(module, fromlist=[name]), name)


class SklearnTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.host = FakeHost(FOLDER)
        cls.host.hello()

    @classmethod
    def tearDownClass(cls):
        cls.host.close()

    def expect_same_classification(self, estimator, settings, file="iris.csv", target="class", labels="auto"):
        """Of names, as in scikit-learn without Crossfold."""
        columns, _, y, classes = read(file, target)
        X = np.column_stack(list(columns.values()))
        names = np.array(classes, dtype=object)[y]
        table = self.host.table(columns)
        for train, test in folds(len(y), 5, 1):
            self.host.fit(1, table, y[train], train, classes, params(estimator, settings, labels=labels))
            got, got_p = self.host.predict(1, table, len(test), test, len(classes), True)
            fitted = class_of(estimator)(**settings).fit(X[train], names[train])
            self.assertEqual([classes[i] for i in got], list(fitted.predict(X[test])))
            self.assertEqual(got_p.tobytes(), fitted.predict_proba(X[test]).tobytes())

    def expect_same_regression(self, estimator, settings):
        columns, _, y, _ = read("diabetes_regr.csv", "target")
        X = np.column_stack(list(columns.values()))
        table = self.host.table(columns)
        for train, test in folds(len(y), 5, 1):
            self.host.fit(1, table, y[train], train, (), params(estimator, settings))
            got = self.host.predict(1, table, len(test), test)
            fitted = class_of(estimator)(**settings).fit(X[train], y[train])
            self.assertEqual(got.tobytes(), fitted.predict(X[test]).tobytes())

    def test_classifiers_are_the_same(self):
        weights = {"setosa": 1, "versicolor": 5, "virginica": 1}
        for estimator, settings in (
                ("sklearn.naive_bayes:GaussianNB", {}),
                ("sklearn.linear_model:LogisticRegression", {"C": 0.5, "max_iter": 2000}),
                ("sklearn.linear_model:LogisticRegression", {"class_weight": weights, "max_iter": 2000}),
                ("sklearn.neighbors:KNeighborsClassifier", {"n_neighbors": 7}),
                ("sklearn.tree:DecisionTreeClassifier", {"max_depth": 3, "random_state": 5}),
                ("sklearn.ensemble:RandomForestClassifier", {"n_estimators": 20, "random_state": 5}),
                ("sklearn.ensemble:HistGradientBoostingClassifier", {"max_iter": 10, "random_state": 5}),
                ("sklearn.svm:SVC", {"probability": True, "random_state": 5}),
                ("sklearn.discriminant_analysis:LinearDiscriminantAnalysis", {})):
            with self.subTest(estimator, settings=settings):
                self.expect_same_classification(estimator, settings)

    def test_regressors_are_the_same(self):
        for estimator, settings in (
                ("sklearn.linear_model:Ridge", {"alpha": 2.5}),
                ("sklearn.ensemble:HistGradientBoostingRegressor", {"max_iter": 20, "random_state": 5})):
            with self.subTest(estimator):
                self.expect_same_regression(estimator, settings)

    def test_class_names_as_labels_give_the_same(self):
        self.expect_same_classification("sklearn.linear_model:LogisticRegression", {"max_iter": 2000}, labels="names")

    def test_a_star_stands_for_the_task(self):
        columns, _, y, classes = read("iris.csv", "class")
        table = self.host.table(columns)
        self.host.fit(1, table, y, None, classes, params("sklearn.tree:DecisionTree*"))
        self.host.fit(2, table, columns["petal width (cm)"], None, (), params("sklearn.tree:DecisionTree*"))
        self.assertEqual(list(self.host.predict(1, table, len(y), None, 3)), list(y))
        np.testing.assert_allclose(self.host.predict(2, table, len(y)), columns["petal width (cm)"], rtol=1e-12)

    def test_the_default_takes_categories_and_missing_entries(self):
        columns, missing, y, classes = read("penguins.csv", "species")
        table = self.host.table(columns, missing)
        is_category = [isinstance(column, Category) for column in columns.values()]
        codes = np.column_stack([np.where(column.codes < 0, np.nan, column.codes) if is_one else column
                                 for is_one, column in zip(is_category, columns.values())])
        train, test = folds(len(y), 5, 1)[0]
        self.host.fit(1, table, y[train], train, classes, params("sklearn.ensemble:HistGradientBoosting*"))
        got, got_p = self.host.predict(1, table, len(test), test, len(classes), True)
        kind = class_of("sklearn.ensemble:HistGradientBoostingClassifier")
        fitted = kind(random_state=1, categorical_features=is_category)
        fitted.fit(codes[train], y[train])
        self.assertEqual(list(got), list(fitted.predict(codes[test])))
        self.assertEqual(got_p.tobytes(), fitted.predict_proba(codes[test]).tobytes())

    def test_a_pipeline_gets_the_data_frame_of_a_pandas_user(self):
        columns, missing, y, classes = read("penguins.csv", "species")
        table = self.host.table(columns, missing)
        settings = {"steps": [
            ["columns", {"class": "sklearn.compose:ColumnTransformer", "settings": {"transformers": [
                ["sex", {"class": "sklearn.preprocessing:OneHotEncoder",
                         "settings": {"handle_unknown": "ignore"}}, ["sex", "island"]],
                ["bill", {"class": "sklearn.impute:SimpleImputer"}, ["bill_length_mm", "bill_depth_mm"]]]}}],
            ["tree", {"class": "sklearn.tree:DecisionTreeClassifier", "settings": {"random_state": 3}}]]}
        train, test = folds(len(y), 5, 1)[0]
        self.host.fit(1, table, y[train], train, classes, params("sklearn.pipeline:Pipeline", settings))
        got = self.host.predict(1, table, len(test), test, len(classes))

        from sklearn.compose import ColumnTransformer
        from sklearn.impute import SimpleImputer
        from sklearn.pipeline import Pipeline
        from sklearn.preprocessing import OneHotEncoder
        from sklearn.tree import DecisionTreeClassifier
        frame = pandas.read_csv(os.path.join(ROOT, "scripts", "data", "penguins.csv"), na_values="?")
        fitted = Pipeline([
            ("columns", ColumnTransformer([("sex", OneHotEncoder(handle_unknown="ignore"), ["sex", "island"]),
                                           ("bill", SimpleImputer(), ["bill_length_mm", "bill_depth_mm"])])),
            ("tree", DecisionTreeClassifier(random_state=3))]).fit(frame.iloc[train], frame["species"].iloc[train])
        self.assertEqual([classes[i] for i in got], list(fitted.predict(frame.iloc[test])))

    def test_a_list_becomes_a_tuple_where_the_default_is_one(self):
        columns, _, y, classes = read("iris.csv", "class")
        table = self.host.table(columns)
        settings = {"steps": [["scale", {"class": "sklearn.preprocessing:MinMaxScaler",
                                         "settings": {"feature_range": [0, 2]}}],
                              ["knn", {"class": "sklearn.neighbors:KNeighborsClassifier"}]]}
        self.host.fit(1, table, y, None, classes, params("sklearn.pipeline:Pipeline", settings))
        X = np.column_stack(list(columns.values()))
        scaled = class_of("sklearn.preprocessing:MinMaxScaler")((0, 2)).fit_transform(X)
        fitted = class_of("sklearn.neighbors:KNeighborsClassifier")().fit(scaled, y)
        self.assertEqual(list(self.host.predict(1, table, len(y), None, 3)), list(fitted.predict(scaled)))

    def test_seeds_reach_estimators_inside_of_others(self):
        columns, _, y, classes = read("wine.csv", "class")
        table = self.host.table(columns)
        settings = {"estimator": {"class": "sklearn.tree:DecisionTreeClassifier", "settings": {"max_features": 1}},
                    "n_estimators": 3}

        def labels(seed):
            self.host.fit(1, table, y[::2], np.arange(0, len(y), 2), classes,
                          params("sklearn.ensemble:BaggingClassifier", settings), seed=seed)
            return self.host.predict(1, table, len(y), None, 3).tobytes()
        self.assertEqual(labels(1), labels(1))
        self.assertNotEqual(labels(1), labels(2))

    def test_saved_models_predict_the_same_in_another_process(self):
        columns, _, y, classes = read("wine.csv", "class")
        table = self.host.table(columns)
        other = FakeHost(FOLDER)
        self.addCleanup(other.close)
        other.hello()
        other_table = other.table(columns)
        for estimator in ("sklearn.naive_bayes:GaussianNB", "sklearn.linear_model:LogisticRegression",
                          "sklearn.neighbors:KNeighborsClassifier", "sklearn.tree:DecisionTreeClassifier",
                          "sklearn.ensemble:RandomForestClassifier", "sklearn.svm:SVC",
                          "sklearn.ensemble:HistGradientBoostingClassifier", "sklearn.neural_network:MLPClassifier",
                          "sklearn.discriminant_analysis:LinearDiscriminantAnalysis"):
            with self.subTest(estimator):
                self.host.fit(1, table, y, None, classes, params(estimator))
                blob = self.host.save(1)
                other.load(7, blob, list(columns), classes, params(estimator))
                self.assertEqual(self.host.predict(1, table, len(y), None, 3).tobytes(),
                                 other.predict(7, other_table, len(y), None, 3).tobytes())

    def test_importance_is_that_of_the_estimator_or_of_its_coefficients(self):
        columns, _, y, _ = read("diabetes_regr.csv", "target")
        X = np.column_stack(list(columns.values()))
        table = self.host.table(columns)
        self.host.fit(1, table, y, None, (), params("sklearn.linear_model:Ridge"))
        ridge = class_of("sklearn.linear_model:Ridge")().fit(X, y)
        self.assertEqual(list(self.host.importance(1, 10)), list(abs(ridge.coef_)))
        self.host.fit(1, table, y, None, (), params("sklearn.tree:DecisionTreeRegressor", {"random_state": 1}))
        tree = class_of("sklearn.tree:DecisionTreeRegressor")(random_state=1).fit(X, y)
        self.assertEqual(list(self.host.importance(1, 10)), list(tree.feature_importances_))

    def refusal(self, call, *args, **keys):
        with self.assertRaises(Reply) as caught:
            call(*args, **keys)
        return caught.exception.status, caught.exception.message

    def expect_refusal(self, status, message, *args):
        columns, _, y, classes = read("iris.csv", "class")
        self.assertEqual(self.refusal(self.host.fit, 1, self.host.table(columns), y, None, classes, params(*args)),
                         (status, message))

    def test_estimators_that_do_not_exist_are_refused(self):
        self.expect_refusal("invalid_param", "estimator 'SVC' is not of the form module:Class, such as "
                            "sklearn.svm:SVC", "SVC")
        self.expect_refusal("invalid_param", "estimator 'sklearn.svm:SVX': module sklearn.svm has no SVX",
                            "sklearn.svm:SVX")
        self.expect_refusal("invalid_param", "estimator 'no.such:Thing' cannot be imported: No module named 'no'",
                            "no.such:Thing")

    def test_settings_that_do_not_exist_are_refused(self):
        self.expect_refusal("invalid_param", "settings: GaussianNB has no argument 'prior'; known: priors, "
                            "var_smoothing", "sklearn.naive_bayes:GaussianNB", {"prior": 1})

    def test_settings_with_impossible_values_are_refused(self):
        status, message = self.refusal(self.host.fit, 1, self.host.table({"x": np.zeros(4)}), [0, 1, 0, 1], None,
                                       ["a", "b"], params("sklearn.svm:SVC", {"C": -1}))
        self.assertEqual(status, "invalid_param")
        self.assertIn("The 'C' parameter of SVC must be a float in the range", message)

    def test_data_that_the_estimator_cannot_take_are_refused(self):
        status, message = self.refusal(self.host.fit, 1, self.host.table({"x": np.array([1, np.nan])}), [0, 1], None,
                                       ["a", "b"], params("sklearn.linear_model:LogisticRegression"))
        self.assertEqual(status, "unsupported_data")
        self.assertIn("ValueError: Input X contains NaN", message)

    def test_an_estimator_without_probabilities_has_labels(self):
        columns, _, y, classes = read("iris.csv", "class")
        table = self.host.table(columns)
        self.host.fit(1, table, y, None, classes, params("sklearn.linear_model:RidgeClassifier"))
        self.assertEqual(len(self.host.predict(1, table, len(y), None, 3)), 150)
        self.assertEqual(self.refusal(self.host.predict, 1, table, len(y), None, 3, True),
                         ("unsupported", "RidgeClassifier has no predict_proba, so there are no probabilities; "
                          "use metrics that need labels only"))

    def test_early_stopping_is_refused_by_estimators_without_it(self):
        columns, _, y, classes = read("iris.csv", "class")
        table = self.host.table(columns)
        self.assertEqual(self.refusal(self.host.fit, 1, table, y, None, classes, params("sklearn.svm:SVC"),
                                      validation=(table, y, None)),
                         ("unsupported", "SVC takes no rows for early stopping"))


if __name__ == "__main__":
    unittest.main()
