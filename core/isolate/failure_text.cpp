#include "isolate/failure_text.h"

#include <csignal>
#include <cstring>
#include <string>

#include "engine/plugin/foreign_text.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

constexpr const char* kOfACell = ", the limit of a cell";

// A string as a Lua literal.
std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string LuaText(const Value& value) {
  if (std::holds_alternative<Null>(value)) return "\"none\"";
  if (const auto* text = std::get_if<std::string>(&value)) return Quoted(*text);
  return ToText(value);
}

// cf.learner("knn", {k = 7})
std::string LuaCall(const Spec& spec) {
  std::string call = "cf." + std::string(KindName(spec.component().kind)) + "(" +
                     Quoted(ShortId(spec.component().id));
  std::string values;
  for (const auto& [name, value] : spec.given()) {
    values += (values.empty() ? "" : ", ") + name + " = " + LuaText(value);
  }
  return call + (values.empty() ? ")" : ", {" + values + "})");
}

std::string LuaCall(const Pipeline& pipeline) {
  if (pipeline.transforms().empty()) return LuaCall(pipeline.learner());
  std::string steps;
  for (const auto& step : pipeline.steps()) {
    steps += (steps.empty() ? "" : ", ") + LuaCall(*step);
  }
  return "cf.pipeline{" + steps + "}";
}

// "512 MiB", or bytes where that is not a whole number.
std::string SizeText(std::uint64_t bytes) {
  constexpr std::uint64_t kMib = 1024 * 1024;
  if (bytes % kMib == 0) return std::to_string(bytes / kMib) + " MiB";
  return std::to_string(bytes) + " bytes";
}

}  // namespace

std::string DescribeEnding(const Ending& ending) {
  if (ending.signal != 0) {
    const char* name = ::sigdescr_np(ending.signal);
    return "the process died of signal " + std::to_string(ending.signal) + " (" +
           (name == nullptr ? "unknown" : name) + ")";
  }
  if (ending.code >= 0) return "the process exited with code " + std::to_string(ending.code);
  return "the process ended for an unknown reason";  // somebody else has waited for it
}

FailureCause CauseOfEnding(const Ending& ending) {
  switch (ending.signal) {
    case 0:
      return ending.code >= 0 ? FailureCause::kPlugin : FailureCause::kLost;
    case SIGHUP:
    case SIGINT:
    case SIGKILL:
    case SIGTERM:
      return FailureCause::kKilled;
    case SIGXCPU:  // `ulimit -t`
      return FailureCause::kTime;
    default:
      return FailureCause::kPlugin;
  }
}

std::string DescribeTimeLimit(double seconds) {
  return "the process was stopped after " + FormatShortest(seconds) + " s" + kOfACell;
}

std::string DescribeCpuLimit(double seconds) {
  return "the process needed more than " + FormatShortest(seconds) + " s of processor time" +
         kOfACell;
}

std::string DescribeMemoryLimit(std::uint64_t bytes) {
  return "the process needed more than " + SizeText(bytes) + kOfACell;
}

std::string DescribeWritten(const std::string& written) {
  std::string text = CleanText(written.c_str());
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text.empty() ? "" : "; it wrote: '" + text + "'";
}

std::string DescribeCell(const CellBlock& block, std::int64_t split) {
  const SplitPlan& plan = *block.splits;
  return "cf.run{{learner = " + LuaCall(*block.learner) +
         ", splits = splits, split = " + std::to_string(split + 1) +
         ", seed = " + std::to_string(static_cast<std::int64_t>(block.seed)) +
         ", isolate = \"fresh\"}}, where splits are those of '" + plan.view().data->name() +
         "' (repeat " + std::to_string(plan.repeat_of(split) + 1) + ", fold " +
         std::to_string(plan.fold_of(split) + 1) + ")";
}

}  // namespace crossfold
