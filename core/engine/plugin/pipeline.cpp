#include "crossfold/pipeline.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "crossfold/nearest_name.h"
#include "engine/plugin/problems.h"

namespace crossfold {
namespace {

using Steps = std::vector<std::shared_ptr<const Spec>>;

std::string StepName(const Spec& step) { return std::string(ShortId(step.component().id)); }

std::string Joined(const Steps& steps) {
  std::string text;
  for (const auto& step : steps) text += (text.empty() ? "" : "|") + step->ToString();
  return text;
}

// What a name means in a step: "k", "knn.k", "crossfold.knn.k" or, with the number of the step,
// "2.k". It returns "k", and "" if the step has no such parameter. "settings.k" is an entry of the
// object "settings".
std::string_view ParamOfStep(const Steps& steps, std::size_t i, std::string_view name) {
  const Spec& step = *steps[i];
  if (step.FindParam(name) != nullptr) return name;
  const std::string& id = step.component().id;
  const std::string number = std::to_string(i + 1);
  for (const std::string_view prefix :
       {std::string_view(number), ShortId(id), std::string_view(id)}) {
    if (!name.starts_with(prefix) || !name.substr(prefix.size()).starts_with('.')) continue;
    const std::string_view param = name.substr(prefix.size() + 1);
    if (step.FindParam(param) != nullptr) return param;
  }
  return "";
}

// A parameter of a step.
struct Match {
  std::size_t step = 0;
  std::string param;
};

// Returns the steps that declare the parameter. If there are none, it returns those that have it
// without declaring it, as every transform has `columns`.
std::vector<Match> Matches(const Steps& steps, std::string_view name) {
  std::vector<Match> declared, matches;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string_view param = ParamOfStep(steps, i, name);
    if (param.empty()) continue;
    matches.push_back({i, std::string(param)});
    if (steps[i]->has_param(param)) declared.push_back(matches.back());
  }
  return declared.empty() ? matches : declared;
}

bool HasUniqueStep(const Steps& steps, std::size_t i, std::string_view param) {
  return Matches(steps, StepName(*steps[i]) + "." + std::string(param)).size() == 1;
}

// Returns "knn.k", or "2.k" if several steps with this id have a k.
std::string NameOfStep(const Steps& steps, std::size_t i, std::string_view param) {
  const bool is_unique = HasUniqueStep(steps, i, param);
  return (is_unique ? StepName(*steps[i]) : std::to_string(i + 1)) + "." + std::string(param);
}

// Returns the shortest unambiguous name of each parameter.
std::vector<std::string> KnownTargets(const Steps& steps) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const ParamSpec& param : steps[i]->component().params) {
      const bool is_unique = Matches(steps, param.name).size() == 1;
      names.push_back(is_unique ? param.name : NameOfStep(steps, i, param.name));
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string Ambiguous(const Steps& steps, const std::vector<Match>& matches,
                      const std::string& name) {
  std::string candidates;
  for (const auto& [i, param] : matches) {
    const bool is_unique = HasUniqueStep(steps, i, param);
    candidates += (candidates.empty() ? "" : ", ") + NameOfStep(steps, i, param) + " (" +
                  (is_unique ? "step " + std::to_string(i + 1) : StepName(*steps[i])) + ")";
  }
  return "parameter '" + name + "' is ambiguous: " + candidates;
}

// Returns the changes of each step. Changes that fit no step go to `problems`.
std::vector<ParamValues> Distribute(const Steps& steps, const ParamValues& changes,
                                    std::vector<std::string>& problems) {
  std::vector<ParamValues> changes_of(steps.size());
  for (const auto& [name, value] : changes) {
    const std::vector<Match> matches = Matches(steps, name);
    if (matches.empty()) {
      problems.push_back("unknown parameter '" + name + "'; " +
                         KnownNames(name, KnownTargets(steps)));
    } else if (matches.size() > 1) {
      problems.push_back(Ambiguous(steps, matches, name));
    } else if (!changes_of[matches[0].step].emplace(matches[0].param, value).second) {
      problems.push_back("parameter '" + name + "' is given twice");
    }
  }
  return changes_of;
}

}  // namespace

std::shared_ptr<const Pipeline> Pipeline::Make(Steps steps) {
  std::vector<std::string> problems;
  std::string subject;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Kind kind = steps[i]->component().kind;
    const bool is_last = i + 1 == steps.size();
    subject += (i == 0 ? "" : "|") + StepName(*steps[i]);
    if (kind == (is_last ? Kind::kLearner : Kind::kTransform)) continue;
    problems.push_back("step " + std::to_string(i + 1) + ", '" + StepName(*steps[i]) + "', is a " +
                       std::string(KindName(kind)) +
                       (is_last ? "; the last step must be a learner"
                                : "; every step before the last must be a transform"));
  }
  if (steps.empty()) problems.emplace_back("it has no steps; the last step must be a learner");
  ThrowIfAny("cannot make pipeline '" + subject + "'", problems);
  return std::shared_ptr<const Pipeline>(new Pipeline(std::move(steps)));
}

std::shared_ptr<const Pipeline> Pipeline::With(const ParamValues& changes) const {
  std::vector<std::string> problems;
  const std::vector<ParamValues> changes_of = Distribute(steps_, changes, problems);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (changes_of[i].empty()) continue;
    ParamValues values = changes_of[i];
    values.insert(steps_[i]->given().begin(), steps_[i]->given().end());
    for (const std::string& problem : FindProblems(steps_[i]->component(), values)) {
      problems.push_back(steps_.size() == 1 ? problem : StepName(*steps_[i]) + ": " + problem);
    }
  }
  if (!problems.empty()) ThrowIfAny("cannot change '" + ShortSpecText(ToString()) + "'", problems);
  Steps steps = steps_;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!changes_of[i].empty()) steps[i] = steps[i]->With(changes_of[i]);
  }
  return Make(std::move(steps));
}

Pipeline::Param Pipeline::Find(const std::string& name) const {
  const std::vector<Match> matches = Matches(steps_, name);
  if (matches.size() != 1) {
    const std::string problem = matches.empty() ? "unknown parameter '" + name + "'; " +
                                                      KnownNames(name, KnownTargets(steps_))
                                                : Ambiguous(steps_, matches, name);
    ThrowIfAny("cannot change '" + ShortSpecText(ToString()) + "'", {problem});
  }
  const auto& [step, param] = matches[0];
  return {step, steps_[step]->FindParam(param), param};
}

ParamValues Pipeline::WithoutInactive(const ParamValues& changes) const {
  std::vector<std::string> unplaced;
  const std::vector<ParamValues> changes_of = Distribute(steps_, changes, unplaced);
  ParamValues active;
  for (const auto& [name, value] : changes) {
    const std::vector<Match> matches = Matches(steps_, name);
    if (matches.size() == 1) {
      const auto& [i, param] = matches[0];
      const ParamValues kept = steps_[i]->WithoutInactive(changes_of[i]);
      if (!kept.contains(param)) continue;
    }
    active.emplace(name, value);
  }
  return active;
}

std::string Pipeline::ToString() const { return Joined(steps_); }

std::string Pipeline::FamilyName() const {
  std::string name;
  for (const std::shared_ptr<const Spec>& step : transforms()) name += DefinitionOf(*step, 0) + "|";
  return name + DefinitionOf(learner(), CF_PF_SUBMODEL | CF_PF_NO_EFFECT_ON_RESULT);
}

std::string DefinitionOf(const Spec& spec, std::uint32_t flags) {
  ParamValues values;
  for (const auto& [name, value] : spec.given()) {
    if (spec.FindParam(name)->default_value != value) values.emplace(name, value);
  }
  return Spec::Make(spec.shared_component(), values)->TextWithout(flags);
}

}  // namespace crossfold
