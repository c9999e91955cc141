// The ids of the bundled components, for tests that walk over all of them. Folders are left out, as
// their programs need packages that may be missing.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/plugins/bundled_plugins.h"

namespace crossfold {

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

}  // namespace crossfold
