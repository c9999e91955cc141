// Checks of the columns that a learner gets: their names and order, their types, what is missing in
// them, and levels that the training rows lack.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/data_variants.h"
#include "check/learner_cases.h"
#include "check/probe_data.h"
#include "check/table_copy.h"

namespace crossfold::check {
namespace {

// ---- column-names -------------------------------------------------------------------------------

// Names that differ only byte by byte.
constexpr const char* kNames[] = {"x",  "X",         "x ",  " x", "x\xcc\x88", "\xc3\xa9t\xc3\xa9",
                                  "1e", "a,b \"c\"", "nan", "x1", "x01",       "y"};

// The same columns under other names, or in reverse order.
void Rename(TableCopy& table) {
  for (std::int64_t j = 0; j < table.get().n_features; ++j) {
    table.feature(j).name = kNames[static_cast<std::size_t>(j) % std::size(kNames)];
  }
}
void Reverse(TableCopy& table) {
  std::reverse(&table.feature(0), &table.feature(0) + table.get().n_features);
}

void ColumnNames(CheckContext& context) {
  for (const LearnerCase& c : MakeCases(context, /*full=*/true)) {
    TableCopy train(c.train.get()), rows(c.rows.get());
    Rename(train);
    Rename(rows);
    const std::string renamed = Difference(c.Run(train.get(), rows.get()), c.expected);
    if (!renamed.empty()) {
      context.Fail("on a " + c.name() + ", after the columns were renamed to 'x', 'X', 'x ' ... " +
                   renamed);
      continue;
    }
    if (DependsOnSeed(c)) continue;  // it draws for its columns in their order
    Reverse(train);
    Reverse(rows);
    const std::string reversed = FindLargeDifference(c.Run(train.get(), rows.get()), c.expected);
    if (reversed.empty()) continue;
    context.Warn("on a " + c.name() + ", after the columns were put into reverse order " +
                 reversed);
  }
}

// ---- dtypes -------------------------------------------------------------------------------------

// Small whole numbers that say something about the target, 0 or 1 in the first of them.
struct WholeNumbers {
  std::vector<std::vector<int>> columns;

  WholeNumbers(const LearnerCase& c, plugin::Random random) {
    for (const int most : {1, 5}) {
      std::vector<int>& column = columns.emplace_back();
      for (std::int64_t i = 0; i < c.n_rows(); ++i) {
        const auto row = static_cast<std::size_t>(i);
        const double cause = c.n_classes() > 0 ? c.data->labels()[row] : c.data->values()[row];
        const int chance = static_cast<int>(random.Below(2));
        column.push_back(std::min(most, static_cast<int>(cause * most) + chance));
      }
    }
  }
};

Predicted LearnFromType(const LearnerCase& c, const WholeNumbers& numbers, std::int32_t dtype) {
  std::vector<Column> columns;
  for (std::size_t j = 0; j < numbers.columns.size(); ++j) {
    const bool fits = j == 0 || (dtype != CF_BOOL8 && dtype != CF_CAT32);
    columns.push_back(ColumnOf(fits ? dtype : CF_F64, "n" + std::to_string(j), numbers.columns[j]));
  }
  columns.push_back(c.data->column("y"));
  const DataPtr data = Dataset::Create("probe", std::move(columns), {.target = "y"});
  return FitPredict(*c.spec, AllRows(data), AllRows(data));
}

void LearnerDtypes(CheckContext& context) {
  if ((context.component().learner->accepts & CF_ACCEPTS_NUMERIC) == 0) {
    context.Skip("it does not declare CF_ACCEPTS_NUMERIC");
  }
  const bool takes_categories =
      (context.component().learner->accepts & CF_ACCEPTS_CATEGORICAL) != 0;
  for (const LearnerCase& c : MakeCases(context, /*full=*/false)) {
    const WholeNumbers numbers(c, context.RandomOf("whole numbers"));
    const Predicted expected = LearnFromType(c, numbers, CF_F64);
    for (const auto& [dtype, name] : {std::pair{CF_F32, "float32"}, std::pair{CF_I32, "int32"},
                                      std::pair{CF_I64, "int64"}, std::pair{CF_BOOL8, "bool"}}) {
      const Predicted got = LearnFromType(c, numbers, dtype);
      const std::string difference = Difference(got, expected);
      if (difference.empty()) continue;
      // A method for categories may take a bool for one.
      if (dtype == CF_BOOL8 && takes_categories &&
          Difference(got, LearnFromType(c, numbers, CF_CAT32)).empty()) {
        continue;
      }
      context.Fail("on a " + c.name() + ", with the same numbers in a column of type " + name +
                   " instead of float64 " + difference);
    }
  }
}

// ---- missing ------------------------------------------------------------------------------------

// A column of which the training rows have no entry at all.
void LookAtEmptyColumn(CheckContext& context, const LearnerCase& c) {
  std::vector<Column> columns(c.data->columns().begin(), c.data->columns().end());
  const auto n = static_cast<std::size_t>(c.n_rows());
  columns[0] =
      columns[0].dtype == CF_CAT32
          ? Column::Categories(columns[0].name, std::vector<std::int32_t>(n, -1), columns[0].levels)
          : Column::Doubles(columns[0].name, std::vector<double>(n, std::nan("")));
  const DataPtr empty = Dataset::Rebuild(*c.data, std::move(columns), c.data->roles());
  const std::string problem =
      FindProblem(FitPredict(*c.spec, AllRows(empty), AllRows(c.data)), c.n_classes());
  if (!problem.empty()) {
    context.Fail("on a " + c.name() + ", after a fit on rows without any entry in column '" +
                 empty->columns()[0].name + "' " + problem);
  }
}

void LearnerMissing(CheckContext& context) {
  if ((context.component().learner->accepts & CF_ACCEPTS_MISSING) == 0) {
    context.Skip("it does not declare CF_ACCEPTS_MISSING: the host refuses such data");
  }
  for (const LearnerCase& usual : MakeCases(context, /*full=*/false)) {
    DataShape shape = Fuller(context.component(), usual.shape);
    shape.missing = 0.2;
    shape.weights = false;
    LearnerCase c = MakeCase(context, shape);
    if (IsRefused(c)) {  // numbers and categories together
      shape.n_categorical = usual.shape.n_categorical;
      c = MakeCase(context, shape);
    }
    const std::string problem = FindProblem(c.expected, c.n_classes());
    if (!problem.empty()) {
      context.Fail("on a " + c.name() + " " + problem);
      continue;
    }
    const CopyOptions hidden{nullptr, 0, true};
    TableCopy train(c.train.get(), hidden), rows(c.rows.get(), hidden);
    const std::string difference = Difference(c.Run(train.get(), rows.get()), c.expected);
    if (!difference.empty()) {
      context.Fail("on a " + c.name() +
                   ", with missing entries marked by the bitmap instead of NaN and code -1 " +
                   difference);
      continue;
    }
    LookAtEmptyColumn(context, c);
  }
}

// ---- unseen-category ----------------------------------------------------------------------------

void LearnerUnseenCategory(CheckContext& context) {
  if ((context.component().learner->accepts & CF_ACCEPTS_CATEGORICAL) == 0) {
    context.Skip("it does not declare CF_ACCEPTS_CATEGORICAL");
  }
  for (const LearnerCase& usual : MakeCases(context, /*full=*/false)) {
    DataShape shape = usual.shape;
    shape.n_categorical = 2;
    LearnerCase c = MakeCase(context, shape);
    if (IsRefused(c)) {
      shape.n_numeric = 0;
      c = MakeCase(context, shape);
    }
    if (IsRefused(c)) {
      shape.n_categorical = 1;
      c = MakeCase(context, shape);
    }
    if (!c.expected.reply.ok()) continue;  // the subject of fit-smoke
    // Level 3, the last one, occurs nowhere; level 0 is the first.
    for (const std::int32_t gone : {3, 0}) {
      const DataPtr train = gone == 3 ? c.data : WithLevel(*c.data, gone, 1);
      const DataPtr rows = gone == 3 ? WithLevel(*c.data, 1, 3) : c.data;
      const std::string problem =
          FindProblem(FitPredict(*c.spec, AllRows(train), AllRows(rows)), c.n_classes());
      if (problem.empty()) continue;
      context.Fail("on a " + c.name() + ", for rows with the level '" +
                   c.data->column("c0").levels[static_cast<std::size_t>(gone)] +
                   "', which no training row has, " + problem);
    }
  }
}

// ---- extreme-values -----------------------------------------------------------------------------

struct Extreme {
  std::string_view what;
  std::vector<double> entries;  // repeated over the rows
};

constexpr std::string_view kIntegers = "integers near 2^62";

std::vector<Extreme> Extremes() {
  constexpr double kDenormal = std::numeric_limits<double>::denorm_min();
  return {{"1e300 and -1e300", {1e300, -1e300, 9e299}},
          {"1e-300", {1e-300, 3e-300, -2e-300}},
          {"denormal numbers", {kDenormal, 5 * kDenormal, 0}},
          {"0 and -0", {0.0, -0.0}},
          {kIntegers, {4.6e18, 4.6e18 + 1024, -4.6e18}},
          {"1e308 and 1e-308 side by side", {1e308, 1e-308, 1, -1e308}}};
}

void LearnerExtremeValues(CheckContext& context) {
  if ((context.component().learner->accepts & CF_ACCEPTS_NUMERIC) == 0) {
    context.Skip("it does not declare CF_ACCEPTS_NUMERIC");
  }
  for (const LearnerCase& c : MakeCases(context, /*full=*/false)) {
    for (const Extreme& extreme : Extremes()) {
      std::vector<double> entries;
      for (std::size_t i = 0; i < static_cast<std::size_t>(c.n_rows()); ++i) {
        entries.push_back(extreme.entries[i * 7 % 5 % extreme.entries.size()]);
      }
      std::vector<Column> columns(c.data->columns().begin(), c.data->columns().end());
      if (columns[0].dtype != CF_F64) break;  // of a learner that refuses numbers
      columns[0] = extreme.what == kIntegers
                       ? Column::Integers("n0", {entries.begin(), entries.end()})
                       : Column::Doubles("n0", std::move(entries));
      const DataPtr data = Dataset::Rebuild(*c.data, std::move(columns), c.data->roles());
      // In training and test rows, and in test rows only.
      for (const DataPtr& train : {data, c.data}) {
        const std::string problem =
            FindProblem(FitPredict(*c.spec, AllRows(train), AllRows(data)), c.n_classes());
        if (problem.empty()) continue;
        context.Fail("on a " + c.name() + " with " + std::string(extreme.what) + " in a column" +
                     (train == data ? " " : " of the predicted rows only ") + problem);
        break;
      }
    }
  }
}

constexpr Check kColumnChecks[] = {
    {"column-names", CheckScope::kLearner, 4, true, "fit-idempotent",
     "names of columns do not matter, and their order changes little", &ColumnNames},
    {"dtypes", CheckScope::kLearner, 3, false, "fit-idempotent",
     "numbers of every type are read as the same numbers", &LearnerDtypes},
    {"missing", CheckScope::kLearner, 3, false, "fit-idempotent",
     "NaN, a null bit and code -1 are the same, and give usable predictions", &LearnerMissing},
    {"unseen-category", CheckScope::kLearner, 3, false, "fit-smoke",
     "a level that the training rows lack gives a usable prediction or a proper error",
     &LearnerUnseenCategory},
    {"extreme-values", CheckScope::kLearner, 5, true, "fit-smoke",
     "huge and tiny numbers give a usable prediction or a proper error", &LearnerExtremeValues},
};

}  // namespace

std::span<const Check> ColumnChecks() { return kColumnChecks; }

}  // namespace crossfold::check
