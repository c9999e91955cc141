// A fitted pipeline as one ONNX model: the graphs that its steps write (crossfold.onnx/1), joined.
// docs/onnx.md describes graphs and models.
#pragma once

#include <string>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/fitted_model.h"
#include "crossfold/json_value.h"
#include "crossfold/spec.h"
#include "engine/run/step_call.h"
#include "models/model_file.h"

namespace crossfold {

inline constexpr const char* kOnnxFormat = "onnx";

// The first step that does not offer crossfold.onnx/1; null = all do. A step that takes no column
// need not.
const Component* StepWithoutOnnx(const ModelParts& parts);

// Returns the bytes of a ModelProto. `attempt` begins messages. Throws Error, StepError.
// REQUIRES: StepWithoutOnnx returned null, and nobody else uses the models.
std::string WriteOnnx(const ModelParts& parts, const std::string& attempt, CallSite& site);

}  // namespace crossfold
