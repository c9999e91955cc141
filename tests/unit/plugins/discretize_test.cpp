#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/plugins/transform_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;
using ::testing::IsNan;

ParamValues Bins(const char* method, std::int64_t bins) {
  return {{"method", std::string(method)}, {"bins", bins}};
}

// Weka 3.6.14, class last (as for the next two):
//   java -cp weka.jar weka.filters.supervised.attribute.Discretize -i iris.arff -c last -R
//   first-last
TEST(DiscretizeTest, TheMdlIntervalsOfIrisAreThoseOfWeka) {
  EXPECT_THAT(FitApply("discretize", {}, ReadTestData("iris.csv", "class")).levels,
              ElementsAre(ElementsAre("(-inf-5.55]", "(5.55-6.15]", "(6.15-inf)"),
                          ElementsAre("(-inf-2.95]", "(2.95-3.35]", "(3.35-inf)"),
                          ElementsAre("(-inf-2.45]", "(2.45-4.75]", "(4.75-inf)"),
                          ElementsAre("(-inf-0.8]", "(0.8-1.75]", "(1.75-inf)")));
}

TEST(DiscretizeTest, TheMdlIntervalsOfWineAreThoseOfWeka) {
  EXPECT_THAT(
      FitApply("discretize", {}, ReadTestData("wine.csv", "class")).levels,
      ElementsAre(
          ElementsAre("(-inf-12.185]", "(12.185-12.78]", "(12.78-inf)"),
          ElementsAre("(-inf-1.42]", "(1.42-2.235]", "(2.235-inf)"),
          ElementsAre("(-inf-2.03]", "(2.03-inf)"), ElementsAre("(-inf-17.9]", "(17.9-inf)"),
          ElementsAre("(-inf-88.5]", "(88.5-inf)"),
          ElementsAre("(-inf-1.84]", "(1.84-2.335]", "(2.335-inf)"),
          ElementsAre("(-inf-0.975]", "(0.975-1.575]", "(1.575-2.31]", "(2.31-inf)"),
          ElementsAre("(-inf-0.395]", "(0.395-inf)"), ElementsAre("(-inf-1.27]", "(1.27-inf)"),
          ElementsAre("(-inf-3.46]", "(3.46-7.55]", "(7.55-inf)"),
          ElementsAre("(-inf-0.785]", "(0.785-0.975]", "(0.975-1.295]", "(1.295-inf)"),
          ElementsAre("(-inf-2.115]", "(2.115-2.475]", "(2.475-inf)"),
          ElementsAre("(-inf-468]", "(468-755]", "(755-987.5]", "(987.5-inf)")));
}

TEST(DiscretizeTest, MissingEntriesAndUselessColumnsAreAsInWeka) {
  const Transformed t = FitApply("discretize", {}, ReadTestData("penguins.csv", "species"));
  EXPECT_THAT(t.names, ElementsAre("island", "bill_length_mm", "bill_depth_mm", "flipper_length_mm",
                                   "body_mass_g", "sex", "year"));
  EXPECT_THAT(t.levels[1], ElementsAre("(-inf-42.35]", "(42.35-46.05]", "(46.05-inf)"));
  EXPECT_THAT(t.levels[2],
              ElementsAre("(-inf-15.45]", "(15.45-16.35]", "(16.35-17.35]", "(17.35-inf)"));
  EXPECT_THAT(t.levels[3], ElementsAre("(-inf-192.5]", "(192.5-206.5]", "(206.5-inf)"));
  EXPECT_THAT(t.levels[4],
              ElementsAre("(-inf-4087.5]", "(4087.5-4325]", "(4325-4825]", "(4825-inf)"));
  EXPECT_THAT(t.levels[6], ElementsAre("all"));
  EXPECT_THAT(t.columns[1][3], IsNan());
  EXPECT_THAT(t.columns[6][3], 0);
}

TEST(DiscretizeTest, EqualWidthCutsTheRangeInEqualParts) {
  const DataPtr data = NumericColumn({0, 1, 2.5, 2.6, 5, 10});
  const Transformed t = FitApply("discretize", Bins("equal_width", 4), data);
  EXPECT_THAT(t.levels, ElementsAre(ElementsAre("(-inf-2.5]", "(2.5-5]", "(5-7.5]", "(7.5-inf)")));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(0, 0, 0, 1, 1, 3)));
  EXPECT_THAT(t.types, ElementsAre(CF_CAT32));
  EXPECT_THAT(t.ordered, ElementsAre(1));
}

// numpy.quantile([1, 2, 4, 7, 11, 100], [.25, .5, .75]) = 2.5, 5.5, 10.
TEST(DiscretizeTest, EqualFrequencyCutsAtTheQuantiles) {
  const Transformed t =
      FitApply("discretize", Bins("equal_frequency", 4), NumericColumn({7, 1, 100, 2, 11, 4}));
  EXPECT_THAT(t.levels,
              ElementsAre(ElementsAre("(-inf-2.5]", "(2.5-5.5]", "(5.5-10]", "(10-inf)")));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(2, 0, 3, 0, 3, 1)));
}

TEST(DiscretizeTest, EqualCutPointsBecomeOne) {
  // All three quartiles are 0.
  EXPECT_THAT(
      FitApply("discretize", Bins("equal_frequency", 4), NumericColumn({0, 0, 0, 0, 0, 0, 0, 3}))
          .levels,
      ElementsAre(ElementsAre("(-inf-0]", "(0-inf)")));
}

TEST(DiscretizeTest, ACutPointThatNothingLiesAboveIsDropped) {
  // The quartiles are 2.25, 3 and 3, the greatest value is 3.
  EXPECT_THAT(
      FitApply("discretize", Bins("equal_frequency", 4), NumericColumn({0, 3, 3, 3})).levels,
      ElementsAre(ElementsAre("(-inf-2.25]", "(2.25-inf)")));
}

TEST(DiscretizeTest, AConstantColumnAndOneWithoutTrainingEntriesHaveOneInterval) {
  const DataPtr data = NumericColumn({5, 5, kMissing, 8});
  const ParamValues bins = Bins("equal_width", 3);
  const Transformed constant = FitApply("discretize", bins, RowsOf(data, {0, 1}), AllRows(data));
  EXPECT_THAT(constant.levels, ElementsAre(ElementsAre("all")));
  EXPECT_THAT(constant.columns, ElementsAre(ElementsAre(0, 0, IsNan(), 0)));
  EXPECT_THAT(FitApply("discretize", bins, RowsOf(data, {2}), AllRows(data)).levels,
              ElementsAre(ElementsAre("all")));
}

TEST(DiscretizeTest, LevelNamesHaveAsManyDigitsAsKeepThemApart) {
  EXPECT_THAT(FitApply("discretize", Bins("equal_width", 4), NumericColumn({1, 1.0000004})).levels,
              ElementsAre(ElementsAre("(-inf-1.0000001]", "(1.0000001-1.0000002]",
                                      "(1.0000002-1.0000003]", "(1.0000003-inf)")));
}

TEST(DiscretizeTest, NeighbouringDoublesAreSeparated) {
  const double next = std::nextafter(1.0, 2.0);
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 20; ++i) {
    x.push_back(i < 10 ? 1.0 : next);
    y.push_back(i < 10 ? 0 : 1);
  }
  const DataPtr data = Dataset::Create(
      "table", {Column::Doubles("x", x), Column::Categories("y", y, {"a", "b"})}, TargetRole("y"));
  const Transformed t = FitApply("discretize", {}, AllRows(data), RowsOf(data, {0, 19}));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(0, 1)));
}

TEST(DiscretizeTest, WeightsCountAsRepetitions) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  std::string weighted = "x,w,y\n";
  RowIds repeated;
  for (std::int64_t i = 0; i < 150; ++i) {
    const std::int64_t weight = i % 4;
    weighted += std::to_string(plugin::EntryAsDouble(iris->features()[0], i)) + ',' +
                std::to_string(weight) + ",c" + std::to_string(iris->labels()[i]) + '\n';
    for (std::int64_t k = 0; k < weight; ++k) repeated.push_back(i);
  }
  const DataPtr table = ParseTable(weighted, "y", "w");
  for (const ParamValues& values : {ParamValues{}, Bins("equal_frequency", 7)}) {
    EXPECT_EQ(FitApply("discretize", values, table).levels.at(0),
              FitApply("discretize", values, RowsOf(iris, repeated), AllRows(iris)).levels.at(0));
  }
}

TEST(DiscretizeTest, OneClassOrOneRowGivesNoCut) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,a\n3,b\n", "y");
  EXPECT_THAT(FitApply("discretize", {}, RowsOf(data, {0, 1}), AllRows(data)).levels,
              ElementsAre(ElementsAre("all")));
  EXPECT_THAT(FitApply("discretize", {}, RowsOf(data, {0}), AllRows(data)).levels,
              ElementsAre(ElementsAre("all")));
}

TEST(DiscretizeTest, MdlOnARegressionIsRefused) {
  EXPECT_EQ(TransformFailure("discretize", {}, NumericColumn({1, 2})),
            "method = mdl needs a categorical target; this one is numeric");
}

TEST(DiscretizeTest, InfiniteEntriesAreRefusedWhenFittingAndWhenApplying) {
  const DataPtr data = NumericColumn({1, 2, kInfinity});
  const ParamValues bins = Bins("equal_width", 3);
  EXPECT_EQ(TransformFailure("discretize", bins, data), "feature 'x' has an infinite entry");
  EXPECT_EQ(FitApply("discretize", bins, RowsOf(data, {0, 1}), AllRows(data)).failure,
            "feature 'x' has an infinite entry");
}

TEST(DiscretizeTest, ASavedModelDoesTheSame) {
  ExpectSurvivesSaving("discretize", {}, ReadTestData("penguins.csv", "species"));
}

}  // namespace
}  // namespace crossfold
