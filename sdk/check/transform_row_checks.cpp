// Checks of the rows that a transform gets: how and in which order they are given, and how often
// they count.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/table_copy.h"
#include "check/transform_cases.h"

namespace crossfold::check {
namespace {

// ---- input-untouched, view-equals-copy ----------------------------------------------------------

void TransformInputUntouched(CheckContext& context) {
  for (const TransformCase& c : MakeTransformCases(context)) {
    const RowIds some = SomeRows(c.n_rows(), context.RandomOf("rows"));
    const CopyOptions with_bitmap{nullptr, 3, false};
    TableCopy train(RowTable::ForTraining(*c.data, &some).get(), with_bitmap);
    TableCopy rows(RowTable::ForPrediction(*c.data, &some).get(), with_bitmap);
    const Bytes train_before = train.Contents(), rows_before = rows.Contents();
    c.Run(train.get(), rows.get());
    if (train.Contents() != train_before || rows.Contents() != rows_before) {
      const bool in_fit = train.Contents() != train_before;
      context.Fail("on a " + c.name() + (in_fit ? " fit" : " apply") +
                   " changed the table that it was given");
      return;
    }
    // Here even a write that changes nothing ends the process.
    train.MakeReadOnly();
    rows.MakeReadOnly();
    c.Run(train.get(), rows.get());
  }
}

void TransformViewEqualsCopy(CheckContext& context) {
  for (const TransformCase& c : MakeTransformCases(context)) {
    const RowIds some = SomeRows(c.n_rows(), context.RandomOf("rows"));
    const RowTable train = RowTable::ForTraining(*c.data, &some);
    const RowTable rows = RowTable::ForPrediction(*c.data, &some);
    const RowIds positions = RowRange(0, train.get().n_rows);
    TableCopy train_copy(train.get(), {.positions = &positions});
    TableCopy rows_copy(rows.get(), {.positions = &positions});
    const Applied expected = c.Run(train_copy.get(), rows_copy.get());
    const CopyOptions shifted{nullptr, 5, false};
    TableCopy train_shifted(train.get(), shifted), rows_shifted(rows.get(), shifted);
    for (const auto& [what, train_view, rows_view] :
         {std::tuple<const char*, const cf_table*, const cf_table*>{"a row index into the columns",
                                                                    &train.get(), &rows.get()},
          {"bitmaps of present entries that begin at their bit 5 and a row index",
           &train_shifted.get(), &rows_shifted.get()}}) {
      const std::string difference = Difference(c.Run(*train_view, *rows_view), expected);
      if (difference.empty()) continue;
      context.Fail("on a " + c.name() + ", with " + what + " instead of copied rows " + difference);
      break;
    }
  }
}

// ---- row-order ----------------------------------------------------------------------------------

void TransformRowOrder(CheckContext& context) {
  if ((context.component().determinism & CF_DET_ROW_ORDER) == 0) {
    context.Skip("it does not declare CF_DET_ROW_ORDER");
  }
  for (const TransformCase& c : MakeTransformCases(context)) {
    const RowIds positions = ShuffledRows(c.n_rows(), context.RandomOf("order"));
    TableCopy train(c.train.get(), {.positions = &positions});
    const std::string difference = Difference(c.Run(train.get(), c.rows.get()), c.expected);
    if (difference.empty()) continue;
    context.Fail("on a " + c.name() + ", after permuting the training rows (not their ids) " +
                 difference);
  }
}

// ---- weights ------------------------------------------------------------------------------------

// Every row as often as its weight says.
Applied RunRepeated(const TransformCase& c, const std::vector<double>& weights) {
  const RowIds positions = RepeatedRows(weights);
  cf_table unweighted = c.train.get();
  unweighted.weights = nullptr;
  TableCopy train(unweighted, {.positions = &positions});
  return c.Run(train.get(), c.rows.get());
}

void TransformWeights(CheckContext& context) {
  constexpr double kTolerance = 1e-6;  // of what is searched for step by step
  if ((context.component().transform->accepts & CF_ACCEPTS_WEIGHTS) == 0) {
    context.Skip("it does not declare CF_ACCEPTS_WEIGHTS: the host refuses such data");
  }
  for (const TransformCase& c : MakeTransformCases(context)) {
    if (DependsOnSeed(c)) continue;  // weights and repetitions draw differently
    for (const auto& [step, weight, what] :
         {std::tuple{1, 1.0, "all weights 1 instead of none"},
          std::tuple{4, 0.0, "weight 0 for every fourth row instead of leaving it out"},
          std::tuple{4, 2.0, "weight 2 for every fourth row instead of having it twice"}}) {
      const std::vector<double> weights = WeightEvery(c.n_rows(), step, weight);
      cf_table weighted = c.train.get();
      weighted.weights = weights.data();
      const std::string difference =
          Difference(c.Run(weighted, c.rows.get()), RunRepeated(c, weights), kTolerance);
      if (difference.empty()) continue;
      context.Fail("on a " + c.name() + ", with " + what + " " + difference);
    }
  }
}

constexpr Check kTransformRowChecks[] = {
    {"input-untouched", CheckScope::kTransform, 3, false, "transform-smoke",
     "fit and apply write nothing into the tables that they get", &TransformInputUntouched},
    {"view-equals-copy", CheckScope::kTransform, 3, false, "fit-idempotent",
     "rows by index, with repeats and shifted bitmaps, are as good as copied rows",
     &TransformViewEqualsCopy},
    {"row-order", CheckScope::kTransform, 3, false, "fit-idempotent",
     "the order of the training rows does not matter, if that is declared", &TransformRowOrder},
    {"weights", CheckScope::kTransform, 3, false, "fit-idempotent",
     "weight 0 leaves a row out, weight 2 counts it twice, and weights of 1 change nothing",
     &TransformWeights},
};

}  // namespace

std::span<const Check> TransformRowChecks() { return kTransformRowChecks; }

}  // namespace crossfold::check
