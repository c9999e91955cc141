// A spec is a component with parameter values. It is immutable and is checked when it is made.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/column_choice.h"
#include "crossfold/component.h"
#include "crossfold/value.h"

namespace crossfold {

class Spec {
 public:
  static constexpr std::string_view kEarlyStoppingShare = "early_stopping_share";

  // Fills in defaults. 3.0 is accepted for an integer, 3.5 is not. Throws Error(kInvalidArgument)
  // with all problems at once: unknown names with the nearest known one, wrong types, values out of
  // range (with the range), parameters that the other values make inactive.
  //
  // A parameter that is a JSON object (CF_PF_OBJECT) is given as a string of JSON or as Nested.
  // "settings.max_depth" is the entry max_depth of the object settings: it is set in the object
  // that is given, too, or in the default. The spec has the object as one string, in the form of
  // CanonicalJsonText (crossfold/json_value.h), so that equal objects are equal strings.
  static std::shared_ptr<const Spec> Make(std::shared_ptr<const Component> component,
                                          const ParamValues& values);
  Spec(const Spec&) = delete;
  Spec& operator=(const Spec&) = delete;

  // Returns a copy with some values changed. An object keeps the entries that `changes` does not
  // name; one that is given as a whole replaces the old one.
  std::shared_ptr<const Spec> With(const ParamValues& changes) const;
  // Returns `changes` without parameters that the others make inactive, because With refuses these.
  // Names that With does not know stay.
  ParamValues WithoutInactive(const ParamValues& changes) const;

  const Component& component() const { return *component_; }
  std::shared_ptr<const Component> shared_component() const { return component_; }
  // The values that were given explicitly, normalised to the declared types. They include those of
  // AddedParams. A component that declares a parameter of such a name keeps its own.
  const ParamValues& given() const { return given_; }
  // The choice of features that a transform gets; null = all. It is valid as long as the spec.
  const ColumnChoice* columns() const { return columns_ ? &*columns_ : nullptr; }
  // The share of the training rows that is held out before the transforms are fitted, as validation
  // rows of the learner; nullopt = none.
  std::optional<double> early_stopping_share() const;
  // The part of `given` that sets AddedParams.
  ParamValues added() const;
  // The values of all declared parameters, including defaults, in the order of the declaration.
  std::span<const Value> values() const { return values_; }
  // The same as plugins get it. It is valid as long as the spec.
  std::span<const cf_arg> args() const { return args_; }
  // Whether a parameter of that name is declared, or an object that may have the entry of that
  // name.
  bool has_param(std::string_view name) const;
  // Returns the parameter of that name, declared or among AddedParams, and for the dotted name of an
  // entry its object; null = there is none. It is valid as long as the component.
  const ParamSpec* FindParam(std::string_view name) const;

  // Returns "knn{distance=manhattan,k=7}" or "standardize{columns=[age, bmi]}", which is the short
  // id with the given values, sorted by name. It is the identity of a candidate in seeds and
  // tables.
  std::string ToString() const { return TextWithout(0); }
  // Returns the same without the parameters that have any of these flags (CF_PF_...).
  std::string TextWithout(std::uint32_t flags) const;

 private:
  Spec() = default;

  std::shared_ptr<const Component> component_;
  ParamValues given_;
  std::optional<ColumnChoice> columns_;
  std::vector<Value> values_;
  std::vector<cf_arg> args_;
  std::deque<std::vector<const char*>> string_lists_;  // what args_ point to
};

// Shortens what Spec::ToString or Pipeline::ToString returned, for messages and reports: a list of
// more than 20 numbers, also in JSON, becomes the first 5 and how many more there are. Different specs may have
// the same short text.
std::string ShortSpecText(std::string_view text);

// Whether `param` has an effect with the given values and the defaults of the others, that is,
// whether its condition holds, and that of every parameter it depends on. REQUIRES: `param` is
// declared.
bool IsActive(const Component& component, std::string_view param, const ParamValues& given);

// Returns the parameters that a component has without declaring them: `columns` and `except` of a
// transform that can be given a choice of features, `early_stopping_share` of a learner that offers
// crossfold.validation/1.
std::vector<const ParamSpec*> AddedParams(const Component& component);

// Returns the problems of `values` under the declaration of `component`, one sentence each; empty =
// none.
std::vector<std::string> FindProblems(const Component& component, const ParamValues& values);

}  // namespace crossfold
