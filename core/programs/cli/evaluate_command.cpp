#include "programs/cli/evaluate_command.h"

#include <cstdint>

#include "programs/cli/command.h"
#include "programs/cli/lua_text.h"
#include "programs/cli/made_script.h"
#include "programs/cli/script_command.h"

namespace crossfold::cli {
namespace {

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

std::string ScriptText(const EvaluateOptions& options, std::uint64_t seed,
                       const PluginHost& plugins) {
  std::vector<std::string> learners, metrics;
  for (const std::string& one : SplitEach(options.learners)) {
    learners.push_back(LearnerText(one, plugins));
  }
  for (const std::string& one : SplitEach(options.metrics)) {
    metrics.push_back(SpecText(Kind::kMetric, one, plugins));
  }
  std::string fields, after;
  fields += "  " + DataText(options, plugins) + ",\n";
  fields += "  learners = " + ListText(learners) + ",\n";
  fields += "  splitter = " + SpecText(Kind::kSplitter, options.splitter, plugins) + ",\n";
  fields += "  metrics  = " + ListText(metrics) + ",\n";
  if (!options.report.empty()) {
    fields +=
        "  keep     = \"probabilities\",  -- of the predictions, for the curves of the report\n";
    after = "result:report { file = " + LuaString(options.report) + " }\n";
  }
  // Integers of Lua have a sign.
  fields += "  seed     = " + std::to_string(static_cast<std::int64_t>(seed)) + ",\n";
  return "local cf = require \"crossfold\"\n\nlocal result = cf.evaluate {\n" + fields + "}\n" +
         after + "return result\n";
}

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
  KeepScript(ScriptText(options, run.seed, plugins), options.script, run);
}

}  // namespace crossfold::cli
