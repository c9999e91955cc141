#include "programs/cli/import_command.h"

#include <cstddef>

#include "programs/cli/command.h"
#include "programs/cli/lua_text.h"
#include "programs/cli/made_script.h"
#include "programs/cli/script_command.h"

namespace crossfold::cli {
namespace {

void DeclareImportedColumns(Command& command, ImportOptions& options) {
  command.AddOption(
      "--row", options.row,
      "Column with the number of the row; without it the rows have the order of DATA");
  command
      .AddOption("--first-row", options.first_row,
                 "Number of the first row; 0 for tools that count from 0")
      .ShowDefault();
  command.AddOption("--key", options.key,
                    "Column of DATA with the entries of --row, if these are not numbers");
  command.AddOption("--fold", options.fold,
                    "Column of folds; without it all rows are one test set");
  command.AddOption("--repeat", options.repeat, "Column of repeats");
  command.AddOption("--label", options.label, "Column of predicted classes or values");
  command.AddOption("--probabilities", options.probabilities,
                    "Columns of probabilities: 'p_*', where * is the class, CLASS=COLUMN,..., or "
                    "COLUMN,... in the order of the classes");
  command.AddOption("--truth", options.truth,
                    "Column of true classes or values, which must be those of DATA");
}

// The option `probabilities`, as Lua source.
std::string ProbabilitiesText(const std::string& text) {
  LuaTable by_class;
  std::vector<std::string> columns;
  for (const std::string& part : SplitOutside(text, ',')) {
    const std::size_t sign = part.find('=');
    if (sign != std::string::npos) {
      by_class.AddString(part.substr(0, sign), part.substr(sign + 1));
    } else {
      columns.push_back(LuaString(part));
    }
  }
  if (!by_class.empty()) return by_class.text();
  return columns.size() == 1 ? columns.front() : LuaList(columns);
}

class ImportScript {
 public:
  ImportScript(const ImportOptions& options, const PluginHost& plugins)
      : options_(options), plugins_(plugins) {}

  std::string text() {
    Add("data", ReadCallText(options_.data, plugins_));
    Add("file", LuaString(options_.predictions.path));
    Add("read", ReadOptionsText(options_.predictions, plugins_));
    AddName("learner", options_.learner);
    AddName("learner_column", options_.learner_column);
    AddName("row", options_.row);
    if (options_.first_row != 1) Add("first_row", std::to_string(options_.first_row));
    AddName("key", options_.key);
    AddName("fold", options_.fold);
    AddName("repeat_", options_.repeat);
    AddName("label", options_.label);
    if (!options_.probabilities.empty()) {
      Add("probabilities", ProbabilitiesText(options_.probabilities));
    }
    AddName("truth", options_.truth);
    if (options_.partial) Add("partial", "true");
    if (options_.rescale) Add("rescale", "true");
    AddMetrics();
    std::string text =
        "local cf = require \"crossfold\"\n\nlocal result = cf.import_predictions {\n" + fields_ +
        "}\n";
    if (!options_.report.empty()) {
      text += "result:report { file = " + LuaString(options_.report) + " }\n";
    }
    return text + "return result\n";
  }

 private:
  void Add(const std::string& name, const std::string& value) {
    if (!value.empty()) fields_ += "  " + name + " = " + value + ",\n";
  }
  void AddName(const std::string& name, const std::string& value) {
    if (!value.empty()) Add(name, LuaString(value));
  }
  void AddMetrics() {
    std::vector<std::string> metrics;
    for (const std::string& one : SplitEach(options_.metrics)) {
      metrics.push_back(SpecText(Kind::kMetric, one, plugins_));
    }
    if (!metrics.empty()) Add("metrics", ListText(metrics));
  }

  const ImportOptions& options_;
  const PluginHost& plugins_;
  std::string fields_;
};

}  // namespace

void DeclareImport(Command& command, ImportOptions& options) {
  command.AddOption("data", options.data.path, "Data file, as crossfold data describe reads it")
      .Required();
  command
      .AddOption("predictions", options.predictions.path,
                 "File of predictions that another tool made for the rows of DATA")
      .Required();
  Option& learner = command.AddOption("--learner", options.learner, "Name of the learner");
  command
      .AddOption("--learner-column", options.learner_column,
                 "Column with the name of the learner, where there are several")
      .Excludes(learner);
  DeclareImportedColumns(command, options);
  command.AddFlag("--partial", options.partial,
                  "Rows may be without a prediction; they count as training rows");
  command.AddFlag("--rescale", options.rescale,
                  "Divide probabilities by their sum, which may be off by 0.05");
  command
      .AddOption("--metric", options.metrics,
                 "Metrics: ID or ID{NAME=VALUE,...}; repeatable, or separated by commas; default "
                 "accuracy, with log_loss where there are probabilities, or rmse")
      .OneValueEach();
  command
      .AddOption("--read", options.predictions.parameters,
                 "A parameter of the source that reads PREDICTIONS, NAME=VALUE; repeatable")
      .OneValueEach();
  DeclareMadeScript(command, options.report, options.script);
  DeclareDataOptions(command, options.data);
}

void MakeImport(const ImportOptions& options, const PluginHost& plugins, ScriptOptions& run) {
  run.made_by = "import";
  KeepScript(ImportScript(options, plugins).text(), options.script, run);
}

}  // namespace crossfold::cli
