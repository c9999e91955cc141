#!/usr/bin/python3
"""Area under the ROC curve of many rows: Crossfold against scikit-learn, in turns, one thread.

usage: auc_speed.py BUILD_FOLDER [ROWS] [ROUNDS]

Both score the same rows in memory. Crossfold is timed by bench/auc_speed (ScorePrediction, from
two columns of probabilities), scikit-learn by roc_auc_score(y, s) with y of int64 and s of float64.
Ratios are of each round, so that a loaded machine slows both; "processor" counts only the time that a
process ran.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402
import sklearn  # noqa: E402
from sklearn.metrics import roc_auc_score  # noqa: E402


def make_cases(n):
    rng = np.random.default_rng(20261121)
    y = (rng.random(n) < 0.3).astype(np.int64)
    uniform = rng.random(n)
    better = 1 / (1 + np.exp(-(rng.normal(size=n) + 1.5 * y - 0.75)))
    yield "uniform", y, uniform
    yield "logistic", y, better
    yield "3 decimals", y, np.round(better, 3)
    yield "float32", y, better.astype(np.float32).astype(np.float64)


def time_sklearn(y, s):
    wall, processor = time.perf_counter(), time.process_time()
    value = roc_auc_score(y, s)
    return value, time.perf_counter() - wall, time.process_time() - processor


def summary(numbers):
    return f"{statistics.median(numbers):.3f} ({min(numbers):.3f}-{max(numbers):.3f})"


def main(build, n=10_000_000, rounds=5):
    print(f"scikit-learn {sklearn.__version__}, numpy {np.__version__}, {n} rows, "
          f"{rounds} rounds; median (min-max)")
    with tempfile.TemporaryDirectory() as folder:
        for name, y, s in make_cases(n):
            paths = [os.path.join(folder, "scores"), os.path.join(folder, "labels")]
            s.tofile(paths[0])
            y.astype(np.uint8).tofile(paths[1])
            with subprocess.Popen([os.path.join(build, "bench", "auc_speed")] + paths, text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
                theirs, ours = [], []
                for _ in range(rounds):
                    program.stdin.write("go\n")
                    program.stdin.flush()
                    ours.append([float(x) for x in program.stdout.readline().split()])
                    theirs.append(time_sklearn(y, s))
                program.stdin.close()
            print(f"{name}: values {ours[0][0]!r} and {theirs[0][0]!r}")
            for column, clock in ((1, "wall"), (2, "processor")):
                print(f"  {clock}: Crossfold {summary([r[column] for r in ours])} s, scikit-learn "
                      f"{summary([r[column] for r in theirs])} s, ratio "
                      f"{summary([t[column] / o[column] for t, o in zip(theirs, ours)])}")


if __name__ == "__main__":
    main(sys.argv[1], *[int(a) for a in sys.argv[2:4]])
