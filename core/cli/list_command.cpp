#include "cli/list_command.h"

#include <cstdio>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/search_log.h"
#include "cli/standard_output.h"
#include "crossfold/plugin_json.h"
#include "crossfold/table.h"

namespace crossfold::cli {
namespace {

constexpr Kind kKinds[] = {Kind::kLearner, Kind::kTransform, Kind::kSplitter, Kind::kMetric};

const std::vector<std::string>& IdsOf(const PluginEntry& entry, Kind kind) {
  switch (kind) {
    case Kind::kLearner:
      return entry.learners;
    case Kind::kTransform:
      return entry.transforms;
    case Kind::kSplitter:
      return entry.splitters;
    default:
      return entry.metrics;
  }
}

// Null = every kind.
const Kind* KindOf(const std::string& name) {
  for (const Kind& kind : kKinds) {
    if (KindName(kind) == name) return &kind;
  }
  return nullptr;
}

std::vector<TableCell> Row(const PluginEntry& entry, std::string id, std::string kind,
                           bool verbose) {
  std::vector<TableCell> row = {std::move(id), std::move(kind), entry.version,
                                std::string(ShortId(entry.id)),
                                std::string(entry.rejected.empty() ? "ready" : "disabled")};
  if (verbose) {
    row.emplace_back(entry.path.string());
    row.emplace_back(entry.sha256.substr(0, 12));
  }
  return row;
}

Table ComponentTable(const std::vector<PluginEntry>& entries, const ListOptions& options) {
  Table table;
  table.columns = {"id", "kind", "version", "plugin", "status"};
  if (options.verbose) table.columns.insert(table.columns.end(), {"file", "sha256"});
  for (const PluginEntry& entry : entries) {
    for (const Kind kind : kKinds) {
      if (!options.kind.empty() && KindName(kind) != options.kind) continue;
      for (const std::string& id : IdsOf(entry, kind)) {
        table.rows.push_back(
            Row(entry, std::string(ShortId(id)), std::string(KindName(kind)), options.verbose));
      }
    }
  }
  return table;
}

void PrintDisabled(const std::vector<PluginEntry>& entries) {
  bool is_first = true;
  for (const PluginEntry& entry : entries) {
    if (entry.rejected.empty()) continue;
    if (is_first) std::puts("\ndisabled, because:");
    is_first = false;
    std::printf("  %s: %s\n", entry.path.c_str(), entry.rejected.c_str());
  }
}

}  // namespace

const Command& DeclareList(Command& plugin, ListOptions& options) {
  Command& list = plugin.AddCommand("list", "Components found, and why files are disabled");
  list.AddOption("--kind", options.kind, "Only learner, transform, splitter or metric")
      .OneOf({"learner", "transform", "splitter", "metric"});
  list.AddFlag("--verbose", options.verbose, "Also files, hashes and where was searched");
  list.AddFlag("--json", options.json, "As JSON, with everything");
  list.AddFlag("--rescan", options.rescan, "Forget what is known of plugins that crashed");
  return list;
}

int ListPlugins(PluginHostOptions host_options, const ListOptions& options) {
  SearchLog log;
  if (host_options.log) host_options.log = log.sink();
  host_options.hash_files = options.verbose || options.json;
  host_options.scan.again = options.rescan;
  const PluginHost plugins(std::move(host_options));
  const std::vector<PluginEntry> entries = plugins.entries();
  PrintWarnings(log.Beside(entries));
  if (options.json) {
    Print(ListJson(entries, KindOf(options.kind)));
    return kOk;
  }
  Print(ToText(ComponentTable(entries, options)));
  PrintDisabled(entries);
  if (options.verbose) {
    std::puts("\nsearched, in this order:");
    for (const auto& path : plugins.search_path()) std::printf("  %s\n", path.c_str());
  }
  return kOk;
}

}  // namespace crossfold::cli
