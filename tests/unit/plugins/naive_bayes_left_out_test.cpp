// Classes without one of their rows, for each kind of processor that this machine can be: what is
// called certain is what the exact sums give.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "naive_bayes/grouped_rows.h"
#include "naive_bayes/left_out_class.h"
#include "naive_bayes/normal_column.h"
#include "naive_bayes/normal_kernels.h"
#include "naive_bayes/normal_scores.h"
#include "naive_bayes/scaled_product.h"
#include "unit/plugins/hard_numbers.h"

namespace crossfold::bundled {
namespace {

using plugin::Random;

class NaiveBayesLeftOutTest : public ::testing::TestWithParam<const NormalKernels*> {
 protected:
  const NormalKernels& kernels() const { return *GetParam(); }
};

// One column of two classes in turn, every row a fold of its own.
class TwoClasses {
 public:
  explicit TwoClasses(const std::vector<double>& x) : labels_(x.size()), folds_(x.size()) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      labels_[i] = static_cast<std::int32_t>(i % 2);
      folds_[i] = static_cast<std::int32_t>(i);
    }
    column_.data = x.data();
    column_.name = "x";
    column_.dtype = CF_F64;
    target_.data = labels_.data();
    target_.levels = kClasses.data();
    target_.n_levels = 2;
    target_.dtype = CF_CAT32;
    table_.struct_size = sizeof(cf_table);
    table_.n_rows = table_.n_rows_total = static_cast<std::int64_t>(x.size());
    table_.n_features = 1;
    table_.features = &column_;
    table_.target = &target_;
  }
  TwoClasses(const TwoClasses&) = delete;
  std::optional<GroupedRows> Grouped() const {
    return GroupedRows::Make(plugin::TrainingView(table_), folds_,
                             static_cast<std::int32_t>(folds_.size()));
  }

 private:
  static constexpr std::array<const char*, 2> kClasses = {"a", "b"};
  std::vector<std::int32_t> labels_, folds_;
  cf_column column_{}, target_{};
  cf_table table_{};
};

// How many rows of the class are certain. Those must be what the exact sums give.
std::size_t ExpectExactWithoutOne(const NormalKernels& kernels, GroupedRows& rows,
                                  const SingleRows& group) {
  const LeftOutClass left_out(rows, group.c, BayesParams{});
  const std::size_t size = RoundedUp(group.places.n);
  std::vector<double> distance(size), mantissa(size), exponent(size), certain(size);
  std::vector<double> x(size), added(size);
  for (std::size_t i = 0; i < group.places.n; ++i) x[i] = rows.x(0, group.places.first + i);
  kernels.without_one({.x = x.data(),
                       .x_stride = size,
                       .n_rows = group.places.n,
                       .n_columns = 1,
                       .of_class = left_out.constants(),
                       .added = added.data(),
                       .to = {distance.data(), mantissa.data(), exponent.data()},
                       .certain = certain.data()});
  std::size_t n_certain = 0;
  for (std::size_t i = 0; i < group.places.n; ++i) {
    if (certain[i] == 0) continue;
    ++n_certain;
    const NormalMoments exact = rows.ExactSumsWithout(0, {group.places.first + i, 1})
                                    .OfClass(group.c, Denominator::kTotalWeight, "x");
    const double difference = x[i] - exact.mean;
    EXPECT_EQ(std::ldexp(mantissa[i], static_cast<int>(exponent[i])), exact.variance) << i;
    EXPECT_EQ(distance[i], (difference * (1 / exact.variance)) * difference) << i;
  }
  return n_certain;
}

// The same of the variance over all rows.
std::size_t ExpectExactLargest(const NormalKernels& kernels, GroupedRows& rows) {
  const LeftOutClass all = LeftOutClass::OfAllRows(rows, BayesParams{});
  const std::size_t n = rows.n_rows(), size = RoundedUp(n);
  std::vector<double> x(size), largest(size), certain(size, 1);
  for (std::size_t i = 0; i < n; ++i) x[i] = rows.x(0, i);
  const LargestTask task = {.x = x.data(),
                            .n_rows = n,
                            .of_all = all.constants(),
                            .column = 0,
                            .largest = largest.data(),
                            .certain = certain.data()};
  kernels.largest_without_one(task);
  std::size_t n_certain = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (certain[i] == 0) continue;
    ++n_certain;
    const double exact =
        rows.ExactSumsWithout(0, {i, 1}).Overall(Denominator::kTotalWeight, "x").variance;
    EXPECT_EQ(largest[i], exact) << i;
    EXPECT_LE(largest[i], MostOverallVariance(rows, 0, BayesParams{})) << i;
  }
  return n_certain;
}

TEST_P(NaiveBayesLeftOutTest, TheVarianceOfAllRowsButOneIsThatOfTheExactSums) {
  for (const std::size_t n : {9u, 40u, 601u}) {
    for (const auto& [name, x] : HardNumbers(n)) {
      SCOPED_TRACE(name + ", " + std::to_string(n) + " numbers");
      const TwoClasses data(x);
      auto rows = data.Grouped();
      if (!rows.has_value() || rows->n_columns() == 0) continue;
      const std::size_t n_certain = ExpectExactLargest(kernels(), *rows);
      if (name == "normal") {
        EXPECT_GE(n_certain, n * 3 / 4);
      }
    }
  }
}

TEST_P(NaiveBayesLeftOutTest, ALargerVarianceOfAnotherColumnStaysAndSoDoesItsDoubt) {
  const std::vector<double> x = {1, 2, 4, 3, 6, 8, 7, 9};
  const TwoClasses data(x);
  auto rows = data.Grouped();
  const LeftOutClass all = LeftOutClass::OfAllRows(*rows, BayesParams{});
  std::array<double, 8> largest = {100, 0, 100, 0, 100, 0, 100, 0};
  std::array<double, 8> certain = {1, 0, 0, 1, 1, 1, 1, 1};
  kernels().largest_without_one({.x = x.data(),
                                 .n_rows = 8,
                                 .of_all = all.constants(),
                                 .column = 0,
                                 .largest = largest.data(),
                                 .certain = certain.data()});
  EXPECT_EQ(largest[0], 100);
  EXPECT_EQ(certain[1], 0);
  EXPECT_EQ(certain[2], 0);
  // 1 2 4 6 8 7 9 have sum 37 and sum of squares 251: (251 - 37^2 / 7) / 7.
  EXPECT_EQ(largest[3], 388.0 / 49);
  EXPECT_EQ(certain[3], 1);
}

TEST_P(NaiveBayesLeftOutTest, SmoothedDensitiesAreTheBytesOfAPlainLoop) {
  constexpr std::size_t kColumns = 9;
  Random random(4);
  for (const std::size_t n : {1u, 8u, 31u, 100u}) {
    const std::size_t size = RoundedUp(n);
    std::vector<double> x(kColumns * size), means(kColumns), variances(kColumns), added(size);
    for (double& one : x) one = random.Normal();
    for (double& one : means) one = random.Normal();
    for (double& one : variances) one = std::exp(100 * random.Normal());
    variances[3] = 0;
    for (double& one : added) one = std::exp(100 * random.Normal());
    std::vector<double> distance(size), mantissa(size), exponent(size);
    kernels().smoothed({.x = x.data(),
                        .x_stride = size,
                        .n_rows = n,
                        .n_columns = kColumns,
                        .means = means.data(),
                        .variances = variances.data(),
                        .added = added.data(),
                        .to = {distance.data(), mantissa.data(), exponent.data()}});
    for (std::size_t i = 0; i < n; ++i) {
      // What the model of these variances says.
      NormalScores scores(1, kColumns);
      for (std::size_t k = 0; k < kColumns; ++k) {
        scores.Set(0, k, means[k], UsedVariance(variances[k], added[i], 0));
      }
      scores.FinishClass(0);
      const double half_volume = 0.5 * ScaledProduct{mantissa[i], exponent[i]}.Log();
      EXPECT_EQ(half_volume, scores.half_volume(0)) << i;
      EXPECT_EQ((0.25 - half_volume) - 0.5 * distance[i],
                scores.Score(x.data() + i, size, 0, 0.25));
    }
  }
}

TEST_P(NaiveBayesLeftOutTest, AClassWithoutOneOfItsRowsGetsWhatIsAdded) {
  const std::vector<double> numbers = {1, 5, 2, 5, 4, 5, 3, 6, 9, 5};
  const TwoClasses data(numbers);
  auto rows = data.Grouped();
  const SingleRows group = rows->single_rows()[0];  // 1 2 4 3 9
  const LeftOutClass left_out(*rows, group.c, BayesParams{});
  constexpr std::size_t kSize = RoundedUp(5);
  std::array<double, kSize> x{}, added{}, distance{}, mantissa{}, exponent{}, certain{};
  for (std::size_t i = 0; i < 5; ++i) {
    x[i] = rows->x(0, group.places.first + i);
    added[i] = 0.5 * static_cast<double>(i);
  }
  kernels().without_one({.x = x.data(),
                         .x_stride = kSize,
                         .n_rows = 5,
                         .n_columns = 1,
                         .of_class = left_out.constants(),
                         .added = added.data(),
                         .to = {distance.data(), mantissa.data(), exponent.data()},
                         .certain = certain.data()});
  // Without 9, the last one: 1 2 4 3 have mean 2.5 and variance 1.25, and 2 is added.
  EXPECT_EQ(x[4], 9);
  EXPECT_EQ(certain[4], 1);
  EXPECT_EQ(std::ldexp(mantissa[4], static_cast<int>(exponent[4])), 3.25);
  EXPECT_EQ(distance[4], (6.5 * (1 / 3.25)) * 6.5);
}

TEST_P(NaiveBayesLeftOutTest, AConstantColumnOfAClassHasVarianceZeroWithoutAnyRow) {
  const std::vector<double> numbers = {0.1, 5, 0.1, 5, 0.1, 5, 0.1, 6, 0.1, 5};
  const TwoClasses data(numbers);
  auto rows = data.Grouped();
  LeftOutClass left_out(*rows, 0, BayesParams{});
  left_out.SetConstant(0, 0.1);
  constexpr std::size_t kSize = RoundedUp(5);
  std::array<double, kSize> added{}, distance{}, mantissa{}, exponent{}, certain{};
  std::array<double, kSize> x;
  x.fill(0.1);
  added.fill(0.75);
  kernels().without_one({.x = x.data(),
                         .x_stride = kSize,
                         .n_rows = 5,
                         .n_columns = 1,
                         .of_class = left_out.constants(),
                         .added = added.data(),
                         .to = {distance.data(), mantissa.data(), exponent.data()},
                         .certain = certain.data()});
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(certain[i], 1);
    EXPECT_EQ(distance[i], 0);
    EXPECT_EQ(mantissa[i], 1.5);
    EXPECT_EQ(exponent[i], -1);
  }
}

TEST_P(NaiveBayesLeftOutTest, AClassWithoutOneOfItsRowsIsThatOfTheExactSums) {
  for (const std::size_t n : {9u, 40u, 601u}) {
    for (const auto& [name, x] : HardNumbers(n)) {
      SCOPED_TRACE(name + ", " + std::to_string(n) + " numbers");
      const TwoClasses data(x);
      auto rows = data.Grouped();
      if (!rows.has_value() || rows->n_columns() == 0) continue;
      for (const SingleRows& group : rows->single_rows()) {
        const std::size_t n_certain = ExpectExactWithoutOne(kernels(), *rows, group);
        if (name == "normal" && n > 9) {
          // Some means lie exactly between two doubles, the more the fewer rows.
          EXPECT_GE(n_certain, group.places.n * 3 / 4);
        }
      }
    }
  }
}

// ---- what smoothing adds ------------------------------------------------------------------------

TEST(NaiveBayesAddedVariancesTest, AreAShareOfTheLargestVarianceWithoutTheRow) {
  Random random(6);
  std::vector<double> x(200);
  for (double& one : x) one = random.Normal();
  const TwoClasses data(x);
  auto rows = data.Grouped();
  BayesParams params;
  params.var_smoothing = 1e-3;
  const AddedVariances added_variances(*rows, params);
  std::vector<double> block(rows->BlockSize()), added(128), certain(128);
  rows->CopyBlock({0, 100}, block.data());
  added_variances.Find(block.data(), 100, added.data(), certain.data());
  int n_certain = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    if (certain[i] == 0) continue;
    ++n_certain;
    const double exact =
        rows->ExactSumsWithout(0, {i, 1}).Overall(Denominator::kTotalWeight, "x").variance;
    EXPECT_EQ(added[i], 1e-3 * exact) << i;
  }
  EXPECT_GE(n_certain, 90);
}

INSTANTIATE_TEST_SUITE_P(Supported, NaiveBayesLeftOutTest, ::testing::ValuesIn(SupportedKernels()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace crossfold::bundled
