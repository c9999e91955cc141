// How the models of each kind of ensemble predict together. The scripts in
// scripts/crossfold/ensemble and scripts/crossfold/adjust fit these models; their `combine` has the
// same arithmetic.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/ensemble_model.h"
#include "crossfold/outcome.h"

namespace crossfold {

// Predicts rows that have every feature of the member.
using PredictRows = std::function<Prediction(const DataView& rows)>;

struct EnsemblePart {
  std::string name;
  std::optional<std::vector<std::string>> features;  // that it sees; none = all
  PredictRows predict;
};

// Combines the predictions of the parts for rows, of which there is at least one. Throws Error.
using Combination =
    std::function<Prediction(const std::vector<EnsemblePart>& parts, const DataView& rows)>;

// The combination that a saved ensemble describes; empty if its options and members do not make
// one. Throws Error(kBadData) for a kind that is not known. `attempt` is "cannot load model
// 'a.cfm': ".
Combination CombinationOf(const SavedEnsemble& saved, const std::string& attempt);

}  // namespace crossfold
