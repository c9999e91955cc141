"""@NAME@: predicts the class whose mean of the training rows is nearest (nearest centroid)."""

import numpy as np
from crossfold_learner import Failure, serve


class Centroids:
    def __init__(self, shrink):
        self.shrink = shrink

    # X is a matrix, y has codes from 0 of the classes that have training rows.
    def fit(self, X, y, sample_weight=None):
        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        if not weights.any():
            raise Failure("unsupported_data", "all weights are 0")
        sums = np.zeros((y.max() + 1, X.shape[1]))
        np.add.at(sums, y, X * weights[:, None])
        means = sums / np.bincount(y, weights)[:, None]
        middle = sums.sum(axis=0) / weights.sum()
        if not np.isfinite(middle).all():
            raise Failure("numeric", "a feature has no mean")
        self.means = (1 - self.shrink) * means + self.shrink * middle

    # Squared distances; ties go to the class that comes first.
    def predict(self, X):
        distances = ((X[:, None, :] - self.means) ** 2).sum(axis=2)
        if not np.isfinite(distances.min(axis=1)).all():
            raise Failure("numeric", "a row is too far from all means")
        return distances.argmin(axis=1)


serve(Centroids, columns="matrix", labels="codes")
