// The checks of `crossfold plugin check` as cases of GoogleTest, so that they show up beside a
// plugin's own tests and one of them can be run alone:
//
//   int main(int argc, char** argv) {
//     testing::InitGoogleTest(&argc, argv);
//     crossfold::conformance::RegisterPluginChecks("crossfold", "build/nearest.crossfold.so");
//     return RUN_ALL_TESTS();
//   }
//
// A check of a component becomes the case org.example.nearest.fit-smoke (suite.name). A check that
// does not apply is skipped with its reason; a warning is printed and passes. Needs GoogleTest and
// the installed program; link Crossfold::conformance, which brings this header.
#pragma once

#include <gtest/gtest.h>

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

// The results of a run of the command. Throws std::runtime_error if it printed none.
inline std::vector<Json> ResultsOf(const std::vector<std::string>& words) {
  const CommandResult run = RunCommand(words);
  try {
    return ReadJson(run.output).at("results").list;
  } catch (const std::runtime_error& e) {
    throw std::runtime_error("'" + words[0] + " plugin check' ended with status " +
                             std::to_string(run.status) + " and no results (" + e.what() +
                             "); it printed: " + run.output);
  }
}

// One check of one component.
class PluginCheck : public testing::Test {
 public:
  PluginCheck(std::vector<std::string> words, std::string check)
      : words_(std::move(words)), check_(std::move(check)) {}

 private:
  void TestBody() override {
    bool has_run = false;
    for (const Json& result : ResultsOf(words_)) {
      if (result.at("check").text != check_) continue;
      has_run = true;
      Report(result.at("outcome").text, result.at("text").text);
      if (IsSkipped()) return;
    }
    if (!has_run) ADD_FAILURE() << "the program did not run check '" << check_ << "'";
  }

  void Report(const std::string& outcome, const std::string& text) {
    if (outcome == "skipped") GTEST_SKIP() << text;
    if (outcome == "warning" || outcome == "expected-failure") {
      std::cout << outcome << ": " << text << std::endl;
    } else if (outcome != "ok") {
      ADD_FAILURE() << outcome << ": " << text << "\nto repeat: " << Line();
    }
  }

  std::string Line() const {
    std::string line;
    for (const std::string& word : words_) line += (line.empty() ? "" : " ") + Quoted(word);
    return line;
  }

  std::vector<std::string> words_;
  std::string check_;
};

}  // namespace internal

// Registers every check that goes for the plugin, one case a check and component. Call it between
// InitGoogleTest and RUN_ALL_TESTS. `program` is the crossfold program, `plugin` the built file,
// `options` more options of `crossfold plugin check`, such as {"--seed", "7", "--exclude",
// "^leak$"}. Throws std::runtime_error if the program cannot list the checks.
inline void RegisterPluginChecks(const std::string& program, const std::string& plugin,
                                 const std::vector<std::string>& options = {}) {
  std::vector<std::string> list = options;
  list.push_back("--list");
  for (const Json& one : internal::ResultsOf(internal::CheckCommand(program, plugin, list))) {
    const std::string check = one.at("check").text, component = one.at("component").text;
    std::vector<std::string> only = options;
    only.insert(only.end(), {"--include", "^" + check + "$"});
    if (!component.empty()) only.insert(only.end(), {"--component", component});
    const std::vector<std::string> words = internal::CheckCommand(program, plugin, only);
    testing::RegisterTest((component.empty() ? "plugin" : component).c_str(), check.c_str(),
                          nullptr, nullptr, __FILE__, __LINE__,
                          [words, check] { return new internal::PluginCheck(words, check); });
  }
}

}  // namespace crossfold::conformance
