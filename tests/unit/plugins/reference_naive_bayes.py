# The numbers of naive_bayes_kinds_test.cpp: python3 reference_naive_bayes.py, in scripts/data, with
# scikit-learn 1.2.1 and scipy. Rows 1, 3, 5 ... are trained on, the others predicted.
import csv

import numpy as np
from scipy.stats import norm
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB


def load(name):
    rows = list(csv.reader(open(name)))[1:]
    return np.array([[float(v) for v in r[:-1]] for r in rows]), np.array([r[-1] for r in rows])


def report(name, probabilities, y, rows):
    classes = np.unique(y)
    test = np.arange(len(y)) % 2 == 0
    p = probabilities[test]
    correct = (classes[p.argmax(axis=1)] == y[test]).sum()
    squares = float((p**2).sum())
    ranks = float((p * np.arange(1, p.shape[1] + 1)).sum())
    print(name, "correct", correct, "sum of ranks", repr(ranks), "of squares", repr(squares))
    for r in rows:
        print("   row", r, [float(v) for v in probabilities[r]])


def sklearn_report(name, model, X, y, rows=()):
    train = np.arange(len(y)) % 2 == 1
    report(name, model.fit(X[train], y[train]).predict_proba(X), y, rows)


def nrd0(v):  # R's bw.nrd0
    iqr = np.percentile(v, 75) - np.percentile(v, 25)
    low = min(v.std(ddof=1), iqr / 1.34) if iqr > 0 else v.std(ddof=1)
    return 0.9 * low * len(v) ** -0.2


def kernel_report(name, rule, X, y, rows):
    train = np.arange(len(y)) % 2 == 1
    scores = np.zeros((len(y), len(np.unique(y))))
    for c, label in enumerate(np.unique(y)):
        for j in range(X.shape[1]):
            v = X[train & (y == label), j]
            h = max(rule(v), 1e-3 * X[train, j].std())
            density = norm.pdf(X[:, j][:, None], v[None, :], h).mean(axis=1)
            scores[:, c] += np.log(density + 1e-320)
        scores[:, c] += np.log((y[train] == label).mean())
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    report(name, p / p.sum(axis=1, keepdims=True), y, rows)


X, y = load("iris.csv")
sklearn_report("iris normal", GaussianNB(), X, y, [50, 70, 106, 134])
kernel_report("iris range", lambda v: (v.max() - v.min()) / np.sqrt(len(v)), X, y, [70, 106, 134])
kernel_report("iris inverse_root", lambda v: 1 / np.sqrt(len(v)), X, y, [70, 106, 134])
kernel_report("iris silverman", nrd0, X, y, [70, 106, 134])
X, y = load("wine.csv")
sklearn_report("wine normal", GaussianNB(), X, y, [60, 70, 84])
X, y = load("breast_cancer.csv")
sklearn_report("breast_cancer normal", GaussianNB(), X, y, [40, 86])
X, y = load("digits.csv")
sklearn_report("digits normal", GaussianNB(), X, y)
sklearn_report("digits multinomial", MultinomialNB(), X, y)
sklearn_report("digits multinomial 0.25", MultinomialNB(alpha=0.25), X, y)
sklearn_report("digits > 8 bernoulli", BernoulliNB(), (X > 8).astype(float), y)
sklearn_report("digits categorical", CategoricalNB(min_categories=17), X.astype(int), y)
