// One check of one component as a task: run in this process, or by the program crossfold-checker in
// a process of its own, in which nothing else happens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "crossfold/plugin_check.h"

namespace crossfold::check {

// An argument of --data: a file for sources to read, with settings.
// Reads "FILE" or "FILE{NAME=VALUE,...}".
struct SampleText {
  std::filesystem::path path;
  std::string settings;  // the text between the braces

  // A file whose name ends in braces is that file.
  static SampleText Parse(std::string_view text);
  // The same with an absolute path.
  std::string ToString() const;
};

// The arguments of --data with absolute paths, for another process.
std::vector<std::string> WholeTexts(std::span<const std::string> data);

struct CheckTask {
  std::filesystem::path file;  // absolute
  std::string check;
  CheckScope scope = kFile;
  std::string component;   // its id; "" = the file
  std::uint64_t seed = 0;  // of the check
  int strictness = 5;
  // The part of the check that another process of it requested; "" = the check.
  std::string part = {};
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

// Runs the task in this process, without another one to compare with. With `warns` its findings are
// warnings up to strictness 7.
CheckResult RunInThisProcess(const CheckTask& task, bool warns);

// Starts `program`, waits at most `seconds`, and returns the outcome of the task: crashed if the
// process ended before it reported, timeout if it had to be killed. Blocks; thread-safe. Throws
// Error(kIo) if the program cannot be started.
CheckResult RunInProcess(const std::filesystem::path& program, const CheckTask& task, bool warns,
                         double seconds, const CancelToken* cancel);

// The number of processes at the same time: the requested number, or one per core.
std::size_t NumberOfJobs(const CheckOptions& options);
// Runs work() on up to `most` threads, or on the number that the system gives. Throws Error(kIo) if
// there is none.
std::vector<std::jthread> StartJobs(std::size_t most, const std::function<void()>& work);

}  // namespace crossfold::check
