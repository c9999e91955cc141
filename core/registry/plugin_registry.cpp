#include "crossfold/plugin_registry.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "engine/data/sha256.h"
#include "engine/plugin/foreign_text.h"
#include "engine/text/utc_time.h"
#include "files/file_bytes.h"
#include "files/scratch_folder.h"
#include "files/successor_file.h"
#include "registry/host_platform.h"
#include "registry/index_signatures.h"
#include "registry/registry_packages.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDraftName = "index.next.json";
constexpr const char* kTurnName = "changing";  // with ".new": the file of turns

std::optional<std::string> ReadIfThere(const fs::path& file, const std::string& attempt) {
  std::error_code none;
  if (!fs::exists(file, none)) return std::nullopt;
  return ReadFileBytes(file, attempt);
}

// A change by one process; the others wait.
SuccessorFile TakeTurn(const fs::path& folder, const std::string& attempt) {
  return SuccessorFile(folder / kTurnName, attempt);
}

std::vector<RegistryKey>::iterator FindKey(RegistryIndex& index, const std::string& key_id) {
  return std::find_if(index.keys.begin(), index.keys.end(),
                      [&](const RegistryKey& entry) { return entry.key.Id() == key_id; });
}

// The signatures of one serial are those of one text.
void RemoveSignatures(const fs::path& folder, const std::function<bool(std::int64_t)>& remove) {
  std::error_code failure;
  std::vector<fs::path> old;
  for (fs::directory_iterator it(folder / kSignatureFolder, failure), end; !failure && it != end;
       it.increment(failure)) {
    const std::string name = it->path().filename().string();
    std::int64_t serial = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), serial);
    if (read.ec == std::errc() && remove(serial)) old.push_back(it->path());
  }
  for (const fs::path& file : old) fs::remove(file, failure);
}

// Packages that no index names any more.
void RemoveOldPackages(const fs::path& folder, const RegistryIndex& index) {
  std::error_code failure;
  std::vector<fs::path> old;
  for (fs::directory_iterator it(folder / kPackageFolder, failure), end; !failure && it != end;
       it.increment(failure)) {
    const std::string path = std::string(kPackageFolder) + "/" + it->path().filename().string();
    const bool is_named =
        std::any_of(index.plugins.begin(), index.plugins.end(),
                    [&](const RegistryPlugin& plugin) { return plugin.package == path; });
    if (!is_named && path.ends_with(".zip")) old.push_back(it->path());
  }
  for (const fs::path& file : old) fs::remove(file, failure);
}

bool IsSameBuild(const RegistryPlugin& a, const RegistryPlugin& b) {
  return a.id == b.id && a.version == b.version && a.platform.Name() == b.platform.Name();
}

// As long as a version is in the index or in its draft, its bytes are the same.
void CheckVersionIsNew(const RegistryIndex& index, const RegistryPlugin& plugin,
                       const fs::path& file) {
  for (const RegistryPlugin& known : index.plugins) {
    if (!IsSameBuild(known, plugin)) continue;
    if (known.sha256 == plugin.sha256 && known.libraries == plugin.libraries) continue;
    throw Error(ErrorKind::kBadPlugin, "cannot add plugin '" + file.string() +
                                           "': the registry has " + plugin.id + " " +
                                           plugin.version + " for " + plugin.platform.Name() +
                                           " with other bytes; give it another version");
  }
}

// Removes its entry; the package of the same plugin may have been made again.
void Put(RegistryIndex& index, RegistryPlugin plugin) {
  std::erase_if(index.plugins,
                [&](const RegistryPlugin& known) { return IsSameBuild(known, plugin); });
  index.plugins.push_back(std::move(plugin));
}

// Why an index at which keys changed cannot be followed by those who know the one before; "" = it
// can be. `before` becomes this index.
std::string StepProblem(const fs::path& folder, std::int64_t serial, RegistryIndex& before) {
  const std::string attempt = "cannot read it";
  const RegistryReader read = [&](const std::string& path) {
    return ReadIfThere(folder / path, attempt);
  };
  const std::optional<std::string> text = read(HistoryPath(serial));
  if (!text) return "there is no such file";
  RegistryIndex step;
  try {
    step = ParseRegistryIndex(*text, attempt);
  } catch (const Error& error) {
    return error.what();
  }
  if (step.id != before.id || step.serial != serial) {
    return "it is index " + std::to_string(step.serial) + " of registry " + step.id;
  }
  std::string problem;
  for (const RegistryIndex* by : {before.keys.empty() ? &step : &before, &step}) {
    const SignatureFindings found = FindSignatures(*text, serial, KeysOf(*by), step.revoked, read);
    if (found.Missing(by->threshold) == 0) continue;
    problem = found.wrong.empty()
                  ? "signatures by the keys of index " + std::to_string(by->serial) + " are missing"
                  : found.wrong.front();
  }
  before = std::move(step);
  return problem;
}

// What readers follow from the keys that they know to those of the index.
void AddHistoryProblems(const fs::path& folder, const RegistryIndex& index,
                        std::vector<RegistryProblem>& problems) {
  RegistryIndex before;
  before.id = index.id;
  for (const std::int64_t serial : index.key_serials) {
    const std::string problem = StepProblem(folder, serial, before);
    if (!problem.empty()) problems.push_back(HistoryPath(serial) + ": " + problem);
  }
}

// No file is an empty list.
std::vector<HostCheck> ReadChecks(const fs::path& folder, const std::string& attempt) {
  const std::optional<std::string> text = ReadIfThere(folder / kChecksName, attempt);
  return text ? ParseHostChecks(*text, attempt) : std::vector<HostCheck>();
}

}  // namespace

PluginRegistry PluginRegistry::Make(const fs::path& folder, const std::string& id,
                                    const std::string& title) {
  const std::string attempt = "cannot make registry '" + folder.string() + "'";
  RegistryIndex index;
  index.id = id;
  index.title = title;
  index.serial = 1;
  const std::string text = ToText(index);
  ParseRegistryIndex(text, attempt);  // is the id one?
  std::error_code failure;
  if (fs::exists(folder, failure) && !fs::is_empty(folder, failure)) {
    throw Error(ErrorKind::kInvalidArgument, attempt + ": the folder is not empty; name another");
  }
  for (const char* name : {kPackageFolder, kSignatureFolder, kHistoryFolder}) {
    fs::create_directories(folder / name, failure);
    if (failure) throw Error(ErrorKind::kIo, attempt + ": " + failure.message());
  }
  WriteFileBytes(folder / kIndexName, text, attempt);
  return PluginRegistry(folder);
}

PluginRegistry::PluginRegistry(fs::path folder) : folder_(std::move(folder)) { Published(); }

std::string PluginRegistry::Attempt(std::string_view what) const {
  return "cannot " + std::string(what) + " registry '" + folder_.string() + "'";
}

RegistryIndex PluginRegistry::Published() const {
  const std::string attempt = Attempt("open");
  const std::optional<std::string> text = ReadIfThere(folder_ / kIndexName, attempt);
  if (text) return ParseRegistryIndex(*text, attempt);
  throw Error(ErrorKind::kIo,
              attempt + ": it has no " + kIndexName + "; crossfold registry init makes a registry");
}

std::string PluginRegistry::LatestText() const {
  const std::string attempt = Attempt("open");
  const std::optional<std::string> draft = ReadIfThere(folder_ / kDraftName, attempt);
  // A draft that was published may still be there if the process was killed then.
  if (draft && ParseRegistryIndex(*draft, attempt).serial > Published().serial) return *draft;
  return ReadFileBytes(folder_ / kIndexName, attempt);
}

RegistryIndex PluginRegistry::Latest() const {
  return ParseRegistryIndex(LatestText(), Attempt("open"));
}

void PluginRegistry::Change(const std::function<void(RegistryIndex&)>& change) {
  const RegistryIndex published = Published();
  RegistryIndex next = Latest();
  change(next);
  next.serial = published.serial + 1;
  const std::string attempt = Attempt("change");
  const std::string text = ToText(next);
  ParseRegistryIndex(text, attempt);  // what cannot be read again is not written
  RemoveSignatures(folder_, [&](std::int64_t serial) { return serial >= next.serial; });
  const bool has_draft = !published.keys.empty() || !next.keys.empty();
  WriteFileBytes(folder_ / (has_draft ? kDraftName : kIndexName), text, attempt);
  if (!has_draft) RemoveOldPackages(folder_, next);
}

void PluginRegistry::ChangeKeys(const std::function<void(RegistryIndex&)>& change) {
  const SuccessorFile turn = TakeTurn(folder_, Attempt("change"));
  const RegistryIndex published = Published();
  Change([&](RegistryIndex& index) {
    change(index);
    index.key_serials = published.key_serials;
    index.key_serials.push_back(published.serial + 1);
  });
}

void PluginRegistry::Add(std::span<const fs::path> files, const PackOptions& options,
                         const std::function<void(const RegistryPlugin&)>& on_added) {
  try {
    const ScratchFolder scratch = ScratchFolder::NextTo(folder_ / kPackageFolder / "added");
    std::vector<MadePackage> made;
    for (const fs::path& file : files) {  // checks take long: nobody waits for them
      const fs::path folder = scratch.path() / std::to_string(made.size());
      made.push_back(MakePackage(file, options, folder));
      on_added(made.back().plugin);
    }
    const SuccessorFile turn = TakeTurn(folder_, Attempt("change"));
    RegistryIndex index = Latest();
    const RegistryIndex published = Published();
    for (const MadePackage& package : made) {
      CheckVersionIsNew(published, package.plugin, package.file);
      CheckVersionIsNew(index, package.plugin, package.file);
      Put(index, package.plugin);
    }
    for (const MadePackage& package : made) {
      fs::rename(package.package, folder_ / package.plugin.package);
    }
    Change([&](RegistryIndex& next) { next.plugins = std::move(index.plugins); });
  } catch (const std::system_error& e) {
    throw Error(ErrorKind::kIo, Attempt("change") + ": " + e.what());
  }
}

std::vector<RegistryPlugin> PluginRegistry::Remove(const std::string& id,
                                                   const std::string& version) {
  const SuccessorFile turn = TakeTurn(folder_, Attempt("change"));
  std::vector<RegistryPlugin> removed;
  const auto is_meant = [&](const RegistryPlugin& plugin) {
    return plugin.id == id && (version.empty() || plugin.version == version);
  };
  const RegistryIndex latest = Latest();
  std::ranges::copy_if(latest.plugins, std::back_inserter(removed), is_meant);
  if (removed.empty()) {
    const std::string what = version.empty() ? id : id + "@" + version;
    throw Error(ErrorKind::kInvalidArgument, "cannot remove '" + what + "': registry '" +
                                                 folder_.string() + "' does not have it");
  }
  Change([&](RegistryIndex& next) { std::erase_if(next.plugins, is_meant); });
  return removed;
}

void PluginRegistry::SetEnd(const std::optional<std::string>& valid_until) {
  const SuccessorFile turn = TakeTurn(folder_, Attempt("change"));
  if (valid_until && !IsIndexDate(*valid_until)) {
    throw Error(ErrorKind::kInvalidArgument,
                Attempt("renew") + ": '" + *valid_until + "' is not a date such as 2027-03-31");
  }
  Change([&](RegistryIndex& next) { next.valid_until = valid_until.value_or(""); });
}

void PluginRegistry::AddKey(const PublicKey& key, const std::string& note) {
  ChangeKeys([&](RegistryIndex& index) {
    const auto refuse = [&](const std::string& finding) {
      throw Error(ErrorKind::kInvalidArgument,
                  Attempt("add a key to") + ": key " + key.Id() + finding);
    };
    for (const RevokedKey& revoked : index.revoked) {
      if (revoked.id == key.Id()) refuse(" was revoked; make another");
    }
    for (const RegistryKey& known : index.keys) {
      if (known.key == key) return;
      if (known.key.number != key.number && known.key.bytes != key.bytes) continue;
      refuse(" is key " + known.key.Id() + " in another form; make another");
    }
    index.keys.push_back({key, note});
  });
}

void PluginRegistry::RemoveKey(const std::string& key_id) {
  ChangeKeys([&](RegistryIndex& index) {
    const auto key = FindKey(index, key_id);
    if (key == index.keys.end()) {
      throw Error(ErrorKind::kInvalidArgument,
                  Attempt("remove a key from") + ": it has no key " + key_id);
    }
    if (index.keys.size() == 1) {
      throw Error(ErrorKind::kInvalidArgument,
                  Attempt("remove a key from") + ": it is the last one; add another first");
    }
    index.keys.erase(key);
    index.threshold = std::min(index.threshold, static_cast<std::int64_t>(index.keys.size()));
  });
}

void PluginRegistry::RevokeKey(const std::string& key_id, const std::string& reason) {
  const RegistryIndex published = Published();
  const std::string attempt = Attempt("revoke a key of");
  ChangeKeys([&](RegistryIndex& index) {
    if (key_id.size() != 16 || key_id.find_first_not_of("0123456789ABCDEF") != std::string::npos) {
      throw Error(ErrorKind::kInvalidArgument,
                  attempt + ": '" + key_id + "' is not the id of a key, 16 digits 0-9, A-F");
    }
    const auto same = [&](const RevokedKey& entry) { return entry.id == key_id; };
    if (std::ranges::none_of(index.revoked, same)) index.revoked.push_back({key_id, reason});
    std::erase_if(index.keys, [&](const RegistryKey& key) { return key.key.Id() == key_id; });
    const auto may_sign = [&](const RegistryKey& key) {
      const auto is_it = [&](const RevokedKey& entry) { return entry.id == key.key.Id(); };
      return std::ranges::none_of(index.revoked, is_it);
    };
    // Those who know the keys so far believe only them.
    const auto left = std::ranges::count_if(published.keys, may_sign);
    if (index.keys.empty() || left < published.threshold) {
      throw Error(ErrorKind::kInvalidArgument,
                  attempt + ": " + std::to_string(left) + " keys would be left, and " +
                      std::to_string(published.threshold) +
                      " must sign; publish a lower threshold or more keys first");
    }
    index.threshold = std::min(index.threshold, static_cast<std::int64_t>(index.keys.size()));
  });
}

void PluginRegistry::SetThreshold(std::int64_t threshold) {
  ChangeKeys([&](RegistryIndex& index) {
    if (threshold < 1 || threshold > static_cast<std::int64_t>(index.keys.size())) {
      throw Error(ErrorKind::kInvalidArgument,
                  Attempt("change") + ": " + std::to_string(threshold) +
                      " signatures are not possible with " + std::to_string(index.keys.size()) +
                      " keys; add keys first");
    }
    index.threshold = threshold;
  });
}

SigningState PluginRegistry::Sign(const SigningKey& key) {
  if (Latest().keys.empty()) AddKey(key.public_key(), "");
  const std::string attempt = Attempt("sign");
  {
    const SuccessorFile turn = TakeTurn(folder_, attempt);
    RegistryIndex index = Latest(), published = Published();
    const std::string id = key.public_key().Id();
    if (FindKey(index, id) == index.keys.end() && FindKey(published, id) == published.keys.end()) {
      throw Error(ErrorKind::kInvalidArgument,
                  attempt + ": key " + id + " is not one of its keys; add it with --add");
    }
    const std::string comment = "registry " + index.id + ", index " + std::to_string(index.serial);
    WriteFileBytes(folder_ / SignaturePath(index.serial, id), key.Sign(LatestText(), comment),
                   attempt);
  }
  return Publish();
}

SigningState PluginRegistry::Publish() {
  const std::string attempt = Attempt("publish");
  const SuccessorFile turn = TakeTurn(folder_, attempt);
  const RegistryIndex published = Published();
  const std::string text = LatestText();
  const RegistryIndex next = ParseRegistryIndex(text, attempt);
  const RegistryReader read = [&](const std::string& path) {
    return ReadIfThere(folder_ / path, attempt);
  };
  SigningState state{next.serial, next.serial == published.serial, 0, {}};
  // Those who know the keys so far must accept the next ones.
  for (const RegistryIndex* of : {&published, &next}) {
    SignatureFindings found = FindSignatures(text, next.serial, KeysOf(*of), next.revoked, read);
    if (!of->keys.empty()) state.missing = std::max(state.missing, found.Missing(of->threshold));
    state.keys = std::move(found.signed_by);
  }
  if (state.is_published || state.missing > 0) return state;
  if (std::ranges::find(next.key_serials, next.serial) != next.key_serials.end()) {
    WriteFileBytes(folder_ / HistoryPath(next.serial), text, attempt);
  }
  WriteFileBytes(folder_ / kIndexName, text, attempt);
  std::error_code stays;
  fs::remove(folder_ / kDraftName, stays);
  RemoveSignatures(folder_, [&](std::int64_t serial) {
    return serial < published.serial &&
           std::ranges::find(next.key_serials, serial) == next.key_serials.end();
  });
  RemoveOldPackages(folder_, next);
  state.is_published = true;
  return state;
}

std::vector<RegistryProblem> PluginRegistry::Verify() const {
  const std::string attempt = Attempt("verify");
  const RegistryIndex index = Published();
  std::vector<RegistryProblem> problems;
  const SignatureFindings found = FindSignatures(
      ReadFileBytes(folder_ / kIndexName, attempt), index.serial, KeysOf(index), index.revoked,
      [&](const std::string& path) { return ReadIfThere(folder_ / path, attempt); });
  for (const std::string& wrong : found.wrong) problems.push_back("index.json: " + wrong);
  if (index.keys.empty()) {
    problems.emplace_back("index.json: it is not signed");
  } else if (found.Missing(index.threshold) > 0) {
    problems.push_back("index.json: it has " + std::to_string(found.signed_by.size()) + " of " +
                       std::to_string(index.threshold) + " signatures");
  }
  if (!index.valid_until.empty() && UtcDate() > index.valid_until) {
    problems.push_back("index.json: it ended on " + index.valid_until);
  }
  AddHistoryProblems(folder_, index, problems);
  for (const RegistryPlugin& plugin : index.plugins) {
    const std::string problem = PackageProblem(folder_, plugin);
    if (!problem.empty()) problems.push_back(plugin.package + ": " + problem);
  }
  return problems;
}

std::vector<HostCheck> PluginRegistry::Check(
    const std::string& host, const CheckOptions& options,
    const std::function<void(const HostCheck&)>& on_checked) {
  const std::string attempt = Attempt("check");
  if (!IsCleanLine(host)) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + ": the name of the host is not one line of text; choose another");
  }
  ReadChecks(folder_, attempt);  // before the checks, which take long
  std::vector<HostCheck> checked;
  for (const RegistryPlugin& plugin : Latest().plugins) {
    if (!RunsOn(plugin.platform, HostPlatform())) continue;
    checked.push_back({plugin.id, plugin.version, plugin.platform.Name(), plugin.package_sha256,
                       CheckPackage(folder_, plugin, host, options)});
    if (on_checked) on_checked(checked.back());
    if (options.cancel != nullptr && options.cancel->cancelled()) return checked;
  }
  const SuccessorFile turn = TakeTurn(folder_, attempt);
  std::vector<HostCheck> all = ReadChecks(folder_, attempt);
  const std::string here = HostPlatform().Name();
  std::erase_if(all, [&](const HostCheck& old) {  // other machines may share the name
    return old.check.host == host && (old.platform == here || old.platform == Platform().Name());
  });
  all.insert(all.end(), checked.begin(), checked.end());
  WriteFileBytes(folder_ / kChecksName, HostChecksText(all), attempt);
  return checked;
}

std::string PluginRegistry::ChecksText() const {
  const std::vector<HostCheck> checks = ReadChecks(folder_, Attempt("open"));
  return checks.empty() ? "" : HostChecksText(checks);
}

void PluginRegistry::UseNewest(
    const std::function<void(std::span<const UnpackedPlugin>)>& use) const {
  const RegistryIndex index = Latest();
  const ScratchFolder scratch = ScratchFolder::Temporary();
  const fs::path place = fs::canonical(scratch.path());
  std::vector<UnpackedPlugin> unpacked;
  for (const RegistryPlugin& plugin : index.plugins) {
    if (FindNewest(index, plugin.id, "") != &plugin) continue;
    const fs::path folder = place / plugin.id / "plugin";
    fs::create_directories(folder);
    UnpackedPlugin& each = unpacked.emplace_back(
        UnpackedPlugin{plugin, folder / plugin.file, PackageProblem(folder_, plugin)});
    try {
      if (each.problem.empty()) UnpackPackage(folder_ / plugin.package, folder);
    } catch (const Error& error) {
      each.problem = error.what();
    }
  }
  use(unpacked);
}

}  // namespace crossfold
