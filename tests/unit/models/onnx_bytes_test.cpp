// ONNX models as bytes. tests/onnx compares whole models with what the packaged definitions of ONNX
// write.
#include "models/onnx_bytes.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

std::string Hex(const std::string& bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {kDigits[byte / 16], kDigits[byte % 16]};
  }
  return text;
}

// The bytes are those of json_format.ParseDict(document, onnx.ModelProto()) and SerializeToString()
// of python3-onnx 1.12.0 and python3-protobuf 3.21.12.
TEST(OnnxBytesTest, EveryFormThatJsonAllowsGivesTheBytesOfProtobuf) {
  const JsonValue model = ReadJson(R"({"irVersion": "7", "producer_name": "a",
    "opsetImport": [{"domain": "", "version": 13}],
    "graph": {"name": "g",
      "node": [{"opType": "Add", "input": ["x", ""], "output": ["y"], "attribute": [
        {"name": "f", "type": "FLOAT", "f": 0.5}, {"name": "i", "type": 2, "i": -1},
        {"name": "s", "type": "STRING", "s": "/+8="},
        {"name": "l", "type": "INTS", "ints": [1, "300"]},
        {"name": "n", "type": "FLOATS", "floats": ["NaN", "-Infinity"]}]}],
      "initializer": [{"dims": [2], "dataType": 11, "name": "c", "doubleData": [1.5, "Infinity"]},
        {"name": "d", "data_type": 7, "int64Data": [-2, "9007199254740993"], "docString": null},
        {"name": "e", "dataType": 8, "stringData": ["aGk"]},
        {"name": "r", "dataType": 11, "rawData": "AAAAAAAA-D8="}],
      "output": [{"name": "y", "type": {"tensorType": {"elemType": 11, "shape": {"dim": [
        {"dimParam": "rows"}, {"dimValue": 1}]}}}}]}})");
  EXPECT_EQ(
      Hex(OnnxModelBytes(model)),
      "08071201613ac8010a580a01780a0012017922034164642a0b0a0166150000003fa001012a110a016918ffffff"
      "ffffffffffff01a001022a0a0a01732202ffefa001032a0b0a016c400140ac02a001072a100a016e3d0000c07f"
      "3d000080ffa001061201672a190802100b4201635210000000000000f83f000000000000f07f2a1910073a12fe"
      "ffffffffffffffff0181808080808080104201642a091008320268694201652a0f100b4201724a080000000000"
      "00f83f62170a017912120a10080b120c0a061204726f77730a02080142040a00100d");
}

TEST(OnnxBytesTest, WhatIsNoModelIsNamed) {
  for (const auto& [text, finding] : {
           std::pair{R"([])", "a ModelProto is not an object"},
           std::pair{R"({"functions": []})", "ModelProto has no field 'functions'"},
           std::pair{R"({"irVersion": "x"})", "field 'ir_version' of ModelProto is not an integer"},
           std::pair{R"({"irVersion": 7.5})", "field 'ir_version' of ModelProto is not an integer"},
           std::pair{R"({"domain": 1})", "field 'domain' of ModelProto is not a string"},
           std::pair{R"({"graph": {"node": {}}})", "field 'node' of GraphProto is not a list"},
           std::pair{R"({"graph": {"initializer": [{"rawData": "a"}]}})",
                     "field 'raw_data' of TensorProto is not base64"},
           std::pair{R"({"graph": {"initializer": [{"rawData": "?AAA"}]}})",
                     "field 'raw_data' of TensorProto is not base64"},
           std::pair{R"({"graph": {"initializer": [{"doubleData": ["1.5x"]}]}})",
                     "field 'double_data' of TensorProto is not a number"},
       }) {
    fixture::ExpectError(ErrorKind::kBadData, finding, [&] { OnnxModelBytes(ReadJson(text)); });
  }
}

// RFC 4648, section 10.
TEST(OnnxBytesTest, Base64IsThatOfTheStandard) {
  EXPECT_EQ(ToBase64(""), "");
  EXPECT_EQ(ToBase64("f"), "Zg==");
  EXPECT_EQ(ToBase64("fo"), "Zm8=");
  EXPECT_EQ(ToBase64("foo"), "Zm9v");
  EXPECT_EQ(ToBase64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(ToBase64("\xff\xfe"), "//4=");
}

}  // namespace
}  // namespace crossfold
