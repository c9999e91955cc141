"""Fitted models."""
import ctypes
import json
import os

import numpy as np

from . import columns, learner_json, structs
from .context import Context
from .dataset import Dataset, dataset
from .error import Error
from .experiment import as_dataset
from .library import library


class Model:
    """A learner fitted on all rows. Made by `fit` and `load`. It never changes; any number of threads may use it.

    `learner`: its text, such as "standardize|knn{k=5}"; `features`: names of the columns that predictions need;
    `classes`: labels in the order of the probabilities, as they were given to `fit` (strings in a loaded model); None
    in regression."""

    def __init__(self, context, handle, labels=None):
        self._context, self._handle = context, handle
        info = structs.DataInfo()
        library().crossfold_model_describe(handle.pointer, ctypes.byref(info))
        self.learner = library().crossfold_model_learner(handle.pointer).decode()
        self.features = [info.features[i].decode() for i in range(info.n_features)]
        self.classes = None
        if info.task == structs.CLASSIFICATION:
            self.classes = [info.classes[i].decode() for i in range(info.n_classes)] if labels is None else labels

    def __repr__(self):
        return f"<crossfold.Model of {self.learner}: {len(self.features)} features>"

    def _rows(self, X):
        if isinstance(X, Dataset):
            return X
        if columns.is_frame(X):
            X = X[[name for name in X.columns if str(name) in set(self.features)]]
        return dataset(X, name="rows", context=self._context, _names=self.features)

    def _predict(self, X):
        rows = self._rows(X)
        handle = self._context._make("prediction", "model_predict", self._handle.pointer, rows._handle.pointer)
        got = structs.Predictions()
        library().crossfold_prediction_get(handle.pointer, ctypes.byref(got))
        return handle, got

    def predict(self, X):
        """Labels, or values in regression: an array of shape (rows,) that belongs to the caller. X: as in `fit`; the
        columns of a DataFrame are found by name, those of an array by place. Raises Error."""
        handle, got = self._predict(X)
        if self.classes is None:
            return np.ctypeslib.as_array(got.values, (got.n_rows,)).copy() if got.n_rows else np.empty(0)
        codes = np.ctypeslib.as_array(got.labels, (got.n_rows,)).copy() if got.n_rows else np.empty(0, np.int32)
        del handle
        return np.asarray(self.classes)[codes]

    def predict_proba(self, X):
        """Probabilities: an array of shape (rows, classes) that belongs to the caller. Raises Error if the learner
        gives none."""
        handle, got = self._predict(X)
        if self.classes is None or (got.n_rows and not got.probabilities):
            raise Error(f"cannot give probabilities: '{self.learner}' gives none; use predict")
        shape = (got.n_rows, len(self.classes))
        made = np.ctypeslib.as_array(got.probabilities, shape).copy() if got.n_rows else np.empty(shape)
        del handle
        return made

    def save(self, path):
        """Makes or replaces a file, which `load` and cf.load read. Raises Error if the learner cannot be saved."""
        self._context._call("model_save", self._handle.pointer, os.fsencode(path))


def fit(X, y=None, learner=None, *, seed=1, context=None, plugin_paths=(), lock=None, workers=None, **roles):
    """Fits a learner on all rows, and returns a Model. Arguments as in `evaluate`. Raises Error, also with the reason
    of a fit that fails."""
    if learner is None:
        raise Error("cannot fit a model: there is no learner; give learner=\"knn{k=5}\"")
    context = context or Context(plugin_paths=plugin_paths, lock=lock, workers=workers)
    data = as_dataset(X, y, context, roles)
    text = json.dumps(learner_json.learner(learner)).encode()
    handle = context._make_slowly("model", "model_fit", data._handle.pointer, text, seed)
    return Model(context, handle, data.classes)


def load(path, *, context=None, plugin_paths=(), lock=None):
    """Reads the Model that Model.save or model:save in Lua wrote. Load files from sources that you trust. Raises
    Error."""
    context = context or Context(plugin_paths=plugin_paths, lock=lock)
    return Model(context, context._make("model", "model_load", os.fsencode(path)))
