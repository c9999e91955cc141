// ARFF files and the CSV files that hold the same data: read with the declarations of the ARFF
// file, the CSV file gives the same content.
#include <gtest/gtest.h>

#include <string>

#include "unit/sources/readings.h"

namespace crossfold::sources {
namespace {

class ArffTwinsTest : public testing::TestWithParam<const char*> {};

TEST_P(ArffTwinsTest, HoldTheSameData) {
  const std::string stem = std::string(CROSSFOLD_TEST_DATA) + "/" + GetParam();
  const auto arff = ReadArff(stem + ".arff", {});
  CsvOptions options;
  for (const Column& column : arff->columns()) {
    options.like.push_back({.name = column.name, .dtype = column.dtype, .levels = column.levels});
  }
  const auto csv = ReadCsv(stem + ".csv", options);
  EXPECT_EQ(csv->num_rows(), arff->num_rows());
  EXPECT_EQ(csv->content_hash(), arff->content_hash());
}

INSTANTIATE_TEST_SUITE_P(Files, ArffTwinsTest,
                         testing::Values("penguins", "weather_nominal", "weather_numeric"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace crossfold::sources
