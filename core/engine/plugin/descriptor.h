// The tables of a plugin, checked and copied into C++ types.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crossfold/component.h"
#include "crossfold_plugin.h"
#include "engine/plugin/manifest.h"

namespace crossfold {

// Why a component is refused that only the manifest has.
inline constexpr const char* kNotOffered = "its plugin does not offer it to this host";

struct DescriptorReading {
  std::vector<Component> components;  // by kind, in the order of the manifest; plugin == nullptr
  std::vector<RefusedComponent> refused;
  std::string vendor, license, build_info;
  std::string problem;  // why the whole plugin is refused; empty = it is not
};

// Components are matched with the manifest by id. A defect of a component, or what only a newer
// host knows, refuses that one; a defect of the lists, or of all components, the plugin. Reads only
// the fields that every struct of version 1.0 has, and none before struct_size says that it is
// there.
DescriptorReading ReadDescriptor(const cf_plugin& plugin, const Manifest& manifest);

// What the manifest of that plugin would say, from its tables; for plugins that have none. Reads as
// carefully as ReadDescriptor.
ManifestReading ManifestOf(const cf_plugin& plugin);

}  // namespace crossfold
