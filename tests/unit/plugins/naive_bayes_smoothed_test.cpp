// Naive Bayes, leave-one-out with smoothing, where what is added changes with every row that
// leaves: cross prediction against separate fits, byte for byte.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "sanitized.h"
#include "unit/plugins/capability_laws.h"
#include "unit/plugins/learner_fixture.h"
#include "unit/plugins/naive_bayes_tables.h"

namespace crossfold {
namespace {

using plugin::Random;

ParamValues Smoothed(double share) { return {{"var_smoothing", share}, {"min_sd", 0.0}}; }

const std::vector<ParamValues> kSmoothedSettings = {
    Smoothed(1e-9),
    Smoothed(0.5),
    {{"var_smoothing", 1e-9}, {"min_sd", 0.0}, {"variance", std::string("sample")}},
    {{"var_smoothing", 1e-3}, {"min_sd", 1e-3}},
    {{"var_smoothing", 1e-9}, {"min_sd", 0.0}, {"prior", std::string("uniform")}}};

// A row at the edge of the column with the largest variance changes which column that is.
TEST(NaiveBayesSmoothedTest, SeveralColumnsNearTheLargestVariance) {
  DataPtr data = NormalNumbers(300, {{0, 1}, {5, 1.001}, {-7, 0.999}, {100, 1}, {0, 0.9}}, 3, 21);
  ExpectLeaveOneOutLaw(kSmoothedSettings, AllRows(data));
  data = NormalNumbers(24, {{0, 1}, {5, 1.01}, {-7, 0.99}, {100, 1.1}, {0, 0.8}}, 2, 22);
  ExpectLeaveOneOutLaw(kSmoothedSettings, AllRows(data));
}

TEST(NaiveBayesSmoothedTest, TiesOfTheLargestVariance) {
  Random random(23);
  std::vector<std::vector<double>> columns(5);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < 200; ++i) {
    const double x = std::round(8 * random.Normal()) / 8;
    columns[0].push_back(0.1 * static_cast<double>(random.Below(9)));
    columns[1].push_back(x);
    columns[2].push_back(-x);
    columns[3].push_back(x + 16);
    columns[4].push_back(columns[1][i / 2]);
    labels.push_back(static_cast<std::int32_t>(random.Below(2)));
  }
  ExpectLeaveOneOutLaw(kSmoothedSettings, AllRows(Numbers(columns, labels, {"a", "b"})));
}

TEST(NaiveBayesSmoothedTest, ColumnsThatAreConstantInClassesOrNearlyConstant) {
  std::vector<std::vector<double>> columns(7, std::vector<double>(60));
  std::vector<std::int32_t> labels(60);
  for (std::size_t i = 0; i < 60; ++i) {
    labels[i] = static_cast<std::int32_t>(i % 3);
    columns[0][i] = static_cast<double>(i * i % 13);
    columns[1][i] = i % 3 == 0 ? 0.7 : static_cast<double>(i);  // in one class
    columns[2][i] = 0.1 * labels[i];                            // in each of them
    columns[3][i] = i % 3 == 2 ? 0.3 : 0.1;                     // in each, of two values
    columns[4][i] = i == 30 ? 0.2 : 0.1;                        // but for one row
    columns[5][i] = i == 31 || i == 33 ? 0.2 : 0.1;             // but for two rows
    columns[6][i] = 1e6 + 1e-9 * static_cast<double>(i % 7);    // but for the last digits
  }
  ExpectLeaveOneOutLaw(kSmoothedSettings,
                       AllRows(Numbers(columns, labels, {"a", "b", "c", "none"})));
}

// Their variance is 0, and yet they are not equal.
TEST(NaiveBayesSmoothedTest, NumbersWhoseSquaresUnderflow) {
  Random random(29);
  std::vector<double> small, of_each_class, of_either_sign, zero;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < 40; ++i) {
    labels.push_back(static_cast<std::int32_t>(i % 2));
    small.push_back(1e-110 * random.Normal());
    of_each_class.push_back(i % 2 == 0 ? 1e-170 : 2e-170);
    of_either_sign.push_back(i % 2 == 0 ? small.back() : (i % 4 == 1 ? 1e-115 : -1e-115) * 1e-55);
    zero.push_back(i % 2 == 0 ? small.back() : 0);
  }
  for (const auto& column : {of_each_class, of_either_sign, zero}) {
    ExpectLeaveOneOutLaw(kSmoothedSettings, AllRows(Numbers({small, column}, labels, {"a", "b"})));
  }
}

TEST(NaiveBayesSmoothedTest, AColumnThatIsConstantInTheViewAlone) {
  const DataPtr digits = ReadDigits();
  ExpectLeaveOneOutLaw(kSmoothedSettings, RowsOf(digits, RowRange(0, Enough(90))));
  ExpectLeaveOneOutLaw({Smoothed(1e-9)}, RowsOf(digits, RowRange(0, Enough(400))));
}

TEST(NaiveBayesSmoothedTest, ClassesOfOneToSixRows) {
  Random random(24);
  std::vector<std::vector<double>> columns(3);
  std::vector<std::int32_t> labels;
  for (std::int32_t c = 0; c < 6; ++c) {
    for (std::int32_t i = 0; i <= c; ++i) {
      labels.push_back(c);
      for (std::vector<double>& column : columns) column.push_back(c + random.Normal());
    }
  }
  ExpectLeaveOneOutLaw(kSmoothedSettings,
                       AllRows(Numbers(columns, labels, {"a", "b", "c", "d", "e", "f", "none"})));
}

TEST(NaiveBayesSmoothedTest, MoreRowsThanABlockOfEveryClass) {
  ExpectLeaveOneOutLaw({Smoothed(1e-9)},
                       AllRows(NormalNumbers(700, {{0, 1}, {3, 2}, {9, 2}}, 3, 25)));
}

// What is added leaves the range of doubles, or all but.
TEST(NaiveBayesSmoothedTest, TinyAndHugeShares) {
  const DataPtr data = NormalNumbers(60, {{0, 1}, {3, 2}, {0, 1e70}}, 2, 26);
  const DataPtr small = NormalNumbers(60, {{0, 1e-5}, {3, 1e-4}}, 2, 27);
  const std::vector<ParamValues> settings = {Smoothed(1e-320), Smoothed(1e-300), Smoothed(1e-245),
                                             Smoothed(1e100),  Smoothed(1e249),  Smoothed(1e308)};
  ExpectLeaveOneOutLaw(settings, AllRows(data));
  ExpectLeaveOneOutLaw(settings, AllRows(small));
}

TEST(NaiveBayesSmoothedTest, RandomTablesWithTies) {
  Random random(28);
  for (std::size_t draw = 0; draw < Enough(40); ++draw) {
    const std::size_t n = 4 + random.Below(50);
    const auto n_classes = 1 + random.Below(4);
    std::vector<std::vector<double>> columns(1 + random.Below(6));
    std::vector<std::int32_t> labels;
    for (std::size_t i = 0; i < n; ++i) {
      labels.push_back(static_cast<std::int32_t>(random.Below(n_classes)));
    }
    for (std::vector<double>& column : columns) {
      const auto n_values = 1 + random.Below(5);
      const double unit = random.Below(2) == 0 ? 0.1 : 1;
      const double centre = unit * static_cast<double>(random.Below(1000));
      for (std::size_t i = 0; i < n; ++i) {
        column.push_back(centre + unit * static_cast<double>(random.Below(n_values)));
      }
    }
    SCOPED_TRACE("draw " + std::to_string(draw));
    ExpectLeaveOneOutLaw(kSmoothedSettings,
                         AllRows(Numbers(columns, labels, {"a", "b", "c", "d"})));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace crossfold
