"""Runs a command and measures what a user waits for and the memory that it takes."""
import dataclasses
import os
import pathlib
import subprocess
import threading
import time


@dataclasses.dataclass
class Run:
    seconds: float
    megabytes: float
    output: str


def children(pid):
    try:
        text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii")
    except OSError:
        return []
    found = [int(child) for child in text.split()]
    return found + [more for child in found for more in children(child)]


def resident(pid):
    """Bytes, shared pages divided among the processes that have them."""
    try:
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


class Watch(threading.Thread):
    """The largest sum over a process and its children, five times a second."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.most, self.ended = pid, 0, threading.Event()

    def run(self):
        while not self.ended.wait(0.2):
            pids = children(self.pid)
            if pids:  # without children wait4 knows better
                self.most = max(self.most, sum(map(resident, [self.pid, *pids])))


def run(command):
    """Raises RuntimeError with what the command wrote if it fails."""
    began = time.perf_counter()
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process:
        watch = Watch(process.pid)
        watch.start()
        errors = []
        reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))
        reader.start()
        output = process.stdout.read()
        reader.join()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - began
    watch.ended.set()
    watch.join()
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{errors[0][-2000:]}")
    return Run(seconds, max(watch.most, usage.ru_maxrss * 1024) / 1e6, output)
