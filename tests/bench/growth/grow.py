#!/usr/bin/python3
"""How time and memory grow: every subject of subjects.lua at growing sizes, each in a process of its
own, and the exponents of both. A run of everything writes GROWTH.md and its figures. Ends with status 1
if something grows faster than its method must. See ../README.md.
"""
import argparse
import concurrent.futures
import dataclasses
import datetime
import math
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
import page as peers_page

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = HERE / "GROWTH.md"

# A point counts in the fit if it takes this long, and this much memory: below that, what is measured
# is the start of the work.
LEAST_SECONDS = 0.02
LEAST_KILOBYTES = 8000
# No size is measured that would take longer than this, as far as the last ones say, or more memory.
MOST_SECONDS = 1.5
MOST_KILOBYTES = 3000000
TIMEOUT = 300
# What is shorter is measured twice, and the smaller one counts.
SHORT_SECONDS = 0.3
# An exponent above its bound by more than this is named. A logarithm adds 0.1 at these sizes, and data
# that outgrow the caches up to 0.2; a quadratic part is above it when it takes a third of the time.
TOLERANCE = 0.3


@dataclasses.dataclass
class Subject:
    name: str  # "axis/what"
    theme: str
    bounds: dict  # "time", "memory" -> exponent
    first: int
    last: int
    quick: bool
    why: str

    def parts(self):
        axis, _, what = self.name.partition("/")
        return axis, what


@dataclasses.dataclass
class Found:
    subject: Subject
    points: list  # (size, seconds, kilobytes)
    problem: str = ""

    def exponent(self, what):
        """The slope of the last decade, or None where it is too short to count."""
        place, least = (1, LEAST_SECONDS) if what == "time" else (2, LEAST_KILOBYTES)
        return slope([(p[0], p[place]) for p in self.points], least)

    def excess(self, what):
        """How far an exponent is above its bound; None if it is not."""
        exponent = self.exponent(what)
        over = exponent is not None and exponent - self.subject.bounds[what]
        return over if over and over > TOLERANCE else None


def slope(points, least):
    """Least squares in logarithms over the points of the last decade; None if fewer than three count."""
    if not points:
        return None
    used = [(math.log(n), math.log(y)) for n, y in points if y >= least and n * 10 >= points[-1][0]]
    if len(used) < 3:
        return None
    mean_x = sum(x for x, _ in used) / len(used)
    mean_y = sum(y for _, y in used) / len(used)
    return (sum((x - mean_x) * (y - mean_y) for x, y in used)
            / sum((x - mean_x) ** 2 for x, _ in used))


def sizes(first, last):
    """1, 2 and 5 times powers of ten from `first` to `last`, and these two."""
    between = [m * 10 ** k for k in range(8) for m in (1, 2, 5)]
    return [first, *(n for n in between if first < n < last), last]


class Crossfold:
    def __init__(self, program, folder):
        self.program, self.folder = str(program), str(folder)

    def run(self, script, *arguments):
        command = [self.program, "--quiet", "run", "--workers", "1", str(HERE / script), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT)

    def subjects(self):
        done = self.run("measure.lua", "--list")
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        for line in done.stdout.splitlines():
            name, theme, time_bound, memory_bound, first, last, quick, why = line.split("\t")
            yield Subject(name, theme, {"time": float(time_bound), "memory": float(memory_bound)},
                          int(first), int(last), quick == "quick", why)

    def measure(self, subject, n):
        """(seconds, kilobytes), or the problem."""
        try:
            done = self.run("measure.lua", self.folder, subject.name, str(n))
        except subprocess.TimeoutExpired:
            return f"{n}: no answer after {TIMEOUT} s"
        fields = dict(line.split() for line in done.stdout.splitlines() if line.count(" ") == 1)
        if done.returncode != 0 or "seconds" not in fields:
            return f"{n}: {(done.stderr.strip().splitlines() or ['it printed nothing'])[-1]}"
        return float(fields["seconds"]), int(fields["kilobytes"])


def expected(points, place, n):
    """What size n would take by the last two points."""
    if not points:
        return 0
    last = points[-1]
    growth = 1.0
    if len(points) > 1 and points[-2][place] > 0 and last[place] > points[-2][place]:
        growth = max(1.0, math.log(last[place] / points[-2][place]) / math.log(last[0] / points[-2][0]))
    return last[place] * (n / last[0]) ** min(growth, 4)


def next_size(found, left):
    """The next of the sizes that are left. Far below what counts, some are left out."""
    leap = 1
    if found.points and found.points[-1][1] < LEAST_SECONDS / 2 and found.points[-1][2] < LEAST_KILOBYTES:
        leap = 5
    n = next((n for n in left if n >= found.points[-1][0] * leap), left[-1]) if found.points else left[0]
    del left[:left.index(n) + 1]
    return n


def fill_decade(crossfold, found):
    """Measures the sizes of the last decade that were left out, and what is short twice, of which the
    smaller amounts count."""
    if not found.points:
        return
    known, last = {n for n, _, _ in found.points}, found.points[-1][0]
    for n in sizes(found.subject.first, last):
        if n * 10 >= last and n not in known:
            got = crossfold.measure(found.subject, n)
            if not isinstance(got, str):
                found.points.append((n, *got))
    found.points.sort()
    for i, (n, *amounts) in enumerate(found.points):
        if n * 10 >= found.points[-1][0] and amounts[0] < SHORT_SECONDS:
            again = crossfold.measure(found.subject, n)
            if not isinstance(again, str):
                found.points[i] = (n, *map(min, amounts, again))


def measure(crossfold, subject, most_seconds):
    found, left = Found(subject, []), sizes(subject.first, subject.last)
    while left:
        n = next_size(found, left)
        if (expected(found.points, 1, n) > most_seconds
                or expected(found.points, 2, n) > MOST_KILOBYTES):
            break
        got = crossfold.measure(subject, n)
        if isinstance(got, str):
            found.problem = got
            break
        found.points.append((n, *got))
    fill_decade(crossfold, found)
    return found


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--program", default=ROOT / "build/release/bin/crossfold", help="the crossfold program")
    parser.add_argument("--quick", action="store_true", help="a few subjects only")
    parser.add_argument("--subjects", nargs="+", metavar="NAME", help="only subjects whose name has one of these")
    parser.add_argument("--seconds", type=float, default=MOST_SECONDS, help="longest size of a subject")
    parser.add_argument("--jobs", type=int, default=2, help="number of subjects that are measured at the same time")
    parser.add_argument("--output", type=pathlib.Path, help="where to write the page")
    return parser.parse_args(arguments)


def amount(value, unit):
    return peers_page.amount(value, unit)


def exponent_text(found, what):
    exponent, bound = found.exponent(what), found.subject.bounds[what]
    if exponent is None:
        return f"too short (at most {bound:g})"
    mark = "**" if found.excess(what) else ""
    return f"{mark}{exponent:.2f}{mark} (at most {bound:g})"


def line(found):
    """The line of the table of one subject."""
    axis, what = found.subject.parts()
    if not found.points:
        return f"| {axis} | {what} | | | | | | {found.problem} |"
    size, seconds, kilobytes = found.points[-1]
    notes = "; ".join(text for text in (found.subject.why, found.problem) if text)
    return (f"| {axis} | {what} | {size:,} | {amount(seconds, 's')} | {kilobytes / 1000:,.0f} MB | "
            f"{exponent_text(found, 'time')} | {exponent_text(found, 'memory')} | {notes} |")


HEADER = """\
| axis | subject | largest size | time | memory | exponent of time | of memory | notes |
|---|---|---|---|---|---|---|---|"""


def excesses(found_subjects):
    return [f"{found.subject.name}: {what} grows with exponent {found.exponent(what):.2f}, its bound is "
            f"{found.subject.bounds[what]:g}"
            for found in found_subjects for what in ("time", "memory") if found.excess(what)]


def draw(crossfold, found_subjects):
    """Writes the figures; returns (theme, axis, file) of each."""
    points = pathlib.Path(crossfold.folder) / "points.tsv"
    rows = [(found.subject.theme, *found.subject.parts(), n, seconds)
            for found in found_subjects for n, seconds, _ in found.points if seconds > 0]
    points.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), "utf-8")
    done = crossfold.run("figures.lua", str(points), str(HERE / "figures"))
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return [text.split("\t") for text in done.stdout.splitlines()]


def write_page(crossfold, found_subjects, command, path):
    (HERE / "figures").mkdir(exist_ok=True)
    version = subprocess.run([crossfold.program, "--version"], capture_output=True, text=True, check=True)
    text = (HERE / "page_head.md").read_text("utf-8").format(
        command=command, date=datetime.date.today().isoformat(), machine=peers_page.machine(),
        crossfold=f"{version.stdout.strip()}, {peers_page.state()}; {peers_page.compiler(crossfold.program)}",
        least_seconds=LEAST_SECONDS, least_megabytes=LEAST_KILOBYTES / 1000, tolerance=TOLERANCE,
        most_seconds=MOST_SECONDS, most_megabytes=MOST_KILOBYTES / 1000)
    above = excesses(found_subjects)
    text += "## Above their bounds\n\n"
    text += "".join(f"* {one}\n" for one in above) if above else "Nothing.\n"
    figures = draw(crossfold, found_subjects)
    for theme in dict.fromkeys(found.subject.theme for found in found_subjects):
        text += f"\n## {theme.capitalize()}\n\n"
        for of_theme, axis, name in figures:
            if of_theme == theme:
                text += f"![{theme}: seconds by {axis}](figures/{name})\n"
        lines = [line(found) for found in found_subjects if found.subject.theme == theme]
        text += "\n" + HEADER + "\n" + "\n".join(lines) + "\n"
    path.write_text(text, "utf-8")


def chosen(subjects, options):
    for subject in subjects:
        if options.quick and not subject.quick:
            continue
        if options.subjects and not any(text in subject.name for text in options.subjects):
            continue
        yield subject


def main(arguments):
    options = parse(arguments)
    if not options.quick and not options.subjects:
        options.output = options.output or PAGE
    found = []
    with tempfile.TemporaryDirectory() as folder:
        crossfold = Crossfold(options.program, folder)
        began = time.time()
        print(HEADER, flush=True)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for one in pool.map(lambda subject: measure(crossfold, subject, options.seconds),
                                chosen(crossfold.subjects(), options)):
                found.append(one)
                print(line(one), flush=True)
        if options.output:
            write_page(crossfold, found, shlex.join(["grow.py", *arguments]), options.output)
    above = excesses(found)
    print("\n".join(above) if above else "nothing is above its bound", f"({time.time() - began:.0f} s)")
    return 1 if above or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
