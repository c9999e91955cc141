"""Prints the numbers of scikit-learn that decision_tree_test.cpp expects.

usage: python3 reference_trees.py FOLDER   (with iris.csv, wine.csv, breast_cancer.csv, digits.csv
and diabetes_regr.csv; made with scikit-learn 1.2.1, numpy 1.24)
Every line is a set over 20 random states: where it has one member, no tie matters.
"""
import csv
import sys

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor


def load(name, target, number=str):
    with open(f"{sys.argv[1]}/{name}.csv", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    t = header.index(target)
    x = np.array([[float(v) for i, v in enumerate(row) if i != t] for row in rows])
    return x, np.array([number(row[t]) for row in rows])


def wrong_odd_rows(x, y, criterion, seed):
    i = np.arange(len(y))
    even = i % 2 == 0
    tree = DecisionTreeClassifier(criterion=criterion, random_state=seed, max_depth=4,
                                  min_samples_leaf=5).fit(x[even], y[even])
    wrong = tree.predict(x[~even]) != y[~even]
    return tuple(int(row) for row in i[~even][wrong])


for name in ("iris", "wine", "breast_cancer", "digits"):
    x, y = load(name, "class")
    for criterion in ("gini", "entropy"):
        rows = {wrong_odd_rows(x, y, criterion, seed) for seed in range(20)}
        leaves = {DecisionTreeClassifier(criterion=criterion, random_state=seed).fit(x, y)
                  .get_n_leaves() for seed in range(20)}
        print(name, criterion, "leaves", leaves, "wrong", sorted(map(len, rows)),
              rows if len(min(rows)) < 50 else "")

x, y = load("breast_cancer", "class")
for alpha in (0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.4):
    print("ccp_alpha", alpha, *[
        {DecisionTreeClassifier(criterion=c, random_state=seed, ccp_alpha=alpha).fit(x, y)
         .get_n_leaves() for seed in range(20)} for c in ("gini", "entropy")])

x, y = load("diabetes_regr", "target", float)
print("regression", *DecisionTreeRegressor(random_state=0, max_depth=3).fit(x, y).predict(x[:8]))
for alpha in (10, 50, 200):
    print("ccp_alpha", alpha, {DecisionTreeRegressor(random_state=seed, ccp_alpha=alpha).fit(x, y)
                               .get_n_leaves() for seed in range(20)})
