"""Which of many random cases are stored."""
import contextlib
import io


def lines_of(write, *args):
    """What a function prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        write(*args)
    return out.getvalue().splitlines()


def telling_cases(cases, situations_of):
    """The lines of few of the cases that together have all situations. A case is the list of its lines."""
    situations = [situations_of(lines) for lines in cases]
    missing = set().union(*situations)
    chosen = []
    while missing:
        best = max(range(len(cases)), key=lambda i: len(missing & situations[i]) / len(cases[i]))
        chosen.append(best)
        missing -= situations[best]
    return [line for i in sorted(chosen) for line in cases[i]]
