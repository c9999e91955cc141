#include "registry/index_signatures.h"

#include <algorithm>

namespace crossfold {

std::string SignaturePath(std::int64_t serial, const std::string& key_id) {
  return std::string(kSignatureFolder) + "/" + std::to_string(serial) + "." + key_id + ".minisig";
}

std::string HistoryPath(std::int64_t serial) {
  return std::string(kHistoryFolder) + "/" + std::to_string(serial) + ".json";
}

std::vector<PublicKey> KeysOf(const RegistryIndex& index) {
  std::vector<PublicKey> keys;
  for (const RegistryKey& entry : index.keys) keys.push_back(entry.key);
  return keys;
}

std::int64_t SignatureFindings::Missing(std::int64_t needed) const {
  return std::max<std::int64_t>(0, needed - static_cast<std::int64_t>(signed_by.size()));
}

SignatureFindings FindSignatures(std::string_view index_text, std::int64_t serial,
                                 const std::vector<PublicKey>& keys,
                                 const std::vector<RevokedKey>& revoked,
                                 const RegistryReader& read) {
  SignatureFindings findings;
  const auto is_revoked = [&](const PublicKey& key) {
    return std::any_of(revoked.begin(), revoked.end(),
                       [&](const RevokedKey& entry) { return entry.id == key.Id(); });
  };
  for (const PublicKey& key : keys) {
    const std::string id = key.Id();
    const std::optional<std::string> signature =
        is_revoked(key) ? std::nullopt : read(SignaturePath(serial, id));
    if (!signature) continue;
    const std::string problem = SignatureProblem(*signature, index_text, key);
    if (problem.empty()) {
      findings.signed_by.push_back(id);
    } else {
      findings.wrong.push_back("the signature by key " + id + ": " + problem);
    }
  }
  if (!findings.signed_by.empty()) return findings;
  for (const RevokedKey& key : revoked) {  // for a message only
    if (!read(SignaturePath(serial, key.id))) continue;
    const std::string why = key.reason.empty() ? "" : " (" + key.reason + ")";
    findings.revoked.push_back("key " + key.id + ", which was revoked" + why);
  }
  return findings;
}

}  // namespace crossfold
