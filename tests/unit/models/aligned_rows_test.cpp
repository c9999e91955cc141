// Predicting rows whose columns are not exactly those of the training data.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/run.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::ExpectError;
using fixture::Learner;
using fixture::Some;
using ::testing::ElementsAre;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// fixture.recorder predicts the sum of the features, codes for categories, 100 for missing ones.
std::shared_ptr<const FittedModel> FitSum(std::vector<Column> features,
                                          const std::string& learner = "recorder",
                                          const ParamValues& values = {}) {
  const auto n = static_cast<std::size_t>(features.front().n_rows);
  features.push_back(Column::Doubles("y", std::vector<double>(n, 1)));
  return FittedModel::Fit(
      Learner(learner, values),
      All(Dataset::Create("old", std::move(features), fixture::WithTarget("y"))), 7, RunOptions());
}

std::vector<double> Predicted(const FittedModel& model, std::vector<Column> columns,
                              const Roles& roles = {}, const RunOptions& options = {}) {
  return model.Predict(All(Dataset::Create("new", std::move(columns), roles)), options).values;
}

void ExpectRowsRefused(const FittedModel& model, std::vector<Column> columns,
                       const std::string& finding, const Roles& roles = {}) {
  ExpectError(
      ErrorKind::kInvalidArgument,
      "cannot predict with '" + model.learner().ToString() + "' on dataset 'new': " + finding,
      [&] { Predicted(model, std::move(columns), roles); });
}

TEST(AlignedRowsTest, ColumnsAreFoundByNameAndOthersIgnored) {
  const auto model = FitSum({Column::Doubles("a", {1, 2}), Column::Doubles("b", {1, 2})}, "probe",
                            {{"mode", "feature"}});
  EXPECT_THAT(Predicted(*model, {Column::Doubles("c", {50, 60}), Column::Doubles("b", {3, 4}),
                                 Column::Doubles("a", {7, 8})}),
              ElementsAre(7, 8));
}

TEST(AlignedRowsTest, TheRowsOfAViewKeepTheirIds) {
  const auto model = FitSum({Column::Doubles("a", {1, 2})});
  const auto data = Dataset::Create(
      "new", {Column::Integers("a", {10, 20, 30}), Column::Doubles("z", {0, 0, 0})}, Roles());
  const Prediction p = model->Predict(Some(data, {2, 0}), RunOptions());
  EXPECT_THAT(p.rows, ElementsAre(2, 0));
  EXPECT_THAT(p.values, ElementsAre(30, 10));
}

TEST(AlignedRowsTest, LevelsAreMatchedByName) {
  const auto model = FitSum({Column::Categories("c", {0, 1, 2}, {"p", "q", "r"})});
  EXPECT_THAT(Predicted(*model, {Column::Categories("c", {0, 1, -1}, {"r", "p"})}),
              ElementsAre(2, 0, 100));
  // A level that no row has needs no match.
  EXPECT_THAT(Predicted(*model, {Column::Categories("c", {1}, {"x", "q"})}), ElementsAre(1));
}

TEST(AlignedRowsTest, AnUndeclaredLevelIsMissingAndTheLogIsTold) {
  const auto model = FitSum({Column::Categories("c", {0, 1}, {"p", "q"})});
  std::vector<std::string> lines;
  RunOptions options;
  options.log = [&](std::int32_t level, const std::string& line) {
    EXPECT_EQ(level, CF_LOG_WARN);
    lines.push_back(line);
  };
  EXPECT_THAT(Predicted(*model, {Column::Categories("c", {0, 1, 0}, {"x", "q"})}, Roles(), options),
              ElementsAre(100, 1, 100));
  EXPECT_THAT(lines, ElementsAre("dataset 'new': feature 'c' has level 'x' (2 rows), which the "
                                 "training data did not declare; it counts as missing"));
}

TEST(AlignedRowsTest, AnUndeclaredLevelIsRefusedWhereMissingIsNotAccepted) {
  const auto model = FitSum({Column::Categories("c", {0, 1}, {"p", "q"})}, "probe");
  ExpectRowsRefused(
      *model, {Column::Categories("c", {0, 1}, {"x", "q"})},
      "feature 'c' has level 'x' (1 row), which the training data did not declare; leave "
      "such rows out, or fit the model on data that declares the level");
}

TEST(AlignedRowsTest, NumbersAreConvertedWhereThatIsExact) {
  const auto model = FitSum({Column::Doubles("x", {1, 2})});
  EXPECT_THAT(Predicted(*model, {Column::Integers("x", {3, 4}, {true, false})}),
              ElementsAre(3, 100));
  EXPECT_THAT(Predicted(*model, {Column::Floats("x", {0.5F, 4})}), ElementsAre(0.5, 4));
  EXPECT_THAT(Predicted(*model, {Column::Booleans("x", {true, false})}), ElementsAre(1, 0));
  const auto integers = FitSum({Column::Integers("x", {1, 2})});
  EXPECT_THAT(Predicted(*integers, {Column::Doubles("x", {3, kNaN})}), ElementsAre(3, 100));
  const auto narrow = FitSum({Column::Integers32("x", {1, 2})});
  EXPECT_THAT(Predicted(*narrow, {Column::Integers("x", {-2147483648, 2})}),
              ElementsAre(-2147483648.0, 2));
  const auto flags = FitSum({Column::Booleans("x", {true, false})});
  EXPECT_THAT(Predicted(*flags, {Column::Integers("x", {0, 1})}), ElementsAre(0, 1));
}

TEST(AlignedRowsTest, ANumberThatWouldChangeIsRefusedWithItsRow) {
  const auto refused = [](Column trained, Column given, const std::string& is,
                          const std::string& wanted, const std::string& entry) {
    ExpectRowsRefused(
        *FitSum({std::move(trained)}), {std::move(given)},
        "feature 'x' is " + is + " instead of " + wanted + ", and " + entry +
            " cannot be converted exactly; fit the model on data read with types = { x = "
            "\"f64\" }");
  };
  refused(Column::Integers("x", {1}), Column::Doubles("x", {1, 2.5}), "a 64-bit float",
          "a 64-bit integer", "2.5 in row 2");
  refused(Column::Integers("x", {1}), Column::Doubles("x", {9223372036854775808.0}),
          "a 64-bit float", "a 64-bit integer", "9223372036854775808 in row 1");
  refused(Column::Integers32("x", {1}), Column::Integers("x", {2147483648}), "a 64-bit integer",
          "a 32-bit integer", "2147483648 in row 1");
  refused(Column::Doubles("x", {1}), Column::Integers("x", {9007199254740993}), "a 64-bit integer",
          "a 64-bit float", "9007199254740993 in row 1");
  refused(Column::Doubles("x", {1}), Column::Integers("x", {9223372036854775807}),
          "a 64-bit integer", "a 64-bit float", "9223372036854775807 in row 1");
  refused(Column::Floats("x", {1}), Column::Doubles("x", {0.1}), "a 64-bit float", "a 32-bit float",
          "0.1 in row 1");
  refused(Column::Booleans("x", {true}), Column::Integers("x", {2}), "a 64-bit integer", "a bool",
          "2 in row 1");
}

TEST(AlignedRowsTest, CategoriesAndNumbersDoNotMix) {
  ExpectRowsRefused(
      *FitSum({Column::Categories("c", {0, 1}, {"1", "2"})}), {Column::Integers("c", {1, 2})},
      "feature 'c' is a 64-bit integer instead of categorical; read it with types = { c "
      "= \"categorical\" }, or the file with like = the model");
  ExpectRowsRefused(*FitSum({Column::Doubles("x", {1})}), {Column::Categories("x", {0}, {"1"})},
                    "feature 'x' is categorical instead of a 64-bit float; give it numbers");
}

TEST(AlignedRowsTest, AMissingColumnIsRefusedWithTheNearestName) {
  const auto model = FitSum({Column::Doubles("age", {1}), Column::Doubles("height", {1})});
  ExpectRowsRefused(*model, {Column::Doubles("age", {1}), Column::Doubles("heigth", {1})},
                    "it has no feature 'height', which the model was trained on; did you mean "
                    "'heigth'? known: age, heigth");
  ExpectRowsRefused(*model, {Column::Doubles("age", {1}), Column::Doubles("height", {1})},
                    "column 'height' has a role there (target, weights, groups, time or folds) and "
                    "is not a feature; read the data without that role",
                    fixture::WithTarget("height"));
}

TEST(AlignedRowsTest, AModelWithoutFeaturesPredictsAnyData) {
  const auto model =
      FittedModel::Fit(Learner("coin"),
                       All(Dataset::Create("old", {Column::Categories("class", {0, 1}, {"a", "b"})},
                                           fixture::WithTarget("class"))),
                       7, RunOptions());
  const auto data = Dataset::Create("new", {Column::Doubles("x", {1, 2, 3})}, Roles());
  EXPECT_EQ(model->Predict(All(data), RunOptions()).labels.size(), 3u);
}

}  // namespace
}  // namespace crossfold
