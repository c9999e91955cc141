#!/usr/bin/env python3
"""Prints the numbers that knn_test.cpp expects of mahalanobis and gower.

usage: /usr/bin/python3 reference_knn.py FOLDER_WITH_DATA     (numpy 1.24.2, scikit-learn 1.2.1)
Folds: row i belongs to fold i mod 10. k = 5.
"""
import csv
import sys

import numpy as np
from sklearn.neighbors import KNeighborsClassifier


def read(folder, name):
    with open(f"{folder}/{name}", newline="") as f:
        return list(csv.DictReader(f))


def mahalanobis(folder):
    rows = read(folder, "wine.csv")
    x = np.array([[float(v) for k, v in r.items() if k != "class"] for r in rows])
    y = np.array([r["class"] for r in rows])
    squares, correct = 0.0, 0
    for fold in range(10):
        test = np.arange(len(y)) % 10 == fold
        inverse = np.linalg.inv(np.cov(x[~test].T))
        knn = KNeighborsClassifier(5, algorithm="brute", metric="mahalanobis",
                                   metric_params={"VI": inverse}, weights="distance")
        knn.fit(x[~test], y[~test])
        squares += (knn.predict_proba(x[test]) ** 2).sum()
        correct += (knn.predict(x[test]) == y[test]).sum()
    print("mahalanobis", correct, repr(squares))


def gower(folder):
    rows = read(folder, "penguins.csv")
    names = [n for n in rows[0] if n != "species"]
    nominal = {"island", "sex"}
    missing = {"", "?", "NA"}
    correct, squares = 0, 0.0
    for fold in range(10):
        train = [r for i, r in enumerate(rows) if i % 10 != fold]
        spans = {}
        for n in set(names) - nominal:
            known = [float(r[n]) for r in train if r[n] not in missing]
            spans[n] = max(known) - min(known)
        for i, row in enumerate(rows):
            if i % 10 != fold:
                continue
            distances = []
            for j, other in enumerate(rows):
                if j % 10 == fold:
                    continue
                both = [n for n in names if row[n] not in missing and other[n] not in missing]
                parts = [float(row[n] != other[n]) if n in nominal
                         else abs(float(row[n]) - float(other[n])) / spans[n] for n in both]
                distances.append((sum(parts) / len(parts), j))
            nearest = sorted(distances)[:5]
            votes = {}
            for d, j in nearest:
                weight = 1 / d if nearest[0][0] > 0 else float(d == 0)
                votes[rows[j]["species"]] = votes.get(rows[j]["species"], 0) + weight
            total = sum(votes.values())
            squares += sum((v / total) ** 2 for v in votes.values())
            best = max(sorted(votes), key=lambda c: votes[c])
            correct += best == row["species"]
    print("gower", correct, repr(squares))


mahalanobis(sys.argv[1])
gower(sys.argv[1])
