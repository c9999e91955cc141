#include "models/onnx_bytes.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "crossfold/error.h"

namespace crossfold {
namespace {

enum class Type { kInteger, kFloat, kDouble, kText, kBytes, kMessage };
enum class Count { kOne, kMany, kPacked };

struct Message;
struct Field {
  const char* name;  // in snake case
  std::uint32_t number;
  Type type;
  Count count = Count::kOne;
  const Message* message = nullptr;  // of kMessage
};
// `fields` are in the order of their numbers.
struct Message {
  const char* name;
  std::span<const Field> fields;
};

extern const Message kModel, kGraph, kNode, kAttribute, kTensor, kValueInfo, kType, kTensorType,
    kShape, kDimension, kOperatorSet, kEntry;

constexpr Field kModelFields[] = {{"ir_version", 1, Type::kInteger},
                                  {"producer_name", 2, Type::kText},
                                  {"producer_version", 3, Type::kText},
                                  {"domain", 4, Type::kText},
                                  {"model_version", 5, Type::kInteger},
                                  {"doc_string", 6, Type::kText},
                                  {"graph", 7, Type::kMessage, Count::kOne, &kGraph},
                                  {"opset_import", 8, Type::kMessage, Count::kMany, &kOperatorSet},
                                  {"metadata_props", 14, Type::kMessage, Count::kMany, &kEntry}};
constexpr Field kGraphFields[] = {{"node", 1, Type::kMessage, Count::kMany, &kNode},
                                  {"name", 2, Type::kText},
                                  {"initializer", 5, Type::kMessage, Count::kMany, &kTensor},
                                  {"doc_string", 10, Type::kText},
                                  {"input", 11, Type::kMessage, Count::kMany, &kValueInfo},
                                  {"output", 12, Type::kMessage, Count::kMany, &kValueInfo},
                                  {"value_info", 13, Type::kMessage, Count::kMany, &kValueInfo}};
constexpr Field kNodeFields[] = {{"input", 1, Type::kText, Count::kMany},
                                 {"output", 2, Type::kText, Count::kMany},
                                 {"name", 3, Type::kText},
                                 {"op_type", 4, Type::kText},
                                 {"attribute", 5, Type::kMessage, Count::kMany, &kAttribute},
                                 {"doc_string", 6, Type::kText},
                                 {"domain", 7, Type::kText}};
constexpr Field kAttributeFields[] = {{"name", 1, Type::kText},
                                      {"f", 2, Type::kFloat},
                                      {"i", 3, Type::kInteger},
                                      {"s", 4, Type::kBytes},
                                      {"t", 5, Type::kMessage, Count::kOne, &kTensor},
                                      {"g", 6, Type::kMessage, Count::kOne, &kGraph},
                                      {"floats", 7, Type::kFloat, Count::kMany},
                                      {"ints", 8, Type::kInteger, Count::kMany},
                                      {"strings", 9, Type::kBytes, Count::kMany},
                                      {"tensors", 10, Type::kMessage, Count::kMany, &kTensor},
                                      {"graphs", 11, Type::kMessage, Count::kMany, &kGraph},
                                      {"doc_string", 13, Type::kText},
                                      {"type", 20, Type::kInteger}};
constexpr Field kTensorFields[] = {{"dims", 1, Type::kInteger, Count::kMany},
                                   {"data_type", 2, Type::kInteger},
                                   {"float_data", 4, Type::kFloat, Count::kPacked},
                                   {"int32_data", 5, Type::kInteger, Count::kPacked},
                                   {"string_data", 6, Type::kBytes, Count::kMany},
                                   {"int64_data", 7, Type::kInteger, Count::kPacked},
                                   {"name", 8, Type::kText},
                                   {"raw_data", 9, Type::kBytes},
                                   {"double_data", 10, Type::kDouble, Count::kPacked},
                                   {"uint64_data", 11, Type::kInteger, Count::kPacked},
                                   {"doc_string", 12, Type::kText}};
constexpr Field kValueInfoFields[] = {{"name", 1, Type::kText},
                                      {"type", 2, Type::kMessage, Count::kOne, &kType},
                                      {"doc_string", 3, Type::kText}};
constexpr Field kTypeFields[] = {{"tensor_type", 1, Type::kMessage, Count::kOne, &kTensorType}};
constexpr Field kTensorTypeFields[] = {{"elem_type", 1, Type::kInteger},
                                       {"shape", 2, Type::kMessage, Count::kOne, &kShape}};
constexpr Field kShapeFields[] = {{"dim", 1, Type::kMessage, Count::kMany, &kDimension}};
constexpr Field kDimensionFields[] = {{"dim_value", 1, Type::kInteger},
                                      {"dim_param", 2, Type::kText}};
constexpr Field kOperatorSetFields[] = {{"domain", 1, Type::kText}, {"version", 2, Type::kInteger}};
constexpr Field kEntryFields[] = {{"key", 1, Type::kText}, {"value", 2, Type::kText}};

const Message kModel{"ModelProto", kModelFields}, kGraph{"GraphProto", kGraphFields},
    kNode{"NodeProto", kNodeFields}, kAttribute{"AttributeProto", kAttributeFields},
    kTensor{"TensorProto", kTensorFields}, kValueInfo{"ValueInfoProto", kValueInfoFields},
    kType{"TypeProto", kTypeFields}, kTensorType{"TypeProto.Tensor", kTensorTypeFields},
    kShape{"TensorShapeProto", kShapeFields},
    kDimension{"TensorShapeProto.Dimension", kDimensionFields},
    kOperatorSet{"OperatorSetIdProto", kOperatorSetFields},
    kEntry{"StringStringEntryProto", kEntryFields};

// AttributeProto.AttributeType, the one enumeration among these fields.
constexpr std::string_view kAttributeTypes[] = {"UNDEFINED", "FLOAT",   "INT",    "STRING",
                                                "TENSOR",    "GRAPH",   "FLOATS", "INTS",
                                                "STRINGS",   "TENSORS", "GRAPHS"};

[[noreturn]] void Refuse(const std::string& finding) { throw Error(ErrorKind::kBadData, finding); }

std::string CamelCase(std::string_view snake) {
  std::string camel;
  for (std::size_t i = 0; i < snake.size(); ++i) {
    if (snake[i] != '_') {
      camel += snake[i];
    } else if (++i < snake.size()) {
      camel += static_cast<char>(snake[i] - 'a' + 'A');
    }
  }
  return camel;
}

void AppendVarint(std::uint64_t number, std::string& bytes) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  bytes += static_cast<char>(number);
}

template <class T>
void AppendLittleEndian(T bits, std::string& bytes) {
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>(bits >> (8 * i));
}

// Reads a number in decimal, which has to be the whole text.
template <class T>
std::optional<T> NumberIn(std::string_view text) {
  T number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// 64-bit integers may be strings in protobuf's JSON, and names of an enumeration are.
std::optional<std::uint64_t> IntegerOf(const JsonValue& value) {
  if (const auto* i = value.As<std::int64_t>()) return static_cast<std::uint64_t>(*i);
  if (const auto* u = value.As<std::uint64_t>()) return *u;
  const auto* text = value.As<std::string>();
  if (text == nullptr) return std::nullopt;
  const auto* const name = std::ranges::find(kAttributeTypes, *text);
  if (name != std::end(kAttributeTypes)) {
    return static_cast<std::uint64_t>(name - std::begin(kAttributeTypes));
  }
  if (const auto i = NumberIn<std::int64_t>(*text)) return static_cast<std::uint64_t>(*i);
  return NumberIn<std::uint64_t>(*text);
}

std::optional<double> DoubleOf(const JsonValue& value) {
  if (const auto* d = value.As<double>()) return *d;
  if (const auto* i = value.As<std::int64_t>()) return static_cast<double>(*i);
  if (const auto* u = value.As<std::uint64_t>()) return static_cast<double>(*u);
  const auto* text = value.As<std::string>();
  if (text == nullptr) return std::nullopt;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (*text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (*text == "Infinity") return kInfinity;
  if (*text == "-Infinity") return -kInfinity;
  return NumberIn<double>(*text);
}

// The place of a digit of base64, in the alphabet of JSON or that of URLs; 64 = none.
std::uint32_t Base64Digit(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a' + 26);
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0' + 52);
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return 64;
}

std::optional<std::string> FromBase64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int n_bits = 0;
  for (const char c : text) {
    const std::uint32_t digit = Base64Digit(c);
    if (digit == 64) return std::nullopt;
    bits = bits << 6 | digit;
    n_bits += 6;
    if (n_bits < 8) continue;
    n_bits -= 8;
    bytes += static_cast<char>(bits >> n_bits);
  }
  if (n_bits == 6) return std::nullopt;  // one digit does not make a byte
  return bytes;
}

class Encoder {
 public:
  static std::string Encode(const Message& message, const JsonValue& json) {
    const auto* members = json.As<JsonObject>();
    if (members == nullptr) Refuse(std::string("a ") + message.name + " is not an object");
    std::vector<const JsonValue*> values(message.fields.size());
    for (const JsonMember& member : *members) {
      const auto found = std::ranges::find_if(message.fields, [&](const Field& field) {
        return member.name == field.name || member.name == CamelCase(field.name);
      });
      if (found == message.fields.end()) {
        Refuse(std::string(message.name) + " has no field '" + member.name + "'");
      }
      if (member.value.As<Null>() != nullptr) continue;
      values[static_cast<std::size_t>(found - message.fields.begin())] = &member.value;
    }
    std::string bytes;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != nullptr) AppendField(message, message.fields[i], *values[i], bytes);
    }
    return bytes;
  }

 private:
  static void AppendField(const Message& message, const Field& field, const JsonValue& value,
                          std::string& bytes) {
    if (field.count == Count::kOne) {
      AppendTag(field, bytes);
      return AppendContent(message, field, value, bytes);
    }
    const auto* list = value.As<JsonList>();
    if (list == nullptr) RefuseField(message, field, "a list");
    if (field.count == Count::kMany) {
      for (const JsonValue& item : *list) {
        AppendTag(field, bytes);
        AppendContent(message, field, item, bytes);
      }
    } else if (!list->empty()) {
      std::string packed;
      for (const JsonValue& item : *list) AppendContent(message, field, item, packed);
      AppendVarint(field.number << 3 | kLengthWire, bytes);
      AppendText(packed, bytes);
    }
  }

  static void AppendTag(const Field& field, std::string& bytes) {
    std::uint32_t wire = kLengthWire;
    if (field.type == Type::kInteger) wire = 0;
    if (field.type == Type::kDouble) wire = 1;
    if (field.type == Type::kFloat) wire = 5;
    AppendVarint(field.number << 3 | wire, bytes);
  }

  static void AppendContent(const Message& message, const Field& field, const JsonValue& value,
                            std::string& bytes) {
    switch (field.type) {
      case Type::kInteger: {
        const auto number = IntegerOf(value);
        if (!number) RefuseField(message, field, "an integer");
        return AppendVarint(*number, bytes);
      }
      case Type::kFloat:
      case Type::kDouble: {
        const auto number = DoubleOf(value);
        if (!number) RefuseField(message, field, "a number");
        if (field.type == Type::kDouble) {
          return AppendLittleEndian(std::bit_cast<std::uint64_t>(*number), bytes);
        }
        return AppendLittleEndian(std::bit_cast<std::uint32_t>(static_cast<float>(*number)), bytes);
      }
      case Type::kText:
      case Type::kBytes: {
        const auto* text = value.As<std::string>();
        if (text == nullptr) RefuseField(message, field, "a string");
        if (field.type == Type::kText) return AppendText(*text, bytes);
        const auto decoded = FromBase64(*text);
        if (!decoded) RefuseField(message, field, "base64");
        return AppendText(*decoded, bytes);
      }
      case Type::kMessage:
        return AppendText(Encode(*field.message, value), bytes);
    }
  }

  static void AppendText(std::string_view text, std::string& bytes) {
    AppendVarint(text.size(), bytes);
    bytes += text;
  }

  [[noreturn]] static void RefuseField(const Message& message, const Field& field,
                                       const std::string& expected) {
    Refuse(std::string("field '") + field.name + "' of " + message.name + " is not " + expected);
  }

  static constexpr std::uint32_t kLengthWire = 2;
};

}  // namespace

std::string ToBase64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) text += k <= n ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string OnnxModelBytes(const JsonValue& model) { return Encoder::Encode(kModel, model); }

}  // namespace crossfold
