"""Numbers of curve tests by scikit-learn 1.2.1: /usr/bin/python3 reference_curves.py"""
import warnings
import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.metrics import (auc, average_precision_score, det_curve, precision_recall_curve,
                             roc_auc_score, roc_curve)
warnings.simplefilter("ignore")
rng = np.random.default_rng(20)
n = 20
s = rng.integers(1, 10, n) / 10  # many ties
y = (rng.random(n) < s).astype(int)
w = rng.integers(1, 5, n) / 2


def show(name, values):
    print(name, "{" + ", ".join(repr(float(v)) for v in values) + "}")


show("s", s)
show("y", y)
show("w", w)
for name, weights in (("unweighted", None), ("weighted", w)):
    print(name)
    fpr, tpr, thresholds = roc_curve(y, s, sample_weight=weights, drop_intermediate=False)
    show("fpr", fpr), show("tpr", tpr), show("thresholds", thresholds[1:])
    print("auc", roc_auc_score(y, s, sample_weight=weights))
    precision, recall, _ = precision_recall_curve(y, s, sample_weight=weights)
    # Rising thresholds, and a point (0, 1) at the end that has no threshold.
    show("precision", precision[:-1][::-1]), show("recall", recall[:-1][::-1])
    print("ap", average_precision_score(y, s, sample_weight=weights))
    fpr, fnr, thresholds = det_curve(y, s, sample_weight=weights)
    show("det fpr", fpr), show("det fnr", fnr), show("det thresholds", thresholds)

# reliability_curve_test.cpp: the parts of the Brier score and of the log loss by isotonic regression.
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

for name, weights in (("unweighted", None), ("weighted", w)):
    f = IsotonicRegression(y_min=0, y_max=1).fit(s, y, sample_weight=weights).predict(s)
    constant = np.full(n, np.average(y, weights=weights))
    for score, loss in (("brier", brier_score_loss), ("log", lambda *a, **k: log_loss(*a, **k, eps=1e-300))):
        of = lambda p: loss(y, p, sample_weight=weights)
        print("reliability", name, score, of(s), of(s) - of(f), of(constant) - of(f), of(constant))
    show("recalibrated", [f[s == v][0] for v in np.unique(s)])

# 200 rows for 5 and 10 bins.
i = np.arange(200)
s = (i * 37 % 101) / 100
y = ((i * 53 % 97) / 97 < s).astype(int)
for strategy, bins in (("uniform", 5), ("quantile", 10)):
    observed, predicted = calibration_curve(y, s, n_bins=bins, strategy=strategy)
    print(strategy)
    show("observed", observed), show("predicted", predicted)
