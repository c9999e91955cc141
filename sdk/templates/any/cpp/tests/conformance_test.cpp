// Every check of `crossfold plugin check` that applies to this plugin, as a case of GoogleTest:
//   build/tests/@FILE@_conformance --gtest_filter='*fit_smoke*'
#include <gtest/gtest.h>

#include <crossfold_plugin_check.hpp>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  crossfold::conformance::RegisterPluginChecks(CROSSFOLD_PROGRAM, PLUGIN_FILE);
  return RUN_ALL_TESTS();
}
