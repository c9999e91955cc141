// knn with what crossfold.prepare/1 made of a whole dataset: on all of its rows, on views of some
// of them, and where the lists of neighbours do not help.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/bundled_plugins.h"
#include "unit/plugins/capability_laws.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using plugin::Random;
using FoldNumbers = std::vector<std::int32_t>;

struct NamedDistance {
  std::string name;
  double p;  // 0 = none
};
const std::vector<NamedDistance>& AllDistances() {
  static const std::vector<NamedDistance> all = {
      {"manhattan", 0},   {"euclidean", 0},   {"chebyshev", 0},   {"minkowski", 1},
      {"minkowski", 1.5}, {"minkowski", 2.0}, {"mahalanobis", 0}, {"gower", 0}};
  return all;
}

ParamValues Setting(const NamedDistance& distance, std::int64_t k, const std::string& weights) {
  ParamValues values = {{"k", k}, {"weights", weights}, {"distance", distance.name}};
  if (distance.p > 0) values["p"] = distance.p;
  return values;
}
std::vector<ParamValues> Grid(const NamedDistance& distance, const std::vector<std::int64_t>& ks) {
  std::vector<ParamValues> grid;
  for (const std::int64_t k : ks) {
    for (const char* weights : {"distance", "uniform"}) {
      grid.push_back(Setting(distance, k, weights));
    }
  }
  return grid;
}
const NamedDistance kEuclidean = {"euclidean", 0};

// The law on `rows`, prepared on all rows of their dataset.
void ExpectPreparedLaw(const std::vector<ParamValues>& settings, const DataView& rows,
                       const FoldNumbers& folds, std::int32_t n_folds) {
  std::vector<laws::SpecPtr> specs;
  for (const ParamValues& params : settings) specs.push_back(laws::LearnerSpec("knn", params));
  const PreparedRows prepared("knn", settings[0], AllRows(rows.data));
  ASSERT_NE(prepared.get(), nullptr);
  laws::ExpectCrossPrediction(specs, {rows, folds, n_folds, prepared.get()});
}

RowIds EveryOther(std::int64_t n_rows, std::int64_t step) {
  RowIds rows;
  for (std::int64_t i = 0; i < n_rows; i += step) rows.push_back(i);
  return rows;
}

DataPtr NumericTable(const std::vector<std::vector<double>>& features, std::vector<double> target) {
  std::vector<Column> columns;
  for (std::size_t j = 0; j < features.size(); ++j) {
    columns.push_back(Column::Doubles("x" + std::to_string(j), features[j]));
  }
  columns.push_back(Column::Doubles("y", std::move(target)));
  return Dataset::Create("table", std::move(columns), TargetRole("y"));
}

TEST(KnnPreparedTest, EveryDistanceOnAllRows) {
  for (const char* file : {"iris.csv", "wine.csv"}) {
    const DataPtr data = ReadTestData(file, "class");
    for (const NamedDistance& distance : AllDistances()) {
      ExpectPreparedLaw(Grid(distance, {1, 4, 9}), AllRows(data), SomeFolds(data->num_rows(), 5),
                        5);
    }
  }
}

TEST(KnnPreparedTest, RegressionOnAllRows) {
  const DataPtr data = ReadTestData("diabetes_regr.csv", "target");
  for (const NamedDistance& distance : AllDistances()) {
    ExpectPreparedLaw(Grid(distance, {1, 12}), AllRows(data), SomeFolds(data->num_rows(), 4), 4);
  }
}

TEST(KnnPreparedTest, WholeNumbersWithManyTies) {
  const DataPtr digits = ReadDigits();
  const DataView rows = RowsOf(digits, RowRange(0, 600));
  ExpectPreparedLaw(Grid(kEuclidean, {1, 3, 5}), rows, SomeFolds(600, 3), 3);
  ExpectPreparedLaw(Grid({"manhattan", 0}, {1, 3, 5}), rows, SomeFolds(600, 3), 3);
}

TEST(KnnPreparedTest, ViewsOfSomeRowsInAnyOrder) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  RowIds rows = EveryOther(150, 2);
  Random(1).Shuffle(std::span<std::int64_t>(rows));
  for (const NamedDistance& distance : AllDistances()) {
    ExpectPreparedLaw(Grid(distance, {1, 6}), RowsOf(iris, rows), SomeFolds(75, 4), 4);
  }
}

// A twentieth of the rows is in the view, so few lists hold nine of its training rows.
TEST(KnnPreparedTest, ViewsSoSmallThatListsRunOut) {
  const DataPtr digits = ReadDigits();
  const RowIds rows = EveryOther(1797, 20);
  const auto n = static_cast<std::int64_t>(rows.size());
  ExpectPreparedLaw(Grid(kEuclidean, {1, 9}), RowsOf(digits, rows), SomeFolds(n, 3), 3);
}

// Fifty to seventy copies of a row in its own fold: its list holds nothing else.
TEST(KnnPreparedTest, ListsFullOfTheRowsOwnFoldRunOut) {
  Random random(2);
  std::vector<double> x, z, y;
  FoldNumbers folds;
  for (std::int32_t group = 0; group < 12; ++group) {
    const double at = random.Uniform(), other = static_cast<double>(random.Below(3));
    for (std::uint64_t copies = 50 + random.Below(21); copies > 0; --copies) {
      x.push_back(at);
      z.push_back(other);
      y.push_back(random.Uniform());
      folds.push_back(group % 4);
    }
  }
  const DataPtr data = NumericTable({x, z}, y);
  ExpectPreparedLaw(Grid(kEuclidean, {1, 5, 60}), AllRows(data), folds, 4);
  ExpectPreparedLaw(Grid({"chebyshev", 0}, {1, 5, 60}), AllRows(data), folds, 4);
}

TEST(KnnPreparedTest, MoreNeighboursThanAListHolds) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  ExpectPreparedLaw(Grid(kEuclidean, {1, 47, 48, 49, 100}), AllRows(iris), SomeFolds(150, 10), 10);
}

TEST(KnnPreparedTest, SettingsFailAloneWhereSeparateFitsFail) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  ExpectPreparedLaw(Grid(kEuclidean, {2, 122, 123, 500}), AllRows(iris), SomeFolds(150, 5), 5);
}

TEST(KnnPreparedTest, LeaveOneOut) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  FoldNumbers folds;
  for (std::int32_t i = 0; i < 150; ++i) folds.push_back(149 - i);
  ExpectPreparedLaw(Grid(kEuclidean, {1, 7}), AllRows(iris), folds, 150);
  ExpectCrossPredictLaw("knn", Grid({"gower", 0}, {1, 7}), AllRows(iris), folds, 150);
}

TEST(KnnPreparedTest, OneFoldOfAFewAndAFoldOfAllRows) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  FoldNumbers few(150, -1), all(150, 0);
  for (std::size_t i = 0; i < 150; i += 31) few[i] = 0;
  ExpectPreparedLaw(Grid(kEuclidean, {1, 7}), AllRows(iris), few, 1);
  ExpectPreparedLaw(Grid(kEuclidean, {1, 7}), AllRows(iris), all, 1);
}

// Rows drawn with replacement: the lists know each row once.
TEST(KnnPreparedTest, ViewsThatRepeatRows) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  Random random(3);
  RowIds rows;
  for (int i = 0; i < 150; ++i) rows.push_back(static_cast<std::int64_t>(random.Below(150)));
  for (const NamedDistance& distance : AllDistances()) {
    ExpectPreparedLaw(Grid(distance, {1, 4}), RowsOf(iris, rows), SomeFolds(150, 5), 5);
  }
}

TEST(KnnPreparedTest, PreparedOnSomeRowsOnly) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const RowIds some = EveryOther(150, 3);
  const ParamValues params = Setting(kEuclidean, 3, "distance");
  const PreparedRows prepared("knn", params, RowsOf(iris, some));
  const std::vector<laws::SpecPtr> specs = {laws::LearnerSpec("knn", params)};
  laws::ExpectCrossPrediction(specs, {RowsOf(iris, some), SomeFolds(50, 4), 4, prepared.get()});
  // Most rows of this view were not there.
  laws::ExpectCrossPrediction(specs, {AllRows(iris), SomeFolds(150, 4), 4, prepared.get()});
}

TEST(KnnPreparedTest, PreparedForAnotherDistance) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const PreparedRows prepared("knn", Setting(kEuclidean, 3, "uniform"), AllRows(iris));
  const std::vector<laws::SpecPtr> specs = {
      laws::LearnerSpec("knn", Setting({"manhattan", 0}, 3, "uniform"))};
  laws::ExpectCrossPrediction(specs, {AllRows(iris), SomeFolds(150, 4), 4, prepared.get()});
}

// ---- entries that cannot be used ---------------------------------------------------------------

// Row 5 has an infinite x0 and row 8 a missing x1.
DataPtr TableWithBadEntries() {
  std::vector<double> x, z, y;
  for (int i = 0; i < 40; ++i) {
    x.push_back(i == 5 ? kInfinity : i * i % 17);
    z.push_back(i == 8 ? std::nan("") : i % 5);
    y.push_back(i);
  }
  return NumericTable({x, z}, y);
}

TEST(KnnPreparedTest, BadEntriesOutsideTheViewDoNotMatter) {
  const DataPtr data = TableWithBadEntries();
  ExpectPreparedLaw(Grid(kEuclidean, {1, 3}), RowsOf(data, RowRange(9, 40)), SomeFolds(31, 4), 4);
}

TEST(KnnPreparedTest, BadEntriesFailEachFoldWithWhatItsSeparateFitMeetsFirst) {
  const DataPtr data = TableWithBadEntries();
  for (const NamedDistance& distance : AllDistances()) {
    ExpectPreparedLaw(Grid(distance, {1, 3, 39}), AllRows(data), SomeFolds(40, 4), 4);
  }
}

TEST(KnnPreparedTest, CategoriesFailAsInSeparateFits) {
  const DataPtr penguins = ReadTestData("penguins.csv", "species");
  const std::int64_t n = penguins->num_rows();
  for (const char* distance : {"euclidean", "gower"}) {
    ExpectPreparedLaw(Grid({distance, 0}, {3}), AllRows(penguins), SomeFolds(n, 3), 3);
  }
}

// ---- keys at the ends of the numbers -----------------------------------------------------------

TEST(KnnPreparedTest, KeysBeyondTheRangeOfNumbersFailTheSettingsThatNeedThem) {
  // Rows 6 to 11 are too far from the others; four neighbours are enough for no row of theirs.
  std::vector<double> x, y;
  for (int i = 0; i < 12; ++i) {
    x.push_back((i < 6 ? 0 : 1e200) + i);
    y.push_back(i);
  }
  const DataPtr data = NumericTable({x}, y);
  const FoldNumbers folds = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
  ExpectPreparedLaw(Grid(kEuclidean, {1, 4, 5}), AllRows(data), folds, 3);
  ExpectCrossPredictLaw("knn", Grid(kEuclidean, {1, 4, 5}), AllRows(data), folds, 3);
}

TEST(KnnPreparedTest, OrdersThatAreLostFailTheSettingsThatNeedThem) {
  // To the 300th power differences up to 0.09 vanish; rows 4 and 5 are equal.
  const DataPtr data = NumericTable({{0, 0.05, 3, 5, 7, 7, 7.05, 9}}, {1, 2, 3, 4, 5, 6, 7, 8});
  const FoldNumbers folds = {0, 1, 2, 0, 1, 2, 3, 3};
  const std::vector<ParamValues> grid = Grid({"minkowski", 300}, {1, 2, 3});
  ExpectPreparedLaw(grid, AllRows(data), folds, 4);
  ExpectCrossPredictLaw("knn", grid, AllRows(data), folds, 4);
}

// ---- models ------------------------------------------------------------------------------------

TEST(KnnPreparedTest, ModelsFromPreparedRowsAreThoseOfFit) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const DataView train = RowsOf(iris, EveryOther(150, 2));
  for (const NamedDistance& distance : AllDistances()) {
    const ParamValues params = Setting(distance, 3, "distance");
    ExpectPrepareLaw("knn", params, AllRows(iris), train, AllRows(iris));
    ExpectPreparedPathLaw("knn", params, "k", {5, 1, 60}, AllRows(iris), train, AllRows(iris));
  }
}

// ---- random settings ---------------------------------------------------------------------------

TEST(KnnPreparedTest, RandomDataFoldsViewsAndSettings) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const std::size_t n = 20 + random.Below(150), d = 1 + random.Below(6);
    const std::uint64_t n_values = 2 + random.Below(40);  // few values = many ties
    const double unit = random.Below(2) == 0 ? 1 : 0.1;
    std::vector<std::vector<double>> features(d);
    for (auto& feature : features) {
      for (std::size_t i = 0; i < n; ++i) {
        feature.push_back(unit * static_cast<double>(random.Below(n_values)));
      }
    }
    std::vector<std::int32_t> classes;
    for (std::size_t i = 0; i < n; ++i) {
      classes.push_back(static_cast<std::int32_t>(random.Below(3)));
    }
    std::vector<Column> columns;
    for (std::size_t j = 0; j < d; ++j) {
      columns.push_back(Column::Doubles("x" + std::to_string(j), features[j]));
    }
    columns.push_back(Column::Categories("y", classes, {"a", "b", "c"}));
    const DataPtr data = Dataset::Create("table", std::move(columns), TargetRole("y"));
    RowIds rows;
    for (std::size_t i = 0; i < n; ++i) {
      if (random.Below(4) > 0 || i < 4) rows.push_back(static_cast<std::int64_t>(i));
    }
    const auto n_folds = static_cast<std::int32_t>(2 + random.Below(5));
    FoldNumbers folds;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      folds.push_back(
          static_cast<std::int32_t>(random.Below(static_cast<std::uint64_t>(n_folds) + 1)) - 1);
    }
    const NamedDistance& distance = AllDistances()[random.Below(AllDistances().size())];
    ExpectPreparedLaw(Grid(distance, {1 + static_cast<std::int64_t>(random.Below(12)), 3}),
                      RowsOf(data, rows), folds, n_folds);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace crossfold
