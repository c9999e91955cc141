// Checks of very little training data: few rows, constant columns, none at all.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/learner_cases.h"
#include "check/probe_data.h"
#include "check/table_copy.h"

namespace crossfold::check {
namespace {

// ---- degenerate ---------------------------------------------------------------------------------

struct Degenerate {
  std::string what;
  DataPtr train;
  RowIds rows;  // of it
  DataPtr test;
};

// `column` with its first entry everywhere.
Column Constant(const Column& column) {
  const auto n = static_cast<std::size_t>(column.n_rows);
  if (column.dtype == CF_CAT32) {
    const auto* codes = static_cast<const std::int32_t*>(column.data);
    return Column::Categories(column.name, std::vector<std::int32_t>(n, codes[0]), column.levels);
  }
  const auto* numbers = static_cast<const double*>(column.data);
  return Column::Doubles(column.name, std::vector<double>(n, numbers[0]));
}

// The data with the first `count` features made constant.
DataPtr WithConstants(const DataPtr& data, std::int64_t count) {
  std::vector<Column> columns(data->columns().begin(), data->columns().end());
  for (std::int64_t j = 0; j < count; ++j) {
    Column& column = columns[static_cast<std::size_t>(j)];
    column = Constant(column);
  }
  return Dataset::Rebuild(*data, std::move(columns), data->roles());
}

DataPtr WithEqualFeatures(const DataPtr& data) {
  std::vector<Column> columns(data->columns().begin(), data->columns().end());
  const std::string name = columns[1].name;
  columns[1] = columns[0];
  columns[1].name = name;
  return Dataset::Rebuild(*data, std::move(columns), data->roles());
}

DataPtr WithConstantTarget(const DataPtr& data) {
  std::vector<Column> columns(data->columns().begin(), data->columns().end());
  for (Column& column : columns) {
    if (column.name == "y") column = Constant(column);
  }
  return Dataset::Rebuild(*data, std::move(columns), data->roles());
}

std::vector<Degenerate> MakeDegenerate(const LearnerCase& c, std::uint64_t seed) {
  const auto made = [&](std::int64_t n_rows, std::int64_t n_features) {
    DataShape shape = c.shape;
    shape.n_rows = n_rows;
    (shape.n_numeric > 0 ? shape.n_numeric : shape.n_categorical) = n_features;
    return MakeData(shape, seed);
  };
  const RowIds all = RowRange(0, c.n_rows());
  const DataPtr one = made(40, 1), wide = made(8, 20);
  std::vector<Degenerate> cases = {
      {"one row", c.data, {0}, c.data},
      {"two rows", c.data, {0, 1}, c.data},
      {"40 times the same row", c.data, RowIds(40, 1), c.data},
      {"six rows, each twice", c.data, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}, c.data},
      {"one feature", one, RowRange(0, 40), one},
      {"a constant feature", WithConstants(c.data, 1), all, c.data},
      {"constant features only", WithConstants(c.data, c.data->num_features()), all, c.data},
      {"8 rows of 20 features", wide, RowRange(0, 8), wide},
  };
  if (c.data->num_features() > 1) {
    const DataPtr equal = WithEqualFeatures(c.data);
    cases.push_back({"two equal features", equal, all, equal});
  }
  if (c.n_classes() == 0) {
    cases.push_back({"a constant target", WithConstantTarget(c.data), all, c.data});
  }
  return cases;
}

void LearnerDegenerate(CheckContext& context) {
  for (const LearnerCase& c : MakeCases(context, /*full=*/false)) {
    for (const Degenerate& data : MakeDegenerate(c, context.SeedOf("few"))) {
      const RowTable table = RowTable::ForTraining(*data.train, nullptr);
      TableCopy train(table.get(), {.positions = &data.rows});
      const std::string problem = FindProblem(
          c.Run(train.get(), RowTable::ForPrediction(*data.test, nullptr).get()), c.n_classes());
      if (!problem.empty()) {
        context.Fail("on a " + c.name() + ", after a fit on " + data.what + ", " + problem);
      }
    }
  }
}

// ---- zero-rows ----------------------------------------------------------------------------------

// What was wrong with predicting no rows; "" = nothing.
std::string PredictNothing(const LearnerCase& c, const Made& made, const cf_table& none,
                           bool probabilities_too) {
  constexpr double kMark = 42;
  std::int32_t label = 7;
  double value = kMark;
  std::vector<double> probabilities(static_cast<std::size_t>(c.n_classes()) + 1, kMark);
  cf_prediction out{};
  out.struct_size = sizeof(cf_prediction);
  out.n_classes = c.n_classes();
  if (c.n_classes() > 0) {
    out.labels = &label;
  } else {
    out.values = &value;
  }
  auto predict = c.spec->component().learner->predict;
  if (probabilities_too) {
    predict = c.spec->component().capability<cf_cap_proba>(CF_CAP_PROBA)->predict_proba;
    out.probabilities = probabilities.data();
  }
  const Reply reply = ProbeCall(*c.spec, {}, [&](const cf_call* call) {
    return predict(call, made.model.get(), &none, &out);
  });
  if (!reply.ok()) return "ended with " + reply.Describe();
  if (label == 7 && value == kMark && probabilities.front() == kMark) return "";
  return "wrote into the arrays for predictions";
}

void LearnerZeroRows(CheckContext& context) {
  for (const LearnerCase& c : MakeCases(context, /*full=*/false)) {
    const Made made = Fit(*c.spec, c.train.get());
    cf_table none = c.rows.get();
    none.n_rows = 0;
    const std::int64_t no_id = 0;
    const bool has_proba = c.spec->component().capability<cf_cap_proba>(CF_CAP_PROBA) != nullptr;
    for (const std::int64_t* rows : {static_cast<const std::int64_t*>(nullptr), &no_id}) {
      none.rows = rows;
      std::string problem = PredictNothing(c, made, none, false);
      if (problem.empty() && has_proba && c.n_classes() > 0) {
        problem = PredictNothing(c, made, none, true);
      }
      if (problem.empty()) continue;
      context.Fail("on a " + c.name() + " the prediction of no rows " + problem);
      break;
    }
  }
}

constexpr Check kDegenerateChecks[] = {
    {"degenerate", CheckScope::kLearner, 3, false, "fit-smoke",
     "very little data gives a usable prediction or a proper error", &LearnerDegenerate},
    {"zero-rows", CheckScope::kLearner, 3, false, "fit-smoke", "no rows can be predicted",
     &LearnerZeroRows},
};

}  // namespace

std::span<const Check> DegenerateChecks() { return kDegenerateChecks; }

}  // namespace crossfold::check
