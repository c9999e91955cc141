// The learner tests/data/probe.crossfold: a program in Python that predicts from sums over what it
// was given, and misbehaves on request.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/cancel_token.h"
#include "unit/isolate/isolated_cells.h"
#include "unit/plugins/capability_laws.h"

namespace crossfold {

inline const char* const kProbe = "org.example.probe";

// With the bundled plugins of this build, whose `exec` serves the probe.
inline const PluginHost& ProbeHost() {
  static const PluginHost host({.paths = {CROSSFOLD_PROBE_FOLDER},
                                .use_environment = false,
                                .use_user_folder = false,
                                .use_installation = false,
                                .log = {}});
  return host;
}

inline std::shared_ptr<const Spec> Probe(const ParamValues& values = {}) {
  return Spec::Make(ProbeHost().Find(Kind::kLearner, kProbe), values);
}

inline std::shared_ptr<const Pipeline> ProbeLearner(const ParamValues& values = {}) {
  return Pipeline::Make({Probe(values)});
}

// It does `action` in the stage "fit".
inline ParamValues ProbeAction(const std::string& action) { return {{"action", action}}; }

inline Prediction ProbePrediction(const ParamValues& values, const DataView& train,
                                  const DataView& test, const RunOptions& options = {}) {
  return FittedModel::Fit(ProbeLearner(values), train, 1, options)->Predict(test, options);
}

}  // namespace crossfold
