#!/usr/bin/python3
"""Naive Bayes across folds, Crossfold beside scikit-learn, in one run: prints a table in Markdown.

usage: /usr/bin/python3 naive_bayes_speed.py NAIVE_BAYES_BENCH DATA_FOLDER [ROUNDS]

Both predict labels, with one thread and folds of the same sizes; letter and spam are the same
tables, the numbers are 100,000 x 20 random normal ones on both sides. Times are processor times,
the least of the rounds, which take turns. scikit-learn's leave-one-out is timed on 20 of its folds
and multiplied; Crossfold does all of it. Crossfold's times are those of the plugin's cross_predict,
and of its prepare for ten calls, alone: without the splits and the scores of the host.
"""
import csv
import json
import os
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

SAMPLED_FOLDS = 20


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    x = np.array([[float(entry) for entry in row[:-1]] for row in rows])
    return x, np.array([row[-1] for row in rows])


def fit_predict(x, y, train, test, smoothing=0):
    GaussianNB(var_smoothing=smoothing).fit(x[train], y[train]).predict(x[test])


def seconds(body):
    start = time.process_time()
    body()
    return time.process_time() - start


def ten_times_ten_folds(x, y):
    def all_folds():
        for repeat in range(10):
            for train, test in KFold(10, shuffle=True, random_state=repeat).split(x):
                fit_predict(x, y, train, test)
    return seconds(all_folds)


def leave_one_out(x, y, smoothing=0):
    everything = np.arange(len(y))

    def some_folds():
        for i in range(SAMPLED_FOLDS):
            fit_predict(x, y, np.delete(everything, i), [i], smoothing)
    return seconds(some_folds) / SAMPLED_FOLDS * len(y)


def smoothed_leave_one_out(x, y):
    return leave_one_out(x, y, smoothing=1e-9)


def crossfold(program, name):
    text = subprocess.run([program, "--benchmark_filter=^" + name + "$", "--benchmark_format=json"],
                          check=True, capture_output=True, text=True).stdout
    return json.loads(text)["benchmarks"][0]["cpu_time"] / 1000


def main():
    program, folder = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    random = np.random.default_rng(1)
    labels = random.integers(0, 2, 100_000)
    numbers = random.normal(size=(100_000, 20)) + 0.1 * labels[:, None], labels
    letter, spam = (read(os.path.join(folder, name)) for name in ("letter.csv", "spam.csv"))
    cases = [("LetterTenTimesTenFolds", ten_times_ten_folds, letter),
             ("NumbersTenTimesTenFolds", ten_times_ten_folds, numbers),
             ("SpamLeaveOneOut", leave_one_out, spam),
             ("SpamLeaveOneOutSmoothed", smoothed_leave_one_out, spam),
             ("NumbersLeaveOneOut", leave_one_out, numbers),
             ("NumbersLeaveOneOutSmoothed", smoothed_leave_one_out, numbers)]
    print("| case | Crossfold, s | scikit-learn, s | ratio |")
    print("|---|---|---|---|")
    for name, scikit_learn, data in cases:
        times = [(crossfold(program, name), scikit_learn(*data)) for _ in range(rounds)]
        ours, theirs = (min(column) for column in zip(*times))
        print(f"| {name} | {ours:.4f} | {theirs:.3f} | {theirs / ours:.0f} |", flush=True)


main()
