#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "crossfold_plugin/view.hpp"
#include "engine/run/fit_predict.h"
#include "engine/run/training_rows.h"
#include "unit/engine/data/refusal.h"
#include "unit/plugins/capability_laws.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSubsetOf;

// What a resampling transform makes of training rows.
struct Resampled {
  std::string failure;
  RowIds row_ids;
  std::vector<std::int32_t> labels, types;
  std::vector<std::vector<double>> rows;  // features, row by row

  std::vector<std::int64_t> ClassSizes(std::int64_t n_classes) const {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(n_classes));
    for (const std::int32_t label : labels) ++sizes[static_cast<std::size_t>(label)];
    return sizes;
  }
  // (row id, features) of every row, sorted: equal for equal sets of rows.
  std::vector<std::tuple<std::int64_t, std::vector<double>>> Sorted() const {
    std::vector<std::tuple<std::int64_t, std::vector<double>>> all;
    for (std::size_t i = 0; i < rows.size(); ++i) all.emplace_back(row_ids[i], rows[i]);
    std::sort(all.begin(), all.end());
    return all;
  }
};

Resampled Resample(std::string_view id, const ParamValues& params, const DataView& train,
                   std::uint64_t seed = 1) {
  const auto spec = BundledSpec(Kind::kTransform, id, params);
  const RowTable table = RowTable::ForTraining(*train.data, train.rows.get());
  TrainingRows rows(table.get());
  CallSite site(nullptr, LogSink());
  Resampled result;
  try {
    rows.Resample(*spec, seed, site);
  } catch (const StepError& e) {
    result.failure = e.failure().message;
    return result;
  }
  const plugin::TrainingView view(rows.get());
  for (std::int64_t j = 0; j < view.num_features(); ++j) {
    result.types.push_back(view.column(j).dtype);
  }
  for (std::int64_t i = 0; i < view.num_rows(); ++i) {
    result.row_ids.push_back(view.row_id(i));
    result.labels.push_back(view.label(i));
    result.rows.emplace_back();
    for (std::int64_t j = 0; j < view.num_features(); ++j) {
      result.rows.back().push_back(view.x(i, j));
    }
  }
  return result;
}

RowIds Reversed(RowIds rows) {
  std::reverse(rows.begin(), rows.end());
  return rows;
}

// 10 setosa, 4 versicolor, 1 virginica.
DataView TenFourAndOne() {
  RowIds rows = RowRange(0, 10);
  for (const std::int64_t row : {50, 60, 70, 80, 149}) rows.push_back(row);
  return RowsOf(Iris(), rows);
}

// 10 setosa, 4 versicolor, 2 virginica.
DataView TenFourAndTwo() {
  RowIds rows = RowRange(0, 10);
  for (const std::int64_t row : {50, 60, 70, 80, 100, 149}) rows.push_back(row);
  return RowsOf(Iris(), rows);
}

// The same rows, whose classes are listed the other way round.
DataView WithReversedClasses(const DataView& view) {
  const Dataset& data = *view.data;
  std::vector<std::int32_t> labels;
  for (const std::int32_t label : data.labels()) {
    labels.push_back(static_cast<std::int32_t>(data.num_classes()) - 1 - label);
  }
  std::vector<Column> columns(data.columns().begin(), data.columns().end());
  for (Column& column : columns) {
    if (column.name != data.roles().target) continue;
    column = Column::Categories(column.name, labels,
                                {data.class_names().rbegin(), data.class_names().rend()});
  }
  return {Dataset::Create(data.name(), std::move(columns), data.roles()), view.rows};
}

TEST(ResamplingTest, TheOrderOfTheClassesDoesNotMatter) {
  const DataView train = TenFourAndTwo();
  for (const char* id : {"oversample", "undersample", "smote"}) {
    const ParamValues params = {{"ratio", std::string(id) == "undersample" ? 1.5 : 0.8}};
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      EXPECT_EQ(Resample(id, params, train, seed).Sorted(),
                Resample(id, params, WithReversedClasses(train), seed).Sorted())
          << id;
    }
  }
}

TEST(OversampleTest, FillsEveryClassUpToTheLargest) {
  EXPECT_THAT(Resample("oversample", {}, TenFourAndOne()).ClassSizes(3), ElementsAre(10, 10, 10));
}

TEST(OversampleTest, TheRatioIsOfTheLargestClassAndShrinksNothing) {
  EXPECT_THAT(Resample("oversample", {{"ratio", 0.5}}, TenFourAndOne()).ClassSizes(3),
              ElementsAre(10, 5, 5));
  EXPECT_THAT(Resample("oversample", {{"ratio", 0.26}}, TenFourAndOne()).ClassSizes(3),
              ElementsAre(10, 4, 3));
  EXPECT_THAT(Resample("oversample", {{"ratio", 0.0}}, TenFourAndOne()).ClassSizes(3),
              ElementsAre(10, 4, 1));
}

TEST(OversampleTest, KeepsEveryRowAndRepeatsOnlyRowsOfTheSmallerClasses) {
  const DataView train = TenFourAndOne();
  const Resampled made = Resample("oversample", {}, train);
  EXPECT_EQ(RowIds(made.row_ids.begin(), made.row_ids.begin() + 15), *train.rows);
  const std::set<std::int64_t> smaller = {50, 60, 70, 80, 149};
  std::set<std::int64_t> repeated;
  for (std::size_t i = 15; i < made.row_ids.size(); ++i) {
    EXPECT_EQ(smaller.count(made.row_ids[i]), 1u) << made.row_ids[i];
    EXPECT_EQ(made.labels[i], Iris()->labels()[static_cast<std::size_t>(made.row_ids[i])]);
    repeated.insert(made.row_ids[i]);
  }
  EXPECT_GE(repeated.size(), 3u);
}

TEST(OversampleTest, DrawsEveryRowOfAClassEquallyOften) {
  // 24 + 9976 draws of two rows: each is expected 5000 times, with a standard deviation of 50.
  RowIds rows(10000, 0);
  rows.push_back(50);
  rows.push_back(51);
  const Resampled made = Resample("oversample", {}, RowsOf(Iris(), rows), 3);
  EXPECT_NEAR(static_cast<double>(std::count(made.row_ids.begin(), made.row_ids.end(), 50)), 5000,
              250);
}

TEST(OversampleTest, AClassThatTheTrainingRowsLackStaysAbsent) {
  EXPECT_THAT(Resample("oversample", {}, RowsOf(Iris(), {0, 1, 2, 100})).ClassSizes(3),
              ElementsAre(3, 0, 3));
  EXPECT_THAT(Resample("oversample", {}, RowsOf(Iris(), {0})).ClassSizes(3), ElementsAre(1, 0, 0));
}

TEST(OversampleTest, FollowsTheSeedAndNotTheOrderOfTheRows) {
  const DataView train = TenFourAndOne();
  const auto rows = Resample("oversample", {}, train).Sorted();
  EXPECT_EQ(Resample("oversample", {}, train).Sorted(), rows);
  EXPECT_EQ(Resample("oversample", {}, RowsOf(Iris(), Reversed(*train.rows))).Sorted(), rows);
  EXPECT_NE(Resample("oversample", {}, train, 2).Sorted(), rows);
}

TEST(OversampleTest, WeightedRowsAndNumericTargetsAreRefused) {
  const DataPtr weighted = ParseTable("x,w,y\n1,1,a\n2,1,b\n", "y", "w");
  const auto fit = [](const DataPtr& data) -> std::string {
    return test::MessageOf([&] {
      FittedModel::Fit(Pipeline::Make({BundledSpec(Kind::kTransform, "oversample", {}),
                                       BundledSpec(Kind::kLearner, "featureless", {})}),
                       AllRows(data), 1, {});
    });
  };
  EXPECT_EQ(fit(weighted),
            "cannot use transform 'oversample' on dataset 'table': it does not accept row weights "
            "(column 'w'); read the data without weights");
  EXPECT_EQ(fit(ParseTable("x,y\n1,2\n2,3\n", "y")),
            "cannot use transform 'oversample' on dataset 'table': it is for classification, the "
            "target 'y' is numeric; if its numbers name classes, read it with types = { y = "
            "\"categorical\" }");
}

TEST(OversampleTest, KeepsTheLawOfSerialize) {
  ExpectTransformSaveLoadLaw("oversample", {}, TenFourAndOne(), AllRows(Iris()));
}

TEST(UndersampleTest, CutsEveryClassToTheSmallest) {
  EXPECT_THAT(Resample("undersample", {}, TenFourAndTwo()).ClassSizes(3), ElementsAre(2, 2, 2));
}

TEST(UndersampleTest, TheRatioIsOfTheSmallestClassAndFillsNothing) {
  EXPECT_THAT(Resample("undersample", {{"ratio", 1.5}}, TenFourAndTwo()).ClassSizes(3),
              ElementsAre(3, 3, 2));
  EXPECT_THAT(Resample("undersample", {{"ratio", 3.0}}, TenFourAndTwo()).ClassSizes(3),
              ElementsAre(6, 4, 2));
  EXPECT_THAT(Resample("undersample", {{"ratio", 1e300}}, TenFourAndTwo()).ClassSizes(3),
              ElementsAre(10, 4, 2));
}

TEST(UndersampleTest, KeepsRowsOnceAndInTheirOrder) {
  const DataView train = TenFourAndTwo();
  const Resampled made = Resample("undersample", {}, train);
  EXPECT_THAT(made.row_ids, IsSubsetOf(*train.rows));
  EXPECT_TRUE(std::is_sorted(made.row_ids.begin(), made.row_ids.end()));
  EXPECT_EQ(std::set<std::int64_t>(made.row_ids.begin(), made.row_ids.end()).size(), 6u);
}

TEST(UndersampleTest, KeepsEveryRowEquallyOften) {
  // Row 3 is among the 2 of 10 setosas that stay: 1000 draws, expected 200, deviation 13.
  int kept = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const RowIds rows = Resample("undersample", {}, TenFourAndTwo(), seed).row_ids;
    kept += std::count(rows.begin(), rows.end(), 3) > 0 ? 1 : 0;
  }
  EXPECT_NEAR(kept, 200, 65);
}

TEST(UndersampleTest, AClassThatTheTrainingRowsLackDoesNotCount) {
  EXPECT_THAT(Resample("undersample", {}, RowsOf(Iris(), {0, 1, 2, 100})).ClassSizes(3),
              ElementsAre(1, 0, 1));
  EXPECT_THAT(Resample("undersample", {}, RowsOf(Iris(), {0, 1})).ClassSizes(3),
              ElementsAre(2, 0, 0));
}

TEST(UndersampleTest, FollowsTheSeedAndNotTheOrderOfTheRows) {
  const DataView train = TenFourAndTwo();
  const auto rows = Resample("undersample", {}, train).Sorted();
  EXPECT_EQ(Resample("undersample", {}, RowsOf(Iris(), Reversed(*train.rows))).Sorted(), rows);
  EXPECT_NE(Resample("undersample", {}, train, 2).Sorted(), rows);
}

TEST(UndersampleTest, KeepsTheLawOfSerialize) {
  ExpectTransformSaveLoadLaw("undersample", {}, TenFourAndTwo(), AllRows(Iris()));
}

// 30 setosa, 12 versicolor, 4 virginica.
DataView ThirtyTwelveAndFour() {
  RowIds rows = RowRange(0, 30);
  for (std::int64_t row = 50; row < 62; ++row) rows.push_back(row);
  for (std::int64_t row = 110; row < 114; ++row) rows.push_back(row);
  return RowsOf(Iris(), rows);
}

using Point = std::vector<double>;

double Distance(const Point& a, const Point& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(sum);
}

// Whether `p` lies between the base and one of its k nearest rows of the same class.
bool LiesBeforeANeighbour(const Resampled& made, std::size_t n_real, std::size_t i, std::size_t k) {
  std::size_t base = 0;
  while (made.row_ids[base] != made.row_ids[i]) ++base;
  std::vector<std::pair<double, std::size_t>> near;
  for (std::size_t r = 0; r < n_real; ++r) {
    if (r != base && made.labels[r] == made.labels[i]) {
      near.emplace_back(Distance(made.rows[base], made.rows[r]), r);
    }
  }
  std::sort(near.begin(), near.end());
  near.resize(std::min(near.size(), k));
  const double way = Distance(made.rows[base], made.rows[i]);
  for (const auto& [length, r] : near) {
    // On the segment exactly if the two parts sum to the whole.
    if (std::abs(way + Distance(made.rows[i], made.rows[r]) - length) < 1e-12) return true;
  }
  return false;
}

TEST(SmoteTest, FillsEveryClassUpToItsShareOfTheLargest) {
  EXPECT_THAT(Resample("smote", {}, ThirtyTwelveAndFour()).ClassSizes(3), ElementsAre(30, 30, 30));
  EXPECT_THAT(Resample("smote", {{"ratio", 0.5}}, ThirtyTwelveAndFour()).ClassSizes(3),
              ElementsAre(30, 15, 15));
}

TEST(SmoteTest, NewRowsLieBetweenARowAndOneOfItsKNearestOfTheSameClass) {
  for (const std::int64_t k : {1, 3, 5}) {
    const Resampled made = Resample("smote", {{"k", k}}, ThirtyTwelveAndFour());
    ASSERT_EQ(made.rows.size(), 90u);
    for (std::size_t i = 46; i < made.rows.size(); ++i) {
      EXPECT_TRUE(LiesBeforeANeighbour(made, 46, i, static_cast<std::size_t>(k))) << i;
    }
  }
}

TEST(SmoteTest, TheRowsThemselvesStayAsTheyAre) {
  const DataView train = ThirtyTwelveAndFour();
  const Resampled made = Resample("smote", {}, train);
  const Resampled as_read = Resample("smote", {{"ratio", 0.0}}, train);
  ASSERT_EQ(as_read.rows.size(), 46u);
  EXPECT_EQ(RowIds(made.row_ids.begin(), made.row_ids.begin() + 46), *train.rows);
  EXPECT_TRUE(std::equal(as_read.rows.begin(), as_read.rows.end(), made.rows.begin()));
}

TEST(SmoteTest, EveryRowOfAClassServesEquallyOften) {
  // 18 new versicolors of 12 rows: 1 or 2 each; 26 new virginicas of 4 rows: 6 or 7 each.
  const DataView train = ThirtyTwelveAndFour();
  const Resampled made = Resample("smote", {}, train);
  for (const std::int64_t row : *train.rows) {
    const auto times = std::count(made.row_ids.begin(), made.row_ids.end(), row) - 1;
    const std::int64_t least = row < 50 ? 0 : row < 100 ? 1 : 6;
    EXPECT_GE(times, least) << row;
    EXPECT_LE(times, row < 50 ? 0 : least + 1) << row;
  }
}

TEST(SmoteTest, AClassWithFewRowsUsesTheNeighboursThatItHas) {
  // Two rows of class b, 10 and 20: every new row lies between them.
  const DataPtr data = ParseTable("x,y\n1,a\n2,a\n3,a\n4,a\n5,a\n10,b\n20.5,b\n", "y");
  const Resampled made = Resample("smote", {{"k", 5}}, AllRows(data));
  ASSERT_EQ(made.rows.size(), 10u);
  for (std::size_t i = 7; i < 10; ++i) {
    EXPECT_GE(made.rows[i][0], 10);
    EXPECT_LE(made.rows[i][0], 20.5);
  }
}

TEST(SmoteTest, AClassWithOneRowIsRefusedByName) {
  const DataView train = RowsOf(Iris(), {0, 1, 2, 50, 51, 100});
  EXPECT_EQ(Resample("smote", {}, train).failure,
            "class 'virginica' has one training row, which has no neighbour");
  EXPECT_EQ(Resample("smote", {{"ratio", 0.3}}, train).failure, "");  // needs no new row
}

// N. V. Chawla et al. 2002, section 6.1: a nominal feature that differs adds the median of the
// standard deviations of the numeric features, and the majority of the neighbours gives the new
// category. Class b: x = 0, 1, 1.5, 10 with a variance of 16.046875, so the nearest row of (0, p)
// is (1.5, p), 2.25 away squared, and not (1, q), 1 + 16.05 away.
TEST(SmoteTest, ADifferentCategoryIsAsFarAsTheMedianStandardDeviation) {
  std::string csv = "x,c,y\n0,p,b\n1,q,b\n1.5,p,b\n10,p,b\n";
  for (int i = 0; i < 8; ++i) csv += "5,p,a\n";
  const DataPtr data = ParseTable(csv, "y");
  const std::vector<std::pair<double, double>> between = {{0, 1.5}, {1, 1.5}, {0, 1.5}, {1.5, 10}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Resampled made = Resample("smote", {{"k", 1}}, AllRows(data), seed);
    ASSERT_EQ(made.rows.size(), 16u);
    for (std::size_t i = 12; i < 16; ++i) {
      const auto [low, high] = between.at(static_cast<std::size_t>(made.row_ids[i]));
      EXPECT_GE(made.rows[i][0], low);
      EXPECT_LE(made.rows[i][0], high);
      EXPECT_EQ(made.rows[i][1], 0) << "p is the category of every nearest neighbour";
    }
  }
}

TEST(SmoteTest, TheMajorityOfTheNeighboursGivesTheCategoryTiesToTheLowerLevel) {
  // Neighbours of each b: the three others. Of q: p p q is p; of p: p q q is q.
  const DataPtr data = ParseTable(
      "x,c,y\n0,p,b\n0.1,q,b\n0.2,p,b\n0.3,q,b\n5,p,a\n5,p,a\n5,p,a\n5,p,a\n5,p,a\n5,p,a\n"
      "5,p,a\n5,p,a\n",
      "y");
  const Resampled made = Resample("smote", {{"k", 3}}, AllRows(data));
  for (std::size_t i = 12; i < 16; ++i) {
    EXPECT_EQ(made.rows[i][1], made.row_ids[i] % 2 == 0 ? 1 : 0) << made.row_ids[i];
  }
  // Of the rows 0 1 2, the neighbours q and p of a p tie, and those of the q are p.
  const Resampled tied = Resample("smote", {{"k", 2}}, RowsOf(data, {0, 1, 2, 4, 5, 6, 7, 8, 9}));
  ASSERT_EQ(tied.rows.size(), 12u);
  for (std::size_t i = 9; i < 12; ++i) EXPECT_EQ(tied.rows[i][1], 0) << tied.row_ids[i];
}

TEST(SmoteTest, TypesStayAndIntegersAreRounded) {
  const DataPtr data = Dataset::Create(
      "table",
      {Column::Integers("n", {0, 10, 1, 2, 3, 4}), Column::Floats("f", {0.5F, 0.25F, 1, 1, 1, 1}),
       Column::Booleans("b", {true, true, false, false, false, false}),
       Column::Integers32("i", {-3, 3, 1, 1, 1, 1}),
       Column::Categories("y", {1, 1, 0, 0, 0, 0}, {"a", "b"})},
      TargetRole("y"));
  const Resampled made = Resample("smote", {}, AllRows(data));
  EXPECT_THAT(made.types, ElementsAre(CF_I64, CF_F32, CF_BOOL8, CF_I32));
  ASSERT_EQ(made.rows.size(), 8u);
  for (std::size_t i = 6; i < 8; ++i) {
    EXPECT_EQ(made.rows[i][0], std::round(made.rows[i][0]));
    EXPECT_EQ(made.rows[i][2], 1) << "a bool is a category";
  }
}

TEST(SmoteTest, FollowsTheSeedAndNotTheOrderOfTheRows) {
  const DataView train = ThirtyTwelveAndFour();
  const auto rows = Resample("smote", {}, train).Sorted();
  EXPECT_EQ(Resample("smote", {}, train).Sorted(), rows);
  EXPECT_EQ(Resample("smote", {}, RowsOf(Iris(), Reversed(*train.rows))).Sorted(), rows);
  EXPECT_NE(Resample("smote", {}, train, 2).Sorted(), rows);
}

TEST(SmoteTest, WhatCannotBeInterpolatedIsRefused) {
  const auto numbers = [](std::vector<double> x) {
    return AllRows(Dataset::Create(
        "table",
        {Column::Doubles("x", std::move(x)), Column::Categories("y", {0, 0, 0, 1, 1}, {"a", "b"})},
        TargetRole("y")));
  };
  EXPECT_EQ(
      Resample("smote", {}, numbers({1, 2, 3, 4, std::numeric_limits<double>::infinity()})).failure,
      "feature 'x' has an infinite entry");
  EXPECT_EQ(Resample("smote", {}, numbers({1, 2, 3, 1e200, -1e200})).failure,
            "feature 'x' has no finite mean and standard deviation");
  EXPECT_EQ(Resample("smote", {}, AllRows(ReadTestData("weather_nominal.csv", "play"))).failure,
            "there is no numeric feature to interpolate; use oversample");
}

TEST(SmoteTest, KeepsTheLawOfSerialize) {
  ExpectTransformSaveLoadLaw("smote", {}, ThirtyTwelveAndFour(), AllRows(Iris()));
}

}  // namespace
}  // namespace crossfold
