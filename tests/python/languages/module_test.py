"""The module sdk/languages/python/crossfold_learner.py, with small learners."""

import os
import sys
import tempfile
import textwrap
import time
import unittest

from fake_host import VARIABLES, Category, FakeHost, Reply
import numpy as np

IMPORTS = "import numpy as np\nfrom crossfold_learner import Failure, serve\n"
# Predicts the class that most training rows have, or the mean of the target.
MOST = """
class Most:
    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.most = self.classes_[counts.argmax()]
        self.shares = counts / len(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.most)

    def predict_proba(self, X):
        return np.tile(self.shares, (len(X), 1))
"""


class ModuleTest(unittest.TestCase):
    def start(self, program, more=None, **keys):
        """more: other files of the folder "more"."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(os.path.join(folder.name, "learner.py"), "w") as file:
            file.write(IMPORTS + textwrap.dedent(program))
        for name, text in (more or {}).items():
            os.makedirs(os.path.join(folder.name, "more"), exist_ok=True)
            with open(os.path.join(folder.name, "more", name), "w") as file:
                file.write(text)
        self.host = FakeHost(folder.name, **keys)
        self.is_open = True
        self.addCleanup(self.end)
        return self.host

    def greeted(self, program, **keys):
        """A host that has said hello to the learner of this program."""
        host = self.start(program, **keys)
        host.hello()
        return host

    def most(self, target, classes, labels="names"):
        """A host with model 1 of Most, fitted on as many rows as `target` has, and the number of their table."""
        host = self.greeted(MOST + f"serve(Most, labels='{labels}')")
        table = host.table({"x": np.zeros(len(target))})
        host.fit(1, table, target, classes=classes)
        return host, table

    def end(self):
        if self.is_open:
            self.is_open = False
            return self.host.close()

    def seen(self, fit_body, columns, missing=None, serve="serve(L)", **keys):
        """What a learner whose fit prints with `say` in it says of what it gets."""
        host = self.greeted(
            "class L:\n    def fit(self, X, y, sample_weight=None, context=None):\n        say = context.log\n"
            + textwrap.indent(textwrap.dedent(fit_body), " " * 8)
            + "\n    def predict(self, X):\n        return np.zeros(len(X))\n" + serve)
        first = next(iter(columns.values()))
        keys.setdefault("target", np.zeros(len(first.codes if isinstance(first, Category) else first)))
        host.fit(1, host.table(columns, missing), **keys)
        return [message for _, message in host.logs]

    def refusal(self, call, *args, **keys):
        with self.assertRaises(Reply) as caught:
            call(*args, **keys)
        return caught.exception.status, caught.exception.message

    # ---- the connection

    def test_hello_names_the_versions_that_results_depend_on(self):
        host = self.start("serve(object, packages=['scikit-learn', 'no-such-package'])")
        reply = host.hello()
        self.assertEqual(reply["protocol"], 1)
        self.assertEqual(reply["environment"]["python"], sys.version.split()[0])
        self.assertEqual(reply["environment"]["numpy"], np.__version__)
        self.assertEqual(list(reply["environment"]), ["python", "numpy", "scikit-learn", "pandas"])

    def test_pandas_does_not_matter_to_a_learner_of_matrices(self):
        self.assertNotIn("pandas", self.start("serve(object, columns='matrix')").hello()["environment"])

    def test_another_protocol_is_refused(self):
        host = self.start("serve(object)")
        self.assertEqual(self.refusal(host.ask, {"op": "hello", "protocol": 2}),
                         ("unsupported", "this learner speaks protocol 1, not 2"))

    def test_an_unknown_request_is_refused(self):
        host = self.start("serve(object)")
        self.assertEqual(self.refusal(host.ask, {"op": "sing"}), ("unsupported", "there is no request 'sing'"))

    def test_it_ends_when_its_standard_input_ends(self):
        self.start("serve(object)").hello()
        self.assertEqual(self.end(), 0)

    def test_without_crossfold_it_says_what_starts_it(self):
        with tempfile.TemporaryFile() as errors:
            pid = os.posix_spawn(sys.executable, [sys.executable, "-c", "from crossfold_learner import serve\n"
                                                  "import os\nos.closerange(3, 99)\nserve(object)"],
                                 VARIABLES,
                                 file_actions=[(os.POSIX_SPAWN_DUP2, errors.fileno(), 2)])
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 1)
            errors.seek(0)
            self.assertEqual(errors.read().decode(), "This program is a learner: Crossfold starts it. "
                             "Try: crossfold plugin check FOLDER\n")

    def test_standard_input_and_output_are_free_for_the_learner(self):
        host = self.greeted("""
            import sys
            class L:
                def fit(self, X, y):
                    print("read:", repr(sys.stdin.read()), flush=True)
                def predict(self, X):
                    return np.zeros(len(X))
            serve(L)""")
        host.fit(1, host.table({"x": np.zeros(2)}), np.zeros(2))
        self.assertEqual(host.errors(), "read: ''\n")

    def test_a_table_may_serve_one_request_only(self):
        host = self.greeted(MOST + "serve(Most)")
        keys = host.keys_of_table({"x": np.zeros(3)})
        host.fit(1, keys, [0, 1, 1], classes=["a", "b"])
        self.assertEqual(list(host.predict(1, keys, 3, None, 2)), [1, 1, 1])

    def test_what_is_dropped_is_gone(self):
        host, table = self.most([0, 1, 1], ["a", "b"])
        host.ask({"op": "save", "model": 1, "drop": {"tables": [table], "models": []}})
        self.assertEqual(self.refusal(host.ask, {"op": "save", "model": 1, "drop": {"models": [1]}})[0], "internal")

    # ---- what fit gets

    def test_numeric_columns_are_a_matrix_of_float64(self):
        columns = {"a": np.array([1.5, np.nan, 3]), "b": np.array([1, 2, 3], np.int32),
                   "c": np.array([1, 2, 3], np.int64), "d": np.array([True, False, True]),
                   "e": np.array([0.5, 0.25, 0], np.float32)}
        missing = {"b": np.array([False, False, True])}
        self.assertEqual(self.seen("say(X.dtype); say(X.flags.c_contiguous); say(X.tolist())", columns, missing),
                         ["float64", "True", "[[1.5, 1.0, 1.0, 1.0, 0.5], [nan, 2.0, 2.0, 0.0, 0.25], "
                          "[3.0, nan, 3.0, 1.0, 0.0]]"])

    def test_rows_may_repeat_and_come_in_any_order(self):
        self.assertEqual(self.seen("say(X.ravel().tolist()); say(y.tolist())", {"x": np.array([1.0, 2, 3])},
                                   rows=[2, 0, 2], target=[30, 10, 31]),
                         ["[3.0, 1.0, 3.0]", "[30.0, 10.0, 31.0]"])

    def test_what_fit_gets_may_be_changed(self):
        host = self.greeted("""
            class L:
                def fit(self, X, y):
                    self.sum = X.sum() + y.sum()
                    X[:] = y[:] = 0
                def predict(self, X):
                    X[:] = 7
                    return np.full(len(X), self.sum)
            serve(L)""")
        table = host.table({"x": np.array([1.0, 2, 3])})
        for _ in range(2):
            host.fit(1, table, [10, 10, 10])
            self.assertEqual(list(host.predict(1, table, 3)), [36, 36, 36])

    PEOPLE = {"height": np.array([1.5, np.nan, 1.75]), "legs": np.array([2, 2, 1]),
              "toes": np.array([10, 9, 10]), "sex": Category([1, -1, 0], ["f", "m", "x"]),
              "size": Category([0, 1, 2], ["s", "m", "l"], ordered=True),
              "left": np.array([True, False, True])}

    def test_a_categorical_column_makes_it_a_data_frame(self):
        said = self.seen("""
            say([str(kind) for kind in X.dtypes])
            say(list(X.index)); say(X["sex"].tolist()); say(list(X["sex"].cat.categories)); say(X["size"].cat.ordered)
            say(X["toes"].tolist()); say(X["left"].tolist())
            """, self.PEOPLE, {"toes": np.array([False, True, False])}, rows=[2, 1], target=[0, 0])
        self.assertEqual(said, ["['float64', 'int64', 'float64', 'category', 'category', 'bool']", "[0, 1]",
                                "['f', nan]", "['f', 'm', 'x']", "True", "[10.0, nan]", "[True, False]"])

    def test_in_a_matrix_categories_are_their_codes(self):
        said = self.seen("say(X.tolist()); say([f.levels for f in context.features if f.type == 'category'])",
                         self.PEOPLE, serve="serve(L, columns='matrix')")
        self.assertEqual(said, ["[[1.5, 2.0, 10.0, 1.0, 0.0, 1.0], [nan, 2.0, 9.0, nan, 1.0, 0.0], "
                                "[1.75, 1.0, 10.0, 0.0, 2.0, 1.0]]", "[['f', 'm', 'x'], ['s', 'm', 'l']]"])

    def test_classes_are_strings(self):
        self.assertEqual(self.seen("say(y.dtype); say(y.tolist()); say(context.classes); say(context.task)",
                                   {"x": np.zeros(3)}, target=[2, 0, 2], classes=["a", "b", "c"]),
                         ["object", "['c', 'a', 'c']", "['a', 'c']", "multiclass"])

    def test_classes_may_be_codes_of_those_that_are_there(self):
        self.assertEqual(self.seen("say(y.tolist()); say(context.classes)", {"x": np.zeros(3)}, target=[2, 0, 2],
                                   classes=["a", "b", "c"], serve="serve(L, labels='codes')"),
                         ["[1, 0, 1]", "['a', 'c']"])

    def test_weights_are_given_and_rows_of_weight_0_left_out(self):
        self.assertEqual(self.seen("say(X.ravel().tolist()); say(y.tolist()); say(sample_weight.tolist())",
                                   {"x": np.array([1.0, 2, 3])}, rows=[0, 2, 1], target=[10, 30, 20],
                                   weights=[0.5, 0, 2]), ["[1.0, 2.0]", "[10.0, 20.0]", "[0.5, 2.0]"])

    def test_weights_are_refused_if_fit_does_not_take_them(self):
        host = self.greeted(MOST + "serve(Most)")
        self.assertEqual(self.refusal(host.fit, 1, host.table({"x": np.zeros(2)}), [1, 2], weights=[1, 2]),
                         ("unsupported_data", "Most takes no weights of rows"))

    def test_the_context_has_seed_threads_and_parameters(self):
        self.assertEqual(self.seen("say((context.seed, context.seed_words, context.threads, context.params))",
                                   {"x": np.zeros(1)}, params={"k": None}, seed=5,
                                   serve="serve(make=lambda params, context: L())"), ["(5, (0, 5), 1, {'k': None})"])

    def test_early_stopping_has_the_form_of_the_arguments(self):
        for arguments, expression in (("validation", "validation"), ("eval_set", "eval_set[0]"),
                                      ("X_val, y_val", "(X_val, y_val)")):
            with self.subTest(arguments):
                host = self.greeted(f"""
                    class L:
                        def fit(self, X, y, *, {arguments}, context):
                            context.log([part.tolist() for part in {expression}])
                    serve(L)""")
                table = host.table({"x": np.array([1.0, 2, 3])})
                host.fit(1, table, [0, 1], rows=[0, 1], classes=["a", "b"], validation=(table, [1, 0], [2, 0]))
                self.assertEqual(host.logs, [("info", "[[[3.0], [1.0]], ['b', 'a']]")])
                self.end()

    def test_rows_for_early_stopping_have_no_unknown_classes(self):
        host = self.greeted("""
            class L:
                def fit(self, X, y, validation, context):
                    context.log([part.tolist() for part in validation])
            serve(L)""")
        table = host.table({"x": np.array([1.0, 2, 3])})
        host.fit(1, table, [0, 2], rows=[0, 1], classes=["a", "b", "c"], validation=(table, [1, 0, 2], None))
        self.assertEqual(host.logs, [("info", "[[[2.0], [3.0]], ['a', 'c']]")])

    # ---- predictions

    def test_no_rows_are_predicted_without_the_learner(self):
        host, table = self.most([0, 1, 1], ["a", "b"])
        labels, probabilities = host.predict(1, table, 0, [], 2, True)
        self.assertEqual((len(labels), probabilities.shape), (0, (0, 2)))

    def test_classes_that_training_lacks_get_probability_0(self):
        for labels in ("names", "codes"):
            with self.subTest(labels):
                host, table = self.most([3, 1, 3, 3], ["a", "b", "c", "d"], labels)
                got, probabilities = host.predict(1, table, 4, None, 4, True)
                self.assertEqual(list(got), [3, 3, 3, 3])
                self.assertEqual(probabilities[0].tolist(), [0, 0.25, 0, 0.75])
                self.end()

    def test_the_only_class_has_probability_1(self):
        host, table = self.most([1, 1], ["a", "b"])
        labels, probabilities = host.predict(1, table, 2, None, 2, True)
        self.assertEqual((list(labels), probabilities.tolist()), ([1, 1], [[0, 1], [0, 1]]))

    def test_columns_of_probabilities_follow_the_learners_order_of_classes(self):
        host = self.greeted("""
            class L:
                def fit(self, X, y):
                    self.classes_ = np.array(["b", "a"])
                def predict(self, X):
                    return ["b"] * len(X)
                def predict_proba(self, X):
                    return np.tile([0.9, 0.1], (len(X), 1))
            serve(L)""")
        table = host.table({"x": np.zeros(2)})
        host.fit(1, table, [0, 1], classes=["a", "b"])
        labels, probabilities = host.predict(1, table, 2, None, 2, True)
        self.assertEqual((list(labels), probabilities.tolist()), ([1, 1], [[0.1, 0.9], [0.1, 0.9]]))

    def test_predictions_that_are_not_predictions_are_refused(self):
        for labels, made, message in (
                ("names", "['z'] * len(X)", "predicted 'z', which is not one of the class names in y"),
                ("codes", "[2] * len(X)", "predicted label 2; y has 0 to 1"),
                ("codes", "[-1] * len(X)", "predicted label -1; y has 0 to 1"),
                ("codes", "[0.5] * len(X)", "predicted labels of type float64; y has whole numbers"),
                ("names", "['a']", "predict gave an array of shape (1,); (2,) is expected"),
                ("names", "None", "predict gave an array of shape (); (2,) is expected")):
            with self.subTest(made):
                host = self.greeted(f"""
                    class L:
                        def fit(self, X, y):
                            pass
                        def predict(self, X):
                            return {made}
                    serve(L, labels='{labels}')""")
                table = host.table({"x": np.zeros(2)})
                host.fit(1, table, [0, 1], classes=["a", "b"])
                self.assertEqual(self.refusal(host.predict, 1, table, 2, None, 2), ("internal", message))
                self.end()

    def test_a_column_of_values_is_as_good_as_a_list(self):
        host = self.greeted("""
            class L:
                def fit(self, X, y):
                    pass
                def predict(self, X):
                    return 2 * X
            serve(L)""")
        table = host.table({"x": np.array([1.0, 2])})
        host.fit(1, table, [0, 0])
        self.assertEqual(list(host.predict(1, table, 2, [1, 0])), [4, 2])

    # ---- seeds

    def test_equal_seeds_draw_equal_numbers(self):
        host = self.greeted("""
            import random
            class L:
                random_state = None
                def __init__(self):
                    self.random_state = None
                def fit(self, X, y):
                    self.made = [random.random(), np.random.rand(), self.random_state]
                def predict(self, X):
                    return self.made + [np.random.rand()]
            serve(L)""")
        table = host.table({"x": np.zeros(4)})

        def numbers(seed):
            host.fit(1, table, np.zeros(4), seed=seed)
            first = list(host.predict(1, table, 4))
            self.assertEqual(first, list(host.predict(1, table, 4)))
            return first
        self.assertEqual(numbers(3), numbers(3))
        self.assertNotIn(numbers(3)[0], numbers(4))
        self.assertEqual(numbers(4)[2], 4)

    # ---- models as bytes

    def test_a_saved_model_predicts_the_same(self):
        host, table = self.most([1, 1, 3, 1], ["a", "b", "c", "d"])
        host.load(2, host.save(1), ["x"], ["a", "b", "c", "d"])
        labels, probabilities = host.predict(2, table, 4, None, 4, True)
        self.assertEqual(list(labels), [1, 1, 1, 1])
        self.assertEqual(probabilities[0].tolist(), [0, 0.75, 0, 0.25])

    def test_bytes_that_are_not_a_model_are_refused_without_unpickling(self):
        host, _ = self.most([0, 0, 1, 1], ["a", "b"])
        blob, names = host.save(1), ["x"]
        refused = ("bad_blob", "these bytes are not a model of a Python learner")
        for bytes_ in (b"", b"x" * 1000, blob[:-1], blob[:20], blob[:60] + bytes([blob[60] ^ 1]) + blob[61:]):
            self.assertEqual(self.refusal(host.load, 2, bytes_, names, ["a", "b"]), refused)
        self.assertEqual(self.refusal(host.load, 2, blob, names * 2, ["a", "b"]),
                         ("bad_blob", "the model has a different number of features or classes"))

    def test_an_object_that_cannot_be_saved_says_so(self):
        host = self.greeted("""
            class L:
                def fit(self, X, y):
                    self.f = lambda: 0
            serve(L)""")
        host.fit(1, host.table({"x": np.zeros(1)}), [0])
        status, message = self.refusal(host.save, 1)
        self.assertEqual(status, "internal")
        self.assertIn("Can't pickle", message)

    # ---- messages and errors

    def test_progress_and_log_come_before_the_reply(self):
        host = self.greeted("""
            class L:
                def fit(self, X, y, context):
                    context.progress(0.25)
                    context.log("half done", "debug")
                    context.progress(1)
            serve(L)""")
        host.fit(1, host.table({"x": np.zeros(1)}), [0])
        self.assertEqual((host.progress, host.logs), ([0.25, 1.0], [("debug", "half done")]))

    def test_a_warning_is_logged_once_per_request(self):
        host = self.greeted("""
            import warnings
            class L:
                def fit(self, X, y):
                    for _ in range(3):
                        warnings.warn("odd\\n data")
            serve(L)""")
        table = host.table({"x": np.zeros(1)})
        for _ in range(2):
            host.fit(1, table, [0])
        self.assertEqual(host.logs, [("warn", "UserWarning: odd data (learner.py:8)")] * 2)

    def test_exceptions_become_errors_with_a_status_and_the_place(self):
        for raised, status, message in (
                ("ValueError('no\\n\\nrows')", "unsupported_data", "ValueError: no rows (learner.py:6)"),
                ("MemoryError()", "out_of_memory", "MemoryError (learner.py:6)"),
                ("ZeroDivisionError('by 0')", "numeric", "ZeroDivisionError: by 0 (learner.py:6)"),
                ("np.linalg.LinAlgError('Singular')", "numeric", "LinAlgError: Singular (learner.py:6)"),
                ("NotImplementedError('two')", "unsupported", "NotImplementedError: two (learner.py:6)"),
                ("KeyError('k')", "internal", "KeyError: 'k' (learner.py:6)"),
                ("SystemExit(3)", "internal", "SystemExit: 3 (learner.py:6)"),
                ("Failure('not_converged', 'after 9 rounds')", "not_converged", "after 9 rounds")):
            with self.subTest(raised):
                host = self.greeted(f"""
                    class L:
                        def fit(self, X, y):
                            raise {raised}
                    serve(L)""")
                table = host.table({"x": np.zeros(1)})
                self.assertEqual(self.refusal(host.fit, 1, table, [0]), (status, message))
                self.assertEqual(self.refusal(host.fit, 1, table, [0]), (status, message))
                self.end()

    def test_the_place_is_in_the_authors_file_if_the_error_passed_through_it(self):
        host = self.greeted("""
            class L:
                def fit(self, X, y):
                    np.linalg.inv(np.zeros((2, 2)))
            serve(L)""")
        self.assertEqual(self.refusal(host.fit, 1, host.table({"x": np.zeros(1)}), [0]),
                         ("numeric", "LinAlgError: Singular matrix (learner.py:6)"))
        self.assertIn("Traceback (most recent call last):", host.errors())

    def test_a_constructor_that_raises_had_a_bad_parameter(self):
        host = self.greeted("""
            class L:
                def __init__(self, k):
                    if k > 3:
                        raise ValueError("k is too large")
            serve(L)""")
        self.assertEqual(self.refusal(host.fit, 1, host.table({"x": np.zeros(1)}), [0], params={"k": 4}),
                         ("invalid_param", "ValueError: k is too large (learner.py:7)"))

    def test_importance_without_numbers_is_refused(self):
        host, _ = self.most([0, 1], ["a", "b"])
        self.assertEqual(self.refusal(host.importance, 1, 1),
                         ("unsupported", "Most has neither feature_importances_ nor coef_"))

    # ---- cancelling

    SLOW = """
        import time
        class L:
            def fit(self, X, y, context):
                context.progress(0)
                if y[0] > 0:
                    for _ in range(1000):
                        time.sleep(0.01)
                        context.progress(0.5)
            def predict(self, X):
                return np.zeros(len(X))
        serve(L)"""

    def test_sigint_cancels_the_request_and_nothing_else(self):
        host = self.greeted(self.SLOW)
        table = host.table({"x": np.zeros(1)})
        for _ in range(3):
            host.interrupt()  # idle: ignored
            host.send(host.fit_request(1, table, [1]))
            while "progress" not in host.receive():
                pass
            host.interrupt()
            self.assertEqual(self.refusal(host.reply), ("cancelled", "it was cancelled"))
            host.fit(1, table, [0])
            self.assertEqual(list(host.predict(1, table, 1)), [0])

    def test_an_import_is_not_interrupted(self):
        host = self.greeted("""
            import os, sys, time
            sys.path.insert(0, os.path.join(os.getcwd(), "more"))
            class L:
                def fit(self, X, y, context):
                    context.progress(0)
                    import slow
                    time.sleep(100)
                def predict(self, X):
                    import slow
                    return [slow.answer] * len(X)
            class Quick(L):
                def fit(self, X, y):
                    pass
            serve(make=lambda params, context: Quick() if params else L())""",
            more={"slow.py": "import time\nbegun = 1\ntime.sleep(0.5)\nanswer = 42\n"})
        table = host.table({"x": np.zeros(1)})
        host.send(host.fit_request(1, table, [1]))
        self.assertEqual(host.receive(), {"progress": 0.0})
        time.sleep(0.1)
        host.interrupt()
        self.assertEqual(self.refusal(host.reply), ("cancelled", "it was cancelled"))
        host.fit(1, table, [1], params={"quick": True})
        self.assertEqual(list(host.predict(1, table, 1)), [42])

    def test_a_process_with_half_a_module_ends(self):
        host = self.greeted("""
            import os, sys
            sys.path.insert(0, os.path.join(os.getcwd(), "more"))
            class L:
                def fit(self, X, y):
                    import large
            serve(L)""", more={"large.py": "raise MemoryError"})
        table = host.table({"x": np.zeros(1)})
        self.assertEqual(self.refusal(host.fit, 1, table, [1])[0], "out_of_memory")
        self.assertRaises((EOFError, BrokenPipeError), host.table, {"x": np.zeros(1)})

    def test_it_ends_if_the_host_dies_during_a_long_fit(self):
        host = self.greeted("""
            import time
            class L:
                def fit(self, X, y):
                    time.sleep(100)
            serve(L)""")
        host.send(host.fit_request(1, host.table({"x": np.zeros(1)}), [1]))
        time.sleep(0.2)
        began = time.monotonic()
        self.assertEqual(self.end(), 1)
        self.assertLess(time.monotonic() - began, 20)


if __name__ == "__main__":
    unittest.main()
