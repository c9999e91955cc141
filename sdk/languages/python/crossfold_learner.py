"""Makes a learner for Crossfold of any object with fit and predict.

A learner is a folder NAME.crossfold with crossfold.json, this file and a program such as

    import numpy as np
    from crossfold_learner import serve

    class Centroids:
        def __init__(self, shrinkage=0.0):      # the parameters of crossfold.json
            self.shrinkage = shrinkage

        def fit(self, X, y):                    # sample_weight=None, context=None, ...: see below
            ...
            return self

        def predict(self, X):                   # one entry of y, or one number, for each row
            ...

    serve(Centroids)

The object has the methods of a scikit-learn estimator:

  fit(X, y, ...)      Arguments with these names are given if fit has them: `sample_weight` (None = all
                      weights are 1), `context` (a Context), and for early stopping `validation` (None or a
                      pair X, y), `eval_set` (a list of such pairs), or `X_val` and `y_val`.
  predict(X)          Labels as in y, or numbers in regression. Never called with 0 rows.
  predict_proba(X)    Optional: rows x classes, in the order of `classes_`, or of context.classes.
  feature_importances_, coef_
                      Optional: one number for each feature; of coef_ the mean absolute value.

X is a float64 matrix (C order, NaN = missing), or a pandas DataFrame if a column is categorical and pandas is
installed; see `columns` of serve(). Both are copies that fit may change. y has class names or numbers; see
`labels`. Classes that the training rows lack are unknown to the object: they get probability 0.

Before each request, `random` and `numpy.random` are seeded with context.seed; a parameter `random_state`
that is None becomes context.seed, also in estimators inside of others. So equal seeds give equal results.
Crossfold sets PYTHONHASHSEED and the number of threads of NumPy's libraries (OMP_NUM_THREADS). A parameter
`n_jobs` is left alone: folds run at the same time, and some estimators sum in another order with more jobs.

Exceptions become errors of the cell: MemoryError `out_of_memory`; ArithmeticError and LinAlgError `numeric`;
NotImplementedError `unsupported`; ValueError in the constructor `invalid_param`, elsewhere
`unsupported_data`; others `internal`. Failure(status, message) names a status itself. Ctrl-C and time limits
raise KeyboardInterrupt: let it pass. Warnings and print() do not disturb: warnings go to Crossfold's log,
standard output goes to standard error.

Models are saved with pickle, so a model file runs code of its author when it is loaded.

Needs Python 3.9 and numpy. docs/languages.md describes the protocol.
"""

import contextlib
import errno
import functools
import hashlib
import importlib.metadata
import importlib.util
import inspect
import io
import json
import mmap
import os
import pickle
import platform
import random
import select
import signal
import sys
import threading
import time
import traceback
import warnings

np = None  # numpy, from the end of the first request on: a description of the learner does not need it

PROTOCOL = 1
LOG_LEVELS = ("debug", "info", "warn", "error")
STATUSES = ("invalid_param", "unsupported_data", "not_converged", "numeric", "out_of_memory", "cancelled",
            "bad_blob", "unsupported", "internal")
_MAGIC = b"crossfold python model 1\n"
_DTYPES = {"f64": "<f8", "f32": "<f4", "i32": "<i4", "i64": "<i8", "bool": "?", "category": "<i4"}


class Failure(Exception):
    """An error with a status of STATUSES; the message is one line without a full stop at its end."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Feature:
    """A column of X: its name, its type ("f64", "f32", "i32", "i64", "bool", "category"), and for
    categories the names of all levels and whether they have an order."""

    def __init__(self, column):
        self.name = column["name"]
        self.type = column["type"]
        self.levels = column.get("levels", [])
        self.ordered = column.get("ordered", False)


class Context:
    """What a fit may ask for.

    task         "binary", "multiclass" or "regression"
    classes      names of the classes that the training rows have, in the order of the dataset
    features     a list of Feature
    params       the parameters, a dict
    seed         a number below 2**31; seed_words are two below 2**32
    threads      number of threads that the fit may use
    """

    def __init__(self, channel, request, classes, features):
        self._channel = channel
        self.task = request["task"]
        self.classes = classes
        self.features = features
        self.params = request["params"]
        self.seed = request["seed"]
        self.seed_words = tuple(request.get("seed_words", ()))
        self.threads = request.get("threads", 1)

    def log(self, message, level="info"):
        """Writes to Crossfold's log; level: "debug", "info", "warn" or "error"."""
        if self._channel is not None:
            if level not in LOG_LEVELS:
                raise ValueError(f"there is no level '{level}'; known: {', '.join(LOG_LEVELS)}")
            self._channel.send({"log": level, "message": _one_line(str(message))})

    def progress(self, fraction):
        """Reports how much of the fit is done, 0 to 1."""
        if self._channel is not None:
            if 0 <= fraction <= 1:  # and not NaN, which is not JSON
                self._channel.send({"progress": float(fraction)})

    def __getstate__(self):  # a saved model has no connection
        return {**self.__dict__, "_channel": None}


def serve(learner=None, *, make=None, columns="auto", labels="names", packages=()):
    """Serves requests of Crossfold until it closes the connection. The last line of a program.

    learner      is called with the parameters as keyword arguments, and returns the object to fit:
                 a class, usually
    make         the same for more than that: called with the parameters (a dict) and a Context
    columns      X is "matrix": a matrix, in which categories are their numbers from 0; "frame": a
                 DataFrame; or "auto": a DataFrame if there is a categorical column and pandas is installed.
                 In a DataFrame categories are Categorical with all levels of the dataset; numbers keep
                 their types; whole numbers and bools with missing entries are float64
    labels       y has class "names" (strings, dtype object), or "codes": numbers from 0, the positions in
                 context.classes, which are much faster than strings in scikit-learn
    packages     names of distributions whose versions are a part of the learner's version, if they are
                 installed, in addition to Python, numpy and (unless columns is "matrix") pandas

    `columns` and `labels` may also be functions that are called as `make` is and return one of these words.
    """
    if (learner is None) == (make is None):
        raise TypeError("serve() needs either a learner or make")
    try:
        channel = _Channel()
    except OSError:
        sys.exit("This program is a learner: Crossfold starts it. Try: crossfold plugin check FOLDER")
    names = ["numpy", *packages]
    if columns != "matrix" and "pandas" not in names:
        names.append("pandas")
    make = make or (lambda params, context: learner(**params))
    _Server(channel, make, columns, labels, names).run()


class _Channel:
    """The connection: requests from descriptor 0, replies to descriptor 3. Moves the first away, so that
    code that reads standard input finds it empty. Any thread may send.

    SIGINT during a request raises one KeyboardInterrupt in the main thread, but not in the middle of a
    message or of an import; between requests it is ignored."""

    def __init__(self):
        os.fstat(3)
        os.set_inheritable(3, False)
        self._file = os.dup(0)  # not inherited by programs that the learner starts
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        self._reader = io.BufferedReader(io.FileIO(self._file), 1 << 16)
        self._lock = threading.Lock()
        self._main_thread = threading.get_ident()
        self._is_busy = self._is_sending = self._is_cancelled = False
        self._n_requests = 0
        self._retried = None  # the request that a second signal of our own is for
        signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._end_with_the_host, daemon=True).start()

    def read(self, n):
        """n bytes. Ends the program where the requests end."""
        data = self._reader.read(n)
        if len(data) < n:
            sys.exit(0)
        return data

    def receive(self):
        """A request and the bytes after it."""
        request = json.loads(self.read(int.from_bytes(self.read(4), "little")))
        return request, self.read(request.get("blob", 0))

    def send(self, message, blob=b""):
        body = json.dumps(message).encode()
        is_main = threading.get_ident() == self._main_thread
        with self._lock:
            self._is_sending = is_main
            self._write(len(body).to_bytes(4, "little") + body)
            if blob:
                self._write(blob)
            self._is_sending = False
        if is_main and self._is_cancelled and self._is_busy:
            self._interrupt(frame=sys._getframe())

    @staticmethod
    def _write(data):
        data = memoryview(data)
        while data:
            data = data[os.write(3, data):]

    def begin_request(self):
        self._n_requests += 1
        self._is_cancelled = False
        self._is_busy = True

    def end_request(self):
        self._is_busy = False

    def _interrupt(self, _=None, frame=None):
        retried, self._retried = self._retried, None
        if not self._is_busy or retried not in (None, self._n_requests):
            return
        self._is_cancelled = True
        if _is_importing(frame):  # it would leave half a module
            timer = threading.Timer(0.02, self._retry, (self._n_requests,))
            timer.daemon = True
            timer.start()
        elif not self._is_sending:
            self._is_busy = False
            raise KeyboardInterrupt

    def _retry(self, request):
        self._retried = request
        os.kill(os.getpid(), signal.SIGINT)

    def _end_with_the_host(self):
        """Ends the process if the host dies during a long fit."""
        poll = select.poll()
        poll.register(self._file, 0)
        poll.poll()
        if not self._is_busy:
            time.sleep(2)  # the main thread ends it
        os._exit(1)


class _Memory:
    """A memory file of the host."""

    def __init__(self, path, n_bytes, is_writable):
        if n_bytes == 0:
            self._map = None
            return
        file = os.open(path, (os.O_RDWR if is_writable else os.O_RDONLY) | os.O_CLOEXEC)
        try:
            access = mmap.ACCESS_WRITE if is_writable else mmap.ACCESS_READ
            self._map = mmap.mmap(file, n_bytes, access=access)
        finally:
            os.close(file)

    def array(self, dtype, at, n):
        """A view, which keeps the mapping."""
        return np.frombuffer(self._map, dtype, n, at) if n else np.empty(0, dtype)


class _Table:
    """Columns of the host. Matrix and DataFrame are made once."""

    def __init__(self, keys):
        self._memory = _Memory(keys["path"], keys["bytes"], False)
        self.n_rows = keys["rows"]
        self.features = [Feature(column) for column in keys["columns"]]
        self._columns = keys["columns"]
        self._made = {}

    def take(self, rows, layout):
        """A copy of the rows (None = all) as a "matrix" or "frame"."""
        if layout not in self._made:
            self._made[layout] = self._matrix() if layout == "matrix" else self._frame()
        made = self._made[layout]
        if layout == "matrix":
            return made.copy() if rows is None else made.take(rows, axis=0)
        if rows is None:
            return made.copy()
        taken = made.take(rows)
        taken.index = type(made.index)(len(rows))  # a RangeIndex: row numbers do not matter
        return taken

    def _entries(self, column):
        """The entries, and a mask of the missing ones, or None."""
        entries = self._memory.array(_DTYPES[column["type"]], column["at"], self.n_rows)
        missing = None
        if column.get("validity") is not None:
            bits = self._memory.array("u1", column["validity"], (self.n_rows + 7) // 8)
            missing = np.unpackbits(bits, count=self.n_rows, bitorder="little") == 0
        if column["type"] == "category":
            missing = entries < 0 if missing is None else missing | (entries < 0)
        return entries, missing if missing is not None and missing.any() else None

    def _matrix(self):
        matrix = np.empty((self.n_rows, len(self._columns)))
        for j, column in enumerate(self._columns):
            entries, missing = self._entries(column)
            matrix[:, j] = entries
            if missing is not None:
                matrix[missing, j] = np.nan
        return matrix

    def _frame(self):
        import pandas
        series = {column["name"]: self._series(column, pandas) for column in self._columns}
        return pandas.DataFrame(series, index=pandas.RangeIndex(self.n_rows))

    def _series(self, column, pandas):
        entries, missing = self._entries(column)
        if column["type"] == "category":
            codes = entries if missing is None else np.where(missing, -1, entries)
            return pandas.Categorical.from_codes(codes, column["levels"], column.get("ordered", False))
        # Of the whole column, so that the type does not depend on the rows at hand.
        if column.get("validity") is None:
            return entries
        entries = entries.astype("f4" if column["type"] == "f32" else "f8")
        if missing is not None:
            entries[missing] = np.nan
        return entries


class _Classes:
    """The classes that training rows have: how they are given to the object, and what its answers mean."""

    def __init__(self, names, present, labels):
        self.parts = (names, present, labels)  # `present`: numbers of those that are there, ascending
        self._names = [names[i] for i in present.tolist()]
        self._present = present
        self._is_complete = len(present) == len(names)
        self._labels = labels
        self._number_of = {name: int(i) for name, i in zip(self._names, present)}

    def labels(self, target):
        """What fit gets as y for numbers of the dataset, and a mask of the known ones (None = all)."""
        known = None
        codes = target.astype(np.intp)
        if not self._is_complete:
            code_of = np.full(len(self.parts[0]), -1, np.intp)
            code_of[self._present] = np.arange(len(self._present))
            codes = code_of[codes]
            if codes.size and codes.min() < 0:
                known = codes >= 0
                codes = codes[known]
        if self._labels == "codes":
            return codes, known
        return np.array(self._names, dtype=object)[codes], known

    def numbers(self, labels):
        """The numbers in the dataset of labels that the object gave."""
        labels = np.asarray(labels)
        if self._labels == "names":
            try:
                numbers = [self._number_of[label] for label in labels.tolist()]
            except (KeyError, TypeError) as error:
                raise Failure("internal", f"predicted {error}, which is not one of the class names in y") from None
            return np.array(numbers, np.int32)
        if labels.dtype.kind == "f" and np.isfinite(labels).all() and (labels == np.floor(labels)).all():
            labels = labels.astype(np.intp)
        if labels.dtype.kind not in "iub":
            raise Failure("internal", f"predicted labels of type {labels.dtype}; y has whole numbers")
        if labels.size and (labels.min() < 0 or labels.max() >= len(self._present)):
            raise Failure("internal", f"predicted label {labels.max()}; y has 0 to {len(self._present) - 1}")
        return labels.astype(np.int32) if self._is_complete else self._present[labels.astype(np.intp)]

    def columns(self, classes):
        """The numbers of the columns of predict_proba, whose order is `classes` (None = that of y)."""
        return self._present if classes is None else self.numbers(classes)


class _Model:
    """A fitted object, and what predictions need besides."""

    def __init__(self, fitted, layout, classes, n_features, seed):
        self.fitted = fitted
        self.layout = layout
        self.classes = classes  # None in regression
        self.n_features = n_features
        self.seed = seed

    def predict_labels(self, X, out):
        out[:] = self.classes.numbers(_of_shape(self.fitted.predict(X), "predict", (len(X),)))

    def predict_values(self, X, out):
        out[:] = _of_shape(self.fitted.predict(X), "predict", (len(X),))

    def predict_probabilities(self, X, out):
        """REQUIRES: out has a row for each of X and a column for each class of the dataset."""
        if not hasattr(self.fitted, "predict_proba"):
            raise Failure("unsupported", f"{type(self.fitted).__name__} has no predict_proba, so there are no "
                          "probabilities; use metrics that need labels only")
        columns = self.classes.columns(getattr(self.fitted, "classes_", None))
        made = 1.0  # of the only class, of which some estimators give two columns
        if len(columns) > 1:
            made = _of_shape(self.fitted.predict_proba(X), "predict_proba", (len(X), len(columns)))
        if len(columns) < out.shape[1]:
            out[:] = 0
        out[:, columns] = made

    def importance(self):
        made = getattr(self.fitted, "feature_importances_", None)
        if made is None:
            made = getattr(self.fitted, "coef_", None)
            if made is None:
                raise Failure("unsupported", f"{type(self.fitted).__name__} has neither feature_importances_ nor coef_")
            made = np.abs(np.atleast_2d(made)).mean(axis=0)
        return _of_shape(made, "the importance", (self.n_features,))

    def save(self):
        """_MAGIC, the SHA-256 of the rest, and a pickle."""
        classes = self.classes and self.classes.parts
        parts = pickle.dumps((self.fitted, self.layout, classes, self.n_features, self.seed), protocol=4)
        return _MAGIC + hashlib.sha256(parts).digest() + parts

    @staticmethod
    def load(blob, n_features, n_classes):
        start = len(_MAGIC) + 32
        parts = memoryview(blob)[start:]
        if blob[:start] != _MAGIC + hashlib.sha256(parts).digest():
            raise Failure("bad_blob", "these bytes are not a model of a Python learner")
        try:
            fitted, layout, classes, n_made, seed = pickle.loads(parts)
        except Exception as error:
            raise Failure("bad_blob", f"the model cannot be read: {type(error).__name__}: {error}") from error
        if n_made != n_features or (len(classes[0]) if classes else 0) != n_classes:
            raise Failure("bad_blob", "the model has a different number of features or classes")
        return _Model(fitted, layout, classes and _Classes(*classes), n_features, seed)


def _of_shape(made, subject, shape):
    """`made` as an array, which must have the shape; (n, 1) passes for (n,)."""
    made = np.asarray(made)
    if len(shape) == 1 and made.ndim == 2 and made.shape[1] == 1:
        made = made[:, 0]
    if made.shape != shape:
        raise Failure("internal", f"{subject} gave an array of shape {made.shape}; {shape} is expected")
    return made


class _Server:
    """Answers requests, one after the other."""

    def __init__(self, channel, make, columns, labels, packages):
        self._channel = channel
        self._make = make
        self._columns = columns
        self._labels = labels
        self._packages = packages
        self._tables = {}
        self._models = {}
        self._arena = None
        self._arguments_of = {}  # fit of a class: names of its arguments
        self._is_making = False  # the object's constructor is running
        self._is_broken = False
        self._operations = {"hello": self._hello, "table": self._table, "fit": self._fit, "predict": self._predict,
                            "importance": self._importance, "save": self._save, "load": self._load}

    def run(self):
        warned = _log_warnings(self._channel)
        while not self._is_broken:
            request, blob = self._channel.receive()
            warned.clear()
            reply, blob = self._answer(request, blob)
            self._channel.send(reply, blob)
            if np is None:
                _import_numpy()

    def _answer(self, request, blob):
        """The reply and the bytes after it. Never raises."""
        self._is_making = False
        try:
            self._channel.begin_request()
            self._prepare(request)
            reply = self._operations[request["op"]](request, blob)
            self._channel.end_request()
        except BaseException as error:  # also of sys.exit() and KeyboardInterrupt
            self._channel.end_request()
            self._is_broken = isinstance(error, (MemoryError, KeyboardInterrupt)) and _is_importing_in(error.__traceback__)
            return _error_reply(error, self._is_making), b""
        return reply if isinstance(reply, tuple) else (reply or {}, b"")

    def _prepare(self, request):
        if request["op"] not in self._operations:
            raise Failure("unsupported", f"there is no request '{request['op']}'")
        if "drop" in request:
            for table in request["drop"].get("tables", ()):
                self._tables.pop(table, None)
            for model in request["drop"].get("models", ()):
                self._models.pop(model, None)
        if "arena" in request:
            self._arena = _Memory(request["arena"]["path"], request["arena"]["bytes"], True)

    def _hello(self, request, _):
        if request["protocol"] != PROTOCOL:
            raise Failure("unsupported", f"this learner speaks protocol {PROTOCOL}, not {request['protocol']}")
        if not _is_installed("numpy"):
            raise Failure("unsupported", f"{sys.executable} has no numpy; install it there")
        versions = {name: _version_of(name) for name in self._packages}
        environment = {name: version for name, version in versions.items() if version is not None}
        return {"protocol": PROTOCOL, "environment": {"python": platform.python_version(), **environment}}

    def _table(self, request, _):
        self._tables[request["table"]] = _Table(request)

    def _table_of(self, keys):
        table = keys["table"]
        return _Table(table) if isinstance(table, dict) else self._tables[table]

    def _array(self, keys, name, dtype):
        """The entries of a buffer in the arena; None = the request has none."""
        buffer = keys.get(name)
        return None if buffer is None else self._arena.array(dtype, buffer["at"], buffer["n"])

    def _fit(self, request, _):
        table = self._table_of(request)
        rows, target, weights = self._training_rows(request, request["task"])
        context, classes = self._context(request, table, target)
        _seed(context.seed)
        made = self._made(context)
        layout = self._layout(context, table)
        arguments = self._arguments(made, context, weights)
        if "validation" in request:
            validation = self._validation(request, layout, classes)
            _add_validation(arguments, made, self._names_of(made), validation)
        y = classes.labels(target)[0] if classes else target.copy()
        with _state_kept():
            made.fit(table.take(rows, layout), y, **arguments)
        self._models[request["model"]] = _Model(made, layout, classes, len(table.features), context.seed)

    def _training_rows(self, keys, task):
        """Rows (None = all), target and weights. Rows of weight 0 are left out, unless all are."""
        rows = self._array(keys, "rows", "<i4")
        target = self._array(keys, "target", "<f8" if task == "regression" else "<i4")
        weights = self._array(keys, "weights", "<f8")
        if weights is not None and weights.size and weights.min() == 0 and weights.max() > 0:
            kept = np.flatnonzero(weights)
            rows = kept if rows is None else rows[kept]
            target, weights = target[kept], weights[kept]
        return rows, target, None if weights is None else weights.copy()

    def _context(self, request, table, target):
        """And the classes, None in regression."""
        context = Context(self._channel, request, [], table.features)
        if request["task"] == "regression":
            return context, None
        names = request["classes"]
        present = np.flatnonzero(np.bincount(target, minlength=len(names))).astype(np.int32)
        context.classes = [names[i] for i in present.tolist()]
        return context, _Classes(names, present, _word(self._labels, context, ("names", "codes")))

    def _layout(self, context, table):
        layout = _word(self._columns, context, ("auto", "matrix", "frame"))
        if layout == "auto":
            has_categories = any(feature.type == "category" for feature in table.features)
            return "frame" if has_categories and _is_installed("pandas") else "matrix"
        if layout == "frame" and not _is_installed("pandas"):
            raise Failure("unsupported", f"{sys.executable} has no pandas, which makes a DataFrame; install it there")
        return layout

    def _made(self, context):
        self._is_making = True
        made = self._make(context.params, context)
        _seed_parameters(made, context.seed)
        self._is_making = False
        return made

    def _names_of(self, made):
        """The names of the arguments of its fit."""
        kind = type(made)
        if kind not in self._arguments_of:
            self._arguments_of[kind] = frozenset(inspect.signature(made.fit).parameters)
        return self._arguments_of[kind]

    def _arguments(self, made, context, weights):
        names = self._names_of(made)
        arguments = {}
        if weights is not None:
            if "sample_weight" not in names:
                raise Failure("unsupported_data", f"{type(made).__name__} takes no weights of rows")
            arguments["sample_weight"] = weights
        if "context" in names:
            arguments["context"] = context
        return arguments

    def _validation(self, request, layout, classes):
        """X and y of the rows for early stopping; rows of classes that are not known are left out."""
        keys = request["validation"]
        rows, target, _ = self._training_rows(keys, request["task"])
        X = self._table_of(keys).take(rows, layout)
        if classes is None:
            return X, target.copy()
        y, known = classes.labels(target)
        return (X if known is None else X[known]), y

    def _predict(self, request, _):
        model = self._models[request["model"]]
        table = self._table_of(request)
        rows = self._array(request, "rows", "<i4")
        n_rows = table.n_rows if rows is None else len(rows)
        if n_rows == 0:
            return
        for name, dtype, write in (("labels", "<i4", model.predict_labels), ("values", "<f8", model.predict_values),
                                   ("probabilities", "<f8", model.predict_probabilities)):
            out = self._array(request, name, dtype)
            if out is not None:
                _seed(model.seed)
                X = table.take(rows, model.layout)  # a copy for each, as predict may change it
                with _state_kept():
                    write(X, out.reshape(n_rows, -1) if name == "probabilities" else out)

    def _importance(self, request, _):
        self._array(request, "importance", "<f8")[:] = self._models[request["model"]].importance()

    def _save(self, request, _):
        blob = self._models[request["model"]].save()
        return {"blob": len(blob)}, blob

    def _load(self, request, blob):
        self._models[request["model"]] = _Model.load(blob, len(request["columns"]), len(request["classes"]))


@contextlib.contextmanager
def _state_kept():
    """Later fits of the process do not see which warnings and numeric errors this code has turned on or off."""
    filters, errors = warnings.filters[:], np.geterr()
    try:
        yield
    finally:
        if warnings.filters != filters:
            warnings.filters[:] = filters
            warnings._filters_mutated()
        np.seterr(**errors)


def _is_importing(frame):
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


def _is_importing_in(trace):
    """Whether an import failed, of which half a module stays: then another process must go on."""
    return any(frame.f_code.co_name == "<module>" for frame, _ in traceback.walk_tb(trace))


def _word(option, context, words):
    """The word that the author chose, or that the function that the author gave chooses."""
    word = option(context.params, context) if callable(option) else option
    if word not in words:
        raise Failure("internal", f"serve() got '{word}'; known: {', '.join(words)}")
    return word


def _add_validation(arguments, made, names, validation):
    """In the form that the object's fit takes."""
    if "validation" in names:
        arguments["validation"] = validation
    elif "eval_set" in names:
        arguments["eval_set"] = [validation]
    elif "X_val" in names and "y_val" in names:
        arguments["X_val"], arguments["y_val"] = validation
    else:
        raise Failure("unsupported", f"{type(made).__name__} takes no rows for early stopping")


def _seed(seed):
    random.seed(seed)
    np.random.seed(seed)


def _seed_parameters(made, seed):
    """Sets random_state where it is None, also in estimators among the parameters."""
    for name, value in list(getattr(made, "__dict__", {}).items()):
        if name == "random_state" and value is None:
            made.random_state = seed
        elif hasattr(value, "get_params"):
            _seed_parameters(value, seed)
        elif isinstance(value, (list, tuple)):  # steps of a pipeline
            for step in value:
                for part in step if isinstance(step, (list, tuple)) else (step,):
                    if hasattr(part, "get_params"):
                        _seed_parameters(part, seed)


@functools.lru_cache(maxsize=None)
def _is_installed(module):
    return importlib.util.find_spec(module) is not None


def _version_of(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _import_numpy():
    global np
    import numpy
    np = numpy


def _log_warnings(channel):
    """Sends Python's warnings to the log, each once; returns the set of those that were sent."""
    warned = set()

    def show(message, category, filename, lineno, *_):
        text = _one_line(f"{category.__name__}: {message} ({os.path.basename(filename)}:{lineno})")
        if text not in warned:
            warned.add(text)
            channel.send({"log": "warn", "message": text})

    warnings.showwarning = show
    if not sys.warnoptions:  # not once per process, as usual
        warnings.simplefilter("always")
        for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", category)
    return warned


def _error_reply(error, is_making):
    if isinstance(error, Failure):
        return {"error": error.status if error.status in STATUSES else "internal", "message": _one_line(str(error))}
    if isinstance(error, KeyboardInterrupt):
        return {"error": "cancelled", "message": "it was cancelled"}
    traceback.print_exception(type(error), error, error.__traceback__)
    sys.stderr.flush()
    text = _one_line(f"{type(error).__name__}: {error}".rstrip(": "))
    return {"error": _status_of(error, is_making), "message": f"{text} ({_place_of(error)})"}


def _status_of(error, is_making):
    name = type(error).__name__
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return "out_of_memory"
    if is_making and isinstance(error, (ValueError, TypeError, ImportError, AttributeError)):
        return "invalid_param"
    if name == "InvalidParameterError":  # of scikit-learn: it checks parameters in fit
        return "invalid_param"
    if isinstance(error, ArithmeticError) or name == "LinAlgError":
        return "numeric"
    if isinstance(error, NotImplementedError):
        return "unsupported"
    return "unsupported_data" if isinstance(error, ValueError) else "internal"


def _place_of(error):
    """File and line: of the author's program, if the error passed through it, else where it began."""
    frames = traceback.extract_tb(error.__traceback__)
    folder = os.path.dirname(os.path.abspath(sys.argv[0]))
    own = [frame for frame in frames if frame.filename != __file__ and not frame.filename.startswith("<")
           and os.path.dirname(os.path.abspath(frame.filename)) == folder]
    frame = (own or frames)[-1]
    return f"{os.path.basename(frame.filename)}:{frame.lineno}"


def _one_line(text):
    """At most 1000 characters, which UTF-8 can write."""
    line = " ".join(text.split())
    line = line if len(line) <= 1000 else line[:997] + "..."
    return line.encode("utf-8", "replace").decode()
