"""What one run of one side gave, and how two of them are compared."""
import dataclasses
import math


@dataclasses.dataclass
class Measured:
    """`amount` is in the unit of the row (seconds or MB). `scores` maps (group, key) to a number.
    `note` says what a reader of the page must know about the amount."""
    amount: float
    scores: dict = dataclasses.field(default_factory=dict)
    note: str = ""


def differences(ours, theirs):
    """The largest difference of the scores of each group. The peer may have fewer scores (a part
    of all labels), but none that Crossfold lacks."""
    largest = {}
    for (group, key), value in theirs.scores.items():
        if (group, key) not in ours.scores:
            raise LookupError(f"the peer has a score '{group} {key}' that Crossfold has not")
        difference = abs(value - ours.scores[group, key])
        # A score that is not a number has the largest distance.
        difference = math.inf if math.isnan(difference) else difference
        largest[group] = max(largest.get(group, 0.0), difference)
    return largest
