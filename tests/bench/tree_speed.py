#!/usr/bin/python3
"""The grids and the learning curve of tree_bench, there and in scikit-learn, in one run.

usage: /usr/bin/python3 tree_speed.py TREE_BENCH DATA_FOLDER [ROUNDS]

Both programs run in turn, one thread each; times are processor times, the least of the rounds.
Folds, settings and subset sizes are the same; scikit-learn breaks ties between features by its own
draws, so the correct predictions that both print agree only nearly.
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
from sklearn.tree import DecisionTreeClassifier

FOLDS = 10
DEPTHS = (2, 4, 6, 8, 12, None)
LEAF_SIZES = (1, 2, 5, 10)
CRITERIA = ("gini", "entropy")


def read(folder, name):
    with open(os.path.join(folder, name + ".csv"), newline="") as file:
        rows = list(csv.reader(file))[1:]
    x = np.array([row[:-1] for row in rows], dtype=np.float32)
    return x, np.array([row[-1] for row in rows])


def grid(x, y):
    fold = np.arange(len(y)) % FOLDS
    correct = 0
    for k in range(FOLDS):
        train, test = fold != k, fold == k
        for leaf in LEAF_SIZES:
            for criterion in CRITERIA:
                for depth in DEPTHS:
                    tree = DecisionTreeClassifier(criterion=criterion, max_depth=depth,
                                                  min_samples_leaf=leaf, random_state=0)
                    tree.fit(x[train], y[train])
                    correct += int((tree.predict(x[test]) == y[test]).sum())
    return correct


def subsets(n_rows):
    random = np.random.RandomState(1)
    for _ in range(20):
        rows = random.permutation(n_rows)
        for size in range(1, 11):
            yield np.sort(rows[:size * n_rows * 9 // 100])


def learning_curve(x, y, rows_of_fits):
    for train in rows_of_fits:
        DecisionTreeClassifier(random_state=0).fit(x[train], y[train])
    return 0


def crossfold(program, folder, benchmark):
    environment = dict(os.environ, CROSSFOLD_BENCH_LARGE_DATA=folder)
    out = subprocess.run([program, "--benchmark_filter=^" + benchmark + "$",
                          "--benchmark_min_time=0.01", "--benchmark_format=json"],
                         env=environment, check=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    result = json.loads(out)["benchmarks"][0]
    return result["cpu_time"] / 1000, int(result.get("correct", 0))


def main():
    program, folder = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    letter, spam = read(folder, "letter"), read(folder, "spam")
    rows_of_fits = list(subsets(len(letter[1])))
    tasks = (("Grid/letter", lambda: grid(*letter)), ("Grid/spam", lambda: grid(*spam)),
             ("LearningCurve", lambda: learning_curve(*letter, rows_of_fits)))
    print("| task | Crossfold, s | scikit-learn, s | ratio | correct |")
    print("|---|---|---|---|---|")
    for name, run in tasks:
        ours, theirs = [], []
        for _ in range(rounds):
            seconds, correct = crossfold(program, folder, name)
            ours.append(seconds)
            start = time.process_time()
            their_correct = run()
            theirs.append(time.process_time() - start)
        print(f"| {name} | {min(ours):.3f} | {min(theirs):.3f} | {min(theirs) / min(ours):.1f} | "
              f"{correct}, {their_correct} |", flush=True)


if __name__ == "__main__":
    main()
