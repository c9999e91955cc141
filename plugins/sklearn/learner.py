"""crossfold.sklearn: any estimator with the methods of scikit-learn, named by a parameter."""

import functools
import importlib
import inspect

from crossfold_learner import Failure, serve


@functools.lru_cache(maxsize=None)
def resolve(name, task):
    """The class that "module:Class" names; a '*' at the end stands for Classifier or Regressor."""
    module, separator, attribute = name.partition(":")
    if not (separator and module and attribute):
        raise Failure("invalid_param", f"estimator '{name}' is not of the form module:Class, "
                      "such as sklearn.svm:SVC")
    if attribute.endswith("*"):
        attribute = attribute[:-1] + ("Regressor" if task == "regression" else "Classifier")
    try:
        return getattr(importlib.import_module(module), attribute)
    except ImportError as error:
        raise Failure("invalid_param", f"estimator '{name}' cannot be imported: {error}") from error
    except AttributeError:
        raise Failure("invalid_param", f"estimator '{name}': module {module} has no {attribute}") from None


@functools.lru_cache(maxsize=None)
def parameters_of(kind):
    return inspect.signature(kind).parameters


def made(name, settings, context):
    """The estimator with these settings. Class names in class_weight become codes, if y has codes."""
    kind = resolve(name, context.task)
    declared = parameters_of(kind)
    takes_any = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in declared.values())
    arguments = {}
    for key, value in settings.items():
        if key not in declared and not takes_any:
            raise Failure("invalid_param", f"settings: {kind.__name__} has no argument '{key}'; "
                          f"known: {', '.join(declared)}")
        value = argument(value, context)
        default = declared[key].default if key in declared else None
        if isinstance(default, tuple) and isinstance(value, list):
            value = tuple(value)
        arguments[key] = value
    return kind(**arguments)


def argument(value, context):
    """A setting as Python's constructors want it: {"class": ..., "settings": ...} is an estimator."""
    if isinstance(value, list):
        return [argument(entry, context) for entry in value]
    if not isinstance(value, dict):
        return value
    if "class" in value and set(value) <= {"class", "settings"}:
        return made(value["class"], value.get("settings", {}), context)
    return {key: argument(entry, context) for key, entry in value.items()}


def takes_categories(params, context):
    """Whether the estimator wants codes and a list of the categorical columns."""
    kind = resolve(params["estimator"], context.task)
    return "categorical_features" in parameters_of(kind)


def make(params, context):
    estimator = made(params["estimator"], params["settings"], context)
    if columns(params, context) == "matrix" and takes_categories(params, context):
        is_category = [feature.type == "category" for feature in context.features]
        if any(is_category) and "categorical_features" not in params["settings"]:
            estimator.set_params(categorical_features=is_category)
    return estimator


def columns(params, context):
    if params["columns"] == "auto" and takes_categories(params, context):
        return "matrix"
    return params["columns"]


def names_classes(settings):
    """Whether a setting, also of an inner estimator, has the names of classes as keys."""
    if isinstance(settings, list):
        return any(names_classes(entry) for entry in settings)
    if not isinstance(settings, dict):
        return False
    return isinstance(settings.get("class_weight"), dict) or any(map(names_classes, settings.values()))


def labels(params, context):
    if params["labels"] != "auto":
        return params["labels"]
    return "names" if names_classes(params["settings"]) else "codes"


serve(make=make, columns=columns, labels=labels,
      packages=["scikit-learn", "scipy", "joblib", "threadpoolctl", "xgboost", "lightgbm"])
