"""R's side of the rows: data.table's fread and class's knn.cv."""
import pathlib
import shutil
import subprocess

from crossfold_side import pinned, read_measured

HERE = pathlib.Path(__file__).resolve().parent


def version(package):
    """The version of an installed package, or None."""
    if shutil.which("Rscript") is None:
        return None
    done = subprocess.run(["Rscript", "-e", f"cat(as.character(packageVersion('{package}')))"],
                          capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def r_version():
    return subprocess.run(["Rscript", "-e", "cat(as.character(getRversion()))"],
                          capture_output=True, text=True, check=True).stdout


def fread(path, threads):
    return read_measured(run("fread.R", path, threads, cores=threads))


def knn_cv(data, _jobs, learner):
    assert learner == "knn"
    return read_measured(run("knn_cv.R", data.path, 5))


def run(script, *arguments, cores=None):
    command = pinned(["Rscript", str(HERE / script), *map(str, arguments)], cores)
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
