#!/usr/bin/env python3
"""Measures learners on data that are larger than the memory they may take.

    measure.py CROSSFOLD LARGE SMALL [--memory 1G] [--learners a,b] [--splitters a,b] [--keep none] [--store]

Runs run.lua on the file LARGE with --memory, and on the file SMALL copied into memory without a limit, with 1 worker.
Samples RssAnon of /proc/PID/status every 50 ms. Prints a table: the maximum of the anonymous memory, the seconds per
million rows of both, their ratio, and the mean accuracy on LARGE. write_data.py writes the files.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent

# What a learner is compared with in memory, if that is another one.
IN_MEMORY = {"tree_sliq": "tree"}


def anonymous_bytes(pid):
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"RssAnon:\s+(\d+) kB", text)
    return int(found[1]) * 1024 if found else 0


def run(crossfold, options, arguments):
    """(highest anonymous bytes, seconds, output, errors)"""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.monotonic()
        process = subprocess.Popen([crossfold, "run", "--workers", "1", *options, HERE / "run.lua", *arguments],
                                   stdout=out, stderr=err)
        most = 0
        while process.poll() is None:
            most = max(most, anonymous_bytes(process.pid))
            time.sleep(0.05)
        seconds = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        return most, seconds, out.read(), err.read().strip()


def rows_of(output):
    found = re.search(r"rows (\d+)", output)
    return int(found[1]) if found else 0


def mean_accuracy(output):
    values = [float(value) for value in re.findall(r"^score accuracy \S+ \S+ ([\d.eE+-]+)$", output, re.MULTILINE)]
    return f"{sum(values) / len(values):.4f}" if values else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("crossfold")
    parser.add_argument("large")
    parser.add_argument("small")
    parser.add_argument("--memory", default="1G")
    parser.add_argument("--learners", default="featureless,naive_bayes,ridge,one_r,logistic,tree_sliq")
    parser.add_argument("--splitters", default="holdout,holdout_stratified,kfold,kfold_stratified")
    parser.add_argument("--keep", default="none")
    parser.add_argument("--store", action="store_true", help="with a store next to LARGE, removed afterwards")
    args = parser.parse_args()
    print("| learner | splits | anonymous memory, maximum | s per million rows | in memory | ratio | accuracy |")
    print("|---|---|---|---|---|---|---|")
    for learner in args.learners.split(","):
        for splitter in args.splitters.split(","):
            options = ["--memory", args.memory]
            store = pathlib.Path(args.large + ".cfdb")
            if args.store:
                options += ["--store", str(store)]
            most, seconds, output, errors = run(args.crossfold, options,
                                                [args.large, learner, splitter, args.keep])
            if args.store:
                for file in store.parent.glob(store.name + "*"):
                    file.unlink()
            if not rows_of(output):
                reason = (errors.splitlines() or ["it printed nothing"])[-1]
                print(f"| {learner} | {splitter} | {most / 1e6:.0f} MB | {reason} | | | |", flush=True)
                continue
            of_large = seconds / rows_of(output) * 1e6
            accuracy = mean_accuracy(output)
            _, seconds, output, errors = run(args.crossfold, [], [args.small, IN_MEMORY.get(learner, learner), splitter,
                                                            args.keep, "copy"])
            of_small = seconds / rows_of(output) * 1e6 if rows_of(output) else float("nan")
            print(f"| {learner} | {splitter} | {most / 1e6:.0f} MB | {of_large:.3f} | {of_small:.3f} | "
                  f"{of_large / of_small:.2f} | {accuracy} |", flush=True)


if __name__ == "__main__":
    main()
