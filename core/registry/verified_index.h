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
  bool allow_unsigned = false;   // the user accepts an index that nobody whom they trust has signed
};

struct VerifiedIndex {
  RegistryIndex index;
  KnownRegistry known;  // what to remember: it is believed from now on
};

// Reads and verifies. `known` = what is remembered of this registry; nullopt = nothing. The keys
// that may sign are those of `known`, or options.key for a new registry; if the keys have changed
// since, the indexes in between lead to the next ones. Throws Error "cannot use registry
// '<location>': ..." if it is not signed, is signed wrongly, by other or by revoked keys, or is
// older than one that was seen before, and Error(kIo).
VerifiedIndex ReadVerifiedIndex(const RegistryPlace& place,
                                const std::vector<KnownRegistry>& registries,
                                const TrustOptions& options);

}  // namespace crossfold
