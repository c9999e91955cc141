// The plugins of this build, and nothing that happens to be installed on the machine.
#pragma once

#include <memory>
#include <string_view>

#include "crossfold/plugin_host.h"
#include "crossfold/spec.h"

namespace crossfold {

inline const PluginHost& BundledPlugins() {
  static const PluginHost host({.paths = {CROSSFOLD_TEST_PLUGINS},
                                .use_environment = false,
                                .use_user_folder = false,
                                .use_installation = false,
                                .log = {}});
  return host;
}

inline std::shared_ptr<const Spec> BundledSpec(Kind kind, std::string_view id,
                                               const ParamValues& values) {
  return Spec::Make(BundledPlugins().Find(kind, id), values);
}

}  // namespace crossfold
