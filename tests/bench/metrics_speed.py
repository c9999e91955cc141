#!/usr/bin/python3
"""scikit-learn on what metrics_bench scores: accuracy, error rate, log loss, Brier score and top-2
accuracy of 1,000,000 rows and 10 classes, one thread.

usage: metrics_speed.py BUILD_FOLDER [ROUNDS]

Runs in turns with bench/metrics_bench (TogetherAndOneByOne/as_scikit_learn) and prints both times.
scikit-learn 1.2.1 has no Brier score of several classes; numpy computes it.
"""
import json
import os
import statistics
import subprocess
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402
import sklearn  # noqa: E402
from sklearn import metrics  # noqa: E402

N, K = 1_000_000, 10


def make_matrix():
    rng = np.random.default_rng(1)
    y = rng.integers(0, K, N)
    p = rng.random((N, K))
    p[np.arange(N), y] += 1
    p /= p.sum(axis=1, keepdims=True)
    return y, p, p.argmax(axis=1)


def score(y, p, labels):
    error = p.copy()
    error[np.arange(N), y] -= 1
    return (metrics.accuracy_score(y, labels), metrics.zero_one_loss(y, labels),
            metrics.log_loss(y, p), np.einsum("ij,ij->i", error, error).mean() / 2,
            metrics.top_k_accuracy_score(y, p, k=2))


def time_crossfold(build):
    text = subprocess.run([os.path.join(build, "bench", "metrics_bench"),
                           "--benchmark_filter=as_scikit_learn", "--benchmark_format=json"],
                          check=True, capture_output=True, text=True).stdout
    run = json.loads(text)["benchmarks"][0]
    return run["together_s"], run["single_s"]


def main(build, rounds=3):
    print(f"scikit-learn {sklearn.__version__}, numpy {np.__version__}; median of {rounds} (min-max)")
    matrix = make_matrix()
    theirs, together, single = [], [], []
    for _ in range(rounds):
        start = time.perf_counter()
        score(*matrix)
        theirs.append(time.perf_counter() - start)
        ours = time_crossfold(build)
        together.append(ours[0])
        single.append(ours[1])
    for name, times in (("scikit-learn", theirs), ("Crossfold, one call", together),
                        ("Crossfold, a call each", single)):
        print(f"{name}: {statistics.median(times):.3f} ({min(times):.3f}-{max(times):.3f}) s")
    print(f"ratio to one call: {statistics.median(t / o for t, o in zip(theirs, together)):.1f}")


if __name__ == "__main__":
    main(sys.argv[1], *[int(a) for a in sys.argv[2:3]])
