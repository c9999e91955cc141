"""Confusion matrices."""
import numpy as np

from . import table


class Confusion:
    """How often each class was predicted for each true one. `classes`: labels; `counts`: array of shape (classes,
    classes), rows by truth."""

    def __init__(self, classes, truth, predicted):
        self.classes = list(classes)
        self.counts = np.zeros((len(self.classes),) * 2, dtype=np.int64)
        np.add.at(self.counts, (truth, predicted), 1)

    def _rows(self):
        return ["truth", *map(str, self.classes)], \
            [[str(label), *counts] for label, counts in zip(self.classes, self.counts.tolist())]

    def to_pandas(self):
        """A DataFrame with the true classes as index and the predicted ones as columns."""
        columns, rows = self._rows()
        frame = table.frame(columns, [dict(zip(columns, row)) for row in rows]).drop(columns="truth")
        frame.index, frame.columns = self.classes, self.classes
        return frame.rename_axis(index="truth", columns="predicted")

    def __repr__(self):
        return table.text(*self._rows())

    def _repr_html_(self):
        return table.as_html(*self._rows(), caption="rows: truth, columns: predicted")
