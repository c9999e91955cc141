// The checks of `crossfold plugin check` as cases of GoogleTest, so that they run with a plugin's
// own tests and each can be run alone:
//
//   int main(int argc, char** argv) {
//     testing::InitGoogleTest(&argc, argv);
//     crossfold::conformance::RegisterPluginChecks("crossfold", "build/nearest.crossfold.so");
//     return RUN_ALL_TESTS();
//   }
//
// Check fit-smoke of a component becomes the case org.example.nearest.fit_smoke (suite.name): a '-'
// would end the pattern of --gtest_filter. A check that does not apply is skipped with its reason;
// a warning is printed and passes. It needs GoogleTest and the installed program. Link
// Crossfold::conformance, which has this header.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_conformance/command.hpp"
#include "crossfold_conformance/json.hpp"

namespace crossfold::conformance {

namespace internal {

inline std::vector<std::string> CheckCommand(const std::string& program, const std::string& plugin,
                                             const std::vector<std::string>& options) {
  std::vector<std::string> words = {program, "plugin", "check", "--json"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(plugin);
  return words;
}

// Returns a name for GoogleTest, whose filters take '-' for "but not".
inline std::string CaseName(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// Returns the output of the command. Throws std::runtime_error if it is not JSON.
inline Json JsonOf(const std::vector<std::string>& words) {
  const CommandResult run = RunCommand(words);
  try {
    return ReadJson(run.output);
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(LineOf(words) + " ended with status " + std::to_string(run.status) +
                             ": " + e.what() + "; it printed: " + run.output);
  }
}

// One check of one component.
class PluginCheck : public testing::Test {
 public:
  PluginCheck(std::vector<std::string> words, std::string check, std::string component)
      : words_(std::move(words)), check_(std::move(check)), component_(std::move(component)) {}

 private:
  // The command also runs the checks that this one needs; those have cases of their own.
  void TestBody() override {
    const Json report = JsonOf(words_);
    for (const Json& result : report.at("results").list) {
      if (result.at("check").text == check_ && result.at("component").text == component_) {
        return Report(result.at("outcome").text, result.at("text").text);
      }
    }
    ADD_FAILURE() << "the program did not run it: " << LineOf(words_);
  }

  void Report(const std::string& outcome, const std::string& text) {
    if (outcome == "skipped") GTEST_SKIP() << text;
    if (outcome == "warning" || outcome == "expected-failure") {
      std::cout << outcome << ": " << text << std::endl;
    } else if (outcome != "ok") {
      ADD_FAILURE() << outcome << ": " << text << "\nto repeat it: " << LineOf(words_);
    }
  }

  std::vector<std::string> words_;
  std::string check_, component_;
};

// The checks could not even be listed.
class NoChecks : public testing::Test {
 public:
  explicit NoChecks(std::string why) : why_(std::move(why)) {}

 private:
  void TestBody() override { ADD_FAILURE() << why_; }

  std::string why_;
};

}  // namespace internal

// Registers every check that applies to the plugin, one case per check and component; if the
// program cannot list them, one case that fails with the reason. Call it between InitGoogleTest and
// RUN_ALL_TESTS. `program` is the crossfold program, `plugin` the built file, `options` more
// options of `crossfold plugin check`, such as {"--seed", "7", "--exclude", "^leak$"}.
inline void RegisterPluginChecks(const std::string& program, const std::string& plugin,
                                 const std::vector<std::string>& options = {}) {
  std::vector<std::string> list = options;
  list.push_back("--list");
  std::vector<Json> planned;
  try {
    planned = internal::JsonOf(internal::CheckCommand(program, plugin, list)).list;
  } catch (const std::exception& e) {
    testing::RegisterTest("file", "can_be_checked", nullptr, nullptr, __FILE__, __LINE__,
                          [why = std::string(e.what())] { return new internal::NoChecks(why); });
  }
  for (const Json& one : planned) {
    const std::string check = one.at("check").text, component = one.at("component").text;
    std::vector<std::string> only = options;
    only.insert(only.end(), {"--include", "^" + check + "$"});
    if (!component.empty()) only.insert(only.end(), {"--component", component});
    const std::vector<std::string> words = internal::CheckCommand(program, plugin, only);
    const std::string suite = internal::CaseName(component.empty() ? "file" : component);
    testing::RegisterTest(
        suite.c_str(), internal::CaseName(check).c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [words, check, component] { return new internal::PluginCheck(words, check, component); });
  }
}

}  // namespace crossfold::conformance
