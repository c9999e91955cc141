# Predictions that scikit-learn 1.2.1 (Debian 12) made, and its scores of them, for predictions_test.lua:
#
#   /usr/bin/python3 tests/scripts/import/scikit_learn.py scripts/data tests/scripts/import
#
# iris: two classifiers by cross_val_predict, on one column of folds; the first 60 rows of diabetes_regr:
# ridge, repeated twice, with the number of the fold. Rows count from 0.
import csv
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import metrics
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import PredefinedSplit, StratifiedKFold, KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB

data, out = Path(sys.argv[1]), Path(sys.argv[2])
scores = []


def classify():
    iris = pd.read_csv(data / "iris.csv")
    X, y = iris.drop(columns="class"), iris["class"]
    fold = np.empty(len(y), dtype=int)
    for f, (_, test) in enumerate(StratifiedKFold(5, shuffle=True, random_state=1).split(X, y)):
        fold[test] = f
    frames = []
    for name, learner in [("gaussian_nb", GaussianNB()), ("logistic", LogisticRegression(max_iter=1000))]:
        p = cross_val_predict(learner, X, y, cv=PredefinedSplit(fold), method="predict_proba")
        label = cross_val_predict(learner, X, y, cv=PredefinedSplit(fold))
        classes = sorted(y.unique())
        frame = pd.DataFrame({"learner": name, "row": range(len(y)), "fold": fold, "y_true": y, "y_pred": label})
        for c, one in enumerate(classes):
            frame["p_" + one] = p[:, c]
        frames.append(frame)
        for f in range(5):
            t = fold == f
            for metric, value in [
                    ("accuracy", metrics.accuracy_score(y[t], label[t])),
                    ("log_loss", metrics.log_loss(y[t], p[t], labels=classes)),
                    ("f1{average=macro}", metrics.f1_score(y[t], label[t], average="macro")),
                    ("roc_auc{average=ovo}", metrics.roc_auc_score(y[t], p[t], multi_class="ovo", labels=classes)),
                    ("matthews_correlation", metrics.matthews_corrcoef(y[t], label[t]))]:
                scores.append(["iris", name, 1, f + 1, metric, repr(float(value))])
    pd.concat(frames).to_csv(out / "iris_scikit_learn.csv", index=False)


def regress():
    frame = pd.read_csv(data / "diabetes_regr.csv").head(60)
    X, y = frame.drop(columns="target"), frame["target"]
    parts = []
    for repeat in range(2):
        for f, (train, test) in enumerate(KFold(4, shuffle=True, random_state=repeat).split(X)):
            value = Ridge(alpha=0.5).fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test])
            parts.append(pd.DataFrame({"row": test, "repeat": repeat, "fold": f, "predicted": value}))
            scores.append(["diabetes", "ridge", repeat + 1, f + 1, "rmse",
                           repr(float(np.sqrt(metrics.mean_squared_error(y.iloc[test], value))))])
            scores.append(["diabetes", "ridge", repeat + 1, f + 1, "r2", repr(float(metrics.r2_score(y.iloc[test], value)))])
    pd.concat(parts).to_csv(out / "diabetes_scikit_learn.csv", index=False)


classify()
regress()
with open(out / "scores_scikit_learn.csv", "w", newline="") as file:
    csv.writer(file, lineterminator="\n").writerows([["dataset", "learner", "repeat", "fold", "metric", "value"]] + scores)
