"""How the package finds the library and the program."""
import ctypes
import os
import subprocess
import sys
import tempfile
import unittest

import crossfold
from crossfold import library, structs


def run(code, **environment):
    """What a new interpreter prints, with other variables."""
    variables = {**os.environ, **environment}
    done = subprocess.run([sys.executable, "-B", "-c", code], env=variables, text=True, capture_output=True,
                          check=False)
    return done.stdout + done.stderr


class LibraryTest(unittest.TestCase):
    def test_it_is_the_file_that_the_variable_names(self):
        self.assertEqual(crossfold.version(), "0.1.0")
        self.assertIn("cannot load '/nothing.so': /nothing.so: cannot open shared object file: No such file or "
                      "directory; install the package crossfold, or name the file in CROSSFOLD_LIBRARY",
                      run("import crossfold; crossfold.version()", CROSSFOLD_LIBRARY="/nothing.so"))

    def test_else_it_is_next_to_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.dirname(crossfold.__file__)
            copy = os.path.join(folder, "crossfold")
            os.mkdir(copy)
            for name in os.listdir(source):
                if name.endswith(".py"):
                    os.symlink(os.path.join(source, name), os.path.join(copy, name))
            os.symlink(os.environ["CROSSFOLD_LIBRARY"], os.path.join(copy, "libcrossfold.so.0"))
            code = "import crossfold.library as l; l.__file__; print(l.library()._name)"
            self.assertEqual(run(code, CROSSFOLD_LIBRARY="", PYTHONPATH=folder),
                             os.path.join(copy, "libcrossfold.so.0") + "\n")

    def test_an_interpreter_that_ends_with_objects_alive_ends_well(self):
        code = ("import crossfold, numpy\n"
                "X = numpy.ones((30, 2)); y = ['a', 'b', 'c'] * 10\n"
                "kept = [crossfold.evaluate(X, y, ['featureless']), crossfold.fit(X, y, 'featureless')]\n"
                "print('done')")
        self.assertEqual(run(code), "done\n")

    def test_pandas_is_not_needed(self):
        code = ("import sys; sys.modules['pandas'] = None\n"
                "import crossfold, numpy\n"
                "X = numpy.arange(60.0).reshape(30, 2); y = ['a', 'b', 'c'] * 10\n"
                "result = crossfold.evaluate(X, y, ['featureless'], splitter='kfold{folds=5}')\n"
                "print(len(result.scores()), result.confusion().counts.sum())\n"
                "try:\n    result.to_pandas()\nexcept crossfold.Error as error:\n    print(error)")
        self.assertEqual(run(code), "5 30\ncannot make a DataFrame: pandas is not installed; install it, or use the "
                                    "rows\n")

    def test_structs_have_the_layout_of_the_headers(self):
        """The sizes that tests/unit/bindings/c/context_test.cpp has for the same structs."""
        sizes = {structs.Options: 72, structs.Column: 80, structs.DataInfo: 72, structs.ResultInfo: 96,
                 structs.Score: 56, structs.Summary: 104, structs.Failure: 48, structs.Predictions: 88,
                 structs.Pair: 192, structs.CurveInfo: 80}
        self.assertEqual({struct: ctypes.sizeof(struct) for struct in sizes}, sizes)

    def test_the_program_is_the_file_that_the_variable_names(self):
        self.assertEqual(library.program(), os.environ["CROSSFOLD_PROGRAM"])


if __name__ == "__main__":
    unittest.main()
