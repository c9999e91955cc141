#include "registry/open_registries.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include "crossfold/error.h"
#include "engine/data/sha256.h"
#include "engine/text/utc_time.h"
#include "registry/index_signatures.h"

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

// ---- reading an index, and deciding whether to believe it ----

constexpr std::uint64_t kMaxIndex = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxSignature = 1 << 16;

struct TrustOptions {
  std::optional<PublicKey> key;  // one that the user names, for a registry seen for the first time
  // The user accepts this index whoever signed it. Nothing of it is remembered if it, or the
  // registry as it is known, has keys.
  bool allow_unsigned = false;
  std::string id;            // that the registry must have; "" = any
  bool moves = false;        // the registry is at this place from now on
  std::string today;         // in UTC, "2026-11-27"
  bool allow_ended = false;  // the user accepts an index whose last day is over
};

struct VerifiedIndex {
  RegistryIndex index;
  std::optional<KnownRegistry> known;  // what to remember; nullopt = nothing new
};

struct SignedIndex {
  std::string text;
  RegistryIndex index;
};

class IndexReader {
 public:
  explicit IndexReader(const RegistryPlace& place)
      : place_(place), attempt_("cannot use registry '" + place.location() + "'") {}

  [[noreturn]] void Refuse(const std::string& finding) const {
    throw Error(ErrorKind::kBadData, attempt_ + ": " + finding);
  }

  SignedIndex Read() const {
    std::optional<std::string> text = place_.Read(kIndexName, kMaxIndex);
    if (!text) {
      Refuse(std::string("it has no ") + kIndexName +
             "; if it has moved: crossfold registry trust FOLDER, or leave it out: crossfold "
             "registry forget ID");
    }
    RegistryIndex index = ParseRegistryIndex(*text, attempt_);
    return {*std::move(text), std::move(index)};
  }

  // An index at which keys changed; nullopt = it cannot be followed.
  std::optional<SignedIndex> ReadStep(std::int64_t serial, const std::string& id) const {
    std::optional<std::string> text = place_.Read(HistoryPath(serial), kMaxIndex);
    if (!text) return std::nullopt;
    try {
      RegistryIndex index = ParseRegistryIndex(*text, attempt_);
      if (index.serial != serial || index.id != id) return std::nullopt;
      return SignedIndex{*std::move(text), std::move(index)};
    } catch (const Error&) {
      return std::nullopt;  // it is damaged
    }
  }

  SignatureFindings Signatures(const SignedIndex& of, const std::vector<PublicKey>& keys,
                               const std::vector<RevokedKey>& revoked) const {
    return FindSignatures(of.text, of.index.serial, keys, revoked, [&](const std::string& path) {
      return place_.Read(path, kMaxSignature);
    });
  }

 private:
  const RegistryPlace& place_;
  std::string attempt_;
};

// A key that was revoked once stays so.
std::vector<RevokedKey> AllRevoked(std::vector<RevokedKey> known, const RegistryIndex& index) {
  for (const RevokedKey& key : index.revoked) {
    const bool is_known = std::any_of(known.begin(), known.end(),
                                      [&](const RevokedKey& entry) { return entry.id == key.id; });
    if (!is_known) known.push_back(key);
  }
  return known;
}

std::string NamesOf(const std::vector<PublicKey>& keys) {
  std::string ids;
  for (const PublicKey& key : keys) ids += (ids.empty() ? "" : " or ") + key.Id();
  return ids;
}

// Why there are fewer signatures than needed.
std::string WhyNot(const SignatureFindings& found, const std::vector<PublicKey>& keys,
                   std::int64_t needed) {
  if (!found.wrong.empty()) {
    return found.wrong.front() + "; the index or its signature was changed; ask its owner";
  }
  if (!found.revoked.empty()) return "its index is signed by " + found.revoked.front();
  if (!found.signed_by.empty()) {
    return "its index has " + std::to_string(found.signed_by.size()) + " of " +
           std::to_string(needed) + " signatures";
  }
  return "its index is not signed by key " + NamesOf(keys) + ", which you trust";
}

// Why it is not to be believed; "" = enough of the keys have signed it.
std::string SigningProblem(const IndexReader& reader, const SignedIndex& signed_index,
                           const KnownRegistry& known) {
  const RegistryIndex& index = signed_index.index;
  if (index.keys.empty())
    return "its index is not signed by key " + NamesOf(known.keys) + ", which you trust";
  const std::vector<RevokedKey> revoked = AllRevoked(known.revoked, index);
  const auto problem = [&](const std::vector<PublicKey>& keys, std::int64_t needed) {
    const SignatureFindings found = reader.Signatures(signed_index, keys, revoked);
    return found.Missing(needed) == 0 ? "" : WhyNot(found, keys, needed);
  };
  std::string by_known = problem(known.keys, known.threshold);
  return by_known.empty() ? problem(KeysOf(index), index.threshold) : by_known;
}

// What is believed after an index that was signed rightly.
void Adopt(const SignedIndex& from, KnownRegistry& known) {
  known.serial = from.index.serial;
  known.index_sha256 = ToHex(Sha256Of(from.text));
  known.threshold = from.index.threshold;
  known.keys = KeysOf(from.index);
  known.revoked = AllRevoked(std::move(known.revoked), from.index);
}

std::string ForgetCommand(const KnownRegistry& known) {
  return "crossfold registry forget " + known.id;
}

void CheckNotOlder(const IndexReader& reader, const SignedIndex& latest,
                   const KnownRegistry& known) {
  const std::string serial = std::to_string(latest.index.serial);
  const std::string way_out = "; ask its owner, or forget what was seen: " + ForgetCommand(known);
  if (latest.index.serial < known.serial) {
    reader.Refuse("its index " + serial + " is older than index " + std::to_string(known.serial) +
                  ", which was seen before: someone put an old one back, or a copy is out of date" +
                  way_out);
  }
  const bool is_same = known.index_sha256 == ToHex(Sha256Of(latest.text));
  if (latest.index.serial == known.serial && !is_same) {
    reader.Refuse("its index " + serial + " is another one than was seen before" + way_out);
  }
}

// Follows the changes of keys since the index that is known, as far as they are signed.
void FollowKeys(const IndexReader& reader, const RegistryIndex& latest, KnownRegistry& known) {
  for (const std::int64_t serial : latest.key_serials) {
    if (serial <= known.serial || serial >= latest.serial) continue;
    const std::optional<SignedIndex> step = reader.ReadStep(serial, known.id);
    if (!step || !SigningProblem(reader, *step, known).empty()) return;
    Adopt(*step, known);
  }
}

// Checks the signatures by the keys that are known, or those to which their changes lead, and
// adopts what the index says. Returns why it is not to be believed; "" = it is.
std::string Believe(const IndexReader& reader, const SignedIndex& latest, KnownRegistry& known) {
  std::string problem = SigningProblem(reader, latest, known);
  if (!problem.empty()) {
    KnownRegistry followed = known;
    FollowKeys(reader, latest.index, followed);
    if (!SigningProblem(reader, latest, followed).empty()) return problem;
    known = std::move(followed);
  }
  Adopt(latest, known);
  return "";
}

// A registry without keys: it is known by its place and its last index.
KnownRegistry WithoutKeys(const RegistryPlace& place, const SignedIndex& latest) {
  KnownRegistry known;
  known.id = latest.index.id;
  known.location = place.location();
  known.serial = latest.index.serial;
  known.index_sha256 = ToHex(Sha256Of(latest.text));
  return known;
}

// The registry that the key signs. Throws if it does not.
KnownRegistry SignedBy(const PublicKey& key, const IndexReader& reader, const RegistryPlace& place,
                       const SignedIndex& latest) {
  KnownRegistry known;
  known.id = latest.index.id;
  known.location = place.location();
  known.keys = {key};
  const std::string problem = Believe(reader, latest, known);
  if (!problem.empty()) reader.Refuse(problem + "; its owner publishes the right one");
  return known;
}

// What to remember of a registry that is not known, or was known without keys.
std::optional<KnownRegistry> AcceptNew(const IndexReader& reader, const RegistryPlace& place,
                                       const SignedIndex& latest, const TrustOptions& options) {
  const std::vector<RegistryKey>& keys = latest.index.keys;
  if (options.key) return SignedBy(*options.key, reader, place, latest);
  if (options.allow_unsigned) {
    if (!keys.empty()) return std::nullopt;
    return WithoutKeys(place, latest);
  }
  if (keys.empty()) reader.Refuse("its index is not signed; if that is intended: --unsigned");
  const PublicKey& first = keys.front().key;
  reader.Refuse("it is not known yet, and says that key " + first.Id() +
                " signs it; if its owner confirms that: --key " + first.ToText());
}

VerifiedIndex Verify(const IndexReader& reader, const SignedIndex& latest,
                     const RegistryPlace& place, const std::vector<KnownRegistry>& registries,
                     const TrustOptions& options) {
  const RegistryIndex& index = latest.index;
  if (!options.id.empty() && index.id != options.id) {
    reader.Refuse("it is registry '" + index.id + "' now, and was '" + options.id +
                  "'; if its owner changed that: crossfold registry forget " + options.id);
  }
  const KnownRegistry* found = FindIn(registries, index.id);
  if (found == nullptr) return {index, AcceptNew(reader, place, latest, options)};
  if (options.allow_unsigned && !found->keys.empty()) return {index, std::nullopt};
  if (found->keys.empty()) {
    const bool is_elsewhere = place.location() != found->location;
    if (is_elsewhere && options.allow_unsigned && !options.moves) return {index, std::nullopt};
    if (is_elsewhere || !index.keys.empty()) {
      return {index, AcceptNew(reader, place, latest, options)};
    }
    CheckNotOlder(reader, latest, *found);
    return {index, WithoutKeys(place, latest)};
  }
  CheckNotOlder(reader, latest, *found);
  KnownRegistry known = *found;
  const std::string problem = Believe(reader, latest, known);
  if (problem.empty()) return {index, known};
  reader.Refuse(problem +
                "; if its owner has other keys now, forget the old ones: " + ForgetCommand(known));
}

// Reads and verifies an index. The keys that may sign it are those that are remembered of the
// registry with its id, or options.key for a new registry; if the keys have changed since, the
// indexes in between lead to the next ones. A registry that is known without keys is one at its
// place only. Throws Error "cannot use registry '<location>': ..." if it is not signed, is signed
// wrongly, by other or by revoked keys, is older than one that was seen before, or has ended, and
// Error(kIo).
VerifiedIndex ReadVerifiedIndex(const RegistryPlace& place,
                                const std::vector<KnownRegistry>& registries,
                                const TrustOptions& options) {
  const IndexReader reader(place);
  const SignedIndex latest = reader.Read();
  VerifiedIndex verified = Verify(reader, latest, place, registries, options);
  const std::string& end = latest.index.valid_until;
  if (end.empty() || options.today <= end || options.allow_ended) return verified;
  reader.Refuse("its index " + std::to_string(latest.index.serial) + " ended on " + end +
                ": its owner has not renewed it, or someone withholds the next one; ask its owner, "
                "or use it all the same: --ended");
}

// ---- what is remembered ----

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
