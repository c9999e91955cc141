// One check in a process of its own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <thread>
#include <vector>

#include "check/checker_session.h"
#include "crossfold/plugin_check.h"

namespace crossfold::check {

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

// The outcome of a check with these findings. From strictness 8 on warnings are failures.
CheckOutcome OutcomeOf(const Verdict& verdict, bool warns, int strictness);

}  // namespace crossfold::check
