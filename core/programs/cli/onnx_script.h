// The text of sdk/onnx/verify_onnx.py, which is built into the program.
#pragma once

namespace crossfold::cli {

const char* OnnxScript();

}  // namespace crossfold::cli
