// Naive Bayes: cross prediction against separate fits, byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "sanitized.h"
#include "unit/plugins/capability_laws.h"
#include "unit/plugins/learner_fixture.h"
#include "unit/plugins/naive_bayes_tables.h"

namespace crossfold {
namespace {

using plugin::Random;

void ExpectLaw(const std::vector<ParamValues>& settings, const DataView& rows,
               std::int32_t n_folds) {
  ExpectCrossPredictLaw("naive_bayes", settings, rows, SomeFolds(rows.num_rows(), n_folds),
                        n_folds);
}
const ParamValues kSample = {{"variance", std::string("sample")}};
const ParamValues kSmoothed = {{"var_smoothing", 1e-9}, {"min_sd", 0.0}};
const ParamValues kHighFloor = {{"min_sd", 0.9}};
const ParamValues kGiven = {{"prior", std::string("given")},
                            {"priors", std::vector<double>{0.5, 0.25, 0.25}}};
const std::vector<ParamValues> kAllSettings = {
    {}, kSample, kSmoothed, kHighFloor, {{"prior", std::string("uniform")}}};

RowIds EveryNth(std::int64_t n_rows, std::int64_t step) {
  RowIds rows;
  for (std::int64_t i = 0; i < n_rows; i += step) rows.push_back(i);
  return rows;
}

// ---- real tables --------------------------------------------------------------------------------

TEST(NaiveBayesCrossTest, Iris) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  auto settings = kAllSettings;
  settings.push_back(kGiven);
  ExpectLaw(settings, AllRows(iris), 5);
  ExpectLeaveOneOutLaw(settings, AllRows(iris));
}

// As letter.csv: 16 whole numbers from 0 to 15, 26 classes.
DataPtr LikeLetter(std::size_t n) {
  Random random(11);
  std::vector<std::vector<double>> columns(16);
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
  for (char c = 'A'; c <= 'Z'; ++c) classes.push_back(std::string(1, c));
  for (std::size_t i = 0; i < n; ++i) {
    labels.push_back(static_cast<std::int32_t>(random.Below(26)));
    for (std::size_t k = 0; k < 16; ++k) {
      const double centre =
          static_cast<double>((static_cast<std::size_t>(labels[i]) * (k + 3)) % 11);
      columns[k].push_back(std::clamp(std::round(centre + 2 * random.Normal()), 0.0, 15.0));
    }
  }
  return Numbers(std::move(columns), std::move(labels), std::move(classes));
}

// As spam.csv: percentages with two decimals, mostly 0, and long runs of capitals.
DataPtr LikeSpam(std::size_t n) {
  Random random(12);
  std::vector<std::vector<double>> columns(20);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < n; ++i) {
    labels.push_back(static_cast<std::int32_t>(random.Below(2)));
    for (std::size_t k = 0; k < 19; ++k) {
      const bool shown = random.Below(20) < k + static_cast<std::size_t>(labels[i]);
      columns[k].push_back(shown ? static_cast<double>(random.Below(500)) / 100 : 0);
    }
    columns[19].push_back(static_cast<double>(random.Below(10000)));
  }
  return Numbers(std::move(columns), std::move(labels), {"nonspam", "spam"});
}

TEST(NaiveBayesCrossTest, ManyClassesOfSmallWholeNumbers) {
  const DataPtr letter = LikeLetter(Enough(2000));
  ExpectLaw(kAllSettings, AllRows(letter), 10);
  ExpectLeaveOneOutLaw({{}, kSample, kSmoothed}, RowsOf(letter, RowRange(0, Enough(500))));
}

TEST(NaiveBayesCrossTest, DecimalsThatAreMostlyZero) {
  const DataPtr spam = LikeSpam(Enough(1000));
  ExpectLaw(kAllSettings, AllRows(spam), 10);
  ExpectLeaveOneOutLaw({{}, kSmoothed, kSample}, RowsOf(spam, RowRange(0, Enough(300))));
}

TEST(NaiveBayesCrossTest, DigitsWithPixelsThatAreConstantInAClass) {
  const DataPtr digits = ReadDigits();
  ExpectLaw(kAllSettings, RowsOf(digits, EveryNth(1797, kSanitized ? 10 : 2)), 3);
  ExpectLeaveOneOutLaw({{}, kSmoothed}, RowsOf(digits, EveryNth(1797, kSanitized ? 60 : 12)));
}

// ---- folds --------------------------------------------------------------------------------------

TEST(NaiveBayesCrossTest, FoldsOfOneRowBesideLargerOnesAndRowsOfNoFold) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  std::vector<std::int32_t> folds(150, -1);
  for (std::size_t i = 0; i < 150; ++i) {
    if (i % 3 == 0) folds[i] = static_cast<std::int32_t>(i % 2);
    if (i % 3 == 1) folds[i] = static_cast<std::int32_t>(3 + i / 3);  // fold 2 is empty
  }
  ExpectCrossPredictLaw("naive_bayes", kAllSettings, AllRows(iris), folds, 53);
}

TEST(NaiveBayesCrossTest, AFoldWithAllRowsOfAClassAndOneWithAllButOne) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  std::vector<std::int32_t> folds(150, 0);
  for (std::size_t i = 50; i < 150; ++i) folds[i] = i < 99 ? 1 : 2;
  ExpectCrossPredictLaw("naive_bayes", kAllSettings, AllRows(iris), folds, 3);
}

TEST(NaiveBayesCrossTest, AFoldOfAllRowsFailsAsItsFitDoes) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  ExpectCrossPredictLaw("naive_bayes", {{}}, AllRows(iris), std::vector<std::int32_t>(150, 0), 1);
}

TEST(NaiveBayesCrossTest, RepeatedRowsOfADataset) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  RowIds rows;
  for (std::int64_t i = 0; i < 150; ++i) rows.insert(rows.end(), {i, (7 * i) % 150, i});
  ExpectLaw(kAllSettings, RowsOf(iris, rows), 4);
  ExpectLeaveOneOutLaw({{}}, RowsOf(iris, rows));
}

TEST(NaiveBayesCrossTest, ClassesOfFewRows) {
  const DataPtr data = NormalNumbers(17, {{0, 1}, {3, 2}}, 6, 5);
  ExpectLaw(kAllSettings, AllRows(data), 4);
  ExpectLeaveOneOutLaw(kAllSettings, AllRows(data));
}

// ---- numbers that are hard to sum ---------------------------------------------------------------

TEST(NaiveBayesCrossTest, HugeMeansAndTinySpreads) {
  const DataPtr data = NormalNumbers(
      300, {{1e8, 1e-3}, {1e8, 1e-6}, {-1e15, 1}, {1e300 * 1e-200, 1e90}, {1e-3, 1e-3}}, 2, 1);
  ExpectLaw(kAllSettings, AllRows(data), 7);
  ExpectLeaveOneOutLaw({{}, kSmoothed}, RowsOf(data, RowRange(0, 120)));
}

TEST(NaiveBayesCrossTest, TinyAndDenormalNumbers) {
  const DataPtr data =
      NormalNumbers(200, {{0, 1e-140}, {1e-160, 1e-162}, {0, 1e-310}, {0, 1e-125}, {0, 1}}, 2, 2);
  ExpectLaw({{}, kSample, kHighFloor}, AllRows(data), 6);
  ExpectLeaveOneOutLaw({{}, kSmoothed}, RowsOf(data, RowRange(0, 60)));
}

TEST(NaiveBayesCrossTest, NumbersOfManySizesInOneColumn) {
  Random random(3);
  std::vector<std::vector<double>> columns(3);
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 200; ++i) {
    labels.push_back(i % 3);
    columns[0].push_back(std::ldexp(random.Normal(), static_cast<int>(random.Below(200)) - 100));
    columns[1].push_back(std::exp(20 * random.Normal()));
    columns[2].push_back(static_cast<double>(random.Below(1u << 30)));
  }
  const DataPtr data = Numbers(std::move(columns), std::move(labels), {"a", "b", "c"});
  ExpectLaw(kAllSettings, AllRows(data), 9);
  ExpectLeaveOneOutLaw({{}, kSmoothed}, RowsOf(data, RowRange(0, 90)));
}

TEST(NaiveBayesCrossTest, NumbersTooLargeForQuickSumsAndTooLargeAtAll) {
  ExpectLaw({{}}, AllRows(NormalNumbers(60, {{0, 1e120}, {0, 1}}, 2, 4)), 5);
  ExpectLaw({{}}, AllRows(NormalNumbers(60, {{0, 1e160}, {0, 1}}, 2, 4)), 5);
}

TEST(NaiveBayesCrossTest, ColumnsThatAreConstantInATrainingFoldOrInAClass) {
  std::vector<std::vector<double>> columns(4, std::vector<double>(40));
  std::vector<std::int32_t> labels(40);
  for (std::size_t i = 0; i < 40; ++i) {
    labels[i] = static_cast<std::int32_t>(i % 2);
    columns[0][i] = 0.1;                                        // constant
    columns[1][i] = i == 7 ? 0.3 : 0.1;                         // but for one row
    columns[2][i] = i % 2 == 0 ? 0.7 : static_cast<double>(i);  // within a class
    columns[3][i] = static_cast<double>(i * i % 11);
  }
  const DataPtr data = Numbers(columns, labels, {"a", "b"});
  auto settings = kAllSettings;
  settings.push_back({{"min_sd", 0.0}});  // refused: class a is constant
  ExpectLaw(settings, AllRows(data), 5);
  ExpectLeaveOneOutLaw(settings, AllRows(data));
}

// The sums of all columns and of those that vary have different sizes here.
TEST(NaiveBayesCrossTest, AllColumnsConstantButOneAndFoldsThatLackAClass) {
  std::vector<std::vector<double>> columns(400, std::vector<double>(40, 3.5));
  std::vector<std::int32_t> labels(40);
  for (std::size_t i = 0; i < 40; ++i) {
    labels[i] = i < 20 ? 0 : 1;
    columns[200][i] = 0.25 * static_cast<double>(i * i % 11);
  }
  const DataPtr data = Numbers(columns, labels, {"a", "b"});
  std::vector<std::int32_t> folds(40);
  for (std::size_t i = 0; i < 40; ++i) folds[i] = static_cast<std::int32_t>(i / 10);
  ExpectCrossPredictLaw("naive_bayes", kAllSettings, AllRows(data), folds, 4);
  ExpectLeaveOneOutLaw(kAllSettings, AllRows(data));
}

TEST(NaiveBayesCrossTest, PriorsThatSomeFoldsCannotUse) {
  const DataPtr data = NormalNumbers(30, {{0, 1}}, 3, 6);
  ParamValues only_last = {{"prior", std::string("given")},
                           {"priors", std::vector<double>{0.0, 0.0, 1.0}}};
  const ParamValues wrong = {{"prior", std::string("given")}, {"priors", std::vector<double>{1.0}}};
  std::vector<std::int32_t> folds(30);
  for (std::size_t i = 0; i < 30; ++i) folds[i] = i % 3 == 2 ? 0 : 1;
  ExpectCrossPredictLaw("naive_bayes", {only_last, wrong, {}}, AllRows(data), folds, 2);
  ExpectLeaveOneOutLaw({only_last}, RowsOf(data, {0, 1, 3, 4, 6, 7, 9, 10, 2}));
  ExpectLeaveOneOutLaw({only_last}, RowsOf(data, {0, 1, 3, 4, 6, 7, 9, 10}));
}

// ---- other columns, weights, missing entries ----------------------------------------------------

TEST(NaiveBayesCrossTest, OtherKindsOfColumns) {
  const DataPtr digits = ReadDigits();
  const DataView rows = RowsOf(digits, EveryNth(1797, 6));
  std::vector<ParamValues> settings;
  for (const char* kind : {"kernel", "poisson", "multinomial", "normal", "bernoulli"}) {
    settings.push_back({{"numeric", std::string(kind)}});
  }
  ExpectLaw(settings, rows, 4);
}

TEST(NaiveBayesCrossTest, CategoriesAndMissingEntries) {
  const DataPtr votes = ReadTestData("house_votes_84.csv", "Class");
  ExpectLaw({{}, {{"laplace", 0.0}}}, AllRows(votes), 6);
  const DataPtr penguins = ReadTestData("penguins.csv", "species");
  ExpectLaw({{}, kSmoothed}, AllRows(penguins), 6);
  ExpectLeaveOneOutLaw({{}}, RowsOf(penguins, EveryNth(penguins->num_rows(), 9)));
}

TEST(NaiveBayesCrossTest, Weights) {
  Random random(8);
  std::string csv = "x,z,w,y\n";
  for (int i = 0; i < 60; ++i) {
    csv += std::to_string(random.Below(1000)) + "." + std::to_string(random.Below(1000)) + "," +
           std::to_string(random.Below(9)) + ",0." + std::to_string(random.Below(100)) + "," +
           (i % 3 == 0 ? "a" : "b") + "\n";
  }
  const DataPtr data = ParseTable(csv, "y", "w");
  ExpectLaw(kAllSettings, AllRows(data), 5);
  ExpectLeaveOneOutLaw({{}, kSample}, AllRows(data));
}

TEST(NaiveBayesCrossTest, AnInfiniteEntryFailsInEveryFoldAsSeparateFitsDo) {
  const double infinity = std::numeric_limits<double>::infinity();
  const DataPtr data =
      Numbers({{1, 2, 3, 4, infinity, 6, 7, 8}}, {0, 1, 0, 1, 0, 1, 0, 1}, {"a", "b"});
  ExpectLaw({{}}, AllRows(data), 4);
}

// ---- prepared rows ------------------------------------------------------------------------------

// Prepared of all rows of a dataset, used for a view of it.
void ExpectPreparedViewLaw(const std::vector<ParamValues>& settings, const DataPtr& data,
                           const RowIds& ids, std::int32_t n_folds) {
  const DataView rows = RowsOf(data, ids);
  const PreparedRows prepared("naive_bayes", settings.at(0), AllRows(data));
  std::vector<laws::SpecPtr> specs;
  for (const ParamValues& values : settings) {
    specs.push_back(laws::LearnerSpec("naive_bayes", values));
  }
  const std::vector<std::int32_t> folds = SomeFolds(rows.num_rows(), n_folds);
  laws::ExpectCrossPrediction(specs, {rows, folds, n_folds, prepared.get()});
  const std::vector<std::int32_t> alone = EachRowAlone(std::ssize(ids));
  laws::ExpectCrossPrediction({specs[0]},
                              {rows, alone, static_cast<std::int32_t>(ids.size()), prepared.get()});
}

std::uint64_t PreparedBytes(const DataPtr& data, const ParamValues& params) {
  const PreparedRows prepared("naive_bayes", params, AllRows(data));
  return prepared.table()->bytes(prepared.spec().component().info(), prepared.get());
}

TEST(NaiveBayesPreparedTest, ViewsOfSomeRowsInAnyOrderAndRepeated) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  RowIds backwards, repeated;
  for (std::int64_t i = 150; i-- > 0;) {
    if (i % 4 != 1) backwards.push_back(i);
    repeated.insert(repeated.end(), {i, (7 * i) % 150});
  }
  ExpectPreparedViewLaw(kAllSettings, iris, backwards, 7);
  ExpectPreparedViewLaw(kAllSettings, iris, repeated, 4);
  ExpectPreparedViewLaw(kAllSettings, LikeLetter(600), EveryNth(600, 2), 5);
  ExpectPreparedViewLaw({{}, kSmoothed}, LikeSpam(400), EveryNth(400, 3), 5);
}

TEST(NaiveBayesPreparedTest, ViewsInWhichAColumnIsConstant) {
  const DataPtr digits = ReadDigits();
  ExpectPreparedViewLaw(kAllSettings, digits, RowRange(0, 70), 3);
  std::vector<std::vector<double>> columns(2, std::vector<double>(40, 0.1));
  std::vector<std::int32_t> labels(40);
  for (std::size_t i = 0; i < 40; ++i) {
    labels[i] = static_cast<std::int32_t>(i % 2);
    columns[0][i] = i < 30 ? 0.1 : 0.3;
    columns[1][i] = static_cast<double>(i * i % 11);
  }
  ExpectPreparedViewLaw(kAllSettings, Numbers(columns, labels, {"a", "b"}), RowRange(0, 30), 4);
}

TEST(NaiveBayesPreparedTest, ViewsWithoutWhatQuickSumsCannotTake) {
  const DataPtr penguins = ReadTestData("penguins.csv", "species");
  ExpectPreparedViewLaw({{}, kSmoothed}, penguins, EveryNth(penguins->num_rows(), 5), 4);
  const double missing = std::nan("");
  const DataPtr data =
      Numbers({{1, 2, 4, 3, 6, 8, 7, 9, missing, 1e120}, {3, 1, 4, 1, 5, 9, 2, 6, 5, 3}},
              {0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, {"a", "b"});
  ExpectPreparedViewLaw({{}, kSample}, data, RowRange(0, 8), 3);
  ExpectPreparedViewLaw({{}, kSample}, data, RowRange(0, 9), 3);
  ExpectPreparedViewLaw({{}, kSample}, data, RowRange(0, 10), 3);
}

TEST(NaiveBayesPreparedTest, Weights) {
  const DataPtr data = ParseTable(
      "x,w,y\n1,1,a\n2,1,b\n4,1,a\n3,1,b\n6,1,a\n8,1,b\n7,0.5,a\n9,2,b\n5,1,a\n3,1,b\n", "y", "w");
  ExpectPreparedViewLaw({{}, kSample}, data, RowRange(0, 10), 3);
  ExpectPreparedViewLaw({{}, kSample}, data, {0, 1, 2, 3, 4, 5, 8, 9}, 3);  // all weights are 1
}

TEST(NaiveBayesPreparedTest, OtherKindsOfColumnsAreNotPrepared) {
  const DataPtr digits = ReadDigits();
  const std::uint64_t numbers = 1797 * 61 * sizeof(double);  // 3 of the 64 pixels are constant
  EXPECT_GE(PreparedBytes(digits, {}), numbers);
  EXPECT_LT(PreparedBytes(digits, {}), numbers + numbers / 50);
  for (const char* kind : {"kernel", "poisson", "multinomial"}) {
    const ParamValues values = {{"numeric", std::string(kind)}};
    EXPECT_LT(PreparedBytes(digits, values), 1000u) << kind;
    ExpectPreparedViewLaw({values}, digits, EveryNth(1797, 30), 3);
  }
  EXPECT_LT(PreparedBytes(ReadTestData("house_votes_84.csv", "Class"), {}), 1000u);
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const std::string name(iris->features()[0].name);
  ExpectPreparedViewLaw({{{"columns", name + "=kernel"}}}, iris, RowRange(30, 80), 3);
}

TEST(NaiveBayesPreparedTest, FitsAreThoseOfUnpreparedRows) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  for (const ParamValues& values : kAllSettings) {
    ExpectPrepareLaw("naive_bayes", values, AllRows(iris), RowsOf(iris, EveryNth(150, 2)),
                     AllRows(iris));
  }
}

// ---- anything -----------------------------------------------------------------------------------

TEST(NaiveBayesCrossTest, RandomTablesAndSettings) {
  Random random(20261121);
  for (std::size_t draw = 0; draw < Enough(60); ++draw) {
    const std::size_t n = 2 + random.Below(60);
    const auto n_classes = static_cast<std::int32_t>(1 + random.Below(4));
    std::vector<std::vector<double>> columns(random.Below(12));
    std::vector<std::int32_t> labels, folds;
    const auto n_folds = static_cast<std::int32_t>(1 + random.Below(n));
    for (std::size_t i = 0; i < n; ++i) {
      labels.push_back(
          static_cast<std::int32_t>(random.Below(static_cast<std::uint64_t>(n_classes))));
      folds.push_back(
          static_cast<std::int32_t>(random.Below(static_cast<std::uint64_t>(n_folds) + 1)) - 1);
    }
    for (std::vector<double>& column : columns) {
      const double centre = std::ldexp(random.Normal(), static_cast<int>(random.Below(60)) - 10);
      const bool with_ties = random.Below(3) == 0;
      for (std::size_t i = 0; i < n; ++i) {
        column.push_back(with_ties ? static_cast<double>(random.Below(3)) / 10
                                   : centre + random.Normal());
      }
    }
    std::vector<std::string> classes;
    for (std::int32_t c = 0; c < n_classes; ++c) classes.push_back("c" + std::to_string(c));
    const ParamValues drawn = {
        {"min_sd", random.Below(2) == 0 ? 0.0 : random.Uniform()},
        {"var_smoothing", random.Below(2) == 0 ? 0.0 : random.Uniform() * 1e-3},
        {"variance", std::string(random.Below(2) == 0 ? "ml" : "sample")},
        {"prior", std::string(random.Below(2) == 0 ? "learned" : "uniform")}};
    SCOPED_TRACE("draw " + std::to_string(draw));
    ExpectCrossPredictLaw("naive_bayes", {drawn, {}}, AllRows(Numbers(columns, labels, classes)),
                          folds, n_folds);
    if (HasFailure()) return;
  }
}

TEST(NaiveBayesCrossTest, LabelsAloneAreThoseOfTheProbabilities) {
  // Mirror images: scores of both classes are equal or differ in their last bits alone.
  std::vector<std::vector<double>> columns(3);
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 40; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      columns[k].push_back((i % 2 == 0 ? 1 : -1) * (0.1 * static_cast<double>(k) + 0.01 * (i / 2)));
    }
    labels.push_back(i % 2);
  }
  for (std::vector<double>& column : columns) column.insert(column.end(), {0.0, 1e-16, -1e-17});
  labels.insert(labels.end(), {0, 1, 1});
  const DataPtr data = Numbers(columns, labels, {"a", "b"});
  ExpectProbaLaw("naive_bayes", {}, RowsOf(data, RowRange(0, 40)), AllRows(data));
  const Prediction p = FitPredict("naive_bayes", {}, RowsOf(data, RowRange(0, 40)), AllRows(data));
  for (std::size_t i = 0; i < p.labels.size(); ++i) {
    EXPECT_EQ(p.labels[i], p.probabilities[2 * i + 1] > p.probabilities[2 * i] ? 1 : 0) << i;
  }
}

}  // namespace
}  // namespace crossfold
