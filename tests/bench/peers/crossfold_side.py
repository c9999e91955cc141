"""Runs Crossfold's side of a row: a new process each time, so that nothing is left from the last.
"""
import os
import pathlib
import subprocess
import time

from measured import Measured

HERE = pathlib.Path(__file__).resolve().parent


class Crossfold:
    def __init__(self, program):
        self.program = str(program)

    def lines(self, script, *arguments, workers=1, options=(), cores=None):
        """What a script of this folder prints."""
        command = [self.program, "run", "--workers", str(workers), *options, str(HERE / script),
                   *map(str, arguments)]
        done = subprocess.run(pinned(command, cores), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
        return done.stdout.splitlines()

    def measure(self, script, path, workers, settings, options=(), cores=None):
        """The seconds and scores that a script prints; see row.lua."""
        arguments = [f"{name}={value}" for name, value in settings.items()]
        return read_measured(self.lines(script, path, *arguments, workers=workers, options=options,
                                        cores=cores))

    def start(self):
        """Wall-clock time of an empty script."""
        return time_process([self.program, "run", str(HERE.parent / "empty.lua")])

    def memory(self):
        """Peak resident memory of a script that does nothing but ask for it."""
        return Measured(int(self.lines("memory.lua")[0]) / 1000)

    def version(self):
        return subprocess.run([self.program, "--version"], capture_output=True, text=True,
                              check=True).stdout.strip()


def pinned(command, cores):
    """The command on the first `cores` cores, or on all if it is None."""
    return command if cores is None else ["taskset", "-c", f"0-{cores - 1}", *command]


def time_process(command):
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env=dict(os.environ))
    return Measured(time.perf_counter() - began)


def read_measured(lines):
    """Of the lines `seconds S` and `score GROUP KEY VALUE`."""
    seconds, scores = None, {}
    for line in lines:
        kind, *fields = line.split()
        if kind == "seconds":
            seconds = float(fields[0])
        elif kind == "score":
            group, key, value = fields
            scores[group, key] = float(value)
    return Measured(seconds, scores)
