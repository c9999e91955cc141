// Plugins and components as JSON, for programs. The keys are stable and stand in docs/plugins.md.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/plugin_host.h"

namespace crossfold {

// One object: what `crossfold plugin describe ID --json` prints.
std::string DescriptionJson(const Component& component);
// One object of a plugin with the objects of its components. REQUIRES: they are of one plugin, and
// there is one.
std::string DescriptionJson(std::span<const std::shared_ptr<const Component>> components);
// An array with one object for each component, and for each file of which none is known; those of
// `kind` only, unless it is null.
std::string ListJson(const std::vector<PluginEntry>& entries, const Kind* kind);

}  // namespace crossfold
