// The check of crossfold.validation/1: a fit with validation rows.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/random_settings.h"
#include "check/subject.h"
#include "check/table_copy.h"

namespace crossfold::check {
namespace {

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
      const std::string difference = Difference(FitAsk(*spec, subject.train, subject.all),
                                                FitAsk(*subject.spec, subject.train, subject.all));
      if (difference.empty()) continue;
      context.Fail("its params name '" + param->name + "', which matters to fit() " +
                   subject.Where() + ": " + difference);
      return;
    }
  }
}

void CapValidation(CheckContext& context) {
  constexpr int kDraws = 4;
  if (context.component().capability<cf_cap_validation>(CF_CAP_VALIDATION) == nullptr) {
    context.Skip("it does not offer crossfold.validation/1");
  }
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

constexpr Check kValidationChecks[] = {
    {"cap-validation", CheckScope::kLearner, 3, false, "fit-smoke",
     "a fit with validation rows follows from the set of these rows, and gives a usable model",
     &CapValidation},
};

}  // namespace

std::span<const Check> ValidationChecks() { return kValidationChecks; }

}  // namespace crossfold::check
