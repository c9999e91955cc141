// A pipeline has transforms and then a learner. It is fitted as a whole on training rows only, so
// that its preprocessing cannot leak from test rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crossfold/spec.h"

namespace crossfold {

class Pipeline {
 public:
  // A declared parameter of one step.
  struct Param {
    std::size_t step = 0;             // from 0
    const ParamSpec* spec = nullptr;  // lives as long as the pipeline; the object of an entry
    std::string name;                 // "k", or "settings.max_depth" of an entry
  };

  // Takes steps in order. Throws Error unless the last one is a learner and all others are
  // transforms.
  static std::shared_ptr<const Pipeline> Make(std::vector<std::shared_ptr<const Spec>> steps);

  std::span<const std::shared_ptr<const Spec>> transforms() const {
    return {steps_.data(), steps_.size() - 1};
  }
  const Spec& learner() const { return *steps_.back(); }
  std::span<const std::shared_ptr<const Spec>> steps() const { return steps_; }

  // Changes parameters, named as "k", or as "knn.k" with the step's short id if several steps have
  // a k. Entries of objects are "settings.max_depth" and "sklearn.settings.max_depth". Throws Error
  // for unknown and ambiguous names and for bad values, all problems at once.
  std::shared_ptr<const Pipeline> With(const ParamValues& changes) const;

  // Finds the parameter that `name` means in With. Throws Error for an unknown or ambiguous name.
  Param Find(const std::string& name) const;

  // Returns `changes` without parameters that the others make inactive, because With refuses these.
  // Names that With does not know stay.
  ParamValues WithoutInactive(const ParamValues& changes) const;

  // Returns "standardize|knn{k=7}".
  std::string ToString() const;
  // Returns the definitions of the steps without the parameters that one fit of the learner serves
  // at once (CF_PF_SUBMODEL): "standardize|knn". Learners of one family get the same random
  // numbers, so that they can share a fit.
  std::string FamilyName() const;

 private:
  explicit Pipeline(std::vector<std::shared_ptr<const Spec>> steps) : steps_(std::move(steps)) {}
  std::vector<std::shared_ptr<const Spec>> steps_;
};

// Returns the text of a spec without the values that are the defaults, so that equal specs have
// equal texts, and without the parameters that have any of these flags (CF_PF_...).
std::string DefinitionOf(const Spec& spec, std::uint32_t flags);

}  // namespace crossfold
