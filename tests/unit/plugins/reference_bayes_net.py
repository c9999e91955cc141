# The numbers of bayes_net_test.cpp: python3 reference_bayes_net.py, in scripts/data. Tree-augmented
# naive Bayes on the rows without missing entries, with one row added to every count.
import csv
import math
from collections import Counter


def conditional_mutual_information(rows, i, j):
    both = Counter((x[i], x[j], x[-1]) for x in rows)
    of_i = Counter((x[i], x[-1]) for x in rows)
    of_j = Counter((x[j], x[-1]) for x in rows)
    of_class = Counter(x[-1] for x in rows)
    return sum(
        n / len(rows) * math.log(n * of_class[c] / (of_i[u, c] * of_j[v, c]))
        for (u, v, c), n in both.items()
    )


def tree(rows, d):
    pairs = [(i, j) for i in range(d) for j in range(i + 1, d)]
    edges = sorted((-conditional_mutual_information(rows, i, j), i, j) for i, j in pairs)
    part = list(range(d))
    near = {i: [] for i in range(d)}
    for _, i, j in edges:
        if part[i] != part[j]:
            part = [part[i] if p == part[j] else p for p in part]
            near[i].append(j)
            near[j].append(i)
    parents, todo = {0: None}, [0]
    while todo:
        u = todo.pop()
        for v in near[u]:
            if v not in parents:
                parents[v] = u
                todo.append(v)
    return parents


def report(path, shown):
    table = list(csv.reader(open(path)))
    names = table[0]
    rows = [x for x in table[1:] if "?" not in x]
    d = len(names) - 1
    classes = sorted({x[-1] for x in rows})
    n_levels = [len({x[j] for x in rows}) for j in range(d)]
    parents = tree(rows, d)
    print([(names[j], parents[j] is not None and names[parents[j]]) for j in range(d)])
    first, correct = [], 0
    for x in rows:
        scores = []
        for c in classes:
            of_class = [y for y in rows if y[-1] == c]
            p = (len(of_class) + 1) / (len(rows) + len(classes))
            for j in range(d):
                k = parents[j]
                same = of_class if k is None else [y for y in of_class if y[k] == x[k]]
                p *= (sum(y[j] == x[j] for y in same) + 1) / (len(same) + n_levels[j])
            scores.append(p)
        first.append(scores[0] / sum(scores))
        correct += classes[scores.index(max(scores))] == x[-1]
    print(first[:shown], "correct", correct, "sum", sum(first))


report("weather_nominal.csv", 6)
report("house_votes_84.csv", 8)
