// Reading the tables of a plugin: they are checked and copied into C++ types.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crossfold/component.h"
#include "crossfold_plugin.h"
#include "engine/plugin/manifest.h"

namespace crossfold {

// The reason why a component is refused that is only in the manifest.
inline constexpr const char* kNotOffered = "its plugin does not offer it to this host";

struct DescriptorReading {
  std::vector<Component> components;  // by kind, in the order of the manifest; plugin == nullptr
  std::vector<RefusedComponent> refused;
  std::string vendor, license, build_info;
  std::string problem;  // why the whole plugin is refused; empty = it is not
};

// Components are matched with the manifest by id. A component is refused for a defect, or if it
// needs a newer host; the plugin is refused for a defect of its lists or of all components. Reads
// only fields that every struct of version 1.0 has, after struct_size has shown that they exist.
DescriptorReading ReadDescriptor(const cf_plugin& plugin, const Manifest& manifest);

// Makes a manifest from the tables of a plugin that has none. Reads as carefully as ReadDescriptor.
ManifestReading ManifestOf(const cf_plugin& plugin);

}  // namespace crossfold
