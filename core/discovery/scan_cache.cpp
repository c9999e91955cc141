#include "discovery/scan_cache.h"

#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/version.h"
#include "files/file_bytes.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr int kCacheVersion = 1;

std::optional<ScannedFile> ReadScannedFile(const JsonValue& json) {
  const auto *size = json.FindAs<std::int64_t>("size"),
             *modified = json.FindAs<std::int64_t>("modified_ns");
  const auto* sha256 = json.FindAs<std::string>("sha256");
  const JsonValue* outcome = json.Find("outcome");
  if (size == nullptr || *size < 0 || modified == nullptr || sha256 == nullptr ||
      outcome == nullptr) {
    return std::nullopt;
  }
  auto read = ScanOutcomeFromJson(*outcome);
  if (!read) return std::nullopt;
  return ScannedFile{static_cast<std::uint64_t>(*size), *modified, *sha256, *std::move(read)};
}

ScannedFiles ReadFile(const fs::path& file) {
  constexpr std::uintmax_t kMaxBytes = std::uintmax_t{64} << 20;
  std::error_code failure;
  if (file.empty() || !fs::is_regular_file(file, failure)) return {};
  if (fs::file_size(file, failure) > kMaxBytes || failure) return {};
  try {
    return ParseScannedFiles(ReadFileBytes(file));
  } catch (const Error&) {
    return {};
  }
}

// Makes the file's folder and the one above it, but no others, which are not ours.
bool MakeFolder(const fs::path& file) {
  std::error_code failure;
  const fs::path folder = file.parent_path(), above = folder.parent_path();
  if (fs::is_directory(folder, failure)) return true;
  if (!fs::is_directory(above, failure)) {
    if (!fs::is_directory(above.parent_path(), failure)) return false;
    if (!fs::create_directory(above, failure)) return false;
    fs::permissions(above, fs::perms::owner_all, failure);  // as the XDG specification wants
  }
  return fs::create_directory(folder, failure) || fs::is_directory(folder, failure);
}

}  // namespace

ScannedFiles ParseScannedFiles(std::string_view text) {
  const std::optional<JsonValue> json = ParseJson(text);
  if (!json) return {};
  const auto* version = json->FindAs<std::int64_t>("crossfold_scan");
  const auto* host = json->FindAs<std::string>("host");
  const auto* files = json->FindAs<JsonObject>("files");
  if (version == nullptr || *version != kCacheVersion || host == nullptr || *host != Version() ||
      files == nullptr) {
    return {};
  }
  ScannedFiles known;
  for (const auto& [path, entry] : *files) {
    if (auto read = ReadScannedFile(entry)) known.insert_or_assign(path, *std::move(read));
  }
  return known;
}

std::string ToText(const ScannedFiles& files) {
  JsonObject list;
  for (const auto& [path, file] : files) {
    list.push_back({path, JsonObject{{"size", file.size},
                                     {"modified_ns", file.modified_ns},
                                     {"sha256", file.sha256},
                                     {"outcome", ToJson(file.outcome)}}});
  }
  return JsonText(JsonObject{{"crossfold_scan", kCacheVersion},
                             {"host", Version()},
                             {"files", std::move(list)}},
                  1) +
         "\n";
}

ScanCache::ScanCache(fs::path file) : file_(std::move(file)), known_(ReadFile(file_)) {}

std::optional<ScanOutcome> ScanCache::Find(const fs::path& path, const PluginFile& file) {
  const auto it = known_.find(path.string());
  if (it == known_.end()) return std::nullopt;
  ScannedFile& entry = it->second;
  if (entry.size != file.size()) return std::nullopt;
  if (entry.modified_ns != file.modified_ns()) {
    if (entry.sha256 != file.Sha256()) return std::nullopt;
    entry.modified_ns = file.modified_ns();  // copied or touched
    changed_.insert(it->first);
  }
  return entry.outcome;
}

void ScanCache::Keep(const fs::path& path, const PluginFile& file, ScanOutcome outcome) {
  known_[path.string()] = {file.size(), file.modified_ns(), file.Sha256(), std::move(outcome)};
  changed_.insert(path.string());
}

void ScanCache::Forget(const fs::path& path) {
  if (known_.erase(path.string()) > 0) changed_.insert(path.string());
}

void ScanCache::Save() {
  if (changed_.empty() || file_.empty() || !MakeFolder(file_)) return;
  ScannedFiles files = ReadFile(file_);
  for (const std::string& path : changed_) {
    const auto it = known_.find(path);
    if (it == known_.end()) {
      files.erase(path);
    } else {
      files[path] = it->second;
    }
  }
  std::erase_if(files, [](const auto& file) {
    std::error_code failure;
    return !fs::exists(file.first, failure);
  });
  try {
    WriteFileBytes(file_, ToText(files), "cannot write scan cache");
    changed_.clear();
  } catch (const Error&) {  // the next process tries the plugin again
  }
}

}  // namespace crossfold
