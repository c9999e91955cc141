"""The rows of the page: which work, on which data, beside whom, and how far scores may differ.

`target` is the ratio (the peer's amount over Crossfold's) or, as text, the bound on Crossfold's own
amount that the project has set itself. Tolerances are by group of scores; what is not named there
must be equal to within rounding. Quick runs are small, so one row of the data counts for more.
"""
import dataclasses

import r_side
import weka_side

try:
    import sklearn_side
except ImportError:
    sklearn_side = None

ROUNDING = 1e-12


@dataclasses.dataclass
class Row:
    """The same work of both sides on data in memory."""
    name: str
    work: str
    dataset: str
    script: str
    theirs_name: str
    settings: dict = dataclasses.field(default_factory=dict)
    quick_settings: dict = dataclasses.field(default_factory=dict)
    target: object = None
    tolerance: dict = dataclasses.field(default_factory=dict)
    quick_tolerance: dict = dataclasses.field(default_factory=dict)
    workers: tuple = (1, 2)
    peer: str = "scikit-learn"
    per: str = ""  # the setting by ten folds that the amounts are divided by
    options: tuple = ()  # more options of `crossfold run`
    unit: str = "s"

    def lacks(self, bench):
        """Why the row cannot be measured here, or None."""
        if not bench.has(self.peer):
            return f"{self.peer} is not installed"
        if bench.datasets.get(self.dataset) is None:
            return f"no data folder has {self.dataset}.csv"
        return None

    def chosen(self, bench):
        return self.quick_settings or self.settings if bench.quick else self.settings

    def ours(self, bench, workers):
        data = bench.datasets.get(self.dataset)
        return self._divided(bench, bench.crossfold.measure(
            self.script, data.path, workers, self.chosen(bench), self.options))

    def theirs(self, bench, workers):
        data = bench.datasets.get(self.dataset)
        side = sklearn_side
        if self.peer != "scikit-learn":
            side = r_side if self.peer == "R class" else weka_side
        elif workers > 1:
            sklearn_side.warm_up(workers)
        work = getattr(side, self.theirs_name)
        return self._divided(bench, work(data, workers, **self.chosen(bench)))

    def _divided(self, bench, measured):
        if self.per:
            measured.amount /= 10 * int(self.chosen(bench)[self.per])
        return measured


@dataclasses.dataclass
class ReadRow:
    """Reading a file of numbers, with as many threads and cores on both sides."""
    name: str
    work: str
    digits: int
    target: float
    dataset: str = "numbers"
    peer: str = "R data.table"
    workers: tuple = (1, 2)
    tolerance: dict = dataclasses.field(default_factory=lambda: {"mean": 1e-12})
    quick_tolerance: dict = dataclasses.field(default_factory=dict)
    unit: str = "s"

    def lacks(self, bench):
        return None if bench.has(self.peer) else f"{self.peer} is not installed"

    def ours(self, bench, workers):
        path = bench.datasets.numbers(self.digits)
        return bench.crossfold.measure("read.lua", path, workers, {}, cores=workers)

    def theirs(self, bench, workers):
        return r_side.fread(bench.datasets.numbers(self.digits), workers)


@dataclasses.dataclass
class ProcessRow:
    """What starting the program costs."""
    name: str
    work: str
    measure: str  # the function of both sides
    unit: str
    target: str
    dataset: str = ""
    peer: str = "scikit-learn"
    workers: tuple = (1,)
    tolerance: dict = dataclasses.field(default_factory=dict)
    quick_tolerance: dict = dataclasses.field(default_factory=dict)

    def lacks(self, bench):
        if bench.quick:
            return "it has no scores"
        return None if bench.has(self.peer) else f"{self.peer} is not installed"

    def ours(self, bench, _workers):
        return getattr(bench.crossfold, self.measure)()

    def theirs(self, _bench, _workers):
        return getattr(sklearn_side, self.measure)()


def knn_rows():
    settings = {"settings": {"k": "1,3,5,7,9"}, "quick_settings": {"k": "1,5"}}
    # Equally far neighbours: Crossfold takes the lower row, scikit-learn any.
    tolerance = {"knn": 0.005, "inner": 0.005, "outer": 0.005}
    more = settings | {"tolerance": tolerance, "quick_tolerance": dict.fromkeys(tolerance, 0.02)}
    grid = "kNN, 10 settings x 10 folds"
    return [
        Row("knn_letter", grid, "letter", "knn_grid.lua", "knn_grid", target=60, **more),
        Row("knn_digits", grid, "digits", "knn_grid.lua", "knn_grid", target=50, **more),
        Row("knn_nested", "the same, nested in 5 outer folds", "letter", "knn_nested.lua",
            "knn_nested", target=150, **more),
    ]


def naive_bayes_rows():
    folds = "Gaussian naive Bayes, 10 x 10 folds"
    repeats = {"settings": {"repeats": "10"}, "quick_settings": {"repeats": "2"}}
    each = "Gaussian naive Bayes, leave-one-out"
    learner = {"settings": {"learner": "naive_bayes"}}
    return [
        Row("nb_letter", folds, "letter", "naive_bayes.lua", "naive_bayes", target=40, **repeats),
        Row("nb_normal", folds, "normal", "naive_bayes.lua", "naive_bayes", target=80, **repeats),
        Row("loo_nb_spam", each, "spam", "leave_one_out.lua", "leave_one_out", target=10_000,
            **learner),
        Row("loo_nb_normal", each, "normal", "leave_one_out.lua", "leave_one_out_extrapolated",
            target=100_000, **learner),
    ]


def tree_rows():
    grid = "tree, 6 depths x 4 leaf sizes x 2 criteria x 10 folds"
    # Equally good splits: Crossfold takes the earlier feature, scikit-learn any.
    more = {
        "settings": {"depths": "2,4,6,8,12", "leaves": "1,2,5,10"},
        "quick_settings": {"depths": "3", "leaves": "1,5"},
        "tolerance": {"tree": 0.015}, "quick_tolerance": {"tree": 0.06},
    }
    return [Row(f"tree_{d}", grid, d, "tree_grid.lua", "tree_grid", target=15, **more)
            for d in ("letter", "spam")]


def adaboost_rows():
    more = {
        "settings": {"rounds": "50,100,200,400"}, "quick_settings": {"rounds": "3,10"},
        "tolerance": {"adaboost": 0.001}, "quick_tolerance": {"adaboost": 0.005},
    }
    return [Row(f"adaboost_{d}", "AdaBoost (SAMME), stumps, T of 50 to 400, 10 folds", d,
                "adaboost_grid.lua", "adaboost_grid", target=30, **more)
            for d in ("spam", "breast_cancer")]


def curve_rows():
    # On 400 rows of letter the trees of the earlier feature are worse by 0.017. With
    # `ties = "random"`, as scikit-learn has it, the means differ by 0.001.
    return [Row(
        "learning_curve", "learning curve, 10 sizes x 20 trials, naive Bayes and tree", "letter",
        "learning_curve.lua", "learning_curve", target=10,
        settings={"sizes": "400,800,1200,1700,2500,3600,5000,7000,10000,13000", "trials": "20"},
        quick_settings={"sizes": "50,100", "trials": "3"},
        tolerance={"tree": 0.025}, quick_tolerance={"tree": 0.06})]


def other_rows():
    return [
        ReadRow("read_15", "CSV of numbers with 15 digits", 15, 1.2),
        ReadRow("read_6", "CSV of numbers with 6 digits", 6, 1.2),
        Row("overhead", "one cell of a learner that does nothing, 1000 candidates x 10 folds",
            "iris", "overhead.lua", "overhead", target="under 5 us", per="candidates",
            settings={"candidates": "1000"}, quick_settings={"candidates": "5"}),
        ProcessRow("start", "start: an empty script; importing scikit-learn", "start", "s",
                   "under 15 ms"),
        ProcessRow("memory", "peak memory of the same", "memory", "MB", "under 20 MB"),
        # knn.cv takes all rows that tie for the fifth place, and draws among equal votes.
        Row("loo_knn", "kNN, k = 5, leave-one-out", "letter", "leave_one_out.lua", "knn_cv",
            settings={"learner": "knn"}, peer="R class", workers=(1,),
            tolerance={"accuracy": 0.005}, quick_tolerance={"accuracy": 0.03}),
        # Weka makes its own folds.
        Row("j48", "C4.5, 10 folds", "letter", "j48.lua", "j48", peer="Weka", workers=(1,),
            tolerance={"accuracy": 0.01}, quick_tolerance={"accuracy": 0.08}),
    ]


ROWS = [*knn_rows(), *naive_bayes_rows(), *tree_rows(), *adaboost_rows(), *curve_rows(),
        *other_rows()]
