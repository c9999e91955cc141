// The cases of most checks of learners and transforms: one under its defaults, with small data that
// it accepts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "check/check_context.h"
#include "check/component_calls.h"
#include "check/probe_data.h"
#include "check/table_copy.h"
#include "engine/run/fit_predict.h"

namespace crossfold::check {

// Fits on one table and applies to the other. If the fit fails, its reply is that of the result.
Applied FitApply(const Spec& spec, const cf_table& train, const cf_table& rows,
                 const ProbeOptions& options = {});
Applied FitApply(const Spec& spec, const DataView& train, const DataView& rows);

// `Made` is what a component of the kind makes: Predicted or Applied.
template <class Made>
struct ModelCase {
  SpecPtr spec;
  DataShape shape;
  DataPtr data;
  RowTable train, rows;  // all rows of `data`, with and without the target
  Made expected;         // for `rows` after a fit on `train`, both with the seed 1

  std::int64_t n_classes() const { return data->num_classes(); }
  std::int64_t n_rows() const { return data->num_rows(); }
  // "on a classification of 3 classes"
  std::string Where() const { return "on a " + Describe(shape); }
  // A fit on some table and the answer for another one, with the features of `data`.
  Made Run(const cf_table& train_on, const cf_table& asked,
           const ProbeOptions& options = {}) const {
    if constexpr (std::is_same_v<Made, Predicted>) {
      return FitPredict(*spec, train_on, asked, n_classes(), options);
    } else {
      return FitApply(*spec, train_on, asked, options);
    }
  }
};
using LearnerCase = ModelCase<Predicted>;
using TransformCase = ModelCase<Applied>;

// Make a case, whatever the outcome.
LearnerCase MakeCase(CheckContext& context, const DataShape& shape);
TransformCase MakeTransformCase(CheckContext& context, const DataShape& shape);

// Skips the check of a learner or transform that does not accept such data. `name` is that of the
// flag.
constexpr const char* kHostRefuses = ": the host refuses such data";
void NeedAcceptance(CheckContext& context, std::uint32_t flag, const std::string& name,
                    const char* why = "");

// Whether another seed gives another answer.
template <class Made>
bool DependsOnSeed(const ModelCase<Made>& c) {
  return !Difference(c.Run(c.train.get(), c.rows.get(), {.seed = 2}), c.expected).empty() ||
         !Difference(c.Run(c.train.get(), c.rows.get(), {.seed = 3}), c.expected).empty();
}

// What fits with several seeds have shown.
struct SeedEffects {
  bool draws = false, differs = false;
};
// Fits with the seeds 2 to 4 until one gives another answer, which must not happen if the component
// declares CF_DET_UNSEEDED.
template <class Made>
void TrySeeds(CheckContext& context, const ModelCase<Made>& c, SeedEffects& effects) {
  const bool is_unseeded = (context.component().determinism & CF_DET_UNSEEDED) != 0;
  for (std::uint64_t seed = 2; seed <= 4; ++seed) {
    effects.draws |= Fit(*c.spec, c.train.get(), {.seed = seed}).reply.n_random > 0;
    const std::string difference =
        Difference(c.Run(c.train.get(), c.rows.get(), {.seed = seed}), c.expected);
    if (difference.empty()) continue;
    effects.differs = true;
    if (!is_unseeded) return;
    context.Fail(c.Where() + " it declares CF_DET_UNSEEDED, but with the seed " +
                 std::to_string(seed) + " instead of 1 " + difference);
    return;
  }
}

// Compares the answers for these rows by index, and with bitmaps that begin anywhere, with those
// for copied rows. `index` is what the first is called.
template <class Made>
void CompareViews(CheckContext& context, const ModelCase<Made>& c, const RowIds& some,
                  const std::string& index) {
  const RowTable train = RowTable::ForTraining(*c.data, &some);
  const RowTable rows = RowTable::ForPrediction(*c.data, &some);
  const RowIds positions = RowRange(0, train.get().n_rows);
  TableCopy train_copy(train.get(), {.positions = &positions});
  TableCopy rows_copy(rows.get(), {.positions = &positions});
  const Made expected = c.Run(train_copy.get(), rows_copy.get());
  if (context.FailIf(c.Where() + ", with " + index + " instead of copied rows ",
                     Difference(c.Run(train.get(), rows.get()), expected))) {
    return;
  }
  const CopyOptions shifted{nullptr, 5, false};
  TableCopy train_shifted(train.get(), shifted), rows_shifted(rows.get(), shifted);
  context.FailIf(c.Where() +
                     ", with bitmaps of present entries that begin at their bit 5 and a row index "
                     "instead of copied rows ",
                 Difference(c.Run(train_shifted.get(), rows_shifted.get()), expected));
}

// Trains on the rows in a random order. Returns whether the answer is another one, which fails.
template <class Made>
bool FailsInOtherOrder(CheckContext& context, const ModelCase<Made>& c, std::string_view purpose) {
  const RowIds positions = ShuffledRows(c.n_rows(), context.RandomOf(purpose));
  TableCopy train(c.train.get(), {.positions = &positions});
  return context.FailIf(c.Where() + ", after permuting the training rows (not their ids) ",
                        Difference(c.Run(train.get(), c.rows.get()), c.expected));
}

// Hides what is missing from those who look for NaN and code -1. Returns whether that fails.
template <class Made>
bool FailsWithHiddenMissing(CheckContext& context, const ModelCase<Made>& c) {
  const CopyOptions hidden{nullptr, 0, true};
  TableCopy train(c.train.get(), hidden), rows(c.rows.get(), hidden);
  return context.FailIf(
      c.Where() + ", with missing entries marked by the bitmap instead of NaN and code -1 ",
      Difference(c.Run(train.get(), rows.get()), c.expected));
}

// Whether the learner refused such data properly: one that declares numbers because of bools
// refuses other numbers.
bool IsRefused(const LearnerCase& learner_case);

// The usual shape of every task, with categories or one feature if that is refused (see
// ShapesToTry), and the largest one (see Fuller) if `full`. Leaves out those whose fit fails or
// whose prediction is unusable: that is the subject of fit-smoke and missing. Skips the check if
// nothing is left.
std::vector<LearnerCase> MakeCases(CheckContext& context, bool full);

// Why the failure of a call is not one that a run can put into its tables: it must have a message,
// and a status about data, settings or numbers. "" = it has.
std::string FindImproperRefusal(const Reply& reply);

// What is wrong with the refusal or the prediction, for data that a learner may refuse; "" =
// nothing.
std::string FindProblem(const Predicted& prediction, std::int64_t n_classes);

// The cases that work, for every task: numbers, categories, and all accepted data together. Those
// that do not work are the subject of transform-smoke. Skips the check if there are none.
std::vector<TransformCase> MakeTransformCases(CheckContext& context);
// The shapes of these cases, working or not. The first of each task is the usual one.
std::vector<DataShape> TransformShapes(const Component& component);

// Why columns cannot be given to users: they must be valid, without infinite numbers, and without
// missing entries unless the input has some. "" = they can.
std::string FindUnusable(const Applied& applied, bool may_be_missing);
// What is wrong with the refusal or the columns, for data that a transform may refuse.
std::string FindProblem(const Applied& applied, bool may_be_missing);

// The columns without their entries, to compare names, types and levels.
Applied Declarations(Applied applied);

}  // namespace crossfold::check
