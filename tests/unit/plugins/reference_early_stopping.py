#!/usr/bin/env python3
"""Early stopping by XGBoost's own Python package, for xgboost_test.cpp.

Rows i with i % 5 == 0 validate, the others train; all settings but these are the plugin's. Run it
in the root of the sources. Debian 12: python3-xgboost 1.7.4.
"""
import csv

import numpy
import xgboost


def read(name, target):
    with open("scripts/data/" + name) as file:
        rows = list(csv.DictReader(file))
    features = [column for column in rows[0] if column != target]
    x = numpy.array([[float(row[f]) for f in features] for row in rows], dtype=numpy.float32)
    return x, [row[target] for row in rows]


def show(name, target, objective, **settings):
    x, labels = read(name, target)
    if objective == "reg:squarederror":
        y = numpy.array([float(label) for label in labels])
    else:
        names = sorted(set(labels))
        y = numpy.array([names.index(label) for label in labels])
    held = numpy.arange(len(y)) % 5 == 0
    train = xgboost.DMatrix(x[~held], label=y[~held])
    validation = xgboost.DMatrix(x[held], label=y[held])
    params = {"objective": objective, "max_depth": 6, "eta": 0.3, "tree_method": "hist", "max_bin": 256,
              "nthread": 1, **settings}
    if objective == "multi:softprob":
        params["num_class"] = len(set(labels))
    if objective == "reg:squarederror":
        params["base_score"] = float(y[~held].mean())
    log = {}
    booster = xgboost.train(params, train, num_boost_round=500, evals=[(validation, "validation")],
                            early_stopping_rounds=5, evals_result=log, verbose_eval=False)
    p = booster.predict(validation, iteration_range=(0, booster.best_iteration + 1))
    metric = next(iter(log["validation"]))
    print(name, settings, "rounds:", booster.best_iteration + 1, metric, booster.best_score,
          "tried:", len(log["validation"][metric]), "first:", [float(v) for v in p.flatten()[:3]])


show("breast_cancer.csv", "class", "binary:logistic")
show("breast_cancer.csv", "class", "binary:logistic", eta=0.1, max_depth=3)
show("iris.csv", "class", "multi:softprob", eta=0.1)
show("diabetes_regr.csv", "target", "reg:squarederror", eta=0.05, max_depth=3)
