#include "crossfold/cost_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "crossfold/error.h"
#include "temporary_folder.h"
#include "unit/plugins/bundled_plugins.h"

namespace crossfold {
namespace {

using testing::ElementsAre;

class CostTableTest : public testing::Test {
 protected:
  std::string Write(const std::string& text) const {
    const std::string path = scratch_.path() / "costs.csv";
    std::ofstream(path) << text;
    return path;
  }
  std::string ErrorOf(const std::string& text, const Dataset& data) const {
    const std::string path = Write(text);
    try {
      ToCostMatrix(ReadCostTable(path, BundledPlugins()), data);
    } catch (const Error& error) {
      std::string message = error.what();
      return message.replace(message.find(path), path.size(), "costs.csv");
    }
    return "";
  }

  const std::shared_ptr<const Dataset> data_ = Dataset::Create(
      "loans", {Column::Categories("class", {0, 1, 0}, {"bad", "good"})}, {.target = "class"});
  const test::TemporaryFolder scratch_;
};

TEST_F(CostTableTest, ClassesAreMatchedByNameInAnyOrder) {
  const CostMatrix matrix = ToCostMatrix(
      ReadCostTable(Write("truth,good,bad\ngood,0,1\nbad,5,0\n"), BundledPlugins()), *data_);
  EXPECT_EQ(matrix.n_rows, 2);
  EXPECT_EQ(matrix.n_columns, 2);
  EXPECT_THAT(matrix.costs, ElementsAre(0, 5, 1, 0));
}

TEST_F(CostTableTest, ClassNamesMayLookLikeNumbers) {
  const auto digits = Dataset::Create("digits", {Column::Categories("class", {0, 1}, {"0", "1"})},
                                      {.target = "class"});
  const CostMatrix matrix =
      ToCostMatrix(ReadCostTable(Write("truth,1,0\n1,0,2.5\n0,1,0\n"), BundledPlugins()), *digits);
  EXPECT_THAT(matrix.costs, ElementsAre(0, 1, 2.5, 0));
}

TEST_F(CostTableTest, EveryProblemOfTheClassesIsTold) {
  EXPECT_EQ(ErrorOf("truth,good,bda\ngood,0,1\ngood,5,0\n", *data_),
            "cannot use costs 'costs.csv' on dataset 'loans': 4 problems: (1) there is no row for "
            "class 'bad'; (2) there are several rows for class 'good'; (3) there is no column for "
            "class 'bad'; (4) column 'bda' is not a class; did you mean 'bad'? known: bad, good");
}

TEST_F(CostTableTest, EveryEntryHasToBeAFiniteNumber) {
  EXPECT_EQ(ErrorOf("truth,bad,good\nbad,0,x\n?,1,0\n", *data_),
            "cannot read costs 'costs.csv': 2 problems: (1) line 3 names no class; (2) column "
            "'good' has no numbers");
  EXPECT_EQ(ErrorOf("truth,bad,good\nbad,0,?\ngood,,0\n", *data_),
            "cannot read costs 'costs.csv': 2 problems: (1) line 3, column 'bad' has no finite "
            "number; (2) line 2, column 'good' has no finite number");
  EXPECT_EQ(ErrorOf("truth\nbad\n", *data_),
            "cannot read costs 'costs.csv': it has one column; costs need one per class");
}

TEST_F(CostTableTest, NumbersHaveNoCostsByClass) {
  const auto heights =
      Dataset::Create("heights", {Column::Doubles("cm", {170, 180})}, {.target = "cm"});
  EXPECT_EQ(ErrorOf("truth,bad\nbad,0\n", *heights),
            "cannot use costs 'costs.csv' on dataset 'heights': its target is not categorical");
}

}  // namespace
}  // namespace crossfold
