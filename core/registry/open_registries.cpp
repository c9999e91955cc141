#include "registry/open_registries.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "crossfold/error.h"
#include "engine/text/utc_time.h"
#include "registry/verified_index.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

// Null = it is not in the list.
template <class List>
auto* FindIn(List& list, const std::string& id) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const KnownRegistry& entry) { return entry.id == id; });
  return found == list.end() ? nullptr : &*found;
}

bool AreTrustedAlike(const KnownRegistry& a, const KnownRegistry& b) {
  return a.location == b.location && a.keys == b.keys;
}

bool IsSame(const KnownRegistry& a, const KnownRegistry& b) {
  return a.serial == b.serial && a.index_sha256 == b.index_sha256 && AreTrustedAlike(a, b);
}

// `before` is what was known when the index was verified; null = nothing. If another process has
// remembered another place or other keys since then, or a later index, that stays.
void Remember(const fs::path& file, const KnownRegistry* before, const KnownRegistry& fresh) {
  ChangeKnownRegistries(file, [&](std::vector<KnownRegistry>& list) {
    KnownRegistry* now = FindIn(list, fresh.id);
    if (now == nullptr) {
      list.push_back(fresh);
      return;
    }
    const bool is_as_before = before != nullptr && IsSame(*before, *now);
    const bool was_trusted_so = AreTrustedAlike(before != nullptr ? *before : fresh, *now);
    if (is_as_before || (was_trusted_so && fresh.serial >= now->serial)) *now = fresh;
  });
}

}  // namespace

void RefuseRequest(const std::string& attempt, const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, attempt + ": " + finding);
}

OpenRegistry OpenAt(const std::string& location, const std::string& id, bool moves,
                    const InstallOptions& options) {
  const fs::path file = KnownRegistriesFile();
  const std::vector<KnownRegistry> registries = ReadKnownRegistries(file);
  RegistryPlace place(location);
  // Without --from, --unsigned would be about all registries.
  const bool allow_unsigned = options.allow_unsigned && !options.from.empty();
  VerifiedIndex verified = ReadVerifiedIndex(
      place, registries, {options.key, allow_unsigned, id, moves, UtcDate(), options.allow_ended});
  if (verified.known) {
    if (moves) verified.known->location = place.location();
    const KnownRegistry* before = FindIn(registries, verified.known->id);
    if (before == nullptr || !IsSame(*before, *verified.known)) {
      Remember(file, before, *verified.known);
    }
  }
  return {std::move(place), std::move(verified.index), std::move(verified.known)};
}

namespace {

// All known registries that can be read. What cannot is reported, unless nothing can.
std::vector<OpenRegistry> OpenKnown(const std::vector<KnownRegistry>& known,
                                    const InstallOptions& options) {
  std::vector<OpenRegistry> open;
  std::vector<Error> errors;
  for (const KnownRegistry& registry : known) {
    try {
      open.push_back(OpenAt(registry.location, registry.id, false, options));
    } catch (const Error& error) {
      errors.push_back(error);
    }
  }
  if (open.empty() && !errors.empty()) throw Error(errors.front());
  for (const Error& error : errors) {
    if (options.warn) options.warn(error.what());
  }
  return open;
}

}  // namespace

std::vector<OpenRegistry> OpenRegistries(const InstallOptions& options,
                                         const std::string& attempt) {
  std::vector<KnownRegistry> known = ReadKnownRegistries(KnownRegistriesFile());
  if (!options.from.empty()) {
    std::erase_if(known, [&](const KnownRegistry& entry) { return entry.id != options.from; });
    if (known.empty()) {
      std::vector<OpenRegistry> open;
      open.push_back(OpenAt(options.from, "", false, options));
      return open;
    }
  }
  if (known.empty())
    RefuseRequest(attempt, "no registry is known; name one: --from FOLDER or --from URL");
  return OpenKnown(known, options);
}

}  // namespace crossfold
