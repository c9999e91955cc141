// Use of a plugin through its entry function, for hosts that link plugins into their program or
// open them themselves. PluginHost finds plugins as files instead, and enters them in the same way.
#pragma once

#include <memory>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/log_sink.h"
#include "crossfold_plugin.h"

namespace crossfold {

struct EnteredPlugin {
  std::shared_ptr<const LoadedPlugin> plugin;  // path and sha256 are empty
  std::vector<std::shared_ptr<const Component>> components;
  std::vector<RefusedComponent> refused;  // those that this host cannot use
};

// Calls `entry`, which is crossfold_plugin_v1 of the plugin, checks its tables and offers its
// components. `log` gets what the plugin logs meanwhile, and may be empty. Throws Error(kBadPlugin)
// with the reason. Enter a plugin once in a process: the result holds the lock of a plugin that
// takes one call at a time. REQUIRES: the plugin's code stays for the life of the process.
EnteredPlugin EnterPlugin(cf_plugin_fn entry, const LogSink& log = LogSink());

}  // namespace crossfold
