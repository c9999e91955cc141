#include "cli/model_commands.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "cli/exit_code.h"
#include "crossfold/csv.h"
#include "crossfold/error.h"
#include "crossfold/fitted_model.h"
#include "crossfold/run.h"
#include "crossfold/table.h"

namespace crossfold::cli {
namespace {

RunOptions OptionsOf(const PluginHost& plugins) {
  RunOptions options;
  options.log = plugins.log();
  return options;
}

Table PredictionTable(const FittedModel& model, const Prediction& p, bool probabilities) {
  const std::vector<std::string>& classes = model.training().class_names;
  Table table;
  table.columns = {"row", "predicted"};
  if (probabilities) {
    for (const std::string& name : classes) table.columns.push_back("p(" + name + ")");
  }
  for (std::size_t i = 0; i < p.rows.size(); ++i) {
    std::vector<TableCell> row = {p.rows[i] + 1};
    if (p.labels.empty()) {
      row.emplace_back(p.values[i]);
    } else {
      row.emplace_back(classes[static_cast<std::size_t>(p.labels[i])]);
    }
    for (std::size_t c = 0; probabilities && c < classes.size(); ++c) {
      row.emplace_back(p.probabilities[i * classes.size() + c]);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// A file that is there is whole: it is written beside its place and renamed. A pipe is written to.
void WriteText(const std::string& path, const std::string& text) {
  namespace fs = std::filesystem;
  const bool replaced = !fs::exists(path) || fs::is_regular_file(path);
  const std::string temporary = replaced ? path + ".tmp" : path;
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file && replaced) fs::rename(temporary, path, error);
  if (!file || error) {
    if (replaced) fs::remove(temporary, error);
    throw Error(ErrorKind::kIo, "cannot write '" + path + "': choose another place");
  }
}

void Print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (text.empty() || text.back() != '\n') std::fputc('\n', stdout);
}

std::string_view TypeOf(const ColumnDeclaration& column) {
  switch (column.dtype) {
    case CF_F64:
      return "f64";
    case CF_F32:
      return "f32";
    case CF_I32:
      return "i32";
    case CF_I64:
      return "i64";
    case CF_BOOL8:
      return "bool";
    default:
      return column.ordered ? "ordered categorical" : "categorical";
  }
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

void AddFacts(const FittedModel& model, Table& table) {
  const auto add = [&](const char* what, std::string value) {
    table.rows.push_back({std::string(what), std::move(value)});
  };
  const TrainingFacts& training = model.training();
  add("model", model.learner().ToString());
  add("trained on", "'" + training.dataset + "', " + std::to_string(training.n_rows) + " rows");
  add("data hash", training.content_hash);
  add("seed", std::to_string(model.seed()));
  add("target", training.target.name);
  if (!training.class_names.empty()) add("classes", Joined(training.class_names));
  const std::vector<std::string> formats = model.export_formats();
  if (!formats.empty()) add("export formats", Joined(formats));
}

Table StepTable(const Pipeline& pipeline) {
  Table table;
  table.columns = {"step", "kind", "plugin", "version", "parameters"};
  for (const auto& step : pipeline.steps()) {
    const Component& component = step->component();
    std::vector<std::string> params;
    for (std::size_t i = 0; i < component.params.size(); ++i) {
      params.push_back(component.params[i].name + " = " + ToText(step->values()[i]));
    }
    table.rows.push_back({std::string(ShortId(component.id)), std::string(KindName(component.kind)),
                          component.plugin->id, component.plugin->version, Joined(params)});
  }
  return table;
}

Table FeatureTable(const FittedModel& model) {
  Table table;
  table.columns = {"feature", "type", "levels"};
  for (const ColumnDeclaration& column : model.features()) {
    table.rows.push_back({column.name, std::string(TypeOf(column)), Joined(column.levels)});
  }
  return table;
}

}  // namespace

int PredictFile(const PluginHost& plugins, const PredictOptions& options) {
  const auto model = FittedModel::Load(options.model, plugins);
  CsvOptions csv;
  csv.like = model->columns();
  const auto data = ReadCsv(options.data, csv);
  const Prediction prediction = model->Predict({data, nullptr}, OptionsOf(plugins));
  if (options.probabilities && prediction.probabilities.empty()) {
    throw Error(ErrorKind::kInvalidArgument, "cannot print probabilities of '" +
                                                 model->learner().ToString() +
                                                 "': it gives none; leave out --probabilities");
  }
  const std::string text = ToCsv(PredictionTable(*model, prediction, options.probabilities));
  if (options.output.empty()) {
    Print(text);
  } else {
    WriteText(options.output, text);
  }
  return kOk;
}

int DescribeModel(const PluginHost& plugins, const std::string& path, const std::string& format) {
  const auto model = FittedModel::Load(path, plugins);
  if (!format.empty()) {
    Print(model->Export(format, OptionsOf(plugins)));
    return kOk;
  }
  Table facts;
  facts.columns = {"fact", "value"};
  AddFacts(*model, facts);
  Print(ToText(facts));
  std::fputc('\n', stdout);
  Print(ToText(StepTable(model->learner())));
  std::fputc('\n', stdout);
  if (model->features().empty()) {
    std::puts("It needs no features.");
  } else {
    Print(ToText(FeatureTable(*model)));
  }
  return kOk;
}

}  // namespace crossfold::cli
