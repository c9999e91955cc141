// The plugins of this build, and nothing that happens to be installed on the machine.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

// The ids of the bundled components, for tests that walk over all of them. Folders are left out, as
// their programs need packages that may be missing.
inline std::vector<std::string> BundledLearnerIds() {
  std::vector<std::string> ids;
  for (const PluginEntry& entry : BundledPlugins().entries()) {
    if (entry.is_folder) continue;
    for (const std::string& id : entry.ids[Kind::kLearner]) {
      if (id != "crossfold.debug") ids.push_back(id);
    }
  }
  return ids;
}

inline std::vector<std::string> BundledIds() {
  std::vector<std::string> ids = BundledLearnerIds();
  for (const PluginEntry& entry : BundledPlugins().entries()) {
    ids.insert(ids.end(), entry.ids[Kind::kTransform].begin(), entry.ids[Kind::kTransform].end());
  }
  return ids;
}

// The name of a case: the id without "crossfold.".
inline std::string IdOfTest(const ::testing::TestParamInfo<std::string>& info) {
  return info.param.substr(info.param.find('.') + 1);
}

// The numbers that are none, for entries of tests.
inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace crossfold
