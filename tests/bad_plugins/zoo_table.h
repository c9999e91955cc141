// The plugins of this folder, and what the conformance kit says about each.
#pragma once

#include <string_view>

#include "crossfold/plugin_check.h"

namespace crossfold::test {

// A plugin with one defect. Every check but those named here is ok or skipped.
struct Animal {
  std::string_view file;   // without ".crossfold.so"
  std::string_view check;  // the one that finds the defect
  CheckOutcome outcome;
  std::string_view text;       // stands in what it says
  std::string_view also = "";  // another check that cannot but see it, with the same outcome
  std::string_view why_also = "";
  double seconds = 30;  // of one check
};

constexpr CheckOutcome kFailed = CheckOutcome::kFailed;
constexpr CheckOutcome kCrashed = CheckOutcome::kCrashed;
constexpr CheckOutcome kTimeout = CheckOutcome::kTimeout;
constexpr CheckOutcome kWarning = CheckOutcome::kWarning;

// clang-format off
constexpr Animal kZoo[] = {
@@ROWS@@
};
// clang-format on

// No defect: they pass everything.
// Their learners make host code fail and not the kit: see bad_plugins_test.cpp.
constexpr std::string_view kForTheHostOnly[] = {"changes_process", "rounds_in_fit"};

constexpr std::string_view kSoundPlugins[] = {"good_smoother", "good_metric", "good_splitter",
                                              "good_transform"};

}  // namespace crossfold::test
