"""Results of experiments."""
import ctypes
import json
import os
import subprocess

import numpy as np

from . import structs, table
from .comparison import Comparison
from .confusion import Confusion
from .curve import Curve
from .error import Error
from .library import library, program

_SCORES = ["learner", "repeat", "fold", "metric", "value", "undefined"]
_SUMMARY = ["learner", "metric", "mean", "sd", "min", "max", "median", "n_folds", "n_defined", "n_failed",
            "aggregation", "reason"]
_FAILURES = ["learner", "repeat", "fold", "stage", "message"]
_PREDICTIONS = ["learner", "repeat", "fold", "row", "truth", "predicted"]


def _array(pointer, shape, dtype):
    """A copy of an array of the library; None if there is none."""
    return np.ctypeslib.as_array(pointer, shape).astype(dtype, copy=True) if pointer else None


class Predictions:
    """The out-of-fold predictions of one learner, split by split: arrays with one entry per tested row.

    `rows`, `repeats`, `folds` count from 0; `truth` and `predicted` are labels or values; `probabilities` has the
    shape (rows, classes) in the order of `classes`, or is None. The arrays are copies: they belong to the caller."""

    def __init__(self, learner, dataset, got):
        n = got.n_rows
        self.learner, self.classes = learner, dataset.classes
        self.rows, self.repeats, self.folds = (
            _array(p, (n,), np.int64) if n else np.empty(0, np.int64) for p in (got.rows, got.repeats, got.folds))
        self.codes = _array(got.labels, (n,), np.int64)
        self.true_codes = _array(got.true_labels, (n,), np.int64)
        if dataset.classes is not None:
            none = np.empty(0, np.int64)
            self.predicted = dataset.labels(none if self.codes is None else self.codes)
            self.truth = dataset.labels(none if self.true_codes is None else self.true_codes)
        else:
            none = np.empty(0)
            self.predicted, self.truth = (none if a is None else a for a in (
                _array(got.values, (n,), np.float64), _array(got.true_values, (n,), np.float64)))
        self.probabilities = _array(got.probabilities, (n, got.n_classes), np.float64)

    def __len__(self):
        return len(self.rows)

    def _dicts(self):
        for i in range(len(self)):
            row = {"learner": self.learner, "repeat": int(self.repeats[i]), "fold": int(self.folds[i]),
                   "row": int(self.rows[i]), "truth": self.truth[i], "predicted": self.predicted[i]}
            if self.probabilities is not None:
                row.update((f"p({c})", p) for c, p in zip(self.classes, self.probabilities[i].tolist()))
            yield row

    def to_pandas(self):
        """A DataFrame with a column per array, and p(CLASS) for each class if there are probabilities."""
        more = [] if self.probabilities is None else [f"p({c})" for c in self.classes]
        return table.frame(_PREDICTIONS + more, list(self._dicts()))


class Result:
    """What `evaluate` found. It never changes; any number of threads may use it.

    `learners` and `metrics`: names; `metric_classes`: by metric, the class whose value it has, or None; `dataset`: the Dataset; `n_found`: cells that the store had; `n_cancelled`: cells
    that did not run, of a partial result; `store_problem`: what the store lacks and why, or None. Splits, repeats and
    rows count from 0. What does not exist is None, never a number."""

    def __init__(self, context, handle, dataset, store=None, keep="probabilities"):
        self._context, self._handle, self._store, self._keep = context, handle, store, keep
        self.dataset = dataset
        info = structs.ResultInfo()
        library().crossfold_result_describe(handle.pointer, ctypes.byref(info))
        self.learners = [info.learners[i].decode() for i in range(info.n_learners)]
        self.metrics = [info.metrics[i].decode() for i in range(info.n_metrics)]
        self.metric_classes = {name: dataset._label(info.metric_classes[i]) for i, name in enumerate(self.metrics)}
        self.n_found, self.n_cancelled = info.n_found, info.n_cancelled
        self.store_problem = info.store_problem.decode() if info.store_problem else None
        self._sizes = {"score": info.n_scores, "summary": info.n_summaries, "failure": info.n_failures}

    def _structs(self, kind, struct):
        function = getattr(library(), "crossfold_result_" + kind)
        for i in range(self._sizes[kind]):
            got = struct()
            function(self._handle.pointer, i, ctypes.byref(got))
            yield got

    def scores(self):
        """A list of dicts, one per learner, split and metric: learner, repeat, fold, metric, value, undefined (why
        there is no value, or None)."""
        return [{"learner": self.learners[s.learner], "repeat": s.repeat, "fold": s.fold,
                 "metric": self.metrics[s.metric], "value": s.value if s.defined else None,
                 "undefined": s.reason.decode() if s.reason else None} for s in self._structs("score", structs.Score)]

    def summary(self):
        """A list of dicts, one per learner and metric: mean, sd, min, max and median over the splits in which the
        metric is defined, and n_folds, n_defined, n_failed. `aggregation` says what `mean` is: the "mean over folds",
        or for folds that are too small for the metric, or rows with weights, a number of all rows; `reason` says why
        there is none (docs/metrics_scores.md)."""
        rows = []
        for s in self._structs("summary", structs.Summary):
            row = {"learner": self.learners[s.learner], "metric": self.metrics[s.metric]}
            for name in _SUMMARY[2:]:
                value = getattr(s, name)
                row[name] = value.decode() if isinstance(value, bytes) else None if value != value else value
            rows.append(row)
        return rows

    def failures(self):
        """A list of dicts, one per learner and split that failed: learner, repeat, fold, stage, message."""
        return [{"learner": self.learners[f.learner], "repeat": f.repeat, "fold": f.fold, "stage": f.stage.decode(),
                 "message": f.message.decode()} for f in self._structs("failure", structs.Failure)]

    def _place(self, learner):
        if learner is None and len(self.learners) == 1:
            return 0
        if learner not in self.learners:
            raise Error(f"cannot find learner '{learner}': the result has {', '.join(self.learners)}; name one of them")
        return self.learners.index(learner)

    def predictions(self, learner=None):
        """The Predictions of a learner; `learner` may be left out if there is one. Raises Error if none were kept."""
        place = self._place(learner)
        if self._keep == "none":
            raise Error("cannot give predictions: none were kept; evaluate with keep=\"labels\" or \"probabilities\"")
        got = structs.Predictions()
        library().crossfold_result_predictions(self._handle.pointer, place, ctypes.byref(got))
        return Predictions(self.learners[place], self.dataset, got)

    def confusion(self, learner=None):
        """The Confusion of a learner over all splits. Raises Error in regression."""
        predictions = self.predictions(learner)
        if self.dataset.classes is None:
            raise Error("cannot count a confusion: the target is not categorical")
        none = np.empty(0, np.int64)
        return Confusion(self.dataset.classes, *(none if codes is None else codes
                                                 for codes in (predictions.true_codes, predictions.codes)))

    def compare(self, metric=None, **options):
        """A Comparison of the learners in pairs, by a test that is valid for the splits; the numbers of cf.compare.

        Options: learners (names; default all), control (the learner that the others are compared with), test
        ("corrected_t", "mcnemar", "five_by_two_t", "five_by_two_f"), alpha (0.05), confidence (0.95), rope (0.01 for
        metrics from 0 to 1), adjust ("holm", "bonferroni", "hochberg", "benjamini_hochberg"). `metric` defaults to
        the first one. Raises Error for a test that is not valid."""
        if metric is None and self.metrics:
            metric = self.metrics[0]
        given = {"metric": metric, **options}
        handle = self._context._make("comparison", "result_compare", self._handle.pointer,
                                     json.dumps({k: v for k, v in given.items() if v is not None}).encode())
        return Comparison(handle, self.learners, metric)

    def curve(self, kind, learner=None, *, positive=None, **options):
        """A Curve of a learner: kind "roc", "precision_recall", "det", "calibration", "lift", "cost", "thresholds",
        "reliability" or "decision".

        `positive`: the positive class; default that of the data, else the second of two. Options: aggregation ("pooled" or "vertical", the
        mean of the ROC curves of the splits), repeat and fold (of one split), points, bins, binning, confidence,
        costs, band, score, thresholds, prevalence, grid, interval, samples, seed (docs/curves.md). Raises Error unless
        probabilities were kept."""
        place = self._place(learner)
        given = {"kind": kind, **options}
        if positive is not None:
            names = self.dataset._class_names if self.dataset.classes else []
            given["positive"] = dict(zip(self.dataset.classes or [], names)).get(positive, str(positive))
        handle = self._context._make("curve", "result_curve", self._handle.pointer, place, json.dumps(given).encode())
        drawn = Curve(handle, kind, self.learners[place])
        drawn.positive = dict(zip(self.dataset._class_names, self.dataset.classes))[drawn.positive]
        return drawn

    def report(self, path, title=None):
        """Writes an HTML report of the run in the store to `path`, by the program `crossfold report`. Raises Error
        without a store and without the program."""
        if self._store is None:
            raise Error("cannot write a report: the result has no store; evaluate with store=\"FILE.cfdb\"")
        command = [program(), "report", os.fspath(self._store), "-o", os.fspath(path)]
        if title is not None:
            command += ["--title", title]
        done = subprocess.run(command, text=True, capture_output=True, check=False)
        if done.returncode != 0:
            raise Error(f"cannot write '{os.fspath(path)}': {done.stderr.strip()}", "failed")

    def to_pandas(self, what="scores"):
        """A DataFrame of the "scores", the "summary", the "failures" or the "predictions" of all learners."""
        if what == "scores":
            return table.frame(_SCORES, self.scores())
        if what == "summary":
            return table.frame(_SUMMARY, self.summary())
        if what == "failures":
            return table.frame(_FAILURES, self.failures())
        if what != "predictions":
            raise Error(f"cannot make a DataFrame of '{what}': use scores, summary, failures or predictions")
        rows, more = [], []
        for name in self.learners:
            made = list(self.predictions(name)._dicts())
            more = more or ([key for key in made[0] if key not in _PREDICTIONS] if made else [])
            rows += made
        return table.frame(_PREDICTIONS + more, [{**dict.fromkeys(more), **row} for row in rows])

    def _shown(self):
        titles = [m if c is None else f"{m} ({c})" for m, c in self.metric_classes.items()]
        columns = ["learner"] + [f"{m} {part}" for m in titles for part in ("mean", "sd")]
        rows = {name: [name] for name in self.learners}
        for row in self.summary():
            rows[row["learner"]] += [row["mean"], row["sd"]]
        return columns, list(rows.values())

    def _caption(self):
        n_splits = self._sizes["score"] // max(1, len(self.metrics) * len(self.learners))
        text = f"{self.dataset.name}: {self.dataset.n_rows} rows, {n_splits} splits" if self.metrics else \
            f"{self.dataset.name}: {self.dataset.n_rows} rows"
        if self._sizes["failure"]:
            text += f"; failed cells: {self._sizes['failure']}"
        return text + (f"; cells that did not run: {self.n_cancelled}" if self.n_cancelled else "")

    def __repr__(self):
        return self._caption() + "\n" + table.text(*self._shown())

    def _repr_html_(self):
        return table.as_html(*self._shown(), caption=self._caption())
