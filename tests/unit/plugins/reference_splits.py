#!/usr/bin/env python3
"""Second implementation of the bundled splitters' random plans, written from their README files.

It shares no code with the plugins; kfold_test.cpp and holdout_test.cpp hold the plans it prints.
Run it again when the generator or the way of dealing is changed on purpose.
"""

MASK = (1 << 64) - 1


class SplitMix64:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, bound):
        while True:
            product = self.next() * bound
            if product & MASK >= (1 << 64) % bound:
                return product >> 64

    def shuffle(self, items):
        for i in range(len(items), 1, -1):
            j = self.below(i)
            items[i - 1], items[j] = items[j], items[i - 1]


def renumbered(fold_of_row, folds, random):
    number = list(range(folds))
    random.shuffle(number)
    return [number[f] for f in fold_of_row]


def kfold(sets, folds, repeats, seed):
    random = SplitMix64(seed)
    sets = [list(rows) for rows in sets]
    plans = []
    for _ in range(repeats):
        for rows in sets:
            random.shuffle(rows)
        plan = [None] * sum(map(len, sets))
        for place, row in enumerate(row for rows in sets for row in rows):
            plan[row] = place % folds
        plans.append(renumbered(plan, folds, random))
    return plans


def deal(groups, order, folds):
    """The fold of each group; sizes only, as without strata."""
    fold_of, size = {}, [0] * folds
    for g in order:
        fold_of[g] = size.index(min(size))
        size[fold_of[g]] += len(groups[g])

    def improves(moves):
        after = list(size)
        for g, fold in moves:
            after[fold_of[g]] -= len(groups[g])
            after[fold] += len(groups[g])
        if min(after) == 0 or sum(x * x for x in after) >= sum(x * x for x in size):
            return False
        for g, fold in moves:
            fold_of[g] = fold
        size[:] = after
        return True

    better = True
    while better:
        better = False
        for i, g in enumerate(order):
            to = min(range(folds), key=lambda f: (f != fold_of[g]) * len(groups[g]) + size[f])
            better |= improves([(g, to)])
            for h in order[i + 1:]:
                better |= improves([(g, fold_of[h]), (h, fold_of[g])])
    return [fold_of[g] for g in range(len(groups))]


def grouped_kfold(groups, folds, repeats, seed):
    """Every draw of the example is even enough; otherwise more would be drawn."""
    random = SplitMix64(seed)
    plans = []
    for _ in range(repeats):
        order = list(range(len(groups)))
        random.shuffle(order)
        plan = [None] * sum(map(len, groups))
        for rows, fold in zip(groups, deal(groups, order, folds)):
            for row in rows:
                plan[row] = fold
        plans.append(renumbered(plan, folds, random))
    return plans


def holdout(sets, test_rows, repeats, seed):
    random = SplitMix64(seed)
    sets = [list(rows) for rows in sets]
    tests = []
    for _ in range(repeats):
        test = []
        for rows, n in zip(sets, test_rows):
            random.shuffle(rows)
            test += rows[len(rows) - n:]
        tests.append(sorted(test))
    return tests


def grouped_holdout(groups, n_test, repeats, seed):
    random = SplitMix64(seed)
    groups = [list(rows) for rows in groups]
    tests = []
    for _ in range(repeats):
        random.shuffle(groups)
        test = []
        for rows in reversed(groups[1:]):
            if len(test) < n_test:
                test += rows
        tests.append(sorted(test))
    return tests


if __name__ == "__main__":
    twelve = [range(12)]
    two_classes = [[0, 1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11]]
    four_groups = [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]
    print("kfold", kfold(twelve, 5, 2, 42))
    print("kfold stratified", kfold(two_classes, 3, 2, 42))
    print("kfold grouped", grouped_kfold(four_groups, 3, 2, 42))
    print("holdout", holdout(twelve, [4], 2, 42))
    print("holdout stratified", holdout(two_classes, [2, 2], 2, 42))
    print("holdout grouped", grouped_holdout(four_groups, 4, 2, 42))
