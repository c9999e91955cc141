// Reading the index of a registry that belongs to someone else, and deciding whether to believe it.
#pragma once

#include <optional>
#include <string>

#include "crossfold/known_registries.h"
#include "crossfold/registry_index.h"
#include "registry/registry_place.h"

namespace crossfold {

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

// Reads and verifies an index. The keys that may sign it are those that are remembered of the
// registry with its id, or options.key for a new registry; if the keys have changed since, the
// indexes in between lead to the next ones. A registry that is known without keys is one at its
// place only. Throws Error "cannot use registry '<location>': ..." if it is not signed, is signed
// wrongly, by other or by revoked keys, is older than one that was seen before, or has ended, and
// Error(kIo).
VerifiedIndex ReadVerifiedIndex(const RegistryPlace& place,
                                const std::vector<KnownRegistry>& registries,
                                const TrustOptions& options);

}  // namespace crossfold
