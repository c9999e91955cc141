"""Which of many random cases are stored."""
import contextlib
import io


def lines_of(write, *args):
    """What a function prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        write(*args)
    return out.getvalue().splitlines()


def telling_cases(cases, situations_of, times=2):
    """The lines of few of the cases: every situation is in `times` of them, or in all that have it.
    A case is the list of its lines."""
    situations = [situations_of(lines) for lines in cases]
    missing = {}
    for s in sum(map(list, situations), []):
        missing[s] = min(missing.get(s, 0) + 1, times)
    chosen, rest = [], list(range(len(cases)))
    while any(missing.values()):
        best = max(rest, key=lambda i: sum(missing[s] > 0 for s in situations[i]) / len(cases[i]))
        rest.remove(best)
        chosen.append(best)
        for s in situations[best]:
            missing[s] = max(missing[s] - 1, 0)
    return [line for i in sorted(chosen) for line in cases[i]]
