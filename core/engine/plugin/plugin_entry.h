// Entering a plugin: calling its entry function and making components of its tables.
#pragma once

#include <memory>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/log_sink.h"
#include "engine/plugin/descriptor.h"
#include "engine/plugin/manifest.h"

namespace crossfold {

// Calls it with a table that logs to `log`. Throws Defect if the plugin throws or declines.
const cf_plugin& CallEntry(cf_plugin_fn entry, const LogSink& log);

// What is known of a plugin from its tables. The caller fills in what it knows of the file.
std::shared_ptr<LoadedPlugin> MakeLoadedPlugin(const cf_plugin& descriptor,
                                               const Manifest& manifest,
                                               const DescriptorReading& reading);

// The components of `reading`, which is left without them, as parts of `plugin`.
std::vector<std::shared_ptr<const Component>> TakeComponents(
    DescriptorReading& reading, const std::shared_ptr<const LoadedPlugin>& plugin);

}  // namespace crossfold
