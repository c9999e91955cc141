// Checks of the laws of proba, incremental and warm-start.
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/random_settings.h"
#include "check/subject.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

// ---- proba --------------------------------------------------------------------------------------

void CapProba(CheckContext& context) {
  if (context.component().capability<cf_cap_proba>(CF_CAP_PROBA) == nullptr) {
    context.Skip("it does not offer crossfold.proba/1");
  }
  for (const Subject& subject : UsableSubjects(context)) {
    if (subject.shape.task == Task::kRegression) continue;
    const Made made = Fit(*subject.spec, subject.train);
    const Predicted p = Predict(*subject.spec, made.model.get(), subject.all);
    if (!p.reply.ok()) {
      context.Fail("predict_proba " + subject.Where() + " ended with " + p.reply.Describe());
      continue;
    }
    const std::string problem = FindUnusable(p, subject.shape.n_classes);
    if (!problem.empty()) context.Fail("predict_proba " + subject.Where() + ": " + problem);
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
    const std::string difference = Difference(Answers(got), expected, tolerance);
    if (!difference.empty()) context_.Fail(finding + Of() + difference);
  }
  void ExpectSame(const Made& got, const Answer& expected, const std::string& finding) {
    const std::string difference = Difference(Answers(got), expected);
    if (!difference.empty()) context_.Fail(finding + Of() + difference);
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
  const auto* table = context.component().capability<cf_cap_incremental>(CF_CAP_INCREMENTAL);
  if (table == nullptr) context.Skip("it does not offer crossfold.incremental/1");
  if (table->exact == 0 && !(table->tolerance > 0)) {
    context.Fail("it is neither exact nor does it declare a tolerance");
    return;
  }
  for (const Subject& subject : UsableSubjects(context)) {
    Incremental(context, subject, *subject.spec, *table).Compare();
    plugin::Random random = context.RandomOf("settings");
    for (int i = 0; i < kDraws && !context.has_failed(); ++i) {
      const SpecPtr spec = DrawSpec(context.shared_component(), random);
      if (Fit(*spec, subject.train).reply.ok()) {
        Incremental(context, subject, *spec, *table).Compare();
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
  if (context.component().capability<cf_cap_warm_start>(CF_CAP_WARM_START) == nullptr) {
    context.Skip("it does not offer crossfold.warm-start/1");
  }
  for (const Subject& subject : UsableSubjects(context)) {
    plugin::Random random = context.RandomOf("settings");
    SpecPtr spec = subject.spec;
    for (int i = 0; i <= kDraws; ++i, spec = DrawSpec(context.shared_component(), random)) {
      const std::string of = " of " + spec->ToString() + " " + subject.Where();
      Made start = Fit(*subject.spec, subject.train);
      const Answer before = AskFitted(*subject.spec, start, subject.all);
      const Made made = FitFrom(*spec, subject.all, start.model.get());
      const std::string changed = Difference(AskFitted(*subject.spec, start, subject.all), before);
      if (!changed.empty()) context.Fail("fit_from" + of + " changed its start: " + changed);
      start.model.reset();  // what was made of it must do without
      if (!made.reply.ok()) {
        if (Fit(*spec, subject.all).reply.ok() && i == 0) {
          context.Fail("fit_from" + of + " ended with " + made.reply.Describe() +
                       ", where fit works");
        }
        continue;
      }
      const Predicted p = Predict(*spec, made.model.get(), subject.all);
      const std::string problem =
          p.reply.ok() ? FindUnusable(p, subject.data->num_classes()) : p.reply.Describe();
      if (!problem.empty()) context.Fail("a model from fit_from" + of + ": " + problem);
    }
    if (context.has_failed()) return;
  }
}

constexpr Check kCapabilityChecks[] = {
    {"cap-proba", CheckScope::kLearner, 3, false, "fit-smoke",
     "probabilities are between 0 and 1 and sum to 1, and their labels agree with predict",
     &CapProba},
    {"cap-incremental", CheckScope::kLearner, 3, false, "fit-smoke",
     "adding and removing rows gives the same as a fit of the resulting rows", &CapIncremental},
    {"cap-warm-start", CheckScope::kLearner, 3, false, "fit-smoke",
     "a fit from another model leaves that model as it is, and gives a usable model",
     &CapWarmStart},
};

}  // namespace

std::span<const Check> CapabilityChecks() { return kCapabilityChecks; }

}  // namespace crossfold::check
