#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plugins/transform_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;
using ::testing::IsNan;

TEST(OrdinalTest, LevelsBecomeTheirNumbersInTheOrderOfTheDataset) {
  const DataPtr data =
      Dataset::Create("table",
                      {Column::Categories("size", {2, 0, -1, 1}, {"small", "medium", "large"}),
                       Column::Doubles("y", {0, 0, 0, 0})},
                      TargetRole("y"));
  const Transformed t = FitApply("ordinal", {}, data);
  EXPECT_THAT(t.names, ElementsAre("size"));
  EXPECT_THAT(t.types, ElementsAre(CF_F64));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(2, 0, IsNan(), 1)));
}

TEST(OrdinalTest, ALevelHasTheSameNumberWhateverTheTrainingRows) {
  const DataPtr data = ParseTable("c,y\nb,0\na,0\nc,0\n", "y");
  EXPECT_THAT(FitApply("ordinal", {}, RowsOf(data, {2}), AllRows(data)).columns,
              ElementsAre(ElementsAre(1, 0, 2)));
}

TEST(OrdinalTest, NumericColumnsPass) {
  const DataPtr data =
      Dataset::Create("table",
                      {Column::Integers("n", {10, 20}), Column::Booleans("b", {true, false}),
                       Column::Doubles("y", {0, 0})},
                      TargetRole("y"));
  const Transformed t = FitApply("ordinal", {}, data);
  EXPECT_THAT(t.types, ElementsAre(CF_I64, CF_BOOL8));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(10, 20), ElementsAre(1, 0)));
}

TEST(OrdinalTest, ASavedModelDoesTheSame) {
  ExpectSurvivesSaving("ordinal", {}, ReadTestData("weather_nominal.csv", "play"));
}

}  // namespace
}  // namespace crossfold
