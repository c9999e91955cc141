"""Weka's side of the rows: J48 from the command line of Debian's weka."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

from measured import Measured

JAR = pathlib.Path("/usr/share/java/weka.jar")


def installed():
    return JAR.exists() and shutil.which("java") is not None


def version():
    return run("weka.core.Version").split()[0]


def run(*arguments):
    return subprocess.run(["java", "-XX:+UseSerialGC", "-cp", str(JAR), *arguments], check=True,
                          capture_output=True, text=True).stdout


def write_arff(data, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write("@relation rows\n")
        file.writelines(f"@attribute x{j} numeric\n" for j in range(len(data.features)))
        file.write("@attribute class {" + ",".join(data.classes) + "}\n@data\n")
        for values, label in zip(data.x.tolist(), data.y):
            file.write(",".join(map(repr, values)) + f",{data.classes[label - 1]}\n")


def timed(*arguments):
    began = time.perf_counter()
    text = run(*arguments)
    return time.perf_counter() - began, text


def j48(data, _jobs):
    """Ten folds of Weka's own. It does not print how long they take, so the time is that of the
    command with them, less that of the command without: start, reading, and the model of all rows.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/data.arff"
        write_arff(data, path)
        command = ["weka.classifiers.trees.J48", "-C", "0.25", "-M", "2", "-t", path, "-o", "-v"]
        without, _ = timed(*command, "-no-cv")
        seconds, text = timed(*command, "-x", "10", "-s", "1")
    found = re.search(r"Correctly Classified Instances\s+(\d+)", text[text.index("cross-valid"):])
    return Measured(seconds - without, {("accuracy", "all"): int(found[1]) / len(data.y)})
