"""Weka's side of the whole experiment: one run of its Experimenter from a file, as its window would
save it, then its corrected paired t test.
"""
import collections
import csv
import pathlib
import shutil
import subprocess
from xml.sax.saxutils import escape

JAR = pathlib.Path("/usr/share/java/weka.jar")
IBK = ['-A', 'weka.core.neighboursearch.LinearNNSearch -A "weka.core.EuclideanDistance -D"']
SCALED = ["-F", "weka.filters.unsupervised.attribute.Standardize", "-W"]


def learners():
    """Class and options."""
    tuned = ["weka.classifiers.meta.CVParameterSelection", "--", "-P", "K 1 9 5", "-X", "5", "-S",
             "1", "-W", "weka.classifiers.lazy.IBk", "--", *IBK]
    return {
        "adaboost": ("meta.AdaBoostM1", ["-I", "50", "-W", "weka.classifiers.trees.DecisionStump"]),
        "c45": ("trees.J48", ["-C", "0.25", "-M", "2"]),
        "forest": ("trees.RandomForest", ["-I", "100"]),
        "knn": ("meta.FilteredClassifier",
                [*SCALED, "weka.classifiers.lazy.IBk", "--", "-K", "5", *IBK]),
        "logistic": ("functions.Logistic", ["-R", "0.5"]),
        "naive_bayes": ("bayes.NaiveBayes", []),
        "one_r": ("rules.OneR", ["-B", "6"]),
        "tuned_knn": ("meta.FilteredClassifier", [*SCALED, *tuned]),
    }


def installed():
    return JAR.exists() and shutil.which("java") is not None


def java(*arguments):
    return ["java", "-XX:+UseSerialGC", "-cp", str(JAR), *map(str, arguments)]


def version():
    return subprocess.run(java("weka.core.Version"), capture_output=True, text=True,
                          check=True).stdout.split()[0]


def write_arff(folder, name):
    with open(f"{folder}/{name}.csv", newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    with open(f"{folder}/{name}.arff", "w", encoding="utf-8") as file:
        file.write(f"@relation {name}\n")
        file.writelines(f"@attribute x{j} numeric\n" for j in range(len(header) - 1))
        file.write(f"@attribute class {{{','.join(sorted({row[-1] for row in rows}))}}}\n@data\n")
        file.writelines(",".join(row) + "\n" for row in rows)


def element(kind, name, inner="", **more):
    attributes = "".join(f' {key}="{value}"' for key, value in more.items())
    return f'<object class="{kind}" name="{name}"{attributes}>{inner}</object>'


def options(texts):
    inner = "".join(element("java.lang.String", i, escape(text)) for i, text in enumerate(texts))
    return element("java.lang.String", "options", inner, array="yes")


def experiment(paths, one_split, output):
    """The file of an experiment: ten folds once, or a tenth of the rows for testing once."""
    producer = "RandomSplitResultProducer" if one_split else "CrossValidationResultProducer"
    kind = f"weka.experiment.{producer}"
    chosen = "".join(element(f"weka.classifiers.{name}", i, options(texts))
                     for i, (name, texts) in enumerate(learners().values()))

    def node(i, value, parent, name):
        inner = (element(value, "value") + element("java.lang.String", "parentClass", parent)
                 + element("java.lang.String", "property", name))
        return element("weka.experiment.PropertyNode", i, inner)
    evaluator = "weka.experiment.ClassifierSplitEvaluator"
    path = (node(0, evaluator, kind, "splitEvaluator")
            + node(1, "weka.classifiers.rules.ZeroR", evaluator, "classifier"))
    files = "".join(element("java.io.File", i, escape(str(p))) for i, p in enumerate(paths))
    return '<?xml version="1.0" encoding="utf-8"?>\n' + element(
        "weka.experiment.Experiment", "__root__",
        element("weka.classifiers.Classifier", "propertyArray", chosen, array="yes")
        + element("javax.swing.DefaultListModel", "datasets", files)
        + element("int", "runUpper", 1, primitive="yes")
        + element("int", "runLower", 1, primitive="yes")
        + element(kind, "resultProducer",
                  options(["-P", "90"] if one_split else ["-X", "10"]))
        + element("boolean", "usePropertyIterator", "true", primitive="yes")
        + element("weka.experiment.PropertyNode", "propertyPath", path, array="yes")
        + element("weka.experiment.CSVResultListener", "resultListener",
                  options(["-O", str(output)])
                  + element("java.io.File", "outputFile", escape(str(output))))
        + element("boolean", "advanceDataSetFirst", "true", primitive="yes"))


def commands(folder, folds):
    """The commands that run everything. `folds` is by name: 10, or 1 for a single split of the slow
    ones, which is an experiment of its own."""
    made = []
    for count in (10, 1):
        names = [name for name, n in folds.items() if (n == 1) == (count == 1)]
        if not names:
            continue
        for name in names:
            write_arff(folder, name)
        file = pathlib.Path(f"{folder}/weka_{count}.xml")
        paths = [f"{folder}/{name}.arff" for name in names]
        file.write_text(experiment(paths, count == 1, f"{folder}/weka_{count}.csv"), "utf-8")
        made.append(java("weka.experiment.Experiment", "-l", file, "-r"))
    return made


def scheme(row):
    """Which of the learners a row of results is of."""
    name, text = row["Key_Scheme"], row["Key_Scheme_options"]
    if name.endswith("FilteredClassifier"):
        return "tuned_knn" if "CVParameterSelection" in text else "knn"
    return next(learner for learner, (kind, _) in learners().items() if name.endswith(kind))


def read(folder):
    """Lines (learner, data set, fold, accuracy, seconds)."""
    lines, counts = [], collections.Counter()
    for path in sorted(pathlib.Path(folder).glob("weka_*.csv")):
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file, escapechar="\\", quotechar="'"):
                key = scheme(row), row["Key_Dataset"]
                counts[key] += 1
                seconds = float(row["Elapsed_Time_training"]) + float(row["Elapsed_Time_testing"])
                lines.append((*key, counts[key], float(row["Percent_correct"]) / 100, seconds))
    return lines


def comparison(folder):
    """The command of Weka's corrected paired t test of the results of ten folds, of which it writes
    the file: all pairs on each data set, and a ranking."""
    path = pathlib.Path(f"{folder}/weka_results.arff")
    counts = collections.Counter(line[:2] for line in read(folder))
    lines = [line for line in read(folder) if counts[line[:2]] == 10]
    names, kinds = sorted({line[1] for line in lines}), list(learners())
    with open(path, "w", encoding="ascii") as file:
        file.write(f"@relation results\n@attribute Key_Dataset {{{','.join(names)}}}\n"
                   "@attribute Key_Run {1}\n@attribute Key_Fold {1,2,3,4,5,6,7,8,9,10}\n"
                   f"@attribute Key_Scheme {{{','.join(kinds)}}}\n"
                   "@attribute Percent_correct numeric\n@data\n")
        file.writelines(f"{name},1,{fold},{learner},{100 * value}\n"
                        for learner, name, fold, value, _ in lines)
    return java("weka.experiment.PairedCorrectedTTester", "-t", path, "-c", "5", "-s", "-r", "-D",
                "1", "-R", "2", "-F", "3", "-G", "4")
