#include "crossfold/plugin_host.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "discovery/plugin_examination.h"
#include "discovery/plugin_file.h"
#include "discovery/plugin_folder.h"
#include "discovery/plugin_loader.h"
#include "discovery/plugin_search.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

using LogLines = std::vector<std::pair<std::int32_t, std::string>>;
std::string Named(const RefusedComponent& refused) {
  return std::string(KindName(refused.kind)) + " '" + refused.id + "'";
}

std::string CannotLoad(const fs::path& path, const std::string& reason) {
  return "cannot load plugin '" + path.string() + "': " + reason;
}

}  // namespace

void SearchOnly(std::vector<fs::path> paths, PluginHostOptions& options) {
  options.paths = std::move(paths);
  options.use_environment = options.use_user_folder = options.use_installation = false;
}

LockedPlugin ToLocked(const PluginEntry& entry) {
  return {entry.id,       entry.version, entry.path.filename().string(),
          entry.sha256,   CF_ABI_MAJOR,  entry.abi_minor,
          entry.libraries};
}

struct PluginHost::Impl {
  struct Slot {
    PluginEntry entry;
    std::optional<FileId> file;
    Manifest manifest;
    bool is_bundled = false;  // is in the folder of the installation
    bool is_named = false;    // in PluginHostOptions::paths or AddFile, or in a folder of these
    std::optional<LockedPlugin> locked;  // which plugin it must be when it is loaded; nullopt = any
    std::shared_ptr<const LoadedPlugin> plugin;  // set once it is loaded, as are these
    std::vector<std::shared_ptr<const Component>> components;
  };
  struct Offer {
    Kind kind;
    std::size_t slot;
  };
  using Offers = std::map<std::string, Offer, std::less<>>;

  // The functions below need the mutex. Their messages go to `lines`, because the sink may call the
  // host.
  void Search(LogLines& lines);
  void SearchFolder(const fs::path& folder, bool is_named, LogLines& lines);
  std::size_t AddFile(const fs::path& path, bool is_named, LogLines& lines);
  void Examine(std::size_t slot, LogLines& lines);
  std::string ReservedProblem(const Slot& slot) const;
  const Slot* FindSame(const Slot& slot, std::string& problem) const;
  void Reject(std::size_t slot, std::int32_t level, const std::string& reason, LogLines& lines);
  void Load(std::size_t slot, LogLines& lines);
  Offers::const_iterator FindOffer(std::string_view id, std::optional<Kind> kind) const;
  const Slot* FindRejected(std::string_view id, std::optional<Kind> kind) const;
  std::size_t FindSlot(std::string_view id_or_path) const;
  [[noreturn]] void ThrowUnknown(std::string_view id, std::optional<Kind> kind) const;

  // These functions take the mutex.
  void SearchOnce();  // comes before every use of the slots
  Slot FindPlugin(std::string_view id_or_path);  // a copy, loaded
  std::shared_ptr<const Component> Find(std::string_view id, std::optional<Kind> kind);

  void Say(const LogLines& lines) const {
    if (!log) return;
    for (const auto& [level, line] : lines) log(level, line);
  }

  explicit Impl(const PluginHostOptions& options)
      : log(options.log),
        allows_paths(options.allow_paths),
        examiner(options),
        plan(PlanSearch(options)) {}

  LogSink log;
  bool allows_paths;
  PluginExaminer examiner;
  SearchPlan plan;
  std::mutex mutex;
  bool is_searched = false;
  std::vector<Slot> slots;  // in the order of the search
  Offers offers;            // of plugins that were not rejected before loading
};

void PluginHost::Impl::SearchOnce() {
  LogLines lines;
  {
    const std::lock_guard lock(mutex);
    if (!is_searched) Search(lines);
    is_searched = true;
  }
  Say(lines);
}

void PluginHost::Impl::Search(LogLines& lines) {
  for (std::size_t i = 0; i < plan.places.size(); ++i) {
    const fs::path& place = plan.places[i];
    const bool is_named = i < plan.n_explicit;
    std::error_code failure;
    if (fs::is_directory(place, failure) && !IsPluginFolder(place)) {
      SearchFolder(place, is_named, lines);
    } else if (is_named || IsPluginFolder(place) || plan.installed.contains(place)) {
      // Places of the other sources need not exist.
      AddFile(place, is_named, lines);
    }
  }
  for (const std::string& warning : examiner.Unmatched()) lines.emplace_back(CF_LOG_WARN, warning);
  examiner.Save();
}

void PluginHost::Impl::SearchFolder(const fs::path& folder, bool is_named, LogLines& lines) {
  std::error_code failure;
  for (const fs::path& file : PluginFiles(folder, failure)) AddFile(file, is_named, lines);
  if (failure) {
    lines.emplace_back(CF_LOG_WARN,
                       "cannot search '" + folder.string() + "': " + failure.message());
  }
}

// Returns the slot of the file, which exists already if the file is known.
std::size_t PluginHost::Impl::AddFile(const fs::path& found, bool is_named, LogLines& lines) {
  const std::optional<fs::path> installed = InstalledFile(plan.installation, found);
  const bool is_bundled = installed.has_value();
  const fs::path& path = installed ? *installed : found;
  const std::optional<FileId> file = IdOfFile(path);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    // A link to a bundled file from elsewhere does not replace that file.
    if (file && slots[i].file == file && slots[i].is_bundled >= is_bundled) return i;
  }
  slots.emplace_back();
  slots.back().entry.path = path;
  slots.back().file = file;
  slots.back().is_bundled = is_bundled;
  slots.back().is_named = is_named;
  Examine(slots.size() - 1, lines);
  return slots.size() - 1;
}

void PluginHost::Impl::Examine(std::size_t index, LogLines& lines) {
  Slot& slot = slots[index];
  PluginEntry& entry = slot.entry;
  Examination found = examiner.Examine(entry.path, slot.is_bundled);
  slot.manifest = std::move(found.manifest);
  slot.locked = std::move(found.locked);
  entry.id = slot.manifest.id;
  entry.version = slot.manifest.version;
  entry.abi_minor = slot.manifest.abi_minor;
  entry.has_manifest = found.has_manifest;
  entry.is_folder = IsPluginFolder(entry.path);
  entry.sha256 = std::move(found.sha256);
  entry.libraries = std::move(found.libraries);
  entry.ids = slot.manifest.ids;
  entry.refused = std::move(found.refused);
  if (!found.rejected.empty()) return Reject(index, found.level, found.rejected, lines);
  std::string problem = ReservedProblem(slot);
  if (!problem.empty()) return Reject(index, CF_LOG_WARN, problem, lines);
  if (const Slot* first = FindSame(slot, problem)) {
    // Not an error if the host has named the first one; but replacing a bundled plugin is reported.
    const bool is_meant = first->is_named && !slot.is_bundled;
    return Reject(index, is_meant ? CF_LOG_INFO : CF_LOG_WARN, problem, lines);
  }
  for (const Kind kind : kKinds) {
    for (const std::string& id : entry.ids[kind]) offers.emplace(id, Offer{kind, index});
  }
}

// Returns "" unless the plugin has a reserved id and is not bundled.
std::string PluginHost::Impl::ReservedProblem(const Slot& slot) const {
  if (slot.is_bundled || slot.is_named) return "";
  std::vector<std::string> ids = slot.entry.ids.all();
  ids.insert(ids.begin(), slot.entry.id);
  const auto reserved =
      std::find_if(ids.begin(), ids.end(), [](const std::string& id) { return ShortId(id) != id; });
  if (reserved == ids.end()) return "";
  return "claims '" + *reserved + "', and ids that begin with 'crossfold.' are reserved for " +
         "bundled plugins; give it another id, or name its path (--plugin-path)";
}

// Returns the usable plugin that has one of this plugin's ids, which `problem` names; null if none
// has.
const PluginHost::Impl::Slot* PluginHost::Impl::FindSame(const Slot& slot,
                                                         std::string& problem) const {
  const auto tell = [&problem](const std::string& what, const Slot& first,
                               const std::string& does) {
    problem = what + ", which " + first.entry.path.string() + " " + does + " already; remove one";
    return &first;
  };
  for (const std::string& id : slot.entry.ids.all()) {
    const auto it = offers.find(id);
    if (it != offers.end()) return tell("offers '" + id + "'", slots[it->second.slot], "offers");
  }
  for (const Slot& first : slots) {
    if (&first == &slot || !first.entry.rejected.empty() || first.entry.id != slot.entry.id)
      continue;
    return tell("has the id '" + slot.entry.id + "'", first, "has");
  }
  return nullptr;
}

void PluginHost::Impl::Reject(std::size_t slot, std::int32_t level, const std::string& reason,
                              LogLines& lines) {
  PluginEntry& entry = slots[slot].entry;
  entry.rejected = reason;
  lines.emplace_back(level, "cannot use plugin '" + entry.path.string() + "': " + reason);
}

// Afterwards the slot has a plugin or is rejected.
void PluginHost::Impl::Load(std::size_t index, LogLines& lines) {
  Slot& slot = slots[index];
  PluginEntry& entry = slot.entry;
  if (slot.plugin != nullptr || !entry.rejected.empty()) return;
  entry.rejected = examiner.TryFirst(entry.path, slot.is_bundled, slot.locked);
  examiner.Save();
  if (!entry.rejected.empty()) return;
  LoadResult result = LoadPlugin(entry.path, slot.manifest, slot.locked);
  lines.insert(lines.end(), result.log.begin(), result.log.end());
  entry.refused = std::move(result.refused);
  if (result.problem.empty()) {
    slot.plugin = std::move(result.plugin);
    slot.components = std::move(result.components);
    if (slot.is_bundled) slot.plugin->bundled = true;
  } else {
    entry.rejected = result.problem;  // the error that follows reports it
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

// Returns a plugin that has such a component and is not used; null if there is none.
const PluginHost::Impl::Slot* PluginHost::Impl::FindRejected(std::string_view id,
                                                             std::optional<Kind> kind) const {
  for (const Slot& slot : slots) {
    if (slot.entry.rejected.empty()) continue;
    for (const Kind offered : kKinds) {
      if (kind && offered != *kind) continue;
      for (const std::string& known : slot.entry.ids[offered]) {
        if (known == id || ShortId(known) == id) return &slot;
      }
    }
  }
  return nullptr;
}

void PluginHost::Impl::ThrowUnknown(std::string_view id, std::optional<Kind> kind) const {
  if (const Slot* slot = FindRejected(id, kind)) {
    throw Error(ErrorKind::kBadPlugin, CannotLoad(slot->entry.path, slot->entry.rejected));
  }
  std::vector<std::string> known;
  for (const auto& [known_id, offer] : offers) {
    const bool is_kind = !kind || offer.kind == *kind;
    if (is_kind && slots[offer.slot].entry.rejected.empty()) {
      known.emplace_back(ShortId(known_id));
    }
  }
  std::string message = "cannot find " + std::string(kind ? KindName(*kind) : "component") + " '" +
                        CleanText(std::string(id).c_str()) + "': ";
  const auto other = FindOffer(id, std::nullopt);
  if (kind && other != offers.end()) {
    message += "it is a " + std::string(KindName(other->second.kind)) + "; ";
  }
  message += KnownNames(id, known);
  // Bundled plugins have short names, so a dotted id belongs to a plugin in another folder.
  if (other == offers.end() && !known.empty() && id.find('.') != std::string_view::npos) {
    message += "; name the folder of other plugins with --plugin-path or CROSSFOLD_PLUGIN_PATH";
  }
  if (known.empty()) {
    message += "; searched:";
    for (const fs::path& place : plan.places) message += " " + place.string();
  }
  throw Error(ErrorKind::kInvalidArgument, message);
}

std::shared_ptr<const Component> PluginHost::Impl::Find(std::string_view id,
                                                        std::optional<Kind> kind) {
  SearchOnce();
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
    for (const RefusedComponent& refused : slot.entry.refused) {
      if (failure.empty() && refused.id == offer->first) {
        failure = "cannot use " + Named(refused) + " of plugin '" + slot.entry.path.string() +
                  "': " + refused.reason;
      }
    }
  }
  Say(lines);
  if (!failure.empty()) throw Error(ErrorKind::kBadPlugin, failure);
  assert(found != nullptr);  // a plugin whose descriptor lacks it was refused
  return found;
}

// Prefers a usable plugin to one that is not.
std::size_t PluginHost::Impl::FindSlot(std::string_view id_or_path) const {
  const std::optional<FileId> file = IdOfFile(fs::path(id_or_path));
  std::vector<std::string> known;
  std::optional<std::size_t> rejected;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const PluginEntry& entry = slots[i].entry;
    const bool is_named =
        !entry.id.empty() && (entry.id == id_or_path || ShortId(entry.id) == id_or_path);
    const bool is_usable = entry.rejected.empty();
    if (is_usable) known.emplace_back(ShortId(entry.id));
    if (!is_named && (!file || slots[i].file != file)) continue;
    if (is_usable) return i;
    if (!rejected) rejected = i;
  }
  if (rejected) return *rejected;
  std::sort(known.begin(), known.end());
  throw Error(ErrorKind::kInvalidArgument, "cannot find plugin '" +
                                               CleanText(std::string(id_or_path).c_str()) +
                                               "': " + KnownNames(id_or_path, known));
}

PluginHost::Impl::Slot PluginHost::Impl::FindPlugin(std::string_view id_or_path) {
  SearchOnce();
  LogLines lines;
  std::string failure;
  Slot slot;
  {
    const std::lock_guard lock(mutex);
    const std::size_t index = FindSlot(id_or_path);
    Load(index, lines);
    slot = slots[index];
    if (!slot.entry.rejected.empty()) failure = CannotLoad(slot.entry.path, slot.entry.rejected);
  }
  Say(lines);
  if (!failure.empty()) throw Error(ErrorKind::kBadPlugin, failure);
  return slot;
}

PluginHost::PluginHost(PluginHostOptions options) : impl_(std::make_unique<Impl>(options)) {
  LogLines lines;
  for (const std::string& warning : impl_->plan.warnings) lines.emplace_back(CF_LOG_WARN, warning);
  impl_->Say(lines);
  if (!options.search_later) impl_->SearchOnce();
}

PluginHost::~PluginHost() = default;

std::vector<PluginEntry> PluginHost::entries() const {
  impl_->SearchOnce();
  const std::lock_guard lock(impl_->mutex);
  std::vector<PluginEntry> entries;
  for (const Impl::Slot& slot : impl_->slots) entries.push_back(slot.entry);
  return entries;
}

std::vector<fs::path> PluginHost::search_path() const { return impl_->plan.places; }

void PluginHost::AddFile(const fs::path& path) {
  if (!impl_->allows_paths) {
    throw Error(
        ErrorKind::kInvalidArgument,
        "cannot load plugin '" + path.string() +
            "': this host does not load plugins by path; set PluginHostOptions::allow_paths, "
            "or name the file in PluginHostOptions::paths");
  }
  impl_->SearchOnce();
  LogLines lines;
  std::string rejected;
  {
    const std::lock_guard lock(impl_->mutex);
    LogLines rejection;  // the error reports it instead
    const std::size_t slot = impl_->AddFile(PluginPath(path), true, rejection);
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

std::vector<std::shared_ptr<const Component>> PluginHost::FindPlugin(
    std::string_view id_or_path) const {
  return impl_->FindPlugin(id_or_path).components;
}

const void* PluginHost::FindFactory(std::string_view id_or_path, const std::string& kind) const {
  const Impl::Slot slot = impl_->FindPlugin(id_or_path);
  const cf_plugin* descriptor = slot.plugin->descriptor;
  if (descriptor->get_factory == nullptr) return nullptr;
  try {
    return descriptor->get_factory(descriptor, kind.c_str());
  } catch (...) {
    throw Error(ErrorKind::kBadPlugin, "cannot ask plugin '" + slot.entry.path.string() +
                                           "' for '" + kind +
                                           "': a C++ exception crossed the plugin boundary");
  }
}

const LogSink& PluginHost::log() const { return impl_->log; }

}  // namespace crossfold
