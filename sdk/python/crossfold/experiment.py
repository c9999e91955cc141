"""Experiments: learners evaluated on the same splits."""
import json
import os

from . import learner_json
from .context import Context
from .dataset import Dataset, dataset
from .error import Error
from .result import Result


def as_dataset(X, y, context, roles):
    """The Dataset of the arguments of `evaluate` and `fit`."""
    if not isinstance(X, Dataset):
        return dataset(X, y, context=context, **roles)
    if y is not None or roles:
        raise Error("cannot use a Dataset with y or roles: it has its own; give them to crossfold.dataset")
    return X


def evaluate(X, y=None, learners=None, splitter=None, metrics=None, seed=1, store=None, workers=None, *,
             seeds=None, keep=None, isolate="none", on_store_error="continue", on_interrupt="raise", progress=None,
             context=None, plugin_paths=(), lock=None, **roles):
    """Fits and scores every learner on every split, and returns a Result.

    X, y and the roles weights, groups, time, folds, strata, positive, name: as in `dataset`; X may be a Dataset.
    learners: dict of learners by name, or a list. A learner is a string such as "knn{k=5}", a component {"id":
    "knn", "params": {"k": 5}}, an object with `get_params` such as an estimator of scikit-learn, or a list of
    transforms that ends in one of these. Results are in the order of the names.
    splitter: default "kfold{folds=10,stratify=true}", without stratify in regression.
    metrics: strings; default ["accuracy"], in regression ["rmse"].
    seed: the numbers and predictions are those of cf.evaluate in Lua with the same seed and data, bit for bit.
    seeds: dict of numbers by the names of learners, which give a learner other random numbers than an equal one.
    store: a file that keeps every finished cell; a later call with it uses them.
    workers: threads; None = one per core; the number never changes a result.
    keep: what of the predictions the result holds: "none", "labels" or "probabilities"; None = probabilities, or
    labels if a learner is an object without `predict_proba`.
    isolate: "none", "worker" or "fresh": whether cells run in processes of their own.
    on_interrupt: KeyboardInterrupt (Ctrl-C) stops the run and is raised; with "partial" a Result of the cells that
    had finished is returned instead, and `n_cancelled` says how many had not.
    progress: called as progress(finished, total) after each cell, one call at a time, from threads of the run. What
    it raises stops the run and is raised.
    context: a Context; else one is made of workers, plugin_paths and lock.

    A cell (one learner on one split) that fails does not make the call fail: Result.failures has it. Raises Error
    for everything else, with the message of the library, and before anything runs for what cannot work.
    Threads: calls from several threads are independent, unless they share a context; then they wait."""
    if learners is None:
        raise Error("cannot run the experiment: there are no learners; give learners={\"knn\": \"knn{k=5}\"}")
    if on_interrupt not in ("raise", "partial"):
        raise Error(f"cannot run the experiment: on_interrupt is '{on_interrupt}'; use raise or partial")
    context = context or Context(plugin_paths=plugin_paths, lock=lock, workers=workers)
    data = as_dataset(X, y, context, roles)
    is_regression = data.task == "regression"
    if splitter is None:
        splitter = "kfold{folds=10}" if is_regression else "kfold{folds=10,stratify=true}"
    if metrics is None:
        metrics = ["rmse" if is_regression else "accuracy"]
    if keep is None:
        keep = "probabilities" if learner_json.all_give_probabilities(learners) else "labels"
    experiment = {"learners": learner_json.learners(learners), "splitter": splitter,
                  "metrics": [metrics] if isinstance(metrics, (str, dict)) else list(metrics), "seed": seed,
                  "keep": keep, "isolate": isolate}
    if seeds:
        experiment["seeds"] = dict(seeds)
    if store is not None:
        experiment.update(store=os.fspath(store), on_store_error=on_store_error)
    if on_interrupt == "partial":
        experiment["on_cancel"] = "partial"
    handle = context._make_slowly("result", "evaluate", data._handle.pointer, None, json.dumps(experiment).encode(),
                                  progress=progress, partial=on_interrupt == "partial")
    return Result(context, handle, data, store, keep)
