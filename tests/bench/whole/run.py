#!/usr/bin/python3
"""A whole experiment beside scikit-learn, Weka's Experimenter and R's caret: eight learners on
twelve data sets by ten times ten folds, with a comparison and a report.

Writes the page tests/bench/WHOLE.md. Ends with status 1 if accuracies that should agree do not;
never because of a time. See ../README.md.
"""
import argparse
import collections
import csv
import dataclasses
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import process_run
import weka_side
import whole_page as page

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
REPEATS = 10

# By the number of rows, and how many of the ten folds of one repeat the peers run.
DATASETS = {
    "iris": 10, "wine": 10, "sonar": 10, "glass": 10, "ionosphere": 10, "breast_cancer": 10,
    "pima": 10, "vehicle": 10, "vowel": 10, "digits": 3, "spam": 3, "satellite": 3,
}
# Fewer where a peer would take too long.
FEWER = {
    "Weka": {"digits": 1, "spam": 1, "satellite": 1},
    "R": dict.fromkeys(DATASETS, 5) | {"vowel": 2, "digits": 1, "spam": 1, "satellite": 1},
}
QUICK = {"iris": 10, "wine": 10, "breast_cancer": 10}  # files of the repository
IN_REPOSITORY = ("iris", "wine", "breast_cancer", "digits")

# By how much the mean accuracy of a learner on the same folds of a data set may differ from
# scikit-learn's, where both do the same. Trees, OneR and AdaBoost are other methods or differ in
# ties.
TOLERANCES = {"naive_bayes": 1e-12, "knn": 0.01, "logistic": 0.01, "forest": 0.04,
              "tuned_knn": 0.04}


@dataclasses.dataclass
class Side:
    """What one program did with one number of workers. `lines` are (learner, data set, fold,
    accuracy, seconds); `seconds` is the time of everything with ten times ten folds."""
    tool: str
    workers: int
    run: process_run.Run
    lines: list
    seconds: float
    folds: int  # that were really run, of each learner


def copy_data(folder, names):
    """Returns the names of those that could be had."""
    missing = [name for name in names if name not in IN_REPOSITORY]
    if missing and shutil.which("Rscript"):
        subprocess.run(["Rscript", str(HERE / "data.R"), folder], check=True, capture_output=True)
    for name in set(names) & set(IN_REPOSITORY):
        shutil.copy(ROOT / f"scripts/data/{name}.csv", f"{folder}/{name}.csv")
    return [name for name in names if pathlib.Path(f"{folder}/{name}.csv").exists()]


def crossfold(program, folder, workers, repeats, names):
    command = [program, "run", "--quiet", "--workers", workers, HERE / "experiment.lua", folder,
               repeats, f"{folder}/scores.csv", f"{folder}/report.html", *names]
    run = process_run.run(command)
    with open(f"{folder}/scores.csv", newline="", encoding="utf-8") as file:
        lines = [(row["learner"], row["dataset"], 10 * (int(row["repeat"]) - 1) + int(row["fold"]),
                  float(row["value"]), None) for row in csv.DictReader(file)]
    return Side("Crossfold", workers, run, lines, run.seconds, 10 * repeats * len(names))


def parts(program, folder, names):
    """Seconds of one worker by learner and data set, for ten folds."""
    command = [program, "run", "--quiet", "--workers", 1, HERE / "parts.lua", folder, 1, *names]
    output = process_run.run(command).output
    return {tuple(line.split()[:2]): float(line.split()[2]) for line in output.splitlines()}


def extrapolated(run, lines, repeats):
    """What else the command took, and every learner and data set as if all folds had been run."""
    by_cell = collections.defaultdict(list)
    for learner, name, _, _, seconds in lines:
        by_cell[learner, name].append(seconds)
    all_folds = sum(10 * repeats * statistics.mean(seconds) for seconds in by_cell.values())
    return run.seconds - sum(line[4] for line in lines) + all_folds


def folds_of(tool, names):
    return {name: min(FEWER.get(tool, {}).get(name, 10), DATASETS[name]) for name in names}


def script_side(tool, interpreter, script, folder, workers, folds, repeats):
    """A peer whose script writes a line a fold; see sklearn_side.py and caret_side.R."""
    output = f"{folder}/{tool}.csv"
    run = process_run.run([*interpreter, HERE / script, folder, workers, output,
                        *(f"{name}={count}" for name, count in folds.items())])
    with open(output, newline="", encoding="ascii") as file:
        lines = [(learner, name, int(fold), float(value), float(seconds))
                 for learner, name, fold, value, seconds in csv.reader(file)]
    return Side(tool, workers, run, lines, extrapolated(run, lines, repeats), sum(folds.values()))


def weka(folder, folds, repeats):
    runs = [process_run.run(command) for command in weka_side.commands(folder, folds)]
    runs.append(process_run.run(weka_side.comparison(folder)))
    run = process_run.Run(sum(r.seconds for r in runs), max(r.megabytes for r in runs),
                       runs[-1].output)
    lines = weka_side.read(folder)
    return Side("Weka", 1, run, lines, extrapolated(run, lines, repeats), sum(folds.values()))


def has(*command):
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def peers(options, folder, names, repeats):
    """Runs those that are installed; returns their sides and what was left out."""
    sides, left_out = [], []
    if has("/usr/bin/python3", "-c", "import sklearn"):
        for workers in options.workers:
            sides.append(script_side("scikit-learn", ["/usr/bin/python3"], "sklearn_side.py",
                                     folder, workers, folds_of("scikit-learn", names), repeats))
            page.progress(sides[-1])
    else:
        left_out.append("scikit-learn: it is not installed")
    if options.quick:
        return sides, left_out
    if weka_side.installed():
        sides.append(weka(folder, folds_of("Weka", names), repeats))
        page.progress(sides[-1])
    else:
        left_out.append("Weka: it is not installed")
    needed = "for (p in c('caret', 'e1071', 'nnet', 'randomForest')) loadNamespace(p)"
    if has("Rscript", "-e", needed):
        for workers in options.workers:
            if workers > 1 and not has("Rscript", "-e", "library(doMC)"):
                left_out.append("R with more than one worker: doMC is not installed")
                continue
            sides.append(script_side("R", ["Rscript"], "caret_side.R", folder, workers,
                                     folds_of("R", names), repeats))
            page.progress(sides[-1])
    else:
        left_out.append("R: caret or a package that it needs is not installed")
    return sides, left_out


def means(lines, keep=lambda name, fold: True):
    by_cell = collections.defaultdict(list)
    for learner, name, fold, value, _ in lines:
        if keep(name, fold):
            by_cell[learner, name].append(value)
    return {cell: statistics.mean(values) for cell, values in by_cell.items()}


def disagreements(ours, theirs):
    """Sentences about what differs from scikit-learn on the same folds by more than it may."""
    run = {(name, fold) for _, name, fold, _, _ in theirs.lines}
    mine = means(ours.lines, lambda name, fold: (name, fold) in run)
    return [f"{learner} on {name}: Crossfold {mine[learner, name]:.4f}, scikit-learn {value:.4f}"
            for (learner, name), value in means(theirs.lines).items()
            if abs(value - mine[learner, name]) > TOLERANCES.get(learner, 1)]


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--program", default=ROOT / "build/release/bin/crossfold",
                        help="the crossfold program")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--repeats", type=int, default=REPEATS, metavar="N",
                        help="of the ten folds, by Crossfold; the peers run one or less")
    parser.add_argument("--datasets", nargs="+", metavar="NAME", choices=list(DATASETS))
    parser.add_argument("--quick", action="store_true", help="three small data sets, one repeat, "
                        "one worker, scikit-learn alone: do the accuracies agree?")
    parser.add_argument("--output", type=pathlib.Path,
                        help="where to write the page; a run of everything writes WHOLE.md")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    everything = not (options.quick or options.datasets) and options.repeats == REPEATS
    if everything:
        options.output = options.output or ROOT / "tests/bench/WHOLE.md"
    if options.quick:
        options.workers, options.repeats = [1], 1
    wanted = options.datasets or list(QUICK if options.quick else DATASETS)
    with tempfile.TemporaryDirectory() as folder:
        names = copy_data(folder, wanted)
        if not names:
            lacking = ("R's packages mlbench and kernlab" if shutil.which("Rscript")
                       else "R, with its packages mlbench and kernlab")
            print(f"no data: {', '.join(wanted)} would come from {lacking}; install what is missing",
                  file=sys.stderr)
            return 1
        process_run.run([options.program, "run", HERE / "folds.lua", folder, 1, *names])
        sides = []
        for workers in options.workers:
            sides.append(crossfold(options.program, folder, workers, options.repeats, names))
            page.progress(sides[-1])
        by_part = {} if options.quick else parts(options.program, folder, names)
        others, left_out = peers(options, folder, names, options.repeats)
        left_out += [f"{name}: R's packages mlbench and kernlab, which have it, are not installed"
                     for name in wanted if name not in names]
        sizes = {name: page.size(f"{folder}/{name}.csv") for name in names}
    wrong = [text for side in others if side.tool == "scikit-learn"
             for text in disagreements(sides[0], side)]
    if options.output:
        options.output.write_text(page.write(options, arguments, sides + others, by_part, sizes,
                                             left_out), "utf-8")
    print("\n".join(wrong) if wrong else "the accuracies agree")
    return 1 if wrong or not others else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
