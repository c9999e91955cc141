// Transforms and then a learner, as one thing that is fitted on training rows only: preprocessing
// inside a pipeline cannot leak from test rows.
#pragma once

#include <cstddef>
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
    const ParamSpec* spec = nullptr;  // lives as long as the pipeline
  };

  // Steps in order; the last is a learner, all others transforms. Throws Error otherwise.
  static std::shared_ptr<const Pipeline> Make(std::vector<std::shared_ptr<const Spec>> steps);

  std::span<const std::shared_ptr<const Spec>> transforms() const {
    return {steps_.data(), steps_.size() - 1};
  }
  const Spec& learner() const { return *steps_.back(); }
  std::span<const std::shared_ptr<const Spec>> steps() const { return steps_; }

  // Changes parameters: "k", or "knn.k" with the step's short id where several steps have a k.
  // Throws Error for unknown and ambiguous names and for bad values, all problems at once.
  std::shared_ptr<const Pipeline> With(const ParamValues& changes) const;

  // What `name` means in With. Throws Error for an unknown or ambiguous name.
  Param Find(const std::string& name) const;

  // `changes` without the parameters that the others leave without effect, which With refuses.
  // Names that With does not know stay.
  ParamValues WithoutInactive(const ParamValues& changes) const;

  // "standardize|knn{k=7}".
  std::string ToString() const;
  // The same without what one fit of the learner serves at once (CF_PF_SUBMODEL):
  // "standardize|knn". Candidates of one family get the same random numbers, so that they may be
  // one fit.
  std::string FamilyName() const;

 private:
  explicit Pipeline(std::vector<std::shared_ptr<const Spec>> steps) : steps_(std::move(steps)) {}
  std::vector<std::shared_ptr<const Spec>> steps_;
};

}  // namespace crossfold
