#!/usr/bin/python3
"""How evenly kfold{stratify = true} and scikit-learn's StratifiedGroupKFold spread classes over folds.

usage: group_balance.py PATH_OF_CROSSFOLD_PROGRAM

Random data, fixed seeds; both keep groups whole. scikit-learn runs without shuffle, where its folds
are more even. Printed are means over the data sets:
the standard deviation over folds of a class's share of its rows (mean over classes), the largest
difference between a class's share in a fold and in all rows, and the largest fold over the smallest.
"""
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold

LUA = """
local cf = require "crossfold"
for i = 1, tonumber(arg[2]) do
  local data = cf.read(arg[1] .. "/" .. i .. ".csv", { target = "y", groups = "g" })
  local splits = cf.split(cf.splitter("kfold", { folds = %d, stratify = true }), data, { seed = i })
  local fold = {}
  for s = 1, #splits do
    local _, test = splits:rows(s)
    for _, row in ipairs(test) do fold[row] = s - 1 end
  end
  print(table.concat(fold, " "))
end
"""


def make(rng, groups, classes, skew, purity):
    sizes = rng.integers(1, 2 + int(skew), groups) if skew > 0 else np.full(groups, 4)
    shares = rng.dirichlet(np.full(classes, 2.0))
    g = np.repeat(np.arange(groups), sizes)
    own = np.array([rng.dirichlet(shares * (50.0 if purity == 0 else 0.5) + 1e-3)
                    for _ in range(groups)])
    y = np.array([rng.choice(classes, p=own[i]) for i in g])
    return g, y


def figures(fold, y, folds):
    counts = np.array([[np.sum((fold == f) & (y == c)) for c in np.unique(y)] for f in range(folds)])
    of_class = counts / counts.sum(axis=0)
    in_fold = counts / counts.sum(axis=1, keepdims=True)
    overall = counts.sum(axis=0) / counts.sum()
    size = counts.sum(axis=1)
    return of_class.std(axis=0).mean(), np.abs(in_fold - overall).max(), size.max() / size.min()


def main():
    program, folds, each = sys.argv[1], 5, 40
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(4)
    print("groups classes sizes pure | ours: std, share, size | scikit-learn: std, share, size | better")
    for groups in (20, 100, 500):
        for classes in (2, 5):
            for skew, purity in ((0, 1), (20, 0), (20, 1)):
                data = []
                while len(data) < each:
                    g, y = make(rng, groups, classes, skew, purity)
                    if all(len(np.unique(g[y == c])) >= folds for c in range(classes)):
                        data.append((g, y))
                with tempfile.TemporaryDirectory() as folder:
                    for i, (g, y) in enumerate(data):
                        with open(f"{folder}/{i + 1}.csv", "w") as file:
                            file.write("x,g,y\n")
                            file.writelines(f"0,{a},c{b}\n" for a, b in zip(g, y))
                    with open(f"{folder}/split.lua", "w") as file:
                        file.write(LUA % folds)
                    out = subprocess.run([program, "run", f"{folder}/split.lua", folder, str(each)],
                                         check=True, capture_output=True, text=True).stdout
                ours, theirs = [], []
                for (g, y), line in zip(data, out.splitlines()):
                    ours.append(figures(np.array(line.split(), dtype=int), y, folds))
                    fold = np.zeros(len(y), dtype=int)
                    splitter = StratifiedGroupKFold(folds)
                    for f, (_, test) in enumerate(splitter.split(np.zeros(len(y)), y, g)):
                        fold[test] = f
                    theirs.append(figures(fold, y, folds))
                a, b = np.array(ours), np.array(theirs)
                better = np.sum(a[:, 0] < b[:, 0] + 1e-12)
                print(f"{groups:6} {classes:7} {'1-20' if skew else '4':>5} {purity:4} |",
                      " ".join(f"{v:.4f}" for v in a.mean(axis=0)), "|",
                      " ".join(f"{v:.4f}" for v in b.mean(axis=0)), f"| {better} of {each}")


main()
