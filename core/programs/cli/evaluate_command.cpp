#include "programs/cli/evaluate_command.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "crossfold/error.h"
#include "crossfold/spec_text.h"
#include "crossfold/whole_file.h"
#include "programs/cli/command.h"
#include "programs/cli/lua_text.h"
#include "programs/cli/script_command.h"
#include "programs/cli/standard_input.h"

namespace crossfold::cli {
namespace {

// The parts between the delimiters that are outside braces and single quotes.
std::vector<std::string> SplitOutside(const std::string& text, char delimiter) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == delimiter && depth == 0 && !quoted) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
    if (quoted && c == '\\' && i + 1 < text.size()) {
      parts.back() += text[++i];
    } else if (c == '\'' && depth > 0) {
      quoted = !quoted;
    } else if (!quoted && (c == '{' || c == '}')) {
      depth += c == '{' ? 1 : -1;
    }
  }
  return parts;
}

std::vector<std::string> SplitEach(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) {
    for (std::string& part : SplitOutside(text, ',')) all.push_back(std::move(part));
  }
  return all;
}

// cf.learner("ID", { NAME = VALUE }), or the id alone, which means the defaults.
std::string SpecText(Kind kind, const std::string& text, const PluginHost& plugins) {
  const auto spec = ParseSpec(kind, text, plugins);
  const bool is_full = text.substr(0, text.find('{')).find('.') != std::string::npos;
  const std::string& full = spec->component().id;
  const std::string id = LuaString(is_full ? std::string_view(full) : ShortId(full));
  LuaTable params;
  for (const auto& [name, value] : spec->given()) params.Add(name, LuaValue(value));
  if (params.empty()) return id;
  return "cf." + std::string(KindName(kind)) + "(" + id + ", " + params.text() + ")";
}

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

// A list on one line, or with an item a line where that would be long.
std::string ListText(const std::vector<std::string>& items) {
  constexpr std::size_t kMax = 80;  // characters
  if (const std::string line = LuaList(items); line.size() <= kMax) return line;
  std::string text = "{\n";
  for (const std::string& item : items) text += "    " + item + ",\n";
  return text + "  }";
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

// A script that was changed since is not lost to the same command line.
void WriteScript(const std::string& path, const std::string& text) {
  if (path == kStandardInput) {
    throw Error(ErrorKind::kIo,
                "cannot write '-': it is not a file; the script is shown without --script");
  }
  std::ifstream file;
  if (std::filesystem::is_regular_file(path)) file.open(path, std::ios::binary);
  const std::string old{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.is_open() && old == text) return;
  if (std::filesystem::exists(path)) {
    throw Error(ErrorKind::kIo, "cannot write '" + path +
                                    "': there is another file of that name; crossfold run runs it, "
                                    "or choose another name with --script");
  }
  WriteWholeFile(path, text);
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
  command.AddOption("--report", options.report, "Also write an HTML report to this file")
      .FilePath();
  command
      .AddOption("--script", options.script, "Write the script to this file instead of showing it")
      .FilePath();
  DeclareDataOptions(command, options.data);
}

void MakeEvaluation(const EvaluateOptions& options, const PluginHost& plugins, ScriptOptions& run) {
  const std::string text = ScriptText(options, run.seed, plugins);
  if (options.script.empty()) {
    run.text = text;
    if (!run.quiet) std::fprintf(stderr, "%s\n", text.c_str());
    return;
  }
  WriteScript(options.script, text);
  run.script = options.script;
}

}  // namespace crossfold::cli
