"""Crossfold through its C API, with nothing but the standard library.

Covers what host.py needs; the rest of crossfold.h binds in the same way.
"""
import ctypes
import json

_void_p, _char_p, _size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
_LOG = ctypes.CFUNCTYPE(None, _void_p, ctypes.c_int32, _char_p)
_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int32, _void_p, ctypes.c_uint64, ctypes.c_uint64)


class Error(Exception):
    """A call that failed: `status` is a crossfold_status, the text that of crossfold_last_error."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class _Struct(ctypes.Structure):
    """Every struct of crossfold.h begins with its size, which the caller sets."""

    def __init__(self, **fields):
        super().__init__(struct_size=ctypes.sizeof(self), **fields)


class Options(_Struct):
    _fields_ = [("struct_size", ctypes.c_uint32), ("flags", ctypes.c_uint32),
                ("plugin_paths", ctypes.POINTER(_char_p)), ("n_plugin_paths", _size),
                ("workers", ctypes.c_int32), ("reserved", ctypes.c_int32),
                ("memory", ctypes.c_uint64), ("user", _void_p), ("log", _LOG),
                ("progress", _PROGRESS)]


class Summary(_Struct):
    _fields_ = [("struct_size", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
                ("learner", _size), ("metric", _size), ("n_folds", ctypes.c_int64),
                ("n_defined", ctypes.c_int64), ("n_failed", ctypes.c_int64),
                ("mean", ctypes.c_double), ("sd", ctypes.c_double), ("min", ctypes.c_double),
                ("max", ctypes.c_double), ("median", ctypes.c_double)]


class ResultInfo(_Struct):
    _fields_ = [("struct_size", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
                ("learners", ctypes.POINTER(_char_p)), ("n_learners", _size),
                ("metrics", ctypes.POINTER(_char_p)), ("n_metrics", _size), ("n_scores", _size),
                ("n_summaries", _size), ("n_failures", _size), ("n_found", _size)]


class DataInfo(_Struct):
    _fields_ = [("struct_size", ctypes.c_uint32), ("task", ctypes.c_int32), ("name", _char_p),
                ("n_rows", ctypes.c_int64), ("features", ctypes.POINTER(_char_p)),
                ("n_features", _size), ("classes", ctypes.POINTER(_char_p)), ("n_classes", _size),
                ("content_hash", _char_p)]


class Library:
    """libcrossfold.so. Handles are plain pointers in c_void_p."""

    def __init__(self, path):
        self._c = ctypes.CDLL(path)
        self._c.crossfold_last_error.restype = _char_p
        self._c.crossfold_version.restype = _char_p

    def version(self):
        return self._c.crossfold_version().decode()

    def context(self, plugin_paths=(), workers=0, log=None, progress=None):
        return Context(self._c, plugin_paths, workers, log, progress)


class Handle:
    """Something that a call of the library made and another destroys."""

    def __init__(self, context, kind, pointer):
        self.context, self.pointer = context, pointer
        self._destroy = getattr(context.c, f"crossfold_{kind}_destroy")

    def __del__(self):
        if self.pointer:
            self._destroy(self.pointer)
            self.pointer = None


class Context:
    cells_found = 0  # of the last evaluation with a store

    def __init__(self, c, plugin_paths, workers, log, progress):
        self.c = c
        paths = (_char_p * len(plugin_paths))(*(path.encode() for path in plugin_paths))
        # The library calls these as long as the context lives, so they are kept.
        self._log = _LOG(lambda _, level, text: log(level, text.decode()) if log else None)
        self._progress = _PROGRESS(lambda _, done, total: progress(done, total) if progress else 0)
        options = Options(plugin_paths=paths, n_plugin_paths=len(paths), workers=workers,
                          log=self._log, progress=self._progress)
        self.pointer = _void_p()
        self._check(c.crossfold_context_create(ctypes.byref(options), ctypes.byref(self.pointer)))

    def _check(self, status):
        if status != 0:
            raise Error(status, self.c.crossfold_last_error(self.pointer).decode())

    def __del__(self):
        if self.pointer:
            self.c.crossfold_context_destroy(self.pointer)
            self.pointer = None

    def _make(self, kind, function, *arguments):
        made = _void_p()
        self._check(function(self.pointer, *arguments, ctypes.byref(made)))
        return Handle(self, kind, made)

    def cancel(self):
        self.c.crossfold_cancel(self.pointer)

    def read(self, path, **options):
        return self._make("dataset", self.c.crossfold_dataset_read, path.encode(),
                          json.dumps(options).encode(), None)

    def evaluate(self, dataset, **experiment):
        """Rows of summaries: (learner, metric, Summary). `cells_found` says what the store had."""
        result = self._make("result", self.c.crossfold_evaluate, dataset.pointer, None,
                            json.dumps(experiment).encode())
        info = ResultInfo()
        self.c.crossfold_result_describe(result.pointer, ctypes.byref(info))
        self.cells_found = info.n_found
        rows = []
        for i in range(info.n_summaries):
            row = Summary()
            self.c.crossfold_result_summary(result.pointer, _size(i), ctypes.byref(row))
            rows.append((info.learners[row.learner].decode(), info.metrics[row.metric].decode(),
                         row))
        return rows

    def import_arrow(self, name, schema, array, **roles):
        return self._make("dataset", self.c.crossfold_dataset_import_arrow, name.encode(),
                          ctypes.byref(schema), ctypes.byref(array), json.dumps(roles).encode())

    def export_arrow(self, dataset, schema, array):
        self._check(self.c.crossfold_dataset_export_arrow(
            self.pointer, dataset.pointer, ctypes.byref(schema), ctypes.byref(array)))

    def describe(self, dataset):
        info = DataInfo()
        self.c.crossfold_dataset_describe(dataset.pointer, ctypes.byref(info))
        return info
