// The file format of fitted models, version 1, in the frame and fields of file_fields.h:
//
//   "CFXMODEL", format version (4 bytes)
//   outline
//   list of steps: text component id, text component version, text plugin id, text plugin version,
//     text SHA-256 of the plugin's file, serialize format (4),
//     list of parameters: text name, given (1), value,
//     for a transform the list of declarations of the columns that it made,
//     length and bytes of what crossfold.serialize/1 wrote
//   SHA-256 (32 bytes) over all that
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "crossfold/fitted_model.h"
#include "engine/run/fit_predict.h"
#include "engine/run/step_call.h"
#include "engine/run/table_schema.h"

namespace crossfold {

struct ModelParts {
  std::shared_ptr<const Pipeline> pipeline;  // outlives steps
  FittedSteps steps;
  TableSchema schema;  // of the training features
  TrainingFacts training;
  std::uint64_t seed = 0;
};

// Writes a model. `attempt` begins messages: "cannot save model 'a.cfm': ". Throws Error,
// StepError.
std::string WriteModel(const ModelParts& parts, const std::string& attempt, CallSite& site);

// Reads a model. `attempt` is "cannot load model 'a.cfm': ". Any bytes are safe; throws Error for
// invalid ones.
ModelParts ReadModel(std::string_view bytes, const std::string& attempt, const PluginHost& plugins);

}  // namespace crossfold
