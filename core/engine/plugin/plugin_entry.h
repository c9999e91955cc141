// Entering a plugin, that is, calling its entry function and making components of its tables.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/log_sink.h"
#include "engine/plugin/descriptor.h"
#include "engine/plugin/manifest.h"

namespace crossfold {

// Calls `make` with a table that logs to `log`. Throws Defect if it throws, or returns null: the
// reason is `declines` and the last line that it logged.
const cf_plugin& CallForTables(const std::function<const cf_plugin*(const cf_host&)>& make,
                               const LogSink& log, const std::string& declines);

// Calls the entry function with a table that logs to `log`. Throws Defect if the plugin throws or
// declines.
const cf_plugin& CallEntry(cf_plugin_fn entry, const LogSink& log);

// Makes a plugin from its tables. The caller fills in what it knows about the file.
std::shared_ptr<LoadedPlugin> MakeLoadedPlugin(const cf_plugin& descriptor,
                                               const Manifest& manifest,
                                               const DescriptorReading& reading);

// Takes the components out of `reading` and makes them parts of `plugin`.
std::vector<std::shared_ptr<const Component>> TakeComponents(
    DescriptorReading& reading, const std::shared_ptr<const LoadedPlugin>& plugin);

}  // namespace crossfold
