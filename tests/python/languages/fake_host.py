"""A host of the protocol for learners in Python, with the arrays of NumPy."""
import os
import sys

from host import Host, Reply, column  # noqa: F401

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
MODULE = os.path.join(ROOT, "sdk", "languages", "python")
VARIABLES = {"PYTHONPATH": MODULE, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1",
             "OPENBLAS_NUM_THREADS": "1"}
os.environ.update(VARIABLES)  # before NumPy is loaded, as results are compared: more threads change the last bits

import numpy as np

_TYPES = {"float64": "f64", "float32": "f32", "int32": "i32", "int64": "i64", "bool": "bool"}


class Category:
    """Codes from 0, -1 = missing, of levels."""

    def __init__(self, codes, levels, ordered=False):
        self.codes = np.asarray(codes, np.int32)
        self.levels = list(levels)
        self.ordered = ordered


class FakeHost(Host):
    """Tables are {name: array or Category}, and what is predicted is arrays."""

    def __init__(self, folder):
        super().__init__((sys.executable, "learner.py"), folder, VARIABLES)
        self._tables = 0

    def keys_of_table(self, columns, missing=None):
        """missing: {name: mask}."""
        described = []
        for name, entries in columns.items():
            if isinstance(entries, Category):
                described.append(column(name, "category", entries.codes.tolist(), levels=entries.levels,
                                        ordered=entries.ordered))
                continue
            gone = (missing or {}).get(name, np.zeros(len(entries), bool))
            described.append(column(name, _TYPES[entries.dtype.name],
                                    [None if m else v for v, m in zip(entries.tolist(), gone)]))
        return self.describe_table(described)

    def table(self, columns, missing=None):
        """The number of a new table."""
        self._tables += 1
        self.ask({"op": "table", "table": self._tables, **self.keys_of_table(columns, missing)})
        return self._tables

    def fit_request(self, model, table, target, rows=None, classes=(), params=None, weights=None, validation=None,
                    **more):
        """validation: (table, target, rows)."""
        return super().fit_request(model, table, target, classes, params, rows, weights, validation=validation and
                                   dict(zip(("table", "target", "rows"), validation)), **more)

    def predict(self, model, table, n_rows, rows=None, n_classes=0, probabilities=False):
        """Values, labels, or labels and probabilities."""
        if not n_classes:
            return np.array(super().predict(model, table, rows, n_rows, values=1)["values"])
        wanted = {"labels": 1, "probabilities": n_classes} if probabilities else {"labels": 1}
        found = super().predict(model, table, rows, n_rows, **wanted)
        labels = np.array(found["labels"], np.int32)
        return (labels, np.reshape(found["probabilities"], (n_rows, n_classes))) if probabilities else labels

    def load(self, model, blob, columns, classes=(), params=None):
        """columns: names."""
        super().load(model, blob, [{"name": name} for name in columns], classes, params)
