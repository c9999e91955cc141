// Checks of the laws of capabilities.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/random_settings.h"
#include "check/sharing_calls.h"
#include "check/subject.h"
#include "check/table_copy.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

// ---- proba --------------------------------------------------------------------------------------

void CapProba(CheckContext& context) {
  context.NeedsCapability<cf_cap_proba>(CF_CAP_PROBA);
  for (const Subject& subject : UsableSubjects(context)) {
    if (subject.shape.task == Task::kRegression) continue;
    const Made made = Fit(*subject.spec, subject.train);
    const Predicted p = Predict(*subject.spec, made.model.get(), subject.all);
    if (!p.reply.ok()) {
      context.Fail("predict_proba " + subject.Where() + " ended with " + p.reply.Describe());
      continue;
    }
    context.FailIf("predict_proba " + subject.Where() + ": ",
                   FindUnusable(p, subject.shape.n_classes));
    const Predicted plain = PredictPlainly(*subject.spec, made.model.get(), subject.all);
    for (std::size_t i = 0; i < p.labels.size(); ++i) {
      if (!plain.reply.ok() || p.labels[i] == plain.labels[i]) continue;
      context.Fail("label " + std::to_string(i) + " of predict_proba " + subject.Where() + " is " +
                   std::to_string(p.labels[i]) + ", that of predict is " +
                   std::to_string(plain.labels[i]));
      break;
    }
  }
}

// ---- incremental --------------------------------------------------------------------------------

// Models of one learner to which rows are added and removed.
class Incremental {
 public:
  Incremental(CheckContext& context, const Subject& subject, const Spec& spec,
              const cf_cap_incremental& table)
      : context_(context), subject_(subject), spec_(spec), table_(table) {
    for (std::int64_t i = 0; i < subject.all.num_rows(); ++i) {
      (i % 4 == 1 ? removed_ : kept_).push_back(i);
    }
    back_ = kept_;
    back_.insert(back_.end(), removed_.begin(), removed_.end());
  }

  // remove_rows(add_rows(m, r), r) = m; remove_rows(fit(all), f) = fit(all \ f); clones are
  // independent.
  void Compare() {
    const Made of_all = Fit(spec_, subject_.all);
    const Made of_kept = Fit(spec_, RowsOf(subject_.data, kept_));
    const Made of_back = Fit(spec_, RowsOf(subject_.data, back_));
    if (!of_all.reply.ok() || !of_kept.reply.ok() || !of_back.reply.ok()) return;
    const Answer all_before = Answers(of_all), kept_before = Answers(of_kept);
    const Made grown = Clone(of_kept);
    if (!Change("add_rows", table_.add_rows, grown)) return;
    Expect(grown, Answers(of_back), "add_rows(fit(kept), rows) differs from fit(kept and rows)");
    ExpectSame(of_kept, kept_before, "add_rows to a clone changed the model it was made from");
    if (table_.remove_rows == nullptr) return;
    if (!Change("remove_rows", table_.remove_rows, grown)) return;
    Expect(grown, kept_before, "remove_rows(add_rows(m, rows), rows) differs from m");
    const Made shrunk = Clone(of_all);
    if (!Change("remove_rows", table_.remove_rows, shrunk)) return;
    Expect(shrunk, kept_before, "remove_rows(fit(all), rows) differs from fit(all but rows)");
    ExpectSame(of_all, all_before, "remove_rows from a clone changed the model it was made from");
  }

 private:
  std::string Of() const { return " (" + spec_.ToString() + " " + subject_.Where() + "): "; }
  Answer Answers(const Made& made) const { return AskFitted(spec_, made, subject_.all); }

  void Expect(const Made& got, const Answer& expected, const std::string& finding) {
    const double tolerance = table_.exact != 0 ? 0 : table_.tolerance;
    context_.FailIf(finding + Of(), Difference(Answers(got), expected, tolerance));
  }
  void ExpectSame(const Made& got, const Answer& expected, const std::string& finding) {
    context_.FailIf(finding + Of(), Difference(Answers(got), expected));
  }
  Made Clone(const Made& from) {
    Made made = Make(spec_, {}, [&](const cf_call* call, cf_model** out) {
      return table_.clone(call, from.model.get(), out);
    });
    if (!made.reply.ok()) context_.Fail("clone" + Of() + "ended with " + made.reply.Describe());
    return made;
  }
  bool Change(const char* name,
              cf_status(CF_CALL* function)(const cf_call*, cf_model*, const cf_table*),
              const Made& made) {
    if (made.model == nullptr) return false;
    const RowTable rows = RowTable::ForTraining(*subject_.data, &removed_);
    const Reply reply = ProbeCall(spec_, {}, [&](const cf_call* call) {
      return function(call, made.model.get(), &rows.get());
    });
    if (!reply.ok()) context_.Fail(name + Of() + "ended with " + reply.Describe());
    return reply.ok();
  }

  CheckContext& context_;
  const Subject& subject_;
  const Spec& spec_;
  const cf_cap_incremental& table_;
  RowIds kept_, removed_, back_;  // back: the kept rows and then the removed ones
};

void CapIncremental(CheckContext& context) {
  constexpr int kDraws = 4;
  const auto& table = context.NeedsCapability<cf_cap_incremental>(CF_CAP_INCREMENTAL);
  if (table.exact == 0 && !(table.tolerance > 0)) {
    context.Fail("it is neither exact nor does it declare a tolerance");
    return;
  }
  for (const Subject& subject : UsableSubjects(context)) {
    Incremental(context, subject, *subject.spec, table).Compare();
    plugin::Random random = context.RandomOf("settings");
    for (int i = 0; i < kDraws && !context.has_failed(); ++i) {
      const SpecPtr spec = DrawSpec(context.shared_component(), random);
      if (Fit(*spec, subject.train).reply.ok()) {
        Incremental(context, subject, *spec, table).Compare();
      }
    }
    if (context.has_failed()) return;
  }
}

// ---- warm-start ---------------------------------------------------------------------------------

Made FitFrom(const Spec& spec, const DataView& train, const cf_model* start) {
  const auto* table = spec.component().capability<cf_cap_warm_start>(CF_CAP_WARM_START);
  const RowTable rows = RowTable::ForTraining(*train.data, train.rows.get());
  return Make(spec, {}, [&](const cf_call* call, cf_model** out) {
    return table->fit_from(call, spec.args().data(), spec.args().size(), &rows.get(), start, out);
  });
}

void CapWarmStart(CheckContext& context) {
  constexpr int kDraws = 4;
  context.NeedsCapability<cf_cap_warm_start>(CF_CAP_WARM_START);
  for (const Subject& subject : UsableSubjects(context)) {
    plugin::Random random = context.RandomOf("settings");
    SpecPtr spec = subject.spec;
    for (int i = 0; i <= kDraws; ++i, spec = DrawSpec(context.shared_component(), random)) {
      const std::string of = " of " + spec->ToString() + " " + subject.Where();
      Made start = Fit(*subject.spec, subject.train);
      const Answer before = AskFitted(*subject.spec, start, subject.all);
      const Made made = FitFrom(*spec, subject.all, start.model.get());
      context.FailIf("fit_from" + of + " changed its start: ",
                     Difference(AskFitted(*subject.spec, start, subject.all), before));
      start.model.reset();  // what was made of it must do without
      if (!made.reply.ok()) {
        if (Fit(*spec, subject.all).reply.ok() && i == 0) {
          context.Fail("fit_from" + of + " ended with " + made.reply.Describe() +
                       ", where fit works");
        }
        continue;
      }
      const Predicted p = Predict(*spec, made.model.get(), subject.all);
      context.FailIf(
          "a model from fit_from" + of + ": ",
          p.reply.ok() ? FindUnusable(p, subject.data->num_classes()) : p.reply.Describe());
    }
    if (context.has_failed()) return;
  }
}

// The check of crossfold.validation/1: a fit with validation rows.

class Validation {
 public:
  Validation(CheckContext& context, const Subject& subject, const Spec& spec)
      : context_(context),
        subject_(subject),
        spec_(spec),
        table_(*spec.component().capability<cf_cap_validation>(CF_CAP_VALIDATION)) {
    for (std::int64_t i = 0; i < subject.all.num_rows(); ++i) {
      (i % 4 == 1 ? held_ : trained_).push_back(i);
    }
  }

  // `must_work`: the fit may not refuse these rows.
  void Compare(bool must_work) {
    const RowTable held = RowTable::ForTraining(*subject_.data, &held_);
    const Answer expected = AnswerOf(held.get());
    if (!expected.reply.ok()) {
      if (must_work) Fail("ended with " + expected.reply.Describe() + ", where fit works");
      return;
    }
    const std::string problem = FindUnusable(expected.predicted, subject_.data->num_classes());
    if (!problem.empty()) return Fail("gives a model that cannot be used: " + problem);
    if (!IsDeterministic(spec_.component())) return;
    const RowIds places = RowRange(0, static_cast<std::int64_t>(held_.size()));
    TableCopy copy(held.get(), {.positions = &places});
    Expect(copy.get(), expected, "copied validation rows, which have no row index");
    if ((spec_.component().determinism & CF_DET_ROW_ORDER) != 0) {
      const RowIds reversed(held_.rbegin(), held_.rend());
      Expect(RowTable::ForTraining(*subject_.data, &reversed).get(), expected,
             "the validation rows in another order");
    }
    CompareWeightless(expected);
  }

 private:
  // A validation row of weight 0 must not matter.
  void CompareWeightless(const Answer& expected) {
    if ((spec_.component().learner->accepts & CF_ACCEPTS_WEIGHTS) == 0) return;
    RowIds more = held_;
    more.insert(more.end(), trained_.begin(), trained_.end());
    std::vector<double> weights(more.size(), 0.0);
    std::fill_n(weights.begin(), held_.size(), 1.0);
    const RowTable rows = RowTable::ForTraining(*subject_.data, &more);
    cf_table weighted = rows.get();
    weighted.weights = weights.data();
    Expect(weighted, expected, "more validation rows, of weight 0");
  }

  Answer AnswerOf(const cf_table& validation) const {
    const RowTable train = RowTable::ForTraining(*subject_.data, &trained_);
    const Made made = Make(spec_, {}, [&](const cf_call* call, cf_model** out) {
      return table_.fit_validated(call, spec_.args().data(), spec_.args().size(), &train.get(),
                                  &validation, out);
    });
    return AskFitted(spec_, made, subject_.all);
  }

  void Expect(const cf_table& validation, const Answer& expected, const std::string& what) {
    const std::string difference = Difference(AnswerOf(validation), expected);
    if (!difference.empty()) Fail("gives another model for " + what + ": " + difference);
  }
  void Fail(const std::string& finding) {
    context_.Fail("fit_validated of " + spec_.ToString() + " " + subject_.Where() + " " + finding);
  }

  CheckContext& context_;
  const Subject& subject_;
  const Spec& spec_;
  const cf_cap_validation& table_;
  RowIds trained_, held_;
};

// The parameters that fit_validated() alone uses must exist and must not matter to fit().
void CheckParams(CheckContext& context, const Subject& subject) {
  const Component& component = context.component();
  const auto* table = component.capability<cf_cap_validation>(CF_CAP_VALIDATION);
  for (std::size_t i = 0; i < table->n_params; ++i) {
    const char* name = table->params == nullptr ? nullptr : table->params[i];
    const ParamSpec* param = name == nullptr ? nullptr : ParamNamed(component, name);
    if (param == nullptr) {
      context.Fail("its params name '" + std::string(name == nullptr ? "" : name) +
                   "', which is not a parameter");
      return;
    }
    for (const Value& value : ValuesAtBounds(*param)) {
      const auto values = SettingWith(component, *param, value);
      if (!values) continue;
      const SpecPtr spec = Spec::Make(context.shared_component(), *values);
      if (context.FailIf("its params name '" + param->name + "', which matters to fit() " +
                             subject.Where() + ": ",
                         Difference(FitAsk(*spec, subject.train, subject.all),
                                    FitAsk(*subject.spec, subject.train, subject.all)))) {
        return;
      }
    }
  }
}

void CapValidation(CheckContext& context) {
  constexpr int kDraws = 4;
  context.NeedsCapability<cf_cap_validation>(CF_CAP_VALIDATION);
  for (const Subject& subject : UsableSubjects(context)) {
    Validation(context, subject, *subject.spec).Compare(/*must_work=*/true);
    plugin::Random random = context.RandomOf("settings");
    for (int i = 0; i < kDraws && !context.has_failed(); ++i) {
      const SpecPtr spec = DrawSpec(context.shared_component(), random);
      Validation(context, subject, *spec).Compare(/*must_work=*/false);
    }
    if (IsDeterministic(context.component())) CheckParams(context, subject);
    if (context.has_failed()) return;
  }
}

// Checks of the capabilities that share work between fits: prepare and fit-path. Their law is that
// they change no number.

// ---- fit-path -----------------------------------------------------------------------------------

// predict_at(i) of `path` against a separate fit with value i. `made_by` is in findings.
void ComparePath(CheckContext& context, const Subject& subject, const PathValues& values,
                 const Made& path, const std::string& made_by) {
  if (!path.reply.ok()) {
    context.Fail(made_by + " " + subject.Where() + " ended with " + path.reply.Describe() +
                 ", though separate fits with these values work");
    return;
  }
  for (std::size_t i = 0; i < values.specs.size(); ++i) {
    const Spec& separate = *values.specs[i];
    const Predicted expected = FitPredict(separate, subject.train, subject.all);
    const Predicted at = PredictAt(*subject.spec, path.model.get(), i, subject.all);
    context.FailIf("predict_at(" + std::to_string(i) + ") after " + made_by + " " +
                       subject.Where() + " differs from a separate fit of " + separate.ToString() +
                       ": ",
                   Difference(at, expected));
  }
}

// The values with which a fit works at all.
PathValues WorkingValues(const Subject& subject) {
  PathValues all = PathValues::Of(*subject.spec), working;
  working.param = all.param;
  for (std::size_t i = 0; i < all.specs.size(); ++i) {
    if (!Fit(*all.specs[i], subject.train).reply.ok()) continue;
    working.specs.push_back(all.specs[i]);
    working.c_values.push_back(all.c_values[i]);
  }
  return working;
}

void CapFitPath(CheckContext& context) {
  context.NeedsCapability<cf_cap_fit_path>(CF_CAP_FIT_PATH);
  bool has_compared = false;
  for (const Subject& subject : UsableSubjects(context)) {
    const PathValues values = WorkingValues(subject);
    if (values.param.empty()) {
      context.Fail(
          "it offers crossfold.fit-path/1, and none of its parameters is flagged "
          "CF_PF_SUBMODEL");
      return;
    }
    if (values.specs.empty()) continue;
    has_compared = true;
    ComparePath(context, subject, values, FitPath(*subject.spec, values, subject.train),
                "fit_path");
    if (context.has_failed()) return;
    if (context.component().capability<cf_cap_prepare>(CF_CAP_PREPARE) == nullptr) continue;
    const Prepared prepared(*subject.spec, subject.all);
    if (prepared.get() == nullptr || !prepared.fits_paths()) continue;
    ComparePath(context, subject, values, prepared.FitPath(*subject.spec, values, subject.train),
                "fit_path_prepared");
  }
  if (!has_compared) context.Skip("no value of the parameter that was tried can be fitted");
}

// ---- prepare ------------------------------------------------------------------------------------

void ComparePrepared(CheckContext& context, const Subject& subject, const Prepared& prepared,
                     const Spec& spec, const ProbeOptions& options) {
  const Answer expected = FitAsk(spec, subject.train, subject.all);
  const Answer got = AskFitted(spec, prepared.Fit(spec, subject.train, options), subject.all);
  context.FailIf("fit_prepared of " + spec.ToString() + " " + subject.Where() +
                     (options.n_threads > 1 ? " with 2 threads" : "") + " differs from fit: ",
                 Difference(got, expected));
}

void CapPrepare(CheckContext& context) {
  constexpr int kSettings = 6;
  context.NeedsCapability<cf_cap_prepare>(CF_CAP_PREPARE);
  for (const Subject& subject : UsableSubjects(context)) {
    const Prepared prepared(*subject.spec, subject.all);
    if (prepared.get() == nullptr) {
      context.Fail("prepare " + subject.Where() + " ended with " +
                   (prepared.reply().ok() ? "ok and no structure" : prepared.reply().Describe()));
      continue;
    }
    if (prepared.Bytes() == 0) context.Fail("bytes() of a prepared structure is 0");
    ComparePrepared(context, subject, prepared, *subject.spec, {});
    plugin::Random random = context.RandomOf("settings");
    for (int i = 0; i < kSettings; ++i) {
      ComparePrepared(context, subject, prepared, *DrawSharing(*subject.spec, random), {});
    }
    if ((context.component().determinism & CF_DET_THREADS) != 0) {
      ComparePrepared(context, subject, prepared, *subject.spec, {.n_threads = 2});
    }
    if (context.has_failed()) return;
  }
}

// The check of cross-predict: all out-of-fold predictions of one call are those of separate fits.

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
  const Predicted expected = FitPredict(
      *trial.specs[s], RowsOf(rows.data, RowsAt(rows, trial.problem.Trained(fold))),
      RowsOf(rows.data, RowsAt(rows, tested)), {.seed = CrossPrediction::SeedOf(s, fold)});
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
  context.FailIf("cross_predict of " + trial.Name(s, fold) + " differs from a separate fit: ",
                 Difference(got.At(s, tested), expected, trial.tolerance));
}

// A cell alone in its call must give the same bytes as with the others.
void CompareWithAlone(CheckContext& context, const Trial& trial, const CrossPrediction& whole,
                      std::size_t s, std::int32_t fold) {
  if (whole.FailureOf(s, fold) != nullptr) return;
  const CrossPrediction alone({trial.specs[s]}, trial.problem.Only(fold), trial.prepared,
                              {s, fold});
  const RowIds tested = trial.problem.Tested(fold);
  context.FailIf("cross_predict of " + trial.Name(s, fold) +
                     " alone differs from what it gives with other folds and settings: ",
                 alone.FailureOf(0, 0) != nullptr
                     ? "it fails: '" + *alone.FailureOf(0, 0) + "'"
                     : Difference(alone.At(0, tested), whole.At(s, tested)));
}

void CompareAll(CheckContext& context, const Trial& trial) {
  const CrossPrediction whole(trial.specs, trial.problem, trial.prepared);
  if (!whole.reply().ok()) {
    context.Fail("cross_predict ended with " + whole.reply().Describe());
    return;
  }
  if (context.FailIf("cross_predict ", whole.misuse())) return;
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
  const auto& table = context.NeedsCapability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT);
  for (const Subject& subject : UsableSubjects(context)) {
    const CrossProblem problem = MakeProblem(subject);
    const std::vector<SpecPtr> specs = SharingSettings(*subject.spec, context.RandomOf("settings"));
    CompareAll(context, {specs, problem, nullptr, table.tolerance});
    if (component.capability<cf_cap_prepare>(CF_CAP_PREPARE) != nullptr) {
      const Prepared prepared(*subject.spec, subject.all);
      CompareAll(context, {specs, problem, prepared.get(), table.tolerance});
    }
    if (context.has_failed()) return;
  }
}

// ---- scores -------------------------------------------------------------------------------------

// Returns whether the models of the setting have scores.
bool CheckScores(CheckContext& context, const cf_cap_scores& table, const Subject& subject,
                 const Spec& spec) {
  if (table.replaces_probabilities(spec.component().info(), spec.args().data(),
                                   spec.args().size()) == 0) {
    return false;
  }
  const Made made = Fit(spec, subject.train);
  if (!made.reply.ok()) return true;  // fit-smoke and params-fuzz are about that
  const Predicted scored = PredictScores(spec, table, made.model.get(), subject.all);
  const std::string what = "predict_scores of " + spec.ToString() + " " + subject.Where();
  if (!scored.reply.ok()) {
    context.Fail(what + " ended with " + scored.reply.Describe());
    return true;
  }
  const auto k = static_cast<std::size_t>(subject.shape.n_classes);
  for (std::size_t i = 0; i < scored.values.size(); ++i) {
    if (std::isfinite(scored.values[i])) continue;
    context.Fail(what + ": the score of class " + std::to_string(i % k) + " in row " +
                 std::to_string(i / k) + " is " + FormatShortest(scored.values[i]));
    return true;
  }
  const Predicted plain = PredictPlainly(spec, made.model.get(), subject.all);
  if (plain.reply.ok() && plain.labels != scored.labels) {
    context.Fail(what + ": its labels are not those of predict");
  }
  return true;
}

void CapScores(CheckContext& context) {
  const auto& table = context.NeedsCapability<cf_cap_scores>(CF_CAP_SCORES);
  bool has_scores = false;
  for (const Subject& subject : UsableSubjects(context)) {
    if (subject.shape.task == Task::kRegression) continue;
    for (const SpecPtr& spec : SpecsAtBounds(context.shared_component())) {
      has_scores = CheckScores(context, table, subject, *spec) || has_scores;
      if (context.has_failed()) return;
    }
  }
  if (!has_scores) context.Skip("no setting that was tried has scores");
}

constexpr Check kCapabilityChecks[] = {
    {"cap-proba", kLearner, 3, false, "fit-smoke",
     "probabilities are between 0 and 1 and sum to 1, and their labels agree with predict",
     &CapProba},
    {"cap-scores", kLearner, 3, false, "fit-smoke",
     "scores are finite, and their labels agree with predict", &CapScores},
    {"cap-incremental", kLearner, 3, false, "fit-smoke",
     "adding and removing rows gives the same as a fit of the resulting rows", &CapIncremental},
    {"cap-warm-start", kLearner, 3, false, "fit-smoke",
     "a fit from another model leaves that model as it is, and gives a usable model",
     &CapWarmStart},
    {"cap-validation", kLearner, 3, false, "fit-smoke",
     "a fit with validation rows follows from the set of these rows, and gives a usable model",
     &CapValidation},
    {"cap-fit-path", kLearner, 3, false, "fit-smoke",
     "one fit for many values predicts what separate fits predict, byte for byte", &CapFitPath},
    {"cap-prepare", kLearner, 3, false, "fit-smoke",
     "a fit from a prepared structure predicts what a fit predicts, byte for byte", &CapPrepare},
    {"cap-cross-predict", kLearner, 3, false, "fit-smoke",
     "every out-of-fold prediction of one call is that of a separate fit", &CapCrossPredict},
};

}  // namespace

std::span<const Check> CapabilityChecks() { return kCapabilityChecks; }

}  // namespace crossfold::check
