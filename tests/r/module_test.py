"""Tests of sdk/languages/r/crossfold_learner.R, which a fake host drives: module_test.py MODULE"""
import math
import os
import random
import re
import subprocess
import sys
import unittest

from host import Host, Reply, column

HERE = os.path.dirname(os.path.abspath(__file__))
TEXT = "a \"quoted\\ {word}\" of\ttwo\nlines, Łódź \U0001F600"


def start(learner="evaluate.R", **env):
    return Host(["Rscript", os.path.join(HERE, learner)], env=env)


class ModuleTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.host = start(LC_ALL="C")
        cls.environment = cls.host.hello()["environment"]
        cls.columns = [column("x", "f64", [1.5, None, 3.5, 4.5])]
        cls.host.table(1, cls.columns)

    @classmethod
    def tearDownClass(cls):
        cls.host.__exit__()

    def setUp(self):
        self.host.logs.clear()
        self.host.progress.clear()

    def fit(self, fit="NULL", target=(0, 0, 1, 2), classes=("a", "b", "c"), table=1, params=None,
            model=1, **more):
        """Fits with R code for the functions. The last value of the code is in `model$value`."""
        functions = {name: more.pop(name) for name in ("predict", "proba", "importance") if name in more}
        return self.host.fit(model, table, list(target), classes and list(classes),
                             params={"fit": fit, **functions, **(params or {})}, **more)

    def shown(self, expression, **more):
        """The value of R code in `fit`, as R writes it."""
        self.fit(f"context$log('info', paste(trimws(deparse({expression}, 500L)), collapse = ''))",
                 **more)
        return self.host.logs.pop()[1]

    def refusal(self, call, *arguments, **named):
        with self.assertRaises(Reply) as caught:
            call(*arguments, **named)
        return caught.exception.status, caught.exception.message

    # ---- Data

    def test_columns_have_the_types_of_r(self):
        table = self.host.describe_table([
            column("f64", "f64", [0.1, math.nan, None, 4.5]),
            column("f32", "f32", [0.5, None, 2, 3]),
            column("i32", "i32", [1, -2, None, 2147483647]),
            column("i64", "i64", [1, -1, 2**52 + 1, -2**40]),
            column("bool", "bool", [1, 0, None, 1]),
            column("cat", "category", [2, 0, None, 2], levels=["low", "ä", "high"]),
            column("ord", "category", [2, 0, None, 1], levels=["low", "mid", "high"], ordered=True),
        ])
        shown = {name: self.shown(f"x${name}", table=table)
                 for name in ("f64", "f32", "i32", "i64", "bool", "cat", "ord")}
        self.assertEqual(shown, {
            "f64": "c(0.1, NaN, NA, 4.5)",
            "f32": "c(0.5, NA, 2, 3)",
            "i32": "c(1L, -2L, NA, 2147483647L)",
            "i64": "c(1, -1, 4503599627370497, -1099511627776)",
            "bool": "c(TRUE, FALSE, NA, TRUE)",
            "cat": 'structure(c(3L, 1L, NA, 3L), levels = c("low", "ä", "high"), class = "factor")',
            "ord": 'structure(c(3L, 1L, NA, 2L), levels = c("low", "mid", "high"), '
                   'class = c("ordered", "factor"))',
        })

    def test_the_smallest_int32_is_a_number(self):
        table = self.host.describe_table([column("x", "i32", [-2**31, None, 0, 1])])
        self.assertEqual(self.shown("x$x", table=table), "c(-2147483648, NA, 0, 1)")

    def test_bitmaps_longer_than_a_byte(self):
        values = [None if i % 3 == 0 else float(i) for i in range(21)]
        table = self.host.describe_table([column("x", "f64", values)])
        shown = self.shown("which(is.na(x$x))", table=table, target=[0] * 21)
        self.assertEqual(shown, "c(1L, 4L, 7L, 10L, 13L, 16L, 19L)")

    def test_rows_come_in_the_order_of_the_request_with_repeats(self):
        self.assertEqual(self.shown("list(x$x, rownames(x), y)", rows=[3, 0, 0], target=[2, 1, 1]),
                         'list(c(4.5, 1.5, 1.5), c("1", "2", "3"), structure(c(3L, 2L, 2L), '
                         'levels = c("a", "b", "c"), class = "factor"))')

    def test_a_table_without_columns_has_rows(self):
        table = {**self.host.describe_table([]), "rows": 4}
        self.assertEqual(self.shown("dim(x)", table=table), "c(4L, 0L)")

    def test_names_are_those_of_the_data_in_any_locale(self):
        names = ["petal width (cm)", "Łódź", "if", "a\\b\"c"]
        table = self.host.describe_table([column(name, "f64", [1, 2, 3, 4]) for name in names])
        shown = self.shown("names(x)", table=table)
        self.assertEqual(shown, r'c("petal width (cm)", "Łódź", "if", "a\\b\"c")')
        self.assertEqual(self.shown("nchar(names(x)[2])", table=table), "4L")

    def test_the_target_of_a_regression_is_numbers(self):
        self.assertEqual(self.shown("y", classes=None, target=[0.5, 1, 2, 3]), "c(0.5, 1, 2, 3)")

    def test_weights_are_numbers_or_null(self):
        self.assertEqual(self.shown("weights", weights=[1, 2, 0.5, 0]), "c(1, 2, 0.5, 0)")
        self.assertEqual(self.shown("weights"), "NULL")

    def test_rows_for_early_stopping(self):
        validation = {"table": 1, "rows": [3, 2], "target": [1, 0]}
        self.assertEqual(self.shown("validation", rows=[0], target=[2], validation=validation),
                         'list(x = structure(list(x = c(4.5, 3.5)), row.names = c(NA, -2L), '
                         'class = "data.frame"), y = structure(2:1, levels = c("a", "b", "c"), '
                         'class = "factor"), weights = NULL)')

    def test_parameters_are_named_arguments(self):
        settings = {"cp": 0.01, "n": 100, "deep": {"trace": False, "none": None},
                    "sizes": [1, 2.5], "words": ["a", TEXT], "mixed": [1, "a"], "empty": [], "no": {}}
        self.assertEqual(
            self.shown("settings", params={"settings": settings}),
            'list(cp = 0.01, n = 100, deep = list(trace = FALSE, none = NULL), '
            'sizes = c(1, 2.5), words = c("a", "a \\"quoted\\\\ {word}\\" of\\ttwo\\nlines, '
            'Łódź \U0001F600"), mixed = list(1, "a"), empty = logical(0), '
            'no = structure(list(), names = character(0)))')

    def test_escapes_in_json(self):
        self.host.send({"op": "no"})
        self.host.receive()
        text = rb'{"op": "A\/\u0141\ud83d\ude00\b\\n"}'
        self.host.write(text)
        self.assertEqual(self.host.receive()["message"],
                         "the module crossfold_learner.R does not know the request "
                         "'A/Ł\U0001F600 \\n'")

    # ---- Calls

    def test_the_environment_names_r_and_more(self):
        version = subprocess.run(["Rscript", "-e", "cat(as.character(getRversion()))"],
                                 capture_output=True, check=True, text=True).stdout
        self.assertEqual(self.environment["R"], version)
        self.assertEqual(self.environment["data"], "7")
        self.assertIn("blas", self.environment["blas"])

    def test_packages_are_in_the_environment_and_attached(self):
        with start(TEST_PACKAGES="tools stats4") as host:
            environment = host.hello()["environment"]
            self.assertEqual(environment["stats4"], environment["R"])
            host.fit(1, host.describe_table(self.columns), [0] * 4, ["a"],
                     params={"fit": "message(exists('mle'))"})
            self.assertEqual(host.logs, [("info", "TRUE")])

    def test_a_missing_package_is_named(self):
        with start(TEST_PACKAGES="tools nosuch") as host:
            status, message = self.refusal(host.hello)
        self.assertEqual((status, message), (
            "unsupported", "there is no package called ‘nosuch’; in R, install.packages(\"nosuch\") "
            "installs packages"))

    def test_another_protocol_is_refused(self):
        self.assertEqual(self.refusal(self.host.ask, {"op": "hello", "protocol": 2}),
                         ("unsupported", "the module crossfold_learner.R only knows protocol 1"))

    def test_numbers_are_drawn_from_the_seed_as_in_r(self):
        code = "set.seed(42); cat(deparse(c(runif(1), rnorm(1), sample(99, 1)), control = 'digits17'))"
        plain = subprocess.run(["Rscript", "-e", code], capture_output=True, check=True, text=True)
        draws = "deparse(c(runif(1), rnorm(1), sample(99, 1)), control = 'digits17')"
        for _ in range(2):
            self.fit(f"message({draws}); RNGkind('Wichmann-Hill')", seed=42)
        self.assertEqual(self.host.logs, [("info", plain.stdout)] * 2)

    def test_predictions_draw_the_numbers_after_those_of_the_fit(self):
        code = "set.seed(5); cat(sprintf('%.17g', runif(5)))"
        plain = subprocess.run(["Rscript", "-e", code], capture_output=True, check=True, text=True)
        expected = [float(word) for word in plain.stdout.split()[1:]]
        self.fit("runif(1)", classes=None, seed=5, predict="runif(nrow(x))")
        for _ in range(2):
            self.assertEqual(self.host.predict(1, 1, n=4, values=1)["values"], expected)

    def test_context_has_seed_threads_log_and_progress(self):
        self.assertEqual(self.shown("context[c('seed', 'threads')]", seed=9, threads=3),
                         "list(seed = 9, threads = 3)")
        self.fit("context$log('debug', settings$text); context$progress(0.25); context$progress(1L)",
                 params={"settings": {"text": TEXT}})
        self.assertEqual(self.host.logs, [("debug", TEXT)])
        self.assertEqual(self.host.progress, [0.25, 1])

    def test_warnings_and_messages_are_log_lines_and_the_call_goes_on(self):
        self.fit("f <- function(a) warning('odd ', a); f(1); message('two'); 3", predict="rep('a', 4)")
        self.assertEqual(self.host.logs, [("warn", "f(1): odd 1"), ("info", "two")])
        self.assertEqual(self.host.predict(1, 1, n=4, labels=1)["labels"], [0] * 4)

    def test_what_the_learner_prints_is_not_in_the_way(self):
        self.fit("print('printed'); cat('and'); writeLines('this', stderr()); system('echo child')")
        self.assertEqual(re.sub(r"\s", "", self.host.errors()[-40:]), '[1]"printed"andthischild')

    def test_labels_and_probabilities(self):
        self.fit(predict="factor(c('c', 'a', 'a', 'b'))",
                 proba="cbind(b = c(0, 0.5, 0, 1), a = c(1, 0.5, 1, 0))")
        found = self.host.predict(1, 1, n=4, labels=1, probabilities=3)
        self.assertEqual(found["labels"], [2, 0, 0, 1])
        self.assertEqual(found["probabilities"], [1, 0, 0, 0.5, 0.5, 0, 1, 0, 0, 0, 1, 0])

    def test_probabilities_of_two_classes_as_one_vector(self):
        self.fit(classes=("no", "yes"), target=(0, 0, 1, 1), proba="c(0.25, 0, 1, 0.5)")
        found = self.host.predict(1, 1, n=4, probabilities=2)
        self.assertEqual(found["probabilities"], [0.75, 0.25, 1, 0, 0, 1, 0.5, 0.5])

    def test_without_predict_the_largest_probability_counts(self):
        with start("few_arguments.R") as host:
            host.hello()
            table = host.describe_table(self.columns)
            host.fit(1, table, [0] * 4, ["a", "b", "c"], params={"k": 1})
            self.assertEqual(host.predict(1, table, n=4, labels=1), {"labels": [0] * 4})

    def test_values(self):
        self.fit(classes=None, predict="matrix(x$x, ncol = 1) * 2")
        found = self.host.predict(1, 1, rows=[2, 0, 2], values=1)
        self.assertEqual(found, {"values": [7, 3, 7]})

    def test_importance_in_order_or_by_name(self):
        table = self.host.describe_table([column(name, "f64", [1, 2, 3, 4]) for name in "pqr"])
        self.fit(table=table, importance="c(1, 2, 3)")
        self.assertEqual(self.host.importance(1, 3), [1, 2, 3])
        self.fit(table=table, importance="c(r = 2, p = 1)")
        self.assertEqual(self.host.importance(1, 3), [1, 0, 2])

    def test_no_rows_are_predicted_without_a_call(self):
        self.fit(predict="stop('called')")
        self.assertEqual(self.host.predict(1, 1, rows=[], labels=1)["labels"], [])

    # ---- Errors

    def test_an_error_has_its_call(self):
        self.assertEqual(self.refusal(self.fit, "f <- function(n) stop('no ', n); f(3)"),
                         ("unsupported_data", "f(3): no 3"))

    def test_the_call_of_an_error_is_short(self):
        status, message = self.refusal(
            self.fit, "f <- function(...) stop('no'); do.call(f, as.list(seq(0.5, 1000)))")
        self.assertTrue(message.endswith(" ...: no") and len(message) < 80, message)

    def test_an_error_can_have_a_status(self):
        self.assertEqual(self.refusal(self.fit, "crossfold_error('not_converged', '100 steps')"),
                         ("not_converged", "100 steps"))

    def test_an_allocation_that_fails_is_out_of_memory(self):
        status, message = self.refusal(self.fit, "numeric(1e15)")
        self.assertEqual(status, "out_of_memory")
        self.assertIn("cannot allocate vector of size", message)

    def test_endless_recursion_is_an_error(self):
        status, message = self.refusal(self.fit, "f <- function() f(); f()")
        self.assertRegex(message, "infinite recursion|stack usage")
        self.assertEqual(self.shown("1"), "1")

    def test_a_parameter_that_fit_does_not_take(self):
        with start("few_arguments.R") as host:
            host.hello()
            table = host.describe_table(self.columns)
            self.assertEqual(self.refusal(host.fit, 1, table, [0] * 4, ["a"], params={"kk": 1}),
                             ("invalid_param", "fit has no argument 'kk'"))
            self.assertEqual(self.refusal(host.fit, 1, table, [0] * 4, ["a"], params={"y": 1}),
                             ("invalid_param", "fit has another argument 'y': rename the parameter"))
            self.assertEqual(
                self.refusal(host.fit, 1, table, [0] * 4, ["a"], weights=[1] * 4),
                ("unsupported_data", "there are weights, but fit has no argument 'weights'"))
            host.fit(1, table, [0] * 4, ["a"], params={"k": 1})
            self.assertEqual(self.refusal(host.importance, 1, 1),
                             ("unsupported", "the learner has no function 'importance'"))

    def test_labels_that_are_not_classes(self):
        self.fit(predict="c('a', 'b', 'z', 'c')")
        self.assertEqual(
            self.refusal(self.host.predict, 1, 1, n=4, labels=1),
            ("numeric", "predict returned 'z' for row 3, which is not a class"))

    def test_predictions_of_another_length(self):
        self.fit(predict="c('a', 'b')")
        self.assertEqual(self.refusal(self.host.predict, 1, 1, n=4, labels=1),
                         ("internal", "predict returned 2 entries, not 4"))

    def test_missing_values_and_probabilities(self):
        self.fit(classes=None, predict="x$x")
        self.assertEqual(self.refusal(self.host.predict, 1, 1, n=4, values=1),
                         ("numeric", "predict returned NA for row 2"))
        self.fit(classes=("a", "b"), target=(0, 0, 1, 1), proba="x$x / 10")
        self.assertEqual(self.refusal(self.host.predict, 1, 1, n=4, probabilities=2),
                         ("numeric", "proba returned NA for row 2"))

    def test_probabilities_of_something_else(self):
        self.fit(proba="cbind(a = 1:4, z = 0)")
        self.assertEqual(self.refusal(self.host.predict, 1, 1, n=4, probabilities=3),
                         ("internal", "proba returned a column 'z', which is not a class"))
        self.fit(proba="matrix(0.25, 4, 4)")
        self.assertEqual(self.refusal(self.host.predict, 1, 1, n=4, probabilities=3),
                         ("internal", "proba returned 4 entries, not 3"))

    # ---- Cancels

    def test_a_fit_is_cancelled_and_the_next_one_works(self):
        request = self.host.fit_request(1, 1, [0] * 4, ["a"], params={
            "fit": "message('started'); repeat Sys.sleep(0.01)"})
        self.assertEqual(self.refusal(self.host.cancel, request), ("cancelled", "cancelled"))
        self.assertLess(self.host.seconds_to_cancel, 2)
        self.assertEqual(self.shown("1"), "1")

    def test_handlers_of_errors_do_not_catch_a_cancel(self):
        request = self.host.fit_request(1, 1, [0] * 4, ["a"], params={
            "fit": "repeat try({ message('started'); Sys.sleep(0.3) }, silent = TRUE)"})
        self.assertEqual(self.refusal(self.host.cancel, request)[0], "cancelled")
        self.assertEqual(self.shown("1"), "1")

    def test_a_cancel_after_the_reply_is_forgotten(self):
        self.fit()
        self.host.interrupt()
        self.assertEqual(self.shown("1"), "1")

    # ---- Models

    def test_models_are_replaced_and_dropped(self):
        self.fit("1", model=2, predict="rep('a', 4)")
        self.fit("1", model=2, predict="rep('b', 4)")
        self.assertEqual(self.host.predict(2, 1, n=4, labels=1)["labels"], [1] * 4)
        self.host.table(3, self.columns)
        self.fit(table=3)
        self.host.ask({"op": "save", "model": 1, "drop": {"models": [2], "tables": [3]}})
        self.assertEqual(self.refusal(self.host.predict, 2, 1, n=4, labels=1),
                         ("internal", "there is no model 2"))
        self.assertEqual(self.refusal(self.fit, table=3), ("internal", "there is no table 3"))

    def test_a_saved_model_is_loaded_by_another_process(self):
        self.fit("x$x", classes=None, predict="model$value[3] + runif(nrow(x))")
        here = self.host.predict(1, 1, n=4, values=1)
        blob = self.host.save(1)
        with start() as other:
            other.hello()
            other.load(5, blob, self.columns)
            table = other.describe_table(self.columns)
            self.assertEqual(other.predict(5, table, n=4, values=1), here)
            self.assertEqual(other.save(5), blob)

    def test_a_damaged_model_is_refused(self):
        self.fit("x")
        blob = self.host.save(1)
        damaged = [blob[:n] for n in (0, 1, 30, 60, len(blob) // 2, len(blob) - 1)] + [blob + b"x"]
        draw = random.Random(1)
        for _ in range(64):
            flipped = bytearray(blob)
            flipped[draw.randrange(len(blob))] ^= 1 << draw.randrange(8)
            damaged.append(bytes(flipped))
        damaged.append(draw.randbytes(100000))
        for bytes_ in damaged:
            status, message = self.refusal(self.host.load, 7, bytes_, self.columns, ["a", "b", "c"])
            self.assertEqual(status, "bad_blob")
            self.assertIn(message, ("the bytes are not a model of R",
                                    "the bytes of the model are damaged"))

    def test_a_model_of_other_data_is_refused(self):
        self.fit("x")
        blob = self.host.save(1)
        expected = ("bad_blob", "the model has other classes or features")
        self.assertEqual(self.refusal(self.host.load, 7, blob, self.columns, ["a", "b"]), expected)
        self.assertEqual(self.refusal(self.host.load, 7, blob, [column("z", "f64", [])],
                                      ["a", "b", "c"]), expected)

    # ---- The process

    def test_it_ends_with_its_input(self):
        with start() as host:
            host.hello()
        self.assertEqual(host.exit_status, 0)


if __name__ == "__main__":
    os.environ["CROSSFOLD_R_MODULE"] = os.path.abspath(sys.argv.pop(1))
    unittest.main()
