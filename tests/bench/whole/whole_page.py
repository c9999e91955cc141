"""The page of the whole experiment: times, memory and accuracies as Markdown."""
import collections
import csv
import datetime
import pathlib
import shlex
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "peers"))
import page as peers_page  # the same machine and compiler as there

import weka_side

TOOLS = ("Crossfold", "scikit-learn", "Weka", "R")
LEARNERS = ("naive_bayes", "c45", "knn", "logistic", "one_r", "adaboost", "forest", "tuned_knn")
SKLEARN = ("import sklearn, numpy, sys; print(f'scikit-learn {sklearn.__version__}, numpy "
           "{numpy.__version__}, Python {sys.version.split()[0]}')")
R = ("for (p in c('caret', 'e1071', 'rpart', 'nnet', 'randomForest')) cat(p, "
     "as.character(packageVersion(p)), ''); cat('of R', as.character(getRversion()))")


def progress(side):
    print(f"{side.tool}, {side.workers} worker{'s' if side.workers > 1 else ''}: "
          f"{side.run.seconds:.1f} s, {side.run.megabytes:.0f} MB; with ten times ten folds "
          f"{side.seconds:.0f} s", flush=True)


def size(path):
    """Rows, features and classes of a file."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    return len(rows), len(header) - 1, len({row[-1] for row in rows})


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def of_workers(sides, workers):
    return {side.tool: side for side in sides if side.workers == workers}


def seconds_text(value):
    return f"{value:,.0f} s" if value >= 100 else f"{value:.1f} s"


def totals(sides, whole):
    """A line for each run; `whole` is the number of folds of everything, of each learner."""
    ours = {side.workers: side for side in sides if side.tool == "Crossfold"}
    rows = []
    for side in sides:
        ran = ("all" if side.folds == whole else f"{side.folds} of {whole:,} folds")
        # Weka has one thread, so it is compared with one worker only.
        mine = ours[side.workers]
        how = "" if side.folds == whole else " (extrapolated)"
        rows.append([side.tool, str(side.workers), ran, seconds_text(side.run.seconds),
                     seconds_text(side.seconds) + how,
                     f"{side.run.megabytes:,.0f} MB",
                     "" if side is mine else f"{side.seconds / mine.seconds:.1f}",
                     "" if side is mine else f"{side.run.megabytes / mine.run.megabytes:.1f}"])
    return table(["program", "workers", "what ran", "its time", "time of everything",
                  "peak memory", "time / Crossfold's", "memory / Crossfold's"], rows)


def seconds_by(sides, by_part, place):
    """Seconds of ten folds of each learner (place 0) or data set (place 1), by tool."""
    found = {"Crossfold": collections.Counter()}
    for cell, seconds in by_part.items():
        found["Crossfold"][cell[place]] += seconds
    for tool, side in of_workers(sides, 1).items():
        if tool == "Crossfold":
            continue
        by_cell = collections.defaultdict(list)
        for learner, name, _, _, seconds in side.lines:
            by_cell[learner, name].append(seconds)
        found[tool] = collections.Counter()
        for cell, values in by_cell.items():
            found[tool][cell[place]] += 10 * statistics.mean(values)
    return found


def times(sides, by_part, place, names, title):
    found = seconds_by(sides, by_part, place)
    rows = []
    for name in names:
        mine = found["Crossfold"][name]
        row = [name, f"{1000 * mine:.1f} ms"]
        for tool in TOOLS[1:]:
            row.append(f"{found[tool][name]:.2f} s ({found[tool][name] / mine:.0f}x)"
                       if tool in found and mine else "")
        rows.append(row)
    return table([title, *TOOLS], rows)


def accuracies(sides, names):
    by_tool = {}
    for tool, side in of_workers(sides, 1).items():
        cells = collections.defaultdict(list)
        for learner, name, _, value, _ in side.lines:
            cells[learner, name].append(value)
        by_tool[tool] = {cell: statistics.mean(values) for cell, values in cells.items()}
    rows = []
    for name in names:
        for learner in LEARNERS:
            rows.append([name, learner, *(f"{by_tool[tool][learner, name]:.3f}"
                                          if (learner, name) in by_tool.get(tool, {}) else ""
                                          for tool in TOOLS)])
    return table(["data", "learner", *TOOLS], rows)


def versions(sides):
    tools = {side.tool for side in sides}
    found = []
    if "scikit-learn" in tools:
        found.append(peers_page.output_of("/usr/bin/python3", "-c", SKLEARN))
    if "Weka" in tools:
        found.append(f"Weka {weka_side.version()}")
    if "R" in tools:
        found.append(peers_page.output_of("Rscript", "-e", R))
    return "; ".join(found)


def write(options, arguments, sides, by_part, sizes, left_out):
    """The text of the whole page."""
    root = str(HERE.parents[2]) + "/"
    command = "run.py " + shlex.join(text.replace(root, "") for text in arguments)
    version = peers_page.output_of(str(options.program), "--version")
    names = list(sizes)
    text = (HERE / "page_head.md").read_text("utf-8").format(
        date=datetime.date.today().isoformat(), command=command.strip(),
        machine=peers_page.machine(), peers=versions(sides),
        crossfold=f"{version}, {peers_page.state()}; {peers_page.compiler(options.program)}",
        sizes=", ".join(f"{name} ({n:,} x {d}, {k} classes)" for name, (n, d, k) in sizes.items()))
    text += "\n" + totals(sides, 10 * options.repeats * len(names))
    if by_part:
        text += "\n"
        text += (HERE / "page_parts.md").read_text("utf-8") + "\n"
        text += times(sides, by_part, 0, LEARNERS, "learner") + "\n"
        text += times(sides, by_part, 1, names, "data") + "\n"
    text += (HERE / "page_accuracies.md").read_text("utf-8") + "\n" + accuracies(sides, names)
    if left_out:
        text += "\nNot measured:\n\n" + "".join(f"* {line}\n" for line in left_out)
    return text
