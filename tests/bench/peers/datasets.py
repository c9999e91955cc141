"""The data of the rows: one CSV file for Crossfold and the same numbers in memory for the peers.

Every file has the features, the class in the column `class`, the ten folds of a stratified
partition that Crossfold made in `fold`, and five such folds of another seed in `outer`.
"""
import csv
import dataclasses
import functools
import pathlib

import numpy as np

TARGETS = {"letter": "lettr", "spam": "type"}


@dataclasses.dataclass(eq=False)
class Data:
    name: str
    path: pathlib.Path
    features: list
    x: np.ndarray
    classes: list
    y: np.ndarray  # places in `classes`, from 1 as in Lua
    fold: np.ndarray
    outer: np.ndarray
    crossfold: object

    @functools.lru_cache(maxsize=None)
    def repeated_folds(self, repeats):
        """Pairs of training and test rows of the ten folds that Crossfold makes in each repeat."""
        lines = self.crossfold.lines("folds.lua", self.path, 10, repeats, 1)
        pairs = []
        for fold in (np.array(line.split(), dtype=int) for line in lines):
            pairs += [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(10)]
        return pairs

    @functools.lru_cache(maxsize=None)
    def trials(self, largest, count):
        """Pairs of training rows, in their order, and test rows of Crossfold's learning curve."""
        lines = self.crossfold.lines("learning_curve_rows.lua", self.path, largest, count)
        rows = [np.array(line.split(), dtype=int) - 1 for line in lines]
        return list(zip(rows[::2], rows[1::2]))


class Datasets:
    """Makes each dataset once, from the first folder that has it. `quick` makes small ones, of
    files that lie in the repository."""

    def __init__(self, crossfold, folders, scratch, quick):
        self.crossfold, self.scratch = crossfold, pathlib.Path(scratch)
        self.folders, self.quick = [pathlib.Path(folder) for folder in folders], quick

    @functools.lru_cache(maxsize=None)
    def get(self, name):
        """None if no folder has the file."""
        if name == "normal":
            header, rows = normal_rows(200 if self.quick else 100_000)
        else:
            source, most = QUICK_SOURCES[name] if self.quick else (name, None)
            path = next((p for p in (folder / f"{source}.csv" for folder in self.folders)
                         if p.exists()), None)
            if path is None:
                return None
            header, rows = read_rows(path, TARGETS.get(source, "class"), most)
        return self._write(name, header, rows)

    @functools.lru_cache(maxsize=None)
    def numbers(self, digits):
        """A file of numbers with `digits` significant digits; for reading only."""
        path = self.scratch / f"numbers_{digits}.csv"
        rng = np.random.default_rng(5)
        with open(path, "w", encoding="ascii") as file:
            file.write(",".join(f"x{j}" for j in range(20)) + "\n")
            for _ in range(self.blocks()):
                for row in rng.normal(size=(1000, 20)).tolist():
                    file.write(",".join(format(v, f".{digits}g") for v in row) + "\n")
        return path

    def text(self, name):
        """What stands on the page."""
        if name == "numbers":
            return f"{self.blocks() * 1000:,} x 20"
        if name == "normal":
            return f"{len(self.get(name).y):,} x 20 normal"
        if name and self.quick:
            return f"{len(self.get(name).y)} rows of {QUICK_SOURCES[name][0]}"
        return name

    def blocks(self):
        """Of 1000 rows of numbers."""
        return 1 if self.quick else 1000

    def _write(self, name, header, rows):
        path = self.scratch / f"{name}.csv"
        write_rows(path, header, rows)
        columns = []
        for folds, seed in ((10, 1), (5, 2)):
            columns.append(self.crossfold.lines("folds.lua", path, folds, 1, seed)[0].split())
        write_rows(path, [*header, "fold", "outer"],
                   ([*row, *more] for row, *more in zip(rows, *columns)))
        classes = sorted({row[-1] for row in rows})
        place = {c: i + 1 for i, c in enumerate(classes)}
        return Data(
            name=name, path=path, features=header[:-1], classes=classes,
            x=np.array([row[:-1] for row in rows]).astype(float),
            y=np.array([place[row[-1]] for row in rows]),
            fold=np.array(columns[0], dtype=int), outer=np.array(columns[1], dtype=int),
            crossfold=self.crossfold)


# What stands in for a dataset in a quick run, and how many of its rows.
QUICK_SOURCES = {
    "letter": ("digits", 200), "digits": ("digits", 300), "spam": ("breast_cancer", 200),
    "breast_cancer": ("breast_cancer", 300), "iris": ("iris", 150),
}


def read_rows(path, target, most):
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    if header[-1] != target:
        raise LookupError(f"the last column of {path} is '{header[-1]}', not '{target}'")
    return [*header[:-1], "class"], rows[:most]


def normal_rows(count):
    """Two classes at random, all features normal; the means of the classes are 0.1 apart."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, count)
    x = rng.normal(size=(count, 20)) + 0.1 * y[:, None]
    rows = [[*map(repr, values), f"c{label}"] for values, label in zip(x.tolist(), y.tolist())]
    return [*(f"x{j}" for j in range(20)), "class"], rows


def write_rows(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
