# cmake -DOUTPUT=file.cpp -DSCRIPT=sdk/onnx/verify_onnx.py -P embed_onnx_script.cmake
# Writes the script as a string literal.
file(READ "${SCRIPT}" text)
file(WRITE "${OUTPUT}" "// Made by embed_onnx_script.cmake.
#include \"programs/cli/onnx_script.h\"

namespace crossfold::cli {
const char* OnnxScript() { return R\"script(${text})script\"; }
}  // namespace crossfold::cli
")
