// A graph of ONNX operators, built node by node: what crossfold.onnx/1 asks for. Text, shapes and
// the meaning of inputs and outputs: docs/onnx.md.
//
//   const auto centred = graph.Node("Sub", {graph.Column(0), graph.Number(mean_)});
//   graph.SetOutput("age", graph.Node("Div", {centred, graph.Number(sd_)}));
//
// The operators are those of ai.onnx, version 13; OnnxGraph does not check their inputs.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crossfold::plugin {

// Element types of ONNX, for Cast.
inline constexpr std::int64_t kOnnxInt64 = 7, kOnnxBool = 9, kOnnxDouble = 11;

// A template, so that only plugins that make graphs compile its functions: OnnxGraph, below.
template <class Text>
class BasicOnnxGraph {
 public:
  using Value = Text;  // the name of a tensor
  struct Attribute {
    const char* name;
    std::int64_t number;
    bool is_list = false;  // a list of this one number, such as the axes of ReduceMax
  };

  // The graph gets this number of columns.
  explicit BasicOnnxGraph(std::int64_t n_columns) : n_columns_(n_columns) {}

  std::int64_t num_columns() const { return n_columns_; }
  // Column j: doubles of shape [rows, 1]; a category is its code, a missing entry NaN.
  // REQUIRES: 0 <= j < num_columns().
  static Value Column(std::int64_t j);
  // All columns side by side, of shape [rows, num_columns()]. REQUIRES: num_columns() > 0.
  Value Columns();

  // Constants, in row-major order. REQUIRES: the product of `dims` is the number of entries.
  Value Numbers(std::span<const double> numbers, std::initializer_list<std::size_t> dims);
  Value Integers(std::span<const std::int64_t> numbers, std::initializer_list<std::size_t> dims);
  // One number, of shape [], which takes any shape.
  Value Number(double number);
  Value Integer(std::int64_t number);
  // A list of one integer, as operators take their axes.
  Value Axis(std::int64_t axis);

  // Adds a node with one output and returns that.
  Value Node(std::string_view op, std::span<const Value> inputs,
             std::initializer_list<Attribute> attributes = {});
  Value Node(std::string_view op, std::initializer_list<Value> inputs,
             std::initializer_list<Attribute> attributes = {});

  // The k smallest entries of each row of [rows, n], the smallest first, and their places; equal
  // ones are in the order of their places.
  struct Smallest {
    Value entries, places;  // [rows, k]
  };
  Smallest SmallestInRows(const Value& entries, std::int64_t k);

  // Names a result: "label", "probabilities" or "value" of a learner, a column that a transform
  // makes.
  void SetOutput(std::string_view name, const Value& value);

  // The graph as the GraphProto of ONNX, in the JSON form that protobuf defines.
  Text ToJson() const;

 private:
  static constexpr const char* kInteger = R"(,"type":"INT","i":)";
  static constexpr const char* kIntegers = R"(,"type":"INTS","ints":[)";

  Value NewValue();
  void AddNode(std::string_view op, std::span<const Value> inputs, std::span<const Value> outputs,
               std::initializer_list<Attribute> attributes);
  static Text ListOf(std::span<const Value> names);
  static void BeginItem(Text& list);
  static Text Quoted(std::string_view text);
  // Little-endian numbers of 64 bits, as base64 text.
  template <class T>
  static void AppendBase64(std::span<const T> numbers, Text& text);
  template <class T>
  Value Constant(std::int64_t type, std::span<const T> numbers,
                 std::initializer_list<std::size_t> dims);

  std::int64_t n_columns_;
  std::size_t n_values_ = 0;
  Value columns_;                     // of Columns(); "" = not made yet
  Text nodes_, constants_, outputs_;  // items of the lists of the GraphProto
};

using OnnxGraph = BasicOnnxGraph<std::string>;

template <class Text>
Text BasicOnnxGraph<Text>::Column(std::int64_t j) {
  return "column " + std::to_string(j);
}

template <class Text>
Text BasicOnnxGraph<Text>::Columns() {
  if (!columns_.empty()) return columns_;
  std::vector<Value> all;
  for (std::int64_t j = 0; j < n_columns_; ++j) all.push_back(Column(j));
  columns_ = n_columns_ == 1 ? all.front() : Node("Concat", all, {{"axis", 1}});
  return columns_;
}

template <class Text>
Text BasicOnnxGraph<Text>::Numbers(std::span<const double> numbers,
                                   std::initializer_list<std::size_t> dims) {
  return Constant(kOnnxDouble, numbers, dims);
}

template <class Text>
Text BasicOnnxGraph<Text>::Integers(std::span<const std::int64_t> numbers,
                                    std::initializer_list<std::size_t> dims) {
  return Constant(kOnnxInt64, numbers, dims);
}

template <class Text>
Text BasicOnnxGraph<Text>::Number(double number) {
  return Numbers({&number, 1}, {});
}

template <class Text>
Text BasicOnnxGraph<Text>::Integer(std::int64_t number) {
  return Integers({&number, 1}, {});
}

template <class Text>
Text BasicOnnxGraph<Text>::Axis(std::int64_t axis) {
  return Integers({&axis, 1}, {1});
}

template <class Text>
Text BasicOnnxGraph<Text>::Node(std::string_view op, std::span<const Value> inputs,
                                std::initializer_list<Attribute> attributes) {
  const std::array output = {NewValue()};
  AddNode(op, inputs, output, attributes);
  return output[0];
}

template <class Text>
Text BasicOnnxGraph<Text>::Node(std::string_view op, std::initializer_list<Value> inputs,
                                std::initializer_list<Attribute> attributes) {
  return Node(op, std::span<const Value>(inputs.begin(), inputs.size()), attributes);
}

template <class Text>
auto BasicOnnxGraph<Text>::SmallestInRows(const Value& entries, std::int64_t k) -> Smallest {
  const Smallest made{NewValue(), NewValue()};
  AddNode("TopK", std::array{entries, Axis(k)}, std::array{made.entries, made.places},
          {{"axis", 1}, {"largest", 0}, {"sorted", 1}});
  return made;
}

template <class Text>
void BasicOnnxGraph<Text>::SetOutput(std::string_view name, const Value& value) {
  AddNode("Identity", std::array{value}, std::array{Value(name)}, {});
  BeginItem(outputs_);
  outputs_ += "{\"name\":" + Quoted(name) + "}";
}

template <class Text>
Text BasicOnnxGraph<Text>::ToJson() const {
  Text inputs;
  for (std::int64_t j = 0; j < n_columns_; ++j) {
    BeginItem(inputs);
    inputs += "{\"name\":" + Quoted(Column(j)) + "}";
  }
  return "{\"node\":[" + nodes_ + "],\"initializer\":[" + constants_ + "],\"input\":[" + inputs +
         "],\"output\":[" + outputs_ + "]}\n";
}

template <class Text>
Text BasicOnnxGraph<Text>::NewValue() {
  return "value " + std::to_string(n_values_++);
}

template <class Text>
void BasicOnnxGraph<Text>::AddNode(std::string_view op, std::span<const Value> inputs,
                                   std::span<const Value> outputs,
                                   std::initializer_list<Attribute> attributes) {
  Text list;
  for (const Attribute& a : attributes) {
    BeginItem(list);
    list += "{\"name\":" + Quoted(a.name) + (a.is_list ? kIntegers : kInteger) +
            std::to_string(a.number) + (a.is_list ? "]}" : "}");
  }
  BeginItem(nodes_);
  nodes_ += "{\"opType\":" + Quoted(op) + ",\"input\":" + ListOf(inputs) +
            ",\"output\":" + ListOf(outputs) + ",\"attribute\":[" + list + "]}";
}

template <class Text>
Text BasicOnnxGraph<Text>::ListOf(std::span<const Value> names) {
  Text list;
  for (const Value& name : names) list += (list.empty() ? "" : ",") + Quoted(name);
  return "[" + list + "]";
}

template <class Text>
void BasicOnnxGraph<Text>::BeginItem(Text& list) {
  if (!list.empty()) list += ",\n";
}

template <class Text>
Text BasicOnnxGraph<Text>::Quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  Text quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      quoted += Text("\\u00") + kDigits[byte / 16] + kDigits[byte % 16];
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + '"';
}

template <class Text>
template <class T>
void BasicOnnxGraph<Text>::AppendBase64(std::span<const T> numbers, Text& text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t n_bytes = numbers.size() * 8;
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < n_bytes ? (std::bit_cast<std::uint64_t>(numbers[i / 8]) >> (i % 8 * 8)) & 0xFF : 0;
  };
  for (std::size_t i = 0; i < n_bytes; i += 3) {
    const std::uint32_t bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    const std::array<char, 4> digits = {kDigits[bits >> 18], kDigits[bits >> 12 & 63],
                                        i + 1 < n_bytes ? kDigits[bits >> 6 & 63] : '=',
                                        i + 2 < n_bytes ? kDigits[bits & 63] : '='};
    text.append(digits.data(), digits.size());
  }
}

template <class Text>
template <class T>
Text BasicOnnxGraph<Text>::Constant(std::int64_t type, std::span<const T> numbers,
                                    std::initializer_list<std::size_t> dims) {
  Value name = "constant " + std::to_string(n_values_++);
  BeginItem(constants_);
  constants_ +=
      "{\"name\":" + Quoted(name) + ",\"dataType\":" + std::to_string(type) + ",\"dims\":[";
  bool is_first = true;
  for (const std::size_t dim : dims) {
    if (!std::exchange(is_first, false)) constants_ += ',';
    constants_ += std::to_string(dim);
  }
  constants_ += "],\"rawData\":\"";
  AppendBase64(numbers, constants_);
  constants_ += "\"}";
  return name;
}

}  // namespace crossfold::plugin
