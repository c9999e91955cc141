"""Columns of arrays, Series and DataFrames as the library takes them: without a copy where the layout allows it."""
import ctypes
import itertools
import threading

import numpy as np

from . import structs
from .error import Error
from .library import library

# Types that the library takes as they are, and those that others are converted to without a loss.
_DTYPES = {"f8": structs.F64, "f4": structs.F32, "i4": structs.I32, "i8": structs.I64, "b1": structs.BOOL8}
_WIDER = {"f2": "f4", "i1": "i4", "i2": "i4", "u1": "i4", "u2": "i4", "u4": "i8"}

# Arrays that the library uses, by the number that it gives back.
_lent = {}
_numbers = itertools.count(1)
_lent_lock = threading.Lock()


def _give_back(number):
    with _lent_lock:
        del _lent[number]


_RELEASE = structs.RELEASE(_give_back)


class Column:
    """One column: `data` is a contiguous array, `missing` an array of bool or None, `levels` the names of the
    categories or None."""

    def __init__(self, name, data, dtype, missing=None, levels=None, ordered=False):
        self.name, self.data, self.dtype, self.missing = name, data, dtype, missing
        self.levels, self.ordered = levels, ordered

    def lend(self):
        """The struct for the library, which gives the arrays back when nothing uses them any more."""
        validity = None
        if self.missing is not None and self.missing.any():
            validity = np.packbits(~self.missing, bitorder="little")
        levels = [level.encode() for level in self.levels or []]
        texts = (structs.char_p * len(levels))(*levels)
        with _lent_lock:
            number = next(_numbers)
            _lent[number] = (self.data, validity)
        return structs.Column(
            name=self.name.encode(), dtype=self.dtype, data=self.data.ctypes.data,
            validity=None if validity is None else validity.ctypes.data, levels=texts, n_levels=len(levels),
            ordered=int(self.ordered), release=_RELEASE, release_user=number)


def is_frame(value):
    """Whether it is a DataFrame of pandas."""
    return hasattr(value, "columns") and hasattr(value, "iloc") and hasattr(value, "dtypes")


def _is_categorical(values):
    return hasattr(getattr(values, "dtype", None), "categories")


def label_text(label):
    """The name that a label has in the library: "1" for 1, "true" for True."""
    if isinstance(label, (bool, np.bool_)):
        return "true" if label else "false"
    return label if isinstance(label, str) else str(label)


def _refuse(name, finding):
    raise Error(f"cannot use column '{name}': {finding}")


def _missing_objects(values):
    """Which entries of an array of objects are None, NaN, NaT or pandas.NA."""
    def is_missing(value):
        if value is None or type(value).__name__ in ("NAType", "NaTType"):
            return True
        return isinstance(value, (float, np.floating)) and value != value
    return np.fromiter((is_missing(value) for value in values), dtype=bool, count=len(values))


def _in_order(labels):
    """Distinct labels in the order that the library gives to classes where nothing declares one."""
    labels = list(labels)
    names = (structs.char_p * len(labels))(*[label_text(label).encode() for label in labels])
    places = (structs.size * len(labels))()
    if library().crossfold_order_levels(names, len(labels), places) != structs.OK:
        raise Error(f"cannot order the classes {labels}: two of them have the same name")
    ordered = [None] * len(labels)
    for label, place in zip(labels, places):
        ordered[place] = label
    return ordered


def _coded(name, values, missing, labels=None):
    """A categorical column of the distinct values. Returns it and its labels in order."""
    if labels is None:
        labels = _in_order(set(values[~missing].tolist()))
    index = {label: code for code, label in enumerate(labels)}
    codes = np.fromiter((-1 if gone else index[value] for value, gone in zip(values.tolist(), missing)),
                        dtype=np.int32, count=len(values))
    return Column(name, codes, structs.CAT32, levels=[label_text(label) for label in labels]), labels


def _categorical(name, values):
    """A column of pandas.Categorical or of a Series of it."""
    accessor = getattr(values, "cat", values)
    labels = list(accessor.categories)
    codes = np.ascontiguousarray(accessor.codes, dtype=np.int32)
    return Column(name, codes, structs.CAT32, levels=[label_text(label) for label in labels],
                  ordered=bool(accessor.ordered)), labels


def _plain(name, values):
    """`values` as an array of one dimension, and which entries pandas calls missing (or None)."""
    missing = None
    dtype = getattr(values, "dtype", None)
    if dtype is not None and not isinstance(dtype, np.dtype):  # an extension type of pandas
        missing = np.asarray(values.isna(), dtype=bool)
        numpy_type = getattr(dtype, "numpy_dtype", None)
        if isinstance(numpy_type, np.dtype) and numpy_type.kind in "iufb":
            values = values.to_numpy(dtype=numpy_type, na_value=numpy_type.type(0))
        else:
            values = values.to_numpy(dtype=object)
    array = np.asarray(values)
    if array.ndim != 1:
        _refuse(name, f"its shape is {array.shape}; give (rows,)")
    return array, missing


def _times(array):
    """Dates, times and durations as whole numbers of their unit, and which are missing."""
    return array.astype(np.int64), np.isnat(array)


def _of_objects(name, array, missing):
    """A column of Python objects: numbers, bool or strings."""
    if missing is None:
        missing = _missing_objects(array)
    present = array[~missing]
    kinds = {bool if isinstance(v, (bool, np.bool_)) else str if isinstance(v, str) else float
             if isinstance(v, (int, float, np.integer, np.floating)) else type(v) for v in present}
    if kinds <= {float}:
        numbers = np.full(len(array), np.nan)
        numbers[~missing] = present.astype(np.float64)
        return Column(name, numbers, structs.F64)
    if kinds == {bool}:
        flags = np.zeros(len(array), dtype=bool)
        flags[~missing] = present.astype(bool)
        return Column(name, flags, structs.BOOL8, missing)
    if kinds == {str}:
        return _coded(name, array, missing)[0]
    names = ", ".join(sorted(kind.__name__ for kind in kinds))
    return _refuse(name, f"its entries are of the types {names}; give numbers, strings or bool, all of one type")


def _of_numbers(name, array, missing):
    if array.dtype.kind in "mM":
        array, missing = _times(array)
    if array.dtype.kind == "u" and array.dtype.itemsize == 8:
        if array.size and int(array.max()) > np.iinfo(np.int64).max:
            _refuse(name, "a number does not fit in int64; convert it to float64")
        array = array.astype(np.int64)
    code = array.dtype.kind + str(array.dtype.itemsize)
    code = _WIDER.get(code, code)
    if code not in _DTYPES:
        _refuse(name, f"its type is {array.dtype}; convert it to float64, int64, bool or str")
    data = np.ascontiguousarray(array, dtype=np.dtype(code))
    return Column(name, data, _DTYPES[code], missing)


def feature(name, values):
    """The column of a feature: numbers and bool as they are, strings and categories as categories."""
    if _is_categorical(values):
        return _categorical(name, values)[0]
    array, missing = _plain(name, values)
    if array.dtype.kind in "OUS":
        return _of_objects(name, array.astype(object), missing)
    return _of_numbers(name, array, missing)


def target(name, values):
    """The column of a target, and its labels in the order of the classes (None for numbers). Strings, whole numbers,
    bool and categories are classes; floating-point numbers are values."""
    if _is_categorical(values):
        return _categorical(name, values)
    array, missing = _plain(name, values)
    if array.dtype.kind in "OUS":
        array = array.astype(object)
        missing = _missing_objects(array) if missing is None else missing
        kinds = {type(value) for value in array[~missing]}
        if len(kinds) > 1:
            names = ", ".join(sorted(kind.__name__ for kind in kinds))
            _refuse(name, f"the types of its classes are {names}; give all classes one type")
        if kinds and issubclass(next(iter(kinds)), (float, np.floating)):
            return Column(name, array.astype(np.float64), structs.F64), None
        return _coded(name, array, missing)
    if array.dtype.kind == "f":
        return Column(name, np.ascontiguousarray(array, dtype=np.float64), structs.F64, missing), None
    if array.dtype.kind not in "iub":
        _refuse(name, f"its type is {array.dtype}; give classes (strings, whole numbers, bool) or float64")
    missing = np.zeros(len(array), dtype=bool) if missing is None else missing
    labels, codes = np.unique(array[~missing], return_inverse=True)  # sorted by value
    filled = np.full(len(array), -1, dtype=np.int32)
    filled[~missing] = codes
    return Column(name, filled, structs.CAT32, levels=[label_text(label) for label in labels.tolist()]), \
        labels.tolist()


def pointers(columns):
    """Structs of the columns, and the array of pointers to them that the library takes."""
    lent = [column.lend() for column in columns]
    return lent, (ctypes.POINTER(structs.Column) * len(lent))(*(ctypes.pointer(one) for one in lent))
