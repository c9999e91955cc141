// The learner of a fitted pipeline as the start of another fit: crossfold.warm-start/1.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "crossfold/dataset.h"
#include "crossfold/spec.h"
#include "engine/run/step_operations.h"
#include "engine/run/table_schema.h"

namespace crossfold {

struct WarmStart {
  const Component& learner;
  const cf_model* model;
  const TableSchema& features;  // that the learner was fitted on, after the transforms
  std::span<const std::string> class_names;

  // Throws Error(kInvalidArgument) if no fit of `spec` on rows of `data` can start here.
  // `attempt` begins messages: "cannot fit 'knn' on dataset 'iris' from the model of 'knn{k=3}': ".
  void Check(const Spec& spec, const Dataset& data, const std::string& attempt) const;

  // Fits the learner. Throws StepError, and Error(kInvalidArgument) if the features differ.
  // REQUIRES: Check passed, and nobody else uses the model.
  StepModel Fit(const Spec& wanted, const cf_table& train, std::uint64_t seed, CallSite& site,
                const std::string& attempt) const;
};

}  // namespace crossfold
