#!/usr/bin/python3
"""Values of scikit-learn for the tests of probability_metrics and ranking_metrics.

usage: score_metrics_reference.py > tests/unit/plugins/reference_score_metrics.csv
An argument is the seed of other cases, which are all written. Without it those of the 205 are written
that show something: every setting of every metric occurs with every number of classes, with and without
weights, defined and not, and with missing classes, tied probabilities, weights of 0 and two
thresholds whose error rates differ equally.

The stored file was written with scikit-learn 1.2.1 and numpy 1.24.2 (Debian 12). Lines:
  case,NUMBER OF CLASSES,weighted or plain
  row,TRUE CLASS,WEIGHT,PROBABILITY OF EACH CLASS
  value,METRIC,PARAMETERS,VALUE or undefined
Where scikit-learn has no such metric (Brier score of several classes and its parts, equal error rate,
lift, calibration error), the value is counted here with fractions, that is without rounding, and by
another way than in the plugins. A ranking is undefined if a class has no row that counts;
scikit-learn raises an error, leaves the class out or divides by zero there.
"""
import random
import sys
import warnings
from fractions import Fraction

import numpy as np
from sklearn import metrics

from telling_cases import lines_of, telling_cases

CASES = 205


def draw_case(rng):
    """Truth, weights (or None) and probabilities in `steps`ths: few steps give many ties."""
    k = rng.choice([2, 2, 3, 3, 4])
    n = rng.randint(3, 16)
    steps = rng.choice([4, 10, 64, 1000])
    present = list(range(k)) if rng.random() < 0.85 else sorted(rng.sample(range(k), k - 1))
    y = [rng.choice(present) for _ in range(n)]
    p = []
    for c in y:
        cuts = sorted(rng.randint(0, steps) for _ in range(k - 1))
        parts = [b - a for a, b in zip([0] + cuts, cuts + [steps])]
        if rng.random() < 0.6:  # better than chance
            top = parts.index(max(parts))
            parts[c], parts[top] = parts[top], parts[c]
        p.append([Fraction(part, steps) for part in parts])
    w = None
    if rng.random() < 0.5:
        w = [Fraction(rng.choice([0, 1, 2, 3, 4, 6, 9]), rng.choice([1, 4])) for _ in range(n)]
        w[rng.randrange(n)] = Fraction(1)
    return k, y, w, p


def roc_points(y, s, w):
    """False and true positive rates as fractions, from the highest threshold."""
    pos = sum(v for v, c in zip(w, y) if c)
    neg = sum(v for v, c in zip(w, y) if not c)
    points = [(Fraction(0), Fraction(0))]
    for t in sorted({x for x, v in zip(s, w) if v > 0}, reverse=True):
        fp = sum(v for v, c, x in zip(w, y, s) if not c and x >= t)
        tp = sum(v for v, c, x in zip(w, y, s) if c and x >= t)
        points.append((fp / neg, tp / pos))
    return points


def crossing(a, b):
    """False positive rate where the line from a to b meets FPR = 1 - TPR; None = nowhere."""
    da, db = a[0] + a[1] - 1, b[0] + b[1] - 1
    if da * db > 0 or da == db:
        return None
    return a[0] + (b[0] - a[0]) * (-da) / (db - da)


def eer(y, s, w, convention):
    points = roc_points(y, s, w)
    if convention == "nearest":
        f, t = min(points, key=lambda q: abs(q[0] + q[1] - 1))
        return (f + 1 - t) / 2
    pairs = list(zip(points, points[1:]))
    if convention == "hull":  # the best of all lines between two points
        pairs = [(a, b) for i, a in enumerate(points) for b in points[i + 1:]]
    return min(x for x in (crossing(a, b) for a, b in pairs) if x is not None)


def lift(y, s, w, share):
    """Every row lies in the top by the part of its tie that does."""
    total, top = sum(w), share * sum(w)
    hit = Fraction(0)
    for x, c, v in zip(s, y, w):
        above = sum(u for z, u in zip(s, w) if z > x)
        tie = sum(u for z, u in zip(s, w) if z == x)
        if c and tie > 0:
            hit += v * min(max((top - above) / tie, Fraction(0)), Fraction(1))
    return (hit / top) / (sum(v for v, c in zip(w, y) if c) / total)


def brier_parts(y, p, w, k, bins):
    """Calibration and refinement over all classes, a sum."""
    calibration = refinement = Fraction(0)
    for c in range(k):
        groups = {}
        for t, row, v in zip(y, p, w):
            key = row[c] if bins is None else max(-((-row[c] * bins) // 1), 1)
            groups.setdefault(key, []).append((row[c], t == c, v))
        for rows in groups.values():
            weight = sum(v for _, _, v in rows)
            if weight == 0:
                continue
            forecast = sum(v * x for x, _, v in rows) / weight
            frequency = sum(v for _, hit, v in rows if hit) / weight
            calibration += weight * (forecast - frequency) ** 2
            refinement += weight * frequency * (1 - frequency)
    return calibration / sum(w), refinement / sum(w)


def calibration_errors(rows, bins, quantile):
    """Expected and maximal error of rows (confidence, came true, weight)."""
    total = sum(v for _, _, v in rows)
    groups = {}
    for x, hit, v in rows:
        if quantile:
            below = sum(u for z, _, u in rows if z < x)
            key = min(below * bins // total, bins - 1)
        else:
            key = max(-((-x * bins) // 1), 1)
        groups.setdefault(key, []).append((x, hit, v))
    gaps = []
    for group in groups.values():
        weight = sum(v for _, _, v in group)
        if weight > 0:
            gaps.append((abs(sum(v * (hit - x) for x, hit, v in group)) / weight, weight))
    return sum(g * v for g, v in gaps) / total, max(g for g, _ in gaps)


def report(name, params, value):
    text = "undefined" if value is None else repr(float(value))
    print(f"value,{name},{params},{text}")


def report_binary(y, s, w, params):
    """Rankings of one class (y true or false). `w` are fractions."""
    both = any(v and c for v, c in zip(w, y)) and any(v and not c for v, c in zip(w, y))

    def add(name, more, value):
        text = ";".join(part for part in (params, more) if part)
        report(name, text, value() if both else None)

    yf, sf = np.array(y, int), np.array(s, float)
    wf = np.array(w, float)
    keep = wf > 0

    def trapezoid():
        precision, recall, _ = metrics.precision_recall_curve(yf[keep], sf[keep],
                                                              sample_weight=wf[keep])
        return metrics.auc(recall, precision)

    add("roc_auc", "", lambda: metrics.roc_auc_score(yf, sf, sample_weight=wf))
    add("average_precision", "", lambda: metrics.average_precision_score(yf, sf, sample_weight=wf))
    add("pr_auc", "interpolation=trapezoid", trapezoid)
    for convention in ("interpolate", "nearest", "hull"):
        add("equal_error_rate", f"convention={convention}", lambda: eer(y, s, w, convention))
    for share in (Fraction(1, 4), Fraction(5, 8)):
        add("lift", f"share={float(share)}", lambda: lift(y, s, w, share))


def report_averages(y, p, weights, k):
    w = weights or [Fraction(1)] * len(y)
    every = all(any(v and c == t for v, t in zip(w, y)) for c in range(k))
    yf, pf, wf = np.array(y), np.array(p, float), np.array(w, float)
    hot = np.eye(k, dtype=int)[yf]
    for average in ("macro", "weighted"):
        report("roc_auc", f"average=ovr_{average}", metrics.roc_auc_score(
            yf, pf, multi_class="ovr", average=average, sample_weight=wf) if every else None)
        report("average_precision", f"average=ovr_{average}", metrics.average_precision_score(
            hot, pf, average=average, sample_weight=wf) if every else None)
        if weights is None:
            report("roc_auc", "average=ovo" + ("_weighted" if average == "weighted" else ""),
                   metrics.roc_auc_score(yf, pf, multi_class="ovo", average=average)
                   if every else None)


def report_probabilities(y, p, w, k):
    yf, pf, wf = np.array(y), np.array(p, float), np.array(w, float)
    labels = list(range(k))
    report("log_loss", "", metrics.log_loss(yf, pf, labels=labels, eps=1e-15, sample_weight=wf))
    if k == 2:
        report("brier", "", metrics.brier_score_loss(yf, pf[:, 1], sample_weight=wf, pos_label=1))
    total = sum(v * sum((x - (c == t)) ** 2 for c, x in enumerate(row))
                for t, row, v in zip(y, p, w)) / sum(w)
    report("brier", "scale=sum", total)
    calibration, refinement = brier_parts(y, p, w, k, None)
    assert calibration + refinement == total
    report("brier_calibration", "scale=sum", calibration)
    report("brier_refinement", "", refinement / 2)
    calibration, refinement = brier_parts(y, p, w, k, 3)
    report("brier_calibration", "bins=3", calibration / 2)
    report("brier_refinement", "bins=3;scale=sum", refinement)
    for top in range(1, k if k > 2 else 1):
        report("top_k_accuracy", f"k={top}", metrics.top_k_accuracy_score(
            yf, pf, k=top, labels=labels, sample_weight=wf))
    rows = [(max(row), row.index(max(row)) == t, v) for t, row, v in zip(y, p, w)]
    for bins, binning in ((3, "uniform"), (3, "quantile")):
        expected, largest = calibration_errors(rows, bins, binning == "quantile")
        report("expected_calibration_error", f"bins={bins};binning={binning}", expected)
        report("max_calibration_error", f"bins={bins};binning={binning}", largest)


def write_case(rng):
    k, y, weights, p = draw_case(rng)
    w = weights or [Fraction(1)] * len(y)
    print(f"case,{k},{'weighted' if weights else 'plain'}")
    for t, row, v in zip(y, p, w):
        print(",".join(["row", str(t), f"{float(v):g}"] + [f"{float(x):g}" for x in row]))
    if k == 2:
        report_binary([t == 1 for t in y], [row[1] for row in p], w, "")
    else:
        report_binary([t == 1 for t in y], [row[1] for row in p], w, "positive=B")
        report_averages(y, p, weights, k)
    report_probabilities(y, p, w, k)


def two_nearest(rows):
    """Whether the rates of errors differ equally at two thresholds; None without a curve."""
    y, s, w = [r[0] == "1" for r in rows], [r[3] for r in rows], [Fraction(r[1]) for r in rows]
    if len({c for c, v in zip(y, w) if v}) < 2:
        return None
    first, second, *_ = sorted(abs(f + t - 1) for f, t in roc_points(y, list(map(float, s)), w))
    return first == second


def situations_of(lines):
    (_, k, weighted), *fields = [text.split(",") for text in lines]
    rows = [f[1:] for f in fields if f[0] == "row"]
    lacks = len({r[0] for r in rows if float(r[1]) > 0}) < int(k)
    ties = len({r[3] for r in rows}) < len(rows)
    zero = any(float(r[1]) == 0 for r in rows)
    return {(f[1], f[2]) + x for f in fields if f[0] == "value"
            for x in ((k, weighted, f[3] == "undefined"), (lacks, ties), (zero,))} | {two_nearest(rows)}


def main():
    warnings.simplefilter("ignore")
    rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 20261121)
    cases = [lines_of(write_case, rng) for _ in range(CASES)]
    print(*(sum(cases, []) if len(sys.argv) > 1 else telling_cases(cases, situations_of)), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
