# Arrow arrays made in Python go into Crossfold and come back: without a copy, and released once.
#   arrow_round_trip.py LIBRARY PLUGIN_FOLDER
import ctypes
import gc
import sys

import crossfold


class ArrowSchema(ctypes.Structure):
    pass


class ArrowArray(ctypes.Structure):
    pass


RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowSchema))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))
ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))),
    ("dictionary", ctypes.POINTER(ArrowSchema)), ("release", RELEASE_SCHEMA),
    ("private_data", ctypes.c_void_p)]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))),
    ("dictionary", ctypes.POINTER(ArrowArray)), ("release", RELEASE_ARRAY),
    ("private_data", ctypes.c_void_p)]

released = []
kept = []  # what the structs point to lives as long as this program


@RELEASE_SCHEMA
def release_schema(schema):
    released.append("schema")
    schema.contents.release = RELEASE_SCHEMA()


@RELEASE_ARRAY
def release_array(array):
    released.append("array")
    array.contents.release = RELEASE_ARRAY()


@RELEASE_SCHEMA
def release_child_schema(schema):
    schema.contents.release = RELEASE_SCHEMA()


@RELEASE_ARRAY
def release_child_array(array):
    array.contents.release = RELEASE_ARRAY()


def keep(value):
    kept.append(value)
    return value


def column(form, name, buffers, length, null_count=0, dictionary=None):
    """A schema and an array of one column; a buffer is a ctypes array or None."""
    schema = keep(ArrowSchema(format=form, name=name, release=release_child_schema))
    pointers = keep((ctypes.c_void_p * len(buffers))(
        *(None if b is None else ctypes.addressof(keep(b)) for b in buffers)))
    array = keep(ArrowArray(length=length, null_count=null_count, n_buffers=len(buffers),
                            buffers=pointers, release=release_child_array))
    if dictionary:
        schema.dictionary, array.dictionary = (ctypes.pointer(part) for part in dictionary)
    return schema, array


def table(*columns):
    """The struct array of the columns, which counts its releases."""
    schemas = keep((ctypes.POINTER(ArrowSchema) * len(columns))(
        *(ctypes.pointer(c[0]) for c in columns)))
    arrays = keep((ctypes.POINTER(ArrowArray) * len(columns))(
        *(ctypes.pointer(c[1]) for c in columns)))
    schema = ArrowSchema(format=b"+s", name=b"", n_children=len(columns), children=schemas,
                         release=release_schema)
    array = ArrowArray(length=columns[0][1].length, n_buffers=1, n_children=len(columns),
                       buffers=keep((ctypes.c_void_p * 1)()), children=arrays,
                       release=release_array)
    return schema, array


def flowers():
    numbers = (ctypes.c_double * 4)(1.5, 2.5, -3.0, 4.0)
    present = (ctypes.c_uint8 * 1)(0b1101)
    offsets, text = (ctypes.c_int32 * 3)(0, 2, 5), (ctypes.c_char * 5).from_buffer_copy(b"noyes")
    levels = column(b"u", b"", [None, offsets, text], 2)
    codes = (ctypes.c_int8 * 4)(0, 1, 1, 0)
    return numbers, table(column(b"g", b"x", [present, numbers], 4, null_count=1),
                          column(b"c", b"y", [None, codes], 4, dictionary=levels))


library, plugins = sys.argv[1:]
context = crossfold.Library(library).context([plugins], workers=2)

numbers, (schema, array) = flowers()
data = context.import_arrow("flowers", schema, array, target="y")
assert released == ["schema"], released
assert not array.release, "moved out"
info = context.describe(data)
assert (info.n_rows, info.task, info.n_classes) == (4, 1, 2)
assert [info.classes[i] for i in range(2)] == [b"no", b"yes"]

out_schema, out_array = ArrowSchema(), ArrowArray()
context.export_arrow(data, out_schema, out_array)
x = out_array.children[0].contents
assert x.buffers[1] == ctypes.addressof(numbers), "not copied"
assert x.null_count == 1
hash_in = info.content_hash
del data, info
gc.collect()
assert released == ["schema"], "the export is left"

again = context.import_arrow("again", out_schema, out_array, target="y")
assert context.describe(again).content_hash == hash_in
rows = context.evaluate(again, learners=["featureless"], splitter="leave_one_out",
                        metrics="accuracy")
assert rows[0][2].n_folds == 4
del again
gc.collect()
assert released == ["schema", "array"], released

released.clear()
_, (schema, array) = flowers()
schema.format = b"+l"
try:
    context.import_arrow("flowers", schema, array)
    raise AssertionError("nothing was refused")
except crossfold.Error as error:
    print(error)
assert sorted(released) == ["array", "schema"], "released on error, too"
print("round trip done")
