// Real files. Counts are those of scripts/data/README.md and its sources; sums were computed with
// Python 3.11 (csv.reader, math.fsum).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "unit/engine/data/entries.h"
#include "unit/sources/readings.h"

namespace crossfold::sources {
namespace {

using testing::Each;
using testing::ElementsAre;

std::shared_ptr<const Dataset> ReadReal(const std::string& name, CsvOptions options) {
  return ReadCsv(std::string(CROSSFOLD_TEST_DATA) + "/" + name + ".csv", options);
}

std::vector<std::int64_t> ClassSizes(const Dataset& data) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(data.num_classes()));
  for (const std::int32_t label : data.labels()) ++sizes[static_cast<std::size_t>(label)];
  return sizes;
}

std::int64_t MissingCells(const Dataset& data) {
  std::int64_t count = 0;
  for (const Column& column : data.columns()) count += column.CountMissing();
  return count;
}

double Sum(const Column& column) {
  double sum = 0;
  for (const auto& entry : Entries<double>(column)) sum += entry.value_or(0);
  return sum;
}

std::vector<std::int32_t> FeatureTypes(const Dataset& data) {
  std::vector<std::int32_t> types;
  for (const cf_column& feature : data.features()) types.push_back(feature.dtype);
  return types;
}

TEST(RealDataTest, Iris) {
  const auto data = ReadReal("iris", {.roles = {.target = "class"}});
  EXPECT_EQ(data->name(), "iris");
  EXPECT_EQ(data->num_rows(), 150);
  EXPECT_THAT(data->class_names(), ElementsAre("setosa", "versicolor", "virginica"));
  EXPECT_THAT(ClassSizes(*data), ElementsAre(50, 50, 50));
  EXPECT_THAT(FeatureTypes(*data), ElementsAre(CF_F64, CF_F64, CF_F64, CF_F64));
  EXPECT_NEAR(Sum(data->column("sepal length (cm)")), 876.5, 1e-9);
  EXPECT_NEAR(Sum(data->column("petal width (cm)")), 179.9, 1e-9);
  EXPECT_EQ(MissingCells(*data), 0);
}

TEST(RealDataTest, PenguinsHave19MissingCells) {
  const auto data = ReadReal("penguins", {.roles = {.target = "species"}});
  EXPECT_EQ(data->num_rows(), 344);
  EXPECT_THAT(data->class_names(), ElementsAre("Adelie", "Chinstrap", "Gentoo"));
  EXPECT_THAT(ClassSizes(*data), ElementsAre(152, 68, 124));
  EXPECT_THAT(FeatureTypes(*data),
              ElementsAre(CF_CAT32, CF_F64, CF_F64, CF_I64, CF_I64, CF_CAT32, CF_I64));
  EXPECT_EQ(MissingCells(*data), 19);
  EXPECT_EQ(data->column("sex").CountMissing(), 11);
  EXPECT_THAT(data->column("sex").levels, ElementsAre("female", "male"));
  EXPECT_TRUE(data->column("body_mass_g").is_missing(3));
  EXPECT_NEAR(Sum(data->column("bill_length_mm")), 15021.3, 1e-9);
}

TEST(RealDataTest, HouseVotesHave392MissingCells) {
  const auto data = ReadReal("house_votes_84", {.roles = {.target = "Class"}});
  EXPECT_EQ(data->num_rows(), 435);
  EXPECT_THAT(data->class_names(), ElementsAre("democrat", "republican"));
  EXPECT_THAT(ClassSizes(*data), ElementsAre(267, 168));
  EXPECT_EQ(MissingCells(*data), 392);
  EXPECT_EQ(data->num_features(), 16);
  EXPECT_THAT(FeatureTypes(*data), Each(CF_CAT32));
  for (const cf_column& vote : data->features()) {
    EXPECT_THAT(std::vector<std::string>(vote.levels, vote.levels + vote.n_levels),
                ElementsAre("n", "y"));
  }
}

TEST(RealDataTest, Wine) {
  const auto data = ReadReal("wine", {.roles = {.target = "class"}});
  EXPECT_EQ(data->num_rows(), 178);
  EXPECT_EQ(data->num_features(), 13);
  EXPECT_THAT(ClassSizes(*data), ElementsAre(59, 71, 48));
}

TEST(RealDataTest, DigitsHaveTheirClassesByValue) {
  const auto data = ReadReal(
      "digits", {.roles = {.target = "class"}, .types = {{"class", ColumnType::kCategorical}}});
  EXPECT_EQ(data->num_rows(), 1797);
  EXPECT_EQ(data->num_features(), 64);
  EXPECT_THAT(FeatureTypes(*data), Each(CF_I64));
  EXPECT_THAT(data->class_names(), ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"));
  EXPECT_THAT(ClassSizes(*data), ElementsAre(178, 182, 177, 183, 181, 182, 181, 179, 174, 180));
}

TEST(RealDataTest, DiabetesIsARegression) {
  const auto data = ReadReal("diabetes_regr", {.roles = {.target = "target"}});
  EXPECT_EQ(data->num_rows(), 442);
  EXPECT_EQ(data->task(), Task::kRegression);
  EXPECT_EQ(std::accumulate(data->values().begin(), data->values().end(), 0.0), 67243);
}

TEST(RealDataTest, Weather) {
  for (const char* name : {"weather_nominal", "weather_numeric"}) {
    const auto data = ReadReal(name, {.roles = {.target = "play"}});
    EXPECT_EQ(data->num_rows(), 14);
    EXPECT_THAT(data->class_names(), ElementsAre("no", "yes"));
    EXPECT_THAT(ClassSizes(*data), ElementsAre(5, 9));
    EXPECT_THAT(data->column("outlook").levels, ElementsAre("overcast", "rainy", "sunny"));
    EXPECT_EQ(data->column("windy").dtype, CF_BOOL8);
  }
}

}  // namespace
}  // namespace crossfold::sources
