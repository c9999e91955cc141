// The tables of a plugin, checked and copied into C++ types.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crossfold/component.h"
#include "crossfold_plugin.h"
#include "plugin/manifest.h"

namespace crossfold {

struct DescriptorReading {
  // Learners, transforms, splitters, metrics; all with plugin == nullptr.
  std::vector<Component> components;
  std::string vendor, license, build_info;
  std::string problem;  // empty = every table is sound, and agrees with the manifest
};

// All or nothing: one defect anywhere refuses the whole plugin. Reads only the fields that every
// struct of version 1.0 has, and none before struct_size says that it is there.
DescriptorReading ReadDescriptor(const cf_plugin& plugin, const Manifest& manifest);

// What the manifest of that plugin would say, from its tables; for plugins that have none. Reads as
// carefully as ReadDescriptor.
ManifestReading ManifestOf(const cf_plugin& plugin);

}  // namespace crossfold
