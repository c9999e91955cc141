#include "programs/cli/list_command.h"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "crossfold/plugin_json.h"
#include "crossfold/table.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/search_log.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

// Null = every kind.
const Kind* KindOf(const std::string& name) {
  for (const Kind& kind : kKinds) {
    if (KindName(kind) == name) return &kind;
  }
  return nullptr;
}

bool IsUsable(const PluginEntry& entry, const std::string& id) {
  return entry.rejected.empty() &&
         std::none_of(entry.refused.begin(), entry.refused.end(),
                      [&](const RefusedComponent& refused) { return refused.id == id; });
}

std::vector<TableCell> Row(const PluginEntry& entry, const std::string& id, std::string kind,
                           bool verbose) {
  std::vector<TableCell> row = {std::string(ShortId(id)), std::move(kind), entry.version,
                                std::string(ShortId(entry.id)),
                                std::string(IsUsable(entry, id) ? "ready" : "disabled")};
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
      for (const std::string& id : entry.ids[kind]) {
        table.rows.push_back(Row(entry, id, std::string(KindName(kind)), options.verbose));
      }
    }
  }
  return table;
}

void PrintDisabled(const std::vector<PluginEntry>& entries) {
  bool is_first = true;
  const auto print = [&](const std::string& subject, const std::string& reason) {
    if (is_first) std::puts("\ndisabled, because:");
    is_first = false;
    std::printf("  %s: %s\n", subject.c_str(), reason.c_str());
  };
  for (const PluginEntry& entry : entries) {
    if (!entry.rejected.empty()) {
      print(entry.path.string(), entry.rejected);
      continue;
    }
    for (const RefusedComponent& refused : entry.refused) {
      print(std::string(KindName(refused.kind)) + " " + refused.id, refused.reason);
    }
  }
}

}  // namespace

const Command& DeclareList(Command& plugin, ListOptions& options) {
  Command& list =
      plugin.AddCommand("list", "List the components found, and why plugins are disabled");
  list.AddOption("--kind", options.kind, "List only components of this kind")
      .OneOf({"learner", "transform", "splitter", "metric", "source"});
  list.AddFlag("--verbose", options.verbose, "Also print files, hashes and the folders searched");
  list.AddFlag("--json", options.json, "Print everything as JSON");
  list.AddFlag("--rescan", options.rescan, "Try plugins that crashed again");
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
