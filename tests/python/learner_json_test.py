"""Learners as JSON, and objects as components of the learner `sklearn`."""
import unittest

import numpy as np
from crossfold import learner_json
from refusal import refusal


class Forest:
    """An object with the methods of an estimator that are needed."""

    def __init__(self, **settings):
        self.settings = settings

    def get_params(self, deep=True):
        assert not deep
        return self.settings


class LearnerJsonTest(unittest.TestCase):
    def test_strings_and_components_stay_what_they_are(self):
        self.assertEqual(learner_json.learners({"a": "knn{k=5}", "b": {"id": "knn", "params": {"k": 3}}}),
                         {"a": "knn{k=5}", "b": {"id": "knn", "params": {"k": 3}}})
        self.assertEqual(learner_json.learners(["knn", "ridge"]), {"knn": "knn", "ridge": "ridge"})
        self.assertEqual(learner_json.learners("knn"), {"knn": "knn"})

    def test_an_object_is_its_class_and_its_settings(self):
        forest = Forest(n=np.int64(100), depth=None, share=0.5, layers=(10, 5), kind="gini", weights={"b": 1, "a": 2},
                        flag=np.bool_(True), bounds=np.array([1.0, 2.0]))
        self.assertEqual(learner_json.learner(forest), {"id": "sklearn", "params": {
            "estimator": "learner_json_test:Forest",
            "settings": '{"bounds": [1.0, 2.0], "depth": null, "flag": true, "kind": "gini", "layers": [10, 5], '
                        '"n": 100, "share": 0.5, "weights": {"a": 2, "b": 1}}'}})

    def test_an_object_may_end_a_list_and_has_the_name_of_its_class(self):
        made = learner_json.learners(["knn", Forest()])
        self.assertEqual(list(made), ["knn", "Forest"])
        self.assertEqual(learner_json.learner(["standardize", Forest()])[1]["id"], "sklearn")

    def test_an_object_in_an_object_is_its_class_and_its_settings(self):
        made = learner_json.learner(Forest(base=Forest(depth=2), steps=[("last", Forest())]))
        inner = '{"class": "learner_json_test:Forest", "settings": %s}'
        self.assertEqual(made["params"]["settings"], '{"base": %s, "steps": [["last", %s]]}' % (
            inner % '{"depth": 2}', inner % "{}"))

    def test_settings_that_are_not_json_are_refused_by_name(self):
        for setting, finding in ((len, "is a builtin_function_or_method"),
                                 (float("nan"), "is nan, which JSON does not have"),
                                 ({1: "a"}, "has the key 1, which is not a string"),
                                 (np.random.default_rng(1), "is a Generator")):
            self.assertEqual(refusal(learner_json.learner, Forest(base=setting)),
                             f"cannot use estimator 'Forest': its setting 'base' {finding}; use numbers, strings, "
                             "bool, None, estimators, and lists of them")

    def test_a_class_that_another_process_cannot_import_is_refused(self):
        class Local(Forest):
            pass
        self.assertEqual(refusal(learner_json.learner, Local()),
                         f"cannot use estimator 'Local': another process cannot import its class from '{__name__}'; "
                         "put the class into a module")

    def test_other_values_are_refused(self):
        self.assertEqual(refusal(learner_json.learner, 7),
                         "cannot use a learner of type 'int': it is neither a string such as \"knn{k=5}\" nor an "
                         "object with get_params; give one of them, or a list of transforms that ends in one")
        self.assertEqual(refusal(learner_json.learners, [Forest(), Forest()]),
                         "cannot name a learner: two are called 'Forest'; give a dict {name: learner}")

    def test_estimators_of_scikit_learn_have_settings_that_are_json(self):
        try:
            from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
        except ImportError:
            self.skipTest("there is no scikit-learn")
        made = learner_json.learner(RandomForestClassifier(n_estimators=10, random_state=1))
        self.assertEqual(made["params"]["estimator"], "sklearn.ensemble._forest:RandomForestClassifier")
        self.assertIn('"n_estimators": 10', made["params"]["settings"])
        bagging = learner_json.learner(BaggingClassifier(RandomForestClassifier(n_estimators=3)))
        self.assertIn('"estimator": {"class": "sklearn.ensemble._forest:RandomForestClassifier", "settings": {',
                      bagging["params"]["settings"])

    def test_probabilities_are_kept_unless_an_object_has_none(self):
        class Certain(Forest):
            def predict_proba(self, X):
                return X

        for given in ("knn", ["knn", Certain()], {"a": {"id": "knn"}, "b": ["standardize", Certain()]}):
            self.assertTrue(learner_json.all_give_probabilities(given))
        for given in (Forest(), ["knn", Forest()], {"a": Certain(), "b": ["standardize", Forest()]}):
            self.assertFalse(learner_json.all_give_probabilities(given))


if __name__ == "__main__":
    unittest.main()
