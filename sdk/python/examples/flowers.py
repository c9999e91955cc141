# %% [markdown]
# Which of three methods should tell flowers apart? Run it in a notebook, or as `python3 flowers.py FILE`, where FILE is
# scripts/data/iris.csv of Crossfold.

# %%
import sys

import crossfold
import pandas

flowers = pandas.read_csv(sys.argv[1])
print(flowers.groupby("class").size().to_string())

# %% [markdown]
# Every method is fitted and tested on the same ten folds, three times.

# %%
####begin evaluate
result = crossfold.evaluate(
    flowers, "class",
    learners={"neighbours": ["standardize", "knn{k=7}"], "bayes": "naive_bayes", "tree": "decision_tree"},
    splitter="kfold{folds=10,repeats=3,stratify=true}", metrics=["accuracy", "log_loss"], seed=42, name="flowers")
print(result)
####end evaluate

# %% [markdown]
# The differences between methods are small. Is one of them better?

# %%
####begin compare
print(result.compare("accuracy"))
for pair in result.compare("log_loss").rows():
    print(f"{pair['a']} or {pair['b']}: {pair['better'] or 'no difference was shown'}")
####end compare

# %% [markdown]
# Where are the errors?

# %%
####begin predictions
print(result.confusion("bayes"))
wrong = result.to_pandas("predictions").query("learner == 'bayes' and truth != predicted")
print(sorted(wrong["row"].unique().tolist()))
####end predictions

# %%
####begin curve
curve = result.curve("roc", "bayes", positive="virginica")
print(curve)
mean = result.curve("roc", "bayes", positive="virginica", aggregation="vertical")
print(f"area of the mean curve: {mean.figures['auc']:.4f}")
####end curve

# %% [markdown]
# The model that is used from now on is fitted on all rows.

# %%
####begin model
model = crossfold.fit(flowers, "class", learner="naive_bayes")
print(model)
new = pandas.DataFrame([[6.0, 3.0, 4.9, 1.7]], columns=model.features)
print(model.predict(new)[0], model.predict_proba(new).round(3).tolist()[0])
####end model
