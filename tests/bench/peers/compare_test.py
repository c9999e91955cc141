#!/usr/bin/python3
"""How the comparison itself behaves: python3 -m unittest of made-up measurements."""
import math
import types
import unittest

import page
from compare import Found, rounds_for
from crossfold_side import read_measured
from measured import Measured, differences

ROW = types.SimpleNamespace(name="row", work="work", target=3, unit="s", peer="peer")


def found(ours, theirs, row=ROW, largest=None, allowed=None):
    return Found(row, "data", 1, [Measured(s) for s in ours], [Measured(s) for s in theirs],
                 largest or {}, allowed or {})


class DifferencesTest(unittest.TestCase):
    def test_the_largest_of_each_group(self):
        ours = Measured(1, {("a", "1"): 0.5, ("a", "2"): 0.5, ("b", "1"): 1.0})
        theirs = Measured(1, {("a", "1"): 0.75, ("a", "2"): 0.375, ("b", "1"): 1.0})
        self.assertEqual(differences(ours, theirs), {"a": 0.25, "b": 0.0})

    def test_the_peer_may_have_a_part_of_the_scores(self):
        ours = Measured(1, {("a", "1"): 0.5, ("a", "2"): 0.5})
        self.assertEqual(differences(ours, Measured(1, {("a", "2"): 0.5})), {"a": 0.0})

    def test_a_score_that_crossfold_lacks_is_an_error(self):
        with self.assertRaisesRegex(LookupError, "a score 'a 2' that Crossfold has not"):
            differences(Measured(1, {("a", "1"): 0.5}), Measured(1, {("a", "2"): 0.5}))

    def test_a_score_that_is_no_number_is_infinitely_far_away(self):
        ours = Measured(1, {("a", "1"): 0.5, ("a", "2"): float("nan")})
        theirs = Measured(1, {("a", "1"): 0.5, ("a", "2"): 0.5})
        self.assertEqual(differences(ours, theirs), {"a": math.inf})


class FoundTest(unittest.TestCase):
    def test_scores_within_the_tolerance_are_not_wrong(self):
        self.assertEqual(found([1], [1], largest={"a": 0.01}, allowed={"a": 0.01}).wrong(), [])

    def test_scores_beyond_the_tolerance_are_named(self):
        one = found([1], [1], largest={"a": 0.02}, allowed={"a": 0.01})
        self.assertEqual(one.wrong(),
                         ["row: scores of 'a' differ by 0.02, allowed are 0.01"])


class PageTest(unittest.TestCase):
    def test_scaling_names_long_rows_that_were_measured_with_one_worker_and_with_more(self):
        short = types.SimpleNamespace(name="short", unit="s")
        measured = [(ROW, 1, [0.4, 0.2, 0.3]), (ROW, 2, [0.15]), (short, 1, [0.09]),
                    (short, 2, [0.05])]
        rows = [Found(row, "data", workers, [Measured(s) for s in seconds], [], {}, {})
                for row, workers, seconds in measured]
        self.assertEqual(page.scaling(rows).splitlines()[-1],
                         "| row | 2 | 300 ms | 150 ms | 2.00 |")
        self.assertEqual(page.scaling(rows[::2]), "")

    def test_ratios_are_taken_within_a_round(self):
        self.assertEqual(page.ratios(found([1, 2, 4], [2, 8, 4])), [2, 4, 1])

    def test_a_peer_with_fewer_rounds_is_taken_in_turn(self):
        self.assertEqual(page.ratios(found([1, 2, 4], [4, 8])), [4, 4, 1])

    def test_a_line_has_median_and_range_and_says_whether_the_target_is_reached(self):
        self.assertEqual(
            page.line(found([0.001, 0.002, 0.004, 0.002, 0.002],
                            [0.002, 0.008, 0.004, 0.006, 0.008],
                            largest={"a": 0.0}, allowed={"a": 0.015})),
            "| row | work | data | 1 | 2.00 ms | peer | 6.00 ms | 3.00 (1.00 to 4.00) | 3x | yes "
            "| a 0.0e+00 (0.015) |")

    def test_a_bound_on_crossfolds_own_time(self):
        row = types.SimpleNamespace(name="row", work="", target="under 5 us", unit="s", peer="peer")
        self.assertEqual(page.reached(found([4e-6], [1], row)), "yes")
        self.assertEqual(page.reached(found([5e-6], [1], row)), "no")

    def test_amounts_have_three_digits(self):
        self.assertEqual([page.amount(v, "s") for v in (123.4, 12.34, 0.01234, 1.2e-6, 4e-8)],
                         ["123 s", "12.3 s", "12.3 ms", "1.20 us", "0.04 us"])
        self.assertEqual(page.amount(7.312, "MB"), "7.31 MB")


class RoundsTest(unittest.TestCase):
    def test_slow_runs_are_repeated_less_often(self):
        self.assertEqual([rounds_for(s, 5) for s in (1, 20, 100)], [5, 2, 1])
        self.assertEqual(rounds_for(1, 3), 3)


class LinesTest(unittest.TestCase):
    def test_seconds_and_scores_are_read(self):
        read = read_measured(["seconds 0.5", "score knn 1,uniform 0.25", "another line"])
        self.assertEqual(read, Measured(0.5, {("knn", "1,uniform"): 0.25}))


if __name__ == "__main__":
    unittest.main()
