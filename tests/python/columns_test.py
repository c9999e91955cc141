"""Columns that users have become those of the library, without a copy where that is possible."""
import gc
import unittest

import crossfold
import numpy as np
import pandas as pd
from crossfold import columns, structs
from refusal import refusal


def codes_of(column):
    return column.data.tolist(), column.levels


class FeatureTest(unittest.TestCase):
    def test_numbers_that_the_library_knows_are_not_copied(self):
        for dtype, code in (("f8", structs.F64), ("f4", structs.F32), ("i8", structs.I64), ("i4", structs.I32),
                            ("?", structs.BOOL8)):
            values = np.ones(3, dtype=dtype)
            column = columns.feature("x", values)
            self.assertEqual(column.dtype, code)
            self.assertTrue(np.shares_memory(column.data, values), dtype)

    def test_columns_of_frames_and_of_arrays_in_fortran_order_are_not_copied(self):
        array = np.asfortranarray(np.random.default_rng(1).normal(size=(20, 3)))
        frame = pd.DataFrame(array.copy(order="F"), columns=["a", "b", "c"])
        for i in range(3):
            self.assertTrue(np.shares_memory(columns.feature("x", array[:, i]).data, array))
            self.assertTrue(np.shares_memory(columns.feature("x", frame.iloc[:, i]).data, frame.to_numpy()))

    def test_other_numbers_are_widened(self):
        for dtype, code in (("f2", structs.F32), ("i1", structs.I32), ("u2", structs.I32), ("u4", structs.I64),
                            ("u8", structs.I64), (">f8", structs.F64)):
            column = columns.feature("x", np.array([1, 2], dtype=dtype))
            self.assertEqual((column.dtype, column.data.tolist()), (code, [1, 2]), dtype)

    def test_strings_become_categories_sorted_as_in_files(self):
        self.assertEqual(codes_of(columns.feature("x", np.array(["b", "a", "b"]))), ([1, 0, 1], ["a", "b"]))
        self.assertEqual(codes_of(columns.feature("x", np.array(["b", None, "B"], dtype=object))),
                         ([1, -1, 0], ["B", "b"]))
        self.assertEqual(codes_of(columns.feature("x", pd.Series(["10", "9", None]))), ([1, 0, -1], ["9", "10"]))

    def test_categories_keep_their_order(self):
        size = pd.Categorical(["s", "l", None], categories=["s", "m", "l"], ordered=True)
        for values in (size, pd.Series(size)):
            column = columns.feature("x", values)
            self.assertEqual(codes_of(column), ([0, 2, -1], ["s", "m", "l"]))
            self.assertTrue(column.ordered)

    def test_missing_entries_of_pandas_are_missing(self):
        whole = columns.feature("x", pd.Series([1, None, 3], dtype="Int64"))
        self.assertEqual((whole.dtype, whole.missing.tolist()), (structs.I64, [False, True, False]))
        flags = columns.feature("x", pd.Series([True, None, False], dtype="boolean"))
        self.assertEqual((flags.dtype, flags.missing.tolist()), (structs.BOOL8, [False, True, False]))
        mixed = columns.feature("x", pd.Series([1, None, 2.5], dtype=object))
        self.assertEqual(mixed.dtype, structs.F64)
        self.assertTrue(np.isnan(mixed.data[1]))
        texts = columns.feature("x", pd.Series(["a", pd.NA], dtype="string"))
        self.assertEqual(codes_of(texts), ([0, -1], ["a"]))
        days = columns.feature("x", pd.Series(pd.to_datetime(["2020-01-02", None])))
        self.assertEqual((days.dtype, days.missing.tolist()), (structs.I64, [False, True]))

    def test_what_is_not_a_column_is_refused_by_its_name(self):
        cases = [(np.array([1 + 2j]), "its type is complex128; convert it to float64, int64, bool or str"),
                 (np.array([1, "a"], dtype=object),
                  "its entries are of the types float, str; give numbers, strings or bool, all of one type"),
                 (np.array([2 ** 63], dtype="u8"), "a number does not fit in int64; convert it to float64"),
                 (np.ones((2, 2)), "its shape is (2, 2); give (rows,)")]
        for values, finding in cases:
            self.assertEqual(refusal(columns.feature, "x", values), "cannot use column 'x': " + finding)


class TargetTest(unittest.TestCase):
    def test_strings_whole_numbers_and_bool_are_classes(self):
        for values, labels, names in ((np.array(["b", "a"]), ["a", "b"], ["a", "b"]),
                                      (np.array([10, 9]), [9, 10], ["9", "10"]),
                                      (np.array([True, False]), [False, True], ["false", "true"]),
                                      (pd.Series(["y", "x"], dtype="category"), ["x", "y"], ["x", "y"])):
            column, found = columns.target("y", values)
            self.assertEqual(found, labels)
            self.assertEqual(codes_of(column), ([1, 0], names))

    def test_floating_point_numbers_are_values(self):
        column, labels = columns.target("y", np.array([1, 2], dtype=np.float32))
        self.assertIsNone(labels)
        self.assertEqual(column.dtype, structs.F64)

    def test_classes_of_several_types_are_refused(self):
        self.assertEqual(refusal(columns.target, "y", np.array([1, "1"], dtype=object)),
                         "cannot use column 'y': the types of its classes are int, str; give all classes one type")


class DatasetTest(unittest.TestCase):
    def test_columns_of_an_array_have_names_by_number(self):
        data = crossfold.dataset(np.ones((2, 2)), ["a", "b"])
        self.assertEqual((data.features, data.task, data.classes), (["x0", "x1"], "classification", ["a", "b"]))

    def test_roles_are_columns_or_arrays(self):
        frame = pd.DataFrame({"a": [1.0, 2], "w": [1.0, 3], "y": ["u", "v"]})
        by_name = crossfold.dataset(frame, "y", weights="w")
        self.assertEqual(by_name.features, ["a"])
        arrays = crossfold.dataset(frame[["a"]], frame["y"], weights=frame["w"], groups=[1, 2])
        self.assertEqual(arrays.features, ["a"])

    def test_classes_have_the_order_of_files(self):
        for labels in (["10", "2", "2"], np.array(["10", "2", "2"]), pd.Series(["10", "2", "2"]), [10, 2, 2],
                       np.array([10, 2, 2], dtype=object)):
            self.assertEqual([str(c) for c in crossfold.dataset(np.ones((3, 1)), labels).classes], ["2", "10"])
        self.assertEqual(crossfold.dataset(np.ones((3, 1)), ["1_000", "2", " 3"]).classes, [" 3", "1_000", "2"])

    def test_the_positive_class_is_a_role(self):
        data = crossfold.dataset(np.ones((4, 1)), [10, 2, 10, 2], positive=2)
        self.assertEqual((data.classes, data.positive), ([2, 10], 2))
        self.assertIsNone(crossfold.dataset(np.ones((2, 1)), ["a", "b"]).positive)
        self.assertEqual(refusal(crossfold.dataset, np.ones((2, 1)), ["a", "b"], positive="c"),
                         "cannot make dataset 'data': positive = 'c' is not a class; known: a, b")
        flags = crossfold.dataset(np.ones((2, 1)), [True, False], positive=False)
        self.assertIs(flags.positive, False)

    def test_a_target_that_is_also_a_feature_is_refused(self):
        frame = pd.DataFrame({"a": [1.0, 2], "y": ["u", "v"]})
        self.assertEqual(refusal(crossfold.dataset, frame, frame["y"]),
                         "cannot use y: X has a column 'y', too, so a learner would see it; leave it out of X, or give "
                         "y=\"y\"")

    def test_columns_of_other_lengths_are_refused(self):
        self.assertEqual(refusal(crossfold.dataset, np.ones((3, 1)), ["a", "b"]),
                         "cannot make a dataset 'data': column 'y' has 2 rows, column 'x0' has 3; give both the same "
                         "number")

    def test_an_array_of_one_dimension_and_a_sparse_matrix_are_refused(self):
        class Sparse:
            def toarray(self):
                return np.ones((1, 1))
        for X, message in ((np.ones(3), "cannot use X: its shape is (3,), not (rows, features); X.reshape(-1, 1) makes "
                                        "one column"),
                           (Sparse(), "cannot use X: it is a sparse matrix; give X.toarray()")):
            self.assertEqual(refusal(crossfold.dataset, X), message)

    def test_infinities_are_refused_unless_they_are_asked_for(self):
        X = {"a": [1.0, np.inf, 3.0]}
        self.assertIn("column 'a', row 2: the entry is infinite", refusal(crossfold.dataset, X))
        kept = crossfold.dataset(X, infinite="keep")
        missing = crossfold.dataset(X, infinite="missing")
        self.assertNotEqual(kept.content_hash, missing.content_hash)
        self.assertEqual(missing.content_hash, crossfold.dataset({"a": [1.0, np.nan, 3.0]}).content_hash)

    def test_a_column_of_numbers_and_a_word_is_noted(self):
        X = {"a": [str(i) for i in range(30)] + ["n/a"]}
        with self.assertLogs("crossfold", "WARNING") as log:
            crossfold.dataset(X)
        self.assertIn("'a' is read as categories, but", log.output[0])

    def test_the_library_says_what_is_wrong_with_the_data(self):
        self.assertIn("'b'", refusal(crossfold.dataset, {"a": [1, 2]}, "b"))

    def test_arrays_are_given_back_when_nothing_uses_them(self):
        gc.collect()
        before = len(columns._lent)
        data = crossfold.dataset(np.ones((4, 2)), ["a", "b", "a", "b"])
        self.assertEqual(len(columns._lent), before + 3)
        result = crossfold.evaluate(data, learners=["featureless"], splitter="holdout")
        del data
        gc.collect()
        self.assertEqual(len(columns._lent), before + 3)
        del result
        gc.collect()
        self.assertEqual(len(columns._lent), before)


if __name__ == "__main__":
    unittest.main()
