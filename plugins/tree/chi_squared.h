// Pearson's chi-squared test of independence.
#pragma once

#include <cstddef>
#include <span>

namespace crossfold::bundled::tree {

// P(chi-squared with `degrees` degrees of freedom >= x), by the incomplete gamma function.
double ChiSquaredTail(double x, double degrees);

// p-value of a table of weights, row-major with n_columns; empty rows and columns do not count.
// 1 if fewer than two rows or columns are left.
double IndependenceTest(std::span<const double> table, std::size_t n_columns);

}  // namespace crossfold::bundled::tree
