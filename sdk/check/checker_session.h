// The program crossfold-checker runs one check, in a process in which nothing else happens.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"

namespace crossfold::check {

// One check on one component.
struct CheckTask {
  std::filesystem::path file;  // absolute
  std::string check;
  CheckScope scope = CheckScope::kFile;
  std::string component;   // its id; "" = the file
  std::uint64_t seed = 0;  // of the check
  int strictness = 5;
  std::string part =
      {};  // the part of the check that another process of it requested; "" = the check
  std::vector<std::string> data = {};  // as SampleText::ToString() has them
};

// Converts the task to arguments of the program, and back. Throws Error(kInvalidArgument) for
// invalid arguments.
std::vector<std::string> ToArguments(const CheckTask& task);
CheckTask ParseArguments(const std::vector<std::string>& arguments);

// Loads the plugin if the check is about a component, and runs the check in this process. `program`
// is the checker, for checks that compare with another process; "" = they do not.
Verdict RunTask(const CheckTask& task, const std::filesystem::path& program = {});

// Converts the verdict to JSON on one line, and back. ParseVerdict throws Error(kBadData).
std::string ToText(const Verdict& verdict);
Verdict ParseVerdict(const std::string& text);

}  // namespace crossfold::check
