// The inner loops of naive Bayes for each kind of processor that this machine can be: the same
// bytes on all, and what is called certain is what the exact sums give.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "exact_sums.h"
#include "naive_bayes/grouped_rows.h"
#include "naive_bayes/normal_kernels.h"
#include "naive_bayes/normal_sums.h"
#include "unit/plugins/hard_numbers.h"

namespace crossfold::bundled {
namespace {

using plugin::Random;

NormalSums ExactlySummed(const std::vector<double>& x) {
  NormalSums sums(1);
  sums.AddEntries(0, x, 1);
  sums.Normalise();
  return sums;
}

EntryRange RangeOf(const NormalKernels& kernels, const std::vector<double>& x) {
  EntryRange range;
  kernels.extend_range(x.data(), x.size(), &range);
  return range;
}

// Of one column, all rows in one group.
QuickSums SumsOf(const NormalKernels& kernels, const std::vector<double>& x,
                 const EntryRange& range) {
  constexpr std::size_t kWidth = kMostLanes;
  std::vector<double> rows = x;
  rows.resize(x.size() + kWidth);  // whole vectors are read
  const std::vector<double> bias(kWidth, BiasFor(range.largest));
  const std::vector<double> square_bias(kWidth, BiasFor(range.largest * range.largest));
  std::vector<double> sums(4 * kWidth), carries(4 * kWidth);
  std::vector<std::uint32_t> row_of(x.size()), group_of(x.size());
  std::iota(row_of.begin(), row_of.end(), std::uint32_t{0});
  const std::uint32_t carry_of = x.size() > RowSumsTask::kRun ? 0 : RowSumsTask::kNoCarry;
  std::uint8_t run_size = 0;
  kernels.sum_rows({.rows = rows.data(),
                    .stride = 1,
                    .row_of = row_of.data(),
                    .group_of = group_of.data(),
                    .n_rows = x.size(),
                    .width = kWidth,
                    .n_groups = 1,
                    .bias = SumsExactly(range, x.size()) ? nullptr : bias.data(),
                    .square_bias = square_bias.data(),
                    .sums = sums.data(),
                    .carry_of = &carry_of,
                    .carries = carries.data(),
                    .run_size = &run_size});
  return {sums[0], sums[kWidth], sums[2 * kWidth], sums[3 * kWidth]};
}

// exact - quick: of sums the superaccumulator holds, rounded once.
double Rest(ExactSums& exact, double hi, double lo) {
  exact.Add(0, -hi);
  exact.Add(0, -lo);
  exact.Normalise();
  return exact.Value(0);
}

class NaiveBayesKernelsTest : public ::testing::TestWithParam<const NormalKernels*> {
 protected:
  const NormalKernels& kernels() const { return *GetParam(); }
};

// ---- scores -------------------------------------------------------------------------------------

TEST_P(NaiveBayesKernelsTest, DistancesAreTheBytesOfAPlainLoop) {
  Random random(1);
  for (const std::size_t n : {1u, 7u, 8u, 31u, 100u}) {
    constexpr std::size_t kColumns = 5, kClasses = 3;
    const std::size_t stride = RoundedUp(n);
    const auto draw = [&](std::size_t size) {
      std::vector<double> drawn(size);
      for (double& one : drawn) one = random.Normal();
      return drawn;
    };
    const auto x = draw(kColumns * stride), means = draw(kClasses * kColumns);
    auto precisions = draw(kClasses * kColumns), scores = draw(kClasses * stride);
    for (double& p : precisions) p = std::exp(p);
    std::vector<double> expected = scores;
    for (std::size_t c = 0; c < kClasses; ++c) {
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < kColumns; ++k) {
          const double d = x[k * stride + i] - means[c * kColumns + k];
          sum += (d * precisions[c * kColumns + k]) * d;
        }
        expected[c * stride + i] -= 0.5 * sum;
      }
    }
    kernels().subtract_distances({x.data(), stride, n, kColumns, kClasses, means.data(),
                                  precisions.data(), scores.data(), stride});
    for (std::size_t c = 0; c < kClasses; ++c) {
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(scores[c * stride + i], expected[c * stride + i]) << n << " rows, row " << i;
      }
    }
  }
}

TEST_P(NaiveBayesKernelsTest, LabelsAreTheLargestScoreWhereItIsFarAboveTheLowerClasses) {
  const double inf = std::numeric_limits<double>::infinity();
  // Rows: clear; a tie; the upper class above by a hair, and far above; nothing possible.
  const std::vector<double> scores = {2, 1, 0,     0,  -inf, 0, 0, 0,  //
                                      1, 1, 1e-16, 1,  -inf, 0, 0, 0,  //
                                      0, 0, -1,    -5, -inf, 0, 0, 0};
  std::vector<std::int32_t> labels(5);
  kernels().choose_labels({scores.data(), 8, 5, 3, labels.data()});
  EXPECT_EQ(labels, (std::vector<std::int32_t>{0, 0, -1, 1, -1}));
}

// ---- sums ---------------------------------------------------------------------------------------

TEST_P(NaiveBayesKernelsTest, RangesSeeTheLargestMissingAndFractionalEntries) {
  const auto range = [&](const std::vector<double>& x) { return RangeOf(kernels(), x); };
  EXPECT_EQ(range({1, -7, 3, 0, 0, 0, 0, 0, 0, 2}).largest, 7);
  EXPECT_TRUE(range({1, -7, 3}).is_plain);
  EXPECT_TRUE(range({1, -7, 3}).is_whole);
  EXPECT_FALSE(range({1, -7, 3.5}).is_whole);
  EXPECT_FALSE(range({1, 1e12}).is_whole);
  EXPECT_FALSE(range({1, std::nan(""), 3}).is_plain);
  EXPECT_FALSE(range({1, 1, 1, 1, 1, 1, 1, 1, -std::numeric_limits<double>::infinity()}).is_plain);
  EXPECT_FALSE(range({1e101}).is_plain);
}

TEST_P(NaiveBayesKernelsTest, RangesOfRowsAreThoseOfTheirColumns) {
  auto numbers = HardNumbers(50);
  numbers.push_back({"missing", std::vector<double>(50, std::nan(""))});
  numbers.push_back({"one infinite", std::vector<double>(50, 1)});
  numbers.back().x[49] = -std::numeric_limits<double>::infinity();
  const std::size_t n_columns = numbers.size();
  std::vector<double> rows(50 * n_columns + kMostLanes);
  for (std::size_t k = 0; k < n_columns; ++k) {
    for (std::size_t i = 0; i < 50; ++i) rows[i * n_columns + k] = numbers[k].x[i];
  }
  std::vector<EntryRange> ranges(n_columns);
  kernels().extend_ranges({rows.data(), 50, n_columns, ranges.data()});
  for (std::size_t k = 0; k < n_columns; ++k) {
    SCOPED_TRACE(numbers[k].name);
    const EntryRange expected = RangeOf(kernels(), numbers[k].x);
    EXPECT_EQ(ranges[k].largest, expected.largest);
    EXPECT_EQ(ranges[k].is_plain, expected.is_plain);
    EXPECT_EQ(ranges[k].is_whole, expected.is_whole);
    EXPECT_EQ(ranges[k].is_plain, k + 2 < n_columns);
  }
}

TEST_P(NaiveBayesKernelsTest, QuickSumsLieWithinTheirBounds) {
  for (const std::size_t n : {1u, 5u, 127u, 1000u, 5003u}) {
    for (const auto& [name, x] : HardNumbers(n)) {
      SCOPED_TRACE(name + ", " + std::to_string(n) + " numbers");
      const EntryRange range = RangeOf(kernels(), x);
      const QuickSums quick = SumsOf(kernels(), x, range);
      ExactSums sum(1), square(1);
      for (const double one : x) {
        sum.Add(0, one);
        square.AddProduct(0, one, one);
      }
      const std::size_t n_parts = NumberOfParts(1, n);
      EXPECT_LE(std::fabs(Rest(sum, quick.sum_hi, quick.sum_lo)), SumError(range, n, n_parts));
      EXPECT_LE(std::fabs(Rest(square, quick.square_hi, quick.square_lo)),
                SquareError(range, n, n_parts));
    }
  }
}

TEST_P(NaiveBayesKernelsTest, ExactTermsLoseNothing) {
  int taken = 0;
  for (const std::size_t n : {1u, 5u, 128u}) {
    for (const auto& [name, x] : HardNumbers(n)) {
      SCOPED_TRACE(name + ", " + std::to_string(n) + " numbers");
      ExactTerms terms;
      if (!kernels().exact_terms(x.data(), n, RangeOf(kernels(), x), &terms)) continue;
      ++taken;
      ExactSums sum(1), square(1);
      for (const double one : x) {
        sum.Add(0, one);
        square.AddProduct(0, one, one);
      }
      for (const double term : terms.sum) sum.Add(0, -term);
      for (const double term : terms.square) square.Add(0, -term);
      sum.Normalise();
      square.Normalise();
      EXPECT_TRUE(sum.Parts(0).empty());
      EXPECT_TRUE(square.Parts(0).empty());
    }
  }
  EXPECT_GE(taken, 25);
}

TEST_P(NaiveBayesKernelsTest, SumsOfMixedGroupsAndColumnsLieWithinTheirBounds) {
  constexpr std::size_t kGroups = 5, kRows = 1500;
  const auto numbers = HardNumbers(kRows);
  const std::size_t n_columns = numbers.size(), width = RoundedUp(n_columns);
  std::vector<double> rows(kRows * n_columns + kMostLanes);
  std::vector<double> bias(width, BiasFor(0)), square_bias = bias;
  std::vector<EntryRange> ranges;
  for (std::size_t k = 0; k < n_columns; ++k) {
    ranges.push_back(RangeOf(kernels(), numbers[k].x));
    bias[k] = BiasFor(ranges[k].largest);
    square_bias[k] = BiasFor(ranges[k].largest * ranges[k].largest);
    for (std::size_t i = 0; i < kRows; ++i) rows[i * n_columns + k] = numbers[k].x[i];
  }
  // Rows from the last to the first; group 0 has one row, group 1 exactly a run.
  std::vector<std::uint32_t> row_of, group_of;
  for (std::uint32_t i = 0; i < kRows; ++i) {
    row_of.push_back(kRows - 1 - i);
    group_of.push_back(i == 700 ? 0 : i % 23 == 5 && i / 23 < 64 ? 1 : 2 + i % 3);
  }
  const std::vector<std::uint32_t> carry_of = {RowSumsTask::kNoCarry, RowSumsTask::kNoCarry, 2, 0,
                                               1};
  std::vector<double> sums(kGroups * 4 * width), carries(3 * 4 * width);
  std::vector<std::uint8_t> run_size(kGroups);
  kernels().sum_rows({rows.data(), n_columns, row_of.data(), group_of.data(), kRows, width, kGroups,
                      bias.data(), square_bias.data(), sums.data(), carry_of.data(), carries.data(),
                      run_size.data()});
  for (std::size_t g = 0; g < kGroups; ++g) {
    for (std::size_t k = 0; k < n_columns; ++k) {
      SCOPED_TRACE(numbers[k].name + ", group " + std::to_string(g));
      ExactSums sum(1), square(1);
      std::size_t n = 0;
      for (std::size_t i = 0; i < kRows; ++i) {
        if (group_of[i] != g) continue;
        const double x = numbers[k].x[row_of[i]];
        sum.Add(0, x);
        square.AddProduct(0, x, x);
        ++n;
      }
      const double* of_group = sums.data() + g * 4 * width + k;
      const std::size_t n_parts = NumberOfParts(1, n);
      EXPECT_LE(std::fabs(Rest(sum, of_group[0], of_group[width])),
                SumError(ranges[k], n, n_parts));
      EXPECT_LE(std::fabs(Rest(square, of_group[2 * width], of_group[3 * width])),
                SquareError(ranges[k], n, n_parts));
      if (SumsExactly(ranges[k], n)) {
        EXPECT_EQ(of_group[width], 0);
        EXPECT_EQ(of_group[3 * width], 0);
      }
    }
  }
}

TEST_P(NaiveBayesKernelsTest, TransposesAlsoIntoRowsNarrowerThanAVector) {
  for (const std::size_t n_columns : {1u, 3u, 8u, 11u, 17u}) {
    constexpr std::size_t kRows = 24;
    const std::size_t n_from = RoundedUp(n_columns);
    std::vector<double> columns(n_from * kRows);
    std::iota(columns.begin(), columns.end(), 1.0);
    std::vector<const double*> from;
    for (std::size_t k = 0; k < n_from; ++k) from.push_back(columns.data() + k * kRows);
    std::vector<double> rows(kRows * n_columns + kMostLanes);
    kernels().transpose({from.data(), n_from, kRows, rows.data(), n_columns});
    for (std::size_t i = 0; i < kRows; ++i) {
      for (std::size_t k = 0; k < n_columns; ++k) {
        EXPECT_EQ(rows[i * n_columns + k], from[k][i]) << n_columns << " columns, row " << i;
      }
    }
  }
}

// ---- moments ------------------------------------------------------------------------------------

struct Certified {
  double mean = 0, variance = 0;
  bool certain = false;
};

Certified QuickMoments(const NormalKernels& kernels, const std::vector<double>& x,
                       Denominator denominator) {
  const std::size_t n = x.size();
  const EntryRange range = RangeOf(kernels, x);
  const QuickSums s = SumsOf(kernels, x, range);
  const auto lanes = [](double value) { return std::vector<double>(kMostLanes, value); };
  const auto sum_hi = lanes(s.sum_hi), sum_lo = lanes(s.sum_lo), square_hi = lanes(s.square_hi),
             square_lo = lanes(s.square_lo),
             sum_error = lanes(SumError(range, n, NumberOfParts(1, n))),
             square_error = lanes(SquareError(range, n, NumberOfParts(1, n)));
  auto mean = lanes(0), variance = lanes(0), certain = lanes(0);
  const auto weight = static_cast<double>(n);
  kernels.moments({.sums = {sum_hi.data(), sum_lo.data(), square_hi.data(), square_lo.data(),
                            sum_error.data(), square_error.data()},
                   .n_columns = 1,
                   .weight = weight,
                   .divisor = denominator == Denominator::kTotalWeight ? weight : weight - 1,
                   .mean = mean.data(),
                   .variance = variance.data(),
                   .certain = certain.data()});
  return {mean[0], variance[0], certain[0] != 0};
}

TEST_P(NaiveBayesKernelsTest, CertainMomentsAreThoseOfTheExactSums) {
  for (const Denominator d : {Denominator::kTotalWeight, Denominator::kTotalWeightMinusOne}) {
    for (std::size_t n = 2; n < 700; n = n * 5 / 3 + 1) {
      for (const auto& [name, x] : HardNumbers(n)) {
        const Certified quick = QuickMoments(kernels(), x, d);
        if (!quick.certain) continue;
        const NormalMoments exact = ExactlySummed(x).OfClass(0, d, "x");
        EXPECT_EQ(quick.mean, exact.mean) << name << ", " << n << " numbers";
        EXPECT_EQ(quick.variance, exact.variance) << name << ", " << n << " numbers";
      }
    }
  }
}

TEST_P(NaiveBayesKernelsTest, MomentsOfOrdinaryNumbersAreCertain) {
  Random random(2);
  int certain = 0;
  for (int draw = 0; draw < 300; ++draw) {
    std::vector<double> x(50 + random.Below(200));
    for (double& one : x) one = 3 + random.Normal();
    certain += QuickMoments(kernels(), x, Denominator::kTotalWeight).certain ? 1 : 0;
  }
  EXPECT_GE(certain, 298);
}

TEST_P(NaiveBayesKernelsTest, EqualWholeNumbersHaveCertainlyNoVariance) {
  const Certified quick =
      QuickMoments(kernels(), std::vector<double>(77, 7), Denominator::kTotalWeight);
  EXPECT_TRUE(quick.certain);
  EXPECT_EQ(quick.mean, 7);
  EXPECT_EQ(quick.variance, 0);
}

INSTANTIATE_TEST_SUITE_P(Supported, NaiveBayesKernelsTest, ::testing::ValuesIn(SupportedKernels()),
                         [](const auto& info) { return std::string(info.param->name); });

// ---- exact sums ---------------------------------------------------------------------------------

TEST(NaiveBayesExactSumsTest, BlocksGiveTheSumsOfSingleRows) {
  for (const auto& [name, x] : HardNumbers(1000)) {
    // A row of weight 1/2 makes every row go its own way; it leaves again.
    std::vector<double> with_half = x;
    with_half.push_back(1);
    Batch batch;
    batch.classes.assign(x.size() + 1, 0);
    batch.weights.assign(x.size() + 1, 1);
    batch.weights.back() = 0.5;
    batch.whole_weights = false;
    NormalSums single(1);
    single.AddRows(batch, with_half, "x");
    batch.classes = {0};
    batch.weights = {-0.5};
    single.AddRows(batch, std::vector<double>{1}, "x");
    const auto d = Denominator::kTotalWeight;
    const NormalMoments a = single.OfClass(0, d, "x"), b = ExactlySummed(x).OfClass(0, d, "x");
    EXPECT_EQ(a.mean, b.mean) << name;
    EXPECT_EQ(a.variance, b.variance) << name;
    EXPECT_EQ(a.weight, b.weight) << name;
  }
}

}  // namespace
}  // namespace crossfold::bundled
