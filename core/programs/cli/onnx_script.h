// The text of sdk/onnx/verify_onnx.py, which is built into the program.
#pragma once

#include <string_view>

namespace crossfold::cli {

std::string_view OnnxScript();

}  // namespace crossfold::cli
