# Compares learners on a CSV file, and prints what columns_host prints (tests/package/embedding_host).
#   host.py LIBRARY PLUGIN_FOLDER FILE
import sys

import crossfold

library, plugins, file = sys.argv[1:]

finished = 0


def progress(done, _total):
    global finished
    finished = done
    return 0  # not 0 stops the run


context = crossfold.Library(library).context([plugins], workers=2, progress=progress)
flowers = context.read(file, target="class")
rows = context.evaluate(
    flowers,
    learners={"knn": ["standardize", {"id": "knn", "params": {"k": 5}}],
              "bayes": "naive_bayes", "floor": "featureless"},
    splitter={"id": "kfold", "params": {"folds": 10}},
    metrics=["accuracy", "log_loss"], seed=42)
for learner, metric, row in rows:
    print(f"{learner} {metric} mean {row.mean!r} sd {row.sd!r}")
print(f"cells: {finished}")

try:
    context.evaluate(flowers, learners=["knnn"], splitter="kfold")
except crossfold.Error as error:
    print(error.status, error)
