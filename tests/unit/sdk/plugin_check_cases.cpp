// plugin_check_cases PROGRAM PLUGIN [OPTION...]: the main() of a plugin's conformance tests.
#include <gtest/gtest.h>

#include "crossfold_plugin_check.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  crossfold::conformance::RegisterPluginChecks(argv[1], argv[2], {argv + 3, argv + argc});
  return RUN_ALL_TESTS();
}
