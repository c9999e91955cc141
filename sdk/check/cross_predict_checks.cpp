// The check of cross-predict: all out-of-fold predictions of one call are those of separate fits.
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/cross_prediction.h"
#include "check/prepared.h"
#include "check/random_settings.h"
#include "check/subject.h"

namespace crossfold::check {
namespace {

// One problem, its settings, and whether the learner gets what it prepared.
struct Trial {
  const std::vector<SpecPtr>& specs;
  const CrossProblem& problem;
  const cf_prepared* prepared;
  double tolerance;

  std::string Name(std::size_t setting, std::int32_t fold) const {
    return specs[setting]->ToString() + " in fold " + std::to_string(fold) +
           (prepared != nullptr ? " from prepared rows" : "");
  }
};

// Folds 0, 1, 2, 0 ... and every eleventh row always trained on.
CrossProblem MakeProblem(const Subject& subject) {
  constexpr std::int32_t kFolds = 3;
  CrossProblem problem{subject.train, {}, kFolds};
  for (std::int64_t i = 0; i < subject.train.num_rows(); ++i) {
    problem.fold_of_row.push_back(i % 11 == 10 ? -1 : static_cast<std::int32_t>(i / 2 % kFolds));
  }
  return problem;
}

RowIds RowsAt(const DataView& view, const RowIds& positions) {
  RowIds rows;
  for (const std::int64_t position : positions) rows.push_back(view.row_id(position));
  return rows;
}

// Compares a separate fit of one setting and fold with the result in one call.
void CompareWithSeparate(CheckContext& context, const Trial& trial, const CrossPrediction& got,
                         std::size_t s, std::int32_t fold) {
  const DataView& rows = trial.problem.rows;
  const RowIds tested = trial.problem.Tested(fold);
  ProbeOptions options;
  options.seed = CrossPrediction::SeedOf(s, fold);
  const Predicted expected =
      FitPredict(*trial.specs[s], RowsOf(rows.data, RowsAt(rows, trial.problem.Trained(fold))),
                 RowsOf(rows.data, RowsAt(rows, tested)), options);
  const std::string* failure = got.FailureOf(s, fold);
  if (!expected.reply.ok()) {
    if (failure != nullptr) return;
    context.Fail("a separate fit of " + trial.Name(s, fold) + " ends with " +
                 expected.reply.Describe() + ", and cross_predict did not fail there");
    return;
  }
  if (failure != nullptr) {
    context.Fail("cross_predict failed for " + trial.Name(s, fold) + " ('" + *failure +
                 "'), where a separate fit works");
    return;
  }
  for (const std::int64_t position : tested) {
    const int times = got.times(s, position);
    if (times == 1) continue;
    context.Fail("cross_predict emitted row " + std::to_string(position) + " of " +
                 trial.Name(s, fold) + " " + std::to_string(times) + " times instead of once");
    return;
  }
  const std::string difference = Difference(got.At(s, tested), expected, trial.tolerance);
  if (difference.empty()) return;
  context.Fail("cross_predict of " + trial.Name(s, fold) +
               " differs from a separate fit: " + difference);
}

// A cell alone in its call must give the same bytes as with the others.
void CompareWithAlone(CheckContext& context, const Trial& trial, const CrossPrediction& whole,
                      std::size_t s, std::int32_t fold) {
  if (whole.FailureOf(s, fold) != nullptr) return;
  const CrossPrediction alone({trial.specs[s]}, trial.problem.Only(fold), trial.prepared,
                              {s, fold});
  const RowIds tested = trial.problem.Tested(fold);
  const std::string difference = alone.FailureOf(0, 0) != nullptr
                                     ? "it fails: '" + *alone.FailureOf(0, 0) + "'"
                                     : Difference(alone.At(0, tested), whole.At(s, tested));
  if (difference.empty()) return;
  context.Fail("cross_predict of " + trial.Name(s, fold) +
               " alone differs from what it gives with other folds and settings: " + difference);
}

void CompareAll(CheckContext& context, const Trial& trial) {
  const CrossPrediction whole(trial.specs, trial.problem, trial.prepared);
  if (!whole.reply().ok()) {
    context.Fail("cross_predict ended with " + whole.reply().Describe());
    return;
  }
  if (!whole.misuse().empty()) {
    context.Fail("cross_predict " + whole.misuse());
    return;
  }
  for (std::size_t i = 0; i < trial.problem.fold_of_row.size(); ++i) {
    if (trial.problem.fold_of_row[i] >= 0) continue;
    if (whole.times(0, static_cast<std::int64_t>(i)) == 0) continue;
    context.Fail("cross_predict emitted row " + std::to_string(i) +
                 ", which is in no fold (always trained on)");
    return;
  }
  for (std::size_t s = 0; s < trial.specs.size(); ++s) {
    for (std::int32_t fold = 0; fold < trial.problem.n_folds; ++fold) {
      CompareWithSeparate(context, trial, whole, s, fold);
      CompareWithAlone(context, trial, whole, s, fold);
      if (context.has_failed()) return;
    }
  }
}

// The defaults and some settings that may share what was prepared under them.
std::vector<SpecPtr> SharingSettings(const Spec& defaults, plugin::Random random) {
  constexpr int kDraws = 3;
  std::vector<SpecPtr> specs = {defaults.With({})};
  for (int i = 0; i < kDraws; ++i) {
    specs.push_back(DrawSharing(defaults, random));
  }
  return specs;
}

void CapCrossPredict(CheckContext& context) {
  const Component& component = context.component();
  const auto* table = component.capability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT);
  if (table == nullptr) context.Skip("it does not offer crossfold.cross-predict/1");
  for (const Subject& subject : UsableSubjects(context)) {
    const CrossProblem problem = MakeProblem(subject);
    const std::vector<SpecPtr> specs = SharingSettings(*subject.spec, context.RandomOf("settings"));
    CompareAll(context, {specs, problem, nullptr, table->tolerance});
    if (component.capability<cf_cap_prepare>(CF_CAP_PREPARE) != nullptr) {
      const Prepared prepared(*subject.spec, subject.all);
      CompareAll(context, {specs, problem, prepared.get(), table->tolerance});
    }
    if (context.has_failed()) return;
  }
}

constexpr Check kCrossPredictChecks[] = {
    {"cap-cross-predict", CheckScope::kLearner, 3, false, "fit-smoke",
     "every out-of-fold prediction of one call is that of a separate fit", &CapCrossPredict},
};

}  // namespace

std::span<const Check> CrossPredictChecks() { return kCrossPredictChecks; }

}  // namespace crossfold::check
