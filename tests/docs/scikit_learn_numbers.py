# The left column of docs/coming_from/scikit_learn.md is run, where both programs must give one number,
# and compared with the right one: scikit_learn_numbers.py PROGRAM DATA_FOLDER. Accuracies are counts,
# so they must be equal; squared errors may differ by 1e-9 of themselves.
import csv
import pathlib
import subprocess
import sys

import numpy
from sklearn import (decomposition, discriminant_analysis, dummy, ensemble, feature_selection,
                     linear_model, model_selection, naive_bayes, neighbors, preprocessing, svm)
from sklearn.pipeline import make_pipeline

program, data = sys.argv[1:]

Lda = discriminant_analysis.LinearDiscriminantAnalysis
Scale = preprocessing.StandardScaler
classifiers = {
    "dummy": dummy.DummyClassifier(),
    "knn": neighbors.KNeighborsClassifier(5),
    "bayes": naive_bayes.GaussianNB(),
    "logistic": make_pipeline(
        Scale(), linear_model.LogisticRegression(C=1, max_iter=100000, tol=1e-10)),
    "svc": make_pipeline(Scale(), svm.SVC()),
    "linear": make_pipeline(Scale(), svm.LinearSVC(max_iter=1000000, random_state=0)),
    "lda": Lda(),
    "qda": discriminant_analysis.QuadraticDiscriminantAnalysis(),
    "min_max": make_pipeline(preprocessing.MinMaxScaler(), neighbors.KNeighborsClassifier(5)),
    "robust": make_pipeline(preprocessing.RobustScaler(), neighbors.KNeighborsClassifier(5)),
    "pca": make_pipeline(Scale(), decomposition.PCA(3), Lda()),
    "select": make_pipeline(feature_selection.SelectKBest(k=2), Lda()),
    "vote": ensemble.VotingClassifier([("bayes", naive_bayes.GaussianNB()), ("lda", Lda()),
                                       ("knn", neighbors.KNeighborsClassifier(5))]),
}
numbers = {
    "dummy": dummy.DummyRegressor(),
    "ridge": linear_model.Ridge(alpha=1),
    "linear": linear_model.LinearRegression(),
    "knn": neighbors.KNeighborsRegressor(5),
    "svr": make_pipeline(Scale(), svm.SVR()),
}


def read(name, target):
    with open(pathlib.Path(data) / f"{name}.csv", newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    place = header.index(target)
    x = [[float(cell) for j, cell in enumerate(row) if j != place] for row in rows]
    return numpy.array(x), numpy.array([row[place] for row in rows])


def scores(name, target, learners, scoring, number):
    x, y = read(name, target)
    y = y.astype(number) if number else y
    folds = model_selection.PredefinedSplit(numpy.arange(len(y)) % 5)
    for learner, made in learners.items():
        found = model_selection.cross_val_score(made, x, y, cv=folds, scoring=scoring)
        for fold, value in enumerate(found, 1):
            yield (name, learner, str(fold)), abs(value)


printed = subprocess.run(
    [program, "--quiet", "run", str(pathlib.Path(__file__).with_suffix(".lua")), data],
    check=True, capture_output=True, text=True).stdout
ours = {tuple(words[:3]): float(words[3]) for words in map(str.split, printed.splitlines())}
theirs = {}
for dataset in ["iris", "wine", "breast_cancer"]:
    theirs.update(scores(dataset, "class", classifiers, "accuracy", None))
theirs.update(scores("diabetes_regr", "target", numbers, "neg_mean_squared_error", float))

if ours.keys() != theirs.keys():
    sys.exit(f"only one side has {sorted(ours.keys() ^ theirs.keys())}")
differ = [(key, ours[key], value) for key, value in theirs.items()
          if abs(ours[key] - value) > 1e-9 * abs(value)]
for key, here, there in differ:
    print(*key, "crossfold", here, "scikit-learn", there)
print(f"scores compared: {len(theirs)}")
print(f"scores that differ: {len(differ)} found")
sys.exit(1 if differ else 0)
