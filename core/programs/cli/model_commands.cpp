#include "programs/cli/commands.h"

#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/conformal.h"
#include "crossfold/ensemble_model.h"
#include "crossfold/error.h"
#include "crossfold/fitted_model.h"
#include "crossfold/json_value.h"
#include "crossfold/lua.h"
#include "crossfold/outcome.h"
#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"
#include "crossfold/run.h"
#include "crossfold/table.h"
#include "crossfold/terminal_width.h"
#include "crossfold/whole_file.h"
#include "crossfold_plugin/view.hpp"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/lua_state.h"
#include "programs/cli/onnx_script.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

// ---- a model from a file: a fitted pipeline or the model of an ensemble ----

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

// Every function may throw Error.
class SavedModel {
 public:
  virtual ~SavedModel() = default;

  virtual std::string name() const = 0;  // "standardize|knn"
  virtual ModelOutline outline() const = 0;
  virtual Prediction Predict(const DataView& rows) = 0;
  // With intervals or sets of classes; only models of cf.conformal have them.
  virtual CoveredPrediction PredictCovered(const DataView& rows, double coverage) = 0;
  // The learner's model as text.
  virtual std::string Export(const std::string& format) const = 0;
  // What `crossfold model` prints in addition to the outline: facts and their values.
  virtual std::vector<std::pair<std::string, std::string>> more_facts() const = 0;
  // One row per step or member.
  virtual Table PartTable() const = 0;
};

class SavedPipeline final : public SavedModel {
 public:
  SavedPipeline(std::shared_ptr<const FittedModel> model, const PluginHost& plugins)
      : model_(std::move(model)) {
    options_.log = plugins.log();
  }

  std::string name() const override { return model_->learner().ToString(); }
  ModelOutline outline() const override { return model_->outline(); }
  Prediction Predict(const DataView& rows) override { return model_->Predict(rows, options_); }
  CoveredPrediction PredictCovered(const DataView&, double) override {
    throw Error(ErrorKind::kInvalidArgument, RefusedCoverage(name()));
  }
  std::string Export(const std::string& format) const override {
    return model_->Export(format, options_);
  }

  std::vector<std::pair<std::string, std::string>> more_facts() const override {
    const std::vector<std::string> formats = model_->export_formats();
    if (formats.empty()) return {};
    return {{"export formats", Joined(formats)}};
  }

  Table PartTable() const override {
    Table table;
    table.columns = {"step", "kind", "plugin", "version", "parameters"};
    for (const auto& step : model_->learner().steps()) {
      const Component& component = step->component();
      std::vector<std::string> params;
      for (std::size_t i = 0; i < component.params.size(); ++i) {
        params.push_back(component.params[i].name + " = " + ToText(step->values()[i]));
      }
      table.rows.push_back({std::string(ShortId(component.id)),
                            std::string(KindName(component.kind)), component.plugin->id,
                            component.plugin->version, Joined(params)});
    }
    return table;
  }

 private:
  std::shared_ptr<const FittedModel> model_;
  RunOptions options_;
};

// An option for people, who do not read long lists of numbers.
std::string OptionText(const Value& value) {
  constexpr std::size_t kShown = 50;
  std::size_t n = 0;
  if (const auto* reals = std::get_if<std::vector<double>>(&value)) n = reals->size();
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&value)) n = whole->size();
  return n > kShown ? std::to_string(n) + " numbers" : ToText(value);
}

State NewState(const std::shared_ptr<PluginHost>& plugins) {
  State state = MakeState();
  luaL_openlibs(state.get());
  LuaOptions options;
  options.plugins = plugins;
  OpenLua(state.get(), options);
  return state;
}

class SavedEnsembleModel final : public SavedModel {
 public:
  SavedEnsembleModel(const std::string& bytes, const std::string& path,
                     const std::shared_ptr<PluginHost>& plugins)
      : state_(NewState(plugins)), model_(state_.get(), bytes, path) {}

  std::string name() const override { return model_.saved().name; }
  ModelOutline outline() const override { return model_.saved().outline; }
  Prediction Predict(const DataView& rows) override { return model_.Predict(rows); }
  CoveredPrediction PredictCovered(const DataView& rows, double coverage) override {
    return model_.PredictCovered(rows, coverage);
  }
  std::string Export(const std::string&) const override {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot export '" + name() +
                    "': the model of an ensemble has no format but its own; fit, save and export "
                    "a learner of it");
  }

  std::vector<std::pair<std::string, std::string>> more_facts() const override {
    std::vector<std::pair<std::string, std::string>> facts;
    const std::vector<std::string>& classes = model_.saved().outline.training.class_names;
    for (const auto& [option, value] : model_.saved().options) {
      const auto* place = std::get_if<std::int64_t>(&value);
      if (option == "place" && place != nullptr && *place >= 1 &&
          *place <= static_cast<std::int64_t>(classes.size())) {
        facts.emplace_back("positive class", classes[static_cast<std::size_t>(*place - 1)]);
      } else {
        facts.emplace_back(option, OptionText(value));
      }
    }
    return facts;
  }

  Table PartTable() const override {
    Table table;
    table.columns = {"member", "learner", "features"};
    std::int64_t number = 0;
    for (const EnsembleMember& member : model_.saved().members) {
      table.rows.push_back(
          {++number, member.name, member.features ? Joined(*member.features) : "all"});
    }
    return table;
  }

 private:
  State state_;
  EnsembleModel model_;
};

// Throws Error "cannot load model '...': ...".
std::unique_ptr<SavedModel> LoadSavedModel(const std::string& path,
                                           const std::shared_ptr<PluginHost>& plugins) {
  const std::string bytes = ReadModelFile(path);
  if (IsEnsembleModel(bytes)) return std::make_unique<SavedEnsembleModel>(bytes, path, plugins);
  return std::make_unique<SavedPipeline>(FittedModel::FromBytes(bytes, path, *plugins), *plugins);
}

// ---- comparing an ONNX model with the model it was made of ----

JsonValue EntryOf(const cf_column& column, std::int64_t row) {
  const double entry = plugin::EntryAsDouble(column, row);
  if (std::isnan(entry)) return Null{};
  if (column.dtype != CF_CAT32) return entry;
  return column.levels[static_cast<std::size_t>(entry)];
}

JsonList EntriesOf(const cf_column& column, const DataView& rows) {
  JsonList entries;
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    entries.push_back(EntryOf(column, rows.row_id(i)));
  }
  return entries;
}

// The rows and what the model predicts for them, as the script reads them.
JsonValue RowsAndPredictions(SavedModel& model, const DataView& rows) {
  const ModelOutline outline = model.outline();
  const std::vector<std::string>& classes = outline.training.class_names;
  const Prediction predicted = model.Predict(rows);
  JsonObject columns;
  for (const ColumnDeclaration& wanted : outline.features) {
    const auto features = rows.data->features();
    const auto found = std::ranges::find_if(
        features, [&](const cf_column& column) { return column.name == wanted.name; });
    columns.push_back({wanted.name, EntriesOf(*found, rows)});
  }
  JsonList labels, probabilities;
  for (const std::int32_t label : predicted.labels) {
    labels.emplace_back(classes[static_cast<std::size_t>(label)]);
  }
  for (auto at = predicted.probabilities.begin(); at != predicted.probabilities.end();) {
    const auto end = at + static_cast<std::ptrdiff_t>(classes.size());
    probabilities.emplace_back(std::vector<double>(std::exchange(at, end), end));
  }
  return JsonObject{{"columns", std::move(columns)},
                    {"labels", std::move(labels)},
                    {"probabilities", std::move(probabilities)},
                    {"values", classes.empty() ? predicted.values : std::vector<double>()}};
}

// Runs a line of the shell with this input; returns its exit code.
int RunWithInput(const std::string& line, std::string_view input) {
  std::fflush(stdout);
  // The program may end before it has read its input.
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  std::FILE* const pipe = ::popen(line.c_str(), "w");
  int status = -1;
  if (pipe != nullptr) {
    std::fwrite(input.data(), 1, input.size(), pipe);
    status = ::pclose(pipe);
  }
  std::signal(SIGPIPE, before);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Compares the ONNX model in a file with the model it was made of on all rows:
// sdk/onnx/verify_onnx.py, run by the program `python`, prints what was compared. Throws Error if
// they differ, or if it cannot be found out.
void VerifyOnnx(SavedModel& model, const DataView& rows, const std::string& file,
                const std::string& python) {
  constexpr int kNoProgram = 127;
  const std::string input = JsonText(RowsAndPredictions(model, rows));
  const char* const words[] = {python.c_str(), "-c", OnnxScript(), file.c_str(), "-"};
  const int code = RunWithInput("exec " + ShellText(words), input);
  if (code == 0) return;
  const std::string attempt = "cannot verify '" + file + "': ";
  if (code == kNoProgram) {
    throw Error(ErrorKind::kFailed, attempt + "there is no program '" + python +
                                        "'; name a Python that has numpy and onnx with --python");
  }
  throw Error(ErrorKind::kFailed, attempt + "'" + python + "' ended with " + std::to_string(code) +
                                      "; its lines above say why");
}

// ---- what the commands print ----

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
