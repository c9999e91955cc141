// Checks of the rows that a learner gets: as they are, as a view, in another order, one by one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/learner_cases.h"
#include "check/probe_data.h"
#include "check/table_copy.h"

namespace crossfold::check {
namespace {

// ---- input-untouched ----------------------------------------------------------------------------

// As a fold of a bootstrap has them.
RowIds BootstrapRows(CheckContext& context, std::int64_t n) {
  RowIds rows = SomeRows(n, context.RandomOf("rows"));
  rows.push_back(rows[rows.size() / 2]);
  return rows;
}

void LearnerInputUntouched(CheckContext& context) {
  for (const LearnerCase& c : MakeCases(context, /*full=*/true)) {
    const RowIds some = BootstrapRows(context, c.n_rows());
    const CopyOptions with_bitmap{nullptr, 3, false};
    TableCopy train(RowTable::ForTraining(*c.data, &some).get(), with_bitmap);
    TableCopy rows(RowTable::ForPrediction(*c.data, &some).get(), with_bitmap);
    const Bytes train_before = train.Contents(), rows_before = rows.Contents();
    {
      const Made made = Fit(*c.spec, train.get());
      if (train.Contents() != train_before) {
        context.Fail("on a " + c.name() + " fit changed the table that it was given");
        return;
      }
      if (!made.reply.ok()) continue;
      Predict(*c.spec, made.model.get(), rows.get(), c.n_classes());
      if (rows.Contents() != rows_before || train.Contents() != train_before) {
        context.Fail("on a " + c.name() + " predict changed a table that it was given");
        return;
      }
    }
    // Here even a write that changes nothing ends the process.
    train.MakeReadOnly();
    rows.MakeReadOnly();
    c.Run(train.get(), rows.get());
  }
}

// ---- view-equals-copy ---------------------------------------------------------------------------

void LearnerViewEqualsCopy(CheckContext& context) {
  for (const LearnerCase& c : MakeCases(context, /*full=*/true)) {
    const RowIds some = BootstrapRows(context, c.n_rows());
    const RowTable train = RowTable::ForTraining(*c.data, &some);
    const RowTable rows = RowTable::ForPrediction(*c.data, &some);
    const RowIds positions = RowRange(0, train.get().n_rows);
    TableCopy train_copy(train.get(), {.positions = &positions});
    TableCopy rows_copy(rows.get(), {.positions = &positions});
    const Predicted expected = c.Run(train_copy.get(), rows_copy.get());
    const auto compare = [&](const char* what, const cf_table& train_view,
                             const cf_table& rows_view) {
      const std::string difference = Difference(c.Run(train_view, rows_view), expected);
      if (difference.empty()) return true;
      context.Fail("on a " + c.name() + ", with " + what + " instead of copied rows " + difference);
      return false;
    };
    if (!compare("a row index into the columns for fit and predict", train.get(), rows.get())) {
      continue;
    }
    const CopyOptions shifted{nullptr, 5, false};
    TableCopy train_shifted(train.get(), shifted), rows_shifted(rows.get(), shifted);
    compare("bitmaps of present entries that begin at their bit 5 and a row index",
            train_shifted.get(), rows_shifted.get());
  }
}

// ---- row-order ----------------------------------------------------------------------------------

void LearnerRowOrder(CheckContext& context) {
  if ((context.component().determinism & CF_DET_ROW_ORDER) == 0) {
    context.Skip("it does not declare CF_DET_ROW_ORDER");
  }
  for (const LearnerCase& c : MakeCases(context, /*full=*/true)) {
    for (const char* purpose : {"first order", "second order"}) {
      const RowIds positions = ShuffledRows(c.n_rows(), context.RandomOf(purpose));
      TableCopy train(c.train.get(), {.positions = &positions});
      const std::string difference = Difference(c.Run(train.get(), c.rows.get()), c.expected);
      if (difference.empty()) continue;
      context.Fail("on a " + c.name() + ", after permuting the training rows (not their ids) " +
                   difference);
      break;
    }
  }
}

// ---- predict-subset -----------------------------------------------------------------------------

// Row by row what was predicted for the rows `positions` of it.
Predicted ChosenRows(const Predicted& all, const RowIds& positions, std::int64_t n_classes) {
  Predicted chosen;
  chosen.reply = all.reply;
  const auto k = static_cast<std::size_t>(n_classes);
  for (const std::int64_t position : positions) {
    const auto i = static_cast<std::size_t>(position);
    if (!all.labels.empty()) chosen.labels.push_back(all.labels[i]);
    if (!all.values.empty()) chosen.values.push_back(all.values[i]);
    if (all.probabilities.empty()) continue;
    const auto row = all.probabilities.begin() + static_cast<std::ptrdiff_t>(i * k);
    chosen.probabilities.insert(chosen.probabilities.end(), row,
                                row + static_cast<std::ptrdiff_t>(k));
  }
  return chosen;
}

// The difference if these rows are predicted by themselves.
std::string DifferenceOfSome(const LearnerCase& c, const Made& made, const RowIds& positions) {
  constexpr double kTolerance = 1e-12;
  TableCopy some(c.rows.get(), {.positions = &positions});
  const Predicted got = Predict(*c.spec, made.model.get(), some.get(), c.n_classes());
  return Difference(got, ChosenRows(c.expected, positions, c.n_classes()), kTolerance);
}

void LearnerPredictSubset(CheckContext& context) {
  for (const LearnerCase& c : MakeCases(context, /*full=*/true)) {
    const Made made = Fit(*c.spec, c.train.get());
    std::string difference;
    for (std::int64_t i = 0; i < c.n_rows() && difference.empty(); ++i) {
      difference = DifferenceOfSome(c, made, {i});
      if (difference.empty()) continue;
      context.Fail("on a " + c.name() + ", after row " + std::to_string(i) +
                   " was predicted alone and not among all " + difference);
    }
    if (!difference.empty()) continue;
    RowIds reversed = RowRange(0, c.n_rows());
    std::reverse(reversed.begin(), reversed.end());
    difference = DifferenceOfSome(c, made, reversed);
    if (!difference.empty()) {
      context.Fail("on a " + c.name() + ", after the rows were predicted in reversed order " +
                   difference);
    }
  }
}

constexpr Check kRowChecks[] = {
    {"input-untouched", CheckScope::kLearner, 3, false, "fit-smoke",
     "fit and predict write nothing into the tables that they get", &LearnerInputUntouched},
    {"view-equals-copy", CheckScope::kLearner, 3, false, "fit-idempotent",
     "rows by index, with repeats and shifted bitmaps, are as good as copied rows",
     &LearnerViewEqualsCopy},
    {"row-order", CheckScope::kLearner, 3, false, "fit-idempotent",
     "the order of the training rows does not matter, if that is declared", &LearnerRowOrder},
    {"predict-subset", CheckScope::kLearner, 3, false, "fit-idempotent",
     "a prediction does not depend on the other rows of the call", &LearnerPredictSubset},
};

}  // namespace

std::span<const Check> RowChecks() { return kRowChecks; }

}  // namespace crossfold::check
