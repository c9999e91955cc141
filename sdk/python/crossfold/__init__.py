"""Crossfold: honest evaluation of machine-learning methods.

    import crossfold
    result = crossfold.evaluate(X, y, learners={"knn": "knn{k=5}", "nb": "naive_bayes"}, metrics=["accuracy"])
    print(result)
    print(result.compare())

The numbers are those of the program `crossfold` with the same data and seed, bit for bit. docs/python.md is the guide.
"""
from .comparison import Comparison
from .confusion import Confusion
from .context import Context
from .curve import Curve
from .dataset import Dataset, dataset, read
from .error import Error
from .experiment import evaluate
from .library import version
from .model import Model, fit, load
from .result import Predictions, Result

__all__ = ["Comparison", "Confusion", "Context", "Curve", "Dataset", "Error", "Model", "Predictions", "Result",
           "dataset", "evaluate", "fit", "load", "read", "version"]
