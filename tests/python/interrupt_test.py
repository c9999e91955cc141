"""Ctrl-C, progress and cancellation."""
import os
import signal
import threading
import time
import unittest

import crossfold
import pandas as pd
from lua_program import data

# Cells of two milliseconds or more, so that a run lasts long enough to be interrupted.
SLOW = {"splitter": "kfold{folds=5,repeats=400}", "learners": {"slow": "random_forest{trees=200}"}, "workers": 2}


def iris():
    return pd.read_csv(data("iris.csv"))


def interrupt_at(cells):
    """A progress function that sends this process what Ctrl-C sends, once `cells` have finished."""
    def progress(finished, _):
        if finished == cells:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
    return progress


class InterruptTest(unittest.TestCase):
    def setUp(self):
        # unittest and ctest may have their own.
        self.before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def tearDown(self):
        signal.signal(signal.SIGINT, self.before)

    def test_it_stops_the_run_and_is_raised(self):
        context = crossfold.Context(workers=2)
        with self.assertRaises(KeyboardInterrupt):
            crossfold.evaluate(iris(), "class", **SLOW, progress=interrupt_at(10), context=context)
        again = crossfold.evaluate(iris(), "class", ["featureless"], context=context)
        self.assertEqual(again.n_cancelled, 0)

    def test_a_partial_result_has_what_had_finished(self):
        result = crossfold.evaluate(iris(), "class", **SLOW, progress=interrupt_at(10), on_interrupt="partial")
        finished = [s for s in result.scores() if s["value"] is not None]
        self.assertGreaterEqual(len(finished), 10)
        self.assertEqual(len(finished) + result.n_cancelled, 2000)
        self.assertGreater(result.n_cancelled, 0)
        reasons = {s["undefined"] for s in result.scores() if s["value"] is None}
        self.assertEqual(reasons, {"it did not run: the host cancelled the experiment"})
        self.assertEqual(len(result.predictions()), 30 * len(finished))
        self.assertEqual(result.failures(), [])
        self.assertTrue(repr(result).splitlines()[0].endswith(f"cells that did not run: {result.n_cancelled}"))

    def test_a_partial_result_has_the_numbers_of_the_whole_one(self):
        part = crossfold.evaluate(iris(), "class", **SLOW, progress=interrupt_at(10), on_interrupt="partial")
        small = {**SLOW, "splitter": "kfold{folds=5,repeats=2}"}
        whole = crossfold.evaluate(iris(), "class", **small)
        known = {(s["repeat"], s["fold"]): s["value"] for s in part.scores() if s["value"] is not None}
        both = [s for s in whole.scores() if (s["repeat"], s["fold"]) in known]
        self.assertTrue(both)
        for score in both:
            self.assertEqual(score["value"], known[score["repeat"], score["fold"]])


class ProgressTest(unittest.TestCase):
    def test_it_counts_every_cell(self):
        seen = []
        crossfold.evaluate(iris(), "class", ["featureless"], progress=lambda *now: seen.append(now))
        self.assertEqual(seen, [(i, 10) for i in range(1, 11)])

    def test_what_it_raises_is_raised_by_the_call(self):
        def progress(finished, _):
            if finished == 3:
                raise ValueError("enough")
        with self.assertRaisesRegex(ValueError, "enough"):
            crossfold.evaluate(iris(), "class", ["featureless"], progress=progress)

    def test_another_thread_may_cancel(self):
        context = crossfold.Context(workers=2)
        started = threading.Event()

        def cancel():
            started.wait()
            context.cancel()
        thread = threading.Thread(target=cancel)
        thread.start()
        with self.assertRaises(crossfold.Error) as raised:
            crossfold.evaluate(iris(), "class", **{**SLOW, "workers": None}, context=context,
                               progress=lambda *_: started.set())
        thread.join()
        self.assertEqual((raised.exception.kind, str(raised.exception)),
                         ("cancelled", "cannot finish the experiment: the host cancelled it"))


if __name__ == "__main__":
    unittest.main()
