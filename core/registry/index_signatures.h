// The signatures of an index: files signatures/SERIAL.KEY.minisig in the registry's folder. They
// are there before the index of that serial is, so a reader never sees an index without them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/registry_index.h"

namespace crossfold {

constexpr const char* kSignatureFolder = "signatures";
// Indexes at which keys changed: history/SERIAL.json.
constexpr const char* kHistoryFolder = "history";

std::string SignaturePath(std::int64_t serial, const std::string& key_id);
std::string HistoryPath(std::int64_t serial);

// The keys that an index lists.
std::vector<PublicKey> KeysOf(const RegistryIndex& index);

// Returns the content of a file in the registry's folder; nullopt = there is none.
using RegistryReader = std::function<std::optional<std::string>(const std::string& path)>;

// Which of some keys have signed an index, and what is wrong with the signatures of the others.
struct SignatureFindings {
  std::vector<std::string> signed_by;  // ids of keys
  std::vector<std::string> wrong;      // "the signature by key X: it is not of these bytes"
  // If no key has signed it: "key X, which was revoked (stolen laptop)".
  std::vector<std::string> revoked;

  // How many are missing of the signatures that are needed.
  std::int64_t Missing(std::int64_t needed) const;
};
SignatureFindings FindSignatures(std::string_view index_text, std::int64_t serial,
                                 const std::vector<PublicKey>& keys,
                                 const std::vector<RevokedKey>& revoked,
                                 const RegistryReader& read);

}  // namespace crossfold
