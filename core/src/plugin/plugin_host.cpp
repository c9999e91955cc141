#include "crossfold/plugin_host.h"

#include <sys/stat.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "crossfold/error.h"
#include "plugin/foreign_text.h"
#include "plugin/manifest.h"
#include "plugin/plugin_loader.h"
#include "plugin/plugin_search.h"
#include "text/nearest_name.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

using LogLines = std::vector<std::pair<std::int32_t, std::string>>;
using FileId = std::pair<dev_t, ino_t>;

std::optional<FileId> IdOfFile(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileId{status.st_dev, status.st_ino};
}

std::string CannotLoad(const fs::path& path, const std::string& reason) {
  return "cannot load plugin '" + path.string() + "': " + reason;
}

const std::vector<std::string>& IdsOf(const PluginEntry& entry, Kind kind) {
  switch (kind) {
    case Kind::kLearner:
      return entry.learners;
    case Kind::kTransform:
      return entry.transforms;
    case Kind::kSplitter:
      return entry.splitters;
    case Kind::kMetric:
      break;
  }
  return entry.metrics;
}

constexpr Kind kKinds[] = {Kind::kLearner, Kind::kTransform, Kind::kSplitter, Kind::kMetric};

}  // namespace

struct PluginHost::Impl {
  struct Slot {
    PluginEntry entry;
    std::optional<FileId> file;
    Manifest manifest;
    std::vector<std::shared_ptr<const Component>> components;  // once it is loaded
  };
  struct Offer {
    Kind kind;
    std::size_t slot;
  };
  using Offers = std::map<std::string, Offer, std::less<>>;

  // The functions below need the mutex. What they have to say goes to `lines`, for the sink may
  // call the host.
  void Search(const PluginHostOptions& options, LogLines& lines);
  void SearchFolder(const fs::path& folder, LogLines& lines);
  std::size_t AddFile(const fs::path& path, LogLines& lines);
  void Examine(std::size_t slot, LogLines& lines);
  void Reject(std::size_t slot, std::int32_t level, const std::string& reason, LogLines& lines);
  void Load(std::size_t slot, LogLines& lines);
  Offers::const_iterator FindOffer(std::string_view id, std::optional<Kind> kind) const;
  [[noreturn]] void ThrowUnknown(std::string_view id, std::optional<Kind> kind) const;

  // Takes the mutex.
  std::shared_ptr<const Component> Find(std::string_view id, std::optional<Kind> kind);

  void Say(const LogLines& lines) const {
    if (!log) return;
    for (const auto& [level, line] : lines) log(level, line);
  }

  LogSink log;
  std::vector<fs::path> search_path;  // set by the constructor
  mutable std::mutex mutex;
  std::vector<Slot> slots;  // in the order of the search
  Offers offers;            // what was not rejected before loading
};

void PluginHost::Impl::Search(const PluginHostOptions& options, LogLines& lines) {
  SearchPlan plan = PlanSearch(options);
  for (const std::string& warning : plan.warnings) lines.emplace_back(CF_LOG_WARN, warning);
  search_path = std::move(plan.places);
  for (std::size_t i = 0; i < search_path.size(); ++i) {
    std::error_code failure;
    const bool is_folder = fs::is_directory(search_path[i], failure);
    if (is_folder) {
      SearchFolder(search_path[i], lines);
    } else if (i < plan.n_explicit) {  // folders of the other sources need not exist
      AddFile(search_path[i], lines);
    }
  }
}

void PluginHost::Impl::SearchFolder(const fs::path& folder, LogLines& lines) {
  std::error_code failure;
  for (const fs::path& file : PluginFiles(folder, failure)) AddFile(file, lines);
  if (failure) {
    lines.emplace_back(CF_LOG_WARN,
                       "cannot search '" + folder.string() + "': " + failure.message());
  }
}

// The slot of the file; an older one if it is known already.
std::size_t PluginHost::Impl::AddFile(const fs::path& path, LogLines& lines) {
  const std::optional<FileId> file = IdOfFile(path);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (file && slots[i].file == file) return i;
  }
  slots.emplace_back();
  slots.back().entry.path = path;
  slots.back().file = file;
  Examine(slots.size() - 1, lines);
  return slots.size() - 1;
}

void PluginHost::Impl::Examine(std::size_t index, LogLines& lines) {
  Slot& slot = slots[index];
  PluginEntry& entry = slot.entry;
  if (!slot.file) return Reject(index, CF_LOG_WARN, "there is no such file or folder", lines);
  ManifestReading reading = ReadManifestFile(entry.path);
  if (!reading.problem.empty()) return Reject(index, CF_LOG_WARN, reading.problem, lines);
  slot.manifest = std::move(reading.manifest);
  entry.id = slot.manifest.id;
  entry.version = slot.manifest.version;
  entry.learners = slot.manifest.learners;
  entry.transforms = slot.manifest.transforms;
  entry.splitters = slot.manifest.splitters;
  entry.metrics = slot.manifest.metrics;
  for (const Kind kind : kKinds) {
    for (const std::string& id : IdsOf(entry, kind)) {
      const auto it = offers.find(id);
      if (it == offers.end()) continue;
      return Reject(index, CF_LOG_INFO,  // no fault: an earlier place is meant to win
                    "offers '" + id + "', which " + slots[it->second.slot].entry.path.string() +
                        " offers already",
                    lines);
    }
  }
  for (const Kind kind : kKinds) {
    for (const std::string& id : IdsOf(entry, kind)) offers.emplace(id, Offer{kind, index});
  }
}

void PluginHost::Impl::Reject(std::size_t slot, std::int32_t level, const std::string& reason,
                              LogLines& lines) {
  PluginEntry& entry = slots[slot].entry;
  entry.rejected = reason;
  lines.emplace_back(level, "cannot use plugin '" + entry.path.string() + "': " + reason);
}

// Afterwards the slot has components or is rejected.
void PluginHost::Impl::Load(std::size_t index, LogLines& lines) {
  Slot& slot = slots[index];
  if (!slot.components.empty() || !slot.entry.rejected.empty()) return;
  LoadResult result = LoadPlugin(slot.entry.path, slot.manifest);
  lines.insert(lines.end(), result.log.begin(), result.log.end());
  if (result.problem.empty()) {
    slot.components = std::move(result.components);
  } else {
    slot.entry.rejected = result.problem;  // told by the error that follows
  }
}

PluginHost::Impl::Offers::const_iterator PluginHost::Impl::FindOffer(
    std::string_view id, std::optional<Kind> kind) const {
  const auto fits = [&](Offers::const_iterator it) {
    return it != offers.end() && (!kind || it->second.kind == *kind);
  };
  const auto bundled = offers.find("crossfold." + std::string(id));
  if (fits(bundled)) return bundled;
  const auto exact = offers.find(id);
  return fits(exact) ? exact : offers.end();
}

void PluginHost::Impl::ThrowUnknown(std::string_view id, std::optional<Kind> kind) const {
  std::vector<std::string> known;
  for (const auto& [known_id, offer] : offers) {
    const bool is_kind = !kind || offer.kind == *kind;
    if (is_kind && slots[offer.slot].entry.rejected.empty()) {
      known.emplace_back(ShortId(known_id));
    }
  }
  std::string message = "cannot find " + std::string(kind ? KindName(*kind) : "component") + " '" +
                        CleanText(std::string(id).c_str()) + "': ";
  if (const auto other = FindOffer(id, std::nullopt); kind && other != offers.end()) {
    message += "it is a " + std::string(KindName(other->second.kind)) + "; ";
  }
  message += KnownNames(id, known);
  if (known.empty()) {
    message += "; searched:";
    for (const fs::path& place : search_path) message += " " + place.string();
  }
  throw Error(ErrorKind::kInvalidArgument, message);
}

std::shared_ptr<const Component> PluginHost::Impl::Find(std::string_view id,
                                                        std::optional<Kind> kind) {
  LogLines lines;
  std::shared_ptr<const Component> found;
  std::string failure;
  {
    const std::lock_guard lock(mutex);
    const auto offer = FindOffer(id, kind);
    if (offer == offers.end()) ThrowUnknown(id, kind);
    Load(offer->second.slot, lines);
    const Slot& slot = slots[offer->second.slot];
    if (!slot.entry.rejected.empty()) failure = CannotLoad(slot.entry.path, slot.entry.rejected);
    for (const auto& component : slot.components) {
      if (component->id == offer->first) found = component;
    }
  }
  Say(lines);
  if (!failure.empty()) throw Error(ErrorKind::kBadPlugin, failure);
  assert(found != nullptr);  // the descriptor has what the manifest promised
  return found;
}

PluginHost::PluginHost(PluginHostOptions options) : impl_(std::make_unique<Impl>()) {
  impl_->log = options.log;
  LogLines lines;
  impl_->Search(options, lines);
  impl_->Say(lines);
}

PluginHost::~PluginHost() = default;

std::vector<PluginEntry> PluginHost::entries() const {
  const std::lock_guard lock(impl_->mutex);
  std::vector<PluginEntry> entries;
  for (const Impl::Slot& slot : impl_->slots) entries.push_back(slot.entry);
  return entries;
}

std::vector<fs::path> PluginHost::search_path() const { return impl_->search_path; }

void PluginHost::AddFile(const fs::path& path) {
  LogLines lines;
  std::string rejected;
  {
    const std::lock_guard lock(impl_->mutex);
    LogLines rejection;  // told by the error instead
    const std::size_t slot = impl_->AddFile(fs::absolute(path), rejection);
    impl_->Load(slot, lines);
    rejected = impl_->slots[slot].entry.rejected;
  }
  impl_->Say(lines);
  if (!rejected.empty()) throw Error(ErrorKind::kBadPlugin, CannotLoad(path, rejected));
}

std::shared_ptr<const Component> PluginHost::Find(Kind kind, std::string_view id) const {
  return impl_->Find(id, kind);
}

std::shared_ptr<const Component> PluginHost::FindAny(std::string_view id) const {
  return impl_->Find(id, std::nullopt);
}

const LogSink& PluginHost::log() const { return impl_->log; }

}  // namespace crossfold
