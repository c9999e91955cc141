"""Datasets: what experiments and models are made on."""
import ctypes
import json
import os

import numpy as np

from . import columns, structs
from .context import Context
from .error import Error
from .library import library

_ROLES = ("weights", "groups", "time", "folds", "strata")


class Dataset:
    """Columns with a target, and the labels of the classes as they were given. Made by `dataset` and `read`.

    `name`, `n_rows`, `features` (names), `task` ("classification", "regression" or None), `classes` (labels in the
    order of the library: numbers by value, strings by bytes, categories as they are declared; None in regression),
    `positive` (the label of the positive class, or None), `content_hash` (SHA-256 of the content: equal data have equal
    ones, also in Lua). It never changes; any number of threads may use it."""

    def __init__(self, context, handle, labels=None):
        self._context, self._handle = context, handle
        info = structs.DataInfo()
        library().crossfold_dataset_describe(handle.pointer, ctypes.byref(info))
        self.name, self.n_rows, self.content_hash = info.name.decode(), info.n_rows, info.content_hash.decode()
        self.features = [info.features[i].decode() for i in range(info.n_features)]
        self.task = {structs.CLASSIFICATION: "classification", structs.REGRESSION: "regression"}.get(info.task)
        self.classes = self.positive = None
        if self.task == "classification":
            names = [info.classes[i].decode() for i in range(info.n_classes)]
            self.classes = names if labels is None else list(labels)
            self._class_names = names
            self.positive = self._label(info.positive)

    def __repr__(self):
        return f"<crossfold.Dataset '{self.name}': {self.n_rows} rows, {len(self.features)} features>"

    def _label(self, name):
        """The label of the class of that name in the library; None for None."""
        return None if name is None else dict(zip(self._class_names, self.classes))[name.decode()]

    def labels(self, codes):
        """The labels of an array of class indices."""
        return np.asarray(self.classes)[codes]


def _given_columns(X, names):
    """The columns of X by name: pairs, in order."""
    if columns.is_frame(X):
        return [(str(name), X.iloc[:, i]) for i, name in enumerate(X.columns)]
    if isinstance(X, dict):
        return [(str(name), values) for name, values in X.items()]
    if hasattr(X, "toarray"):
        raise Error("cannot use X: it is a sparse matrix; give X.toarray()")
    array = X if isinstance(X, np.ndarray) else np.asarray(X)
    if array.ndim != 2:
        raise Error(f"cannot use X: its shape is {array.shape}, not (rows, features); X.reshape(-1, 1) makes one "
                    "column")
    if names is None:
        names = [f"x{i}" for i in range(array.shape[1])]
    if len(names) != array.shape[1]:
        raise Error(f"cannot use X: it has {array.shape[1]} columns, not {len(names)}; give {', '.join(names)}")
    return [(name, array[:, i]) for i, name in enumerate(names)]


def _new_name(wanted, taken):
    while wanted in taken:
        wanted += "_"
    return wanted


def _rows_of(values):
    return values.shape[0] if hasattr(values, "shape") else len(values)


def dataset(X, y=None, *, weights=None, groups=None, time=None, folds=None, strata=None, name="data",
            infinite="refuse", positive=None, context=None, _names=None):
    """A Dataset of arrays or a DataFrame.

    X: array of shape (rows, features), DataFrame, or dict of columns by name. Columns of an array are called x0, x1,
    ... Strings, objects and categories become categorical features; numbers, bool and dates stay what they are; None,
    NaN, NaT and pandas.NA are missing entries.
    y: the target, of shape (rows,), or the name of a column of X. Strings, whole numbers, bool and categories are
    classes; floating-point numbers are values of a regression. None = there is none.
    weights, groups, time, folds, strata: of shape (rows,), or the name of a column of X, which is then no feature.
    name: the name in messages and results.
    infinite: what becomes of infinite numbers: "refuse", "missing" or "keep".
    positive: the class that metrics, thresholds and curves of one class are of; default the second of two.

    Memory: numeric columns are used where they are, without a copy, if they are contiguous, as those of a DataFrame
    and of an array in Fortran order are. Do not change X while the Dataset, or a result or model made of it, is in
    use. Rows are matched by place: an index of pandas is ignored. Raises Error."""
    context = context or Context()
    made, roles, labels = [], {}, None
    if positive is not None:
        roles["positive"] = columns.label_text(positive)
    given = _given_columns(X, _names)
    taken = {column for column, _ in given}
    wanted = {"target": y, "weights": weights, "groups": groups, "time": time, "folds": folds, "strata": strata}
    for role, values in wanted.items():
        if values is None:
            continue
        if isinstance(values, str):
            roles[role] = values
            continue
        own = getattr(values, "name", None) if role == "target" else role
        if role == "target" and own in taken:
            raise Error(f"cannot use y: X has a column '{own}', too, so a learner would see it; leave it out of X, or "
                        f"give y=\"{own}\"")
        roles[role] = _new_name(str(own) if own is not None else "y", taken)
        taken.add(roles[role])
        given.append((roles[role], values))
    for column, values in given:
        if column == roles.get("target"):
            made_column, labels = columns.target(column, values)
        else:
            made_column = columns.feature(column, values)
        made.append(made_column)
    n_rows = len(made[0].data) if made else 0
    for column in made:
        if len(column.data) != n_rows:
            raise Error(f"cannot make a dataset '{name}': column '{column.name}' has {len(column.data)} rows, "
                        f"column '{made[0].name}' has {n_rows}; give both the same number")
    lent, pointers = columns.pointers(made)
    handle = context._make("dataset", "dataset_create", name.encode(), pointers, len(lent), n_rows,
                           json.dumps({**roles, "infinite": infinite}).encode())
    return Dataset(context, handle, labels)


def read(location, target=None, *, context=None, **options):
    """A Dataset of a file, or of what else a source plugin reads.

    `options` are those of cf.read in Lua: weights, groups, time, folds, strata (names of columns), positive (a class),
    format, types, drop_missing, infinite, and the parameters of the source, such as separator=";" (docs/reading.md).
    Labels of classes are strings. Raises Error."""
    context = context or Context()
    if target is not None:
        options["target"] = target
    handle = context._make("dataset", "dataset_read", os.fsencode(location), json.dumps(options).encode(), None)
    return Dataset(context, handle)
