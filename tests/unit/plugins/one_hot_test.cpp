#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plugins/transform_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;
using ::testing::IsNan;

// colour has three levels, size two; row 3 has no colour.
DataPtr Shirts() {
  return ParseTable(
      "colour,price,size,y\nred,1,small,0\nblue,2,large,0\ngreen,3,large,0\n"
      "?,4,small,0\n",
      "y");
}

TEST(OneHotTest, EveryLevelBecomesAColumnAtThePlaceOfItsCategory) {
  const Transformed t = FitApply("one_hot", {}, Shirts());
  EXPECT_THAT(t.names, ElementsAre("colour=blue", "colour=green", "colour=red", "price",
                                   "size=large", "size=small"));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(0, 1, 0, 0), ElementsAre(0, 0, 1, 0),
                                     ElementsAre(1, 0, 0, 0), ElementsAre(1, 2, 3, 4),
                                     ElementsAre(0, 1, 1, 0), ElementsAre(1, 0, 0, 1)));
}

// The names are those of OneHotEncoder(drop="first").fit(X).get_feature_names_out() of
// scikit-learn 1.2.1 on the first three rows, up to the sign between column and level.
TEST(OneHotTest, TheFirstLevelCanBeDropped) {
  EXPECT_THAT(FitApply("one_hot", {{"drop", "first"}}, Shirts()).names,
              ElementsAre("colour=green", "colour=red", "price", "size=small"));
}

// OneHotEncoder(drop="if_binary").
TEST(OneHotTest, OrOnlyWhereThereAreTwo) {
  EXPECT_THAT(FitApply("one_hot", {{"drop", "binary"}}, Shirts()).names,
              ElementsAre("colour=blue", "colour=green", "colour=red", "price", "size=small"));
}

TEST(OneHotTest, MissingEntriesCanHaveAColumn) {
  const Transformed t = FitApply("one_hot", {{"missing", "column"}}, Shirts());
  EXPECT_THAT(t.names, ElementsAre("colour=blue", "colour=green", "colour=red", "colour=?", "price",
                                   "size=large", "size=small", "size=?"));
  EXPECT_THAT(t.column("colour=?"), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(t.column("size=?"), ElementsAre(0, 0, 0, 0));
}

TEST(OneHotTest, AllLevelsOfTheDatasetHaveColumnsWhateverTheTrainingRows) {
  const DataPtr data = Shirts();
  const Transformed t = FitApply("one_hot", {}, RowsOf(data, {0, 1}), RowsOf(data, {2}));
  EXPECT_THAT(t.column("colour=green"), ElementsAre(1));
  EXPECT_EQ(t.names.size(), 6u);
}

TEST(OneHotTest, OrOnlyThoseThatTrainingRowsHave) {
  const DataPtr data = Shirts();
  const DataView train = RowsOf(data, {0, 1}), rows = RowsOf(data, {2, 0});
  const Transformed t = FitApply("one_hot", {{"levels", "seen"}}, train, rows);
  EXPECT_THAT(t.names,
              ElementsAre("colour=blue", "colour=red", "price", "size=large", "size=small"));
  EXPECT_THAT(t.column("colour=blue"), ElementsAre(0, 0));
  EXPECT_THAT(t.column("colour=red"), ElementsAre(0, 1));
  // Two levels are left of three, so colour counts as binary.
  EXPECT_THAT(FitApply("one_hot", {{"levels", "seen"}, {"drop", "binary"}}, train, rows).names,
              ElementsAre("colour=red", "price", "size=small"));
}

TEST(OneHotTest, AnUnseenLevelCanBeAnError) {
  const DataPtr data = Shirts();
  const ParamValues strict = {{"levels", "seen"}, {"unseen", "error"}};
  const DataView train = RowsOf(data, {0, 1});
  EXPECT_EQ(FitApply("one_hot", strict, train, RowsOf(data, {1, 2})).failure,
            "feature 'colour' has the level 'green', which no training row has");
  EXPECT_EQ(FitApply("one_hot", strict, train, RowsOf(data, {1, 3})).failure, "");
}

TEST(OneHotTest, ALevelOnlyInRowsOfWeightZeroIsUnseen) {
  const DataPtr data = ParseTable("c,w,y\na,1,0\nb,0,0\n", "y", "w");
  EXPECT_THAT(FitApply("one_hot", {{"levels", "seen"}}, data).names, ElementsAre("c=a"));
}

TEST(OneHotTest, NumericColumnsKeepTheirType) {
  const DataPtr data =
      Dataset::Create("table",
                      {Column::Integers("n", {10, 20}), Column::Booleans("b", {true, false}),
                       Column::Doubles("y", {0, 0})},
                      TargetRole("y"));
  EXPECT_THAT(FitApply("one_hot", {}, data).types, ElementsAre(CF_I64, CF_BOOL8));
}

TEST(OneHotTest, ANameThatIsTakenIsRefused) {
  const DataPtr data = ParseTable("c,c=a,y\na,1,0\nb,2,0\n", "y");
  EXPECT_EQ(TransformFailure("one_hot", {}, data), "it made column 'c=a' twice");
}

TEST(OneHotTest, ASavedModelDoesTheSame) {
  ExpectSurvivesSaving("one_hot", {{"levels", "seen"}, {"drop", "first"}}, Shirts());
}

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
