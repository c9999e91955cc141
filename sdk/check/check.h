// One check of the conformance kit: a name and a function that looks for defects.
#pragma once

#include <optional>
#include <string_view>

#include "crossfold/component.h"
#include "crossfold/plugin_check.h"

namespace crossfold::check {

class CheckContext;

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

}  // namespace crossfold::check
