#include "programs/cli/model_commands.h"

#include <cstdio>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/read_data.h"
#include "crossfold/table.h"
#include "crossfold/terminal_width.h"
#include "crossfold/whole_file.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/onnx_verification.h"
#include "programs/cli/saved_model.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

// The cells of row i that intervals or sets of classes have.
void AddRegion(const PredictionRegions& regions, std::size_t i, std::size_t n_classes,
               std::vector<TableCell>& row) {
  if (!regions.low.empty()) {
    row.emplace_back(regions.low[i]);
    row.emplace_back(regions.high[i]);
  }
  for (std::size_t c = 0; !regions.in_set.empty() && c < n_classes; ++c) {
    row.emplace_back(std::int64_t{regions.in_set[i * n_classes + c]});
  }
}

Table PredictionTable(const std::vector<std::string>& classes, const CoveredPrediction& covered,
                      bool probabilities) {
  const auto& [p, regions] = covered;
  Table table;
  table.columns = {"row", "predicted"};
  const auto add_columns = [&](const char* name) {
    for (const std::string& of : classes) table.columns.push_back(name + ("(" + of + ")"));
  };
  if (probabilities) add_columns("p");
  if (!regions.low.empty()) table.columns.insert(table.columns.end(), {"low", "high"});
  if (!regions.in_set.empty()) add_columns("in");
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
    AddRegion(regions, i, classes.size(), row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table FactTable(const SavedModel& model) {
  Table table;
  table.columns = {"fact", "value"};
  const auto add = [&](const char* what, std::string value) {
    table.rows.push_back({std::string(what), std::move(value)});
  };
  const ModelOutline outline = model.outline();
  const TrainingFacts& training = outline.training;
  add("model", model.name());
  add("trained on", "'" + training.dataset + "', " + std::to_string(training.n_rows) + " rows");
  add("data hash", training.content_hash);
  add("seed", std::to_string(outline.seed));
  add("target", training.target.name);
  if (!training.class_names.empty()) add("classes", Joined(training.class_names));
  for (const auto& [fact, value] : model.more_facts()) table.rows.push_back({fact, value});
  return table;
}

Table FeatureTable(const ModelOutline& outline) {
  Table table;
  table.columns = {"feature", "type", "levels"};
  for (const ColumnDeclaration& column : outline.features) {
    table.rows.push_back({column.name, std::string(ColumnTypeName(column.dtype, column.ordered)),
                          Joined(column.levels)});
  }
  return table;
}

// For people: no wider than the terminal.
void PrintTable(const Table& table) {
  constexpr int kElsewhere = 100;  // columns
  const int width = OutputWidth();
  PrintLines(ToText(table, 4, width > 0 ? width : kElsewhere));
}

std::shared_ptr<const Dataset> ReadRows(const PluginHost& plugins, const std::string& path,
                                        const ModelOutline& outline) {
  ReadRequest request;
  request.like = outline.columns();
  return ReadData(plugins, path, request);
}

int ExportModel(const std::shared_ptr<PluginHost>& plugins, SavedModel& model,
                const ModelOptions& options) {
  const bool is_onnx = options.format == "onnx";
  const std::string attempt = "cannot export '" + model.name() + "': ";
  if (is_onnx && options.output.empty()) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "an ONNX model is not text; name its file with --output");
  }
  if (!is_onnx && !options.verify.empty()) {
    throw Error(ErrorKind::kInvalidArgument, attempt + "only --export onnx can be verified");
  }
  const std::string exported = model.Export(options.format);
  if (options.output.empty()) {
    PrintLines(exported);
    return kOk;
  }
  WriteWholeFile(options.output, exported);
  if (options.verify.empty()) return kOk;
  VerifyOnnx(model, {ReadRows(*plugins, options.verify, model.outline()), nullptr}, options.output,
             options.python);
  return kOk;
}

}  // namespace

int PredictFile(const std::shared_ptr<PluginHost>& plugins, const PredictOptions& options) {
  const auto model = LoadSavedModel(options.model, plugins);
  const ModelOutline outline = model->outline();
  const auto data = ReadRows(*plugins, options.data, outline);
  CoveredPrediction made;
  if (options.coverage > 0) {
    made = model->PredictCovered({data, nullptr}, options.coverage);
    std::fprintf(stderr, "%s\n", made.regions.guarantee.c_str());
  } else {
    made.prediction = model->Predict({data, nullptr});
  }
  if (options.probabilities && made.prediction.probabilities.empty()) {
    throw Error(ErrorKind::kInvalidArgument, "cannot print probabilities of '" + model->name() +
                                                 "': it gives none; leave out --probabilities");
  }
  const std::string text =
      ToCsv(PredictionTable(outline.training.class_names, made, options.probabilities));
  if (options.output.empty()) {
    PrintLines(text);
  } else {
    WriteWholeFile(options.output, text);
  }
  return kOk;
}

int DescribeModel(const std::shared_ptr<PluginHost>& plugins, const ModelOptions& options) {
  const auto model = LoadSavedModel(options.model, plugins);
  if (!options.format.empty() || !options.verify.empty()) {
    return ExportModel(plugins, *model, options);
  }
  PrintTable(FactTable(*model));
  std::fputc('\n', stdout);
  PrintTable(model->PartTable());
  std::fputc('\n', stdout);
  const ModelOutline outline = model->outline();
  if (outline.features.empty()) {
    std::puts("It needs no features.");
  } else {
    PrintTable(FeatureTable(outline));
  }
  return kOk;
}

}  // namespace crossfold::cli
