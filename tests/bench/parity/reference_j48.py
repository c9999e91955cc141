#!/usr/bin/python3
"""Accuracy of Weka's J48 (C4.5 release 8, its default settings) for parity.lua to compare with.

usage: /usr/bin/python3 reference_j48.py DATA_FOLDER OUTPUT_FOLDER

Row i of a dataset belongs to fold i mod 10. Writes j48.csv: dataset, mean accuracy over the folds.
Needs Debian 12's weka 3.6.14. Uses no other package.
"""
import csv
import re
import subprocess
import sys
import tempfile

DATASETS = ["iris", "wine", "breast_cancer", "digits"]
FOLDS = 10
WEKA = "/usr/share/java/weka.jar"


def write_arff(path, names, classes, rows):
    with open(path, "w") as f:
        f.write("@relation fold\n")
        for name in names:
            f.write(f"@attribute '{name}' numeric\n")
        f.write("@attribute class {" + ",".join(classes) + "}\n@data\n")
        for row in rows:
            f.write(",".join(row) + "\n")


def accuracy_of_fold(folder, names, classes, rows, fold):
    train = [row for i, row in enumerate(rows) if i % FOLDS != fold]
    test = [row for i, row in enumerate(rows) if i % FOLDS == fold]
    write_arff(f"{folder}/train.arff", names, classes, train)
    write_arff(f"{folder}/test.arff", names, classes, test)
    text = subprocess.run(
        ["java", "-cp", WEKA, "weka.classifiers.trees.J48", "-C", "0.25", "-M", "2", "-o", "-i",
         "-t", f"{folder}/train.arff", "-T", f"{folder}/test.arff"],
        check=True, capture_output=True, text=True).stdout
    on_test = text[text.index("=== Error on test data ==="):]
    return int(re.search(r"Correctly Classified Instances\s+(\d+)", on_test)[1]) / len(test)


def main(data_folder, output_folder):
    with open(f"{output_folder}/j48.csv", "w", newline="") as out, \
            tempfile.TemporaryDirectory() as folder:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["dataset", "accuracy"])
        for dataset in DATASETS:
            with open(f"{data_folder}/{dataset}.csv", newline="") as f:
                header, *rows = list(csv.reader(f))
            assert header[-1] == "class"
            classes = sorted({row[-1] for row in rows})
            folds = [accuracy_of_fold(folder, header[:-1], classes, rows, fold)
                     for fold in range(FOLDS)]
            table.writerow([dataset, repr(sum(folds) / FOLDS)])


main(sys.argv[1], sys.argv[2])
