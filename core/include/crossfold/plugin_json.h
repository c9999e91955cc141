// Plugins and components as JSON, for programs. The keys are stable and are listed in
// docs/plugins.md.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/plugin_host.h"

namespace crossfold {

// Returns one object, which `crossfold plugin describe ID --json` prints.
std::string DescriptionJson(const Component& component);
// Returns one object for a plugin, with the objects of its components. REQUIRES: there are
// components, and all belong to one plugin.
std::string DescriptionJson(std::span<const std::shared_ptr<const Component>> components);
// Returns an array with one object for each component, and for each file without known components.
// If `kind` is not null, the array has only objects of that kind.
std::string ListJson(const std::vector<PluginEntry>& entries, const Kind* kind);

}  // namespace crossfold
