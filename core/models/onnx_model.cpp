#include "models/onnx_model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/version.h"
#include "encoding/fields.h"
#include "models/onnx_bytes.h"

namespace crossfold {
namespace {

// Versions that every runtime of the last years reads.
constexpr int kIrVersion = 7, kOperators = 13, kMlOperators = 2;
constexpr int kInt64 = 7, kString = 8, kDouble = 11;

const cf_cap_onnx* OnnxOf(const Component& component) {
  const auto* table = component.capability<cf_cap_onnx>(CF_CAP_ONNX);
  return CF_HAS(table, cf_cap_onnx, write_graph) ? table : nullptr;
}

// The columns of declarations, without rows, as plugins get them.
class ColumnsWithoutRows {
 public:
  explicit ColumnsWithoutRows(std::span<const ColumnDeclaration> declared) {
    levels_.reserve(declared.size());
    for (const ColumnDeclaration& from : declared) {
      std::vector<const char*>& levels = levels_.emplace_back();
      for (const std::string& level : from.levels) levels.push_back(level.c_str());
      cf_column& column = columns_.emplace_back();
      column.name = from.name.c_str();
      column.dtype = from.dtype;
      column.levels = levels.empty() ? nullptr : levels.data();
      column.n_levels = static_cast<std::int64_t>(levels.size());
      column.flags = from.ordered ? std::uint32_t{CF_COLUMN_ORDERED} : 0u;
      column.data = &nothing_;
    }
    table_.struct_size = sizeof(table_);
    table_.features = columns_.data();
    table_.n_features = static_cast<std::int64_t>(columns_.size());
  }
  ColumnsWithoutRows(const ColumnsWithoutRows&) = delete;
  ColumnsWithoutRows& operator=(const ColumnsWithoutRows&) = delete;

  const cf_table& get() const { return table_; }
  std::span<const cf_column> columns() const { return columns_; }

 private:
  std::vector<std::vector<const char*>> levels_;
  std::vector<cf_column> columns_;
  cf_table table_{};
  std::int64_t nothing_ = 0;
};

JsonList Base64Of(std::span<const std::string> texts) {
  JsonList list;
  for (const std::string& text : texts) list.emplace_back(ToBase64(text));
  return list;
}

// Puts `prefix` before the names of all values of a graph, so that they differ from those of other
// graphs. "" stands for no value.
class Renaming {
 public:
  explicit Renaming(std::string prefix) : prefix_(std::move(prefix)) {}

  void Rename(JsonValue& graph) const {
    for (JsonValue& node : Items(graph, "node")) {
      for (const char* side : {"input", "output"}) {
        for (JsonValue& name : Items(node, side)) Prepend(name);
      }
      for (JsonValue& attribute : Items(node, "attribute")) {
        if (JsonValue* inner = Member(attribute, "g")) Rename(*inner);
        for (JsonValue& inner : Items(attribute, "graphs")) Rename(inner);
      }
    }
    for (const char* part : {"initializer", "input", "output", "valueInfo", "value_info"}) {
      for (JsonValue& item : Items(graph, part)) {
        if (JsonValue* name = Member(item, "name")) Prepend(*name);
      }
    }
  }

  static JsonValue* Member(JsonValue& value, std::string_view name) {
    return const_cast<JsonValue*>(std::as_const(value).Find(name));
  }
  static std::span<JsonValue> Items(JsonValue& value, std::string_view name) {
    JsonValue* member = Member(value, name);
    auto* list = member == nullptr ? nullptr : std::get_if<JsonList>(&member->value);
    return list == nullptr ? std::span<JsonValue>() : std::span<JsonValue>(*list);
  }

 private:
  void Prepend(JsonValue& name) const {
    if (auto* text = std::get_if<std::string>(&name.value); text != nullptr && !text->empty()) {
      text->insert(0, prefix_);
    }
  }

  std::string prefix_;
};

// The values of the columns that a step gets, by the names of the columns.
using Values = std::map<std::string, std::string, std::less<>>;

class OnnxModel {
 public:
  OnnxModel(const ModelParts& parts, const std::string& attempt, CallSite& site)
      : parts_(parts), attempt_(attempt), site_(site) {}

  std::string Write() {
    const auto features = parts_.schema.features();
    if (features.empty()) {
      throw Error(ErrorKind::kInvalidArgument,
                  attempt_ + "an ONNX model needs features; fit it on data that have some");
    }
    for (const ColumnDeclaration& feature : features) AddInput(feature);
    for (std::size_t i = 0; i + 1 < parts_.pipeline->steps().size(); ++i) AddTransform(i);
    AddLearner();
    try {
      return OnnxModelBytes(Assemble());
    } catch (const Error& e) {
      throw Error(ErrorKind::kFailed, attempt_ + e.what() + "; report this to the plugin's author");
    }
  }

 private:
  const Spec& step(std::size_t i) const { return *parts_.pipeline->steps()[i]; }
  // The columns that step i gets, before it chooses.
  std::span<const ColumnDeclaration> ColumnsBefore(std::size_t i) const {
    return i == 0 ? parts_.schema.features() : parts_.steps.schemas()[i - 1].features();
  }

  static JsonObject Described(std::string name, int type, JsonList dims) {
    JsonObject shape = {{"dim", std::move(dims)}};
    JsonObject tensor = {{"elemType", type}, {"shape", std::move(shape)}};
    JsonObject tensor_type = {{"tensorType", std::move(tensor)}};
    return {{"name", std::move(name)}, {"type", std::move(tensor_type)}};
  }
  static JsonObject Rows() { return {{"dimParam", "rows"}}; }
  static JsonObject Size(std::size_t n) { return {{"dimValue", n}}; }

  // REQUIRES: every name of `outputs` is new.
  void AddNode(const char* op, JsonList inputs, const std::string& output, JsonList attributes = {},
               const char* domain = "") {
    nodes_.emplace_back(JsonObject{{"input", std::move(inputs)},
                                   {"output", JsonList{output}},
                                   {"opType", op},
                                   {"attribute", std::move(attributes)},
                                   {"domain", domain}});
    names_.insert(output);
  }
  std::string AddNumber(const std::string& name, double number) {
    constants_.emplace_back(JsonObject{
        {"name", name}, {"dataType", kDouble}, {"doubleData", JsonList{NumberJson(number)}}});
    names_.insert(name);
    return name;
  }
  static JsonValue NumberJson(double number) {
    return number == number ? JsonValue(number) : JsonValue("NaN");
  }

  // Numbers come as they are, NaN = missing; categories as the names of their levels.
  void AddInput(const ColumnDeclaration& feature) {
    const bool is_categorical = feature.dtype == CF_CAT32;
    inputs_.emplace_back(
        Described(feature.name, is_categorical ? kString : kDouble, JsonList{Rows(), Size(1)}));
    names_.insert(feature.name);
    values_[feature.name] = is_categorical ? AddCodes(feature) : feature.name;
  }

  // Returns the codes of the levels as doubles, NaN for any other string.
  std::string AddCodes(const ColumnDeclaration& feature) {
    const std::string prefix = UnusedPrefix("codes of " + feature.name);
    JsonList codes;
    for (std::size_t code = 0; code < feature.levels.size(); ++code) codes.emplace_back(code);
    AddNode(
        "LabelEncoder", {feature.name}, prefix + " int64",
        {JsonObject{
             {"name", "keys_strings"}, {"type", "STRINGS"}, {"strings", Base64Of(feature.levels)}},
         JsonObject{{"name", "values_int64s"}, {"type", "INTS"}, {"ints", std::move(codes)}},
         JsonObject{{"name", "default_int64"}, {"type", "INT"}, {"i", -1}}},
        "ai.onnx.ml");
    AddNode("Cast", {prefix + " int64"}, prefix + " double",
            {JsonObject{{"name", "to"}, {"type", "INT"}, {"i", kDouble}}});
    AddNode("Less", {prefix + " double", AddNumber(prefix + " 0", 0)}, prefix + " missing");
    AddNode("Where",
            {prefix + " missing", AddNumber(prefix + " NaN", std::nan("")), prefix + " double"},
            prefix);
    return prefix;
  }

  // The name, with as many "_" as it takes that no value has it.
  std::string Unused(std::string name) const {
    while (names_.contains(name)) name += '_';
    return name;
  }
  // Does the same for the beginning of names.
  std::string UnusedPrefix(std::string prefix) const {
    const auto begins = [&](const std::string& taken) { return taken.starts_with(prefix); };
    while (std::ranges::any_of(names_, begins)) prefix += '_';
    return prefix;
  }

  void AddTransform(std::size_t i) {
    const auto before = ColumnsBefore(i);
    const auto made = parts_.steps.schemas()[i].features();
    const ColumnChoice* choice = step(i).columns();
    const ColumnsWithoutRows all(before);
    std::vector<ColumnDeclaration> chosen;
    Values next;
    for (std::size_t j = 0; j < before.size(); ++j) {
      if (choice == nullptr || choice->Has(all.columns()[j])) {
        chosen.push_back(before[j]);
      } else {
        next[before[j].name] = values_.at(before[j].name);
      }
    }
    if (chosen.empty() && choice != nullptr) return;
    const Values outputs = AddGraph(i, chosen);
    for (const ColumnDeclaration& column : made) {
      if (!next.contains(column.name)) next[column.name] = OutputOf(i, outputs, column.name);
    }
    values_ = std::move(next);
  }

  void AddLearner() {
    const std::size_t last = parts_.pipeline->steps().size() - 1;
    const auto columns = ColumnsBefore(last);
    const Values outputs = AddGraph(last, {columns.begin(), columns.end()});
    const std::vector<std::string>& classes = parts_.training.class_names;
    if (classes.empty()) {
      AddOutput("value", OutputOf(last, outputs, "value"), kDouble, {Rows()});
      return;
    }
    const std::string names = Unused("class names");
    constants_.emplace_back(JsonObject{{"name", names},
                                       {"dims", JsonList{classes.size()}},
                                       {"dataType", kString},
                                       {"stringData", Base64Of(classes)}});
    names_.insert(names);
    const std::string label = Unused("label");
    AddNode("Gather", {names, OutputOf(last, outputs, "label")}, label);
    outputs_.emplace_back(Described(label, kString, {Rows()}));
    if (!outputs.contains("probabilities")) return;
    AddOutput("probabilities", OutputOf(last, outputs, "probabilities"), kDouble,
              {Rows(), Size(classes.size())});
  }

  void AddOutput(const char* wanted, const std::string& value, int type, JsonList dims) {
    const std::string name = Unused(wanted);
    AddNode("Identity", {value}, name);
    outputs_.emplace_back(Described(name, type, std::move(dims)));
  }

  // "the transform 'pca'"
  std::string Named(std::size_t i) const {
    const Component& component = step(i).component();
    return "the " + std::string(KindName(component.kind)) + " '" +
           std::string(ShortId(component.id)) + "'";
  }
  [[noreturn]] void Refuse(std::size_t i, const std::string& finding) const {
    throw Error(ErrorKind::kFailed, attempt_ + "the graph of " + Named(i) + " " + finding +
                                        "; report this to the plugin's author");
  }
  const std::string& OutputOf(std::size_t i, const Values& outputs, std::string_view name) const {
    const auto found = outputs.find(name);
    if (found == outputs.end()) Refuse(i, "has no output '" + std::string(name) + "'");
    return found->second;
  }

  // Adds the graph of step i on these columns; returns its outputs.
  Values AddGraph(std::size_t i, const std::vector<ColumnDeclaration>& columns) {
    JsonValue graph = ReadGraph(i, columns);
    Values outputs;
    std::vector<std::string> wanted;
    for (const JsonValue& output : Renaming::Items(graph, "output")) {
      const auto* name = output.FindAs<std::string>("name");
      if (name == nullptr) Refuse(i, "has an output without a name");
      wanted.push_back(*name);
    }
    const std::string prefix = UnusedPrefix("step " + std::to_string(i + 1)) + ": ";
    Renaming(prefix).Rename(graph);
    for (const std::string& name : wanted) outputs[name] = prefix + name;
    ConnectInputs(i, columns, graph);
    for (JsonValue& tensor : Renaming::Items(graph, "initializer")) {
      AddNames(i, tensor.FindAs<std::string>("name"));
      constants_.push_back(std::move(tensor));
    }
    for (JsonValue& node : Renaming::Items(graph, "node")) {
      for (const JsonValue& name : Renaming::Items(node, "output")) {
        AddNames(i, name.As<std::string>());
      }
      nodes_.push_back(std::move(node));
    }
    for (const auto& [name, value] : outputs) {
      if (!names_.contains(value)) Refuse(i, "does not compute its output '" + name + "'");
    }
    return outputs;
  }

  JsonValue ReadGraph(std::size_t i, const std::vector<ColumnDeclaration>& columns) {
    const Component& component = step(i).component();
    const ColumnsWithoutRows table(columns);
    std::string text;
    const cf_writer writer{&text, &AppendBytes};
    CallStep("export", component, 0, site_, [&](const cf_call* call) {
      return OnnxOf(component)->write_graph(call, parts_.steps.models()[i].get(), &table.get(),
                                            &writer);
    });
    std::string problem;
    std::optional<JsonValue> graph = ParseJson(text, &problem);
    if (!graph) Refuse(i, problem);
    return std::move(*graph);
  }

  void ConnectInputs(std::size_t i, const std::vector<ColumnDeclaration>& columns,
                     JsonValue& graph) {
    const auto inputs = Renaming::Items(graph, "input");
    if (inputs.size() != columns.size()) {
      Refuse(i, "has " + std::to_string(inputs.size()) + " inputs for " +
                    std::to_string(columns.size()) + " columns");
    }
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      const auto* name = inputs[j].FindAs<std::string>("name");
      if (name == nullptr) Refuse(i, "has an input without a name");
      if (names_.contains(*name)) Refuse(i, "has two inputs of one name");
      AddNode("Identity", {values_.at(columns[j].name)}, *name);
    }
  }

  void AddNames(std::size_t i, const std::string* name) {
    if (name == nullptr) Refuse(i, "has a value without a name");
    if (!name->empty() && !names_.insert(*name).second) {
      Refuse(i, "computes '" + *name + "' twice");
    }
  }

  JsonValue Assemble() {
    const auto entry = [](const char* key, std::string value) {
      return JsonObject{{"key", key}, {"value", std::move(value)}};
    };
    JsonObject graph = {{"node", std::move(nodes_)},
                        {"name", "crossfold"},
                        {"initializer", std::move(constants_)},
                        {"input", std::move(inputs_)},
                        {"output", std::move(outputs_)}};
    return JsonObject{
        {"irVersion", kIrVersion},
        {"producerName", "crossfold"},
        {"producerVersion", std::string(Version())},
        {"graph", std::move(graph)},
        {"opsetImport", JsonList{JsonObject{{"domain", ""}, {"version", kOperators}},
                                 JsonObject{{"domain", "ai.onnx.ml"}, {"version", kMlOperators}}}},
        {"metadataProps",
         JsonList{entry("crossfold.learner", parts_.pipeline->ToString()),
                  entry("crossfold.classes", JsonText(JsonValue(parts_.training.class_names))),
                  entry("crossfold.data_hash", parts_.training.content_hash)}}};
  }

  const ModelParts& parts_;
  const std::string& attempt_;
  CallSite& site_;
  JsonList nodes_, constants_, inputs_, outputs_;
  std::set<std::string> names_;  // of all values
  Values values_;                // of the columns that the next step gets
};

}  // namespace

const Component* StepWithoutOnnx(const ModelParts& parts) {
  for (std::size_t i = 0; i < parts.pipeline->steps().size(); ++i) {
    const Component& component = parts.pipeline->steps()[i]->component();
    if (parts.steps.models()[i].get() != nullptr && OnnxOf(component) == nullptr) {
      return &component;
    }
  }
  return nullptr;
}

std::string WriteOnnx(const ModelParts& parts, const std::string& attempt, CallSite& site) {
  return OnnxModel(parts, attempt, site).Write();
}

}  // namespace crossfold
