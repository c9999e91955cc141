#include "models/warm_start.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "crossfold/error.h"
#include "crossfold_plugin/capability.h"

namespace crossfold {
namespace {

std::string Quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

[[noreturn]] void Refuse(const std::string& attempt, const std::string& rest) {
  throw Error(ErrorKind::kInvalidArgument, attempt + rest);
}

// Returns "3 classes".
std::string WhatIsPredicted(std::size_t n_classes) {
  return n_classes == 0 ? "a number" : std::to_string(n_classes) + " classes";
}

// Returns how the first class differs; "" = all are the same.
std::string FindClassDifference(std::span<const std::string> known,
                                std::span<const std::string> found) {
  if (known.size() != found.size()) {
    return "it predicts " + WhatIsPredicted(known.size()) + ", the target is " +
           (found.empty() ? "a number" : "one of " + WhatIsPredicted(found.size()));
  }
  const auto [of_known, of_found] = std::ranges::mismatch(known, found);
  if (of_known == known.end()) return "";
  return "its class " + std::to_string(of_known - known.begin() + 1) + " is " + Quoted(*of_known) +
         ", that of the target is " + Quoted(*of_found);
}

const cf_cap_warm_start* TableOf(const Component& learner) {
  const auto* table = learner.capability<cf_cap_warm_start>(CF_CAP_WARM_START);
  return CF_HAS(table, cf_cap_warm_start, fit_from) && table->fit_from ? table : nullptr;
}

}  // namespace

void WarmStart::Check(const Spec& spec, const Dataset& data, const std::string& attempt) const {
  const Component& wanted = spec.component();
  const std::string id(ShortId(wanted.id));
  if (learner.id != wanted.id) {
    Refuse(attempt, "its learner is " + Quoted(ShortId(learner.id)) + "; start from a model of " +
                        Quoted(id));
  }
  if (TableOf(wanted) == nullptr) {
    Refuse(attempt,
           "learner " + Quoted(id) + " offers no " CF_CAP_WARM_START "; fit it without a start");
  }
  if (spec.early_stopping_share()) {
    Refuse(attempt,
           "a fit from a model holds no validation rows out; leave out early_stopping_share");
  }
  if (learner.learner != wanted.learner) {
    Refuse(attempt,
           "it was made by another copy of the plugin; load the model with the copy that fits");
  }
  const std::string difference = FindClassDifference(class_names, data.class_names());
  if (!difference.empty()) {
    Refuse(attempt, difference + "; start from a model of the same target");
  }
}

StepModel WarmStart::Fit(const Spec& wanted, const cf_table& train, std::uint64_t seed,
                         CallSite& site, const std::string& attempt) const {
  const std::string difference =
      features.FindDifference({train.features, static_cast<std::size_t>(train.n_features)});
  if (!difference.empty()) {
    Refuse(attempt, "its learner was fitted on different features: " + difference +
                        "; start from a model of the same features");
  }
  const cf_cap_warm_start& table = *TableOf(wanted.component());
  return MakeModel(wanted.component(), seed, site, [&](const cf_call* call, cf_model** made) {
    return table.fit_from(call, wanted.args().data(), wanted.args().size(), &train, model, made);
  });
}

}  // namespace crossfold
