"""Comparisons: which of the learners of a result is better."""
import ctypes
import math

from . import structs, table
from .library import library

_NUMBERS = ("mean_a", "mean_b", "difference", "low", "high", "statistic", "df", "p", "p_adjusted", "rope", "p_worse",
            "p_alike", "p_better")
_COLUMNS = ("a", "b", "test", "splits", "splits_of", *_NUMBERS, "better", "rows", "only_a", "only_b", "undefined",
            "left_out")
_SHOWN = ("a", "b", "mean_a", "mean_b", "difference", "low", "high", "p", "p_adjusted", "better")


def _row(pair, learners):
    row = {"a": learners[pair.a], "b": learners[pair.b], "test": pair.test.decode(), "splits": pair.splits,
           "splits_of": pair.splits_of}
    for name in _NUMBERS:
        value = getattr(pair, name)
        row[name] = None if math.isnan(value) else value
    row["better"] = {1: row["a"], -1: row["b"]}.get(pair.better)
    for name in ("rows", "only_a", "only_b"):
        row[name] = getattr(pair, name) if pair.rows else None
    for name in ("undefined", "left_out"):
        value = getattr(pair, name)
        row[name] = value.decode() if value else None
    return row


class Comparison:
    """Pairs of learners, each with the test that is valid for the splits. Made by Result.compare.

    `metric` is the compared metric. A value that does not exist is None, and `undefined` says why."""

    def __init__(self, handle, learners, metric):
        self.metric, self._rows = metric, []
        for i in range(library().crossfold_comparison_count(handle.pointer)):
            pair = structs.Pair()
            library().crossfold_comparison_pair(handle.pointer, i, ctypes.byref(pair))
            self._rows.append(_row(pair, learners))

    def rows(self):
        """A list of dicts, one per pair: the learners `a` and `b`, their means, `difference` (a - b) with its interval
        from `low` to `high`, `p` and `p_adjusted` (over the pairs), `better` (a name, or None if no difference was
        shown), the probabilities `p_worse`, `p_alike` and `p_better` that a is so given `rope`, and others
        (docs/comparing.md)."""
        return [dict(row) for row in self._rows]

    def to_pandas(self):
        """The rows as a DataFrame."""
        return table.frame(list(_COLUMNS), self._rows)

    def _shown(self):
        def cell(row, name):
            value = row[name]
            if name in ("p", "p_adjusted") and value is not None and value < 0.0001:
                return "<0.0001"  # 0.0000 would not be true
            if name == "better" and value is None:
                return "undefined" if row["p"] is None else "neither"
            return value
        return [[cell(row, name) for name in _SHOWN] for row in self._rows]

    def _caption(self):
        return f"{self.metric}, {self._rows[0]['test']}: a - b" if self._rows else self.metric

    def __repr__(self):
        return self._caption() + "\n" + table.text(_SHOWN, self._shown())

    def _repr_html_(self):
        return table.as_html(_SHOWN, self._shown(), self._caption())
