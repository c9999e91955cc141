#include "crossfold/missing_shards.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/store_findings.h"
#include "crossfold/store_ledger.h"
#include "store/cells/finding_row.h"
#include "store/cells/store_file.h"
#include "store/ledger/store_reader.h"

namespace crossfold {
namespace {

// Marks are findings of the first experiment, so that those of all shards fit into one run.
constexpr std::int64_t kExperimentOfMarks = 1;

struct EndedShards {
  StoredRun run;                        // the last one
  std::set<std::pair<int, int>> ended;  // number and count
};

void AddEnded(Database& db, EndedShards& to) {
  if (!HasFindings(db)) return;
  Statement row(
      db, std::string("SELECT ") + kFindingColumns + " FROM findings WHERE run = ?1 AND kind = ?2",
      to.run.number, kShardFinding);
  while (row.Step()) {
    const ReadFinding read = ReadFindingRow(row);
    const std::optional<JsonValue> body = ParseJson(read.row.body);
    if (!read.is_whole || !body) continue;
    const auto* number = body->FindAs<std::int64_t>("shard");
    const auto* count = body->FindAs<std::int64_t>("shards");
    if (number == nullptr || count == nullptr) continue;
    to.ended.emplace(static_cast<int>(*number), static_cast<int>(*count));
  }
}

// nullopt = the store records no run.
std::optional<EndedShards> ReadEnded(const std::filesystem::path& store) {
  const StoreReader reader(store);
  std::vector<StoredRun> runs = reader.Runs();
  if (runs.empty()) return std::nullopt;
  EndedShards read{std::move(runs.back()), {}};
  AddEnded(reader.db(), read);
  return read;
}

std::vector<std::filesystem::path> FilesOf(std::span<const std::filesystem::path> stores) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& store : stores) {
    if (!std::filesystem::is_directory(store)) {
      files.push_back(store);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(store)) {
      if (entry.path().extension() == ".cfdb") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

auto DefinitionOf(const StoredRun& run) {
  return std::tie(run.script, run.script_text, run.arguments, run.seed);
}

// The shards that ended in runs of the same script as the newest run.
std::set<std::pair<int, int>> EndedOf(std::span<const std::filesystem::path> stores,
                                      const StoreWarning& warn) {
  std::vector<EndedShards> all;
  for (const std::filesystem::path& file : FilesOf(stores)) {
    try {
      if (std::optional<EndedShards> read = ReadEnded(file)) all.push_back(std::move(*read));
    } catch (const EmptyStoreError&) {  // its shard was killed
    } catch (const Error& error) {
      if (!std::filesystem::exists(file)) throw;  // its name is wrong
      if (warn) warn(error.what());
    }
  }
  const auto newest = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.run.started < b.run.started;
  });
  std::set<std::pair<int, int>> ended;
  for (const EndedShards& one : all) {
    if (DefinitionOf(one.run) == DefinitionOf(newest->run)) {
      ended.insert(one.ended.begin(), one.ended.end());
    }
  }
  return ended;
}

}  // namespace

void RecordShard(CellStore& store, int number, int count) {
  store.Flush();
  Finding mark;
  mark.kind = kShardFinding;
  mark.name = std::to_string(number) + "/" + std::to_string(count);
  mark.body = CanonicalJsonText(JsonObject{{"shard", number}, {"shards", count}});
  RecordFindings(store, kExperimentOfMarks, {&mark, 1});
  store.Flush();
}

std::vector<int> FindMissingShards(std::span<const std::filesystem::path> stores, int count,
                                   const StoreWarning& warn) {
  const std::set<std::pair<int, int>> ended = EndedOf(stores, warn);
  const int recorded = ended.empty() ? 0 : ended.begin()->second;
  for (const auto& [number, of] : ended) {
    if (count != 0 || of == recorded) continue;
    throw Error(ErrorKind::kInvalidArgument, "cannot find the missing shards of '" +
                                                 stores.front().string() + "': its stores are of " +
                                                 std::to_string(recorded) + " shards and of " +
                                                 std::to_string(of) + "; say which with --shards");
  }
  if (count == 0) count = recorded;
  if (count == 0) {
    throw Error(ErrorKind::kInvalidArgument, "cannot find the missing shards of '" +
                                                 stores.front().string() +
                                                 "': no shard has come to its end there; give "
                                                 "their number, as in --shards 8");
  }
  std::vector<int> missing;
  for (int number = 1; number <= count; ++number) {
    if (!ended.contains({number, count})) missing.push_back(number);
  }
  return missing;
}

std::string ArrayText(std::span<const int> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (i == 0 ? "" : ",") + std::to_string(numbers[i]);
    if (last > i) text += (last == i + 1 ? "," : "-") + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace crossfold
