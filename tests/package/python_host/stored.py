# Evaluates twice with a store, the second time in a context that has never seen the first one's work.
#   stored.py LIBRARY PLUGIN_FOLDER FILE
import os
import sys
import tempfile

import crossfold

library, plugins, file = sys.argv[1:]


def means(store):
    context = crossfold.Library(library).context([plugins])
    rows = context.evaluate(
        context.read(file, target="class"),
        learners={"knn": "knn{k=5}", "bayes": "naive_bayes"}, splitter="kfold",
        metrics=["accuracy"], seed=42, store=store)
    return context.cells_found, [(learner, metric, row.mean) for learner, metric, row in rows]


with tempfile.TemporaryDirectory() as folder:
    store = os.path.join(folder, "flowers.cfdb")
    found, first = means(store)
    assert found == 0, found
    found, again = means(store)
    assert first == again, f"{first} is not {again}"
    print(f"{found} cells found, the same means")
