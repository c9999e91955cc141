#include "registry/index_signatures.h"

#include <algorithm>

namespace crossfold {

std::string SignaturePath(std::int64_t serial, const std::string& key_id) {
  return std::string(kSignatureFolder) + "/" + std::to_string(serial) + "." + key_id + ".minisig";
}

std::string HistoryPath(std::int64_t serial) {
  return std::string(kHistoryFolder) + "/" + std::to_string(serial) + ".json";
}

SignatureFindings FindSignatures(std::string_view index_text, std::int64_t serial,
                                 const std::vector<PublicKey>& keys,
                                 const std::vector<RevokedKey>& revoked,
                                 const RegistryReader& read) {
  SignatureFindings findings;
  std::vector<std::string> ended;
  for (const RevokedKey& key : revoked) {
    ended.push_back(key.id);
    if (!read(SignaturePath(serial, key.id))) continue;
    const std::string why = key.reason.empty() ? "" : " (" + key.reason + ")";
    findings.revoked.push_back("key " + key.id + ", which was revoked" + why);
  }
  for (const PublicKey& key : keys) {
    const std::string id = key.Id();
    if (std::find(ended.begin(), ended.end(), id) != ended.end()) continue;
    const std::optional<std::string> signature = read(SignaturePath(serial, id));
    if (!signature) continue;
    const std::string problem = SignatureProblem(*signature, index_text, key);
    if (problem.empty()) {
      findings.signed_by.push_back(id);
    } else {
      findings.wrong.push_back("the signature by key " + id + ": " + problem);
    }
  }
  return findings;
}

}  // namespace crossfold
