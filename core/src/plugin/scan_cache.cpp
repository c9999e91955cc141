#include "plugin/scan_cache.h"

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/version.h"
#include "data/file_bytes.h"
#include "plugin/scan_answer.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uint32_t kVersion = 1;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20;

std::optional<ScannedFile> ReadEntry(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto size = json.find("size"), modified = json.find("modified_ns"),
             sha256 = json.find("sha256"), outcome = json.find("outcome");
  const auto end = json.end();
  if (size == end || modified == end || sha256 == end || outcome == end) return std::nullopt;
  if (!size->is_number_unsigned() || !modified->is_number_integer() || !sha256->is_string()) {
    return std::nullopt;
  }
  auto parsed = ParseScanOutcome(outcome->dump(-1, ' ', false, Json::error_handler_t::replace));
  if (!parsed) return std::nullopt;
  return ScannedFile{size->get<std::uint64_t>(), modified->get<std::int64_t>(),
                     sha256->get<std::string>(), *std::move(parsed)};
}

ScannedFiles ReadFile(const fs::path& file) {
  std::error_code failure;
  if (file.empty() || !fs::is_regular_file(file, failure)) return {};
  if (fs::file_size(file, failure) > kMostBytes || failure) return {};
  try {
    return ParseScannedFiles(ReadFileBytes(file));
  } catch (const Error&) {
    return {};
  }
}

// The folders of the file; not those above its folder's folder, which are none of ours.
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
  // What is nested deeper would be written out by as many calls in one another.
  const auto is_shallow = [](int depth, Json::parse_event_t, const Json&) { return depth < 8; };
  const Json json = Json::parse(text, is_shallow, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object()) return {};
  const auto version = json.find("crossfold_scan"), host = json.find("host"),
             files = json.find("files");
  if (version == json.end() || *version != kVersion || host == json.end() ||
      *host != std::string(Version()) || files == json.end() || !files->is_object()) {
    return {};
  }
  ScannedFiles known;
  for (const auto& [path, entry] : files->items()) {
    if (auto read = ReadEntry(entry)) known.emplace(path, *std::move(read));
  }
  return known;
}

std::string ToText(const ScannedFiles& files) {
  Json list = Json::object();
  for (const auto& [path, file] : files) {
    list[path] = {{"size", file.size},
                  {"modified_ns", file.modified_ns},
                  {"sha256", file.sha256},
                  {"outcome", Json::parse(ToText(file.outcome))}};
  }
  const Json json = {
      {"crossfold_scan", kVersion}, {"host", std::string(Version())}, {"files", list}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
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
