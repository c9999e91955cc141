// All checks of the conformance kit, in the order in which they are run.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/plugin_check.h"

namespace crossfold::check {

class CheckContext;
using enum CheckScope;  // for the rows of checks

struct Check {
  std::string_view name;  // kebab-case; stable, as plugins and scripts name it
  CheckScope scope;       // what it is run on
  int level;              // the lowest strictness at which it is run, 1 to 10
  bool warns;             // its findings are warnings up to strictness 7
  std::string_view
      needs;  // an earlier check of the same or of file scope that must have passed, or ""
  std::string_view summary;
  // Reports findings by context.Fail, Warn and Skip. Runs in a process of its own, in which nothing
  // else happens; for scopes other than kFile the plugin is already loaded. An exception fails the
  // check.
  void (*run)(CheckContext& context);
};

// The components that a check of that scope is run on; nothing = the file.
std::optional<Kind> KindOf(CheckScope scope);

// The families: each is a file of the same name.
std::span<const Check> FileChecks();
std::span<const Check> DescriptionChecks();
std::span<const Check> FitChecks();
std::span<const Check> TransformChecks();
std::span<const Check> SplitterChecks();
std::span<const Check> MetricChecks();
std::span<const Check> SourceChecks();
std::span<const Check> RowChecks();
std::span<const Check> ParamChecks();
std::span<const Check> ErrorChecks();
std::span<const Check> ResourceChecks();
std::span<const Check> CapabilityChecks();
std::span<const Check> ReportChecks();

// All checks. A check comes after the one that it needs.
std::vector<Check> AllChecks();

// A round of fuzzing for every kind of component. Its finding is what no host could use. With the
// part "tell" it writes to stdout what it is going to do before it does it.
std::span<const Check> FuzzRounds();
// Its name as a check of a process (check_task.h); it is not among the others.
inline constexpr std::string_view kFuzzRound = "fuzz";

// The check of this name and scope, or null.
const Check* FindCheck(std::span<const Check> checks, std::string_view name, CheckScope scope);

// A section of docs/checks.md, which is part of the program.
struct PageText {
  std::string_view name;  // "fit-smoke"
  std::string_view text;  // Markdown
};
// The pages in the order of the file. embed_pages.cmake makes them.
std::span<const PageText> CheckPages();

}  // namespace crossfold::check
