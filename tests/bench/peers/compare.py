#!/usr/bin/python3
"""Crossfold beside scikit-learn, R and Weka: the same work on the same data and folds, in one run.

Prints the table in Markdown; a run of everything writes it as a page, tests/bench/RESULTS.md. Ends
with status 1 if scores differ by more than a row allows; never because of a time. See ../README.md.
"""
import argparse
import dataclasses
import pathlib
import shlex
import sys
import tempfile

from crossfold_side import Crossfold
from datasets import Datasets
from measured import differences
import page
import r_side
from rows import ROUNDING, ROWS, sklearn_side
import weka_side

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "tests/bench/RESULTS.md"
ROUNDS = 5


@dataclasses.dataclass
class Bench:
    crossfold: Crossfold
    datasets: Datasets
    quick: bool
    rounds: int
    peers: dict  # name -> text with versions, of those that are installed

    def has(self, peer):
        return peer in self.peers


@dataclasses.dataclass
class Found:
    """What a row gave with one number of workers."""
    row: object
    data: str
    workers: int
    ours: list
    theirs: list
    differences: dict
    allowed: dict

    def wrong(self):
        return [f"{self.row.name}: scores of '{group}' differ by {value:.3g}, allowed are "
                f"{self.allowed[group]:.3g}"
                for group, value in self.differences.items() if value > self.allowed[group]]


def installed_peers():
    peers = {}
    if sklearn_side:
        peers["scikit-learn"] = sklearn_side.versions()
    for name, package in (("R data.table", "data.table"), ("R class", "class")):
        version = r_side.version(package)
        if version:
            peers[name] = f"{package} {version} of R {r_side.r_version()}"
    if weka_side.installed():
        peers["Weka"] = f"Weka {weka_side.version()}"
    return peers


def rounds_for(seconds, most):
    """What is slow is run less often."""
    return min(most, 5 if seconds < 20 else 2 if seconds < 100 else 1)


def measure(bench, row, workers):
    """Both sides in turn, the slower one perhaps in fewer rounds."""
    ours, theirs = [row.ours(bench, workers)], [row.theirs(bench, workers)]
    long = row.unit == "s"
    rounds_of = [rounds_for(m.amount if long else 0, bench.rounds) for m in (ours[0], theirs[0])]
    for i in range(1, max(rounds_of)):
        if i < rounds_of[0]:
            ours.append(row.ours(bench, workers))
        if i < rounds_of[1]:
            theirs.append(row.theirs(bench, workers))
    largest = differences(ours[0], theirs[0])
    tolerance = row.quick_tolerance or row.tolerance if bench.quick else row.tolerance
    return Found(row, bench.datasets.text(row.dataset), workers, ours, theirs, largest,
                 {group: tolerance.get(group, ROUNDING) for group in largest})


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--program", default=ROOT / "build/release/bin/crossfold",
                        help="the crossfold program")
    parser.add_argument("--data", metavar="FOLDER", help="where letter.csv and spam.csv are; the "
                        "other data are in scripts/data")
    parser.add_argument("--rows", nargs="+", metavar="ROW", choices=[row.name for row in ROWS],
                        help="only these rows; default: all")
    parser.add_argument("--workers", type=int, nargs="+", metavar="N",
                        help="only these numbers of workers; default: 1 and 2")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="at most so many rounds")
    parser.add_argument("--quick", action="store_true",
                        help="small data, one round and one worker: do the scores agree?")
    parser.add_argument("--output", type=pathlib.Path, help="where to write the page; a run of "
                        "everything writes tests/bench/RESULTS.md")
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    return parser.parse_args(arguments)


def run_rows(bench, options):
    """Prints the lines of the table as they come, in a quick run those of the scores alone. Returns
    what was found and what was left out."""
    found, left_out = [], []
    line = page.score_line if bench.quick else page.line
    print("" if bench.quick else page.HEADER, end="", flush=True)
    for row in ROWS:
        if options.rows and row.name not in options.rows:
            continue
        why = row.lacks(bench)
        if why:
            left_out.append((row.name, why))
            continue
        for workers in row.workers:
            if options.workers and workers not in options.workers:
                continue
            found.append(measure(bench, row, workers))
            print(line(found[-1]), flush=True)
    return found, left_out


def main(arguments):
    options = parse(arguments)
    if options.list:
        print("\n".join(f"{row.name:15} {row.work}, {row.dataset}" for row in ROWS))
        return 0
    if options.quick:
        options.workers, options.rounds = options.workers or [1], 1
    elif not options.rows and not options.workers and options.rounds == ROUNDS:
        options.output = options.output or PAGE
    with tempfile.TemporaryDirectory() as scratch:
        crossfold = Crossfold(options.program)
        folders = [options.data] if options.data else []
        datasets = Datasets(crossfold, [*folders, ROOT / "scripts/data"], scratch, options.quick)
        bench = Bench(crossfold, datasets, options.quick, options.rounds, installed_peers())
        found, left_out = run_rows(bench, options)
        for name, why in left_out:
            print(f"not measured: {name}: {why}")
        if options.output:
            # The page is for readers on other machines.
            shown = ["FOLDER" if text == options.data else text.replace(f"{ROOT}/", "")
                     for text in arguments]
            command = "compare.py " + shlex.join(shown)
            options.output.write_text(page.write(bench, found, left_out, command), "utf-8")
    wrong = [text for one in found for text in one.wrong()]
    print("\n".join(wrong) if wrong else f"scores agree in {len(found)} measurements")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
