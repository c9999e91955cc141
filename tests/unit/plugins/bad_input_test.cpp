// Every bundled learner, with its defaults, on data that it may not be able to take: it either
// predicts something valid or refuses with a reason. (The host checks that predictions are finite,
// class indices known and probabilities sum to 1; its complaint begins with "predicted".)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "unit/plugins/bundled_plugins.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class EveryLearner : public ::testing::TestWithParam<std::string> {
 protected:
  std::uint32_t tasks() const {
    return BundledPlugins().Find(Kind::kLearner, GetParam())->learner->tasks;
  }
  std::uint32_t accepts() const {
    return BundledPlugins().Find(Kind::kLearner, GetParam())->learner->accepts;
  }

  // What comes of learning from `train`, for a class and for a number as the target; "" = valid
  // predictions for `test`.
  std::vector<std::string> Failures(const std::vector<Column>& features, const RowIds& train,
                                    const RowIds& test, std::vector<double> weights = {}) const {
    const auto n = static_cast<std::size_t>(features.front().n_rows);
    std::vector<std::int32_t> classes;
    std::vector<double> numbers;
    for (std::size_t i = 0; i < n; ++i) {
      classes.push_back(static_cast<std::int32_t>(i % 2));
      numbers.push_back(0.5 * static_cast<double>(i));
    }
    std::vector<Column> targets;
    if ((tasks() & CF_TASK_BINARY) != 0) {
      targets.push_back(Column::Categories("target", classes, {"no", "yes"}));
    }
    if ((tasks() & CF_TASK_REGRESSION) != 0) targets.push_back(Column::Doubles("target", numbers));
    std::vector<std::string> failures;
    for (const Column& target : targets) {
      std::vector<Column> columns = features;
      columns.push_back(target);
      Roles roles{.target = "target"};
      if (!weights.empty()) {
        columns.push_back(Column::Doubles("weight", weights));
        roles.weights = "weight";
      }
      const DataPtr data = Dataset::Create("table", columns, roles);
      failures.push_back(FailureOf(GetParam(), {}, RowsOf(data, train), RowsOf(data, test)));
    }
    return failures;
  }

  // `text` is in every failure. A learner of categories alone names the first numeric feature.
  static void ExpectIn(const std::vector<std::string>& failures, const std::string& text) {
    for (const std::string& failure : failures) {
      EXPECT_THAT(failure, AnyOf(HasSubstr(text), HasSubstr("feature 'length' is numeric")));
    }
  }
  static void ExpectTakenOrIn(std::vector<std::string> failures, const std::string& text) {
    std::erase(failures, "");
    ExpectIn(failures, text);
  }

  // Valid predictions or a reason that does not come from the host's check of predictions.
  static void ExpectValidOrRefused(const std::vector<std::string>& failures) {
    for (const std::string& failure : failures) {
      EXPECT_THAT(failure, AnyOf(IsEmpty(), StartsWith("cannot ")));
      EXPECT_THAT(failure, Not(HasSubstr(": predicted ")));
    }
  }
};

std::vector<Column> TwoColumns() {
  return {Column::Doubles("length", {1, 2, 3.5, 4, 5, 7, 8, 9}),
          Column::Doubles("width", {3, 1, 4, 1, 5, 9, 2, 6})};
}
RowIds AllEight() { return RowRange(0, 8); }

TEST_P(EveryLearner, OneTrainingRow) {
  ExpectValidOrRefused(Failures(TwoColumns(), {3}, AllEight()));
}

TEST_P(EveryLearner, OneClassInTheTrainingRows) {
  ExpectValidOrRefused(Failures(TwoColumns(), {0, 2, 4, 6}, AllEight()));
}

TEST_P(EveryLearner, ADatasetOfOneClass) {
  if ((tasks() & CF_TASK_BINARY) == 0) return;
  const DataPtr data =
      Dataset::Create("table",
                      {Column::Categories("colour", {0, 1, 0, 1, 0, 1, 0, 1}, {"red", "green"}),
                       Column::Categories("target", std::vector<std::int32_t>(8, 0), {"only"})},
                      {.target = "target"});
  const DataPtr numbers = Dataset::Create(
      "table",
      {TwoColumns()[0], Column::Categories("target", std::vector<std::int32_t>(8, 0), {"only"})},
      {.target = "target"});
  for (const DataPtr& one : {data, numbers}) {
    ExpectValidOrRefused({FailureOf(GetParam(), {}, AllRows(one), AllRows(one))});
  }
}

TEST_P(EveryLearner, AConstantColumn) {
  std::vector<Column> columns = TwoColumns();
  columns.push_back(Column::Doubles("constant", std::vector<double>(8, 4.25)));
  ExpectValidOrRefused(Failures(columns, AllEight(), AllEight()));
}

TEST_P(EveryLearner, ConstantColumnsOnly) {
  ExpectValidOrRefused(Failures({Column::Doubles("constant", std::vector<double>(8, 4.25))},
                                AllEight(), AllEight()));
}

TEST_P(EveryLearner, MoreColumnsThanRows) {
  std::vector<Column> columns;
  for (int j = 0; j < 12; ++j) {
    std::vector<double> entries;
    for (int i = 0; i < 8; ++i) entries.push_back((i * (j + 3)) % 7);
    columns.push_back(Column::Doubles("x" + std::to_string(j), entries));
  }
  ExpectValidOrRefused(Failures(columns, {0, 1, 2, 3, 4}, AllEight()));
}

TEST_P(EveryLearner, AMissingEntryIsTakenOrRefusedWithItsFeature) {
  std::vector<Column> columns = TwoColumns();
  columns.push_back(Column::Doubles("gaps", {1, kMissing, 3, 4, kMissing, 6, 7, 8}));
  ExpectTakenOrIn(Failures(columns, AllEight(), AllEight()), "'gaps'");
}

TEST_P(EveryLearner, AColumnWithoutAnyEntry) {
  std::vector<Column> columns = TwoColumns();
  columns.push_back(Column::Doubles("empty", std::vector<double>(8, kMissing)));
  ExpectTakenOrIn(Failures(columns, AllEight(), AllEight()), "'empty'");
}

TEST_P(EveryLearner, AnInfiniteEntryIsTakenOrRefusedWithItsFeature) {
  std::vector<Column> columns = TwoColumns();
  columns.push_back(Column::Doubles("endless", {1, 2, 3, 4, 5, 6, 7, kInfinity}));
  ExpectTakenOrIn(Failures(columns, AllEight(), AllEight()), "'endless'");
  // Only a row to predict has it; the training rows may be refused for another reason.
  std::vector<std::string> failures = Failures(columns, RowRange(0, 7), AllEight());
  std::erase_if(failures, [](const std::string& failure) {
    return failure.compare(0, 11, "cannot fit ") == 0;
  });
  ExpectTakenOrIn(failures, "'endless'");
}

TEST_P(EveryLearner, CategoriesAreTakenOrRefusedWithTheirFeature) {
  std::vector<Column> columns = TwoColumns();
  columns.push_back(
      Column::Categories("colour", {0, 1, 2, 0, 1, 2, 0, 1}, {"red", "green", "blue"}));
  const std::vector<std::string> failures = Failures(columns, AllEight(), AllEight());
  ExpectTakenOrIn(failures, "'colour'");
  if ((accepts() & CF_ACCEPTS_CATEGORICAL) == 0) ExpectIn(failures, "categorical");
}

TEST_P(EveryLearner, CategoriesOnly) {
  ExpectValidOrRefused(Failures(
      {Column::Categories("colour", {0, 1, 2, 0, 1, 2, 0, 1}, {"red", "green", "blue", "never"}),
       Column::Categories("shape", {0, 0, 1, 1, 0, 0, 1, 1}, {"round", "square"})},
      AllEight(), AllEight()));
}

// Level "blue" has no training row.
TEST_P(EveryLearner, ALevelThatTheTrainingRowsLack) {
  ExpectValidOrRefused(
      Failures({Column::Categories("colour", {0, 1, 0, 1, 0, 1, 2, 2}, {"red", "green", "blue"})},
               {0, 1, 2, 3, 4, 5}, {5, 6, 7}));
}

TEST_P(EveryLearner, AllWeightsZero) {
  if ((accepts() & CF_ACCEPTS_WEIGHTS) == 0) {
    for (const std::string& failure :
         Failures(TwoColumns(), AllEight(), AllEight(), std::vector<double>(8, 1.0))) {
      EXPECT_THAT(failure, HasSubstr("it does not accept row weights (column 'weight')"));
    }
    return;
  }
  ExpectIn(Failures(TwoColumns(), AllEight(), AllEight(), std::vector<double>(8, 0.0)), "weight");
}

TEST_P(EveryLearner, HugeAndTinyNumbers) {
  for (const double scale : {1e300, 1e-300}) {
    std::vector<double> entries;
    for (int i = 0; i < 8; ++i) entries.push_back(scale * (i % 5 - 2));
    ExpectValidOrRefused(Failures({Column::Doubles("scaled", entries)}, AllEight(), AllEight()));
  }
}

INSTANTIATE_TEST_SUITE_P(Bundled, EveryLearner, ::testing::ValuesIn(BundledLearnerIds()), IdOfTest);

}  // namespace
}  // namespace crossfold
