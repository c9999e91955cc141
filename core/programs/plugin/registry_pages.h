// The pages of a registry of plugins, as HTML. The scripts in scripts/crossfold/registry make them.
#pragma once

#include <cstddef>

#include "crossfold/cancel_token.h"
#include "crossfold/plugin_registry.h"

namespace crossfold::cli {

// Writes compatibility.html into the registry: which plugins pass plugin check on which hosts.
// Throws Error.
void WriteCompatibilityPage(const PluginRegistry& registry);

// Writes docs/ of the registry: a list and a page per plugin. Plugins are described, and used in an
// example, in processes of their own. The same registry gives the same bytes. Returns the number of
// plugins; throws Error. If it is cancelled, it writes nothing.
std::size_t WriteRegistryDocs(const PluginRegistry& registry, const CancelToken& cancel);

}  // namespace crossfold::cli
