#!/usr/bin/env python3
"""usage: read_speed.py READ_BENCH [ROWS [RUNS]]: Markdown table rows, CSV reading beside others.

Each reader reads the same file (ROWS x 20 numbers, in the page cache) in a process of its own, in
turns; the seconds are those of the reading alone. Columns: what | Crossfold, minimum (median) |
other, minimum (median) | ratio of the minima. Readers that are not installed are left out.
"""
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PANDAS = ("import sys, time, pandas; t = time.perf_counter(); "
          "pandas.read_csv(sys.argv[1]); print(time.perf_counter() - t)")


def seconds(command):
    """What the command prints; None if it cannot run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return float(done.stdout.split()[-1])


def shown(times):
    return f"{min(times):.3f} ({statistics.median(times):.3f}) s"


def compare(what, ours, other, runs):
    if seconds(ours) is None or seconds(other) is None:  # also brings the file into the cache
        print(f"{what}: left out, as a reader is not installed", file=sys.stderr)
        return
    times = [(seconds(ours), seconds(other)) for _ in range(runs)]
    mine, others = [t[0] for t in times], [t[1] for t in times]
    print(f"| {what} | {shown(mine)} | {shown(others)} | {min(others) / min(mine):.2f} |", flush=True)


def main():
    bench = sys.argv[1]
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "numbers.csv")
        subprocess.run([bench, "--write", path, str(rows)], check=True)
        size = f"CSV {rows} x 20 ({os.path.getsize(path) / 1e6:.0f} MB)"
        for threads in ("1", "2"):
            compare(f"{size}, data.table::fread, {threads} thread{'s' if threads != '1' else ''}",
                    [bench, "--once", path, threads],
                    ["Rscript", os.path.join(HERE, "read_speed.R"), path, threads], runs)
        compare(f"{size}, pandas, 1 thread", [bench, "--once", path, "1"],
                ["/usr/bin/python3", "-c", PANDAS, path], runs)


main()
