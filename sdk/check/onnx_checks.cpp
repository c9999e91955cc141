// Checks of models as graphs of ONNX, of learners and transforms.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/subject.h"
#include "crossfold/json_value.h"
#include "engine/run/fit_predict.h"

namespace crossfold::check {
namespace {

struct Graph {
  std::string text;
  Reply reply;
};

// Asks the model for its graph, with the columns of the subject and no rows.
Graph WriteGraph(const Subject& subject, const cf_model* model) {
  const auto* table = subject.spec->component().capability<cf_cap_onnx>(CF_CAP_ONNX);
  const RowTable rows = RowTable::ForPrediction(*subject.data, nullptr);
  cf_table columns = rows.get();
  columns.n_rows = 0;
  Graph graph;
  const cf_writer writer{
      &graph.text, [](void* stream, const void* bytes, std::size_t n) -> std::int64_t {
        static_cast<std::string*>(stream)->append(static_cast<const char*>(bytes), n);
        return static_cast<std::int64_t>(n);
      }};
  graph.reply = ProbeCall(*subject.spec, {}, [&](const cf_call* call) {
    return table->write_graph(call, model, &columns, &writer);
  });
  return graph;
}

// The names in a list of the graph.
std::vector<std::string> NamesIn(const JsonValue& graph, const char* list) {
  std::vector<std::string> names;
  const auto* items = graph.FindAs<JsonList>(list);
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    const auto* name = (*items)[i].FindAs<std::string>("name");
    names.push_back(name == nullptr ? "" : *name);
  }
  return names;
}

// The outputs that the graph must have.
std::vector<std::string> WantedOutputs(const Subject& subject, const cf_model* model) {
  if (subject.spec->component().kind == Kind::kLearner) {
    return {subject.data->task() == Task::kRegression ? "value" : "label"};
  }
  std::vector<std::string> names;
  const Answer answer = Ask(*subject.spec, model, subject.all);
  for (const Applied::Column& column : answer.applied.columns) names.push_back(column.name);
  return names;
}

// What is wrong with the graph; "" = nothing.
std::string FindProblem(const Subject& subject, const cf_model* model, const std::string& text) {
  std::string problem;
  const std::optional<JsonValue> graph = ParseJson(text, &problem);
  if (!graph) return problem;
  const std::size_t n_inputs = NamesIn(*graph, "input").size();
  const std::size_t n_columns = subject.data->features().size();
  if (n_inputs != n_columns) {
    return "has " + std::to_string(n_inputs) + " inputs for " + std::to_string(n_columns) +
           " columns";
  }
  const std::vector<std::string> outputs = NamesIn(*graph, "output");
  for (const std::string& wanted : WantedOutputs(subject, model)) {
    if (std::ranges::find(outputs, wanted) == outputs.end()) {
      return "has no output '" + wanted + "'";
    }
  }
  return "";
}

void CapOnnx(CheckContext& context) {
  if (context.component().capability<cf_cap_onnx>(CF_CAP_ONNX) == nullptr) {
    context.Skip("it does not offer crossfold.onnx/1");
  }
  for (const Subject& subject : UsableSubjects(context)) {
    const Made made = Fit(*subject.spec, subject.train), again = Fit(*subject.spec, subject.train);
    const std::string of = "the graph of a model " + subject.Where();
    const Graph graph = WriteGraph(subject, made.model.get());
    if (graph.reply.status == CF_E_UNSUPPORTED) continue;  // ONNX cannot express this model
    if (!graph.reply.ok()) {
      context.Fail(of + " ended with " + graph.reply.Describe());
      continue;
    }
    const std::string problem = FindProblem(subject, made.model.get(), graph.text);
    if (!problem.empty()) context.Fail(of + " " + problem);
    if (WriteGraph(subject, made.model.get()).text != graph.text) {
      context.Fail(of + " had other bytes the second time");
    } else if (IsDeterministic(context.component()) &&
               WriteGraph(subject, again.model.get()).text != graph.text) {
      context.Fail(of + " had other bytes after an equal fit");
    }
  }
}

constexpr const char* kLaw =
    "the graph of a model has its columns and results, and always the same bytes";
constexpr Check kOnnxChecks[] = {
    {"cap-onnx", CheckScope::kLearner, 3, false, "fit-smoke", kLaw, &CapOnnx},
    {"cap-onnx", CheckScope::kTransform, 3, false, "transform-smoke", kLaw, &CapOnnx},
};

}  // namespace

std::span<const Check> OnnxChecks() { return kOnnxChecks; }

}  // namespace crossfold::check
