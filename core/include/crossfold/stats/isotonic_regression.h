// Isotonic regression: the non-decreasing function that is nearest to weighted points.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace crossfold::stats {

// The function through the points (x, y), linear between them and constant outside.
struct IsotonicRegression {
  bool defined = false;
  std::string undefined;     // the reason, if not
  std::vector<double> x, y;  // x ascends; y does not descend
};

// Minimizes the weighted sum of squares by pooling adjacent violators (M. Ayer, H. D. Brunk, G. M.
// Ewing, W. T. Reid and E. Silverman, "An empirical distribution function for sampling with
// incomplete information", Annals of Mathematical Statistics 26 (1955) 641-647). Points with equal
// x are first averaged to one (the secondary treatment of ties of J. B. Kruskal, Psychometrika 29
// (1964) 115-129). Only the ends of each constant stretch are kept, which changes no value.
// `weights` is empty (all 1) or has one number >= 0 per point; points of weight 0 do not count. The
// regression is undefined without points. Throws Error for lists of different lengths and for
// numbers that are not finite. Takes O(n log n).
IsotonicRegression FitIsotonicRegression(std::span<const double> x, std::span<const double> y,
                                         std::span<const double> weights = {});

// The values of the regression at points that are sorted by x, for loops over many regressions with
// the same x. `sums` has the weighted sum of the y at each x, `weights` the sum of their weights. A
// point of weight 0 has the value between its neighbours. REQUIRES: x ascends, without equal
// entries; the lists have one length; a weight is greater than 0. Takes O(n).
void FitSortedPoints(std::span<const double> x, std::span<const double> sums,
                     std::span<const double> weights, std::vector<double>& fitted);

// The value at x, interpolated linearly; REQUIRES regression.defined.
double ValueAt(const IsotonicRegression& regression, double x);

}  // namespace crossfold::stats
