"""The structs, constants and callbacks of crossfold.h, for ctypes. Fields are those of the headers."""
import ctypes

void_p, char_p, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
i32, i64, u32, u64, f64 = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_double
strings = ctypes.POINTER(char_p)
i32s, i64s, f64s = ctypes.POINTER(i32), ctypes.POINTER(i64), ctypes.POINTER(f64)

LOG = ctypes.CFUNCTYPE(None, void_p, i32, char_p)
PROGRESS = ctypes.CFUNCTYPE(i32, void_p, u64, u64)
RELEASE = ctypes.CFUNCTYPE(None, void_p)

OK, CANCELLED = 0, 5
NO_SHARING = 8
F64, F32, I32, I64, BOOL8, CAT32 = range(1, 7)
NO_TARGET, CLASSIFICATION, REGRESSION = range(3)


class Struct(ctypes.Structure):
    """A struct that begins with its size, which the caller sets."""

    def __init__(self, **fields):
        super().__init__(struct_size=ctypes.sizeof(self), **fields)


class Options(Struct):
    _fields_ = [("struct_size", u32), ("flags", u32), ("plugin_paths", strings), ("n_plugin_paths", size),
                ("workers", i32), ("reserved", i32), ("memory", u64), ("user", void_p), ("log", LOG),
                ("progress", PROGRESS), ("lock", char_p)]


class Column(Struct):
    _fields_ = [("struct_size", u32), ("dtype", i32), ("name", char_p), ("data", void_p), ("validity", void_p),
                ("validity_offset", i64), ("levels", strings), ("n_levels", size), ("ordered", i32),
                ("reserved", i32), ("release", RELEASE), ("release_user", void_p)]


class DataInfo(Struct):
    _fields_ = [("struct_size", u32), ("task", i32), ("name", char_p), ("n_rows", i64), ("features", strings),
                ("n_features", size), ("classes", strings), ("n_classes", size), ("content_hash", char_p),
                ("positive", char_p)]


class ResultInfo(Struct):
    _fields_ = [("struct_size", u32), ("reserved", u32), ("learners", strings), ("n_learners", size),
                ("metrics", strings), ("n_metrics", size), ("n_scores", size), ("n_summaries", size),
                ("n_failures", size), ("n_found", size), ("store_problem", char_p), ("n_cancelled", size),
                ("metric_classes", strings)]


class Score(Struct):
    _fields_ = [("struct_size", u32), ("defined", i32), ("learner", size), ("metric", size), ("repeat", i64),
                ("fold", i64), ("value", f64), ("reason", char_p)]


class Summary(Struct):
    _fields_ = [("struct_size", u32), ("reserved", u32), ("learner", size), ("metric", size), ("n_folds", i64),
                ("n_defined", i64), ("n_failed", i64), ("mean", f64), ("sd", f64), ("min", f64), ("max", f64),
                ("median", f64), ("aggregation", char_p), ("reason", char_p)]


class Failure(Struct):
    _fields_ = [("struct_size", u32), ("code", i32), ("learner", size), ("repeat", i64), ("fold", i64),
                ("stage", char_p), ("message", char_p)]


class Predictions(Struct):
    _fields_ = [("struct_size", u32), ("reserved", u32), ("n_rows", size), ("n_classes", size), ("rows", i64s),
                ("repeats", i64s), ("folds", i64s), ("labels", i32s), ("values", f64s), ("probabilities", f64s),
                ("true_labels", i32s), ("true_values", f64s)]


class Pair(Struct):
    _fields_ = [("struct_size", u32), ("better", i32), ("a", size), ("b", size), ("test", char_p), ("splits", i64),
                ("splits_of", i64), ("mean_a", f64), ("mean_b", f64), ("difference", f64), ("low", f64),
                ("high", f64), ("statistic", f64), ("df", f64), ("p", f64), ("p_adjusted", f64), ("rope", f64),
                ("p_worse", f64), ("p_alike", f64), ("p_better", f64), ("rows", i64), ("only_a", i64),
                ("only_b", i64), ("undefined", char_p), ("left_out", char_p)]


class CurveInfo(Struct):
    _fields_ = [("struct_size", u32), ("reserved", u32), ("n_rows", size), ("n_columns", size), ("columns", strings),
                ("values", f64s), ("figures", strings), ("figure_values", f64s), ("n_figures", size),
                ("positive", char_p), ("undefined", char_p)]


# The arguments of every function that returns a status, without the struct pointers' types.
FUNCTIONS = {
    "context_create": [void_p, void_p],
    "dataset_create": [void_p, char_p, void_p, size, i64, char_p, void_p],
    "dataset_read": [void_p, char_p, char_p, void_p, void_p],
    "dataset_describe": [void_p, void_p],
    "order_levels": [strings, size, ctypes.POINTER(size)],
    "evaluate": [void_p, void_p, void_p, char_p, void_p],
    "result_describe": [void_p, void_p],
    "result_score": [void_p, size, void_p],
    "result_summary": [void_p, size, void_p],
    "result_failure": [void_p, size, void_p],
    "result_predictions": [void_p, size, void_p],
    "result_compare": [void_p, void_p, char_p, void_p],
    "comparison_pair": [void_p, size, void_p],
    "result_curve": [void_p, void_p, size, char_p, void_p],
    "curve_describe": [void_p, void_p],
    "model_fit": [void_p, void_p, char_p, u64, void_p],
    "model_save": [void_p, void_p, char_p],
    "model_load": [void_p, char_p, void_p],
    "model_describe": [void_p, void_p],
    "model_predict": [void_p, void_p, void_p, void_p],
    "prediction_get": [void_p, void_p],
}


def declare(library):
    """Sets the arguments and results of all functions that the package calls."""
    for name, arguments in FUNCTIONS.items():
        function = getattr(library, "crossfold_" + name)
        function.argtypes, function.restype = arguments, i32
    for kind in ("context", "dataset", "result", "comparison", "curve", "model", "prediction"):
        function = getattr(library, f"crossfold_{kind}_destroy")
        function.argtypes, function.restype = [void_p], None
    for name in ("cancel", "cancel_reset"):
        function = getattr(library, "crossfold_" + name)
        function.argtypes, function.restype = [void_p], None
    for name, arguments in (("version", []), ("status_name", [i32]), ("last_error", [void_p]),
                            ("model_learner", [void_p])):
        function = getattr(library, "crossfold_" + name)
        function.argtypes, function.restype = arguments, char_p
    library.crossfold_comparison_count.argtypes = [void_p]
    library.crossfold_comparison_count.restype = size
