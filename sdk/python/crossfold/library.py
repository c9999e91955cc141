"""Finds and loads libcrossfold.so."""
import ctypes
import functools
import os
import shutil

from . import structs
from .error import Error

_NAME = "libcrossfold.so.0"
_HERE = os.path.dirname(os.path.abspath(__file__))
# The folder lib of an installation that this package is part of (lib/python3/dist-packages/crossfold).
_LIB = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))


def _candidates():
    given = os.environ.get("CROSSFOLD_LIBRARY")
    if given:
        return [given]
    beside = [os.path.join(folder, _NAME) for folder in (_HERE, _LIB)]
    return [path for path in beside if os.path.exists(path)] + [_NAME]


@functools.lru_cache(maxsize=None)
def library():
    """libcrossfold.so, loaded once: the file that the variable CROSSFOLD_LIBRARY names, else one next to this
    package or in its installation, else what the system's loader finds. Raises Error."""
    problem = None
    for path in _candidates():
        try:
            loaded = ctypes.CDLL(path)
            structs.declare(loaded)
            return loaded
        except (OSError, AttributeError) as error:
            problem = error
    raise Error(f"cannot load '{_candidates()[-1]}': {problem}; install the package crossfold, or name the file in "
                "CROSSFOLD_LIBRARY", "input or output")


def version():
    """The version of libcrossfold.so, "MAJOR.MINOR.PATCH"."""
    return library().crossfold_version().decode()


def program():
    """The path of the program `crossfold`: what the variable CROSSFOLD_PROGRAM names, else the one of the
    installation of libcrossfold.so or of this package, else the one in PATH. Raises Error."""
    given = os.environ.get("CROSSFOLD_PROGRAM")
    if given:
        return given
    folder = os.path.dirname(os.path.realpath(os.environ.get("CROSSFOLD_LIBRARY", "")))
    for prefix in (os.path.dirname(folder), os.path.dirname(os.path.dirname(folder)), os.path.dirname(_LIB)):
        path = os.path.join(prefix, "bin", "crossfold")
        if os.access(path, os.X_OK):
            return path
    found = shutil.which("crossfold")
    if found:
        return found
    raise Error("cannot find the program 'crossfold': it is not in PATH; install it, or name it in CROSSFOLD_PROGRAM",
                "input or output")
