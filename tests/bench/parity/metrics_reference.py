#!/usr/bin/env python3
"""Metrics of scikit-learn on random cases, for the tests of the bundled metrics.

usage: metrics_reference.py labels > tests/unit/plugins/reference_label_metrics.csv
       metrics_reference.py regression > tests/unit/plugins/reference_regression_metrics.csv
A second argument is the seed of other cases, which are all written. Without it those of the 120 are
written that show something: every setting of every metric occurs with every kind of weights, with and
without a class that is missing, with every offset of the values, with odd and even numbers of rows, and
with a largest error of small weight.

The stored files were written with scikit-learn 1.2.1, numpy 1.24.2 and scipy 1.10.1 (Debian 12).
A case is a line "case,<task>,<number of classes or 0>", then "truth,...", "predicted,...", for
probabilities "probabilities,..." (row by row), if there are any "weights,...", and then the metrics,
"metric,<name>,<parameters>,<value>", where parameters are "name=value" joined by ";". Where
scikit-learn warns that a value is undefined and puts a 0 or 1 in its place, there is no line.
"""
import sys
import warnings

import numpy as np
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

from telling_cases import lines_of, telling_cases

CASES = 120


def line(*fields):
    print(",".join(f if isinstance(f, str) else repr(f) for f in fields))


def value_of(score, *args, **kwargs):
    """The value, or None where scikit-learn warns (or divides by zero)."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            value = score(*args, **kwargs)
        except (UndefinedMetricWarning, RuntimeWarning, UserWarning):
            return None
    return float(value) if np.isfinite(value) else None


def metric(name, params, value):
    if value is not None:
        line("metric", name, ";".join(f"{k}={v}" for k, v in params.items()), value)


def data(task, n_classes, truth, predicted, weights):
    line("case", task, n_classes)
    line("truth", *truth.tolist())
    line("predicted", *predicted.tolist())
    if weights is not None:
        line("weights", *weights.tolist())


def random_weights(rng, n):
    kind = rng.integers(3)
    if kind == 0:
        return None
    return rng.integers(0, 4, n).astype(float) if kind == 1 else rng.uniform(0.1, 3, n)


def averages(truth, predicted, w, k):
    """Precision, recall, F and Jaccard of one class and in all averages."""
    classes = list(range(k))
    scores = {
        "precision": (sk.precision_score, {}),
        "recall": (sk.recall_score, {}),
        "f1": (sk.f1_score, {}),
        "f_beta": (lambda *a, **b: sk.fbeta_score(*a, beta=2, **b), {"beta": 2}),
        "jaccard": (sk.jaccard_score, {}),
    }
    for name, (score, params) in scores.items():
        for average in ("macro", "micro", "weighted"):
            metric(name, params | {"average": average},
                   value_of(score, truth, predicted, labels=classes, average=average,
                            sample_weight=w, zero_division="warn"))
        for c in classes:
            metric(name, params | {"positive": chr(ord("A") + c)},
                   value_of(score, truth, predicted, labels=[c], average="macro",
                            sample_weight=w, zero_division="warn"))


def label_case(rng):
    k = int(rng.integers(2, 6))
    n = int(rng.integers(4, 40))
    present = rng.choice(k, size=int(rng.integers(1, k + 1)), replace=False)  # may lack classes
    truth = rng.choice(present if rng.random() < 0.3 else k, size=n)
    predicted = np.where(rng.random(n) < 0.5, truth, rng.integers(0, k, n))
    w = random_weights(rng, n)
    data("labels", k, truth, predicted, w)
    metric("accuracy", {}, value_of(sk.accuracy_score, truth, predicted, sample_weight=w))
    metric("error_rate", {}, value_of(sk.zero_one_loss, truth, predicted, sample_weight=w))
    averages(truth, predicted, w, k)
    seen = truth if w is None else truth[w > 0]
    varies = len(set(seen)) > 1 and len(set(predicted if w is None else predicted[w > 0])) > 1
    if set(seen) == set(range(k)):
        metric("balanced_accuracy", {},
               value_of(sk.balanced_accuracy_score, truth, predicted, sample_weight=w))
    else:
        recalls = sk.recall_score(truth, predicted, labels=sorted(set(seen)), average=None,
                                  sample_weight=w)
        metric("balanced_accuracy", {"skip_undefined": "true"}, float(np.mean(recalls)))
    if varies:  # else scikit-learn gives 0 without a warning
        metric("matthews_correlation", {},
               value_of(sk.matthews_corrcoef, truth, predicted, sample_weight=w))
    for weighting in (None, "linear", "quadratic"):
        metric("cohen_kappa", {"weighting": weighting or "none"},
               value_of(sk.cohen_kappa_score, truth, predicted, labels=list(range(k)),
                        weights=weighting, sample_weight=w))
    if k == 2 and set(seen) == {0, 1}:
        plus, minus = sk.class_likelihood_ratios(truth, predicted, labels=[0, 1], sample_weight=w,
                                                 raise_warning=False)
        metric("positive_likelihood_ratio", {}, float(plus) if np.isfinite(plus) else None)
        metric("negative_likelihood_ratio", {}, float(minus) if np.isfinite(minus) else None)


def regression_case(rng):
    n = int(rng.integers(3, 30))
    offset = float(rng.choice([0, 0, 100, 1e6]))
    truth = rng.normal(offset, rng.choice([0.1, 1, 50]), n)
    predicted = truth + rng.normal(rng.normal(), rng.choice([0.1, 1, 30]), n)
    w = None if rng.random() < 0.4 else rng.uniform(0.1, 3, n)
    data("regression", 0, truth, predicted, w)
    scores = {
        "mse": sk.mean_squared_error,
        "mae": sk.mean_absolute_error,
        "mape": sk.mean_absolute_percentage_error,
        "r2": sk.r2_score,
        "explained_variance": sk.explained_variance_score,
    }
    for name, score in scores.items():
        metric(name, {}, value_of(score, truth, predicted, sample_weight=w))
    metric("rmse", {}, value_of(sk.mean_squared_error, truth, predicted, sample_weight=w,
                                squared=False))
    for quantile in (0.1, 0.5, 0.8):
        metric("pinball", {"quantile": quantile},
               value_of(sk.mean_pinball_loss, truth, predicted, sample_weight=w, alpha=quantile))
    if w is None:  # its weighted median is the lower one, ours the mean of the two in the middle
        metric("median_absolute_error", {}, value_of(sk.median_absolute_error, truth, predicted))
    metric("max_error", {}, value_of(sk.max_error, truth, predicted))


def situations_of(lines):
    fields = [text.split(",") for text in lines]
    rows = {f[0]: [float(v) for v in f[1:]] for f in fields if f[0] in ("truth", "predicted", "weights")}
    weights = rows.get("weights", [1] * len(rows["truth"]))
    kind = "weights" in rows and (0 in weights or all(w % 1 == 0 for w in weights)) + 1
    n_classes = int(fields[0][2])
    if n_classes == 0:
        offset, odd = np.searchsorted([60, 1e5], np.mean(rows["truth"])), len(weights) % 2
        worst = np.argmax(np.abs(np.subtract(rows["truth"], rows["predicted"])))
        found = {(f[1], f[2], x) for f in fields if f[0] == "metric" for x in ((kind, offset), odd)}
        return found | {("weight of the largest error", weights[worst] < 0.3)}
    lacks = tuple(len({c for c, w in zip(rows[r], weights) if w > 0}) < n_classes
                  for r in ("truth", "predicted"))
    found = {n_classes}
    for _, name, params, *_ in (f for f in fields if f[0] == "metric"):
        found |= {(name, params, kind), (name, params.split("positive")[0], lacks)}
    return found


def main():
    rng = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 20260105)
    case = {"labels": label_case, "regression": regression_case}[sys.argv[1]]
    cases = [lines_of(case, rng) for _ in range(CASES)]
    print(*(sum(cases, []) if len(sys.argv) > 2 else telling_cases(cases, situations_of)), sep="\n")


main()
