"""Learners, splitters and metrics as the library reads them: JSON."""
import json
import math

import numpy as np

from .error import Error

# Serves objects with fit and predict in a process of its own.
_SERVING_LEARNER = "sklearn"


def _is_settable(value):
    return callable(getattr(value, "get_params", None)) and not isinstance(value, type)


def _refuse_setting(kind, name, finding):
    raise Error(f"cannot use estimator '{kind}': its setting '{name}' {finding}; use numbers, strings, bool, None, "
                "estimators, and lists of them")


def _plain(kind, name, value):
    """A setting as JSON has it. Tuples become lists, and estimators their class and settings."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, np.generic):
        return _plain(kind, name, value.item())
    if isinstance(value, float):
        if not math.isfinite(value):
            _refuse_setting(kind, name, f"is {value}, which JSON does not have")
        return value
    if isinstance(value, np.ndarray):
        return _plain(kind, name, value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(kind, name, entry) for entry in value]
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                _refuse_setting(kind, name, f"has the key {key!r}, which is not a string")
        return {key: _plain(kind, name, entry) for key, entry in value.items()}
    if _is_settable(value):
        return {"class": _class_name(value), "settings": _settings(value)}
    return _refuse_setting(kind, name, f"is a {type(value).__name__}")


def _class_name(estimator):
    kind = type(estimator)
    if kind.__module__ == "__main__" or "<locals>" in kind.__qualname__:
        raise Error(f"cannot use estimator '{kind.__name__}': another process cannot import its class from "
                    f"'{kind.__module__}'; put the class into a module")
    return f"{kind.__module__}:{kind.__qualname__}"


def _settings(estimator):
    kind = type(estimator).__name__
    return {name: _plain(kind, name, value) for name, value in sorted(estimator.get_params(deep=False).items())}


def estimator_component(estimator):
    """The component that serves an object with `get_params`, such as an estimator of scikit-learn: the learner
    `sklearn` with the name of the class and its settings as JSON, also those of estimators in it. Raises Error for settings that JSON does not have,
    and for classes that another process cannot import."""
    return {"id": _SERVING_LEARNER, "params": {"estimator": _class_name(estimator),
                                               "settings": json.dumps(_settings(estimator), sort_keys=True)}}


def learner(value):
    """A string, a component {"id", "params"}, an object with `get_params`, or a list of transforms that ends in one
    of these."""
    if isinstance(value, (list, tuple)):
        return [learner(step) for step in value]
    if isinstance(value, (str, dict)):
        return value
    if _is_settable(value):
        return estimator_component(value)
    raise Error(f"cannot use a learner of type '{type(value).__name__}': it is neither a string such as \"knn{{k=5}}\" "
                "nor an object with get_params; give one of them, or a list of transforms that ends in one")


def all_give_probabilities(given):
    """Whether no object among the learners lacks `predict_proba`. Other learners leave out what they do not have."""
    if _is_settable(given):
        return hasattr(given, "predict_proba")
    if isinstance(given, dict):
        return "id" in given or all(map(all_give_probabilities, given.values()))
    return isinstance(given, str) or all(map(all_give_probabilities, given))


def learners(given):
    """Learners by name. A list is of strings, which are then the names, or of objects, which get that of their
    class."""
    if isinstance(given, dict):
        return {str(name): learner(value) for name, value in given.items()}
    if isinstance(given, str) or _is_settable(given):
        given = [given]
    made = {}
    for value in given:
        name = value if isinstance(value, str) else type(value).__name__
        if isinstance(value, (list, tuple, dict)):
            raise Error("cannot name a learner: it is neither a string nor an object; give a dict {name: learner}")
        if name in made:
            raise Error(f"cannot name a learner: two are called '{name}'; give a dict {{name: learner}}")
        made[name] = learner(value)
    return made
