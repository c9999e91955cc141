#include "programs/cli/commands.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "programs/cli/command.h"
#include "programs/cli/data_file.h"
#include "programs/cli/lua_text.h"
#include "programs/cli/made_script.h"
#include "programs/cli/script_command.h"

namespace crossfold::cli {
namespace {

constexpr const char* kCrossfold = "local cf = require \"crossfold\"\n\n";  // begins a script

// A script that returns cf.FUNCTION { FIELDS } in a variable, with a report of it if there is a
// path for one.
std::string CallText(const std::string& variable, const std::string& function,
                     const std::string& fields, const std::string& report) {
  std::string text =
      std::string(kCrossfold) + "local " + variable + " = cf." + function + " {\n" + fields + "}\n";
  if (!report.empty()) text += variable + ":report { file = " + LuaString(report) + " }\n";
  return text + "return " + variable + "\n";
}

// Integers of Lua have a sign.
std::string SeedText(std::uint64_t seed) { return std::to_string(static_cast<std::int64_t>(seed)); }

std::string MetricsText(const std::vector<std::string>& texts, const PluginHost& plugins) {
  std::vector<std::string> metrics;
  for (const std::string& one : SplitEach(texts)) {
    metrics.push_back(SpecText(Kind::kMetric, one, plugins));
  }
  return ListText(metrics);
}

// ---- evaluate ----

// "standardize|knn{k=5}", as results call it, is a pipeline.
std::string LearnerText(const std::string& text, const PluginHost& plugins) {
  const std::vector<std::string> steps = SplitOutside(text, '|');
  std::vector<std::string> items;
  for (const std::string& step : steps) {
    const bool is_last = items.size() + 1 == steps.size();
    items.push_back(SpecText(is_last ? Kind::kLearner : Kind::kTransform, step, plugins));
  }
  return items.size() == 1 ? items.front() : "cf.pipeline " + LuaList(items);
}

std::string DataText(const EvaluateOptions& options, const PluginHost& plugins) {
  std::vector<std::string> calls;
  for (const std::string& path : options.paths) {
    DataFileOptions data = options.data;
    data.path = path;
    calls.push_back(ReadCallText(data, plugins));
  }
  return calls.size() == 1 ? "data     = " + calls.front() : "datasets = " + ListText(calls);
}

std::string EvaluationText(const EvaluateOptions& options, std::uint64_t seed,
                           const PluginHost& plugins) {
  std::vector<std::string> learners;
  for (const std::string& one : SplitEach(options.learners)) {
    learners.push_back(LearnerText(one, plugins));
  }
  const std::string metrics = MetricsText(options.metrics, plugins);
  std::string fields = "  " + DataText(options, plugins) + ",\n";
  fields += "  learners = " + ListText(learners) + ",\n";
  fields += "  splitter = " + SpecText(Kind::kSplitter, options.splitter, plugins) + ",\n";
  fields += "  metrics  = " + metrics + ",\n";
  if (!options.report.empty()) {
    fields +=
        "  keep     = \"probabilities\",  -- of the predictions, for the curves of the report\n";
  }
  fields += "  seed     = " + SeedText(seed) + ",\n";
  return CallText("result", "evaluate", fields, options.report);
}

// ---- import ----

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
      columns.push_back(part);
    }
  }
  if (!by_class.empty()) return by_class.text();
  return columns.size() == 1 ? LuaString(columns.front()) : LuaStrings(columns);
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
    if (options_.decided) Add("decided", "true");
    if (options_.rescale) Add("rescale", "true");
    if (!options_.metrics.empty()) Add("metrics", MetricsText(options_.metrics, plugins_));
    return CallText("result", "import_predictions", fields_, options_.report);
  }

 private:
  void Add(const std::string& name, const std::string& value) {
    if (!value.empty()) fields_ += "  " + name + " = " + value + ",\n";
  }
  void AddName(const std::string& name, const std::string& value) {
    if (!value.empty()) Add(name, LuaString(value));
  }

  const ImportOptions& options_;
  const PluginHost& plugins_;
  std::string fields_;
};

// ---- lockbox ----

std::string OpenText(const LockboxOptions& options, const PluginHost& plugins) {
  std::string fields = "  reason = " + LuaString(options.reason) + ",\n";
  if (!options.metric.empty()) {
    fields += "  metric = " + SpecText(Kind::kMetric, options.metric, plugins) + ",\n";
  }
  if (!options.key.empty()) fields += "  key = " + LuaString(options.key) + ",\n";
  return "return box:open(" + LuaString(options.model) + ", {\n" + fields + "})\n";
}

std::string ShowText(const LockboxOptions& options) {
  const std::string verify =
      options.key.empty() ? "" : "box:verify { key = " + LuaString(options.key) + " }\n";
  return verify + "return box\n";
}

// ---- catalog ----

struct CatalogCommands {
  Command& Add(const char* name, const char* what) const {
    Command& made = catalog.AddCommand(name, what);
    made.AddOption("--catalog", options.path, "File of the catalog; default crossfold.catalog")
        .FilePath();
    return made;
  }
  // A command that prints rows.
  Command& AddRows(const char* name, const char* what) const {
    Command& made = Add(name, what);
    Option& as_json = made.AddFlag("--json", options.json, "As JSON");
    made.AddFlag("--csv", options.csv, "As CSV").Excludes(as_json);
    return made;
  }

  void DeclareStores() const {
    Command& add = AddRows("add", "Add stores, or read those of the catalog again");
    add.AddOption("stores", options.stores, "Stores or archives; default those of the catalog");
    add.AddOption("--who", options.who,
                  "Who ran the experiments; default as before, or the file's owner");
    Command& remove = Add("remove", "Remove what the catalog has of a store");
    remove.AddOption("stores", options.stores, "Stores, which may be gone").Required();
    AddRows("list", "List the stores, and which of them have changed or are gone");
  }

  void DeclareSearch() const {
    Command& best = AddRows("best", "Rank the scores of each dataset and metric");
    best.AddOption("--dataset", options.dataset,
                   "Only this one: its name, or the beginning of its hash");
    best.AddOption("--metric", options.metric, "Only this one, as in accuracy");
    Command& find = AddRows("find", "Find where a dataset, plugin, script or cell was used");
    find.AddOption("hash", options.hash, "The first 4 or more digits of its SHA-256").Required();
    Command& query = AddRows("query", "Print the rows of a SELECT of SQLite");
    query.AddOption("sql", options.sql, "The statement; docs/catalog.md describes the tables")
        .Required();
    Command& agree = AddRows("agree", "Compare the cells that several stores have");
    agree.AddFlag("--inner", options.inner, "Compare the inner cells of searches, too");
    Command& page = Add("page", "Write a leaderboard as HTML");
    page.AddOption("-o,--output", options.output, "Write to this file").Required().FilePath();
    page.AddOption("--title", options.title, "Title of the page; default the name of the catalog");
  }

  Command& catalog;
  CatalogOptions& options;
};

}  // namespace

void DeclareEvaluation(Command& command, EvaluateOptions& options) {
  command.AddOption("data", options.paths, "Data files, as crossfold data describe reads them")
      .Required();
  command
      .AddOption("--learner", options.learners,
                 "Learners: ID, ID{NAME=VALUE,...} or TRANSFORM|LEARNER; repeatable, or separated "
                 "by commas")
      .Required()
      .OneValueEach();
  command.AddOption("--splitter", options.splitter, "Splitter: ID or ID{NAME=VALUE,...}")
      .ShowDefault();
  command
      .AddOption("--metric", options.metrics,
                 "Metrics: ID or ID{NAME=VALUE,...}; repeatable, or separated by commas")
      .Required()
      .OneValueEach();
  DeclareMadeScript(command, options.report, options.script);
  DeclareDataOptions(command, options.data);
}

void MakeEvaluation(const EvaluateOptions& options, const PluginHost& plugins, ScriptOptions& run) {
  KeepScript(EvaluationText(options, run.seed, plugins), options.script, run);
}

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
  command.AddFlag("--decided", options.decided,
                  "A threshold or costs chose the labels: they may differ from the most probable");
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

void DeclareDataChecks(Command& data, DataCheckOptions& options,
                       const std::function<void(Command&)>& declare_run) {
  Command& labels =
      data.AddCommand("labels", "List rows whose label looks wrong; fits a learner in each fold");
  DeclareDataFile(labels, options.data);
  Command& compare = data.AddCommand(
      "compare", "Ask whether new rows look like old ones; fits a classifier of old and new");
  compare.AddOption("old", options.data.path, "Data file, as crossfold data describe reads it")
      .Required();
  compare.AddOption("new", options.new_path, "Data file with the new rows, read in the same way")
      .Required();
  DeclareDataOptions(compare, options.data);
  for (Command* command : {&labels, &compare}) {
    command->AddOption("--learner", options.learner,
                       "Learner with probabilities: ID or ID{NAME=VALUE,...}; default "
                       "random_forest");
    DeclareMadeScript(*command, options.report, options.script);
    declare_run(*command);
  }
}

void MakeDataCheck(bool compares, const DataCheckOptions& options, const PluginHost& plugins,
                   ScriptOptions& run) {
  const std::string data = ReadCallText(options.data, plugins);
  std::string fields;
  if (compares) {
    DataFileOptions new_rows = options.data;
    new_rows.path = options.new_path;
    fields = "  old = " + data + ",\n  new = " + ReadCallText(new_rows, plugins) + ",\n";
  } else {
    fields = "  data = " + data + ",\n";
  }
  if (!options.learner.empty()) {
    fields += "  learner = " + SpecText(Kind::kLearner, options.learner, plugins) + ",\n";
  }
  fields += "  seed = " + SeedText(run.seed) + ",\n";
  run.made_by = compares ? "data compare" : "data labels";
  const char* function = compares ? "adversarial_validation" : "label_issues";
  KeepScript(CallText("found", function, fields, options.report), options.script, run);
}

LockboxCommands DeclareLockbox(Command& lockbox, LockboxOptions& options) {
  lockbox.RequireCommand();
  Command& open =
      lockbox.AddCommand("open", "Evaluate a saved model on the sealed rows, which is recorded");
  open.AddOption("lockbox", options.lockbox, "What cf.lockbox wrote").Required();
  open.AddOption("--model", options.model, "What model:save(path) wrote").Required().FilePath();
  open.AddOption("--reason", options.reason, "Why the lockbox is opened").Required();
  open.AddOption("--metric", options.metric,
                 "Metric, as in ID or ID{NAME=VALUE,...}; default accuracy or rmse");
  open.AddOption("--key", options.key, "File of the key, if it is kept apart").FilePath();
  Command& show = lockbox.AddCommand("show", "Check a lockbox and list its openings");
  show.AddOption("lockbox", options.lockbox, "What cf.lockbox wrote").Required();
  show.AddOption("--key", options.key, "File of the key; then the sealed rows are checked, too")
      .FilePath();
  return {open, show};
}

void MakeLockboxScript(bool opens, const LockboxOptions& options, const PluginHost& plugins,
                       ScriptOptions& run) {
  run.made_by = "lockbox";
  const std::string box =
      std::string(kCrossfold) + "local box = cf.read_lockbox(" + LuaString(options.lockbox) + ")\n";
  if (opens) {
    KeepScript(box + OpenText(options, plugins), "", run);
  } else {
    run.text = box + ShowText(options);
  }
}

void DeclareCatalog(Command& app, CatalogOptions& options) {
  Command& catalog = app.AddCommand("catalog", "Index, search and compare the stores of a team");
  catalog.RequireCommand();
  const CatalogCommands commands{catalog, options};
  commands.DeclareStores();
  commands.DeclareSearch();
}

void MakeCatalogScript(const std::string& name, const CatalogOptions& options, ScriptOptions& run) {
  LuaTable fields;
  fields.AddString("action", name);
  fields.AddString("catalog", options.path);
  fields.AddString("form", options.json ? "json" : options.csv ? "csv" : "text");
  fields.Add("stores", LuaStrings(options.stores));
  fields.AddString("who", options.who);
  fields.AddString("dataset", options.dataset);
  fields.AddString("metric", options.metric);
  fields.AddString("hash", options.hash);
  fields.AddString("sql", options.sql);
  fields.Add("inner", options.inner ? "true" : "false");
  fields.AddString("output", options.output);
  fields.AddString("title", options.title);
  run.made_by = "catalog";
  run.interrupted =
      "interrupted; the catalog keeps the stores that were added; to run it again: " + run.command;
  run.text = "return require(\"crossfold.catalog.command\").run " + fields.text() + "\n";
}

}  // namespace crossfold::cli
