// A message of ONNX, given in the JSON form of protobuf, as the bytes of protobuf. Only what a
// model of operators needs is known: no training, functions, sparse tensors or external data.
//
// It stands in for libprotobuf: a process that holds two copies of that library with ONNX's
// messages ends in both, so a host such as Python could not load Crossfold next to onnx.
// tests/onnx compares the bytes with those of the packaged definitions.
#pragma once

#include <string>
#include <string_view>

#include "crossfold/json_value.h"

namespace crossfold {

// `model` is a ModelProto. Field names are in camel or snake case. Fields are written in the order
// of their numbers, so equal models have equal bytes. Throws Error(kBadData)
//   field 'dims' of TensorProto is not an integer
std::string OnnxModelBytes(const JsonValue& model);

// Bytes as the JSON of protobuf writes them.
std::string ToBase64(std::string_view bytes);

}  // namespace crossfold
