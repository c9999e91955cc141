// The registries that a user has accepted: whose keys may sign them, and the last index that was
// seen, so that an older one is recognised. In the file registries.json of the user's data folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/registry_index.h"

namespace crossfold {

struct KnownRegistry {
  std::string id;
  std::string location;  // where it was last used: a folder or a URL
  std::int64_t serial = 0;
  std::string index_sha256;     // of the index with this serial
  std::int64_t threshold = 1;   // of these keys must sign its index
  std::vector<PublicKey> keys;  // empty: the user accepts it without signatures
  std::vector<RevokedKey> revoked;
};

// $XDG_DATA_HOME/crossfold/registries.json or ~/.local/share/crossfold/registries.json. Throws
// Error(kIo) if neither variable is set.
std::filesystem::path KnownRegistriesFile();
// No file is an empty list. Throws Error(kBadData) and Error(kIo).
std::vector<KnownRegistry> ReadKnownRegistries(const std::filesystem::path& file);
// Lets `change` change the list, and writes it atomically. Several processes take turns.
void ChangeKnownRegistries(const std::filesystem::path& file,
                           const std::function<void(std::vector<KnownRegistry>&)>& change);

}  // namespace crossfold
