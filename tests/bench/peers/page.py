"""The page: figures as Markdown, and the machine and programs that they are of."""
import datetime
import pathlib
import platform
import re
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
HEADER = """\
| row | work | data | workers | Crossfold | peer | | ratio (min to max) | target | reached | \
largest difference of scores (allowed) |
|---|---|---|---|---|---|---|---|---|---|---|
"""
LONG = 0.1  # seconds: rows that take less say little of how work is divided
SCALES = {"s": ((1, "s"), (1e-3, "ms"), (1e-6, "us"))}


def amount(value, unit):
    """Three digits, in a unit that suits the size."""
    for scale, name in SCALES.get(unit, ()):
        if value >= scale:
            break
    else:
        scale, name = SCALES[unit][-1] if unit in SCALES else (1, unit)
    scaled = value / scale
    return f"{scaled:.{max(0, 3 - len(str(int(scaled))))}f} {name}"


def ratio(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def in_units(text):
    """`under 5 us` as (5e-6, "s")."""
    number, name = re.fullmatch(r"under (\d+) (\w+)", text).groups()
    for scale, known in SCALES["s"]:
        if known == name:
            return int(number) * scale
    return int(number)


def ratios(found):
    """One a round; where the peer ran fewer rounds, they are taken in turn."""
    theirs = found.theirs
    return [theirs[i % len(theirs)].amount / ours.amount for i, ours in enumerate(found.ours)]


def reached(found):
    target = found.row.target
    if target is None:
        return ""
    if isinstance(target, str):
        return ("yes" if statistics.median(m.amount for m in found.ours) < in_units(target)
                else "no")
    return "yes" if statistics.median(ratios(found)) >= target else "no"


def target_text(target):
    return "" if target is None else target if isinstance(target, str) else f"{target:,}x"


def difference_text(found):
    parts = []
    for group, value in found.differences.items():
        allowed = found.allowed[group]
        parts.append(f"{group} {value:.1e} ({allowed:g})")
    return ", ".join(parts)


def line(found):
    """The line of the table of one row with one number of workers."""
    row, values = found.row, ratios(found)
    peer = row.peer
    if len(found.theirs) != len(found.ours):
        peer += f", {len(found.theirs)} round{'s' if len(found.theirs) > 1 else ''}"
    if found.theirs[0].note:
        peer += f"; {found.theirs[0].note}"
    if len(found.ours) != 5:
        peer += f"; Crossfold {len(found.ours)} round{'s' if len(found.ours) > 1 else ''}"
    cells = [
        row.name, row.work, found.data, str(found.workers),
        amount(statistics.median(m.amount for m in found.ours), row.unit), peer,
        amount(statistics.median(m.amount for m in found.theirs), row.unit),
        f"{ratio(statistics.median(values))} ({ratio(min(values))} to {ratio(max(values))})",
        target_text(row.target), reached(found), difference_text(found),
    ]
    return "| " + " | ".join(cells) + " |"


def scaling(found_rows):
    """Crossfold's time with one worker beside that with more, of the rows that take long."""
    median_of = {(found.row.name, found.workers): statistics.median(m.amount for m in found.ours)
                 for found in found_rows if found.row.unit == "s"}
    lines = []
    for (name, workers), many in median_of.items():
        one = median_of.get((name, 1))
        if workers > 1 and one is not None and one >= LONG:
            lines.append(f"| {name} | {workers} | {amount(one, 's')} | {amount(many, 's')} | "
                         f"{ratio(one / many)} |\n")
    if not lines:
        return ""
    return ("\nCrossfold alone, by workers (medians; rows of 0.1 s or more):\n\n"
            "| row | workers | one worker | these workers | ratio |\n|---|---|---|---|---|\n"
            + "".join(lines))


def score_line(found):
    """Of a quick run, whose amounts say nothing."""
    return f"{found.row.name}, {found.data}: {difference_text(found)}"


def output_of(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def machine():
    fields = dict(re.findall(r"^(Model name|CPU\(s\)|CPU family|Model|Hypervisor vendor):\s*(.*)$",
                             output_of("lscpu"), re.MULTILINE))
    memory = re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text("ascii"))
    text = (f"{fields.get('CPU(s)', '?')} cores of {fields.get('Model name', platform.machine())} "
            f"(family {fields.get('CPU family', '?')}, model {fields.get('Model', '?')})")
    if "Hypervisor vendor" in fields:
        text += f", a virtual machine under {fields['Hypervisor vendor']}"
    return f"{text}, {int(memory[1]) / 1e6:.0f} GB; {platform.platform()}"


def compiler(program):
    """Of the build folder that the program lies in."""
    for folder in pathlib.Path(program).resolve().parents:
        cache = folder / "CMakeCache.txt"
        if cache.exists():
            entries = dict(re.findall(r"^(CMAKE_CXX_COMPILER|CMAKE_BUILD_TYPE):\w+=(.*)$",
                                      cache.read_text("utf-8"), re.MULTILINE))
            name = output_of(entries.get("CMAKE_CXX_COMPILER", "c++"), "--version")
            return f"{name.partition(chr(10))[0]}, {entries.get('CMAKE_BUILD_TYPE', '')}"
    return "unknown"


def state():
    commit = output_of("git", "rev-parse", "--short", "HEAD")
    changed = output_of("git", "status", "--porcelain", "--untracked-files=no")
    return f"commit {commit}{', with changes' if changed else ''}" if commit else "no commit"


def write(bench, found_rows, left_out, command):
    """The text of the whole page."""
    lines = [line(found) for found in found_rows]
    text = (HERE / "page_head.md").read_text("utf-8").format(
        date=datetime.date.today().isoformat(), command=command, machine=machine(),
        crossfold=f"{bench.crossfold.version()}, {state()}; {compiler(bench.crossfold.program)}",
        peers="; ".join(bench.peers.values()) or "none")
    text += "\n" + HEADER + "\n".join(lines) + "\n"
    text += scaling(found_rows)
    if left_out:
        text += "\nNot measured:\n\n" + "".join(f"* {name}: {why}\n" for name, why in left_out)
    return text
