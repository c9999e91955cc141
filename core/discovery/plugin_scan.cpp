#include "discovery/plugin_scan.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/version.h"
#include "discovery/child_program.h"
#include "discovery/manifest_file.h"
#include "discovery/plugin_loader.h"
#include "engine/plugin/foreign_text.h"
#include "files/file_bytes.h"
#include "files/file_descriptor.h"

namespace crossfold {
namespace {

using Clock = std::chrono::steady_clock;
using End = ScanOutcome::End;

constexpr std::size_t kMaxAnswer = std::size_t{8} << 20;
constexpr std::size_t kMaxLine = 200;

// Reads what the other side has written so far. Returns false if it has closed its end.
bool ReadAnswer(const FileDescriptor& from, std::string& answer) {
  std::array<char, 4096> bytes;
  while (answer.size() < kMaxAnswer) {
    const ssize_t n = ::read(from.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 && errno == EAGAIN;
    answer.append(bytes.data(), static_cast<std::size_t>(n));
  }
  return false;
}

struct Child {
  FileDescriptor answer, output, process;
  std::string answered, written;

  // Reads until the process has ended. Returns false if it does not end in time. It does not matter
  // whether the process closes its side early, or a child of it keeps it open.
  bool Wait(Clock::time_point until) {
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
      std::array<pollfd, 3> watched = {pollfd{answer.get(), POLLIN, 0},
                                       pollfd{output.get(), POLLIN, 0},
                                       pollfd{process.get(), POLLIN, 0}};
      const auto milliseconds = std::clamp<std::int64_t>(left.count(), 0, 60'000);
      const int n = ::poll(watched.data(), watched.size(), static_cast<int>(milliseconds));
      if (n == 0 && left.count() <= 0) return false;
      if (n <= 0) continue;  // a signal, perhaps
      const bool has_ended = watched[2].revents != 0;
      if (watched[0].revents != 0 && !ReadAnswer(answer, answered)) answer.Close();
      if (watched[1].revents != 0) ReadWritten(output, written);
      if (has_ended) return true;
    }
  }
};

// Returns the last line, which shows why a program ended itself.
std::string LastLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  text.erase(0, text.rfind('\n') + 1);
  if (text.size() > kMaxLine) text.erase(0, text.size() - kMaxLine);
  return CleanText(text.c_str());
}

std::string DescribeEnd(const Ending& ending, const std::string& written) {
  std::string text = "exit code " + std::to_string(ending.code);
  if (ending.signal != 0) {
    const char* name = ::sigdescr_np(ending.signal);
    text = "signal " + std::to_string(ending.signal);
    if (name != nullptr) text += " (" + std::string(name) + ")";
  }
  const std::string line = LastLine(written);
  return line.empty() ? text : text + "; it wrote '" + line + "'";
}

// Writes a lock in which only the hashes matter.
std::string LockText(const LockedPlugin& plugin) {
  return ToText(PluginLock{"", {{"any", "any", "any", plugin.sha256, 1, 0, plugin.libraries}}});
}

constexpr std::array<std::pair<End, const char*>, 4> kEnds = {{{End::kWorks, "works"},
                                                               {End::kRefused, "refused"},
                                                               {End::kCrashed, "crashed"},
                                                               {End::kHung, "hung"}}};

JsonValue ToJson(const std::vector<RefusedComponent>& refused) {
  JsonList list;
  for (const RefusedComponent& one : refused) {
    list.push_back(
        JsonObject{{"kind", KindName(one.kind)}, {"id", one.id}, {"reason", one.reason}});
  }
  return list;
}

// Returns false if it is not what ToJson wrote. Null = there are none.
bool ReadRefused(const JsonValue* json, ScanOutcome& outcome) {
  if (json == nullptr) return true;
  const auto* list = json->As<JsonList>();
  if (list == nullptr) return false;
  for (const JsonValue& entry : *list) {
    const auto* name = entry.FindAs<std::string>("kind");
    const auto* id = entry.FindAs<std::string>("id");
    const auto* reason = entry.FindAs<std::string>("reason");
    if (name == nullptr || id == nullptr || reason == nullptr) return false;
    const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](Kind known) { return KindName(known) == *name; });
    if (kind == kKinds.end()) return false;
    outcome.refused.push_back({*kind, CleanText(id->c_str()), CleanText(reason->c_str())});
  }
  return true;
}

// ---- the cache ----

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

ScannedFiles ReadScans(const fs::path& file) {
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

ScanOutcome ScanInProcess(const std::filesystem::path& program, const std::filesystem::path& path,
                          const std::optional<LockedPlugin>& wanted,
                          std::chrono::milliseconds maximum) {
  const auto until = Clock::now() + maximum;
  ChannelEnds answer = MakeChildPipe(program), output = MakeChildPipe(program);
  const std::string lock = wanted ? LockText(*wanted) : "";
  const pid_t pid = SpawnChild(program, {"--scan", path.string(), lock}, {}, answer.theirs.get(),
                               output.theirs.get());
  answer.theirs.Close();
  output.theirs.Close();
  Child child{std::move(answer.ours), std::move(output.ours), FileDescriptor(OpenProcess(pid)), "",
              ""};
  const bool in_time = child.process.is_open() && child.Wait(until);
  const Ending ending = KillChild(pid);
  if (!in_time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(maximum).count();
    return {End::kHung, std::to_string(seconds) + " s", {}};
  }
  if (ending.code == 0) {
    if (std::optional<ScanOutcome> outcome = ParseScanOutcome(child.answered)) {
      return *std::move(outcome);
    }
  }
  return {End::kCrashed, DescribeEnd(ending, child.written), {}};
}

ScanOutcome ScanHere(const std::filesystem::path& path, const std::optional<LockedPlugin>& wanted) {
  LoadResult result = LoadUnlisted(path, wanted);
  if (!result.problem.empty()) return {End::kRefused, result.problem, {}};
  return {End::kWorks, "", std::move(result.manifest), std::move(result.refused)};
}

JsonValue ToJson(const ScanOutcome& outcome) {
  JsonObject json;
  for (const auto& [end, name] : kEnds) {
    if (end == outcome.end) json.push_back({"end", name});
  }
  if (outcome.end == End::kWorks) {
    json.push_back({"manifest", ToJson(outcome.manifest)});
    if (!outcome.refused.empty()) json.push_back({"refused", ToJson(outcome.refused)});
  } else {
    json.push_back({"reason", outcome.reason});
  }
  return json;
}

std::optional<ScanOutcome> ScanOutcomeFromJson(const JsonValue& json) {
  const auto* name = json.FindAs<std::string>("end");
  if (name == nullptr) return std::nullopt;
  for (const auto& [end, known] : kEnds) {
    if (*name != known) continue;
    ScanOutcome outcome;
    outcome.end = end;
    if (end != End::kWorks) {
      const auto* reason = json.FindAs<std::string>("reason");
      if (reason == nullptr) return std::nullopt;
      outcome.reason = CleanText(reason->c_str());
      return outcome;
    }
    const JsonValue* manifest = json.Find("manifest");
    if (manifest == nullptr) return std::nullopt;
    ManifestReading reading = ManifestFromJson(*manifest);
    if (!reading.problem.empty()) return std::nullopt;
    outcome.manifest = std::move(reading.manifest);
    if (!ReadRefused(json.Find("refused"), outcome)) return std::nullopt;
    return outcome;
  }
  return std::nullopt;
}

std::string ToText(const ScanOutcome& outcome) { return JsonText(ToJson(outcome)); }

std::optional<ScanOutcome> ParseScanOutcome(std::string_view text) {
  const std::optional<JsonValue> json = ParseJson(text);
  return json ? ScanOutcomeFromJson(*json) : std::nullopt;
}

void AnswerScan(const std::filesystem::path& path, std::string_view lock, int descriptor) {
  std::optional<LockedPlugin> wanted;
  if (!lock.empty()) wanted = ParsePluginLock(lock, "").plugins.at(0);
  WriteAll(descriptor, ToText(ScanHere(path, wanted)));
  ::_exit(0);
}

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

ScanCache::ScanCache(fs::path file) : file_(std::move(file)), known_(ReadScans(file_)) {}

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
  ScannedFiles files = ReadScans(file_);
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
