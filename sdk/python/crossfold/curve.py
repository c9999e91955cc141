"""Curves of two classes over the thresholds of a probability."""
import ctypes

import numpy as np

from . import structs, table
from .library import library


class Curve:
    """A curve as a table of numbers. Made by Result.curve.

    `columns`: names; `values`: array of shape (points, columns), NaN where there is no number; `figures`: dict, such
    as {"auc": 0.93}; `positive`: the positive class; `undefined`: why there is no curve, or None.
    curve["fpr"] is one column."""

    def __init__(self, handle, kind, learner, positive=None):
        info = structs.CurveInfo()
        library().crossfold_curve_describe(handle.pointer, ctypes.byref(info))
        self.kind, self.learner = kind, learner
        self.columns = [info.columns[i].decode() for i in range(info.n_columns)]
        shape = (info.n_rows, info.n_columns)
        self.values = np.ctypeslib.as_array(info.values, shape).copy() if info.n_rows else np.empty(shape)
        self.figures = {info.figures[i].decode(): info.figure_values[i] for i in range(info.n_figures)}
        self.positive = info.positive.decode() if positive is None else positive
        self.undefined = info.undefined.decode() if info.undefined else None

    def __getitem__(self, column):
        return self.values[:, self.columns.index(column)]

    def __len__(self):
        return len(self.values)

    def to_pandas(self):
        """The points as a DataFrame."""
        return table.frame(self.columns, [dict(zip(self.columns, row)) for row in self.values.tolist()])

    def __repr__(self):
        figures = "".join(f", {name} {table.shown(value)}" for name, value in self.figures.items())
        text = f"{self.kind} of {self.learner}, positive class {self.positive}{figures}: {len(self)} points"
        return text if self.undefined is None else f"{text}\nundefined: {self.undefined}"
