#include "registry/verified_index.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "crossfold/error.h"
#include "engine/data/sha256.h"
#include "registry/index_signatures.h"

namespace crossfold {
namespace {

constexpr std::uint64_t kMaxIndex = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxSignature = 1 << 16;

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

  SignedIndex Read(const std::string& path) const {
    std::optional<std::string> text = place_.Read(path, kMaxIndex);
    if (!text) Refuse("it has no " + path + "; is it a registry?");
    RegistryIndex index = ParseRegistryIndex(*text, attempt_);
    return {*std::move(text), std::move(index)};
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

std::vector<PublicKey> ListedKeys(const RegistryIndex& index) {
  std::vector<PublicKey> keys;
  for (const RegistryKey& entry : index.keys) keys.push_back(entry.key);
  return keys;
}

// A key that was revoked once stays so.
std::vector<RevokedKey> AllRevoked(std::vector<RevokedKey> known, const RegistryIndex& index) {
  for (const RevokedKey& key : index.revoked) {
    const bool is_known = std::any_of(known.begin(), known.end(),
                                      [&](const RevokedKey& entry) { return entry.id == key.id; });
    if (!is_known) known.push_back(key);
  }
  return known;
}

// Why there are fewer signatures than needed.
std::string WhyNot(const SignatureFindings& found, const std::vector<PublicKey>& keys,
                   std::int64_t needed, const RegistryIndex& index) {
  if (!found.wrong.empty()) {
    return found.wrong.front() + "; the index or its signature was changed; ask its owner";
  }
  if (!found.revoked.empty()) return "its index is signed by " + found.revoked.front();
  if (!found.signed_by.empty()) {
    return "its index has " + std::to_string(found.signed_by.size()) + " of " +
           std::to_string(needed) + " signatures";
  }
  if (index.keys.empty()) {
    return "its index is not signed, and it was signed before; if that is intended: --unsigned";
  }
  std::string ids;
  for (const PublicKey& key : keys) ids += (ids.empty() ? "" : " or ") + key.Id();
  return "its index is not signed by key " + ids +
         ", which you trust; if its owner has another one: --key";
}

// Why it is not to be believed; "" = enough of the keys have signed it.
std::string SigningProblem(const IndexReader& reader, const SignedIndex& signed_index,
                           const KnownRegistry& known) {
  const RegistryIndex& index = signed_index.index;
  const std::vector<RevokedKey> revoked = AllRevoked(known.revoked, index);
  const auto problem = [&](const std::vector<PublicKey>& keys, std::int64_t needed) {
    const SignatureFindings found = reader.Signatures(signed_index, keys, revoked);
    const bool is_enough = static_cast<std::int64_t>(found.signed_by.size()) >= needed;
    return is_enough ? "" : WhyNot(found, keys, needed, index);
  };
  std::string by_known = problem(known.keys, known.threshold);
  if (!by_known.empty() || index.keys.empty()) return by_known;
  return problem(ListedKeys(index), index.threshold);
}

// What is believed after an index that was signed rightly.
void Adopt(const SignedIndex& from, KnownRegistry& known) {
  known.serial = from.index.serial;
  known.index_sha256 = ToHex(Sha256Of(from.text));
  known.threshold = from.index.threshold;
  known.keys = ListedKeys(from.index);
  known.revoked = AllRevoked(std::move(known.revoked), from.index);
}

void CheckNotOlder(const IndexReader& reader, const SignedIndex& latest,
                   const KnownRegistry& known) {
  const std::string serial = std::to_string(latest.index.serial);
  const std::string way_out =
      "; ask its owner, or forget what was seen: crossfold registry forget " + known.id;
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
    const SignedIndex step = reader.Read(HistoryPath(serial));
    const bool is_step = step.index.serial == serial && step.index.id == known.id;
    if (!is_step || !SigningProblem(reader, step, known).empty()) return;
    Adopt(step, known);
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

KnownRegistry NewlyKnown(const IndexReader& reader, const SignedIndex& latest,
                         const TrustOptions& options) {
  const RegistryIndex& index = latest.index;
  KnownRegistry known;
  known.id = index.id;
  if (options.key) {
    known.keys = {*options.key};
    return known;
  }
  if (options.allow_unsigned) return known;
  if (index.keys.empty()) reader.Refuse("its index is not signed; if that is intended: --unsigned");
  const PublicKey& first = index.keys.front().key;
  reader.Refuse("it is not known yet, and says that key " + first.Id() +
                " signs it; if its owner confirms that: --key " + first.ToText());
}

}  // namespace

VerifiedIndex ReadVerifiedIndex(const RegistryPlace& place,
                                const std::vector<KnownRegistry>& registries,
                                const TrustOptions& options) {
  const IndexReader reader(place);
  const SignedIndex latest = reader.Read(kIndexName);
  const auto found = std::find_if(registries.begin(), registries.end(),
                                  [&](const auto& entry) { return entry.id == latest.index.id; });
  const bool is_new = found == registries.end();
  KnownRegistry known = is_new ? NewlyKnown(reader, latest, options) : *found;
  if (!is_new) CheckNotOlder(reader, latest, known);
  if (known.keys.empty() && !options.allow_unsigned && !latest.index.keys.empty()) {
    NewlyKnown(reader, latest, options);  // it is signed now: by whom?
    known.keys = {*options.key};
  }
  if (!options.allow_unsigned && !known.keys.empty()) {
    KnownRegistry vouched = known;
    std::string problem = Believe(reader, latest, known);
    if (!problem.empty() && !is_new && options.key) {  // the user vouches for another key
      vouched.keys = {*options.key};
      vouched.threshold = 1;
      problem = Believe(reader, latest, vouched);
      known = std::move(vouched);
    }
    if (!problem.empty()) reader.Refuse(problem);
  } else {
    known.serial = latest.index.serial;
    known.index_sha256 = ToHex(Sha256Of(latest.text));
  }
  known.location = place.location();
  return {latest.index, known};
}

}  // namespace crossfold
