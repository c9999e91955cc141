// Comparing an ONNX model with the model it was made of: sdk/onnx/verify_onnx.py, run by a Python.
#pragma once

#include <string>

#include "programs/cli/saved_model.h"

namespace crossfold::cli {

// Has the file checked and run on all rows; what was compared is printed. `python` is a program.
// Throws Error if they differ, or if it cannot be found out.
void VerifyOnnx(SavedModel& model, const DataView& rows, const std::string& file,
                const std::string& python);

}  // namespace crossfold::cli
